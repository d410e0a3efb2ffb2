//! What may make a difference, changed on one side.
use crate::ini::Ini;
use crate::traces::BURSTS;

/// One of them.
pub struct Variant {
    /// As the table calls it.
    pub name: &'static str,
    /// Changes our queue, or DRAMsim3's file.
    pub change: fn(&mut usize, &mut Ini),
}

/// All of them.
pub const ALL: &[Variant] = &[
    Variant { name: "a line in a bank's queue", change: |_, ini| ini.of_bank = BURSTS },
    Variant { name: "32 lines in it", change: |_, ini| ini.of_bank = 32 * BURSTS },
    Variant { name: "half as many in front", change: |_, ini| ini.transactions /= 2 },
    Variant { name: "our queue halved", change: |queue, _| *queue /= 2 },
    Variant {
        name: "a line, and no tRTRS",
        change: |_, ini| {
            ini.of_bank = BURSTS;
            ini.timing.turn = 0;
        },
    },
    Variant {
        name: "as its files have it",
        change: |_, ini| {
            ini.transactions = 32;
            ini.unified = false;
        },
    },
];
