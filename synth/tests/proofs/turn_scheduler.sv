// The turns of the threads of a stack: a thread that can run and does not is given its turn before its warp has decoded
// LANES (QUANTUM + BLOCK) instructions. Proved by induction, for any thread of warp 0, whatever the engine does for other warps.
//
// It waits from any cycle on, until it is chosen, runs to a control instruction, or cannot run at the end of a turn. It can run there if the
// walk finds the highest entry that has it, and nothing but the running threads or those at bar.sync keeps it from running (decision 31). Three bounds make
// the whole: a turn of n instructions, b of them since its path last went on at a branch, has n <= QUANTUM - 1 + b; of the turns of others
// there are no more than lanes between the last one and this thread; and so all have at most (turns) (QUANTUM - 1 + BLOCK) + n instructions.
//
// The stack and the engine around it: they finish a walk before they do anything else, stay at an entry for the cycle in which threads leave
// it, and do not serve a warp in DECODE; a warp whose turn is over is not fetched; entries wait at bar.sync only once threads have come there.
// And no more than BLOCK instructions are decoded between two branches at which a path of the warp goes on.
module miter #(
  parameter LANES = 4, LANE = 2, WARPS = 4, WARP = 2, QUANTUM = 4, BLOCK = 4, ENTRIES = 4
) (
  input wire clock,
  input wire decoded_valid, input wire [WARP-1:0] decoded_warp, input wire [WARP-1:0] warp, input wire launches,
  input wire [LANES-1:0] live, input wire [LANES-1:0] running, input wire [$clog2(ENTRIES)-1:0] active, input wire [ENTRIES-1:0] barrier_waits,
  input wire [LANES-1:0] event_taken, input wire [LANES-1:0] event_mask, input wire spin, input wire splits,
  input wire serves, input wire arrives, input wire goes_on, input wire ends_turn, input wire any,
  input wire [ENTRIES-1:0] slot, input wire [LANES-1:0] above, input wire [LANES-1:0] found, input wire ready,
  input wire full, input wire searched,
  // Which thread it is, and when it begins to wait.
  input wire [LANE-1:0] any_lane, input wire begins
);
  // Everything is reset in the first cycle.
  reg started = 0;
  reg [LANE-1:0] lane;
  always @(posedge clock) begin
    started <= 1;
    if (!started) lane <= any_lane;
  end

  wire ends, breaking, parts, leaves, overflows, rotates, refuses, retries;
  TurnScheduler unit(
    .clock(clock), .reset(!started), .decoded_valid(decoded_valid), .decoded_warp(decoded_warp), .warp(warp), .launches(launches),
    .live(live), .running(running), .active(active), .barrier_waits(barrier_waits), .event_taken(event_taken),
    .event_mask(event_mask), .spin(spin), .splits(splits), .serves(serves), .arrives(arrives), .goes_on(goes_on),
    .ends_turn(ends_turn), .any(any), .slot(slot), .above(above), .found(found), .ready(ready), .full(full), .searched(searched),
    .turn_ends(ends), .turn_breaking(breaking), .turn_parts(parts), .turn_leaves(leaves), .turn_overflows(overflows),
    .turn_rotates(rotates), .turn_refuses(refuses), .turn_retries(retries)
  );

  // The block's state, which an invariant must speak of: of warp 0, and of the walk.
  (* hierconn *) wire [LANES-1:0] \unit.left , \unit.schedulable , \unit.candidates , \unit.at_barrier , \unit.stopped ;
  (* hierconn *) wire [WARPS-1:0] \unit.ending , \unit.preferring ;
  (* hierconn *) wire \unit.stuck ;
  (* hierconn *) wire [LANE-1:0] \unit.chosen_index ;
  wire [LANE-1:0] turn_of;
  wire [LANES-1:0] barred;
  wire [$clog2(QUANTUM):0] instructions;

  wire ours = warp == 0;
  wire decodes = decoded_valid && decoded_warp == 0;
  wire acts = serves || arrives || goes_on;

  // The engine: a walk under way, and whose.
  reg walking, stays;
  reg [WARP-1:0] walked;
  always @(posedge clock) begin
    walking <= started && (ends_turn && any || retries && !\unit.preferring [warp]);
    stays <= started && parts;
    walked <= warp;
  end
  // Running threads do not change in a walk.
  reg runs;
  wire runs_now = running[lane] && live[lane];
  always @(posedge clock) runs <= runs_now;

  // Entries of warp 0 may wait at bar.sync.
  reg may_wait;
  always @(posedge clock)
    may_wait <= started && (ours && arrives || may_wait && !(ours && barrier_waits == 0));

  // The walk has found that the thread can run.
  wire finds = ours && ends_turn && any && \unit.left == 0 && found[lane] && !above[lane] && !\unit.stopped [lane]
    && !\unit.at_barrier [lane] && (slot & barrier_waits) == 0
    && ((found & (above | \unit.stopped )) == 0 || (found & (above | \unit.stopped ) & (\unit.stopped | \unit.at_barrier )) != 0);
  reg able;
  always @(posedge clock) able <= started && (finds || able) && ours && ends_turn && any;

  // How long it waits: turns of others that have begun, instructions of the last of them, and of all.
  reg waits, restarted;
  reg [LANE:0] turns;
  reg [$clog2(QUANTUM+BLOCK):0] count, block;
  reg [$clog2(LANES*(QUANTUM+BLOCK)):0] total;
  wire chosen = \unit.candidates [lane] && \unit.chosen_index == lane;
  wire over = ours && (launches || acts && event_mask[lane] || rotates && (!able || chosen));
  always @(posedge clock) begin
    waits <= started && (waits || begins) && !over;
    restarted <= started && (ours && ends || restarted && !(ours && rotates) && !(ours && launches));
    block <= !started || ours && goes_on ? 0 : block + decodes;
    if (!waits) begin
      turns <= 0; count <= 0; total <= 0;
    end else begin
      turns <= turns + (ours && rotates);
      count <= ours && rotates ? 0 : count + decodes;
      total <= total + decodes;
    end
  end
  // Turns until it would have its own: 1 to LANES.
  wire [LANE:0] distance = turn_of == lane ? LANES : (lane - turn_of) & (LANES - 1);

  always @* if (started) begin
    // The engine.
    assume (launches + acts + ends_turn + searched <= 1);
    assume (!goes_on || serves);
    assume (!arrives || !serves);
    assume (!ends_turn || breaking);
    assume (!(searched || launches || acts) || !breaking);
    assume (!walking || ends_turn && warp == walked);
    assume (!stays || any);
    assume (!overflows);
    assume (!walking || runs == runs_now);
    assume (!ours || !decodes || !(launches || acts || ends_turn || searched));
    assume (!decodes || !\unit.ending [0] && block < BLOCK);
    assume (!ours || may_wait || barrier_waits == 0);
    // A thread that waits lives, and is not at bar.sync when it begins; nor is one that runs.
    assume (!begins || !may_wait || !barred[lane]);
    assume (!(waits && ours) || live[lane]);
    assume (!(ours && \unit.stopped [lane]) || !\unit.at_barrier [lane]);

    // A walk begins with nothing, and keeps what it has found.
    assert (walking || (\unit.left == 0 && \unit.schedulable == 0 && !\unit.stuck ));
    assert (!stays || walking);
    assert (stays == (\unit.left != 0));
    assert (!able || walking && walked == 0 && (!runs || \unit.stuck ));
    assert (!able || \unit.schedulable [lane] || \unit.left [lane]);
    assert (!(able || waits) || !may_wait || !barred[lane]);
    assert (!restarted || \unit.ending [0]);
    assert (!(\unit.stuck && walked == 0) || !restarted);
    // A turn.
    assert (instructions <= QUANTUM && block <= BLOCK);
    if (waits) begin
      if (restarted) assert (count <= QUANTUM - 1 + BLOCK);
      else assert (instructions >= (count < QUANTUM ? count : QUANTUM) && count <= QUANTUM - 1 + block);
      // Turns.
      assert (turns + distance <= LANES);
      assert (total <= turns * (QUANTUM - 1 + BLOCK) + count);
      // Altogether.
      assert (total < LANES * (QUANTUM + BLOCK));
    end
    // Who can run may be next.
    if (ours && rotates && able) assert (\unit.candidates [lane]);
    // A search for the entry of the thread whose turn it is takes no other.
    if (ours && \unit.preferring [0] && turn_of == lane && ready) assert (refuses == !found[lane]);
  end
endmodule
