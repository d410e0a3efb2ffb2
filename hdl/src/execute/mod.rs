//! From operand read to write-back.
mod alu;
mod branch_unit;
mod csr_lane;
mod csr_unit;
mod decode;
mod decode_float;
mod divide;
mod divide_control;
#[allow(clippy::module_inception)] // the file is named after its module, Execute
mod execute;
pub mod float;
mod immediate;
mod lane;
mod multiply;
mod multiply_control;
mod operand_stage;
pub mod operation;
mod register_file;
mod result_pipe;
mod writeback;

pub use alu::Alu;
pub use branch_unit::BranchUnit;
pub use csr_lane::CsrLane;
pub use csr_unit::CsrUnit;
pub use decode::Decode;
pub use decode_float::DecodeFloat;
pub use divide::Divide;
pub use divide_control::{DivideControl, DivideState};
pub use execute::Execute;
pub use immediate::Immediate;
pub use lane::Lane;
pub use multiply::Multiply;
pub use multiply_control::MultiplyControl;
pub use operand_stage::OperandStage;
pub use register_file::RegisterFile;
pub use result_pipe::ResultPipe;
pub use writeback::{Writeback, WritebackSource};
