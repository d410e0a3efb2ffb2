//! Indirect jumps: where they lead, and what is said where that is not known.
use super::assembler::assemble;
use super::*;

/// The reconvergence point of the branch at a label.
fn point(text: &str, label: &str) -> Option<u32> {
    let (program, labels) = assemble(text);
    assert_eq!(program.notes, [""; 0]);
    program.annotation(labels[label] as usize / 4).rpc
}

#[test]
fn a_jump_to_a_label_leads_there() {
    let text = "
        first:
            beq   x1, x2, one
            nop
        one:
            auipc x6, 0
            addi  x6, x6, 16
            jalr  x0, 0(x6)
            exit
        second:
            beq   x3, x4, two       # only the jump leads here
            nop
        two:
            exit
        ";
    assert_eq!(point(text, "first"), Some(8));
    assert_eq!(point(text, "second"), Some(32));
}

#[test]
fn a_jump_that_keeps_where_it_was_may_come_back() {
    let text = "
            auipc x6, 0
            addi  x6, x6, 20
            jalr  x7, 0(x6)
            exit
            nop
        target:
            beq   x3, x4, two
            nop
        two:
            jalr  x0, 0(x7)
        ";
    assert_eq!(point(text, "target"), Some(28));
}

#[test]
fn a_call_with_another_link_returns() {
    // jal x7, f is written by hand: the assembler has no other link.
    let program = load(&[jump(7, 8), EXIT, branch(8), NOP, 0x0003_8067]).unwrap();
    assert_eq!((points(&program)[2], program.notes.len()), (Some(16), 0));
}

#[test]
fn one_of_two_labels() {
    let text = "
            auipc x6, 0
            addi  x6, x6, 24
        first:
            beq   x1, x2, go
            nop
            addi  x6, x6, 8
        go:
            jalr  x0, 0(x6)
        left:
            nop
            j     end
        right:
            nop
        end:
            exit
        ";
    assert_eq!(point(text, "first"), Some(20));
    let (program, labels) = assemble(text);
    for label in ["left", "right", "end"] {
        assert!(program.blocks.contains(&labels[label]), "{label}");
    }
}

/// A switch whose table lies at the start of global memory.
fn switch(table: &[u32], read_only: bool) -> Program {
    let (mut program, _) = assemble(
        "
        first:
            li    x7, 2
            bltu  x7, x10, end
            slli  x10, x10, 2
            lui   x6, 524288
            add   x6, x6, x10
            lw    x6, 0(x6)
            jalr  x0, 0(x6)
            beq   x1, x2, end       # 28
            j     end
            nop                     # 36
            j     end
            nop                     # 44
        end:
            exit                    # 48
        ",
    );
    let bytes: Vec<u8> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
    let size = bytes.len() as u32;
    program.data = vec![DataSegment { address: GLOBAL_BASE, bytes, size }];
    program.notes.clear();
    let read_only = Some(GLOBAL_BASE..GLOBAL_BASE + size).filter(|_| read_only).into_iter().collect();
    program.analyse(Context { read_only, ..Context::default() }).unwrap();
    program
}

#[test]
fn a_jump_table_is_read_as_far_as_its_index_goes() {
    // What lies behind the table is no target.
    let program = switch(&[28, 36, 44, 3], true);
    assert_eq!(program.notes, [""; 0]);
    assert_eq!(points(&program)[1], Some(48), "the branch before it");
    assert_eq!(points(&program)[7], Some(48), "a branch behind it");
    assert!([28, 36, 44].iter().all(|target| program.blocks.contains(target)));
}

#[test]
fn a_table_that_may_be_written_is_a_guess() {
    let program = switch(&[28, 36, 44], false);
    let [note] = &program.notes[..] else { panic!("{:?}", program.notes) };
    assert!(note.contains("in function `first`, at 0x18"), "{note}");
    assert!(note.contains("0x1c <first+0x1c>, 0x24 <first+0x24>, 0x2c <first+0x2c>, which is not certain"), "{note}");
    assert_eq!(points(&program)[7], Some(48));
    assert!(program.annotations.iter().all(|annotation| !annotation.uniform && annotation.meeting_block.is_none()));
}

#[test]
fn branches_before_an_unknown_jump_never_meet() {
    // 0 branch -> 8;  4 nop;  8 branch -> 20;  12 nop;  16 jr a0;  20 exit
    let program = load(&[branch(8), NOP, branch(12), NOP, 0x0005_0067, EXIT]).unwrap();
    assert_eq!(points(&program)[0], Some(8));
    let program = load(&[branch(12), NOP, 0x0005_0067, 0x0005_0067]).unwrap();
    assert_eq!(points(&program)[0], None);
    assert_eq!(program.notes.len(), 2);
    assert_eq!(
        program.notes[0],
        "in the function at 0x0, at 0x8: an indirect jump whose targets are not known: the branches before it \
         reconverge only when their threads end"
    );
}

#[test]
fn a_jump_out_of_the_code_is_a_trap() {
    // 0 call 8;  4 exit;  8 branch -> 20;  12 lui x6, 0x10000;  16 jr x6;  20 nop;  24 ret: who jumps does not come back.
    let program = load(&[jump(1, 8), EXIT, branch(12), 0x1000_0337, 0x0003_0067, NOP, RET]).unwrap();
    assert_eq!((points(&program)[2], program.notes.len()), (Some(20), 0));
}

#[test]
fn instructions_of_16_bits_are_named() {
    let mut file = elf_of(&[NOP, 0x4501_4501, EXIT]);
    assert!(Program::from_elf("test.elf", &file).is_ok(), "an illegal instruction ends its thread with a trap");
    file[36] = 1;
    let message = message(&file);
    assert!(message.contains("at 0x4: an instruction of 16 bits"), "{message}");
    assert!(message.contains("without c"), "{message}");
}
