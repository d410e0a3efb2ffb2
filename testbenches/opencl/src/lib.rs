//! An OpenCL 1.2 platform whose device is the RTL: unmodified applications run on the simulated core.
//!
//! ```text
//!  application ── libOpenCL (the ICD loader) ── dispatch ─┬─ platform, device      what there is
//!                                                         ├─ context, queue, event who waits for whom
//!                                                         ├─ memory                buffers ───────────┐
//!                                                         ├─ program               clang ── ELF       │
//!                                                         └─ kernel, enqueue       launches           │
//!                                                                                     │               │
//!                                                   machine (the environment) ── gpu ─┴── RtlDevice ──┴── global memory
//! ```
//!
//! Calls are made one after the other under one lock, and a command runs while it is enqueued, unless it waits for a user event: what runs is a
//! simulation, whose times are cycles of the core and not of the host. What an application is not told by a code of OpenCL, such as where a kernel
//! trapped, goes to the standard error stream.
#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

mod absent;
mod allocator;
mod answer;
mod call;
mod commands;
mod context;
mod device;
mod dispatch;
mod enqueue;
mod error;
mod event;
mod gpu;
mod kernel;
mod machine;
mod memory;
mod object;
mod platform;
mod program;
mod queue;
mod recorder;
mod rectangle;
mod transfers;

pub use dispatch::{clGetExtensionFunctionAddress, clGetPlatformInfo, clIcdGetPlatformIDsKHR};
