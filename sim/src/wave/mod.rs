//! Waveforms of a running [`Simulator`](crate::Simulator).
//!
//! [`VcdWriter`] streams the observed nets to a VCD file; [`write_save_file`] writes the `.gtkw` file with which
//! GTKWave opens on them, grouped by scope.
//!
//! ```text
//! core.vcd   $scope module core ... $var string 1 # state $end     hierarchy, enumerations by name
//! core.gtkw  the same nets, one group per scope
//! ```
mod save_file;
mod scopes;
mod vcd_writer;

pub use save_file::write_save_file;
pub use vcd_writer::{UNITS_PER_CYCLE, VcdWriter};
