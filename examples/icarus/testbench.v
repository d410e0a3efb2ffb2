// A testbench of the exported core in plain Verilog: gives it a program and what is launched, is its memory, and looks at the result.
//
//   vvp testbench.vvp +image=DIR [+vcd=FILE]     an image as `warploom run KERNEL --image DIR` writes it
//
// The ports and the files are described in docs/user/own-testbench.md. Sizes are those of the preset `tiny`.
`timescale 1ns / 1ns

module testbench;
  parameter WORDS = 1 << 14;          // of global memory, from 0x80000000
  parameter PRIVATE_WORDS = 1 << 12;  // of the threads' private memory, from 0x40000000: 4 x 4 threads, 1 KB each
  parameter INSTRUCTIONS = 1 << 12;
  parameter LATENCY = 4;              // cycles until memory answers
  parameter MOST_CYCLES = 1000000;

  localparam READ = 0, WRITE = 1, ATOMIC = 2;  // request_kind

  reg clock = 0;
  always #5 clock = !clock;

  // ---------------------------------------------------------------- the core

  reg         reset = 0, load_enable = 0, launch_start = 0;
  reg  [11:0] load_address = 0;
  reg  [31:0] row [0:8];      // load_word and those behind it
  reg  [31:0] launch [0:14];  // kernel_entry_pc and those behind it
  wire        busy, issue_valid, trap_valid;
  wire [3:0]  trap_cause;
  wire [31:0] trap_pc;

  wire         request_valid, response_ready;
  wire [1:0]   request_kind, request_id;
  wire [31:0]  request_line;
  wire [127:0] request_data;
  wire [15:0]  request_mask;
  wire [3:0]   request_atomic;
  reg          request_ready = 1, response_valid = 0;
  reg  [1:0]   response_id = 0;
  reg  [127:0] response_data = 0;

  Core core (
    .clock(clock), .reset(reset),
    .load_enable(load_enable), .load_address(load_address), .load_word(row[0]), .load_rpc(row[1]), .load_rpc_valid(row[2][0]),
    .load_lpc(row[3]), .load_uniform(row[4][0]), .load_subdividable(row[5][0]), .load_spin(row[6][0]), .load_join(row[7][0]),
    .load_data_dependent(row[8][0]),
    .launch_start(launch_start), .kernel_entry_pc(launch[0]),
    .kernel_grid_x(launch[1]), .kernel_grid_y(launch[2]), .kernel_grid_z(launch[3]),
    .kernel_block_x(launch[4][15:0]), .kernel_block_y(launch[5][15:0]), .kernel_block_z(launch[6][15:0]),
    .kernel_threads_per_cta(launch[7][15:0]), .kernel_warps_per_cta(launch[8][2:0]), .kernel_resident_ctas(launch[9][2:0]),
    .kernel_arguments(launch[10]), .kernel_shared_bytes(launch[11]), .kernel_global_limit(launch[12]),
    .kernel_compact(launch[13][0]), .kernel_permute(launch[14][0]), .busy(busy),
    .request_valid(request_valid), .request_ready(request_ready), .request_kind(request_kind), .request_line(request_line),
    .request_id(request_id), .request_atomic(request_atomic),
    .request_data_0(request_data[31:0]), .request_data_1(request_data[63:32]),
    .request_data_2(request_data[95:64]), .request_data_3(request_data[127:96]),
    .request_mask_0(request_mask[3:0]), .request_mask_1(request_mask[7:4]),
    .request_mask_2(request_mask[11:8]), .request_mask_3(request_mask[15:12]),
    .response_valid(response_valid), .response_ready(response_ready), .response_id(response_id),
    .response_data_0(response_data[31:0]), .response_data_1(response_data[63:32]),
    .response_data_2(response_data[95:64]), .response_data_3(response_data[127:96]),
    .issue_valid(issue_valid), .trap_valid(trap_valid), .trap_cause(trap_cause), .trap_pc(trap_pc)
  );

  // ---------------------------------------------------------------- its memory: one read or atomic at a time

  reg [31:0] memory [0:WORDS+PRIVATE_WORDS-1];  // private memory behind the global one
  reg [31:0] expected [0:WORDS-1];
  reg        pending = 0;
  integer    waiting, word, byte_of_word, first;
  reg [31:0] value;

  function [31:0] atomic(input [3:0] operation, input [31:0] old, input [31:0] operand);
    case (operation)
      4: atomic = operand;
      5: atomic = old + operand;
      6: atomic = old ^ operand;
      7: atomic = old & operand;
      8: atomic = old | operand;
      9: atomic = $signed(old) < $signed(operand) ? old : operand;
      10: atomic = $signed(old) > $signed(operand) ? old : operand;
      11: atomic = old < operand ? old : operand;
      12: atomic = old > operand ? old : operand;
      default: atomic = old;  // lr.w, sc.w: the core keeps the reservation
    endcase
  endfunction

  always @(posedge clock) begin
    if (response_valid && response_ready) begin
      response_valid <= 0;
      request_ready <= 1;
    end
    if (pending) begin
      waiting <= waiting - 1;
      if (waiting == 0) begin
        pending <= 0;
        response_valid <= 1;
      end
    end
    if (request_valid && request_ready) begin
      first = request_line[31] ? (request_line - 32'h80000000) >> 2 : WORDS + ((request_line - 32'h40000000) >> 2);
      if (request_line[31] ? first + 4 > WORDS : first + 4 > WORDS + PRIVATE_WORDS)
        $fatal(1, "FAIL: a request for %h, where this testbench has no memory", request_line);
      response_data <= {memory[first+3], memory[first+2], memory[first+1], memory[first]};
      for (word = 0; word < 4; word = word + 1) begin
        value = request_data[32*word+:32];
        if (request_kind == ATOMIC) value = atomic(request_atomic, memory[first+word], value);
        for (byte_of_word = 0; byte_of_word < 4; byte_of_word = byte_of_word + 1)
          if (request_kind != READ && request_mask[4*word+byte_of_word])
            memory[first+word][8*byte_of_word+:8] = value[8*byte_of_word+:8];
      end
      if (request_kind != WRITE) begin
        response_id <= request_id;
        request_ready <= 0;
        pending <= 1;
        waiting <= LATENCY;
      end
    end
  end

  // ---------------------------------------------------------------- its host

  reg [8*256-1:0] image, name;
  reg [31:0] instruction [0:9*INSTRUCTIONS-1];
  integer cycles = 0, instructions = 0, loaded, number, index, file;

  always @(posedge clock) begin
    cycles <= cycles + 1;
    if (issue_valid) instructions <= instructions + 1;
    if (trap_valid) $fatal(1, "FAIL: trap %0d at PC %h", trap_cause, trap_pc);
    if (cycles > MOST_CYCLES) $fatal(1, "FAIL: no end after %0d cycles", MOST_CYCLES);
  end

  task load;
    begin
      reset <= 1;
      @(posedge clock);
      reset <= 0;
      $sformat(name, "%0s/program.hex", image);
      $readmemh(name, instruction);
      load_enable <= 1;
      for (index = 0; instruction[9*index] !== 32'bx; index = index + 1) begin
        load_address <= index;
        for (number = 0; number < 9; number = number + 1) row[number] <= instruction[9*index+number];
        @(posedge clock);
      end
      load_enable <= 0;
      @(posedge clock);
    end
  endtask

  task run;
    begin
      for (index = 0; index < WORDS; index = index + 1) begin
        memory[index] = 0;
        expected[index] = 0;
      end
      $sformat(name, "%0s/memory%0d.hex", image, number);
      $readmemh(name, memory);
      $sformat(name, "%0s/launch%0d.hex", image, number);
      $readmemh(name, launch);
      launch_start <= 1;
      @(posedge clock);
      launch_start <= 0;
      @(posedge clock);
      @(posedge clock);
      while (busy) @(posedge clock);
      $sformat(name, "%0s/expected%0d.hex", image, number);
      $readmemh(name, expected);
      for (index = 0; index < WORDS; index = index + 1)
        if (memory[index] !== expected[index])
          $fatal(1, "FAIL: launch %0d: %h at %h, expected %h", number, memory[index], 32'h80000000 + 4 * index, expected[index]);
    end
  endtask

  initial begin
    if (!$value$plusargs("image=%s", image)) $fatal(1, "usage: vvp testbench.vvp +image=DIR [+vcd=FILE]");
    if ($value$plusargs("vcd=%s", name)) begin
      $dumpfile(name);
      $dumpvars;
    end
    for (index = 0; index < WORDS + PRIVATE_WORDS; index = index + 1) memory[index] = 0;
    load;
    loaded = cycles;
    number = 1;
    file = 1;
    while (file != 0) begin
      run;
      number = number + 1;
      $sformat(name, "%0s/launch%0d.hex", image, number);
      file = $fopen(name, "r");
      if (file != 0) $fclose(file);
    end
    $display("PASS: %0s, launches %0d, cycles %0d, instructions of warps %0d", image, number - 1, cycles - loaded, instructions);
    $finish;
  end
endmodule
