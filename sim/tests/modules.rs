//! The modules of `hdl/src` elaborate without a finding, and mean what their `update()` means.
use warploom_hdl::config::{CoreConfig, Mechanism};
use warploom_hdl::divergence::*;
use warploom_hdl::execute::float::*;
use warploom_hdl::execute::*;
use warploom_hdl::frontend::Frontend;
use warploom_hdl::issue::IssueStage;
use warploom_hdl::parts::*;
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

mod support;

#[track_caller]
fn elaborates(mut module: impl Block) {
    module.connect_all();
    elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn parts() {
    for n in [1, 2, 5, 32] {
        elaborates(RoundRobinArbiter::new(n));
        elaborates(OldestFirstArbiter::new(n));
        elaborates(OneHotMux::new(8, n));
        elaborates(Fifo::new(8, n.max(2)));
    }
}

#[test]
fn stages_of_every_preset() {
    for config in [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi()] {
        for config in [config.clone(), CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..config }] {
            elaborates(Frontend::new(&config));
            elaborates(IssueStage::new(&config));
            elaborates(Execute::new(&config));
        }
    }
}

#[test]
fn execute() {
    elaborates(Decode::new(&CoreConfig::tiny()));
    elaborates(Lane::new(&CoreConfig::tiny()));
    for (warps, lanes) in [(4, 4), (8, 8), (32, 32), (48, 32)] {
        elaborates(BranchUnit::new(&CoreConfig { warps, lanes, ..CoreConfig::tiny() }));
        for mechanism in [Mechanism::SinglePath, Mechanism::Tbc] {
            let config = CoreConfig { warps, lanes, mechanism, ..CoreConfig::tiny() };
            elaborates(CsrUnit::new(&config));
            elaborates(RegisterFile::new(&config));
            elaborates(MultiplyControl::new(&config));
            elaborates(DivideControl::new(&config, 8));
        }
    }
}

#[test]
fn float_units() {
    for (exponent, fraction) in [(8, 23), (5, 10), (8, 7), (4, 3), (3, 2)] {
        let format = FloatFormat { exponent, fraction };
        elaborates(FloatMultiplyAdd::new(format));
        elaborates(FloatDivide::new(format, 1));
        elaborates(FloatDivideControl::new(&CoreConfig::tiny(), format, 1));
    }
    elaborates(FloatDivide::new(FloatFormat::SINGLE, 2));
    elaborates(FloatCompare::default());
    let floats = CoreConfig { floats: true, ..CoreConfig::tiny() };
    for config in [floats.clone(), CoreConfig { mechanism: Mechanism::Tbc, ..floats }] {
        elaborates(Decode::new(&config));
        elaborates(RegisterFile::new(&config));
        elaborates(FloatStatus::new(&config));
        elaborates(FloatPipelineControl::new(&config));
    }
}

#[test]
fn divergence() {
    for config in [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi()] {
        elaborates(SpeStack::new(config.lanes, config.warps, config.stack_depth, config.taken_first, false, None));
    }
    elaborates(SpeStack::new(32, 48, 64, false, true, None));
}

#[test]
fn divergence_means_the_same() {
    for entries in [1, 4, 11, 33, 64] {
        equivalent!(HighestEntry::new(entries), 300 cycles, [candidates], [any, index, one_hot, below]);
    }
    for taken_first in [false, true] {
        equivalent!(
            SpeStack::new(4, 3, 6, taken_first, !taken_first, None),
            5000 clocked cycles,
            [
                reset,
                launch.valid,
                launch.warp,
                launch.pc,
                launch.mask,
                fetch_warp,
                decoded.valid,
                decoded.warp,
                decoded.control,
                resolve.valid,
                resolve.warp,
                resolve.kind,
                resolve.taken,
                resolve.mask,
                resolve.target,
                resolve.next_pc,
                resolve.annotation.rpc,
                resolve.annotation.rpc_valid,
                resolve.annotation.lpc,
                barrier_release
            ],
            [
                launch_ready,
                fetchable,
                fetch_pc,
                fetch_mask,
                finished.valid,
                finished.warp,
                arrive.valid,
                arrive.warp,
                arrive.count,
                exit.valid,
                exit.warp,
                exit.count,
                waiting,
                overflow.valid,
                overflow.warp,
                overflow.pc,
                depth
            ]
        );
    }
}

#[test]
fn parts_mean_the_same() {
    equivalent!(
        Fifo::new(8, 4),
        2000 clocked cycles,
        [reset, push_valid, push_data, pop_ready],
        [push_ready, pop_valid, pop_data]
    );
    equivalent!(OneHotMux::new(8, 5), 500 cycles, [inputs, select], [selected]);
    equivalent!(
        OldestFirstArbiter::new(5),
        2000 clocked cycles,
        [reset, request, renew_valid, renew_index],
        [grant, any]
    );
}

#[test]
fn execution_means_the_same() {
    equivalent!(
        Decode::new(&CoreConfig::tiny()),
        3000 cycles,
        [word],
        [
            controls.rd,
            controls.writes_rd,
            controls.immediate,
            controls.operand_a,
            controls.operand_b,
            controls.alu_op,
            controls.result_source,
            controls.condition,
            controls.control_kind,
            controls.indirect,
            csr_index,
            controls.memory_op,
            controls.memory_size,
            controls.memory_unsigned,
            controls.trap
        ]
    );
    equivalent!(
        RegisterFile::new(&CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() }),
        1000 clocked cycles,
        [read_enable, read_home_warps, rs1, rs2, write.valid, write.destination.home_warps, write.destination.rd, write.destination.mask, write.data],
        [rs1_data, rs2_data]
    );
    equivalent!(Multiply::default(), 1000 clocked cycles, [a, b, kind.a_signed, kind.b_signed, kind.high], [result]);
    equivalent!(Divide::new(4), 3000 clocked cycles, [drive.load, is_signed, a, b, drive.step, drive.remainder], [result]);
    equivalent!(
        DivideControl::new(&CoreConfig::tiny(), 8),
        2000 clocked cycles,
        [reset, start, start_remainder, destination.warp, destination.home_warps, destination.rd, destination.mask, accept],
        [drive.load, drive.step, drive.remainder, done, result.warp, result.home_warps, result.rd, result.mask]
    );
}
