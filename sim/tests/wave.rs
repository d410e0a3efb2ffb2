//! Waveforms, read back by another program's reader.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::TempDir;
use warploom_sim::glob::Globs;
use warploom_sim::netlist::*;
use warploom_sim::wave::{
    Format, Selection, Trigger, UNITS_PER_CYCLE, View, WaveFile, Waveform, Window, write_save_file, write_view,
};
use warploom_sim::{BuildOptions, Simulator};

mod support;

use support::{Builder, segment};

/// A counter that names its phase, and an array of four lanes with a register each.
fn design() -> Netlist {
    let mut lane = Builder::new("Lane");
    let x = lane.input("x", &[], 8);
    let (r, q) = lane.register("sum", &[], 8, 0);
    lane.module.registers[r].d = lane.expr(8, Op::Add(q, x));
    lane.output("parity", &[], q);

    let mut top = Builder::new("WaveTop");
    let step = top.input("step", &[], 8);
    let (phase, q) = top.register("phase", &[], 2, 0);
    let one = top.constant(2, 1);
    top.module.registers[phase].d = top.expr(2, Op::Add(q, one));
    let shown = top.local("phase_now", &[], q);
    let net = top.module.nets.last_mut().expect("just made");
    let names = ["Idle", "Fetch", "Execute"].map(String::from).to_vec();
    net.variants = Some(Rc::new(EnumType { name: "Phase".into(), variants: names }));
    top.output("phase_out", &[], shown);
    for l in 0..4 {
        let outputs = top.instance(segment("lanes", &[l]), ModuleId(0), &lane.module, |b, _| {
            let l = b.constant(8, l as u64);
            b.expr(8, Op::Add(step, l))
        });
        top.output("sums", &[l], outputs[0].1);
    }
    Netlist { modules: vec![lane.module, top.module], top: ModuleId(1) }
}

fn simulator(observe: &str) -> Simulator {
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warploom-cache"));
    Simulator::build(design(), &BuildOptions { observe: vec![observe.into()], cache, ..Default::default() }).unwrap()
}

/// A VCD and an FST file of the first `cycles` cycles, numbered from 0, in which `step` is the cycle's number.
fn dump(simulator: &mut Simulator, signals: &str, window: Window, cycles: u64) -> (TempDir, u64) {
    let directory = tempfile::tempdir().unwrap();
    let files = [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)];
    let files = files.map(|(name, format)| WaveFile::create(&directory.path().join(name), format).unwrap()).into();
    let selection = Selection::new(simulator, &Globs::new(&[signals]));
    let mut waveform = Waveform::begin(files, selection, window).unwrap();
    let step = simulator.port("step").unwrap();
    for cycle in 0..cycles {
        simulator.set(step, cycle % 256);
        simulator.step();
        waveform.sample(simulator, cycle);
    }
    let written = waveform.finish().unwrap();
    (directory, written)
}

/// By name of the net: its changes, as times and values.
type Changes = BTreeMap<String, Vec<(u64, String)>>;

fn read(path: &Path) -> Changes {
    let mut wave = wellen::simple::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vars = wave.hierarchy().iter_vars().map(|var| (var.full_name(wave.hierarchy()), var.signal_ref()));
    let vars: Vec<_> = vars.collect();
    wave.load_signals(&vars.iter().map(|(_, signal)| *signal).collect::<Vec<_>>());
    let times = wave.time_table().to_vec();
    let changes = |signal| {
        let changes = wave.get_signal(signal).expect("just loaded").iter_changes();
        let changes = changes.map(|(time, value)| (times[time as usize], value.to_string()));
        // In FST nothing is known of the time before the window.
        changes.filter(|(_, value)| value.bytes().any(|digit| digit != b'x')).collect()
    };
    vars.into_iter().map(|(name, signal)| (name, changes(signal))).collect()
}

/// The value in the middle of `cycle`.
fn value<'a>(changes: &'a Changes, path: &str, cycle: u64) -> &'a str {
    let changes = changes.get(path).unwrap_or_else(|| panic!("no `{path}` among {:?}", changes.keys()));
    let time = cycle * UNITS_PER_CYCLE + UNITS_PER_CYCLE / 2;
    &changes.iter().rfind(|(at, _)| *at <= time).expect("a value from the start").1
}

/// The cycles that are in the file, by its clock.
fn cycles(changes: &Changes) -> Vec<u64> {
    let rises = changes["wave_top.clock"].iter().filter(|(_, value)| value == "1");
    rises.map(|(time, _)| time / UNITS_PER_CYCLE).collect()
}

fn assert_same(one: &Changes, other: &Changes) {
    assert!(one.keys().eq(other.keys()), "{:?} and {:?}", one.keys(), other.keys());
    for (path, changes) in one {
        let differ = changes.iter().zip(&other[path]).find(|(one, other)| one != other);
        assert_eq!((differ, changes.len()), (None, other[path].len()), "{path}");
    }
}

#[test]
fn a_dump_reads_back_as_it_was() {
    let (directory, written) = dump(&mut simulator("*"), "*", Window::default(), 6);
    assert_eq!(written, 6);
    let vcd = read(&directory.path().join("a.vcd"));
    for (cycle, name) in ["Idle", "Fetch", "Execute", "3?", "Idle"].into_iter().enumerate() {
        assert_eq!(value(&vcd, "wave_top.phase_now", cycle as u64), name);
    }
    // The registers add step + l in every cycle: 0, l, 2l + 1, 3l + 3...
    for l in 0..4 {
        let sum = value(&vcd, &format!("wave_top.lanes[{l}].sum"), 3);
        assert_eq!(u64::from_str_radix(sum, 2), Ok(3 * l + 3));
        // The reader makes a scope of an array.
        assert_eq!(value(&vcd, &format!("wave_top.sums.[{l}]"), 3), sum);
    }
    assert_eq!(value(&vcd, "wave_top.clock", 2), "0");
    assert_eq!(cycles(&vcd), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn both_formats_say_the_same() {
    let window = Window { from: 3, ..Window::default() };
    let (directory, _) = dump(&mut simulator("*"), "*", window, 100);
    let (mut vcd, fst) = (read(&directory.path().join("a.vcd")), read(&directory.path().join("a.fst")));
    // Names are numbers in FST.
    for (_, value) in vcd.get_mut("wave_top.phase_now").unwrap() {
        let number = ["Idle", "Fetch", "Execute", "3?"].iter().position(|name| name == value).unwrap();
        *value = format!("{number:02b}");
    }
    assert_eq!(vcd["wave_top.lanes[1].sum"].len(), 97);
    assert_same(&vcd, &fst);
}

#[test]
fn an_abandoned_dump_is_valid_and_only_changes_are_written() {
    let mut simulator = simulator("wave_top.lanes[2].*");
    assert_eq!(simulator.observed().len(), 3, "x, sum, parity");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.vcd");
    let file = WaveFile::create(&path, Format::Vcd).unwrap();
    let selection = Selection::new(&simulator, &Globs::new(&["*"]));
    let mut waveform = Waveform::begin(vec![file], selection, Window::default()).unwrap();
    for cycle in 0..3 {
        simulator.step();
        waveform.sample(&simulator, cycle);
    }
    drop(waveform);
    let text = std::fs::read_to_string(&path).unwrap();
    // `parity` shares its register's code: one value, two names.
    assert_eq!(text.matches("$var wire 8").count(), 3);
    assert_eq!(text.matches("\nb").count(), 1 + 3, "x once, sum in each cycle:\n{text}");
    assert_eq!(cycles(&read(&path)), [0, 1, 2]);
}

#[test]
fn a_window_is_a_part_of_the_whole() {
    let (whole, _) = dump(&mut simulator("*"), "*", Window::default(), 40);
    let whole = read(&whole.path().join("a.vcd"));
    let (part, written) = dump(&mut simulator("*"), "*", Window { from: 10, to: Some(19), trigger: None }, 40);
    let part = read(&part.path().join("a.vcd"));
    assert_eq!(written, 10);
    assert_eq!(cycles(&part), (10..20).collect::<Vec<_>>());
    for path in whole.keys() {
        for cycle in 10..20 {
            assert_eq!(value(&part, path, cycle), value(&whole, path, cycle), "{path} in cycle {cycle}");
        }
    }
}

#[test]
fn a_trigger_starts_the_window() {
    // The sum of lane 1 is c * (c - 1) / 2 + c: 15 in cycle 5. Its net is not in the file.
    let mut simulator = simulator("*");
    let sum = simulator.observed().iter().position(|net| net.path == "wave_top.lanes[1].sum").unwrap();
    let trigger = Some(Trigger { bits: simulator.observed_bits(sum), value: 15 });
    let (directory, _) = dump(&mut simulator, "*.phase_now", Window { from: 2, to: Some(7), trigger }, 12);
    for name in ["a.vcd", "a.fst"] {
        let changes = read(&directory.path().join(name));
        assert_eq!(cycles(&changes), [5, 6, 7], "{name}");
        assert!(!changes.contains_key("wave_top.lanes[1].sum"), "{name}");
    }
}

#[test]
fn a_window_that_never_opens_leaves_valid_files() {
    let (directory, written) = dump(&mut simulator("*"), "*", Window { from: 50, ..Window::default() }, 40);
    assert_eq!(written, 0);
    for name in ["a.vcd", "a.fst"] {
        let changes = read(&directory.path().join(name));
        assert!(changes.contains_key("wave_top.phase_now"), "{name}");
    }
}

#[test]
fn many_batches_arrive_in_order() {
    // More than all batches together hold.
    let cycles = 60_000;
    let (directory, _) = dump(&mut simulator("*"), "*.sum", Window::default(), cycles);
    let (vcd, fst) = (read(&directory.path().join("a.vcd")), read(&directory.path().join("a.fst")));
    assert_same(&vcd, &fst);
    let expected = (0..cycles).fold(0u8, |sum, cycle| sum.wrapping_add(cycle as u8).wrapping_add(2));
    let last = vcd["wave_top.lanes[2].sum"].last().unwrap();
    assert_eq!(u8::from_str_radix(&last.1, 2), Ok(expected.wrapping_sub((cycles - 1) as u8).wrapping_sub(2)));
}

#[test]
fn every_error_names_its_file() {
    let directory = tempfile::tempdir().unwrap();
    let gone = directory.path().join("gone.vcd");
    let mut simulator = simulator("*");
    let selection = Selection::new(&simulator, &Globs::new(&["*"]));
    let files = vec![WaveFile::create(&gone, Format::Vcd).unwrap()];
    let mut waveform = Waveform::begin(files, selection, Window::default()).unwrap();
    std::fs::remove_file(&gone).unwrap();
    for cycle in 0..10 {
        simulator.step();
        waveform.sample(&simulator, cycle);
    }
    let errors = waveform.finish().unwrap_err();
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert!(error.to_string().contains("gone.vcd is incomplete: No such file"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    // There is no space for whatever is written to this device.
    let simulator = simulator("*");
    let selection = Selection::new(&simulator, &Globs::new(&["*"]));
    let file = WaveFile::create(Path::new("/dev/full"), Format::Vcd).unwrap();
    let mut waveform = Waveform::begin(vec![file], selection, Window::default()).expect("it goes on without");
    waveform.sample(&simulator, 0);
    let errors = waveform.finish().unwrap_err();
    let [error] = errors.as_slice() else { panic!("{errors:?}") };
    assert_eq!(error.to_string(), "the waveform /dev/full is incomplete: No space left on device (os error 28)");
}

#[test]
fn the_save_file_groups_by_scope() {
    let simulator = simulator("wave_top.*s[1]*");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("top.gtkw");
    write_save_file(&path, &directory.path().join("top.vcd"), simulator.observed()).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let (_, traces) = text.split_once("[treeopen] wave_top.\n").unwrap();
    assert_eq!(
        traces,
        "@28\nwave_top.clock\n\
         @800200\n-wave_top\n@22\nwave_top.sums[1][7:0]\n@1000200\n-wave_top\n\
         @800200\n-wave_top.lanes[1]\n@22\nwave_top.lanes[1].x[7:0]\n@22\nwave_top.lanes[1].sum[7:0]\n\
         @22\nwave_top.lanes[1].parity[7:0]\n@1000200\n-wave_top.lanes[1]\n"
    );
}

#[test]
fn the_save_file_opens_on_a_cycle_with_its_signals_first() {
    let simulator = simulator("wave_top.*s[1]*");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("top.gtkw");
    let names = ["wave_top.lanes[1].parity", "wave_top.nothing"].map(str::to_string).to_vec();
    let view = View { cycle: Some(100), first: Some(("what matters".to_string(), names)) };
    write_view(&path, &directory.path().join("top.vcd"), simulator.observed(), &view).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    for part in [
        format!("[timestart] {}\n", 90 * UNITS_PER_CYCLE),
        format!("\n*-7.0 {} -1 ", 100 * UNITS_PER_CYCLE),
        "@28\nwave_top.clock\n@800200\n-what matters\n@22\nwave_top.lanes[1].parity[7:0]\n@1000200\n".to_string(),
    ] {
        assert!(text.contains(&part), "{part} in {text}");
    }
}
