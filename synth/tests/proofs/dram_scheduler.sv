// The commands of a channel of DRAM keep every rule of its timing. Proved by induction, whatever is asked, for all times to come: the rules are those of
// the commands' history, a register for each of the last clocks, and nothing of what the controller keeps.
//
// Every cycle is a clock of the command bus. Four banks in two groups, of which two are looked at: any pair.
module miter #(
  parameter RCD = 1, RCDWR = 1, RP = 1, RC = 1, RAS = 1, RRD = 1, CCD = 1, CCDL = 1, RTP = 1, RTPL = 1, RTW = 1, WTR = 1, WTP = 1, FAW = 1, RFC = 1,
  parameter LONGEST = 14
) (
  input wire clock,
  input wire push_valid, input wire push_write, input wire [1:0] push_bank, input wire push_row, input wire push_column,
  input wire [1:0] push_bursts, input wire push_id, input wire room,
  input wire [1:0] any_bank
);
  localparam NOP = 0, ACT = 1, RD = 2, WR = 3, PRE = 4, REF = 5;
  reg started = 0;
  reg [1:0] watched;
  always @(posedge clock) begin
    started <= 1;
    if (!started) watched <= any_bank;
  end

  wire [2:0] command;
  wire [1:0] bank;
  wire row;
  DramScheduler scheduler(
    .clock(clock), .reset(!started), .tick(1'b1), .push_valid(push_valid), .push_write(push_write), .push_bank(push_bank), .push_row(push_row),
    .push_column(push_column), .push_bursts(push_bursts), .push_id(push_id), .room(room), .command(command), .bank(bank), .row(row)
  );
  (* hierconn *) wire \scheduler.banks_0.is_open , \scheduler.banks_1.is_open , \scheduler.banks_2.is_open , \scheduler.banks_3.is_open ;
  wire [3:0] is_open = { \scheduler.banks_3.is_open , \scheduler.banks_2.is_open , \scheduler.banks_1.is_open , \scheduler.banks_0.is_open };

  // Bit n: so many clocks ago, and one more.
  reg [LONGEST-1:0] act = 0, rd = 0, wr = 0, refresh = 0, pre = 0, bank_act = 0, bank_rd = 0, bank_wr = 0, bank_pre = 0, group_rd = 0, group_wr = 0;
  reg [3:0] open = 0;
  wire own = bank == watched;
  wire of_group = bank[1] == watched[1];
  always @(posedge clock) if (started) begin
    act <= {act, command == ACT}; rd <= {rd, command == RD}; wr <= {wr, command == WR}; refresh <= {refresh, command == REF}; pre <= {pre, command == PRE};
    bank_act <= {bank_act, command == ACT && own}; bank_rd <= {bank_rd, command == RD && own}; bank_wr <= {bank_wr, command == WR && own};
    bank_pre <= {bank_pre, command == PRE && own};
    group_rd <= {group_rd, command == RD && of_group}; group_wr <= {group_wr, command == WR && of_group};
    if (command == ACT) open[bank] <= 1;
    if (command == PRE) open[bank] <= 0;
  end

  // What has happened in the last so many clocks, less one.
`define WITHIN(history, clocks) (((history) & ((1 << ((clocks) - 1)) - 1)) != 0)
  wire [LONGEST-1:0] recent = act & ((1 << (FAW - 1)) - 1);
  integer i;
  reg [3:0] activates;
  always @* begin
    activates = 0;
    for (i = 0; i < LONGEST; i = i + 1) activates = activates + recent[i];
  end

  always @* if (started) begin
    assert (is_open == open);
    case (command)
      ACT: begin
        assert (!`WITHIN(act, RRD) && !`WITHIN(refresh, RFC) && activates < 4);
        if (own) assert (!open[watched] && !`WITHIN(bank_pre, RP) && !`WITHIN(bank_act, RC));
      end
      PRE: if (own) assert (open[watched] && !`WITHIN(bank_act, RAS) && !`WITHIN(bank_rd, RTP) && !`WITHIN(group_rd, RTPL) && !`WITHIN(bank_wr, WTP));
      RD: begin
        assert (!`WITHIN(rd | wr, CCD) && !`WITHIN(wr, WTR));
        if (of_group) assert (!`WITHIN(group_rd | group_wr, CCDL));
        if (own) assert (open[watched] && !`WITHIN(bank_act, RCD));
      end
      WR: begin
        assert (!`WITHIN(rd | wr, CCD) && !`WITHIN(rd, RTW));
        if (of_group) assert (!`WITHIN(group_rd | group_wr, CCDL));
        if (own) assert (open[watched] && !`WITHIN(bank_act, RCDWR));
      end
      REF: assert (open == 0 && !`WITHIN(pre, RP) && !`WITHIN(refresh, RFC));
      default: assert (command == NOP);
    endcase
  end
endmodule
