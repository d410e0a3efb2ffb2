// The scoreboard by path and the scoreboard by thread, of four lanes and four warps, against the results that the threads of warp 0 are owed.
// Proved by induction, for all 32 registers and whatever the other warps do.
//
// The core around them: a thread runs on one side of its warp; it changes sides only in a cycle with a copy, and not while an instruction
// of its waits in a slot. An instruction issues when its scoreboard lets it, of one side with all its threads; its results are
// written any time later: together, or in parts (more than a core does), of which the last releases it.
module miter #(
  // The scoreboard that instructions obey: by path, or by thread.
  parameter BY_THREAD = 0,
  // One side is copied: `copy_warp` 0 copies the left of warp 0, and 2 the right (a design made so by the test). 1: it is the side that
  // threads leave; 2: the one that they go to.
  parameter ONE_SIDE = 0
) (
  input wire clock,
  // Threads that change sides.
  input wire [3:0] move, input wire copy_valid, input wire [1:0] copy_warp,
  // An instruction is decoded.
  input wire write_valid, input wire write_side, input wire [1:0] write_row, input wire [3:0] write_mask,
  // What waits in the slots: any instructions of the lanes decoded; by side.
  input wire [4:0] rs1_0, input wire [4:0] rs2_0, input wire [4:0] rd_0, input wire [2:0] uses_0,
  input wire [4:0] rs1_1, input wire [4:0] rs2_1, input wire [4:0] rd_1, input wire [2:0] uses_1,
  // One issues, of warp 0 or, with any destination, of another.
  input wire issue, input wire issue_side, input wire [1:0] issue_row, input wire [4:0] foreign_rd,
  // Results.
  input wire result, input wire result_side, input wire [1:0] result_row, input wire [4:0] result_rd, input wire [3:0] result_mask
);
  // Everything is reset in the first cycle.
  reg started = 0;
  reg [3:0] side;
  reg [1:0] valid;
  reg [3:0] lanes_0, lanes_1;
  // Results owed to each thread, by the side that issued the instruction: 32 registers a lane.
  reg [127:0] owed_0, owed_1;

  wire issues = issue && issue_row == 0;
  wire writes = issues && write_register;
  wire write_register = issue_side ? uses_1[2] : uses_0[2];
  wire [4:0] set_rd = issue_row != 0 ? foreign_rd : issue_side ? rd_1 : rd_0;
  wire [3:0] set_mask = issue_side ? lanes_1 : lanes_0;
  wire set_valid = issue && (issue_row != 0 || write_register);
  wire results = result && result_row == 0;

  wire [3:0] path_hazard_0, path_hazard_1, thread_hazard_0, thread_hazard_1;
  DualPathScoreboard paths(
    .clock(clock), .reset(!started),
    .slot_rs1_0_0(rs1_0), .slot_rs2_0_0(rs2_0), .slot_rd_0_0(rd_0), .slot_rs1_1_0(rs1_1), .slot_rs2_1_0(rs2_1), .slot_rd_1_0(rd_1),
    .slot_reads_rs1_0({3'b0, uses_0[0]}), .slot_reads_rs2_0({3'b0, uses_0[1]}), .slot_writes_rd_0({3'b0, uses_0[2]}),
    .slot_reads_rs1_1({3'b0, uses_1[0]}), .slot_reads_rs2_1({3'b0, uses_1[1]}), .slot_writes_rd_1({3'b0, uses_1[2]}),
    .set_valid(set_valid), .set_warp({issue_side, issue_row}), .set_rd(set_rd),
    .release_valid(result && (result_row != 0 || last)), .release_warp({result_side, result_row}), .release_rd(result_rd),
    .copy_valid(copy_valid), .copy_warp(copy_warp), .hazard_0(path_hazard_0), .hazard_1(path_hazard_1)
  );
  ThreadScoreboard threads(
    .clock(clock), .reset(!started),
    .slot_rs1_0_0(rs1_0), .slot_rs2_0_0(rs2_0), .slot_rd_0_0(rd_0), .slot_rs1_1_0(rs1_1), .slot_rs2_1_0(rs2_1), .slot_rd_1_0(rd_1),
    .slot_reads_rs1_0({3'b0, uses_0[0]}), .slot_reads_rs2_0({3'b0, uses_0[1]}), .slot_writes_rd_0({3'b0, uses_0[2]}),
    .slot_reads_rs1_1({3'b0, uses_1[0]}), .slot_reads_rs2_1({3'b0, uses_1[1]}), .slot_writes_rd_1({3'b0, uses_1[2]}),
    .write_valid(write_valid), .write_warp({write_side, write_row}), .write_mask(write_mask),
    .set_valid(set_valid), .set_warp({issue_side, issue_row}), .set_rd(set_rd), .set_mask(set_mask),
    .release_valid(result), .release_warp({result_side, result_row}), .release_rd(result_rd), .release_mask(result_mask),
    .hazard_0(thread_hazard_0), .hazard_1(thread_hazard_1)
  );

  // The scoreboards' state, which an invariant must speak of.
  (* hierconn *) wire [31:0] \paths.rows_0.pending , \paths.rows_0.shadow_0 , \paths.rows_4.pending , \paths.rows_4.shadow_0 ;
  (* hierconn *) wire [31:0] \threads.rows_0.pending_0 , \threads.rows_0.pending_1 , \threads.rows_0.pending_2 ,
    \threads.rows_0.pending_3 ;
  (* hierconn *) wire [3:0] \threads.rows_0.slot_lanes_0 , \threads.rows_0.slot_lanes_1 ;
  wire [127:0] pending_threads = {
    \threads.rows_0.pending_3 , \threads.rows_0.pending_2 , \threads.rows_0.pending_1 , \threads.rows_0.pending_0
  };

  wire [31:0] needs_0 = (uses_0[0] ? 32'b1 << rs1_0 : 0) | (uses_0[1] ? 32'b1 << rs2_0 : 0) | (uses_0[2] ? 32'b1 << rd_0 : 0);
  wire [31:0] needs_1 = (uses_1[0] ? 32'b1 << rs1_1 : 0) | (uses_1[1] ? 32'b1 << rs2_1 : 0) | (uses_1[2] ? 32'b1 << rd_1 : 0);
  wire [3:0] waits_0, waits_1, owed_result;
  wire last = (owed_result & ~result_mask) == 0;

  genvar lane;
  generate
    for (lane = 0; lane < 4; lane = lane + 1) begin : each
      wire [31:0] mine_0 = owed_0[lane*32 +: 32], mine_1 = owed_1[lane*32 +: 32];
      assign owed_result[lane] = result_side ? mine_1[result_rd] : mine_0[result_rd];
      assign waits_0[lane] = lanes_0[lane] && ((mine_0 | mine_1) & needs_0) != 0;
      assign waits_1[lane] = lanes_1[lane] && ((mine_0 | mine_1) & needs_1) != 0;
      wire [31:0] written = results && result_mask[lane] ? 32'b1 << result_rd : 0;
      wire [31:0] set = writes && set_mask[lane] ? 32'b1 << set_rd : 0;
      always @(posedge clock) begin
        owed_0[lane*32 +: 32] <= started ? mine_0 & (result_side ? ~32'b0 : ~written) | (issue_side ? 32'b0 : set) : 32'b0;
        owed_1[lane*32 +: 32] <= started ? mine_1 & (result_side ? ~written : ~32'b0) | (issue_side ? set : 32'b0) : 32'b0;
      end
      always @* if (started) begin
        // One writer at a time for each register of a thread.
        assert ((mine_0 & mine_1) == 0);
        // By thread, exactly what is owed is pending.
        assert (pending_threads[lane*32 +: 32] == (mine_0 | mine_1));
        // By path, what is owed by the other side is in its shadow.
        if (!BY_THREAD && side[lane]) assert ((mine_0 & ~\paths.rows_0.shadow_0 ) == 0);
        if (!BY_THREAD && !side[lane]) assert ((mine_1 & ~\paths.rows_4.shadow_0 ) == 0);
      end
    end
  endgenerate
  wire [31:0] any_0 = owed_0[127:96] | owed_0[95:64] | owed_0[63:32] | owed_0[31:0];
  wire [31:0] any_1 = owed_1[127:96] | owed_1[95:64] | owed_1[63:32] | owed_1[31:0];

  wire write_0 = write_valid && write_row == 0 && !write_side;
  wire write_1 = write_valid && write_row == 0 && write_side;
  wire [1:0] waiting = valid & ~(issues ? 2'b1 << issue_side : 2'b0);
  always @(posedge clock) begin
    started <= 1'b1;
    side <= started ? side ^ move : 4'b0;
    valid <= started ? waiting | {write_1, write_0} : 2'b0;
    lanes_0 <= !started ? 4'b0 : write_0 ? write_mask : lanes_0;
    lanes_1 <= !started ? 4'b0 : write_1 ? write_mask : lanes_1;
  end

  always @* if (started) begin
    assume (write_mask != 0);
    if (write_0) assume ((write_mask & (side | move)) == 0);
    if (write_1) assume ((write_mask & (~side | move)) == 0);
    if (waiting[0]) assume ((move & lanes_0) == 0);
    if (waiting[1]) assume ((move & lanes_1) == 0);
    if (ONE_SIDE == 0 && move != 0) assume (copy_valid && copy_warp == 0);
    if (ONE_SIDE == 1 && (move & ~side) != 0) assume (copy_valid && copy_warp == 0);
    if (ONE_SIDE == 1 && (move & side) != 0) assume (copy_valid && copy_warp == 2);
    if (ONE_SIDE == 2 && (move & ~side) != 0) assume (copy_valid && copy_warp == 2);
    if (ONE_SIDE == 2 && (move & side) != 0) assume (copy_valid && copy_warp == 0);
    if (issues) assume (valid[issue_side]);
    if (issues) assume (BY_THREAD ? !(issue_side ? thread_hazard_1[0] : thread_hazard_0[0])
                                  : !(issue_side ? path_hazard_1[0] : path_hazard_0[0]));
    if (results) assume (result_mask != 0 && (result_mask & ~owed_result) == 0);

    if (valid[0]) assert (lanes_0 != 0 && (lanes_0 & side) == 0);
    if (valid[1]) assert (lanes_1 != 0 && (lanes_1 & ~side) == 0);
    assert (\threads.rows_0.slot_lanes_0 == lanes_0 && \threads.rows_0.slot_lanes_1 == lanes_1);
    // The scoreboard by thread holds an instruction if and only if a thread of its needs what it is owed.
    assert (thread_hazard_0[0] == (waits_0 != 0) && thread_hazard_1[0] == (waits_1 != 0));
    if (!BY_THREAD) begin
      // The scoreboard by path holds all that one holds.
      if (valid[0] && thread_hazard_0[0]) assert (path_hazard_0[0]);
      if (valid[1] && thread_hazard_1[0]) assert (path_hazard_1[0]);
      // It holds nothing for longer than a result is owed, so nothing is held for ever.
      assert (\paths.rows_0.pending == any_0 && \paths.rows_4.pending == any_1);
      assert ((\paths.rows_0.shadow_0 & ~any_0) == 0 && (\paths.rows_4.shadow_0 & ~any_1) == 0);
    end
  end
endmodule
