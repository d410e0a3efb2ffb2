// The priority encoder finds the lowest set bit, for every request.
module miter #(parameter WIDTH = 4, parameter INDEX = 2) (input wire [WIDTH-1:0] request);
  wire [INDEX-1:0] index;
  wire [WIDTH-1:0] one_hot;
  wire any;

  PriorityEncoder encoder(.request(request), .index(index), .one_hot(one_hot), .any(any));

  always @* begin
    assert (any == (request != 0));
    assert ((one_hot & ~request) == 0);
    assert ((one_hot & (one_hot - 1'b1)) == 0);
    assert ((one_hot != 0) == any);
    // No request below it.
    if (any) assert ((request & (one_hot - 1'b1)) == 0);
    if (any) assert (one_hot == ({{(WIDTH-1){1'b0}}, 1'b1} << index));
    if (!any) assert (index == 0);
  end
endmodule
