//! What goes wrong around warploom, while the machine is busy: bad inputs, memory and disks that are full, runs that are killed,
//! caches that several use or that are damaged. Whatever happens is said in a sentence, and nothing good is lost.
mod cache;
mod disk;
mod inputs;
mod memory;
mod page;
mod resume;
mod support;
