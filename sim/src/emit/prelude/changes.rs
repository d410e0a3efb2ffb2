/// Words of `io` that are not what they were: their numbers (from the first output) and values. `before` is brought up to
/// date; like `io`, it has words to spare at its end.
#[no_mangle]
pub unsafe extern "C" fn warploom_changes(s: *const State, before: *mut u64, slots: *mut u32, values: *mut u64) -> usize {
    let now = (&raw const (*s).rest.io as *const u64).add(FIRST_OUTPUT);
    let mut count = 0;
    for &[start, end] in &BLOCKS {
        let mut at = start;
        while at < end {
            let old = before.add(at) as *mut W<1>;
            let new = (now.add(at) as *const W<1>).read_unaligned();
            let mut changed = !new.eq(old.read_unaligned()) & 0xffff;
            if changed != 0 {
                old.write_unaligned(new);
            }
            while changed != 0 {
                let slot = at + changed.trailing_zeros() as usize;
                slots.add(count).write(slot as u32);
                values.add(count).write(now.add(slot).read());
                count += 1;
                changed &= changed - 1;
            }
            at += 16;
        }
    }
    count
}
