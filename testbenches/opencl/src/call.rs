//! One call of the application: the lock, the code it returns, and what is called back.
use std::ffi::c_void;
use std::mem::take;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use opencl_sys::{CL_OUT_OF_RESOURCES, CL_SUCCESS, cl_int};

use crate::answer;
use crate::context::Context;
use crate::error::Result;
use crate::event::Event;
use crate::gpu::Gpu;
use crate::kernel::Kernel;
use crate::machine::Machine;
use crate::memory::Buffer;
use crate::object::{Registry, locked};
use crate::program::Program;
use crate::queue::{self, Queue};

/// A function of the application that is to be called once the lock is given back.
type Callback = Box<dyn FnOnce() + Send>;

/// Everything.
#[derive(Default)]
#[allow(missing_docs)]
pub struct State {
    pub contexts: Registry<Context>,
    pub queues: Registry<Queue>,
    pub buffers: Registry<Buffer>,
    pub programs: Registry<Program>,
    pub kernels: Registry<Kernel>,
    pub events: Registry<Event>,
    /// Queues with commands that wait.
    pub waiting: Vec<Arc<Queue>>,
    gpu: Option<Gpu>,
}

impl State {
    /// The device.
    ///
    /// # Errors
    /// If the environment describes none.
    pub fn gpu(&mut self) -> Result<&mut Gpu> {
        if self.gpu.is_none() {
            self.gpu = Some(Gpu::new(Machine::of_environment()?.clone()));
        }
        Ok(self.gpu.as_mut().expect("it is there"))
    }
}

static STATE: Mutex<Option<State>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();
static CALLBACKS: Mutex<Vec<Callback>> = Mutex::new(Vec::new());

/// Calls a function of the application, which may make calls itself, as soon as the lock is given back.
pub fn later(callback: impl FnOnce() + Send + 'static) {
    locked(&CALLBACKS).push(Box::new(callback));
}

/// Calls what is to be called; whether there was something.
fn call_back() -> bool {
    let callbacks = take(&mut *locked(&CALLBACKS));
    let some = !callbacks.is_empty();
    callbacks.into_iter().for_each(|callback| callback());
    some
}

/// Everything, while no other thread has it.
pub struct Call {
    lock: Option<MutexGuard<'static, Option<State>>>,
}

impl Deref for Call {
    type Target = State;

    fn deref(&self) -> &State {
        self.lock.as_deref().and_then(Option::as_ref).expect("there is a lock between calls")
    }
}

impl DerefMut for Call {
    fn deref_mut(&mut self) -> &mut State {
        self.lock.as_deref_mut().and_then(Option::as_mut).expect("there is a lock between calls")
    }
}

impl Call {
    fn begin() -> Self {
        let mut state = locked(&STATE);
        state.get_or_insert_default();
        Self { lock: Some(state) }
    }

    /// Runs what can run and what is to be called back, until this event has come to its end.
    pub fn wait(&mut self, event: &Event) {
        loop {
            queue::advance(self);
            if event.is_over() {
                return;
            }
            let lock = self.lock.take().expect("there is a lock between calls");
            if locked(&CALLBACKS).is_empty() {
                self.lock = Some(CHANGED.wait(lock).unwrap_or_else(PoisonError::into_inner));
            } else {
                drop(lock);
                call_back();
                self.lock = Self::begin().lock;
            }
        }
    }

    fn end(mut self) {
        drop(self.lock.take());
        CHANGED.notify_all();
        while call_back() {}
    }
}

/// The code of a call. No panic passes the border of the language.
pub fn status(call: impl FnOnce(&mut Call) -> Result<()>) -> cl_int {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut state = Call::begin();
        let result = call(&mut state);
        state.end();
        result
    }));
    match result {
        Ok(Ok(())) => CL_SUCCESS,
        Ok(Err(error)) => error.tell(),
        Err(_) => CL_OUT_OF_RESOURCES,
    }
}

/// The handle or pointer that a call returns, null if it fails; its code goes to where the caller wants it.
///
/// # Safety
/// The pointer is null, or leads to a place for the code.
pub unsafe fn created(code: *mut cl_int, call: impl FnOnce(&mut Call) -> Result<*mut c_void>) -> *mut c_void {
    let mut handle = std::ptr::null_mut();
    let status = status(|state| {
        handle = call(state)?;
        Ok(())
    });
    unsafe { answer::write(code, status) };
    handle
}

/// `clRetain...` and `clRelease...` of the objects of a registry.
macro_rules! references {
    ($registry:ident) => {
        /// One reference more.
        pub unsafe extern "C" fn retain(handle: *mut std::ffi::c_void) -> opencl_sys::cl_int {
            crate::call::status(|state| state.$registry.retain(handle))
        }

        /// One less.
        pub unsafe extern "C" fn release(handle: *mut std::ffi::c_void) -> opencl_sys::cl_int {
            crate::call::status(|state| state.$registry.release(handle).map(drop))
        }
    };
}
pub(crate) use references;
