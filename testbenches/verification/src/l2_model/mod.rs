//! Memory as requests to L2 see it: random requests, what they do if they are done in their order, and what each of them gets.
use std::collections::HashMap;

use warploom_hdl::interface::MemoryOp;
use warploom_hdl::memory_system::l2::{L2Config, L2ReplyKind, L2RequestKind};
use warploom_runtime::kernels::Random;

use crate::module_simulator::ModuleSimulator;

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is asked.
    pub kind: L2RequestKind,
    core: usize,
    line: usize,
    sectors: usize,
    atomic: MemoryOp,
    word: usize,
    data: Vec<u32>,
    mask: Vec<u8>,
}

/// The answer that it has to get.
#[derive(Debug)]
struct Awaited {
    kind: L2ReplyKind,
    /// Words of the line that are known.
    words: Vec<Option<u32>>,
    success: bool,
}

/// A word after these bytes of another have been written.
pub fn merged(old: u32, new: u32, mask: u8) -> u32 {
    let bits = (0..4).filter(|byte| mask >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte));
    old & !bits | new & bits
}

/// Memory if all is done in order, and who waits for what.
pub struct FlatMemory {
    config: L2Config,
    /// Lines.
    pub lines: Vec<Vec<u32>>,
    reservations: Vec<Option<(usize, usize)>>,
    awaited: HashMap<(usize, usize), Awaited>,
}

impl FlatMemory {
    /// With these lines at first, which are numbered from 0.
    pub fn new(config: &L2Config, lines: Vec<Vec<u32>>) -> Self {
        Self { config: config.clone(), lines, reservations: vec![None; config.cores], awaited: HashMap::new() }
    }

    /// Whether every request has been answered.
    pub fn is_idle(&self) -> bool {
        self.awaited.is_empty()
    }

    /// Who waits, for a message.
    pub fn waiting(&self) -> String {
        format!("{:x?}", self.awaited)
    }

    /// Some request.
    pub fn draw(&self, random: &mut Random) -> Asked {
        let words = self.config.words();
        let kind = L2RequestKind::VARIANTS[[0, 0, 0, 1, 1, 1, 2, 3, 4, 4][random.below(10) as usize]];
        let atomics = [MemoryOp::AtomicAdd, MemoryOp::AtomicSwap, MemoryOp::AtomicXor, MemoryOp::AtomicMaxUnsigned];
        let mut asked = Asked {
            kind,
            core: random.below(self.config.cores as u32) as usize,
            line: random.below(self.lines.len() as u32) as usize,
            sectors: 1 + random.below((1 << self.config.sectors()) - 1) as usize,
            atomic: atomics[random.below(4) as usize],
            word: random.below(words as u32) as usize,
            data: (0..words).map(|_| random.word()).collect(),
            mask: vec![0; words],
        };
        match kind {
            L2RequestKind::Read => {}
            L2RequestKind::Write => {
                let whole = random.below(2) == 0;
                for (word, mask) in asked.mask.iter_mut().enumerate() {
                    if asked.sectors >> (word / 8) & 1 == 1 {
                        *mask = if whole { 15 } else { random.below(16) as u8 };
                    }
                }
            }
            _ => {
                asked.sectors = 1 << (asked.word / 8);
                asked.mask[asked.word] = 15;
            }
        }
        asked
    }

    /// It has been taken under this name: memory after it, and what it will get.
    pub fn take(&mut self, asked: &Asked, id: usize) {
        let Asked { kind, core, line, sectors, word, .. } = *asked;
        let old = self.lines[line].clone();
        let of_sectors = old.iter().enumerate().map(|(word, value)| (sectors >> (word / 8) & 1 == 1).then_some(*value));
        let mut awaited = Awaited { kind: L2ReplyKind::Data, words: of_sectors.collect(), success: false };
        let place = Some((line, word / 8));
        let mut writes = vec![];
        match kind {
            L2RequestKind::Read => {}
            L2RequestKind::Write => {
                awaited = Awaited { kind: L2ReplyKind::Ack, words: vec![None; old.len()], success: false };
                writes = asked.mask.iter().copied().zip(&asked.data).map(|(mask, data)| (mask, *data)).collect();
            }
            L2RequestKind::StoreConditional => {
                let success = self.reservations[core] == place;
                awaited = Awaited { kind: L2ReplyKind::Success, words: vec![None; old.len()], success };
                if success {
                    writes = asked.mask.iter().copied().zip(asked.data.clone()).collect();
                }
            }
            L2RequestKind::LoadReserved | L2RequestKind::Atomic => {
                awaited.kind = L2ReplyKind::Old;
                if kind == L2RequestKind::LoadReserved {
                    self.reservations[core] = place;
                } else {
                    let (old, operand) = (old[word], asked.data[word]);
                    let new = match asked.atomic {
                        MemoryOp::AtomicAdd => old.wrapping_add(operand),
                        MemoryOp::AtomicSwap => operand,
                        MemoryOp::AtomicXor => old ^ operand,
                        _ => old.max(operand),
                    };
                    writes = asked.mask.iter().map(|mask| (*mask, new)).collect();
                }
            }
        }
        for (word, (mask, data)) in writes.iter().enumerate() {
            self.lines[line][word] = merged(self.lines[line][word], *data, *mask);
        }
        // Those of the sectors that are written end, also its own.
        if !writes.is_empty() {
            for reservation in &mut self.reservations {
                reservation.take_if(|(at, sector)| *at == line && sectors >> *sector & 1 == 1);
            }
        }
        self.awaited.insert((core, id), awaited);
    }

    /// Drives the ports `request_*` with a request, if there is a name left for it: that name.
    pub fn drive(&self, module: &mut ModuleSimulator, asked: Option<&Asked>) -> Option<usize> {
        let named = asked.and_then(|asked| {
            let id = (0..1 << self.config.id_width).find(|id| !self.awaited.contains_key(&(asked.core, *id)))?;
            Some((asked, id))
        });
        module.set("request_valid", named.is_some() as u64);
        let (asked, id) = named?;
        module.set("request_kind", asked.kind as u64);
        module.set("request_core", asked.core);
        module.set("request_id", id);
        module.set("request_line", asked.line);
        module.set("request_sectors", asked.sectors);
        module.set("request_atomic", asked.atomic as u64);
        module.set("request_word", asked.word);
        for (word, (data, mask)) in asked.data.iter().zip(&asked.mask).enumerate() {
            module.set(&format!("request_data[{word}]"), *data);
            module.set(&format!("request_mask[{word}]"), *mask);
        }
        Some(id)
    }

    /// Checks the answer at the ports `reply_*`, which is taken.
    ///
    /// # Panics
    /// If it is another one than it has to be.
    pub fn answered(&mut self, module: &ModuleSimulator) {
        let key = (module.get("reply_core"), module.get("reply_id"));
        let awaited = self.awaited.remove(&key).unwrap_or_else(|| panic!("nobody has asked for {key:?}"));
        assert_eq!(L2ReplyKind::VARIANTS[module.get("reply_kind")], awaited.kind, "{key:?}");
        if awaited.kind == L2ReplyKind::Success {
            assert_eq!(module.get("reply_success") == 1, awaited.success, "{key:?}");
        }
        for (word, expected) in awaited.words.iter().enumerate() {
            let data = module.get(&format!("reply_data[{word}]")) as u32;
            assert!(expected.is_none_or(|expected| expected == data), "word {word} of {key:?}: {data:x}, {awaited:x?}");
        }
    }
}
