// The slots of a warp from which loads are issued again. Proved by induction, whatever is fetched, issued and looked at: every issue is answered once
// (`flying`: not yet), nobody issues what waits for its answer, and no slot is filled before its load is done.
module miter #(parameter SLOTS = 4, parameter SLOT = 2) (
  input wire clock, input wire [1:0] fill, input wire issue, input wire replayable, input wire replay, input wire check_valid,
  input wire [SLOT-1:0] check_slot, input wire check_done
);
  wire [SLOT-1:0] fill_slot, issue_slot, replay_slot, tail_slot;
  wire [SLOT:0] room;
  wire issue_valid, replay_valid, is_clear;
  wire [SLOTS-1:0] valid;
  // Registers that have no port.
  wire [SLOT:0] filled, issued, tail;
  wire [SLOTS-1:0] again;

  ReplayWindow window(
    .clock(clock), .reset(1'b0), .fill(fill), .fill_slot(fill_slot), .room(room), .issue(issue), .replayable(replayable),
    .issue_valid(issue_valid), .issue_slot(issue_slot), .replay(replay), .replay_valid(replay_valid), .replay_slot(replay_slot),
    .check_valid(check_valid), .check_slot(check_slot), .check_done(check_done), .squash(1'b0), .tail_slot(tail_slot),
    .under_way(valid), .is_clear(is_clear)
  );

  wire [SLOTS-1:0] one = {{(SLOTS-1){1'b0}}, 1'b1};
  reg [SLOTS-1:0] flying = 0;
  always @(posedge clock)
    flying <= (flying & ~(check_valid ? one << check_slot : {SLOTS{1'b0}}))
      | (issue & replayable ? one << issue_slot : {SLOTS{1'b0}}) | (replay ? one << replay_slot : {SLOTS{1'b0}});

  // How far from the tail: the next to be issued, the next to be filled, and each slot.
  wire [SLOT:0] to_issued = issued - tail;
  wire [SLOT:0] to_filled = filled - tail;
  wire [SLOTS-1:0] held;
  genvar i;
  generate
    for (i = 0; i < SLOTS; i = i + 1) begin : slots
      wire [SLOT-1:0] number = i;
      wire [SLOT-1:0] place = number - tail[SLOT-1:0];
      assign held[i] = {1'b0, place} < to_issued;
    end
  endgenerate

  always @* begin
    assume (fill <= 2 && fill <= room);
    assume (!issue || issue_valid);
    assume (!replay || replay_valid);
    assume (!issue || !replay);
    assume (!check_valid || flying[check_slot]);
    // The fill pointer does not pass the tail, nor the issue pointer that of filling.
    assert (to_filled <= SLOTS);
    assert (to_issued <= to_filled);
    assert (room == SLOTS - to_filled);
    // What is not done lies from the tail to the issue pointer, the oldest of it at the tail.
    assert ((valid & ~held) == 0);
    assert (valid == 0 ? to_issued == 0 : valid[tail[SLOT-1:0]]);
    // It waits for its answer, or to be issued again.
    assert ((flying | again) == valid);
    assert ((flying & again) == 0);
    // What is issued again is the oldest of these.
    assert (replay_valid == (again != 0));
    if (replay_valid) assert (again[replay_slot]);
    assert (is_clear == (valid == 0));
  end
endmodule
