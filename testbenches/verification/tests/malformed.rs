//! Files that are not what they should be: whatever the bytes, the readers give a program, a listing, a checkpoint, or an error that is a
//! sentence. `PROPTEST_CASES=100000` tries more of them.
use std::fs;
use std::hash::Hasher;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::disassembly::listing;
use warploom_runtime::host::{Checkpoint, CheckpointTime, Hardware, MemoryTiming, RtlDevice};
use warploom_runtime::isa::decode;
use warploom_runtime::kernels::{self, KERNELS, Problem};
use warploom_runtime::loader::lines::SourceLines;
use warploom_runtime::loader::{Capacity, Program, signature};
use warploom_verification::core_simulator;
use warploom_verification::gpu::{gpu, small_system};

/// What is done to good bytes.
#[derive(Clone, Debug)]
enum Damage {
    /// A byte is another one.
    Byte(Index, u8),
    /// The file ends here.
    Truncate(Index),
    /// A word of one of the headers, or of a table of segments or sections, is another one: things move.
    Header(Index, u32),
    /// Bytes of one place are those of another.
    Copy(Index, Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let word = prop_oneof![
        any::<u32>(),
        prop::sample::select(vec![0, 1, 4, 0x7fff_ffff, 0x8000_0000, 0x2000_0000, 0x3000_0000, 0xffff_fff0, u32::MAX]),
        0u32..100_000,
    ];
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        any::<Index>().prop_map(Damage::Truncate),
        (any::<Index>(), word).prop_map(|(at, word)| Damage::Header(at, word)),
        (any::<Index>(), any::<Index>(), any::<u8>()).prop_map(|(from, to, size)| Damage::Copy(from, to, size)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Byte(at, byte) => *at.get_mut(bytes) = *byte,
            Self::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Self::Header(at, word) => {
                let words = header_words(bytes);
                if !words.is_empty() {
                    let place = *at.get(&words);
                    bytes[place..place + 4].copy_from_slice(&word.to_le_bytes());
                }
            }
            Self::Copy(from, to, size) => {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let size = usize::from(*size).min(bytes.len() - from.max(to));
                bytes.copy_within(from..from + size, to);
            }
        }
    }
}

/// Where the words of an ELF file's header and of its two tables are.
fn header_words(bytes: &[u8]) -> Vec<usize> {
    let number = |at: usize, size: usize| {
        bytes
            .get(at..at + size)
            .map_or(0, |bytes| bytes.iter().rev().fold(0usize, |n, byte| n << 8 | usize::from(*byte)))
    };
    let table = |start, entry, count| (number(start, 4), number(entry, 2) * number(count, 2));
    let tables = [(16, 36), table(28, 42, 44), table(32, 46, 48)];
    let words =
        tables.into_iter().flat_map(|(start, size)| (start..start.saturating_add(size).min(bytes.len())).step_by(4));
    words.filter(|place| place + 4 <= bytes.len()).collect()
}

/// Everything that reads an ELF file.
fn read_elf(bytes: &[u8]) -> Result<(), TestCaseError> {
    for kernel in signature::kernels(bytes).iter().take(3) {
        let _ = Program::from_elf_kernel("kernel.elf", bytes, &kernel.name);
    }
    let lines = SourceLines::from_elf(bytes);
    let _ = (lines.line(0), lines.line(u32::MAX), lines.files());
    let listed = listing("kernel.elf", bytes, None);
    match Program::from_elf("kernel.elf", bytes) {
        Ok(program) => {
            let _ = program.check_fits(&Capacity::of(&CoreConfig::tiny(), 1 << 20));
            let _ = (program.place(0).to_string(), program.place(u32::MAX).to_string(), program.data_end());
            prop_assert_eq!(program.words.len(), program.annotations.len());
        }
        Err(error) => {
            let text = error.to_string();
            prop_assert!(text.starts_with("kernel.elf: ") && text.len() > 20, "{}", text);
            prop_assert!(listed.is_err() || !signature::kernels(bytes).is_empty());
        }
    }
    Ok(())
}

/// A RISC-V executable with these bytes behind its identification.
fn identified(bytes: &[u8]) -> Vec<u8> {
    [b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xf3\0".to_vec(), bytes.to_vec()].concat()
}

/// A RISC-V executable with this code at address 0.
fn executable(words: &[u32]) -> Vec<u8> {
    let size = 4 * words.len() as u32;
    let header = [1u32, 0, 52, 0, 0].map(u32::to_le_bytes).concat();
    let counts = [52u16, 32, 1, 40, 0, 0].map(u16::to_le_bytes).concat();
    let segment = [1u32, 84, 0, 0, size, size, 5, 4].map(u32::to_le_bytes).concat();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    identified(&[header, counts, segment, code].concat())
}

/// The same with a section of kernels' signatures.
fn signed(json: &[u8]) -> Vec<u8> {
    let names = b"\0.warploom.kernels\0.shstrtab\0";
    let mut bytes = executable(&[0x13, 0x100b]);
    let (json_at, names_at) = (bytes.len() as u32, (bytes.len() + json.len()) as u32);
    bytes.extend_from_slice(json);
    bytes.extend_from_slice(names);
    let table = bytes.len() as u32;
    let (json_size, names_size) = (json.len() as u32, names.len() as u32);
    for section in
        [[0; 10], [1, 1, 0, 0, json_at, json_size, 0, 0, 1, 0], [19, 3, 0, 0, names_at, names_size, 0, 0, 1, 0]]
    {
        bytes.extend(section.iter().flat_map(|word: &u32| word.to_le_bytes()));
    }
    bytes[32..36].copy_from_slice(&table.to_le_bytes());
    bytes[48..52].copy_from_slice(&[3, 0, 2, 0]);
    bytes
}

/// Checkpoints of real runs, as bytes: of a core alone, and of a GPU.
static CHECKPOINTS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let config = CoreConfig::tiny();
    let core = RtlDevice::new(core_simulator(&config, &Default::default()), config.clone(), MemoryTiming::default());
    let gpu = gpu(small_system(&config, 2));
    [Hardware::Core(Box::new(core)), Hardware::Gpu(Box::new(gpu), 0)].map(checkpoint)
});

fn checkpoint(mut hardware: Hardware<'static>) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let place = path.clone();
    let keep = move |checkpoint: Checkpoint| checkpoint.write(&place).unwrap();
    hardware.set_checkpoints(CheckpointTime::At(1000), "{}".into(), keep);
    let kernel = kernels::find("gcd").unwrap();
    kernels::run(kernel, hardware.device(), &Problem::new(kernel.sizes().smoke)).unwrap();
    fs::read(path).unwrap()
}

fn read_checkpoint(bytes: &[u8]) -> Result<Checkpoint, String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.checkpoint");
    fs::write(&path, bytes).unwrap();
    Checkpoint::read(Path::new(&path)).map_err(|error| error.to_string())
}

proptest! {
    #[test]
    fn elf_of_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_elf(&bytes)?;
        read_elf(&identified(&bytes))?;
    }

    #[test]
    fn elf_of_damaged_kernels(kernel in any::<Index>(), damages in prop::collection::vec(damage(), 1..6)) {
        let mut bytes = kernel.get(KERNELS).binary().elf.to_vec();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        read_elf(&bytes)?;
    }

    #[test]
    fn random_instructions(words in prop::collection::vec(any::<u32>(), 1..40)) {
        for word in &words {
            let _ = decode(*word);
        }
        read_elf(&executable(&words))?;
        let _ = Program::from_words("words", words);
    }

    /// Of which most are instructions of some kind: branches and jumps to anywhere near.
    #[test]
    fn random_control_flow(words in prop::collection::vec((any::<u32>(), 0..6usize), 1..40)) {
        let opcodes = [0x63, 0x6f, 0x67, 0x13, 0x0b, 0x73];
        let near = |(word, kind): (u32, usize)| {
            let word = word & !0x7f | opcodes[kind];
            // The upper bits of an offset would lead far away.
            if kind == 0 { word & 0x01ff_ff7f } else if kind == 1 { word & 0x03e0_0fff } else { word }
        };
        let words: Vec<u32> = words.into_iter().map(near).collect();
        read_elf(&executable(&words))?;
    }

    #[test]
    fn random_signatures(json in prop::collection::vec(any::<u8>(), 0..200)) {
        read_elf(&signed(&json))?;
    }

    #[test]
    fn damaged_signatures(damages in prop::collection::vec(damage(), 0..4)) {
        let mut json = br#"[{"name":"add","parameters":[{"name":"a","type_name":"int*","space":"global"},{"name":"n","type_name":"uint","space":"private"}],"work_group":[64,1,1]}]"#.to_vec();
        prop_assert_eq!(signature::kernels(&signed(&json)).len(), 1);
        damages.iter().for_each(|damage| damage.apply(&mut json));
        read_elf(&signed(&json))?;
    }

    #[test]
    fn damaged_checkpoints(whole in select(&CHECKPOINTS[..]), damages in prop::collection::vec(damage(), 1..6)) {
        let mut bytes = whole.clone();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        match read_checkpoint(&bytes) {
            Ok(_) => prop_assert!(bytes == whole, "what is damaged has been read"),
            Err(error) => prop_assert!(error.contains("a.checkpoint: "), "{}", error),
        }
    }

    /// Damaged before the length and the checksum were put to it.
    #[test]
    fn checkpoints_of_damaged_contents(
        whole in select(&CHECKPOINTS[..]),
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let mut packed = whole[28..].to_vec();
        damages.iter().for_each(|damage| damage.apply(&mut packed));
        let mut hasher = XxHash64::default();
        hasher.write(&packed);
        let header = [&whole[..12], &(packed.len() as u64).to_le_bytes(), &hasher.finish().to_le_bytes()].concat();
        if let Err(error) = read_checkpoint(&[header, packed].concat()) {
            prop_assert!(error.contains("a.checkpoint: "), "{}", error);
        }
    }
}

#[test]
fn a_checkpoint_that_claims_to_be_enormous() {
    let packed = u32::MAX.to_le_bytes();
    let mut hasher = XxHash64::default();
    hasher.write(&packed);
    let header = [&CHECKPOINTS[0][..12], &4u64.to_le_bytes(), &hasher.finish().to_le_bytes()].concat();
    let error = read_checkpoint(&[header, packed.to_vec()].concat()).map(|_| ()).unwrap_err();
    assert!(error.contains("the checkpoint is damaged: "), "{error}");
}
