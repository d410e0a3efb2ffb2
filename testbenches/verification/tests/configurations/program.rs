//! What runs on a core to see that it works: 16 words, as many as the smallest instruction memory has; and kernels where there is room.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{DeviceError, Limits, MemoryTiming, RtlDevice, Session};
use warploom_runtime::kernels::{self, Problem};
use warploom_runtime::loader::Program;
use warploom_sim::BuildOptions;
use warploom_verification::core_simulator;

/// Every thread stores the sum of the numbers up to its own, in a loop that each leaves at another time.
const SUMS: [u32; 16] = [
    0xccf0_2573, // csrr a0, arguments
    0x0005_2583, // lw   a1, 0(a0)
    0xcc00_2673, // csrr a2, tid.x
    0xcc30_26f3, // csrr a3, ctaid.x
    0xcc60_2773, // csrr a4, ntid.x
    0x02e6_86b3, // mul  a3, a3, a4
    0x00c6_86b3, // add  a3, a3, a2
    0x0026_9713, // slli a4, a3, 2
    0x00e5_85b3, // add  a1, a1, a4
    0x0000_0793, // li   a5, 0
    0x0006_0863, // beqz a2, +16
    0x00c7_87b3, // add  a5, a5, a2
    0xfff6_0613, // addi a2, a2, -1
    0xff5f_f06f, // j    -12
    0x00f5_a023, // sw   a5, 0(a1)
    0x0000_100b, // exit
];

/// Builds the core and runs the program, and kernels if they fit.
pub fn runs(config: &CoreConfig) -> Result<(), String> {
    let failed = |error: DeviceError| format!("{config:?}\n{error}");
    let mut device =
        RtlDevice::new(core_simulator(config, &BuildOptions::brief()), config.clone(), MemoryTiming::default());
    device.set_limits(Limits { silence: 20_000, ..Limits::default() });
    let (ctas, threads) = (5, 2 * config.lanes + 1);
    let program = Program::from_words("sums", SUMS.to_vec()).expect("a program");
    let mut session = Session::new(&mut device, &program).map_err(failed)?;
    let sums = session.zeros(ctas * threads).map_err(failed)?;
    match session.launch([ctas as u32, 1, 1], [threads as u32, 1, 1], 0, &[sums.address]) {
        Err(error) if is_filled_by_turns(config, &error) => return Ok(()),
        launched => launched.map_err(failed)?,
    };
    let expected: Vec<u32> = (0..ctas * threads).map(|i| i % threads).map(|i| (i * (i + 1) / 2) as u32).collect();
    let found = session.read(sums);
    if found != expected {
        return Err(format!("{config:?}\n{found:?} is not {expected:?}"));
    }
    // What the stacks and the code of compiled kernels take: they branch in a loop.
    if config.stack_depth < 3
        || config.instruction_words < 4096
        || config.private_bytes < 1024
        || config.shared_bytes < 8192
    {
        return Ok(());
    }
    for name in ["bfs", "bitonic_shared"] {
        let kernel = kernels::find(name).expect("a kernel");
        let outcome = match kernels::run(kernel, &mut device, &Problem::new(kernel.sizes().smoke)) {
            Err(error) if is_filled_by_turns(config, &error) => continue,
            outcome => outcome.map_err(failed)?,
        };
        if let Some(mismatch) = outcome.mismatch() {
            return Err(format!("{config:?}\n{name}: {mismatch}"));
        }
    }
    Ok(())
}

/// Whether the stack is full because the ends of turns take more entries than the code does: each that sets a path aside takes one (decision 0031),
/// up to a path for every lane and what they wait for. Turns of the length that is tried otherwise do not end in these programs.
fn is_filled_by_turns(config: &CoreConfig, error: &DeviceError) -> bool {
    let traits = config.mechanism.traits();
    let ends_soon = traits.turns.is_some_and(|turns| turns.quantum < 256);
    let may_fill = traits.barriers.is_none() && ends_soon && config.stack_depth < 2 * config.lanes;
    may_fill && matches!(error, DeviceError::Trap(trap) if trap.cause == TrapCause::StackOverflow)
}
