//! What runs programs on the core: host, loader, ISA, disassembly, toolchain, and the kernels that come with warploom.

pub mod application;
pub mod disassembly;
pub mod host;
pub mod isa;
pub mod kernels;
pub mod loader;
pub mod machines;
pub mod toolchain;
pub mod trace;
