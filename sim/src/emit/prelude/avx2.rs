/// Registers: AVX2. 16 lanes are two registers of 32-bit or four of 64-bit elements.
mod registers {
    pub use core::arch::x86_64::*;

    pub type R32 = __m256i;
    pub type R64 = __m256i;
    pub const N32: usize = 2;
    pub const N64: usize = 4;

    both! {
        and32 and64(a, b) = _mm256_and_si256, _mm256_and_si256;
        or32 or64(a, b) = _mm256_or_si256, _mm256_or_si256;
        xor32 xor64(a, b) = _mm256_xor_si256, _mm256_xor_si256;
        add32 add64(a, b) = _mm256_add_epi32, _mm256_add_epi64;
        sub32 sub64(a, b) = _mm256_sub_epi32, _mm256_sub_epi64;
        mul32 mul64(a, b) = _mm256_mullo_epi32, multiply64;
        shl32 shl64(a, b) = _mm256_sllv_epi32, _mm256_sllv_epi64;
        shr32 shr64(a, b) = _mm256_srlv_epi32, _mm256_srlv_epi64;
        sra32 sra64(a, b) = _mm256_srav_epi32, arithmetic64;
        popcount32 popcount64(a) = count32, count64;
    }
    #[inline]
    unsafe fn multiply64(a: R64, b: R64) -> R64 {
        let cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b), _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b)));
        _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross))
    }
    #[inline]
    unsafe fn arithmetic64(a: R64, b: R64) -> R64 {
        // Shift the complement where the sign is set, so that ones come in.
        let sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
        _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, sign), b), sign)
    }
    #[inline]
    unsafe fn count8(a: __m256i) -> __m256i {
        let nibbles = _mm256_set1_epi8(15);
        let table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(a, nibbles));
        _mm256_add_epi8(low, _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32::<4>(a), nibbles)))
    }
    #[inline]
    unsafe fn count32(a: R32) -> R32 {
        _mm256_madd_epi16(_mm256_maddubs_epi16(count8(a), _mm256_set1_epi8(1)), _mm256_set1_epi16(1))
    }
    #[inline]
    unsafe fn count64(a: R64) -> R64 { _mm256_sad_epu8(count8(a), _mm256_setzero_si256()) }
    #[inline]
    unsafe fn bits32(a: R32) -> u64 { _mm256_movemask_ps(_mm256_castsi256_ps(a)) as u8 as u64 }
    #[inline]
    unsafe fn bits64(a: R64) -> u64 { _mm256_movemask_pd(_mm256_castsi256_pd(a)) as u8 as u64 }
    #[inline]
    unsafe fn lanes32(m: u64) -> R32 {
        let position = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(m as i32), position), position)
    }
    #[inline]
    unsafe fn lanes64(m: u64) -> R64 {
        let position = _mm256_setr_epi64x(1, 2, 4, 8);
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(m as i64), position), position)
    }
    #[inline]
    pub fn eq32(a: R32, b: R32) -> u64 { unsafe { bits32(_mm256_cmpeq_epi32(a, b)) } }
    #[inline]
    pub fn eq64(a: R64, b: R64) -> u64 { unsafe { bits64(_mm256_cmpeq_epi64(a, b)) } }
    #[inline]
    pub fn slt32(a: R32, b: R32) -> u64 { unsafe { bits32(_mm256_cmpgt_epi32(b, a)) } }
    #[inline]
    pub fn slt64(a: R64, b: R64) -> u64 { unsafe { bits64(_mm256_cmpgt_epi64(b, a)) } }
    #[inline]
    pub fn lt32(a: R32, b: R32) -> u64 { let s = splat32(1 << 31); slt32(xor32(a, s), xor32(b, s)) }
    #[inline]
    pub fn lt64(a: R64, b: R64) -> u64 { let s = splat64(1 << 63); slt64(xor64(a, s), xor64(b, s)) }
    #[inline]
    pub fn test32(a: R32, b: R32) -> u64 { eq32(and32(a, b), splat32(0)) ^ 0xff }
    #[inline]
    pub fn test64(a: R64, b: R64) -> u64 { eq64(and64(a, b), splat64(0)) ^ 0xf }
    #[inline]
    pub fn splat32(a: u32) -> R32 { unsafe { _mm256_set1_epi32(a as i32) } }
    #[inline]
    pub fn splat64(a: u64) -> R64 { unsafe { _mm256_set1_epi64x(a as i64) } }
    #[inline]
    pub fn select32(m: u64, a: R32, b: R32) -> R32 { unsafe { _mm256_blendv_epi8(b, a, lanes32(m)) } }
    #[inline]
    pub fn select64(m: u64, a: R64, b: R64) -> R64 { unsafe { _mm256_blendv_epi8(b, a, lanes64(m)) } }
    #[inline]
    unsafe fn halves(a: R32) -> [__m128i; 2] { [_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a)] }
    #[inline]
    pub fn widen(a: [R32; 2]) -> [R64; 4] {
        unsafe {
            let (a, b) = (halves(a[0]), halves(a[1]));
            [_mm256_cvtepu32_epi64(a[0]), _mm256_cvtepu32_epi64(a[1]), _mm256_cvtepu32_epi64(b[0]), _mm256_cvtepu32_epi64(b[1])]
        }
    }
    #[inline]
    pub fn narrow(a: [R64; 4]) -> [R32; 2] {
        unsafe {
            let even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
            let half = |a: R64| _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, even));
            [_mm256_set_m128i(half(a[1]), half(a[0])), _mm256_set_m128i(half(a[3]), half(a[2]))]
        }
    }
    #[inline]
    pub unsafe fn gather32(table: *const u32, index: [R32; 2], m: u64) -> [R32; 2] {
        let zero = _mm256_setzero_si256();
        [_mm256_mask_i32gather_epi32::<4>(zero, table as *const _, index[0], lanes32(m)),
         _mm256_mask_i32gather_epi32::<4>(zero, table as *const _, index[1], lanes32(m >> 8))]
    }
    #[inline]
    pub unsafe fn gather64(table: *const u64, index: [R32; 2], m: u64) -> [R64; 4] {
        let (a, b) = (halves(index[0]), halves(index[1]));
        let quarter = |index, m| _mm256_mask_i32gather_epi64::<8>(_mm256_setzero_si256(), table as *const _, index, lanes64(m));
        [quarter(a[0], m), quarter(a[1], m >> 4), quarter(b[0], m >> 8), quarter(b[1], m >> 12)]
    }
    #[inline]
    pub unsafe fn scatter32(table: *mut u32, index: [R32; 2], m: u64, a: [R32; 2]) {
        let (index, a): ([u32; 16], [u32; 16]) = (core::mem::transmute(index), core::mem::transmute(a));
        for i in 0..16 { if (m >> i) & 1 != 0 { *table.add(index[i] as usize) = a[i]; } }
    }
    #[inline]
    pub unsafe fn scatter64(table: *mut u64, index: [R32; 2], m: u64, a: [R64; 4]) {
        let (index, a): ([u32; 16], [u64; 16]) = (core::mem::transmute(index), core::mem::transmute(a));
        for i in 0..16 { if (m >> i) & 1 != 0 { *table.add(index[i] as usize) = a[i]; } }
    }
    /// Lane `l ^ J` in lane `l`, for J = 1, 2, 4 or 8.
    #[inline]
    pub fn partners32<const J: usize>(a: [R32; 2]) -> [R32; 2] {
        let index: [u32; 8] = std::array::from_fn(|l| (l ^ J) as u32);
        match J {
            8 => [a[1], a[0]],
            _ => unsafe { a.map(|a| _mm256_permutevar8x32_epi32(a, core::mem::transmute(index))) },
        }
    }
    #[inline]
    pub fn lookup32<const C: usize>(table: &[[R32; 2]; C], index: [R32; 2], m: u64) -> [R32; 2] {
        if C > 2 {
            return unsafe { gather32(table as *const _ as *const u32, index, m) };
        }
        // By permutations: eight words at a time, of which the next bits of the number choose.
        let either = |bit: R32, low: R32, high: R32| unsafe {
            let [bit, low, high] = [bit, low, high].map(|a| _mm256_castsi256_ps(a));
            _mm256_castps_si256(_mm256_blendv_ps(low, high, bit))
        };
        let of = |index: R32, m: u64| unsafe {
            let words = |c: usize, half: usize| _mm256_permutevar8x32_epi32(table[c][half], index);
            let eighth = _mm256_slli_epi32::<28>(index);
            let low = either(eighth, words(0, 0), words(0, 1));
            let found = if C == 1 { low } else {
                either(_mm256_slli_epi32::<27>(index), low, either(eighth, words(C - 1, 0), words(C - 1, 1)))
            };
            and32(found, lanes32(m))
        };
        [of(index[0], m), of(index[1], m >> 8)]
    }
    #[inline]
    pub fn lookup64<const C: usize>(table: &[[R64; 4]; C], index: [R32; 2], m: u64) -> [R64; 4] {
        unsafe { gather64(table as *const _ as *const u64, index, m) }
    }
}
