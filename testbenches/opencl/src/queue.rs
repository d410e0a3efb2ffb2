//! Command queues: in order, also those that are asked not to be.
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use opencl_sys::*;

use crate::answer::{Place, write};
use crate::call::{Call, State, created, references, status};
use crate::commands::{Command, Enqueued};
use crate::context::Context;
use crate::device;
use crate::error::{Result, ensure};
use crate::object::{DEVICE, Handle, Object, locked};

const PROPERTIES: cl_command_queue_properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// See the [module documentation](self).
pub struct Queue {
    handle: Handle,
    /// Whose it is.
    pub context: Arc<Context>,
    properties: AtomicU64,
    /// Commands that wait, or for one that waits.
    pub commands: Mutex<VecDeque<Command>>,
    /// What a kernel was stopped with: whoever waits for the queue from then on is told.
    pub stopped: Mutex<Option<cl_int>>,
}

impl Object for Queue {
    const INVALID: cl_int = CL_INVALID_COMMAND_QUEUE;

    fn handle(&self) -> Handle {
        self.handle
    }
}

impl Queue {
    /// Whether its events have times.
    pub fn profiles(&self) -> bool {
        self.properties.load(Ordering::Relaxed) & CL_QUEUE_PROFILING_ENABLE != 0
    }

    /// Takes the first command, if it need not wait.
    fn next(&self) -> Option<Command> {
        let mut commands = locked(&self.commands);
        commands.pop_front_if(|command| command.waits_for_nothing())
    }

    fn is_empty(&self) -> bool {
        locked(&self.commands).is_empty()
    }
}

/// Runs what need not wait.
pub fn advance(state: &mut State) {
    while let Some(command) = state.waiting.iter().find_map(|queue| queue.next()) {
        command.run(state);
        state.waiting.retain(|queue| !queue.is_empty());
    }
}

/// A queue of a context.
pub unsafe extern "C" fn create(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    code: *mut cl_int,
) -> cl_command_queue {
    let call = |state: &mut Call| {
        ensure(properties & !PROPERTIES == 0, CL_INVALID_VALUE)?;
        created_with(state, context, device, properties)
    };
    unsafe { created(code, call) }
}

/// OpenCL 2.0's, for applications that know no other.
pub unsafe extern "C" fn create_with_properties(
    context: cl_context,
    device: cl_device_id,
    list: *const cl_queue_properties,
    code: *mut cl_int,
) -> cl_command_queue {
    let call = |state: &mut Call| {
        let (mut properties, mut list) = (0, list);
        while !list.is_null() && unsafe { list.read() } != 0 {
            let (name, value) = unsafe { (list.read(), list.add(1).read()) };
            ensure(name == u64::from(CL_QUEUE_PROPERTIES), CL_INVALID_VALUE)?;
            ensure(value & !PROPERTIES == 0, CL_INVALID_QUEUE_PROPERTIES)?;
            properties = value;
            list = unsafe { list.add(2) };
        }
        created_with(state, context, device, properties)
    };
    unsafe { created(code, call) }
}

fn created_with(
    state: &mut Call,
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> Result<*mut c_void> {
    let context = state.contexts.get(context)?;
    device::check(device)?;
    let queue = Queue {
        handle: Handle::new(),
        context,
        properties: properties.into(),
        commands: Mutex::default(),
        stopped: Mutex::default(),
    };
    Ok(state.queues.add(&Arc::new(queue)))
}

/// OpenCL 1.0 could switch profiling on and off.
pub unsafe extern "C" fn set_property(
    queue: cl_command_queue,
    properties: cl_command_queue_properties,
    enable: cl_bool,
    old: *mut cl_command_queue_properties,
) -> cl_int {
    status(|state| {
        let queue = state.queues.get(queue)?;
        ensure(properties & !PROPERTIES == 0, CL_INVALID_VALUE)?;
        let before = queue.properties.load(Ordering::Relaxed);
        let after = if enable == CL_FALSE { before & !properties } else { before | properties };
        queue.properties.store(after, Ordering::Relaxed);
        unsafe { write(old, before) };
        Ok(())
    })
}

/// What it is.
pub unsafe extern "C" fn info(
    queue: cl_command_queue,
    name: cl_command_queue_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let queue = state.queues.get(queue)?;
        let answer = match name {
            CL_QUEUE_CONTEXT => queue.context.handle().pointer().into(),
            CL_QUEUE_DEVICE => DEVICE.handle().into(),
            CL_QUEUE_REFERENCE_COUNT => state.queues.references(&queue).into(),
            CL_QUEUE_PROPERTIES => queue.properties.load(Ordering::Relaxed).into(),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

/// What can run has run already.
pub unsafe extern "C" fn flush(queue: cl_command_queue) -> cl_int {
    status(|state| {
        state.queues.get(queue)?;
        advance(state);
        Ok(())
    })
}

/// Waits until all of its commands are over.
pub unsafe extern "C" fn finish(queue: cl_command_queue) -> cl_int {
    status(|state| {
        let queue = state.queues.get(queue)?;
        finished(state, &queue)
    })
}

fn finished(state: &mut Call, queue: &Arc<Queue>) -> Result<()> {
    let last = locked(&queue.commands).back().map(|command| command.event.clone());
    if let Some(last) = last {
        state.wait(&last);
    }
    locked(&queue.stopped).map_or(Ok(()), |code| Err(code.into()))
}

/// A marker: over when the events of its list are, or all commands before it.
pub unsafe extern "C" fn marker(
    queue: cl_command_queue,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        unsafe { Enqueued::new(state, queue, CL_COMMAND_MARKER, count, list, event) }?.now(state, |_| Ok(None))
    })
}

/// A barrier: later commands wait for it.
pub unsafe extern "C" fn barrier(
    queue: cl_command_queue,
    count: cl_uint,
    list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    status(|state| {
        unsafe { Enqueued::new(state, queue, CL_COMMAND_BARRIER, count, list, event) }?.now(state, |_| Ok(None))
    })
}

/// OpenCL 1.1's marker, which has an event.
pub unsafe extern "C" fn old_marker(queue: cl_command_queue, event: *mut cl_event) -> cl_int {
    if event.is_null() { CL_INVALID_VALUE } else { unsafe { marker(queue, 0, std::ptr::null(), event) } }
}

/// OpenCL 1.1's barrier.
pub unsafe extern "C" fn old_barrier(queue: cl_command_queue) -> cl_int {
    unsafe { barrier(queue, 0, std::ptr::null(), std::ptr::null_mut()) }
}

/// OpenCL 1.1's barrier with a list.
pub unsafe extern "C" fn old_wait(queue: cl_command_queue, count: cl_uint, list: *const cl_event) -> cl_int {
    status(|state| {
        ensure(count > 0 && !list.is_null(), CL_INVALID_VALUE)?;
        let nowhere = std::ptr::null_mut();
        let enqueued = unsafe { Enqueued::new(state, queue, CL_COMMAND_BARRIER, count, list, nowhere) };
        let enqueued = enqueued.map_err(|error| match error.code {
            CL_INVALID_EVENT_WAIT_LIST => CL_INVALID_EVENT.into(),
            _ => error,
        })?;
        enqueued.now(state, |_| Ok(None))
    })
}

references!(queues);
