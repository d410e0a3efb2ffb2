//! What threads, CTAs, launches and traps leave behind in the core: nothing that those who come after them can see.
mod page;
mod reservation;
mod sequences;
mod state;
mod table;
