//! No memory left: said in a sentence, with the exit status of an error, instead of an abort.
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Write};

use crate::status::BAD_INPUT;

/// The system's, as long as it gives any.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: every call goes to the system's allocator as it is, and comes back with what that gives, or not at all.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for the caller.
        given(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as for the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn given(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() { end(bytes) } else { pointer }
}

/// Nothing in here may allocate, take a lock, or run what others have left to do at the end.
#[cold]
fn end(bytes: usize) -> ! {
    let mut text = [0; 200];
    let mut line = Cursor::new(&mut text[..]);
    let _ = writeln!(
        line,
        "error: out of memory: {bytes} more bytes were needed\n  a smaller core or --size takes less, and compare takes less with fewer --jobs"
    );
    let length = line.position() as usize;
    // SAFETY: so many bytes of text are there; `_exit` ends the process as it stands.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), length);
        libc::_exit(BAD_INPUT.into())
    }
}
