//! A GPU: cores, and all that they share.
//!
//! ```text
//!  +------------------------------------ Gpu ------------------------------------+
//!  |  CoreTile                                        Uncore                      |
//!  |  +------------------+   links, k stages   +-------------------------------+  |
//!  |  | Core -- CorePort |-------------------->| Crossbar --> L2Port, slice,   |--|--> pins of the DRAM
//!  |  |                  |<--------------------|   x 2    <-- controller  x C  |  |
//!  |  |                  |<--- CtaGrant -------| CtaDistributor                |  |
//!  |  +------------------+  x N                +-------------------------------+  |
//!  +------------------------------------------------------------------------------+
//! ```
mod core_tile;
mod cta_distributor;
mod cta_pipeline;
#[allow(clippy::module_inception)] // the file is named after its module, Gpu
mod gpu;
mod uncore;

pub use core_tile::CoreTile;
pub use cta_distributor::CtaDistributor;
pub use cta_pipeline::CtaPipeline;
pub use gpu::Gpu;
pub use uncore::Uncore;
