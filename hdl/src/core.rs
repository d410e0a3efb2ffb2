//! The SIMT core: one warp instruction per cycle, implicit divergence, a reconvergence unit of choice.
//!
//! ```text
//!                 +---------------------------------------------------------------+
//!  launch_* ----->| CtaDispatcher --> SpeStack <--------- resolve ----------+     |
//!  config_* ----->|                     |  ^                               |     |
//!  load_* ------->|               fetch |  | decoded                       |     |---> trap_*
//!                 |                     v  |                               |     |---> counter_*
//!                 |                  Frontend --> IssueStage --> Execute --+     |---> issue_*, writeback_*
//!                 |                                  ^   ^         |  ^          |---> debug_*
//!                 |                       BarrierUnit|   +-release-+  | load     |
//!                 |                                  |             v  |          |
//!                 |                                  +-credit- LoadStoreUnit     |<--> request_*, response_*
//!                 +---------------------------------------------------------------+
//! ```
//!
//! Ports, grouped by partner; widths and meaning are in docs/developer/microarchitecture.md:
//!
//! | ports | partner |
//! |---|---|
//! | `load_*` | host: fills the instruction memory and its branch annotations |
//! | `launch_start`, `config_*`, `busy` | host: launches a grid; `config_*` are stable while `busy` |
//! | `request_*`, `response_*` | memory beyond the L1 data cache |
//! | `trap_*` | host: why and where the core stopped |
//! | `issue_*`, `writeback_*` | checking at issue and at retirement |
//! | `debug_*` | the watchdog: what each warp waits for |
//! | `counter_*` | host: performance counters, 64 bits |
//!
//! Fung & Aamodt 2011, Fig 4; Rhu 2014, 2.2. Every behaviour is in the blocks; this file only wires them.
use crate::divergence::SpeStack;
use crate::execute::Execute;
use crate::frontend::{CtaDispatcher, Frontend};
use crate::interface::{MemoryOp, RequestKind, TrapCause, Unit};
use crate::issue::{BarrierUnit, IssueStage};
use crate::memory::LoadStoreUnit;
use crate::performance_counters::PerformanceCounters;
use crate::prelude::*;
use crate::trap_unit::TrapUnit;
