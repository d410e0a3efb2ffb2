/// Registers: NEON, which every aarch64 has. 16 lanes are four registers of 32-bit or eight of 64-bit elements.
mod registers {
    pub use super::words128::*;
    pub use core::arch::aarch64::*;

    pub type R32 = uint32x4_t;
    pub type R64 = uint64x2_t;

    both! {
        and32 and64(a, b) = vandq_u32, vandq_u64;
        or32 or64(a, b) = vorrq_u32, vorrq_u64;
        xor32 xor64(a, b) = veorq_u32, veorq_u64;
        add32 add64(a, b) = vaddq_u32, vaddq_u64;
        sub32 sub64(a, b) = vsubq_u32, vsubq_u64;
        mul32 mul64(a, b) = vmulq_u32, product64;
        shl32 shl64(a, b) = up32, up64;
        shr32 shr64(a, b) = down32, down64;
        sra32 sra64(a, b) = signed_down32, signed_down64;
    }
    /// Of halves, since there is no product of 64 bits.
    #[inline]
    unsafe fn product64(a: R64, b: R64) -> R64 {
        let crossed = vmulq_u32(vreinterpretq_u32_u64(a), vrev64q_u32(vreinterpretq_u32_u64(b)));
        vmlal_u32(vshlq_n_u64::<32>(vpaddlq_u32(crossed)), vmovn_u64(a), vmovn_u64(b))
    }
    /// A shift takes its amount from the lowest byte, signed: down if it is negative. Of what is too much, this is enough.
    #[inline]
    unsafe fn amounts32(b: R32) -> int32x4_t { vreinterpretq_s32_u32(vminq_u32(b, splat32(32))) }
    #[inline]
    unsafe fn amounts64(b: R64) -> int64x2_t {
        let most = splat64(64);
        vreinterpretq_s64_u64(vbslq_u64(vcgtq_u64(b, most), most, b))
    }
    #[inline]
    unsafe fn up32(a: R32, b: R32) -> R32 { vshlq_u32(a, amounts32(b)) }
    #[inline]
    unsafe fn up64(a: R64, b: R64) -> R64 { vshlq_u64(a, amounts64(b)) }
    #[inline]
    unsafe fn down32(a: R32, b: R32) -> R32 { vshlq_u32(a, vnegq_s32(amounts32(b))) }
    #[inline]
    unsafe fn down64(a: R64, b: R64) -> R64 { vshlq_u64(a, vnegq_s64(amounts64(b))) }
    #[inline]
    unsafe fn signed_down32(a: R32, b: R32) -> R32 {
        vreinterpretq_u32_s32(vshlq_s32(vreinterpretq_s32_u32(a), vnegq_s32(amounts32(b))))
    }
    #[inline]
    unsafe fn signed_down64(a: R64, b: R64) -> R64 {
        vreinterpretq_u64_s64(vshlq_s64(vreinterpretq_s64_u64(a), vnegq_s64(amounts64(b))))
    }
    #[inline]
    unsafe fn halves_popcount(a: uint8x16_t) -> uint32x4_t { vpaddlq_u16(vpaddlq_u8(vcntq_u8(a))) }
    #[inline]
    pub fn popcount32(a: R32) -> R32 { unsafe { halves_popcount(vreinterpretq_u8_u32(a)) } }
    #[inline]
    pub fn popcount64(a: R64) -> R64 { unsafe { vpaddlq_u32(halves_popcount(vreinterpretq_u8_u64(a))) } }
    /// A lane's bit in each lane.
    #[inline]
    fn positions32() -> R32 { from32([1, 2, 4, 8]) }
    #[inline]
    fn positions64() -> R64 { from64([1, 2]) }
    #[inline]
    unsafe fn bits32(a: R32) -> u64 { vaddvq_u32(vandq_u32(a, positions32())) as u64 }
    #[inline]
    unsafe fn bits64(a: R64) -> u64 { vaddvq_u64(vandq_u64(a, positions64())) }
    #[inline]
    pub fn lanes32(m: u64) -> R32 { unsafe { vtstq_u32(splat32(m as u32), positions32()) } }
    #[inline]
    pub fn lanes64(m: u64) -> R64 { unsafe { vtstq_u64(splat64(m), positions64()) } }
    macro_rules! compares {
        ($($name:ident $name64:ident = $f:ident, $f64:ident;)*) => {$(
            #[inline]
            pub fn $name(a: R32, b: R32) -> u64 { unsafe { bits32($f(a, b)) } }
            #[inline]
            pub fn $name64(a: R64, b: R64) -> u64 { unsafe { bits64($f64(a, b)) } }
        )*};
    }
    compares! {
        eq32 eq64 = vceqq_u32, vceqq_u64;
        lt32 lt64 = vcltq_u32, vcltq_u64;
        slt32 slt64 = signed_below32, signed_below64;
        test32 test64 = vtstq_u32, vtstq_u64;
    }
    #[inline]
    unsafe fn signed_below32(a: R32, b: R32) -> R32 { vcltq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b)) }
    #[inline]
    unsafe fn signed_below64(a: R64, b: R64) -> R64 { vcltq_s64(vreinterpretq_s64_u64(a), vreinterpretq_s64_u64(b)) }
    #[inline]
    pub fn splat32(a: u32) -> R32 { unsafe { vdupq_n_u32(a) } }
    #[inline]
    pub fn splat64(a: u64) -> R64 { unsafe { vdupq_n_u64(a) } }
    #[inline]
    pub fn select32(m: u64, a: R32, b: R32) -> R32 { unsafe { vbslq_u32(lanes32(m), a, b) } }
    #[inline]
    pub fn select64(m: u64, a: R64, b: R64) -> R64 { unsafe { vbslq_u64(lanes64(m), a, b) } }
    #[inline]
    pub fn widen(a: [R32; 4]) -> [R64; 8] {
        unsafe {
            let (low, high) = (|a| vmovl_u32(vget_low_u32(a)), |a| vmovl_high_u32(a));
            [low(a[0]), high(a[0]), low(a[1]), high(a[1]), low(a[2]), high(a[2]), low(a[3]), high(a[3])]
        }
    }
    #[inline]
    pub fn narrow(a: [R64; 8]) -> [R32; 4] {
        unsafe {
            let pair = |a: R64, b: R64| vuzp1q_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b));
            [pair(a[0], a[1]), pair(a[2], a[3]), pair(a[4], a[5]), pair(a[6], a[7])]
        }
    }
    /// Lane `l ^ J` in lane `l`, for J = 1, 2, 4 or 8.
    #[inline]
    pub fn partners32<const J: usize>(a: [R32; 4]) -> [R32; 4] {
        match J {
            8 => [a[2], a[3], a[0], a[1]],
            4 => [a[1], a[0], a[3], a[2]],
            2 => unsafe { a.map(|a| vextq_u32::<2>(a, a)) },
            _ => unsafe { a.map(|a| vrev64q_u32(a)) },
        }
    }
    /// By tables of 64 bytes, in which numbers past the end leave what was found: no group has more than 64 lanes, whose bytes a byte can number.
    #[inline]
    pub fn lookup32<const C: usize>(table: &[[R32; 4]; C], index: [R32; 4], m: u64) -> [R32; 4] {
        let of = |index: R32, m: u64| unsafe {
            let bytes = vreinterpretq_u8_u32(vmlaq_u32(splat32(0x0302_0100), index, splat32(0x0404_0404)));
            let mut found = vdupq_n_u8(0);
            for (c, words) in table.iter().enumerate() {
                found = vqtbx4q_u8(found, core::mem::transmute(*words), vsubq_u8(bytes, vdupq_n_u8(64 * c as u8)));
            }
            and32(vreinterpretq_u32_u8(found), lanes32(m))
        };
        [of(index[0], m), of(index[1], m >> 4), of(index[2], m >> 8), of(index[3], m >> 12)]
    }
}
