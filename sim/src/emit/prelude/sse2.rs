/// Registers: SSE2, which every x86-64 has. 16 lanes are four registers of 32-bit or eight of 64-bit elements.
mod registers {
    pub use super::words128::*;
    pub use core::arch::x86_64::*;

    pub type R32 = __m128i;
    pub type R64 = __m128i;

    #[inline]
    fn words32(a: R32) -> [u32; 4] { unsafe { core::mem::transmute(a) } }
    #[inline]
    fn words64(a: R64) -> [u64; 2] { unsafe { core::mem::transmute(a) } }
    #[inline]
    fn each32(a: R32, b: R32, f: impl Fn(u32, u32) -> u32) -> R32 {
        let (a, b) = (words32(a), words32(b));
        from32([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
    }
    #[inline]
    fn each64(a: R64, b: R64, f: impl Fn(u64, u64) -> u64) -> R64 {
        let (a, b) = (words64(a), words64(b));
        from64([f(a[0], b[0]), f(a[1], b[1])])
    }
    both! {
        and32 and64(a, b) = _mm_and_si128, _mm_and_si128;
        or32 or64(a, b) = _mm_or_si128, _mm_or_si128;
        xor32 xor64(a, b) = _mm_xor_si128, _mm_xor_si128;
        add32 add64(a, b) = _mm_add_epi32, _mm_add_epi64;
        sub32 sub64(a, b) = _mm_sub_epi32, _mm_sub_epi64;
    }
    macro_rules! words {
        ($($name:ident $name64:ident = $f:expr, $f64:expr;)*) => {$(
            #[inline]
            pub fn $name(a: R32, b: R32) -> R32 { each32(a, b, $f) }
            #[inline]
            pub fn $name64(a: R64, b: R64) -> R64 { each64(a, b, $f64) }
        )*};
    }
    words! {
        mul32 mul64 = |a, b| a.wrapping_mul(b), |a, b| a.wrapping_mul(b);
        shl32 shl64 = |a, b| if b < 32 { a << b } else { 0 }, |a, b| if b < 64 { a << b } else { 0 };
        shr32 shr64 = |a, b| if b < 32 { a >> b } else { 0 }, |a, b| if b < 64 { a >> b } else { 0 };
        sra32 sra64 = |a, b| (a as i32 >> b.min(31)) as u32, |a, b| (a as i64 >> b.min(63)) as u64;
    }
    #[inline]
    pub fn popcount32(a: R32) -> R32 { each32(a, a, |a, _| a.count_ones()) }
    #[inline]
    pub fn popcount64(a: R64) -> R64 { each64(a, a, |a, _| a.count_ones() as u64) }
    #[inline]
    unsafe fn bits32(a: R32) -> u64 { _mm_movemask_ps(_mm_castsi128_ps(a)) as u8 as u64 }
    #[inline]
    unsafe fn bits64(a: R64) -> u64 { _mm_movemask_pd(_mm_castsi128_pd(a)) as u8 as u64 }
    #[inline]
    pub unsafe fn lanes32(m: u64) -> R32 {
        let position = _mm_setr_epi32(1, 2, 4, 8);
        _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(m as i32), position), position)
    }
    #[inline]
    pub unsafe fn lanes64(m: u64) -> R64 {
        let position = _mm_setr_epi32(1, 1, 2, 2);
        _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(m as i32), position), position)
    }
    #[inline]
    pub fn eq32(a: R32, b: R32) -> u64 { unsafe { bits32(_mm_cmpeq_epi32(a, b)) } }
    #[inline]
    pub fn eq64(a: R64, b: R64) -> u64 {
        unsafe {
            let halves = _mm_cmpeq_epi32(a, b);
            bits64(_mm_and_si128(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves)))
        }
    }
    #[inline]
    pub fn slt32(a: R32, b: R32) -> u64 { unsafe { bits32(_mm_cmpgt_epi32(b, a)) } }
    #[inline]
    pub fn slt64(a: R64, b: R64) -> u64 {
        let (a, b) = (words64(a), words64(b));
        ((a[0] as i64) < b[0] as i64) as u64 | (((a[1] as i64) < b[1] as i64) as u64) << 1
    }
    #[inline]
    pub fn lt32(a: R32, b: R32) -> u64 { let s = splat32(1 << 31); slt32(xor32(a, s), xor32(b, s)) }
    #[inline]
    pub fn lt64(a: R64, b: R64) -> u64 { let s = splat64(1 << 63); slt64(xor64(a, s), xor64(b, s)) }
    #[inline]
    pub fn test32(a: R32, b: R32) -> u64 { eq32(and32(a, b), splat32(0)) ^ 0xf }
    #[inline]
    pub fn test64(a: R64, b: R64) -> u64 { eq64(and64(a, b), splat64(0)) ^ 0x3 }
    #[inline]
    pub fn splat32(a: u32) -> R32 { unsafe { _mm_set1_epi32(a as i32) } }
    #[inline]
    pub fn splat64(a: u64) -> R64 { unsafe { _mm_set1_epi64x(a as i64) } }
    #[inline]
    unsafe fn blend(k: R32, a: R32, b: R32) -> R32 { _mm_or_si128(_mm_and_si128(k, a), _mm_andnot_si128(k, b)) }
    #[inline]
    pub fn select32(m: u64, a: R32, b: R32) -> R32 { unsafe { blend(lanes32(m), a, b) } }
    #[inline]
    pub fn select64(m: u64, a: R64, b: R64) -> R64 { unsafe { blend(lanes64(m), a, b) } }
    #[inline]
    pub fn widen(a: [R32; 4]) -> [R64; 8] {
        unsafe {
            let zero = _mm_setzero_si128();
            let (low, high) = (|a| _mm_unpacklo_epi32(a, zero), |a| _mm_unpackhi_epi32(a, zero));
            [low(a[0]), high(a[0]), low(a[1]), high(a[1]), low(a[2]), high(a[2]), low(a[3]), high(a[3])]
        }
    }
    #[inline]
    pub fn narrow(a: [R64; 8]) -> [R32; 4] {
        unsafe {
            let pair = |a: R64, b: R64| {
                _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(_mm_castsi128_ps(a), _mm_castsi128_ps(b)))
            };
            [pair(a[0], a[1]), pair(a[2], a[3]), pair(a[4], a[5]), pair(a[6], a[7])]
        }
    }
    /// Lane `l ^ J` in lane `l`, for J = 1, 2, 4 or 8.
    #[inline]
    pub fn partners32<const J: usize>(a: [R32; 4]) -> [R32; 4] {
        match J {
            8 => [a[2], a[3], a[0], a[1]],
            4 => [a[1], a[0], a[3], a[2]],
            2 => unsafe { a.map(|a| _mm_shuffle_epi32::<0b01_00_11_10>(a)) },
            _ => unsafe { a.map(|a| _mm_shuffle_epi32::<0b10_11_00_01>(a)) },
        }
    }
    #[inline]
    pub fn lookup32<const C: usize>(table: &[[R32; 4]; C], index: [R32; 4], m: u64) -> [R32; 4] {
        unsafe { gather32(table as *const _ as *const u32, index, m) }
    }
}
