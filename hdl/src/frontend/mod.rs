//! CTA dispatch, fetch, decode and the warp buffer.
mod cta_dispatcher;
mod cta_slot;
mod fetch;
#[allow(clippy::module_inception)] // the file is named after its module, Frontend
mod frontend;
mod predecode;
mod predecode_float;
mod predecode_warp;
mod sub_warp_predecode;
mod thread_counter;
mod warp_buffer;
mod warp_slot;
mod warp_window;

pub use cta_dispatcher::{CtaDispatcher, DispatchPhase};
pub use cta_slot::CtaSlot;
pub use fetch::Fetch;
pub use frontend::Frontend;
pub use predecode::Predecode;
pub use predecode_float::PredecodeFloat;
pub use predecode_warp::PredecodeWarp;
pub use sub_warp_predecode::SubWarpPredecode;
pub use thread_counter::ThreadCounter;
pub use warp_buffer::WarpBuffer;
pub use warp_slot::WarpSlot;
pub use warp_window::{PredecodedTable, WarpWindow};
