/// Byte enables as bits.
#[inline(always)]
fn bytes(m: u64) -> u64 {
    let spread = (m.wrapping_mul(0x0101_0101_0101_0101)) & 0x8040_2010_0804_0201;
    (((spread.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7) & 0x0101_0101_0101_0101).wrapping_mul(0xff)
}
