//! Annotations of small programs and of kernels.
use super::assembler::assemble;
use crate::isa::{Instruction, decode};
use crate::kernels::{KERNELS, micro};
use crate::loader::{Annotation, Program};

/// The branches, by their places, with everything known of them.
fn branches(program: &Program) -> String {
    let place = |point: Option<u32>| point.map_or("-".into(), |pc| program.place(pc).to_string());
    let mut lines = Vec::new();
    for index in 0..program.words.len() {
        let annotation = program.annotation(index);
        if matches!(decode(program.words[index]), Instruction::Branch { .. }) {
            let at = program.place(4 * index as u32).to_string();
            let (rpc, lpc) = (place(annotation.rpc), place(annotation.lpc));
            let kind = kind(annotation);
            lines.push(format!("{at:<22} rpc {rpc:<22} lpc {lpc:<22} {kind}"));
        }
    }
    lines.join("\n")
}

fn kind(annotation: Annotation) -> &'static str {
    match (annotation.uniform, annotation.data_dependent) {
        (true, false) => "uniform",
        (true, true) => "uniform, data",
        (false, false) => "programmatic",
        (false, true) => "data",
    }
}

/// The kinds of the branches at these labels.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let (program, labels) = assemble(text);
    for (label, expected) in expected {
        assert_eq!(kind(program.annotation(labels[*label] as usize / 4)), *expected, "{label} of{text}");
    }
}

#[test]
fn a_break_has_a_likely_convergence_point() {
    // The figure has LPC = E and RPC = F for A.
    let program = micro::find("likely_convergence").unwrap().binary.program();
    insta::assert_snapshot!(branches(&program), @"
    0x38 <A+0x4>           rpc 0x5c <F>               lpc 0x4c <E>               data
    0x44 <C>               rpc 0x5c <F>               lpc 0x4c <E>               data
    0x58 <E+0xc>           rpc 0x5c <F>               lpc -                      programmatic
    ");
}

#[test]
fn a_point_is_the_first_instruction_of_the_block_that_ends_with_the_backward_branch() {
    let (program, _) = assemble(
        "
        loop:
            beq  x1, x2, skip
            beq  x1, x3, leave
        skip:
            nop
            call function
            nop
            bne  x4, x5, loop
            exit
        leave:
            nop
            exit
        function:
            ret
        ",
    );
    insta::assert_snapshot!(branches(&program), @"
    0x0 <loop>             rpc -                      lpc 0x8 <skip>             programmatic
    0x4 <loop+0x4>         rpc -                      lpc 0x8 <skip>             programmatic
    0x14 <skip+0xc>        rpc -                      lpc -                      programmatic
    ");
}

#[test]
fn no_likely_point_where_the_sides_meet_earlier_or_cannot_come_by() {
    let (program, _) = assemble(
        "
        loop:
            beq  x1, x2, joined     # an `if` that ends inside the body
            nop
        joined:
            beq  x1, x3, end        # one side leaves at once
            nop
            bne  x4, x5, loop       # the backward branch itself
        end:
            beq  x1, x2, last       # in no loop
            nop
        last:
            exit
        ",
    );
    insta::assert_snapshot!(branches(&program), @"
    0x0 <loop>             rpc 0x8 <joined>           lpc -                      programmatic
    0x8 <joined>           rpc 0x14 <end>             lpc -                      programmatic
    0x10 <joined+0x8>      rpc 0x14 <end>             lpc -                      programmatic
    0x14 <end>             rpc 0x1c <last>            lpc -                      programmatic
    ");
}

#[test]
fn the_closest_of_nested_loops() {
    let (program, _) = assemble(
        "
        outer:
            nop
        inner:
            beq  x1, x2, away
            nop
            bne  x4, x5, inner
            beq  x1, x3, away
            nop
            bne  x6, x7, outer
            exit
        away:
            nop
            exit
        ",
    );
    insta::assert_snapshot!(branches(&program), @"
    0x4 <inner>            rpc -                      lpc 0x8 <inner+0x4>        programmatic
    0xc <inner+0x8>        rpc -                      lpc -                      programmatic
    0x10 <inner+0xc>       rpc -                      lpc 0x14 <inner+0x10>      programmatic
    0x18 <inner+0x14>      rpc -                      lpc -                      programmatic
    ");
}

#[test]
fn sources_of_values() {
    check(
        "
            csrr x1, tid
            csrr x2, ctaid
            csrr x3, ntid
            csrr x4, args
            li   x5, 3
            lw   x6, 32(x4)
            addi x4, x4, 4
            lw   x7, 0(x4)
            lw   x8, 32(x4)         # behind the block
            lw   x9, 0(x6)          # through a pointer
            add  x10, x7, x2
            csrr x11, lane
            csrr x12, warp
            csrr x13, core
            ballot x14, x2
            ballot x15, x9
            add  x16, x9, x1
        constants:
            beq  x5, x2, a
        a:
        arguments:
            beq  x6, x10, b
        b:
        core:
            beq  x13, x3, c
        c:
        thread:
            beq  x1, x2, d
        d:
        lane:
            beq  x11, x0, e
        e:
        warp:
            beq  x12, x0, f
        f:
        behind:
            beq  x8, x0, g
        g:
        pointer:
            beq  x9, x0, h
        h:
        votes:
            beq  x14, x0, i
        i:
        votes_on_data:
            beq  x15, x0, k
        k:
        mixture:
            beq  x16, x5, l
        l:
            li   x9, 1
        cleared:
            beq  x9, x5, m
        m:
        unknown:
            beq  x31, x0, n
        n:
            exit
        ",
        &[
            ("constants", "uniform"),
            ("arguments", "uniform"),
            ("core", "uniform"),
            ("thread", "programmatic"),
            ("lane", "programmatic"),
            ("warp", "programmatic"),
            ("behind", "data"),
            ("pointer", "data"),
            ("votes", "programmatic"),
            ("votes_on_data", "data"),
            ("mixture", "data"),
            ("cleared", "uniform"),
            ("unknown", "programmatic"),
        ],
    );
}

#[test]
fn sides_of_a_divergent_branch_disagree_where_they_meet() {
    let text = |condition: &str| {
        format!(
            "
            csrr x1, {condition}
            csrr x9, args
            li   x2, 1
            li   x3, 1
        first:
            beq  x1, x0, else
            li   x2, 2
            lw   x4, 0(x9)
        inside:
            beq  x2, x0, joined     # whoever is here has taken this side
            nop
            j    joined
        else:
            lw   x4, 4(x9)
        joined:
            nop
        written:
            beq  x2, x0, a
        a:
        loaded:
            beq  x4, x0, b
        b:
        kept:
            beq  x3, x0, c
        c:
            exit
            "
        )
    };
    check(
        &text("tid"),
        &[("inside", "uniform"), ("written", "programmatic"), ("loaded", "programmatic"), ("kept", "uniform")],
    );
    check(&text("ctaid"), &[("first", "uniform"), ("written", "uniform"), ("loaded", "uniform"), ("kept", "uniform")]);
}

#[test]
fn threads_that_leave_a_loop_at_different_trips_disagree_behind_it() {
    check(
        "
            csrr x1, tid
            csrr x2, ntid
            li   x3, 0
        loop:
            addi x3, x3, 1
        trips:
            beq  x3, x2, end        # those still in the loop agree
            nop
        leave:
            bne  x1, x3, loop
        end:
            nop
        counter:
            beq  x3, x2, a
        a:
            li   x3, 0
        again:
            addi x3, x3, 1
            bne  x3, x2, again
        same:
            beq  x3, x2, b          # all leave at the same trip
        b:
            exit
        ",
        &[("trips", "uniform"), ("leave", "programmatic"), ("counter", "programmatic"), ("same", "uniform")],
    );
}

#[test]
fn a_divergent_if_leaves_the_counter_of_the_loop_around_it_alone() {
    check(
        "
            csrr x1, tid
            csrr x2, ntid
            li   x3, 0
        loop:
            beq  x1, x3, skip
            nop
        skip:
            addi x3, x3, 1
        counter:
            bne  x3, x2, loop
            exit
        ",
        &[("counter", "uniform")],
    );
}

#[test]
fn a_counter_is_not_uniform_where_threads_of_different_trips_may_meet() {
    // Behind `leave`, most threads go on to the end of the inner loop, which is its likely-convergence point. The
    // others leave both loops or come back by the outer one, a trip later, and meet those that wait at that point.
    check(
        "
        csrr x1, tid
        csrr x2, ntid
        li   x3, 0
    outer:
        addi x3, x3, 1
    inner:
        nop
    leave:
        beq  x1, x3, away
        addi x4, x4, 1
    counter:
        bne  x3, x2, inner
        j    end
    away:
        beq  x1, x4, end
        nop
        j    outer
    end:
        exit
        ",
        &[("counter", "programmatic")],
    );
}

#[test]
fn a_function_sees_all_its_calls_and_keeps_what_it_does_not_write() {
    check(
        "
            csrr x10, ctaid
            li   x11, 1
            call function
        kept:
            beq  x11, x0, a
        a:
        result:
            beq  x12, x0, b
        b:
            csrr x10, tid
            call function
            exit
        function:
            addi x12, x10, 1
        parameter:
            beq  x10, x0, c
        c:
            nop
            ret
        ",
        &[("kept", "uniform"), ("result", "programmatic"), ("parameter", "programmatic")],
    );
    check(
        "
            csrr x10, ctaid
            call function
        result:
            beq  x12, x0, a
        a:
            exit
        function:
            addi x12, x10, 1
        parameter:
            beq  x10, x0, b
        b:
            nop
            ret
        ",
        &[("result", "uniform"), ("parameter", "uniform")],
    );
}

#[test]
fn a_call_on_one_side_writes_what_the_function_writes() {
    check(
        "
            csrr x2, tid
            li   x10, 1
            li   x11, 1
            beq  x2, x0, joined
            call function
        joined:
            nop
        written:
            beq  x10, x0, a
        a:
        kept:
            beq  x11, x0, b
        b:
            exit
        function:
            li   x10, 2
            ret
        ",
        &[("written", "programmatic"), ("kept", "uniform")],
    );
}

#[test]
fn after_an_indirect_call_nothing_is_known() {
    check(
        "
            li   x10, 1
        before:
            beq  x10, x0, a
        a:
            calli x12
        after:
            beq  x11, x0, b
        b:
            exit
        ",
        &[("before", "uniform"), ("after", "data")],
    );
}

/// Instructions behind the point where the branch at `branch` reconverges, if the program may be divided there.
fn meeting_block(diverged: &str, then: &str) -> Option<u32> {
    let text = format!(
        "
        branch:
            beq  x1, x2, end
            {diverged}
        end:
            nop
            nop
            {then}
            exit
        function:
            ret
        rendezvous:
            barrier
            ret
        "
    );
    let (program, labels) = assemble(&text);
    program.annotation(labels["branch"] as usize / 4).meeting_block
}

#[test]
fn programs_that_may_be_divided() {
    assert_eq!(meeting_block("nop", "nop"), Some(4));
    assert_eq!(meeting_block("nop", "barrier"), Some(4), "all come to the barrier");
    assert_eq!(meeting_block("barrier", "nop"), None, "some come to the barrier");
    assert_eq!(meeting_block("call function", "nop"), Some(4));
    assert_eq!(meeting_block("call function", "call function"), None, "splits that meet there return to two places");
    assert_eq!(meeting_block("nop", "calli x10"), None, "to some function");
    assert_eq!(
        meeting_block("nop", "call rendezvous\ncall rendezvous"),
        Some(5),
        "all come to the first, then all to the second"
    );
    assert_eq!(meeting_block("call rendezvous", "nop"), None, "some come to the barrier");
}

#[test]
fn kernels() {
    for name in ["backprop", "bfs", "bitonic", "mandelbrot", "matmul", "reduction"] {
        let kernel = KERNELS.iter().find(|kernel| kernel.name() == name).unwrap();
        insta::assert_snapshot!(name, branches(&kernel.binary().program()));
    }
}
