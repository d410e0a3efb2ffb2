//! Memory between the steps of building a simulator.

/// Gives memory that has been freed back to the system. A netlist, the tree of modules it came from and the graphs of the passes are small and many: what they leave is kept by the
/// allocator, and a run would count as what was needed before it began.
pub fn give_back() {
    // SAFETY: it may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}
