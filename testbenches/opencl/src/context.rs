//! Contexts: of the one device.
use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::{Answer, Place, listed};
use crate::call::{Call, created, references, status};
use crate::device;
use crate::error::{Result, ensure};
use crate::object::{DEVICE, Handle, Object};
use crate::platform;

/// A context, as it was asked for.
pub struct Context {
    handle: Handle,
    /// With the zero behind them; none at all, if there were none.
    properties: Vec<cl_context_properties>,
}

impl Object for Context {
    const INVALID: cl_int = CL_INVALID_CONTEXT;

    fn handle(&self) -> Handle {
        self.handle
    }
}

/// What tells an application of errors. What there is to say goes to the standard error stream.
type Notify = Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>;

unsafe fn read_properties(mut list: *const cl_context_properties) -> Result<Vec<cl_context_properties>> {
    let mut properties = Vec::new();
    while !list.is_null() {
        let name = unsafe { list.read() };
        properties.push(name);
        if name == 0 {
            break;
        }
        ensure(!properties[..properties.len() - 1].chunks(2).any(|pair| pair[0] == name), CL_INVALID_PROPERTY)?;
        let value = unsafe { list.add(1).read() };
        match name {
            CL_CONTEXT_PLATFORM => platform::check(value as cl_platform_id)?,
            CL_CONTEXT_INTEROP_USER_SYNC => (),
            _ => return Err(CL_INVALID_PROPERTY.into()),
        }
        properties.push(value);
        list = unsafe { list.add(2) };
    }
    Ok(properties)
}

fn create(state: &mut Call, properties: Vec<cl_context_properties>) -> *mut c_void {
    state.contexts.add(&Arc::new(Context { handle: Handle::new(), properties }))
}

/// Of a list of devices.
pub unsafe extern "C" fn create_of_devices(
    properties: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: Notify,
    user_data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    let call = |state: &mut Call| {
        let properties = unsafe { read_properties(properties) }?;
        let devices = unsafe { listed(count, devices, CL_INVALID_VALUE) }?;
        ensure(!devices.is_empty() && (notify.is_some() || user_data.is_null()), CL_INVALID_VALUE)?;
        devices.into_iter().try_for_each(device::check)?;
        Ok(create(state, properties))
    };
    unsafe { created(code, call) }
}

/// Of the devices of a type.
pub unsafe extern "C" fn create_of_type(
    properties: *const cl_context_properties,
    kind: cl_device_type,
    notify: Notify,
    user_data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    let call = |state: &mut Call| {
        let properties = unsafe { read_properties(properties) }?;
        ensure(notify.is_some() || user_data.is_null(), CL_INVALID_VALUE)?;
        ensure(device::is_of_type(kind)?, CL_DEVICE_NOT_FOUND)?;
        Ok(create(state, properties))
    };
    unsafe { created(code, call) }
}

/// What it is.
pub unsafe extern "C" fn info(
    context: cl_context,
    name: cl_context_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let context = state.contexts.get(context)?;
        let answer = match name {
            CL_CONTEXT_REFERENCE_COUNT => state.contexts.references(&context).into(),
            CL_CONTEXT_NUM_DEVICES => 1_u32.into(),
            CL_CONTEXT_DEVICES => DEVICE.handle().into(),
            CL_CONTEXT_PROPERTIES => Answer::list(context.properties.iter().copied()),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

references!(contexts);
