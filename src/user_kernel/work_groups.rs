//! Work-items to work-groups: the grid of a launch.
use anyhow::{Result, bail, ensure};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::volume;
use warploom_runtime::kernels::Problem;
use warploom_runtime::loader::KernelSignature;

use crate::cli::LaunchArgs;
use crate::extent::Extent;

/// Grid and block of an OpenCL kernel.
pub(super) fn work_groups(
    kernel: &KernelSignature,
    args: &LaunchArgs,
    config: &CoreConfig,
) -> Result<([u32; 3], [u32; 3])> {
    ensure!(
        args.grid.is_none() && args.block.is_none(),
        "--grid and --block are for kernels in C; `{}` takes --global WORK-ITEMS and --local WORK-ITEMS",
        kernel.name
    );
    let Some(Extent { sizes: global, .. }) = args.global else {
        bail!("--global: how many work-items run `{}`? X, X,Y or X,Y,Z", kernel.name);
    };
    if let Some(offset) = args.offset {
        let fits = offset.0.iter().zip(global).all(|(offset, global)| offset.checked_add(global).is_some());
        ensure!(fits, "--offset {offset}: it and --global together are more than 32 bits have");
    }
    divide(global, local(kernel.work_group, global, args, config)?)
}

/// Size of a work-group: as asked, as the source has it, or the largest that divides the row of work-items.
pub(super) fn local(
    required: Option<[u32; 3]>,
    global: [u32; 3],
    args: &LaunchArgs,
    config: &CoreConfig,
) -> Result<[u32; 3]> {
    let most = (config.lanes * config.warps) as u32;
    let preferred = Problem { block: args.block, ..Problem::new(1) }.threads(config) as u32;
    let divisor = || (1..=preferred).rev().find(|&n| global[0].is_multiple_of(n)).unwrap_or(1);
    let local = args.local.map(|local| local.sizes).or(required).unwrap_or_else(|| [divisor(), 1, 1]);
    if let Some(required) = required.filter(|&required| required != local) {
        bail!(
            "--local {}: the kernel requires work-groups of {} (reqd_work_group_size)",
            Extent::from(local),
            Extent::from(required)
        );
    }
    ensure!(
        volume(local) <= u64::from(most),
        "--local {}: a work-group has at most {most} work-items on this core ({} warps x {} lanes)",
        Extent::from(local),
        config.warps,
        config.lanes
    );
    Ok(local)
}

/// The grid of so many work-items in groups of this size.
pub(super) fn divide(global: [u32; 3], local: [u32; 3]) -> Result<([u32; 3], [u32; 3])> {
    if global.iter().zip(local).any(|(&global, local)| !global.is_multiple_of(local)) {
        let rounded = std::array::from_fn(|i| {
            global[i].checked_next_multiple_of(local[i]).unwrap_or(global[i] - global[i] % local[i])
        });
        bail!(
            "--global {}: not a multiple of --local {}; take --global {}, and let the kernel skip the work-items behind the end",
            Extent::from(global),
            Extent::from(local),
            Extent::from(rounded)
        );
    }
    Ok((std::array::from_fn(|i| global[i] / local[i]), local))
}
