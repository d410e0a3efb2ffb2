//! Functions with several returns, and those that end with a jump to another.
use super::assembler::assemble;
use super::*;

/// The program with these labels as functions, and the reconvergence points of its branches, by label.
fn joined(text: &str, functions: &[&str]) -> (Program, Vec<(String, Option<String>)>) {
    let (assembled, labels) = assemble(text);
    let mut program = Program { notes: vec![], ..assembled };
    let functions = functions.iter().map(|name| labels[*name]).collect();
    program.analyse(Context { functions, ..Context::default() }).unwrap();
    let name = |pc: u32| program.symbols[&pc].clone();
    let is_branch = |pc: &u32| matches!(decode(program.word(*pc).unwrap()), crate::isa::Instruction::Branch { .. });
    let branches = labels.values().copied().filter(is_branch);
    let points = branches.map(|pc| (name(pc), program.annotation(pc as usize / 4).rpc.map(name))).collect();
    (program, points)
}

fn meets(branch: &str, point: &str) -> (String, Option<String>) {
    (branch.into(), Some(point.into()))
}

#[test]
fn several_returns_become_one() {
    // 0 call 8;  4 exit;  8 branch -> 24;  12 branch -> 20;  16 ret;  20 ret;  24 nop;  28 ret
    let program = load(&[jump(1, 8), EXIT, branch(16), branch(8), RET, RET, NOP, RET]).unwrap();
    assert_eq!(points(&program)[2..4], [Some(28), Some(28)]);
    assert_eq!(program.words[4..], [jump(0, 12), jump(0, 8), NOP, RET]);
    assert_eq!(
        program.notes,
        ["in the function at 0x8: the returns at 0x10, 0x14 jump to the one at 0x1c, where threads reconverge"]
    );
}

#[test]
fn returns_are_left_where_no_branch_needs_them_joined() {
    // The sides meet before; the other side ends its threads; no branch at all, in two functions.
    for words in [
        [jump(1, 8), EXIT, branch(8), NOP, RET, RET].as_slice(),
        &[jump(1, 8), EXIT, branch(8), RET, EXIT, RET],
        &[jump(1, 12), jump(1, 12), EXIT, RET, RET],
    ] {
        let program = load(words).unwrap();
        assert_eq!((program.words.as_slice(), program.notes.len()), (words, 0));
    }
}

#[test]
fn a_tail_call_returns_where_the_other_function_does() {
    let text = "
            call first
            call second
            exit
        first:
            beq  x10, x0, away
            nop
            ret
        away:
            j    second
        second:
            beq  x11, x0, end
            nop
        end:
            ret
        ";
    let (program, points) = joined(text, &["first", "second"]);
    assert_eq!(points, [meets("first", "end"), meets("second", "end")]);
    assert_eq!(program.notes.len(), 0, "the first analysis, without functions, has joined them");
    assert_eq!(program.words[5], jump(0, 16));
}

#[test]
fn both_sides_may_be_tail_calls() {
    let text = "
            call first
            exit
        first:
            beq  x10, x0, away
            j    second
        away:
            j    third
        second:
            nop
        end:
            ret
        third:
            nop
        last:
            ret
        ";
    let (program, points) = joined(text, &["first", "second", "third"]);
    assert_eq!(points, [meets("first", "last")]);
    assert_eq!(program.words[6], jump(0, 8));
}

#[test]
fn functions_that_end_with_each_other() {
    let text = "
            call even
            exit
        even:
            beq  x10, x0, yes
            addi x10, x10, -1
            j    odd
        yes:
            li   x10, 1
            ret
        odd:
            beq  x10, x0, no
            addi x10, x10, -1
            j    even
        no:
            li   x10, 0
        end:
            ret
        ";
    let (_, points) = joined(text, &["even", "odd"]);
    assert_eq!(points, [meets("even", "end"), meets("odd", "end")]);
}

#[test]
fn a_function_that_never_returns_does_not_count() {
    let text = "
            call first
            exit
        first:
            beq  x10, x0, away
        rest:
            ret
        away:
            j    stop
        stop:
            nop
            exit
        ";
    let (program, points) = joined(text, &["first", "stop"]);
    assert_eq!((points, program.notes.len()), (vec![meets("first", "rest")], 0));
}

#[test]
fn returns_by_different_registers_are_refused_by_name() {
    // 0 call 8;  4 exit;  8 branch -> 16;  12 ret;  16 jr t0
    let error = load(&[jump(1, 8), EXIT, branch(8), RET, 0x0002_8067]).unwrap_err();
    let LoadError::ControlFlow { function, pc, reason, .. } = &error else { panic!("{error}") };
    assert_eq!((function.as_str(), *pc), ("the function at 0x8", 8));
    assert_eq!(*reason, ControlFlowProblem::MeetsAtExit);
}
