//! Launches.
use std::sync::Arc;

use opencl_sys::*;
use warploom_hdl::config::CoreConfig;

use crate::call::status;
use crate::commands::Enqueued;
use crate::device::most_work_items;
use crate::error::{Error, Result, ensure};
use crate::gpu::Work;
use crate::machine::Machine;
use crate::program::Variant;

/// Work-items of a work-group that the application leaves open, at most.
const PREFERRED: usize = 256;

/// Sizes of the dimensions that there are; of the others, something else.
unsafe fn sizes(dimensions: cl_uint, sizes: *const usize, code: cl_int, other: u32) -> Result<[u32; 3]> {
    let mut all = [other; 3];
    for (dimension, size) in all.iter_mut().enumerate().take(dimensions as usize) {
        *size = u32::try_from(unsafe { sizes.add(dimension).read_unaligned() }).map_err(|_| Error::from(code))?;
    }
    Ok(all)
}

/// The work-group of a launch whose application leaves it open: rows as long as they may be.
fn divided(global: [u32; 3], config: &CoreConfig) -> [u32; 3] {
    let mut left = most_work_items(config).min(PREFERRED) as u32;
    global.map(|size| {
        let local = (1..=left.min(size)).rev().find(|&local| size.is_multiple_of(local)).unwrap_or(1);
        left /= local;
        local
    })
}

fn check_local(local: [u32; 3], global: [u32; 3], required: Option<[u32; 3]>, config: &CoreConfig) -> Result<()> {
    let most = most_work_items(config) as u64;
    ensure(local.iter().all(|&size| u64::from(size) <= most), CL_INVALID_WORK_ITEM_SIZE)?;
    let items: u64 = local.iter().map(|&size| u64::from(size)).product();
    ensure(items > 0 && items <= most, CL_INVALID_WORK_GROUP_SIZE)?;
    ensure(required.is_none_or(|required| required == local), CL_INVALID_WORK_GROUP_SIZE)?;
    ensure(global.iter().zip(local).all(|(&global, local)| global.is_multiple_of(local)), CL_INVALID_WORK_GROUP_SIZE)
}

/// Launches a kernel.
pub unsafe extern "C" fn kernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let launch = Launch { dimensions, offset, global, local };
    unsafe { launched(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, launch, count, list, event) }
}

/// Launches a single work-item.
pub unsafe extern "C" fn task(
    queue: cl_command_queue,
    kernel: cl_kernel,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let launch = Launch { dimensions: 1, offset: std::ptr::null(), global: &1, local: &1 };
    unsafe { launched(queue, kernel, CL_COMMAND_TASK, launch, count, list, event) }
}

/// As the application says it.
struct Launch {
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
}

unsafe fn launched(
    queue: cl_command_queue,
    kernel: cl_kernel,
    kind: cl_command_type,
    Launch { dimensions, offset, global, local }: Launch,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        let enqueued = unsafe { Enqueued::new(state, queue, kind, count, list, event) }?;
        let kernel = state.kernels.get(kernel)?;
        ensure(Arc::ptr_eq(&kernel.program.context, &enqueued.queue.context), CL_INVALID_CONTEXT)?;
        ensure((1..=3).contains(&dimensions), CL_INVALID_WORK_DIMENSION)?;
        ensure(!global.is_null(), CL_INVALID_GLOBAL_WORK_SIZE)?;
        let global = unsafe { sizes(dimensions, global, CL_INVALID_GLOBAL_WORK_SIZE, 1) }?;
        ensure(!global.contains(&0), CL_INVALID_GLOBAL_WORK_SIZE)?;
        let offset = match offset.is_null() {
            true => [0; 3],
            false => unsafe { sizes(dimensions, offset, CL_INVALID_GLOBAL_OFFSET, 0) }?,
        };
        let ends = offset.iter().zip(global).all(|(offset, global)| offset.checked_add(global).is_some());
        ensure(ends, CL_INVALID_GLOBAL_OFFSET)?;
        let config = &Machine::of_environment()?.setting.core;
        let required = kernel.signature.work_group;
        let local = match local.is_null() {
            // OpenCL 1.2 wants it said.
            true if required.is_some() => return Err(CL_INVALID_WORK_GROUP_SIZE.into()),
            true => divided(global, config),
            false => unsafe { sizes(dimensions, local, CL_INVALID_WORK_ITEM_SIZE, 1) }?,
        };
        check_local(local, global, required, config)?;

        // Before anything is compiled.
        kernel.bind(0)?;
        let dimensions = Some(dimensions as usize).filter(|_| kernel.program.asks_for_dimensions());
        let program = kernel.program.load(&kernel.signature.name, Variant { offset, dimensions })?;
        let bound = kernel.bind(program.shared_bytes)?;
        if bound.shared_bytes > config.shared_bytes as u64 {
            let (wanted, most) = (bound.shared_bytes, config.shared_bytes);
            let reason =
                format!("kernel `{}`: {wanted} bytes of local memory; the core has {most}", kernel.signature.name);
            return Err(Error::new(CL_OUT_OF_RESOURCES, reason));
        }
        let work = Work {
            program,
            kernel: kernel.signature.name.clone(),
            grid: std::array::from_fn(|axis| global[axis] / local[axis]),
            block: local,
            shared_bytes: bound.shared_bytes as u32,
            arguments: bound.words,
        };
        let buffers = bound.buffers;
        enqueued.now(state, move |state| {
            let times = state.gpu()?.launch(&work)?;
            drop(buffers);
            Ok(Some(times))
        })
    })
}

/// Functions of the host in a queue: the device cannot.
pub unsafe extern "C" fn native(
    queue: cl_command_queue,
    _function: Option<unsafe extern "C" fn(*mut std::ffi::c_void)>,
    _arguments: *mut std::ffi::c_void,
    _size: usize,
    _buffer_count: cl_uint,
    _buffers: *const cl_mem,
    _places: *mut *const std::ffi::c_void,
    _count: cl_uint,
    _list: *const cl_event,
    _event: *mut cl_event,
) -> cl_int {
    status(|state| state.queues.get(queue).and(Err(CL_INVALID_OPERATION.into())))
}
