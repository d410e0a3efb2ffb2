// The promises of MSHRs. Proved by induction, whatever issues: what is neither busy nor promised can be promised, so that all can when nothing is under way.
module miter #(parameter MSHRS = 4, parameter WIDTH = 5) (
  input wire clock, input wire issues, input wire returns, input wire takes, input wire frees
);
  wire any;
  wire [WIDTH-1:0] credit;

  CreditTracker tracker(
    .clock(clock), .reset(1'b0), .issues(issues), .returns(returns), .takes(takes), .frees(frees), .any(any), .credit(credit)
  );

  reg [WIDTH-1:0] busy = 0;
  reg [WIDTH-1:0] promised = 0;
  always @(posedge clock) begin
    busy <= busy + takes - frees;
    promised <= promised + issues - returns;
  end

  // Negative while more was taken than there was to be promised.
  wire [WIDTH-1:0] free = MSHRS - busy - promised;

  always @* begin
    assume (!takes || busy < MSHRS);
    assume (!frees || busy > 0);
    assume (!issues || any);
    assume (!returns || promised > 0);
    assert (credit == free);
    assert (busy <= MSHRS);
    assert (promised <= MSHRS);
    assert (any == (busy + promised < MSHRS));
  end
endmodule
