//! A compiled simulator in this process, and one state of it.
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;

use super::BuildError;
use super::compile::Compilation;
use super::straight::{Link, Straight};
use crate::emit::MOVED;

type Entry = unsafe extern "C" fn(*mut u8);
type Step = unsafe extern "C" fn(*mut u8) -> bool;
type Skip = unsafe extern "C" fn(*mut u8, u64) -> u64;
type Changes = unsafe extern "C" fn(*const u8, *mut u64, *mut u32, *mut u64) -> usize;

/// The generated code.
pub struct Library {
    initialize: Entry,
    evaluate: Entry,
    step: Step,
    restored: Entry,
    changes: Changes,
    /// None: every cycle is stepped.
    skip: Option<Skip>,
    layout: Layout,
    /// Where in the state the shared words are, and how many.
    words: (usize, usize),
    places: Vec<usize>,
    /// Where in the state is noted that an input has changed.
    driven: usize,
    /// Where is noted who has been woken for the next cycle, and of which cycles it is known what they do.
    later: usize,
    known: usize,
    /// Where is noted who has been woken in this cycle.
    now: usize,
    /// None: there is none, or it is all there is. Before the code in the order of dropping: it may still be linked then.
    pub(super) straight: Option<Straight>,
    link: Option<Link>,
    /// Keeps the code mapped.
    _library: libloading::Library,
}

/// Maps the library at `path`.
pub(super) fn map(path: &Path) -> Result<libloading::Library, BuildError> {
    // SAFETY: the file was generated, compiled and named by us; it has no constructors.
    unsafe { libloading::Library::new(path) }.map_err(|error| damaged(path, &error))
}

/// A function of the library that was at `path`.
///
/// # Safety
/// It has the type that `emit` gives it, and the library stays mapped as long as it is called.
pub(super) unsafe fn symbol<T: Copy>(library: &libloading::Library, path: &Path, name: &str) -> Result<T, BuildError> {
    // SAFETY: the caller's.
    unsafe { library.get::<T>(name.as_bytes()) }.map(|symbol| *symbol).map_err(|error| damaged(path, &error))
}

fn damaged(path: &Path, error: &libloading::Error) -> BuildError {
    BuildError::Io { path: path.to_path_buf(), reason: format!("{error}; if the file is damaged, delete it") }
}

impl Library {
    /// Maps the library at `path`, which says where `places` parts of its state are.
    pub fn load(path: &Path, places: usize) -> Result<Self, BuildError> {
        let library = map(path)?;
        // SAFETY: the entry points have the types that `emit` gives them.
        unsafe {
            let entry = |name: &str| symbol::<Entry>(&library, path, name);
            let mut sizes = [0usize; 8];
            entry("warploom_layout")?(sizes.as_mut_ptr().cast());
            let [size, align, words_at, words, driven, later, known, now] = sizes;
            let skip = library.get::<Skip>(b"warploom_skip").ok().map(|symbol| *symbol);
            let link = library.get::<Link>(b"warploom_link").ok().map(|symbol| *symbol);
            let changes = symbol::<Changes>(&library, path, "warploom_changes")?;
            let layout = Layout::from_size_align(size, align).expect("the layout of a Rust type");
            let mut offsets = vec![0usize; places];
            entry("warploom_places")?(offsets.as_mut_ptr().cast());
            let (initialize, evaluate, step, restored) = (
                entry("warploom_initialize")?,
                entry("warploom_evaluate")?,
                symbol::<Step>(&library, path, "warploom_step")?,
                entry("warploom_restored")?,
            );
            let words = (words_at, words);
            Ok(Self {
                initialize,
                evaluate,
                step,
                restored,
                changes,
                skip,
                layout,
                words,
                places: offsets,
                driven,
                later,
                known,
                now,
                straight: None,
                link,
                _library: library,
            })
        }
    }

    /// The straight-line code: where it is, or from what it is to be compiled if it is missed.
    pub fn link(&mut self, straight: Result<PathBuf, Compilation>) -> Result<(), BuildError> {
        let link = self.link.expect("generated with its straight-line code");
        self.straight = Some(match straight {
            Ok(path) => Straight::compiled(link, &path)?,
            Err(compilation) => Straight::later(link, compilation),
        });
        Ok(())
    }
}

/// One state of a design.
pub struct Instance {
    library: Arc<Library>,
    state: NonNull<u8>,
}

// SAFETY: the state is memory of our own, and the code has no other.
unsafe impl Send for Instance {}

impl Instance {
    /// Where its code is.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// The state at the start.
    pub fn new(library: Library) -> Self {
        Self::at_start(Arc::new(library))
    }

    /// Another state, at the start too.
    pub fn another(&self) -> Self {
        Self::at_start(self.library.clone())
    }

    fn at_start(library: Arc<Library>) -> Self {
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
        let missed = unsafe { (self.library.step)(self.state.as_ptr()) };
        if missed && let Some(straight) = &self.library.straight {
            straight.missed();
        }
    }

    /// One cycle without its clock edge.
    pub fn evaluate(&mut self) {
        // SAFETY: as for `step`.
        unsafe { (self.library.evaluate)(self.state.as_ptr()) }
    }

    /// Whether cycles can be skipped, and nothing that may not has changed at the last edge, or is driven since.
    pub fn rests(&self) -> bool {
        // SAFETY: the library says where these words are.
        self.library.skip.is_some()
            && unsafe {
                let word = |at: usize| *self.state.as_ptr().add(at).cast::<u64>();
                word(self.library.later) & MOVED == 0 && word(self.library.driven) == 0
            }
    }

    /// The partitions that were woken in the cycle just stepped, unless it was straight-line code.
    pub fn woken(&self) -> u64 {
        // SAFETY: the library says where the word is.
        unsafe { *self.state.as_ptr().add(self.library.now).cast::<u64>() }
    }

    /// Skips cycles, at most so many; how many.
    pub fn skip(&mut self, most: u64) -> u64 {
        // SAFETY: as for `step`.
        self.library.skip.map_or(0, |skip| unsafe { skip(self.state.as_ptr(), most) })
    }

    /// What was seen in the last cycles does not count for skipping.
    pub fn disturb(&mut self) {
        // SAFETY: the library says where these words are, and they are ours alone.
        unsafe {
            *self.state.as_ptr().add(self.library.later).cast::<u64>() |= MOVED;
            *self.state.as_ptr().add(self.library.known).cast::<u64>() = 0;
        }
    }

    /// Appends the numbers and values of the output words that are not as in `before`, which is then brought up to date.
    /// `before` has as many words as there are from the first output on.
    pub fn changes(&self, before: &mut [u64], slots: &mut Vec<u32>, values: &mut Vec<u64>) {
        slots.reserve(before.len());
        values.reserve(before.len());
        let (to_slots, to_values) = (slots.spare_capacity_mut(), values.spare_capacity_mut());
        // SAFETY: `state` is a state of this library, which finds at most as many changes as there are words, and they
        // are initialised up to there.
        unsafe {
            let changes = self.library.changes;
            let (before, to_slots, to_values) = (before.as_mut_ptr(), to_slots.as_mut_ptr(), to_values.as_mut_ptr());
            let count = changes(self.state.as_ptr(), before, to_slots.cast(), to_values.cast());
            slots.set_len(slots.len() + count);
            values.set_len(values.len() + count);
        }
    }

    /// Inputs, outputs, observed nets.
    pub fn words(&self) -> &[u64] {
        let (at, count) = self.library.words;
        // SAFETY: the library says that so many words are there.
        unsafe { std::slice::from_raw_parts(self.state.as_ptr().add(at).cast(), count) }
    }

    /// Sets one of them, an input.
    pub fn drive(&mut self, word: usize, value: u64) {
        let (at, count) = self.library.words;
        assert!(word < count, "no such word");
        // SAFETY: the library says that so many words are there, and the note; they are ours alone.
        unsafe {
            let word = self.state.as_ptr().add(at).cast::<u64>().add(word);
            if *word != value {
                *word = value;
                *self.state.as_ptr().add(self.library.driven).cast::<u64>() = 1;
            }
        }
    }

    /// Where the parts of the state are that `emit::state` lists, in bytes.
    pub fn places(&self) -> &[usize] {
        &self.library.places
    }

    /// The whole state.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes have been allocated, as zeros.
        unsafe { std::slice::from_raw_parts(self.state.as_ptr(), self.library.layout.size()) }
    }

    /// The same, to write at the places; then [`restored`](Self::restored) has to be called.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: so many bytes have been allocated, as zeros, and are ours alone.
        unsafe { std::slice::from_raw_parts_mut(self.state.as_ptr(), self.library.layout.size()) }
    }

    /// The state has been written from outside: nothing that the code keeps of earlier cycles holds any more.
    pub fn restored(&mut self) {
        // SAFETY: as for `step`.
        unsafe { (self.library.restored)(self.state.as_ptr()) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.state.as_ptr(), self.library.layout) }
    }
}
