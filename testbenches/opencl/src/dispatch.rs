//! What the ICD loader finds: the table of all functions, and the three that it looks for by name.
use std::ffi::{CStr, c_char, c_void};

use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::{cl_int, cl_platform_id, cl_platform_info, cl_uint};

use crate::absent::{self, Absent};
use crate::{context, device, enqueue, event, kernel, memory, platform, program, queue, rectangle, transfers};

/// In the order of the standard.
pub static DISPATCH: cl_icd_dispatch = cl_icd_dispatch {
    clGetPlatformIDs: Some(platform::ids),
    clGetPlatformInfo: Some(platform::info),
    clGetDeviceIDs: Some(device::ids),
    clGetDeviceInfo: Some(device::info),
    clCreateContext: Some(context::create_of_devices),
    clCreateContextFromType: Some(context::create_of_type),
    clRetainContext: Some(context::retain),
    clReleaseContext: Some(context::release),
    clGetContextInfo: Some(context::info),
    clCreateCommandQueue: Some(queue::create),
    clRetainCommandQueue: Some(queue::retain),
    clReleaseCommandQueue: Some(queue::release),
    clGetCommandQueueInfo: Some(queue::info),
    clSetCommandQueueProperty: Some(queue::set_property),
    clCreateBuffer: Some(memory::create),
    clCreateImage2D: Absent::STUB,
    clCreateImage3D: Absent::STUB,
    clRetainMemObject: Some(memory::retain),
    clReleaseMemObject: Some(memory::release),
    clGetSupportedImageFormats: Some(absent::image_formats),
    clGetMemObjectInfo: Some(memory::info),
    clGetImageInfo: Some(absent::image_info),
    clCreateSampler: Absent::STUB,
    clRetainSampler: Some(absent::sampler),
    clReleaseSampler: Some(absent::sampler),
    clGetSamplerInfo: Some(absent::sampler_info),
    clCreateProgramWithSource: Some(program::create_of_source),
    clCreateProgramWithBinary: Some(program::create_of_binary),
    clRetainProgram: Some(program::retain),
    clReleaseProgram: Some(program::release),
    clBuildProgram: Some(program::build),
    clUnloadCompiler: Some(platform::unload_any_compiler),
    clGetProgramInfo: Some(program::info),
    clGetProgramBuildInfo: Some(program::build_info),
    clCreateKernel: Some(kernel::create),
    clCreateKernelsInProgram: Some(kernel::create_all),
    clRetainKernel: Some(kernel::retain),
    clReleaseKernel: Some(kernel::release),
    clSetKernelArg: Some(kernel::set_argument),
    clGetKernelInfo: Some(kernel::info),
    clGetKernelWorkGroupInfo: Some(kernel::work_group_info),
    clWaitForEvents: Some(event::wait),
    clGetEventInfo: Some(event::info),
    clRetainEvent: Some(event::retain),
    clReleaseEvent: Some(event::release),
    clGetEventProfilingInfo: Some(event::profiling_info),
    clFlush: Some(queue::flush),
    clFinish: Some(queue::finish),
    clEnqueueReadBuffer: Some(transfers::read),
    clEnqueueWriteBuffer: Some(transfers::write),
    clEnqueueCopyBuffer: Some(transfers::copy),
    clEnqueueReadImage: Absent::STUB,
    clEnqueueWriteImage: Absent::STUB,
    clEnqueueCopyImage: Absent::STUB,
    clEnqueueCopyImageToBuffer: Absent::STUB,
    clEnqueueCopyBufferToImage: Absent::STUB,
    clEnqueueMapBuffer: Some(transfers::map),
    clEnqueueMapImage: Absent::STUB,
    clEnqueueUnmapMemObject: Some(transfers::unmap),
    clEnqueueNDRangeKernel: Some(enqueue::kernel),
    clEnqueueTask: Some(enqueue::task),
    clEnqueueNativeKernel: Some(enqueue::native),
    clEnqueueMarker: Some(queue::old_marker),
    clEnqueueWaitForEvents: Some(queue::old_wait),
    clEnqueueBarrier: Some(queue::old_barrier),
    clGetExtensionFunctionAddress: Some(clGetExtensionFunctionAddress),
    clCreateFromGLBuffer: Absent::STUB,
    clCreateFromGLTexture2D: Absent::STUB,
    clCreateFromGLTexture3D: Absent::STUB,
    clCreateFromGLRenderbuffer: Absent::STUB,
    clGetGLObjectInfo: Absent::STUB,
    clGetGLTextureInfo: Absent::STUB,
    clEnqueueAcquireGLObjects: Absent::STUB,
    clEnqueueReleaseGLObjects: Absent::STUB,
    clGetGLContextInfoKHR: Absent::STUB,
    clGetDeviceIDsFromD3D10KHR: Absent::STUB,
    clCreateFromD3D10BufferKHR: Absent::STUB,
    clCreateFromD3D10Texture2DKHR: Absent::STUB,
    clCreateFromD3D10Texture3DKHR: Absent::STUB,
    clEnqueueAcquireD3D10ObjectsKHR: Absent::STUB,
    clEnqueueReleaseD3D10ObjectsKHR: Absent::STUB,
    clSetEventCallback: Some(event::set_callback),
    clCreateSubBuffer: Some(memory::create_part),
    clSetMemObjectDestructorCallback: Some(memory::set_destructor),
    clCreateUserEvent: Some(event::create),
    clSetUserEventStatus: Some(event::set_status),
    clEnqueueReadBufferRect: Some(rectangle::read),
    clEnqueueWriteBufferRect: Some(rectangle::write),
    clEnqueueCopyBufferRect: Some(rectangle::copy),
    clCreateSubDevicesEXT: Absent::STUB,
    clRetainDeviceEXT: Absent::STUB,
    clReleaseDeviceEXT: Absent::STUB,
    clCreateEventFromGLsyncKHR: Absent::STUB,
    clCreateSubDevices: Some(device::create_sub_devices),
    clRetainDevice: Some(device::retain),
    clReleaseDevice: Some(device::retain),
    clCreateImage: Absent::STUB,
    clCreateProgramWithBuiltInKernels: Some(program::create_of_built_in_kernels),
    clCompileProgram: Some(program::compile_only),
    clLinkProgram: Some(program::link),
    clUnloadPlatformCompiler: Some(platform::unload_compiler),
    clGetKernelArgInfo: Some(kernel::argument_info),
    clEnqueueFillBuffer: Some(transfers::fill),
    clEnqueueFillImage: Absent::STUB,
    clEnqueueMigrateMemObjects: Some(transfers::migrate),
    clEnqueueMarkerWithWaitList: Some(queue::marker),
    clEnqueueBarrierWithWaitList: Some(queue::barrier),
    clGetExtensionFunctionAddressForPlatform: Some(extension_of_platform),
    clCreateFromGLTexture: Absent::STUB,
    clGetDeviceIDsFromD3D11KHR: Absent::STUB,
    clCreateFromD3D11BufferKHR: Absent::STUB,
    clCreateFromD3D11Texture2DKHR: Absent::STUB,
    clCreateFromD3D11Texture3DKHR: Absent::STUB,
    clCreateFromDX9MediaSurfaceKHR: Absent::STUB,
    clEnqueueAcquireD3D11ObjectsKHR: Absent::STUB,
    clEnqueueReleaseD3D11ObjectsKHR: Absent::STUB,
    clGetDeviceIDsFromDX9MediaAdapterKHR: Absent::STUB,
    clEnqueueAcquireDX9MediaSurfacesKHR: Absent::STUB,
    clEnqueueReleaseDX9MediaSurfacesKHR: Absent::STUB,
    clCreateFromEGLImageKHR: Absent::STUB,
    clEnqueueAcquireEGLObjectsKHR: Absent::STUB,
    clEnqueueReleaseEGLObjectsKHR: Absent::STUB,
    clCreateEventFromEGLSyncKHR: Absent::STUB,
    clCreateCommandQueueWithProperties: Some(queue::create_with_properties),
    clCreatePipe: Absent::STUB,
    clGetPipeInfo: Absent::STUB,
    clSVMAlloc: Absent::STUB,
    clSVMFree: Absent::STUB,
    clEnqueueSVMFree: Absent::STUB,
    clEnqueueSVMMemcpy: Absent::STUB,
    clEnqueueSVMMemFill: Absent::STUB,
    clEnqueueSVMMap: Absent::STUB,
    clEnqueueSVMUnmap: Absent::STUB,
    clCreateSamplerWithProperties: Absent::STUB,
    clSetKernelArgSVMPointer: Absent::STUB,
    clSetKernelExecInfo: Absent::STUB,
    clGetKernelSubGroupInfoKHR: Absent::STUB,
    clCloneKernel: Absent::STUB,
    clCreateProgramWithIL: Absent::STUB,
    clEnqueueSVMMigrateMem: Absent::STUB,
    clGetDeviceAndHostTimer: Absent::STUB,
    clGetHostTimer: Absent::STUB,
    clGetKernelSubGroupInfo: Absent::STUB,
    clSetDefaultDeviceCommandQueue: Absent::STUB,
    clSetProgramReleaseCallback: Absent::STUB,
    clSetProgramSpecializationConstant: Absent::STUB,
    clCreateBufferWithProperties: Absent::STUB,
    clCreateImageWithProperties: Absent::STUB,
    clSetContextDestructorCallback: Absent::STUB,
    clGetKernelSuggestedLocalWorkSize: 0,
};

/// The platforms of this library: one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    unsafe { platform::ids(entries, platforms, count) }
}

/// What the platform is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    unsafe { platform::info(platform, name, size, value, size_ret) }
}

/// The functions that are looked for by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *mut c_void,
        b"clGetPlatformInfo" => clGetPlatformInfo as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn extension_of_platform(platform: cl_platform_id, name: *const c_char) -> *mut c_void {
    match platform::check(platform) {
        Ok(()) => unsafe { clGetExtensionFunctionAddress(name) },
        Err(_) => std::ptr::null_mut(),
    }
}
