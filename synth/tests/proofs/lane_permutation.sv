// Balanced lane permutation, for any two threads of a CTA of up to as many warps as lanes.
module miter #(parameter WIDTH = 2) (
  input wire [WIDTH-1:0] warp_a, input wire [WIDTH-1:0] lane_a,
  input wire [WIDTH-1:0] warp_b, input wire [WIDTH-1:0] lane_b
);
  wire [WIDTH-1:0] physical_a, physical_b, off, partner;

  LanePermutation a(.warp_in_cta(warp_a), .lane(lane_a), .enable(1'b1), .physical(physical_a));
  LanePermutation b(.warp_in_cta(warp_b), .lane(lane_b), .enable(1'b1), .physical(physical_b));
  LanePermutation c(.warp_in_cta(warp_a), .lane(lane_a), .enable(1'b0), .physical(off));
  LanePermutation d(.warp_in_cta(warp_a ^ 1'b1), .lane(lane_a), .enable(1'b1), .physical(partner));

  always @* begin
    // A bijection in every warp: no two lanes become one.
    if (warp_a == warp_b && lane_a != lane_b) assert (physical_a != physical_b);
    // A physical lane holds a logical lane of one warp only.
    if (warp_a != warp_b && lane_a == lane_b) assert (physical_a != physical_b);
    // Even and odd partners are complementary.
    assert ((physical_a ^ partner) == {WIDTH{1'b1}});
    assert (off == lane_a);
  end
endmodule
