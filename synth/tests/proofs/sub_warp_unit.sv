// No thread of a large warp is in flight twice: a thread with a register pending is in no sub-warp that issues. Proved by induction, for any thread, whatever
// large warps there are, in whatever order results come back.
//
// The core around it: only a large warp that is not held issues, and results come only of threads that have issued. Rows are of one large warp each.
module miter #(
  parameter LANES = 4, LANE = 2, WARPS = 4, WARP = 2
) (
  input wire clock,
  input wire [WARPS*WARP-1:0] owners, input wire [WARPS-1:0] owned,
  input wire activate, input wire [WARPS-1:0] activate_rows, input wire [LANES*WARPS-1:0] members,
  input wire [WARPS-1:0] launch_row, input wire [LANES-1:0] launch_mask,
  input wire decoded_valid, input wire [WARP-1:0] decoded_warp, input wire [1:0] decoded_kind, input wire compact,
  input wire issue_valid, input wire [WARP-1:0] issue_warp, input wire issue_writes,
  input wire release_valid, input wire [LANES-1:0] release_mask, input wire [LANES*WARP-1:0] release_home_warps,
  // Which thread it is.
  input wire [LANE-1:0] any_lane, input wire [WARP-1:0] any_row
);
  // Everything is reset in the first cycle.
  reg started = 0;
  reg [LANE-1:0] lane;
  reg [WARP-1:0] row;
  always @(posedge clock) begin
    started <= 1;
    if (!started) begin lane <= any_lane; row <= any_row; end
  end

  wire [WARPS-1:0] rows [0:3];
  genvar g, r;
  generate
    for (g = 0; g < WARPS; g = g + 1)
      for (r = 0; r < WARPS; r = r + 1)
        assign rows[g][r] = owned[r] && owners[r*WARP +: WARP] == g;
  endgenerate

  wire [LANES-1:0] lanes;
  wire [WARP-1:0] home_warps [0:3];
  wire [WARPS-1:0] hold;
  wire last;
  SubWarpUnit unit(
    .clock(clock), .reset(!started), .rows_0(rows[0]), .rows_1(rows[1]), .rows_2(rows[2]), .rows_3(rows[3]),
    .activate(activate), .activate_rows(activate_rows),
    .members_0(members[0*WARPS +: WARPS]), .members_1(members[1*WARPS +: WARPS]),
    .members_2(members[2*WARPS +: WARPS]), .members_3(members[3*WARPS +: WARPS]),
    .launch_row(launch_row), .launch_mask(launch_mask), .decoded_valid(decoded_valid), .decoded_warp(decoded_warp),
    .decoded_kind(decoded_kind), .compact(compact), .issue_valid(issue_valid), .issue_warp(issue_warp), .issue_writes(issue_writes),
    .release_valid(release_valid), .release_mask(release_mask),
    .release_home_warps_0(release_home_warps[0*WARP +: WARP]), .release_home_warps_1(release_home_warps[1*WARP +: WARP]),
    .release_home_warps_2(release_home_warps[2*WARP +: WARP]), .release_home_warps_3(release_home_warps[3*WARP +: WARP]),
    .lanes(lanes), .home_warps_0(home_warps[0]), .home_warps_1(home_warps[1]), .home_warps_2(home_warps[2]),
    .home_warps_3(home_warps[3]), .last(last), .hold(hold)
  );
  (* hierconn *) wire [WARPS-1:0] \unit.once , \unit.by_row ;
  wire [WARPS-1:0] busy [0:3], unissued [0:3];
  (* hierconn *) wire [WARPS-1:0] \unit.picks_0_in_flight , \unit.picks_1_in_flight , \unit.picks_2_in_flight , \unit.picks_3_in_flight ;
  (* hierconn *) wire [WARPS-1:0] \unit.picks_0_pending , \unit.picks_1_pending , \unit.picks_2_pending , \unit.picks_3_pending ;
  assign busy[0] = \unit.picks_0_in_flight , busy[1] = \unit.picks_1_in_flight , busy[2] = \unit.picks_2_in_flight , busy[3] = \unit.picks_3_in_flight ;
  assign unissued[0] = \unit.picks_0_pending , unissued[1] = \unit.picks_1_pending , unissued[2] = \unit.picks_2_pending , unissued[3] = \unit.picks_3_pending ;

  // It issues: in its own lane and row, or with all threads of its large warp.
  wire at_once = \unit.once [issue_warp];
  wire issues = issue_valid && (at_once ? rows[issue_warp][row] && unissued[lane][row] : lanes[lane] && home_warps[lane] == row);
  wire returns = release_valid && release_mask[lane] && release_home_warps[lane*WARP +: WARP] == row;
  // Registers of the thread that are pending.
  reg [1:0] under_way;
  always @(posedge clock) under_way <= started ? under_way + (issues && issue_writes && !at_once) - returns : 0;

  always @* if (started) begin
    assume (!issue_valid || !hold[issue_warp]);
    assume (!returns || under_way != 0);
    // Jumps write nothing.
    assume (!(issue_valid && at_once && issue_writes));
    // An instruction goes row by row, or at once.
    assert ((\unit.once & \unit.by_row ) == 0);
    assert (under_way <= 1);
    assert (busy[lane][row] == (under_way != 0));
    // One in flight issues nothing at all.
    assert (!issues || under_way == 0);
  end
endmodule
