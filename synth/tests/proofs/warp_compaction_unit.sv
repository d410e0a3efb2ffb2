// The warp compaction unit of four lanes against the threads it still owes, from a load on, for every set of threads. The
// set only shrinks, so as many cycles as there are rows reach every state. The adequacy evaluator beside it says how many warps
// there will be.
module miter #(parameter ROWS = 4, parameter INDEX = 2, parameter COUNT = 3) (
  input wire clock, input wire load, input wire compact, input wire step,
  input wire [ROWS-1:0] threads_0, input wire [ROWS-1:0] threads_1,
  input wire [ROWS-1:0] threads_2, input wire [ROWS-1:0] threads_3
);
  wire valid;
  // `compact` changes with a load only.
  reg last_mode = 1'b0;
  wire mode = load ? compact : last_mode;
  wire [3:0] lanes;
  wire [INDEX-1:0] rows_0, rows_1, rows_2, rows_3;
  wire [COUNT-1:0] compacted_warps;

  WarpCompactionUnit unit(
    .clock(clock), .reset(1'b0), .load(load), .compact(mode), .step(step), .valid(valid), .lanes(lanes),
    .threads_0(threads_0), .threads_1(threads_1), .threads_2(threads_2), .threads_3(threads_3),
    .home_warps_0(rows_0), .home_warps_1(rows_1), .home_warps_2(rows_2), .home_warps_3(rows_3)
  );
  AdequacyEvaluator evaluator(
    .clock(clock), .load(load), .compacted_warps(compacted_warps),
    .members_0(threads_0), .members_1(threads_1), .members_2(threads_2), .members_3(threads_3)
  );

  reg [4*ROWS-1:0] before;
  // New threads are offered at once.
  wire [4*ROWS-1:0] owed = load ? {threads_3, threads_2, threads_1, threads_0} : before;
  wire [4*ROWS-1:0] picked;
  wire [4*INDEX-1:0] rows = {rows_3, rows_2, rows_1, rows_0};
  // Warps offered so far, all threads of which were chosen lane by lane.
  reg [COUNT-1:0] formed;
  reg compacting;
  always @(posedge clock) begin
    before <= step ? owed & ~picked : owed;
    last_mode <= mode;
    formed <= (load ? 0 : formed) + (step && valid);
    compacting <= (load || compacting) && (mode || !(step && valid));
  end

  genvar lane;
  generate
    for (lane = 0; lane < 4; lane = lane + 1) begin : each
      wire [ROWS-1:0] mine = owed[lane*ROWS +: ROWS];
      assign picked[lane*ROWS +: ROWS] =
        lanes[lane] ? {{(ROWS-1){1'b0}}, 1'b1} << rows[lane*INDEX +: INDEX] : {ROWS{1'b0}};
      always @* begin
        // Never an inactive thread, nor one selected before.
        assert ((picked[lane*ROWS +: ROWS] & ~mine) == 0);
        // A compacted warp has a thread of every lane that owes one.
        if (mode) assert (lanes[lane] == (mine != 0));
      end
    end
  endgenerate

  always @* begin
    // Never loses one: it goes on until none is owed, and every warp takes some.
    assert (valid == (owed != 0));
    if (valid) assert (picked != 0);
    // Compacting throughout takes as many warps as the predictor was told.
    if (compacting && before == 0) assert (formed == compacted_warps);
    // A static warp is all that is owed of one row.
    if (!mode && valid) begin
      assert (!lanes[0] || !lanes[1] || rows_0 == rows_1);
      assert (!lanes[1] || !lanes[2] || rows_1 == rows_2);
      assert (!lanes[2] || !lanes[3] || rows_2 == rows_3);
      assert (!lanes[0] || !lanes[2] || rows_0 == rows_2);
      assert (!lanes[0] || !lanes[3] || rows_0 == rows_3);
      assert (!lanes[1] || !lanes[3] || rows_1 == rows_3);
    end
  end
endmodule
