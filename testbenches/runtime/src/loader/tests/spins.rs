//! Which branches and jumps close loops whose threads may wait for others.
use super::assembler::assemble;
use crate::kernels::{self, KERNELS, Kernel, Needs, SYNCHRONISING};
use crate::loader::Program;

/// The places that spin, by label.
fn spins(text: &str) -> String {
    let (program, _) = assemble(text);
    marked(&program).iter().map(|&pc| program.place(pc).to_string()).collect::<Vec<_>>().join(", ")
}

fn marked(program: &Program) -> Vec<u32> {
    (0..program.words.len()).filter(|&word| program.annotation(word).spin).map(|word| 4 * word as u32).collect()
}

/// The loop of `text` is between `before` and `behind`; whether what closes it spins.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (program, labels) = assemble(text);
    let places: Vec<u32> = expected.iter().map(|label| labels[*label]).collect();
    assert_eq!(marked(&program), places, "expected {expected:?}, marked {}, of{text}", spins(text));
}

#[test]
fn a_swap_a_ticket_and_a_flag() {
    check(
        "
        acquire:
            amoswap x5, x6, (x10)
        again:
            bne  x5, x0, acquire
            exit",
        &["again"],
    );
    check(
        "
            amoadd x5, x6, (x10)
        wait:
            lw   x7, 0(x11)
        again:
            bne  x7, x5, wait
            exit",
        &["again"],
    );
    check(
        "
            csrr x5, tid
            slli x5, x5, 2
            add  x5, x5, x10
        wait:
            lw   x7, -4(x5)
        again:
            beq  x7, x0, wait
            exit",
        &["again"],
    );
}

#[test]
fn both_loops_of_test_and_test_and_set() {
    // They have one head.
    check(
        "
        test:
            lw   x5, 0(x10)
        busy:
            bne  x5, x0, test
            amoswap x5, x6, (x10)
        lost:
            bne  x5, x0, test
            exit",
        &["busy", "lost"],
    );
    // With a loop of its own for the test.
    check(
        "
        try:
            li   x6, 1
        test:
            lw   x5, 0(x10)
        busy:
            bne  x5, x0, test
            amoswap x5, x6, (x10)
        lost:
            bne  x5, x0, try
            exit",
        &["busy", "lost"],
    );
}

#[test]
fn compare_and_swap() {
    check(
        "
        retry:
            lr   x5, (x10)
        taken:
            bne  x5, x0, retry
            sc   x7, x6, (x10)
        lost:
            bne  x7, x0, retry
            exit",
        &["taken", "lost"],
    );
    // An addition in such a loop: nobody is waited for, and nothing tells.
    check(
        "
        retry:
            lr   x5, (x10)
            add  x5, x5, x6
            sc   x7, x5, (x10)
        lost:
            bne  x7, x0, retry
            exit",
        &["lost"],
    );
}

#[test]
fn jumps_close_loops_too() {
    check(
        "
        wait:
            lw   x5, 0(x10)
            bne  x5, x0, end
            nop
        again:
            j    wait
        end:
            exit",
        &["again"],
    );
    // As `goto` may have it: the head is not the first instruction of the loop as the code lies.
    check(
        "
            j    test
        body:
            nop
            j    test
        test:
            lw   x5, 0(x10)
        again:
            beq  x5, x0, body
            exit",
        &["again"],
    );
    // As compilers put it: the end of the loop lies before its head, and another loop in it.
    check(
        "
            j    head
        last:
            bne  x5, x0, end
        head:
            lw   x5, 0(x10)
            li   x6, 8
        inner:
            addi x6, x6, -1
            bne  x6, x0, inner
        again:
            j    last
        end:
            exit",
        &["again"],
    );
    // No way out that depends on it, and none at all.
    check(
        "
        loop:
            lw   x5, 0(x10)
            j    loop",
        &[],
    );
}

#[test]
fn what_is_counted_does_not_wait() {
    check(
        "
            lw   x5, 0(x10)
        each:
            lw   x6, 4(x10)
            add  x7, x7, x6
            addi x5, x5, -1
            bne  x5, x0, each
            exit",
        &[],
    );
    check(
        "
            csrr x10, args
        each:
            lw   x5, 0(x10)         # of the argument block
            addi x6, x6, 1
            bltu x6, x5, each
            exit",
        &[],
    );
}

#[test]
fn what_is_compared_with_a_counter_does_not_wait() {
    // The bound is loaded again in every trip.
    check(
        "
        each:
            addi x6, x6, 1
            lw   x5, 0(x10)
            bltu x6, x5, each
            exit",
        &[],
    );
    // Set again in every trip, it counts nothing.
    check(
        "
        wait:
            li   x6, 1
            addi x6, x6, 1
            lw   x5, 0(x10)
        again:
            bne  x6, x5, wait
            exit",
        &["again"],
    );
    // Waiting that counts its trips.
    check(
        "
        wait:
            lw   x5, 0(x10)
            bne  x5, x0, end
            addi x6, x6, 1
        again:
            bltu x6, x7, wait
        end:
            exit",
        &["again"],
    );
}

#[test]
fn a_search_looks_like_waiting() {
    check(
        "
        each:
            lw   x5, 0(x10)
            beq  x5, x6, found
            addi x10, x10, 4
        again:
            bne  x10, x11, each
        found:
            exit",
        &["again"],
    );
    // Only where it leaves: an `if` in a loop that is counted does not.
    check(
        "
        each:
            lw   x5, 0(x10)
            beq  x5, x6, next
            addi x7, x7, 1
        next:
            addi x10, x10, 4
            bne  x10, x11, each
            exit",
        &[],
    );
}

#[test]
fn nested_loops() {
    // The inner bound is loaded in the outer loop, which is counted.
    check(
        "
        outer:
            lw   x5, 0(x10)
        inner:
            addi x5, x5, -1
            bne  x5, x0, inner
            addi x6, x6, -1
            bne  x6, x0, outer
            exit",
        &[],
    );
    // It waits inside of a counted one.
    check(
        "
        outer:
            nop
        inner:
            lw   x5, 0(x10)
        waits:
            bne  x5, x0, inner
            addi x6, x6, -1
            bne  x6, x0, outer
            exit",
        &["waits"],
    );
    // What the inner one has loaded decides about the outer one.
    check(
        "
        outer:
            li   x6, 8
        inner:
            lw   x5, 0(x10)
            add  x7, x7, x5
            addi x6, x6, -1
            bne  x6, x0, inner
        waits:
            bne  x7, x0, outer
            exit",
        &["waits"],
    );
}

#[test]
fn a_loop_that_waits_at_the_head_of_a_counted_one() {
    // for (i = n; i; i--) { while (swap(lock, 1)); ... }
    check(
        "
        acquire:
            amoswap x5, x6, (x10)
        waits:
            bne  x5, x0, acquire
            addi x7, x7, -1
            bne  x7, x0, acquire
            exit",
        &["waits"],
    );
    // A `continue` on a loaded value: who does not go back meets the others at the head.
    check(
        "
        each:
            addi x7, x7, -1
            beq  x7, x0, ends
            lw   x5, 0(x10)
            bne  x5, x0, each
            sw   x7, 4(x10)
            j    each
        ends:
            exit",
        &[],
    );
    // while (!done) if (!swap(lock, 1)) { ...; done = 1; unlock }
    check(
        "
        try:
            bne  x7, x0, ends
            amoswap x5, x6, (x10)
            bne  x5, x0, try
            li   x7, 1
            amoswap x0, x0, (x10)
            j    try
        ends:
            exit",
        &[],
    );
}

#[test]
fn only_operands_count() {
    // What is done in the `if` decides; a lock that is taken so needs no turns.
    check(
        "
        try:
            amoswap x5, x6, (x10)
            bne  x5, x0, joined
            li   x7, 1
        joined:
            beq  x7, x0, try
            exit",
        &[],
    );
}

#[test]
fn what_is_spilled_is_followed() {
    check(
        "
        loop:
            lw   x5, 8(x2)          # the counter lives on the stack
            addi x5, x5, -1
            sw   x5, 8(x2)
            bne  x5, x0, loop
            exit",
        &[],
    );
    check(
        "
        loop:
            amoswap x5, x6, (x10)
            sw   x5, 8(x2)
            lw   x7, 8(x2)
        waits:
            bne  x7, x0, loop
            exit",
        &["waits"],
    );
}

#[test]
fn calls_in_loops() {
    // What the function loads and returns.
    check(
        "
        wait:
            call function
        waits:
            bne  x10, x0, wait
            exit
        function:
            lw   x10, 0(x11)
            ret",
        &["waits"],
    );
    // One that loads, in a loop whose counter it preserves.
    check(
        "
        loop:
            call function
            addi x8, x8, -1
            bne  x8, x0, loop
            exit
        function:
            lw   x8, 0(x11)
            ret",
        &[],
    );
    // One that computes only, before the loop has loaded anything and after.
    check(
        "
        loop:
            call function
            bne  x10, x0, loop
            exit
        function:
            addi x10, x10, -1
            ret",
        &[],
    );
    check(
        "
        loop:
            lw   x10, 0(x11)
            call function
        waits:
            bne  x10, x0, loop
            exit
        function:
            addi x10, x10, -1
            ret",
        &["waits"],
    );
    check(
        "
        loop:
            calli x12
        waits:
            bne  x10, x0, loop
            exit",
        &["waits"],
    );
}

#[test]
fn irreducible_loops_are_not_marked() {
    check(
        "
            beq  x1, x2, middle
        first:
            nop
        middle:
            lw   x5, 0(x10)
            bne  x5, x0, first
            exit",
        &[],
    );
}

/// How many branches and jumps go back, in all functions of a kernel.
fn going_back(program: &Program) -> usize {
    let goes_back = |&pc: &u32| program.target(pc).is_some_and(|target| target <= pc);
    (0..program.words.len() as u32).map(|word| 4 * word).filter(goes_back).count()
}

fn list(kernels: &[Kernel]) -> String {
    let mut lines = Vec::new();
    let (mut all, mut spin) = (0, 0);
    for kernel in kernels {
        let program = kernel.binary().program();
        let places = marked(&program);
        (all, spin) = (all + going_back(&program), spin + places.len());
        if !places.is_empty() {
            let places: Vec<String> = places.iter().map(|&pc| program.place(pc).to_string()).collect();
            lines.push(format!(
                "{:<18} {} of {}: {}",
                kernel.name(),
                places.len(),
                going_back(&program),
                places.join(", ")
            ));
        }
    }
    lines.push(format!("{} of {} kernels, {spin} of {all} places", lines.len(), kernels.len()));
    lines.join("\n")
}

/// Which of the kernels that are compared may take turns without need: they search, or follow links.
#[test]
fn kernels_that_are_compared() {
    insta::assert_snapshot!(list(KERNELS), @"
    bucketsort         1 of 11: 0x234 <kernel+0x1f8>
    eigenvalues        1 of 13: 0x224 <kernel+0x1e8>
    mum                2 of 7: 0x118 <kernel+0xe4>, 0x15c <kernel+0x128>
    ray                2 of 4: 0x378 <kernel+0x344>, 0x3f8 <kernel+0x3c4>
    4 of 49 kernels, 6 of 337 places
    ");
}

#[test]
fn kernels_that_wait() {
    insta::assert_snapshot!(list(SYNCHRONISING), @"
    bounded_queue      2 of 2: 0x70 <kernel+0x3c>, 0x90 <kernel+0x5c>
    lock_list          2 of 5: 0x64 <kernel+0x30>, 0xa4 <kernel+0x70>
    lock_ranges        3 of 4: 0x78 <kernel+0x44>, 0x1bc <kernel+0x188>, 0x1c8 <kernel+0x194>
    lock_spin          1 of 1: 0x54 <kernel+0x20>
    lock_ticket        1 of 1: 0x58 <kernel+0x24>
    manager            3 of 5: 0x94 <kernel+0x60>, 0xa4 <kernel+0x70>, 0xc0 <kernel+0x8c>
    producer_consumer  1 of 1: 0x60 <kernel+0x2c>
    7 of 8 kernels, 13 of 21 places
    ");
    for kernel in kernels::all().filter(|kernel| kernel.needs() == Needs::Progress) {
        assert!(!marked(&kernel.binary().program()).is_empty(), "{} waits", kernel.name());
    }
}

#[test]
fn the_loop_around_an_instruction() {
    let (program, labels) = assemble(
        "
            nop
        outer:
            nop
        inner:
            lw   x5, 0(x10)
        waits:
            bne  x5, x0, inner
            addi x6, x6, -1
            bne  x6, x0, outer
            exit",
    );
    assert_eq!(program.waiting_loop(labels["inner"]), Some((labels["inner"], labels["waits"])));
    assert_eq!(program.waiting_loop(labels["waits"]), Some((labels["inner"], labels["waits"])));
    assert_eq!(program.waiting_loop(labels["outer"]), None, "it is counted");
}
