//! What there is not: images, samplers, and all that came after OpenCL 1.2 or with an extension. Each of these functions returns a code.
use std::ffi::c_void;

use opencl_sys::*;

use crate::answer::write;
use crate::call::status;

/// A function that there is not.
pub trait Absent {
    /// What is called in its place.
    const STUB: Self;
}

macro_rules! absent {
    ($($argument:ident)*) => {
        impl<$($argument),*> Absent for Option<unsafe extern "C" fn($($argument),*) -> cl_int> {
            const STUB: Self = {
                unsafe extern "C" fn stub<$($argument),*>($(_: $argument),*) -> cl_int {
                    CL_INVALID_OPERATION
                }
                Some(stub::<$($argument),*>)
            };
        }

        impl<$($argument),*> Absent for Option<unsafe extern "C" fn($($argument,)* *mut cl_int) -> *mut c_void> {
            const STUB: Self = {
                unsafe extern "C" fn stub<$($argument),*>($(_: $argument,)* code: *mut cl_int) -> *mut c_void {
                    unsafe { write(code, CL_INVALID_OPERATION) };
                    std::ptr::null_mut()
                }
                Some(stub::<$($argument),*>)
            };
        }
    };
}
macro_rules! absent_up_to {
    ($first:ident $($rest:ident)*) => {
        absent!($first $($rest)*);
        absent_up_to!($($rest)*);
    };
    () => {};
}
absent_up_to!(A B C D E F G H I J K L M N);

/// `clSVMAlloc`, which has no code.
impl Absent for Option<unsafe extern "C" fn(cl_context, cl_svm_mem_flags, usize, cl_uint) -> *mut c_void> {
    const STUB: Self = {
        unsafe extern "C" fn stub(_: cl_context, _: cl_svm_mem_flags, _: usize, _: cl_uint) -> *mut c_void {
            std::ptr::null_mut()
        }
        Some(stub)
    };
}

/// `clSVMFree`, which returns nothing.
impl Absent for Option<unsafe extern "C" fn(cl_context, *mut c_void)> {
    const STUB: Self = {
        unsafe extern "C" fn stub(_: cl_context, _: *mut c_void) {}
        Some(stub)
    };
}

/// The formats of images: none.
pub unsafe extern "C" fn image_formats(
    context: cl_context,
    _flags: cl_mem_flags,
    _kind: cl_mem_object_type,
    _entries: cl_uint,
    _formats: *mut cl_image_format,
    count: *mut cl_uint,
) -> cl_int {
    status(|state| {
        state.contexts.get(context)?;
        unsafe { write(count, 0) };
        Ok(())
    })
}

/// No memory object is an image.
pub unsafe extern "C" fn image_info(
    _image: cl_mem,
    _name: cl_image_info,
    _size: usize,
    _value: *mut c_void,
    _size_ret: *mut usize,
) -> cl_int {
    CL_INVALID_MEM_OBJECT
}

/// No handle is a sampler's.
pub unsafe extern "C" fn sampler(_sampler: cl_sampler) -> cl_int {
    CL_INVALID_SAMPLER
}

/// See [`sampler`].
pub unsafe extern "C" fn sampler_info(
    _sampler: cl_sampler,
    _name: cl_sampler_info,
    _size: usize,
    _value: *mut c_void,
    _size_ret: *mut usize,
) -> cl_int {
    CL_INVALID_SAMPLER
}
