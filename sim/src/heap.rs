//! Memory while a simulator is built: a tree of modules, a netlist and the graphs of the passes, one after the other, of many and of large things. What they leave would count as what is needed after them.

/// Large things come from the system, and go back there as they are freed: else the allocator takes each that was freed as a reason to keep the next of its size.
pub fn keep_little() {
    // SAFETY: it may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// Gives memory that has been freed back to the system.
pub fn give_back() {
    // SAFETY: it may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}
