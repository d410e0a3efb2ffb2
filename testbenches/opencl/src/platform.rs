//! The platform: `clGetPlatformIDs`, `clGetPlatformInfo`, and what a platform does besides.
use std::ffi::c_void;

use opencl_sys::{
    CL_INVALID_PLATFORM, CL_INVALID_VALUE, CL_PLATFORM_EXTENSIONS, CL_PLATFORM_ICD_SUFFIX_KHR, CL_PLATFORM_NAME,
    CL_PLATFORM_NOT_FOUND_KHR, CL_PLATFORM_PROFILE, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION, cl_int, cl_platform_id,
    cl_platform_info, cl_uint,
};

use crate::answer::{self, Answer, Place};
use crate::call::status;
use crate::error::{Error, Result, ensure};
use crate::machine::Machine;
use crate::object::PLATFORM;

/// Of OpenCL, as the platform and its device say it.
pub const VERSION: &str = concat!("OpenCL 1.2 warploom ", env!("CARGO_PKG_VERSION"));

/// That a handle is the platform's. None at all means it, too.
pub fn check(platform: cl_platform_id) -> Result<()> {
    ensure(platform.is_null() || platform == PLATFORM.handle(), CL_INVALID_PLATFORM)
}

/// The platform, if the environment describes a device.
pub unsafe extern "C" fn ids(entries: cl_uint, platforms: *mut cl_platform_id, count: *mut cl_uint) -> cl_int {
    status(|_| {
        Machine::of_environment().map_err(|error| Error { code: CL_PLATFORM_NOT_FOUND_KHR, ..error })?;
        unsafe { answer::list(entries, platforms, count, &[PLATFORM.handle()]) }
    })
}

/// What it is.
pub unsafe extern "C" fn info(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|_| {
        check(platform)?;
        let text = match name {
            CL_PLATFORM_PROFILE => "FULL_PROFILE",
            CL_PLATFORM_VERSION => VERSION,
            CL_PLATFORM_NAME | CL_PLATFORM_VENDOR => "warploom",
            CL_PLATFORM_EXTENSIONS => "cl_khr_icd",
            CL_PLATFORM_ICD_SUFFIX_KHR => "WARPLOOM",
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(Answer::from(text)) }
    })
}

/// The compiler is a program of its own: there is nothing to unload.
pub unsafe extern "C" fn unload_compiler(platform: cl_platform_id) -> cl_int {
    status(|_| check(platform))
}

/// See [`unload_compiler`].
pub unsafe extern "C" fn unload_any_compiler() -> cl_int {
    opencl_sys::CL_SUCCESS
}
