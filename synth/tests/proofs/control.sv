// A program of 4 instructions (a branch, a jump, an exit, or none of them; with BARRIERS also a barrier), its targets, its reconvergence and
// likely convergence points, the branches that end turns, the launched masks and one thread are chosen in the first cycle and stay; outcomes of branches and what is
// fetched and issued are free in each cycle. Output k of `caught_*` speaks of the design with fault k, all others of that without.
// With CTA_PATHS, the warps of a CTA are formed on two sides.
// With REGROUPS, what belongs to a warp there belongs to a thread, its home warp and lane: an instruction is of those who are in its slot when it issues,
// not when it is fetched. Which instructions are the last before others may come in is free, and so are registers pending and cycles without issue.
// With LARGE, what issues is a sub-warp: a thread begins an instruction when it is in one, and ends one that writes a register when that is written, WRITE
// cycles later: later than the next instruction may come. Whether sub-warps are packed or rows is free for each instruction; none is one for all threads.
// With TRAPS, warps that come to different events end the run, as in the core: the reconvergence points are free, be they post-dominators or not.
module miter #(
  parameter PB = 2, SIDES = 1, BARRIERS = 0, ROWS = 1, CTA = 0, LAUNCHES = 1, LANES = 3, QUIET = 10,
  parameter TRAPS = 0, CATCH_1 = 0, CATCH_2 = 0, CATCH_3 = 0,
  parameter PATH = 2, WRITE = 5
) (
  input wire clock,
  input wire [3*(1<<PB)-1:0] any_kinds, input wire [PB*(1<<PB)-1:0] any_targets, input wire [PB*(1<<PB)-1:0] any_points, input wire [PB*(1<<PB)-1:0] any_likely,
  input wire [(1<<PB)-1:0] any_has_point, input wire [(1<<PB)-1:0] any_has_likely, input wire [(1<<PB)-1:0] any_short, any_spins,
  input wire [1:0] any_lane, input wire any_row, input wire [3:0] any_mask_0, input wire [3:0] any_mask_1,
  input wire [PATH-1:0] any_fetch, input wire [PATH-1:0] any_issue, input wire [3:0] outcome, input wire [1:0] any_fault,
`ifdef REGROUPS
  input wire [(1<<PB)-1:0] any_joins, input wire [4*SIDES-1:0] any_pending, input wire any_idle,
`endif
`ifdef LARGE
  input wire [(1<<PB)-1:0] any_writes, input wire any_by_row, any_idle,
`endif
  output wire out_of_turn, lost, deadlocked, mismatched, wrong, reconverged,
  output wire caught_1, caught_2, caught_3
);
  localparam P = SIDES * 4;
  reg [2:0] phase = 0;
  reg [3*(1<<PB)-1:0] kinds; reg [PB*(1<<PB)-1:0] targets, points, likely;
  reg [(1<<PB)-1:0] has_point, has_likely, short, spins;
  reg [1:0] fault; always @(posedge clock) if (phase == 0) fault <= any_fault;
  reg [1:0] lane; reg row; reg [3:0] mask_0, mask_1;
  always @(posedge clock) if (phase == 0) begin
    kinds <= any_kinds; targets <= any_targets; points <= any_points; likely <= any_likely;
    has_point <= any_has_point; has_likely <= any_has_likely; short <= any_short; spins <= any_spins;
    lane <= any_lane; row <= any_row; mask_0 <= any_mask_0; mask_1 <= any_mask_1;
  end
  function [2:0] kind(input [PB-1:0] pc, input [3*(1<<PB)-1:0] kinds);
    begin
      kind = kinds[3*pc +: 3];
      if (kind > (BARRIERS ? 4 : 3)) kind = 0;
      if (pc == (1<<PB)-1 && kind != 2) kind = 3;
    end
  endfunction
`ifdef REGROUPS
  reg [(1<<PB)-1:0] joins; always @(posedge clock) if (phase == 0) joins <= any_joins;
`endif
`ifdef LARGE
  reg [(1<<PB)-1:0] writes; always @(posedge clock) if (phase == 0) writes <= any_writes;
  wire [7:0] issue_rows; wire issue_last;
  wire [3:0] slot_control, slot_writes;
  genvar slot;
  generate for (slot = 0; slot < 4; slot = slot + 1) begin : slots
    wire [PB-1:0] of_slot = slot_pc[PB*slot +: PB];
    assign slot_control[slot] = kind(of_slot, kinds) != 0;
    assign slot_writes[slot] = kind(of_slot, kinds) == 0 && writes[of_slot];
  end endgenerate
  // The oldest in front.
  reg [WRITE-1:0] to_write = 0; reg [4*WRITE-1:0] write_masks; reg [8*WRITE-1:0] write_rows;
  wire written_valid = to_write[0]; wire [3:0] written_mask = write_masks[3:0]; wire [7:0] written_rows = write_rows[7:0];
  wire writes_later = issue_kind == 0 && writes[issue_pc];
`else
  wire issue_last = 1, writes_later = 0;
`endif
  wire reset = phase == 0;
  wire launch_valid = (phase == 3 || phase == 4);
  wire [1:0] launch_warp = phase == 4;
  wire [3:0] launch_mask = (phase == 4 ? mask_1 : mask_0) & LANES;
  wire launch_ready;
  always @(posedge clock) case (phase)
    3: if (launch_ready) phase <= LAUNCHES == 2 ? 4 : 5;
    4: if (launch_ready) phase <= 5;
    5: phase <= 5;
    default: phase <= phase + 1;
  endcase

  wire [P-1:0] fetchable, hold, flush;
  wire [31:0] fetch_pc; wire [3:0] fetch_mask;
  wire finished_valid; wire [1:0] finished_warp;
  wire arrive_valid, exit_valid; wire [1:0] arrive_warp, exit_warp; wire [2:0] arrive_count, exit_count;
  wire overflow_valid, mismatch_valid, form_valid; wire [1:0] form_warp; wire [2*ROWS-1:0] form_home_warps;
  wire [3:0] barrier_release, cta_release;
  wire [3:0] waiting;
`ifdef CTA_PATHS
  wire form_right;
`else
  wire form_right = 0;
`endif
  wire [PATH-1:0] form_path = {form_right, form_warp};

  reg [P-1:0] slot_valid = 0;
  reg [PB*P-1:0] slot_pc; reg [4*P-1:0] slot_mask;
  reg decode_valid = 0; reg [PATH-1:0] decode_path; reg [PB-1:0] decode_pc; reg [3:0] decode_mask;
  reg op1_valid = 0, op2_valid = 0; reg [PATH-1:0] op1_path, op2_path; reg [PB-1:0] op1_pc, op2_pc; reg [3:0] op1_mask, op2_mask;
  reg [2*ROWS-1:0] op1_rows, op2_rows;
  reg [2*ROWS*P-1:0] rows;
  reg stopped = 0;
`ifdef REGROUPS
  integer side, place;
`endif

  function [PATH-1:0] pick(input [P-1:0] able, input [PATH-1:0] wish);
    integer p;
    begin
      pick = 0;
      for (p = P - 1; p >= 0; p = p - 1) if (able[p]) pick = p;
      if (able[wish]) pick = wish;
    end
  endfunction
  wire [P-1:0] can_fetch = fetchable & ~slot_valid & ~(decode_valid ? 1 << decode_path : 0);
  wire [P-1:0] can_issue = slot_valid & ~hold;
`ifdef REGROUPS
  wire fetch = 1, issue = !any_idle, drains = any_pending != 0;
`elsif LARGE
  wire fetch = 1, issue = !any_idle, drains = to_write != 0;
`else
  wire fetch = 1, issue = 1, drains = 0;
`endif
  wire [PATH-1:0] fetch_path = pick(can_fetch, any_fetch), issue_path = pick(can_issue, any_issue);
  wire chooses = fetch && phase >= 3 && fetchable[fetch_path] && !slot_valid[fetch_path] && !(decode_valid && decode_path == fetch_path);
  wire takes = issue && slot_valid[issue_path] && !hold[issue_path];
  wire [PB-1:0] issue_pc = slot_pc[PB*issue_path +: PB];
`ifdef REGROUPS
  wire [3:0] issue_mask; wire [4*SIDES-1:0] form_sides; wire [7:0] form_warps;
`elsif LARGE
  wire [3:0] issue_mask;
`else
  wire [3:0] issue_mask = slot_mask[4*issue_path +: 4];
`endif
  wire [1:0] issue_warp = issue_path[1:0];
  wire [2:0] issue_kind = kind(issue_pc, kinds);
  wire [2:0] resolve_kind3 = kind(op2_pc, kinds) - 1;
  wire [3:0] taken = resolve_kind3 == 0 ? outcome & op2_mask : resolve_kind3 == 1 ? op2_mask : 0;
  wire [PB-1:0] resolve_target = targets[PB*op2_pc +: PB], resolve_next_pc = op2_pc + 1'b1;
  wire [P-1:0] written = decode_valid ? 1 << decode_path : 0;
  wire [P-1:0] taken_slots = flush | (takes && issue_last ? 1 << issue_path : 0);
  always @(posedge clock) begin
    decode_valid <= chooses; decode_path <= fetch_path; decode_pc <= fetch_pc[PB+1:2]; decode_mask <= fetch_mask;
    slot_valid <= (slot_valid & ~taken_slots) | written;
    if (decode_valid) begin slot_pc[PB*decode_path +: PB] <= decode_pc; slot_mask[4*decode_path +: 4] <= decode_mask; end
    op1_valid <= takes && issue_kind != 0; op1_path <= issue_path; op1_pc <= issue_pc; op1_mask <= issue_mask;
`ifdef LARGE
    op1_rows <= issue_rows;
    to_write <= {takes && writes_later, to_write[WRITE-1:1]};
    write_masks <= {issue_mask, write_masks[4*WRITE-1:4]}; write_rows <= {issue_rows, write_rows[8*WRITE-1:8]};
`else
    op1_rows <= ROWS == 1 ? issue_warp : rows[2*ROWS*issue_path +: 2*ROWS];
`endif
    op2_valid <= op1_valid; op2_path <= op1_path; op2_pc <= op1_pc; op2_mask <= op1_mask; op2_rows <= op1_rows;
`ifdef REGROUPS
    for (place = 0; place < 4; place = place + 1) for (side = 0; side < SIDES; side = side + 1)
      if (form_valid && form_sides[SIDES*place + side])
        rows[8*(4*side + form_warps[2*place +: 2]) + 2*place +: 2] <= form_home_warps[2*place +: 2];
`else
    if (form_valid) rows[2*ROWS*form_path +: 2*ROWS] <= form_home_warps;
`endif
    stopped <= stopped | overflow_valid | (TRAPS != 0 && mismatch_valid);
  end

  FlatReconvergenceUnit unit(
`ifdef CTA_PATHS
    .form_right(form_right),
`endif
`ifdef REGROUPS
    .decoded_join(joins[decode_pc] && kind(decode_pc, kinds) == 0), .slot_pending(any_pending),
    .issue_valid(takes), .issue_warp(issue_path), .issue_mask(issue_mask), .form_sides(form_sides), .form_warps(form_warps),
`endif
`ifdef LARGE
    .decoded_kind({1'b0, any_by_row}), .issue_valid(takes), .issue_warp(issue_path), .issue_mask(issue_mask), .issue_home_warps(issue_rows),
    .issue_last(issue_last), .slot_control(slot_control), .slot_writes_rd(slot_writes),
    .release_valid(written_valid), .release_mask(written_mask), .release_home_warps(written_rows),
`endif
    .fault(fault),
    .clock(clock), .reset(reset), .launch_start(phase == 1), .kernel_compact(1'b1), .kernel_warps_per_cta(3'd0 + LAUNCHES),
    .cta_start_valid(phase == 2), .cta_start_slot(2'd0), .launch_valid(launch_valid), .launch_warp(launch_warp),
    .launch_pc(32'd0), .launch_mask(launch_mask), .fetch_warp(fetch_path), .fetch_valid(chooses),
    .decoded_valid(decode_valid), .decoded_warp(decode_path), .decoded_control(kind(decode_pc, kinds) != 0), .slot_valid(slot_valid),
    .resolve_valid(op2_valid), .resolve_warp(op2_path), .resolve_kind(resolve_kind3[1:0]), .resolve_taken(taken), .resolve_mask(op2_mask),
    .resolve_target({{30-PB{1'b0}}, resolve_target, 2'd0}), .resolve_next_pc({{30-PB{1'b0}}, resolve_next_pc, 2'd0}),
    .resolve_rpc({{30-PB{1'b0}}, points[PB*op2_pc +: PB], 2'd0}), .resolve_rpc_valid(has_point[op2_pc]),
    .resolve_lpc(has_likely[op2_pc] && has_point[op2_pc] ? {{30-PB{1'b0}}, likely[PB*op2_pc +: PB], 2'd0} : 32'd1), .resolve_uniform(1'b0), .resolve_subdividable(short[op2_pc]), .resolve_spin(spins[op2_pc]),
    .resolve_data_dependent(1'b0), .warp_slot(8'b01010000), .resolve_home_warps(op2_rows),
    .barrier_release(barrier_release), .cta_release(cta_release), .launch_ready(launch_ready), .fetchable(fetchable),
    .hold(hold), .flush(flush), .fetch_pc(fetch_pc), .fetch_mask(fetch_mask), .finished_valid(finished_valid), .finished_warp(finished_warp),
    .arrive_valid(arrive_valid), .arrive_warp(arrive_warp), .arrive_count(arrive_count), .exit_valid(exit_valid), .exit_warp(exit_warp),
    .exit_count(exit_count), .overflow_valid(overflow_valid), .mismatch_valid(mismatch_valid), .form_valid(form_valid), .form_warp(form_warp), .form_home_warps(form_home_warps),
    .waiting(waiting)
  );
  wire [3:0] m0 = mask_0 & LANES, m1 = LAUNCHES == 2 ? mask_1 & LANES : 0;
  wire [3:0] threads = m0[0] + m0[1] + m0[2] + m0[3] + m1[0] + m1[1] + m1[2] + m1[3];
  reg [3:0] resident = 0;
  always @(posedge clock)
    resident <= (resident | (launch_valid && launch_ready ? 1 << launch_warp : 0)) & ~(finished_valid ? 1 << finished_warp : 0);
  FlatBarrierUnit barriers(
    .clock(clock), .reset(reset), .cta_start_valid(phase == 2), .cta_start_slot(2'd0), .cta_start_threads({12'd0, threads}),
    .arrive_valid(arrive_valid), .arrive_warp(arrive_warp), .arrive_count(arrive_count), .exit_valid(exit_valid), .exit_warp(exit_warp),
    .exit_count(exit_count), .warp_slot(8'b01010000), .resident(resident), .barrier_release(barrier_release), .cta_release(cta_release)
  );

  // One thread: what it has to run next, and where it is.
  wire exists = (row ? m1[lane] : m0[lane]);
  reg alive = 0, busy = 0, waits = 0, ended = 0; reg [PB-1:0] pc = 0; reg [PATH-1:0] busy_path;
`ifdef REGROUPS
  // A thread begins an instruction that issues.
  wire [2*ROWS-1:0] begun_rows = rows[2*ROWS*issue_path +: 2*ROWS];
  wire begins = takes; wire [3:0] begun_mask = issue_mask; wire [31:0] begun_pc = {{30-PB{1'b0}}, issue_pc, 2'd0};
  wire astray = chooses && (fetch_pc[31:PB+2] != 0 || fetch_pc[1:0] != 0);
`elsif LARGE
  wire [2*ROWS-1:0] begun_rows = issue_rows;
  wire begins = takes; wire [3:0] begun_mask = issue_mask; wire [31:0] begun_pc = {{30-PB{1'b0}}, issue_pc, 2'd0};
  wire astray = chooses && (fetch_pc[31:PB+2] != 0 || fetch_pc[1:0] != 0);
`else
  // It begins one that is fetched. A warp may be fetched in the cycle in which it is formed.
  wire [2*ROWS-1:0] begun_rows =
    ROWS != 1 && form_valid && form_path == fetch_path ? form_home_warps : rows[2*ROWS*fetch_path +: 2*ROWS];
  wire begins = chooses; wire [3:0] begun_mask = fetch_mask; wire [31:0] begun_pc = fetch_pc;
  wire astray = 0;
`endif
  wire [1:0] begun_row = ROWS == 1 ? fetch_path[1:0] : begun_rows[2*lane +: 2];
  wire [1:0] op2_row = ROWS == 1 ? op2_rows[1:0] : op2_rows[2*lane +: 2];
  wire begins_it = begins && begun_mask[lane] && begun_row == row;
`ifdef REGROUPS
  wire issues_it = begins_it;
`elsif LARGE
  wire issues_it = begins_it;
  wire written_it = written_valid && written_mask[lane] && written_rows[2*lane +: 2] == row;
`else
  wire issues_it = takes && busy && busy_path == issue_path;
`endif
  wire flushes_it = busy && flush[busy_path] && slot_valid[busy_path];
  wire resolves_it = op2_valid && op2_mask[lane] && op2_row == row;
  wire released = CTA ? cta_release[0] : barrier_release[row];
  always @(posedge clock) begin
    if (launch_valid && launch_ready && launch_warp == row && exists) alive <= 1;
    if (begins_it) begin busy <= 1; busy_path <= fetch_path; end
    if (issues_it && issue_kind == 0 && !writes_later) begin busy <= 0; pc <= pc + 1; end
`ifdef LARGE
    if (written_it) begin busy <= 0; pc <= pc + 1; end
`endif
    if (flushes_it) busy <= 0;
    if (released) waits <= 0;
    if (resolves_it) begin
      busy <= 0;
      case (resolve_kind3)
        0: pc <= outcome[lane] ? resolve_target : pc + 1;
        1: pc <= resolve_target;
        2: ended <= 1;
        3: begin waits <= 1; pc <= pc + 1; end
      endcase
    end
  end
  reg [3:0] finished = 0;
  wire [3:0] launched = LAUNCHES == 2 ? 3 : 1;
  wire acts = (fetchable & ~slot_valid) != 0 || (slot_valid & ~hold) != 0 || decode_valid || op1_valid || op2_valid || drains || phase < 5;
  reg [5:0] quiet = 0;
  always @(posedge clock) begin
    if (finished_valid) finished <= finished | 1 << finished_warp;
    quiet <= acts ? 0 : quiet == QUIET ? quiet : quiet + 1;
  end
  wire [3:0] own = row ? m1 : m0;
  wire legal = phase >= 3 && !stopped && exists && m0 != 0 && (LAUNCHES == 1 ? !row : m1 != 0);

  // For the cover: its warp has been without some of its threads, and has them all again.
  reg apart = 0;
  integer l;
  reg at_home;
`ifdef LARGE
  reg op2_at_home;
  always @* begin
    op2_at_home = op2_mask == own;
    for (l = 0; l < 4; l = l + 1) if (own[l] && op2_rows[2*l +: 2] != row) op2_at_home = 0;
  end
`endif
  always @* begin
    at_home = begun_mask == own;
    for (l = 0; l < 4; l = l + 1) if (ROWS != 1 && own[l] && begun_rows[2*l +: 2] != row) at_home = 0;
  end
`ifdef REGROUPS
  // A warp that starts may be formed of threads of several.
  reg whole = 0;
  always @(posedge clock) if (begins_it) begin whole <= whole | at_home; apart <= apart | whole & !at_home; end
`elsif LARGE
  // Sub-warps are of parts of a warp without that: it is its branch that counts.
  always @(posedge clock) if (resolves_it && resolve_kind3 == 0 && op2_at_home && taken != 0 && taken != op2_mask) apart <= 1;
`else
  always @(posedge clock) if (begins_it && (begun_mask & own) != own) apart <= 1;
`endif

  assign out_of_turn = legal && (astray || begins_it && !(alive && !busy && !waits && !ended && begun_pc == {{30-PB{1'b0}}, pc, 2'd0}));
  assign lost = legal && finished_valid && finished_warp == row && (!ended || finished[row]);
  assign deadlocked = legal && quiet == QUIET && ((finished | waiting) & launched) != launched;
  assign mismatched = legal && mismatch_valid && TRAPS == 0;
  wire [3:0] broken = {mismatched, deadlocked, lost, out_of_turn};
  assign caught_1 = fault == 1 && broken[CATCH_1], caught_2 = fault == 2 && broken[CATCH_2], caught_3 = fault == 3 && broken[CATCH_3];
  assign wrong = fault == 0 && broken != 0;
  assign reconverged = fault == 0 && legal && begins_it && apart && at_home && own != (1 << lane);
endmodule
