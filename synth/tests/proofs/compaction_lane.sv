// One home lane of the warp compaction unit against the set of threads it still owes. Proved by induction: it holds in every
// state in which the lane and the set agree, and they go on agreeing, whatever the inputs.
module miter #(parameter ROWS = 4, parameter INDEX = 2, parameter COUNT = 5) (
  input wire clock, input wire load, input wire [ROWS-1:0] threads, input wire [ROWS-1:0] choice,
  input wire own_choice, input wire step
);
  wire [ROWS-1:0] pending_rows;
  wire [INDEX-1:0] row;
  wire [COUNT-1:0] count;
  wire valid, more;

  CompactionLane lane(
    .clock(clock), .reset(1'b0), .load(load), .threads(threads), .choice(choice), .own_choice(own_choice),
    .step(step), .pending_rows(pending_rows), .row(row), .valid(valid), .more(more), .members(threads), .count(count)
  );

  // `choice` is one-hot or empty; what it may choose depends on the other lanes.
  wire one_choice = (choice & (choice - 1'b1)) == 0;
  wire [ROWS-1:0] picked = valid ? {{(ROWS-1){1'b0}}, 1'b1} << row : {ROWS{1'b0}};
  reg [ROWS-1:0] owed = 0;
  always @(posedge clock)
    if (load) owed <= threads;
    else if (step) owed <= owed & ~picked;

  always @* begin
    assume (one_choice);
    assert (pending_rows == owed);
    // Never an inactive thread, nor one selected before.
    assert ((picked & ~owed) == 0);
    // Never loses one: it offers a thread as long as it owes one that may be chosen, and says whether others remain.
    if (own_choice) assert (valid == (owed != 0));
    if (!own_choice) assert (picked == (owed & choice));
    assert (more == ((owed & ~picked) != 0));
  end
endmodule
