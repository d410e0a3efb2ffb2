//! Handles, and what they stand for.
//!
//! The ICD loader reads the dispatch table through every handle that an application gives it, released ones included: so the word behind a handle
//! stays for ever, and only this.
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::{cl_int, cl_uint};

use crate::dispatch::DISPATCH;
use crate::error::{Error, Result};

/// What the loader finds behind a handle.
#[repr(C)]
pub struct Behind {
    dispatch: &'static cl_icd_dispatch,
}

/// Behind the handles of the platform and its device, which are always there.
pub static PLATFORM: Behind = Behind { dispatch: &DISPATCH };
/// See [`PLATFORM`].
pub static DEVICE: Behind = Behind { dispatch: &DISPATCH };

impl Behind {
    /// The handle.
    pub fn handle(&'static self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }
}

/// The number that an application knows an object by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(usize);

impl Handle {
    /// One that no object has had.
    pub fn new() -> Self {
        Self(std::ptr::from_ref(Box::leak(Box::new(Behind { dispatch: &DISPATCH }))) as usize)
    }

    /// As the application has it.
    pub fn pointer(self) -> *mut c_void {
        self.0 as *mut c_void
    }
}

/// What has handles.
pub trait Object {
    /// The code for a handle that is of none.
    const INVALID: cl_int;

    /// Its handle.
    fn handle(&self) -> Handle;
}

/// The objects of a kind. One is there until the application has released it and no other needs it.
pub struct Registry<T> {
    entries: HashMap<Handle, Entry<T>>,
}

struct Entry<T> {
    /// Of the application.
    references: cl_uint,
    /// While there are some.
    held: Option<Arc<T>>,
    object: Weak<T>,
}

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self { entries: HashMap::new() }
    }
}

impl<T: Object> Registry<T> {
    /// Gives a new object to the application.
    pub fn add(&mut self, object: &Arc<T>) -> *mut c_void {
        let entry = Entry { references: 1, held: Some(object.clone()), object: Arc::downgrade(object) };
        self.entries.insert(object.handle(), entry);
        object.handle().pointer()
    }

    fn entry(&mut self, handle: *mut c_void) -> Result<&mut Entry<T>> {
        let entry = self.entries.get_mut(&Handle(handle as usize));
        entry.filter(|entry| entry.object.strong_count() > 0).ok_or_else(|| T::INVALID.into())
    }

    /// What a handle stands for.
    pub fn get(&mut self, handle: *mut c_void) -> Result<Arc<T>> {
        self.entry(handle)?.object.upgrade().ok_or_else(|| Error::from(T::INVALID))
    }

    /// What every handle of a list stands for.
    pub fn all(&mut self, handles: &[*mut c_void]) -> Result<Vec<Arc<T>>> {
        handles.iter().map(|handle| self.get(*handle)).collect()
    }

    /// References of the application.
    pub fn references(&self, object: &T) -> cl_uint {
        self.entries.get(&object.handle()).map_or(0, |entry| entry.references)
    }

    /// One more.
    pub fn retain(&mut self, handle: *mut c_void) -> Result<()> {
        let object = self.get(handle)?;
        let entry = self.entry(handle)?;
        entry.references += 1;
        entry.held = Some(object);
        Ok(())
    }

    /// One less. The last one is returned: it may be the object's end.
    pub fn release(&mut self, handle: *mut c_void) -> Result<Option<Arc<T>>> {
        let entry = self.entry(handle)?;
        // Others need it: the application's are at an end.
        if entry.references == 0 {
            return Err(T::INVALID.into());
        }
        entry.references -= 1;
        if entry.references > 0 {
            return Ok(None);
        }
        let last = entry.held.take();
        self.entries.retain(|_, entry| entry.object.strong_count() > 0);
        Ok(last)
    }
}

/// What a mutex holds, whoever has panicked with it.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
