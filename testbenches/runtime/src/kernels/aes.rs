//! Encryption by [`rijndael`].
use super::rijndael::{self, MIX, Work};
use super::{About, Arithmetic, Output, Problem};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "AES-128 encryption by tables: a barrier per round, scattered loads, no divergence",
    papers: "Fung 2011 (AES), Turner 2012 (AES)",
    arithmetic: Arithmetic::Integer,
    unit: rijndael::UNIT,
    sizes: rijndael::SIZES,
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    rijndael::run(session, problem, "cipher", |[plain, cipher], keys, s_box| Work {
        from: plain,
        to: cipher,
        keys,
        tables: rijndael::tables(s_box, MIX),
    })
}
