//! Tests across the modules of the command line. They stay in src: tests/ sees no module of a binary.
mod malformed;
