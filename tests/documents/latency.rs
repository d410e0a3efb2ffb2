//! docs/reference/latency.md says how long everything takes; here the core is asked.
//!
//! After a change of the hardware that is meant to change a number, put the row of the failure's left side on the page.

use crate::timing::code::*;
use crate::timing::{self, Bench, interval};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::THREADS_FILLED;
use warploom_runtime::host::Device;
use warploom_runtime::loader::{GLOBAL_BASE, SHARED_BASE};

/// A row of the table: class, cycles from issue to issue of what depends on it, cycles per warp instruction.
type Row = (&'static str, Option<u64>, Option<f64>);

/// Shared or global addresses, one per lane, in A0; 1 in A1.
fn addresses(code: &mut Code, base: u32, shift: i32) {
    code.push(lane(A0));
    code.push(slli(A0, A0, shift));
    code.constant(A1, base);
    code.push(add(A0, A0, A1));
    code.push(addi(A1, ZERO, 1));
}

/// From the first word to the second, which depends on it; the registers are ready.
fn dependent(bench: &mut Bench, setup: impl Fn(&mut Code), producer: u32, consumer: u32) -> Option<u64> {
    let mut code = Code::default();
    setup(&mut code);
    code.push(fence());
    code.repeat(20, &[addi(ZERO, ZERO, 0)]);
    let from = code.push(producer);
    let to = code.push(consumer);
    let lanes = bench.device.config().lanes;
    bench.run(&code.finish(), lanes, 0);
    Some(bench.relaunch(lanes, 0).between(from, to))
}

/// What computes in the lanes: `compute(rd, rs1)`, with 3 in rs2 (A1).
fn arithmetic(bench: &mut Bench, name: &'static str, compute: impl Fn(u32, u32) -> u32) -> Row {
    let setup = |code: &mut Code| {
        code.constant(A0, 0x1234_5678);
        code.push(addi(A1, ZERO, 3));
    };
    let latency = dependent(bench, setup, compute(A2, A0), add(A3, A2, A2));
    let body: Vec<_> = (16..24).map(|rd| compute(rd, A0)).collect();
    (name, latency, Some(interval(bench, setup, &body)))
}

/// What computes with floats, in FA0 and FA1, to a register that is used as a float or as an integer.
fn float(bench: &mut Bench, name: &'static str, consumer: u32, compute: impl Fn(u32) -> u32) -> Row {
    let setup = |code: &mut Code| {
        for (register, value) in [(A0, 1.5f32), (A1, 3.0)] {
            code.constant(register, value.to_bits());
            code.push(fmv_w_x(register, register));
        }
    };
    let latency = dependent(bench, setup, compute(A2), consumer);
    let body: Vec<_> = (16..24).map(&compute).collect();
    (name, latency, Some(interval(bench, setup, &body)))
}

fn floats(bench: &mut Bench) -> Vec<Row> {
    let (as_float, as_integer) = (fadd(A3, A2, A2), add(A3, A2, A2));
    let mut rows = vec![
        float(bench, "float: sum, difference, product", as_float, |rd| fadd(rd, A0, A1)),
        float(bench, "float: fused multiply-add", as_float, |rd| fmadd(rd, A0, A1)),
        float(bench, "float: quotient", as_float, |rd| fdiv(rd, A0, A1)),
        float(bench, "float: square root", as_float, |rd| fsqrt(rd, A0)),
        float(bench, "float: minimum, maximum, sign", as_float, |rd| fmin(rd, A0, A1)),
        float(bench, "float: comparison, class", as_integer, |rd| flt(rd, A0, A1)),
        float(bench, "float: to an integer", as_integer, |rd| fcvt_w_s(rd, A0)),
        float(bench, "float: from an integer", as_float, |rd| fcvt_s_w(rd, A0)),
        float(bench, "float: bits to an integer register", as_integer, |rd| fmv_x_w(rd, A0)),
        float(bench, "float: bits from an integer register", as_float, |rd| fmv_w_x(rd, A0)),
        float(bench, "float: reading the flags", as_integer, frflags),
    ];
    let warm = |code: &mut Code| {
        addresses(code, GLOBAL_BASE + 0x6000, 2);
        code.push(flw(A2, 0, A0));
    };
    let latency = dependent(bench, warm, flw(A2, 0, A0), as_float);
    let body: Vec<_> = (16..24).map(|rd| flw(rd, 0, A0)).collect();
    rows.push(("float: load, L1 hit, consecutive words", latency, Some(interval(bench, warm, &body))));
    let stores = interval(bench, |code| addresses(code, SHARED_BASE, 2), &[fsw(A1, 0, A0)]);
    rows.push(("float: shared store, no conflict", None, Some(stores)));
    rows
}

/// A load, from lane addresses `step` bytes (a power of two, or 0) apart.
fn load(bench: &mut Bench, name: &'static str, base: u32, step: u32, warm: bool) -> Row {
    let setup = |code: &mut Code| {
        addresses(code, base, if step == 0 { 31 } else { step.ilog2() as i32 });
        if step == 0 {
            code.constant(A0, base);
        }
        if warm {
            code.push(lw(A2, 0, A0));
        }
    };
    let latency = dependent(bench, setup, lw(A2, 0, A0), add(A3, A2, A2));
    let body: Vec<_> = (16..24).map(|rd| lw(rd, 0, A0)).collect();
    (name, latency, warm.then(|| interval(bench, setup, &body)))
}

/// Control: from `word` to the instruction it leads to, `distance` bytes on; all warps doing nothing else.
fn control(bench: &mut Bench, name: &'static str, word: u32, distance: u32) -> Row {
    let mut code = Code::default();
    code.push(lane(A0));
    code.repeat(20, &[addi(ZERO, ZERO, 0)]);
    let from = code.push(word);
    code.repeat(4, &[addi(ZERO, ZERO, 0)]);
    let lanes = bench.device.config().lanes;
    let latency = bench.run(&code.finish(), lanes, 0).between(from, from + distance);
    (name, Some(latency), (distance == 4).then(|| interval(bench, |_| (), &[word])))
}

/// A `jalr` to the next instruction, by the link of a `jal` before it.
fn indirect(bench: &mut Bench) -> Row {
    let mut code = Code::default();
    code.push(jal(A1, 4));
    let from = code.push(jalr(ZERO, 4, A1));
    let lanes = bench.device.config().lanes;
    let latency = bench.run(&code.finish(), lanes, 0).between(from, from + 4);
    ("jalr", Some(latency), Some(interval(bench, |_| (), &[jal(A1, 4), jalr(ZERO, 4, A1)])))
}

/// A branch that only odd lanes take, and where its sides meet.
fn divergent(bench: &mut Bench) -> [Row; 3] {
    let mut code = Code::default();
    code.push(lane(A0));
    code.push(andi(A0, A0, 1));
    code.repeat(20, &[addi(ZERO, ZERO, 0)]);
    let branch = code.push_branch(bne(A0, ZERO, 12), 20);
    let not_taken = code.push(addi(A1, ZERO, 1));
    let jump = code.push(jal(ZERO, 12));
    let taken = code.push(addi(A1, ZERO, 2));
    let last = code.push(addi(A1, ZERO, 3));
    let joined = code.push(addi(A2, ZERO, 4));
    let lanes = bench.device.config().lanes;
    let run = bench.run(&code.finish(), lanes, 0);
    [
        ("branch, divergent: to its first side", Some(run.between(branch, taken)), None),
        ("reconvergence: end of a side to the other side", Some(run.between(last, not_taken)), None),
        ("reconvergence: jump that ends a side to the joined threads", Some(run.between(jump, joined)), None),
    ]
}

fn memory_home_warps(bench: &mut Bench) -> Vec<Row> {
    let line = bench.device.config().line_bytes as u32;
    let mut rows = vec![
        load(bench, "load, L1 hit, all lanes one line", GLOBAL_BASE, 0, true),
        load(bench, "load, L1 hit, consecutive words", GLOBAL_BASE + 0x1000, 4, true),
        load(bench, "load, L1 hit, a line per lane", GLOBAL_BASE + 0x2000, line, true),
        load(bench, "load, L2 hit", GLOBAL_BASE + 0x3000, 0, false),
        load(bench, "shared load, no conflict", SHARED_BASE, 4, true),
        load(bench, "shared load, 2-way conflict", SHARED_BASE, 8, true),
        load(bench, "shared load, 32-way conflict", SHARED_BASE, 128, true),
    ];
    let mut code = Code::default();
    code.constant(A0, GLOBAL_BASE + 0x10_0000);
    let miss = code.push(lw(A2, 0, A0));
    let used = code.push(add(A3, A2, A2));
    rows.push(("load, DRAM", Some(bench.run(&code.finish(), 1, 0).between(miss, used)), None));

    for (name, base, shift) in
        [("store, consecutive words", GLOBAL_BASE + 0x4000, 2), ("shared store, no conflict", SHARED_BASE, 2)]
    {
        let rate = interval(bench, |code| addresses(code, base, shift), &[sw(A1, 0, A0)]);
        rows.push((name, None, Some(rate)));
    }
    for (name, base) in [("atomic, 32 lanes", GLOBAL_BASE + 0x5000), ("shared atomic, 32 lanes", SHARED_BASE)] {
        let setup = |code: &mut Code| addresses(code, base, 2);
        let latency = dependent(bench, setup, amoadd(A2, A1, A0), add(A3, A2, A2));
        rows.push((name, latency, Some(interval(bench, setup, &[amoadd(A2, A1, A0)]))));
    }
    rows
}

fn launch_rows(bench: &mut Bench) -> Vec<Row> {
    let (lanes, warps) = (bench.device.config().lanes, bench.device.config().warps);
    let mut code = Code::default();
    let first = code.push(addi(ZERO, ZERO, 0));
    let last = code.pc();
    let program = code.finish();
    let run = bench.run(&program, lanes * warps, 0);
    let begins: Vec<_> = run.issues.iter().filter(|issue| issue.pc == first).map(|issue| issue.cycle).collect();
    let spread = (begins[warps - 1] - begins[0]) as f64 / (warps - 1) as f64;
    // The first group thread by thread, then a group a cycle; beside that a warp a cycle.
    let fill = |threads: usize| (THREADS_FILLED + threads / THREADS_FILLED).max(warps) as u64;
    let start = begins[0] - run.start - fill(lanes * warps);
    let single = bench.run(&program, lanes, 0);
    assert_eq!(single.issue(first) - single.start, start + fill(lanes), "filling takes as long as it should");
    let end = single.end - single.issue(last);
    // More CTAs than slots: the second one in a slot begins when the first has ended.
    let grid = bench.launch([64, 1, 1], lanes, 0);
    let ends = grid.issue(last);
    let mut begins = grid.issues.iter().filter(|issue| issue.pc == first && issue.warp == 0);
    let next = begins.nth(1).expect("a second CTA").cycle;
    vec![
        ("launch: to the first issue, beyond filling its tables", Some(start), None),
        ("launch: next warp", None, Some(spread)),
        ("exit: to the first issue of the next CTA", Some(next - ends), None),
        ("exit: of the last warp, to idle", Some(end), None),
    ]
}

#[test]
fn the_latency_table_is_what_the_core_does() {
    table_of(&CoreConfig::paper());
}

/// And floats take nothing from the rest.
#[test]
#[ignore = "long: a core of the papers' sizes; runs in .ci/run"]
fn with_floats_the_core_does_the_same() {
    table_of(&CoreConfig { floats: true, ..CoreConfig::paper() });
}

fn table_of(config: &CoreConfig) {
    let mut bench = Bench::new(config, timing::memory());
    let bench = &mut bench;
    let mut rows = vec![
        arithmetic(bench, "ALU", |rd, rs| addi(rd, rs, 5)),
        arithmetic(bench, "shift", |rd, rs| slli(rd, rs, 5)),
        arithmetic(bench, "multiply", |rd, rs| mul(rd, rs, A1)),
        arithmetic(bench, "divide, remainder", |rd, rs| divu(rd, rs, A1)),
        arithmetic(bench, "CSR", |rd, _| lane(rd)),
        arithmetic(bench, "ballot", ballot),
        control(bench, "next instruction of the warp, independent", addi(ZERO, ZERO, 0), 4),
        control(bench, "branch, not taken", bne(ZERO, ZERO, 12), 4),
        control(bench, "branch, taken by all", bne(A0, ZERO, 12), 12),
        control(bench, "jal", jal(A1, 4), 4),
        indirect(bench),
        control(bench, "bar.sync, one warp", barrier(), 4),
        control(bench, "fence, nothing outstanding", fence(), 4),
    ];
    rows.extend(divergent(bench));
    rows.extend(memory_home_warps(bench));
    if config.floats {
        rows.extend(floats(bench));
    }
    rows.extend(launch_rows(bench));

    let number = |text: Option<String>| text.unwrap_or("-".into());
    let found: Vec<_> = rows
        .into_iter()
        .map(|(name, latency, interval)| {
            let interval = interval.map(|cycles| format!("{cycles:.1}"));
            [name.to_string(), number(latency.map(|cycles| cycles.to_string())), number(interval)].join(" | ")
        })
        .collect();
    let page = include_str!("../../docs/reference/latency.md");
    let documented = timing::table(page, "| class |");
    let documented = documented.iter().filter(|row| config.floats || !row[0].starts_with("float: "));
    let documented: Vec<_> = documented.map(|row| row[..3].join(" | ")).collect();
    assert!(found == documented, "the core takes\n{}\nthe page says\n{}", found.join("\n"), documented.join("\n"));
}
