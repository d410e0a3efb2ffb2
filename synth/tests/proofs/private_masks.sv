// One load among all that have a private mask, any of them. Proved by induction, whatever becomes of the others: each thread of it is done once, and no
// mask regains a thread.
module miter #(parameter LANES = 4, parameter WARP = 2, parameter SLOT = 2, parameter ROW = 4) (
  input wire clock, input wire write_enable, input wire [ROW-1:0] write_row, input wire [LANES-1:0] write_mask,
  input wire check_valid, input wire [WARP-1:0] check_warp, input wire [SLOT-1:0] check_slot, input wire [LANES-1:0] check_mask,
  input wire [LANES-1:0] check_done
);
  // The load that is followed.
  (* anyconst *) reg [ROW-1:0] row;
  wire [LANES-1:0] mask;
  wire is_done;

  PrivateMasks masks(
    .clock(clock), .write_enable(write_enable), .write_row(write_row), .write_mask(write_mask), .read_row(row), .mask(mask),
    .check_valid(check_valid), .check_warp(check_warp), .check_slot(check_slot), .check_mask(check_mask), .check_done(check_done),
    .is_done(is_done)
  );

  wire fetched = write_enable && write_row == row;
  wire looked_at = check_valid && {check_warp, check_slot} == row;
  // Its threads, and those that are done.
  reg [LANES-1:0] threads = 0;
  reg [LANES-1:0] done = 0;
  always @(posedge clock) begin
    if (fetched) begin
      threads <= write_mask;
      done <= 0;
    end else if (looked_at) done <= done | check_done;
  end

  always @* begin
    // A slot is filled when its load is done; a look is at the threads for which it was issued, and which are left.
    assume (!(fetched && looked_at));
    if (looked_at) assume (check_mask == mask && (check_done & ~check_mask) == 0);
    assert (mask == (threads & ~done));
    if (looked_at) assert ((check_done & done) == 0);
    if (looked_at) assert (is_done == ((done | check_done) == threads));
    assert ((done & ~threads) == 0);
  end
endmodule
