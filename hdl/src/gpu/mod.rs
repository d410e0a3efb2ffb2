//! A GPU: cores, and all that they share.
//!
//! ```text
//!  +------------------------------------------------ Gpu ------------------------------------------------+
//!  |  CoreTile                                   Interconnect                     MemoryPartition        |
//!  |  +------------------+  links, k registers  +----------------+  links       +---------------------+  |
//!  |  | Core -- CorePort |--------------------->| Crossbar x 2   |------------->| L2Port, slice of L2 |--|--> pins of the DRAM
//!  |  |                  |<---------------------|                |<-------------| controller          |  |
//!  |  |                  |<---- CtaGrant -------| CtaDistributor |              |                     |  |
//!  |  +------------------+  x N                 +----------------+              +---------------------+  |
//!  |                                                                              x C                    |
//!  +-----------------------------------------------------------------------------------------------------+
//! ```
mod core_tile;
mod cta_distributor;
mod cta_pipeline;
#[allow(clippy::module_inception)] // the file is named after its module, Gpu
mod gpu;
mod interconnect;
mod memory_partition;

pub use core_tile::CoreTile;
pub use cta_distributor::CtaDistributor;
pub use cta_pipeline::CtaPipeline;
pub use gpu::Gpu;
pub use interconnect::Interconnect;
pub use memory_partition::MemoryPartition;

use crate::memory_system::SystemConfig;
use crate::prelude::{Block, CoreConfig};

/// The designs of which the parts of a GPU are instances: a core, the interconnect, a memory partition. Links are between them.
pub fn parts(config: &CoreConfig, system: &SystemConfig) -> [Box<dyn Block>; 3] {
    [
        Box::new(CoreTile::new(config, system)),
        Box::new(Interconnect::new(system)),
        Box::new(MemoryPartition::new(system)),
    ]
}
