// One home lane of the warp compaction unit against the set of threads it still owes. Proved by induction: it holds in every
// state in which the lane and the set agree, and they go on agreeing, whatever the inputs.
module miter #(parameter ROWS = 4, parameter INDEX = 2) (
  input wire clock, input wire load, input wire [ROWS-1:0] threads, input wire [ROWS-1:0] choice,
  input wire [INDEX-1:0] choice_home_warp, input wire own_choice, input wire step
);
  wire [INDEX-1:0] home_warp;
  wire valid;
  // The lane's register: it has no port.
  wire [ROWS-1:0] pending;

  CompactionLane lane(
    .clock(clock), .reset(1'b0), .load(load), .threads(threads), .choice(choice), .choice_home_warp(choice_home_warp),
    .own_choice(own_choice), .step(step), .home_warp(home_warp), .valid(valid)
  );

  // `choice` is `choice_home_warp` or empty; what it may choose depends on the other lanes.
  wire one_choice = choice == 0 || choice == {{(ROWS-1){1'b0}}, 1'b1} << choice_home_warp;
  wire [ROWS-1:0] picked = valid ? {{(ROWS-1){1'b0}}, 1'b1} << home_warp : {ROWS{1'b0}};
  reg [ROWS-1:0] before = 0;
  // New threads are offered at once.
  wire [ROWS-1:0] owed = load ? threads : before;
  always @(posedge clock) before <= step ? owed & ~picked : owed;

  always @* begin
    assume (one_choice);
    assert (pending == before);
    // Never an inactive thread, nor one selected before.
    assert ((picked & ~owed) == 0);
    // Never loses one: it offers a thread as long as it owes one that may be chosen.
    if (own_choice) assert (valid == (owed != 0));
    if (!own_choice) assert (picked == (owed & choice));
  end
endmodule
