//! The device: `clGetDeviceIDs`, `clGetDeviceInfo`.
use std::ffi::c_void;

use opencl_sys::*;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::loader::MOST_ARGUMENT_WORDS;

use crate::allocator::ALIGNMENT;
use crate::answer::{self, Answer, Place};
use crate::call::status;
use crate::error::{Error, Result, ensure};
use crate::machine::Machine;
use crate::object::{DEVICE, PLATFORM};
use crate::platform::{self, VERSION};

/// A cycle of the core is a nanosecond of the device's clock.
const MEGAHERTZ: u32 = 1000;
/// Extensions of OpenCL 1.0 that are part of 1.1, which applications ask for by name.
const EXTENSIONS: &str = "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics \
                          cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store";

/// That a handle is the device's.
pub fn check(device: cl_device_id) -> Result<()> {
    ensure(device == DEVICE.handle(), CL_INVALID_DEVICE)
}

/// That a type is one of devices; whether it is the device's.
pub fn is_of_type(kind: cl_device_type) -> Result<bool> {
    let kinds = CL_DEVICE_TYPE_DEFAULT
        | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU
        | CL_DEVICE_TYPE_ACCELERATOR
        | CL_DEVICE_TYPE_CUSTOM;
    ensure(kind == CL_DEVICE_TYPE_ALL || (kind != 0 && kind & !kinds == 0), CL_INVALID_DEVICE_TYPE)?;
    Ok(kind & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU) != 0)
}

/// The device, if it is of the type that is asked for.
pub unsafe extern "C" fn ids(
    platform: cl_platform_id,
    kind: cl_device_type,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    status(|_| {
        platform::check(platform)?;
        let is_of_type = is_of_type(kind)?;
        let found = if is_of_type { vec![DEVICE.handle()] } else { Vec::new() };
        unsafe { answer::list(entries, devices, count, &found) }?;
        ensure(is_of_type, CL_DEVICE_NOT_FOUND)
    })
}

/// What it is.
pub unsafe extern "C" fn info(
    device: cl_device_id,
    name: cl_device_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|_| {
        check(device)?;
        let machine = Machine::of_environment()?;
        unsafe { Place { size, value, size_ret }.fill(answer(machine, name)?) }
    })
}

/// Work-items of a work-group at most.
pub fn most_work_items(config: &CoreConfig) -> usize {
    config.lanes * config.warps
}

fn answer(machine: &Machine, name: cl_device_info) -> Result<Answer> {
    let core = &machine.setting.core;
    Ok(match name {
        CL_DEVICE_TYPE => CL_DEVICE_TYPE_GPU.into(),
        CL_DEVICE_VENDOR_ID | CL_DEVICE_REFERENCE_COUNT | CL_DEVICE_MAX_COMPUTE_UNITS => 1_u32.into(),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => 3_u32.into(),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => Answer::list([most_work_items(core); 3]),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => most_work_items(core).into(),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => 1_u32.into(),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => 0_u32.into(),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => MEGAHERTZ.into(),
        CL_DEVICE_ADDRESS_BITS => 32_u32.into(),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE | CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => most_bytes(machine).into(),
        CL_DEVICE_GLOBAL_MEM_SIZE => (machine.global_bytes as u64).into(),
        CL_DEVICE_IMAGE_SUPPORT
        | CL_DEVICE_ERROR_CORRECTION_SUPPORT
        | CL_DEVICE_HOST_UNIFIED_MEMORY
        | CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => Answer::truth(false),
        CL_DEVICE_AVAILABLE | CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE | CL_DEVICE_ENDIAN_LITTLE => {
            Answer::truth(true)
        }
        CL_DEVICE_MAX_READ_IMAGE_ARGS | CL_DEVICE_MAX_WRITE_IMAGE_ARGS | CL_DEVICE_MAX_SAMPLERS => 0_u32.into(),
        CL_DEVICE_IMAGE2D_MAX_WIDTH
        | CL_DEVICE_IMAGE2D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH
        | CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
        | CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => 0_usize.into(),
        CL_DEVICE_MAX_PARAMETER_SIZE => (4 * MOST_ARGUMENT_WORDS).into(),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => (8 * ALIGNMENT).into(),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => ALIGNMENT.into(),
        CL_DEVICE_SINGLE_FP_CONFIG => (CL_FP_DENORM
            | CL_FP_INF_NAN
            | CL_FP_ROUND_TO_NEAREST
            | CL_FP_ROUND_TO_ZERO
            | CL_FP_ROUND_TO_INF
            | CL_FP_FMA
            | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
            .into(),
        CL_DEVICE_DOUBLE_FP_CONFIG | CL_DEVICE_HALF_FP_CONFIG | CL_DEVICE_PARTITION_AFFINITY_DOMAIN => 0_u64.into(),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => CL_READ_ONLY_CACHE.into(),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => (core.line_bytes as u32).into(),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => ((core.l1_sets * core.l1_ways * core.line_bytes) as u64).into(),
        // Each takes a word of the arguments at least.
        CL_DEVICE_MAX_CONSTANT_ARGS => (MOST_ARGUMENT_WORDS as u32).into(),
        CL_DEVICE_LOCAL_MEM_TYPE => CL_LOCAL.into(),
        CL_DEVICE_LOCAL_MEM_SIZE => (core.shared_bytes as u64).into(),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => 1_usize.into(),
        CL_DEVICE_EXECUTION_CAPABILITIES => CL_EXEC_KERNEL.into(),
        CL_DEVICE_QUEUE_PROPERTIES => (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE).into(),
        CL_DEVICE_PLATFORM => PLATFORM.handle().into(),
        CL_DEVICE_NAME => {
            let name = format!("warploom {} {}", machine.setting.preset, core.composition());
            name.as_str().into()
        }
        CL_DEVICE_VENDOR => "warploom".into(),
        CL_DRIVER_VERSION => env!("CARGO_PKG_VERSION").into(),
        CL_DEVICE_PROFILE => "FULL_PROFILE".into(),
        CL_DEVICE_VERSION => VERSION.into(),
        CL_DEVICE_OPENCL_C_VERSION => "OpenCL C 1.2 warploom".into(),
        CL_DEVICE_EXTENSIONS => EXTENSIONS.into(),
        CL_DEVICE_BUILT_IN_KERNELS => "".into(),
        CL_DEVICE_PRINTF_BUFFER_SIZE => (1_usize << 20).into(),
        CL_DEVICE_PARENT_DEVICE => std::ptr::null_mut::<c_void>().into(),
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => 0_u32.into(),
        // No kind of them, which a zero says; there is none that it came from, either.
        CL_DEVICE_PARTITION_PROPERTIES => 0_isize.into(),
        CL_DEVICE_PARTITION_TYPE => Answer::empty(),
        _ => return Err(CL_INVALID_VALUE.into()),
    })
}

/// Bytes of a buffer at most: what programs keep for their data is left.
pub fn most_bytes(machine: &Machine) -> u64 {
    (machine.global_bytes - machine.global_bytes / 16) as u64
}

/// The device is no part of another: its references are not counted.
pub unsafe extern "C" fn retain(device: cl_device_id) -> cl_int {
    status(|_| check(device))
}

/// There are no parts of it.
pub unsafe extern "C" fn create_sub_devices(
    device: cl_device_id,
    _properties: *const cl_device_partition_property,
    _entries: cl_uint,
    _devices: *mut cl_device_id,
    _count: *mut cl_uint,
) -> cl_int {
    status(|_| check(device).and(Err(Error::from(CL_INVALID_VALUE))))
}
