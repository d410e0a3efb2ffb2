//! A compiled simulator in this process, and one state of it.
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::path::Path;
use std::ptr::NonNull;

use super::BuildError;

type Entry = unsafe extern "C" fn(*mut u8);

/// The generated code.
pub struct Library {
    initialize: Entry,
    evaluate: Entry,
    step: Entry,
    layout: Layout,
    /// Where in the state the shared words are, and how many.
    words: (usize, usize),
    /// Keeps the code mapped.
    _library: libloading::Library,
}

impl Library {
    /// Maps the library at `path`.
    pub fn load(path: &Path) -> Result<Self, BuildError> {
        let failed = |error: libloading::Error| BuildError::Io {
            path: path.to_path_buf(),
            reason: format!("{error}; if the file is damaged, delete it"),
        };
        // SAFETY: the file was generated, compiled and named by us; it has no constructors, and the entry points have
        // the types that `emit` gives them.
        unsafe {
            let library = libloading::Library::new(path).map_err(failed)?;
            let entry = |name: &str| library.get::<Entry>(name.as_bytes()).map(|symbol| *symbol).map_err(failed);
            let mut sizes = [0usize; 4];
            entry("warploom_layout")?(sizes.as_mut_ptr().cast());
            let [size, align, words_at, words] = sizes;
            let layout = Layout::from_size_align(size, align).expect("the layout of a Rust type");
            let (initialize, evaluate, step) =
                (entry("warploom_initialize")?, entry("warploom_evaluate")?, entry("warploom_step")?);
            Ok(Self { initialize, evaluate, step, layout, words: (words_at, words), _library: library })
        }
    }
}

/// One state of a design.
pub struct Instance {
    library: Library,
    state: NonNull<u8>,
}

// SAFETY: the state is memory of our own, and the code has no other.
unsafe impl Send for Instance {}

impl Instance {
    /// The state at the start.
    pub fn new(library: Library) -> Self {
        // SAFETY: the state has a size, and all zeros is one of its values.
        let state = unsafe { alloc_zeroed(library.layout) };
        let state = NonNull::new(state).unwrap_or_else(|| handle_alloc_error(library.layout));
        // SAFETY: `state` is a state of this library.
        unsafe { (library.initialize)(state.as_ptr()) };
        Self { library, state }
    }

    /// One cycle with its clock edge.
    pub fn step(&mut self) {
        // SAFETY: `state` is a state of this library, and ours alone.
        unsafe { (self.library.step)(self.state.as_ptr()) }
    }

    /// One cycle without its clock edge.
    pub fn evaluate(&mut self) {
        // SAFETY: as for `step`.
        unsafe { (self.library.evaluate)(self.state.as_ptr()) }
    }

    /// Inputs, outputs, observed nets.
    pub fn words(&self) -> &[u64] {
        let (at, count) = self.library.words;
        // SAFETY: the library says that so many words are there.
        unsafe { std::slice::from_raw_parts(self.state.as_ptr().add(at).cast(), count) }
    }

    /// The same, to drive inputs.
    pub fn words_mut(&mut self) -> &mut [u64] {
        let (at, count) = self.library.words;
        // SAFETY: the library says that so many words are there, and they are ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.state.as_ptr().add(at).cast(), count) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.state.as_ptr(), self.library.layout) }
    }
}
