//! A compiled model in this process.
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;

use super::VerilatedError;

type Entry<R> = unsafe extern "C" fn(*mut c_void) -> R;

/// One model with its state.
pub struct Model {
    state: NonNull<c_void>,
    step: Entry<()>,
    destroy: Entry<()>,
    /// Values of the ports.
    words: NonNull<u64>,
    count: usize,
    /// Keeps the code mapped.
    library: libloading::Library,
}

// SAFETY: the model has a Verilator context of its own, and nothing else refers to it.
unsafe impl Send for Model {}

impl Model {
    /// Maps the library at `path` and makes a model of it, with `count` ports.
    pub fn load(path: &Path, count: usize) -> Result<Self, VerilatedError> {
        let failed = |error: libloading::Error| VerilatedError::Io {
            path: path.to_path_buf(),
            reason: format!("{error}; if the file is damaged, delete it"),
        };
        // SAFETY: we generated, compiled and named the file; the entry points have the types of `wrapper.cpp`.
        unsafe {
            let library = libloading::Library::new(path).map_err(failed)?;
            let create = *library.get::<unsafe extern "C" fn() -> *mut c_void>(b"warploom_create").map_err(failed)?;
            let words = *library.get::<Entry<*mut u64>>(b"warploom_words").map_err(failed)?;
            let step = *library.get::<Entry<()>>(b"warploom_step").map_err(failed)?;
            let destroy = *library.get::<Entry<()>>(b"warploom_destroy").map_err(failed)?;
            let state = NonNull::new(create()).expect("`new` returns an object");
            let words = NonNull::new(words(state.as_ptr())).expect("a member of the object");
            Ok(Self { state, step, destroy, words, count, library })
        }
    }

    /// One cycle.
    pub fn step(&mut self) {
        // SAFETY: `state` is a model of this library, and ours alone.
        unsafe { (self.step)(self.state.as_ptr()) }
    }

    /// Values of the ports.
    pub fn words(&self) -> &[u64] {
        // SAFETY: the wrapper was generated with so many words.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }
    }

    /// The same, to drive inputs.
    pub fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: the wrapper was generated with so many words, and they are ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_ptr(), self.count) }
    }

    /// Closes the VCD file.
    pub fn end_trace(&mut self) {
        // SAFETY: the entry point has the type of `wrapper.cpp`.
        unsafe {
            let end = self.library.get::<Entry<()>>(b"warploom_end_trace");
            end.expect("a model built with `trace`")(self.state.as_ptr());
        }
    }

    /// Opens a VCD file.
    pub fn trace(&mut self, path: &Path) {
        let path = CString::new(path.as_os_str().as_encoded_bytes()).expect("a path without a zero");
        // SAFETY: the entry point has the type of `wrapper.cpp`.
        unsafe {
            let trace = self.library.get::<unsafe extern "C" fn(*mut c_void, *const c_char)>(b"warploom_trace");
            trace.expect("a model built with `trace`")(self.state.as_ptr(), path.as_ptr());
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: made by `warploom_create`, and not used again.
        unsafe { (self.destroy)(self.state.as_ptr()) }
    }
}
