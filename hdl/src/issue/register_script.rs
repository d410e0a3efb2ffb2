//! What the scripts of all scoreboards' tests have in common.
use crate::interface::{RegisterEvent, Slots};
use crate::prelude::*;

/// These warps wait to execute `add x5, x6, x7`; the slots of all hold it.
pub fn wait_for_add(slot: &mut Slots<In>, warps: usize) {
    for (fields, register) in [(&mut slot.rs1, 6), (&mut slot.rs2, 7), (&mut slot.rd, 5)] {
        fields.iter_mut().for_each(|field| field.next = usize::into(register));
    }
    for flags in [&mut slot.reads_rs1, &mut slot.reads_rs2, &mut slot.writes_rd] {
        flags.next = warps.into();
    }
}

/// `1:6` is x6 of warp or path 1; `-`: nothing happens.
pub fn drive(event: &mut RegisterEvent<In>, text: &str) {
    let (path, register) = text.split_once(':').unwrap_or(("0", "0"));
    event.valid.next = text.contains(':');
    event.warp.next = path.parse::<usize>().unwrap().into();
    event.rd.next = register.parse::<usize>().unwrap().into();
}
