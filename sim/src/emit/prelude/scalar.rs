/// Byte enables as bits.
#[inline]
fn bytes(m: u64) -> u64 {
    let spread = (m.wrapping_mul(0x0101_0101_0101_0101)) & 0x8040_2010_0804_0201;
    (((spread.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7) & 0x0101_0101_0101_0101).wrapping_mul(0xff)
}

/// The bits of `a` at the set bits of `m`, side by side.
#[inline]
fn extract_bits(a: u64, mut m: u64) -> u64 {
    #[cfg(target_feature = "bmi2")]
    return unsafe { core::arch::x86_64::_pext_u64(a, m) };
    let (mut result, mut at) = (0, 0);
    while m != 0 {
        result |= ((a >> m.trailing_zeros()) & 1) << at;
        at += 1;
        m &= m - 1;
    }
    result
}
