//! Several cores and what they share: kernels, on GPUs of the small cores.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::Device;
use warploom_runtime::kernels::{self, Problem};
use warploom_verification::gpu::{gpu, small_system};

#[test]
fn every_kernel_on_one_two_and_four_cores() {
    for cores in [1, 2, 4] {
        let mut device = gpu(small_system(&CoreConfig::tiny(), cores));
        let config = device.config().clone();
        for kernel in kernels::on(&config) {
            let what = format!("{} on {cores} cores", kernel.name());
            let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
            let outcome = kernels::run(kernel, &mut device, &problem).unwrap_or_else(|error| panic!("{what}: {error}"));
            if let Some(mismatch) = outcome.mismatch() {
                panic!("{what}: {mismatch}");
            }
            println!("{what}: {} cycles", outcome.stats.cycles);
        }
    }
}
