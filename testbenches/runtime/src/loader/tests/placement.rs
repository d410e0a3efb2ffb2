//! Programs that are linked elsewhere than the core has memory.
use super::*;

/// An ELF file of one segment with code, without sections, at an address.
fn linked(address: u32, words: &[u32]) -> Vec<u8> {
    let mut file = elf_of(words);
    file[24..28].copy_from_slice(&address.to_le_bytes());
    file[60..64].copy_from_slice(&address.to_le_bytes());
    file
}

/// `auipc x6, 0`, and what comes next at an offset from it.
fn relative(next: u32, offset: u32) -> [u32; 2] {
    [0x0000_0317, next | offset << 20]
}

const ADDI: u32 = 0x0003_0313;
const LW: u32 = 0x0003_2303;
const JR: u32 = 0x0003_0067;

#[test]
fn code_is_fetched_from_its_own_page_on() {
    for (address, entry) in [(0x8000_0000, 0), (0x8000_1054, 0x54), (0x1_0074, 0x74), (0x4000_0000, 0)] {
        let program = Program::from_elf("test.elf", &linked(address, &[branch(8), NOP, EXIT])).unwrap();
        assert_eq!(program.entry, entry);
        assert_eq!(program.word(entry), Some(branch(8)));
        assert_eq!(program.annotation(entry as usize / 4).rpc, Some(entry + 8));
        assert!(program.notes[0].starts_with("code is 0x"), "{:?}", program.notes);
    }
    let program = Program::from_elf("test.elf", &linked(0x1000, &[EXIT])).unwrap();
    assert_eq!((program.entry, program.notes.len()), (0x1000, 0), "near enough");
}

#[test]
fn addresses_of_code_move_and_those_of_data_do_not() {
    let [upper, jump] = relative(JR, 8);
    let program = Program::from_elf("test.elf", &linked(0x8000_0000, &[upper, jump, EXIT])).unwrap();
    assert_eq!(program.words[..2], [upper, jump]);
    let [upper, add] = relative(ADDI, 8);
    let program = Program::from_elf("test.elf", &linked(0x8000_0000, &[upper, add, EXIT])).unwrap();
    assert_eq!(program.words[..2], [upper, add], "the address of an instruction");
    // Constants between instructions are read where they were linked.
    let [upper, load] = relative(LW, 8);
    let program = Program::from_elf("test.elf", &linked(0x8000_0000, &[upper, load, EXIT])).unwrap();
    assert_eq!(program.words[..2], [upper | 0x8000_0000, load]);
    assert_eq!((program.data[0].address, program.data[0].size), (GLOBAL_BASE, 12));
}

#[test]
fn a_jump_to_where_code_was_linked_is_named() {
    // lui x6, 0x80000;  nop;  addi x6, x6, 16;  jr x6;  exit
    let words = [0x8000_0337, NOP, ADDI | 16 << 20, JR, EXIT];
    let message = message(&linked(0x8000_0000, &words));
    assert!(message.contains("the target 0x80000010 is where the code was linked"), "{message}");
    assert!(message.contains("--emit-relocs"), "{message}");
}

#[test]
fn words_that_may_be_addresses_are_counted() {
    // The file says of no part that it is data; its header does: the code is the first segment only.
    let mut file = linked(0x8000_0000, &[EXIT]);
    file[44] = 2;
    let table: Vec<u32> = vec![elf::PT_LOAD, 84, 0x8000_0000, 0x8000_0000, 4, 4, 5, 4];
    let data: Vec<u32> = vec![elf::PT_LOAD, 120, 0x8000_1000, 0x8000_1000, 12, 12, 6, 4];
    file.truncate(52);
    for word in table.into_iter().chain(data).chain([0x8000_0000, 0x8000_1000, 77]) {
        file.extend(word.to_le_bytes());
    }
    // Behind the two headers, from 116: an instruction, and three words from 120.
    file.splice(116..116, EXIT.to_le_bytes());
    file[56..60].copy_from_slice(&116u32.to_le_bytes());
    let program = Program::from_elf("test.elf", &file).unwrap();
    assert_eq!(program.words, [EXIT]);
    assert!(program.notes[1].starts_with("1 words of data may be addresses"), "{:?}", program.notes);
}
