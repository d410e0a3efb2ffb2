//! From operand read to write-back.
