//! Waveforms, read back by another program's reader.
use std::path::PathBuf;
use std::rc::Rc;

use warploom_sim::netlist::*;
use warploom_sim::wave::{UNITS_PER_CYCLE, VcdWriter, write_save_file};
use warploom_sim::{BuildOptions, Simulator};
use wellen::simple::Waveform;

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
    Simulator::build(&design(), &BuildOptions { observe: vec![observe.into()], cache, ..Default::default() }).unwrap()
}

/// The value of `path` in the middle of `cycle`.
fn value(wave: &mut Waveform, path: &str, cycle: u64) -> String {
    let vars = wave.hierarchy().iter_vars();
    let mut vars = vars.filter(|var| var.full_name(wave.hierarchy()) == path).map(|var| var.signal_ref());
    let id = vars.next().unwrap_or_else(|| panic!("no `{path}` in the file"));
    wave.load_signals(&[id]);
    let time = cycle * UNITS_PER_CYCLE + UNITS_PER_CYCLE / 2;
    let at = wave.time_table().iter().rposition(|&t| t <= time).expect("time 0 is there") as u32;
    let signal = wave.get_signal(id).expect("just loaded");
    signal.get_value_at(&signal.get_offset(at).expect("a value at time 0"), 0).to_string()
}

#[test]
fn a_dump_reads_back_as_it_was() {
    let mut simulator = simulator("*");
    let path = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut writer = VcdWriter::create(&path, &simulator).unwrap();
    let step = simulator.port("step").unwrap();
    for cycle in 0..6 {
        simulator.set(step, cycle);
        simulator.step();
        writer.sample(&simulator).unwrap();
    }
    writer.finish().unwrap();
    let mut wave = wellen::simple::read(&path).unwrap();
    assert_eq!(wave.time_table().last(), Some(&(6 * UNITS_PER_CYCLE)));
    for (cycle, name) in ["Idle", "Fetch", "Execute", "3?", "Idle"].into_iter().enumerate() {
        assert_eq!(value(&mut wave, "wave_top.phase_now", cycle as u64), name);
    }
    // The registers add step + l in every cycle: 0, l, 2l + 1, 3l + 3...
    for l in 0..4 {
        let sum = value(&mut wave, &format!("wave_top.lanes[{l}].sum"), 3);
        assert_eq!(u64::from_str_radix(&sum, 2), Ok(3 * l + 3));
        // The reader makes a scope of an array.
        assert_eq!(value(&mut wave, &format!("wave_top.sums.[{l}]"), 3), sum);
    }
    assert_eq!(value(&mut wave, "wave_top.clock", 2), "0");
}

#[test]
fn an_abandoned_dump_is_valid_and_only_changes_are_written() {
    let mut simulator = simulator("wave_top.lanes[2].*");
    assert_eq!(simulator.observed().len(), 3, "x, sum, parity");
    let mut file = vec![];
    {
        let mut writer = VcdWriter::new(&mut file, &simulator).unwrap();
        for _ in 0..3 {
            simulator.step();
            writer.sample(&simulator).unwrap();
        }
    }
    let text = String::from_utf8(file).unwrap();
    // `parity` shares its register's code: one value, two names.
    assert_eq!(text.matches("$var wire 8").count(), 3);
    assert_eq!(text.matches("\nb").count(), 1 + 3, "x once, sum in each cycle:\n{text}");
    wellen::simple::read_from_reader(std::io::Cursor::new(text.into_bytes())).unwrap();
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
