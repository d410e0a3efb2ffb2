//! Events: how far a command is.
use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use opencl_sys::*;

use crate::answer::{Place, listed};
use crate::call::{Call, State, created, later, references, status};
use crate::context::Context;
use crate::error::{Result, ensure};
use crate::object::{Handle, Object, locked};
use crate::queue::{self, Queue};

/// A function to call, and the application's data for it.
type Notify = unsafe extern "C" fn(cl_event, cl_int, *mut c_void);

/// See the [module documentation](self).
pub struct Event {
    handle: Handle,
    context: Arc<Context>,
    /// None of a user event.
    pub queue: Option<Arc<Queue>>,
    kind: cl_command_type,
    /// As OpenCL counts down: queued, submitted, running, complete; below zero, the code of an error.
    status: AtomicI32,
    /// Cycles at which it was queued, submitted, begun and ended.
    times: [AtomicU64; 4],
    callbacks: Mutex<Vec<(cl_int, Notify, usize)>>,
}

impl Object for Event {
    const INVALID: cl_int = CL_INVALID_EVENT;

    fn handle(&self) -> Handle {
        self.handle
    }
}

impl Event {
    /// Of a command that is queued now.
    pub fn of_command(queue: &Arc<Queue>, kind: cl_command_type, now: u64) -> Self {
        let event = Self::new(queue.context.clone(), Some(queue.clone()), kind, CL_QUEUED);
        event.times.iter().for_each(|time| time.store(now, Ordering::Relaxed));
        event
    }

    fn new(context: Arc<Context>, queue: Option<Arc<Queue>>, kind: cl_command_type, status: cl_int) -> Self {
        let (status, times) = (AtomicI32::new(status), Default::default());
        Self { handle: Handle::new(), context, queue, kind, status, times, callbacks: Mutex::default() }
    }

    /// How far it is.
    pub fn status(&self) -> cl_int {
        self.status.load(Ordering::Relaxed)
    }

    /// Whether nothing more happens.
    pub fn is_over(&self) -> bool {
        self.status() <= CL_COMPLETE
    }

    /// When its command ran.
    pub fn ran(&self, begin: u64, end: u64) {
        self.times[2].store(begin, Ordering::Relaxed);
        self.times[3].store(end, Ordering::Relaxed);
    }

    /// It has come further: those who want to know are called.
    pub fn reach(self: &Arc<Self>, status: cl_int) {
        self.status.store(status, Ordering::Relaxed);
        let mut callbacks = locked(&self.callbacks);
        let (due, rest): (Vec<_>, Vec<_>) = callbacks.drain(..).partition(|(wanted, ..)| status <= *wanted);
        *callbacks = rest;
        drop(callbacks);
        for (wanted, notify, user_data) in due {
            self.call(wanted, notify, user_data);
        }
    }

    fn call(self: &Arc<Self>, wanted: cl_int, notify: Notify, user_data: usize) {
        let event = self.clone();
        let reached = self.status().min(wanted);
        // An error is told as it is, every other state as the one that was asked for.
        let reached = if reached < 0 { reached } else { wanted };
        later(move || unsafe { notify(event.handle.pointer(), reached, user_data as *mut c_void) });
    }
}

/// Events that a command waits for, of its context.
pub unsafe fn wait_list(
    state: &mut State,
    context: &Arc<Context>,
    count: cl_uint,
    list: *const cl_event,
) -> Result<Vec<Arc<Event>>> {
    let handles = unsafe { listed(count, list, CL_INVALID_EVENT_WAIT_LIST) }?;
    let events = state.events.all(&handles).map_err(|_| CL_INVALID_EVENT_WAIT_LIST)?;
    ensure(events.iter().all(|event| Arc::ptr_eq(&event.context, context)), CL_INVALID_CONTEXT)?;
    Ok(events)
}

/// An event that the application ends.
pub unsafe extern "C" fn create(context: cl_context, code: *mut cl_int) -> cl_event {
    let call = |state: &mut Call| {
        let context = state.contexts.get(context)?;
        Ok(state.events.add(&Arc::new(Event::new(context, None, CL_COMMAND_USER, CL_SUBMITTED))))
    };
    unsafe { created(code, call) }
}

/// Ends it.
pub unsafe extern "C" fn set_status(event: cl_event, reached: cl_int) -> cl_int {
    status(|state| {
        let event = state.events.get(event)?;
        ensure(event.kind == CL_COMMAND_USER, CL_INVALID_EVENT)?;
        ensure(reached <= CL_COMPLETE, CL_INVALID_VALUE)?;
        ensure(!event.is_over(), CL_INVALID_OPERATION)?;
        event.reach(reached);
        queue::advance(state);
        Ok(())
    })
}

/// Waits until all of them are over.
pub unsafe extern "C" fn wait(count: cl_uint, list: *const cl_event) -> cl_int {
    status(|state| {
        ensure(count > 0, CL_INVALID_VALUE)?;
        let handles = unsafe { listed(count, list, CL_INVALID_VALUE) }?;
        let events = state.events.all(&handles)?;
        ensure(events.iter().all(|event| Arc::ptr_eq(&event.context, &events[0].context)), CL_INVALID_CONTEXT)?;
        events.iter().for_each(|event| state.wait(event));
        ensure(events.iter().all(|event| event.status() == CL_COMPLETE), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    })
}

/// What it is.
pub unsafe extern "C" fn info(
    event: cl_event,
    name: cl_event_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let event = state.events.get(event)?;
        let queue = || event.queue.as_ref().map_or(std::ptr::null_mut(), |queue| queue.handle().pointer());
        let answer = match name {
            CL_EVENT_COMMAND_QUEUE => queue().into(),
            CL_EVENT_CONTEXT => event.context.handle().pointer().into(),
            CL_EVENT_COMMAND_TYPE => event.kind.into(),
            CL_EVENT_COMMAND_EXECUTION_STATUS => event.status().into(),
            CL_EVENT_REFERENCE_COUNT => state.events.references(&event).into(),
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(answer) }
    })
}

/// When its command was queued and ran: cycles of the core, as nanoseconds. What only copies takes none.
pub unsafe extern "C" fn profiling_info(
    event: cl_event,
    name: cl_profiling_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    status(|state| {
        let event = state.events.get(event)?;
        let profiles = event.queue.as_ref().is_some_and(|queue| queue.profiles());
        ensure(profiles && event.status() == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE)?;
        let index = match name {
            CL_PROFILING_COMMAND_QUEUED => 0,
            CL_PROFILING_COMMAND_SUBMIT => 1,
            CL_PROFILING_COMMAND_START => 2,
            CL_PROFILING_COMMAND_END => 3,
            _ => return Err(CL_INVALID_VALUE.into()),
        };
        unsafe { Place { size, value, size_ret }.fill(event.times[index].load(Ordering::Relaxed).into()) }
    })
}

/// Has a function called once the event is so far.
pub unsafe extern "C" fn set_callback(
    event: cl_event,
    wanted: cl_int,
    notify: Option<Notify>,
    user_data: *mut c_void,
) -> cl_int {
    status(|state| {
        let event = state.events.get(event)?;
        let Some(notify) = notify else { return Err(CL_INVALID_VALUE.into()) };
        ensure([CL_SUBMITTED, CL_RUNNING, CL_COMPLETE].contains(&wanted), CL_INVALID_VALUE)?;
        if event.status() <= wanted {
            event.call(wanted, notify, user_data as usize);
        } else {
            locked(&event.callbacks).push((wanted, notify, user_data as usize));
        }
        Ok(())
    })
}

references!(events);
