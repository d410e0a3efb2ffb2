/// Registers: AVX-512 (f, dq, vl, vpopcntdq). 16 lanes are one register of 32-bit or two of 64-bit elements.
mod registers {
    pub use core::arch::x86_64::*;

    pub type R32 = __m512i;
    pub type R64 = __m512i;
    pub const N32: usize = 1;
    pub const N64: usize = 2;

    both! {
        and32 and64(a, b) = _mm512_and_si512, _mm512_and_si512;
        or32 or64(a, b) = _mm512_or_si512, _mm512_or_si512;
        xor32 xor64(a, b) = _mm512_xor_si512, _mm512_xor_si512;
        add32 add64(a, b) = _mm512_add_epi32, _mm512_add_epi64;
        sub32 sub64(a, b) = _mm512_sub_epi32, _mm512_sub_epi64;
        mul32 mul64(a, b) = _mm512_mullo_epi32, _mm512_mullo_epi64;
        shl32 shl64(a, b) = _mm512_sllv_epi32, _mm512_sllv_epi64;
        shr32 shr64(a, b) = _mm512_srlv_epi32, _mm512_srlv_epi64;
        sra32 sra64(a, b) = _mm512_srav_epi32, _mm512_srav_epi64;
        popcount32 popcount64(a) = _mm512_popcnt_epi32, _mm512_popcnt_epi64;
    }
    macro_rules! compares {
        ($($name:ident $name64:ident = $f:ident, $f64:ident;)*) => {$(
            #[inline]
            pub fn $name(a: R32, b: R32) -> u64 { unsafe { $f(a, b) as u64 } }
            #[inline]
            pub fn $name64(a: R64, b: R64) -> u64 { unsafe { $f64(a, b) as u64 } }
        )*};
    }
    compares! {
        eq32 eq64 = _mm512_cmpeq_epi32_mask, _mm512_cmpeq_epi64_mask;
        lt32 lt64 = _mm512_cmplt_epu32_mask, _mm512_cmplt_epu64_mask;
        slt32 slt64 = _mm512_cmplt_epi32_mask, _mm512_cmplt_epi64_mask;
        test32 test64 = _mm512_test_epi32_mask, _mm512_test_epi64_mask;
    }
    #[inline]
    pub fn splat32(a: u32) -> R32 { unsafe { _mm512_set1_epi32(a as i32) } }
    #[inline]
    pub fn splat64(a: u64) -> R64 { unsafe { _mm512_set1_epi64(a as i64) } }
    #[inline]
    pub fn select32(m: u64, a: R32, b: R32) -> R32 { unsafe { _mm512_mask_blend_epi32(m as u16, b, a) } }
    #[inline]
    pub fn select64(m: u64, a: R64, b: R64) -> R64 { unsafe { _mm512_mask_blend_epi64(m as u8, b, a) } }
    #[inline]
    pub fn widen(a: [R32; 1]) -> [R64; 2] {
        unsafe {
            [_mm512_cvtepu32_epi64(_mm512_castsi512_si256(a[0])),
             _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(a[0]))]
        }
    }
    #[inline]
    pub fn narrow(a: [R64; 2]) -> [R32; 1] {
        unsafe {
            [_mm512_inserti64x4::<1>(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(a[0])), _mm512_cvtepi64_epi32(a[1]))]
        }
    }
    #[inline]
    pub unsafe fn gather32(table: *const u32, index: [R32; 1], m: u64) -> [R32; 1] {
        [_mm512_mask_i32gather_epi32::<4>(_mm512_setzero_si512(), m as u16, index[0], table as *const _)]
    }
    #[inline]
    pub unsafe fn gather64(table: *const u64, index: [R32; 1], m: u64) -> [R64; 2] {
        let zero = _mm512_setzero_si512();
        [_mm512_mask_i32gather_epi64::<8>(zero, m as u8, _mm512_castsi512_si256(index[0]), table as *const _),
         _mm512_mask_i32gather_epi64::<8>(zero, (m >> 8) as u8, _mm512_extracti64x4_epi64::<1>(index[0]), table as *const _)]
    }
    #[inline]
    pub unsafe fn scatter32(table: *mut u32, index: [R32; 1], m: u64, a: [R32; 1]) {
        _mm512_mask_i32scatter_epi32::<4>(table as *mut _, m as u16, index[0], a[0]);
    }
    #[inline]
    pub unsafe fn scatter64(table: *mut u64, index: [R32; 1], m: u64, a: [R64; 2]) {
        _mm512_mask_i32scatter_epi64::<8>(table as *mut _, m as u8, _mm512_castsi512_si256(index[0]), a[0]);
        _mm512_mask_i32scatter_epi64::<8>(table as *mut _, (m >> 8) as u8, _mm512_extracti64x4_epi64::<1>(index[0]), a[1]);
    }
    /// Lane `l ^ J` in lane `l`, for J = 1, 2, 4 or 8.
    #[inline]
    pub fn partners32<const J: usize>(a: [R32; 1]) -> [R32; 1] {
        let index: [u32; 16] = std::array::from_fn(|l| (l ^ J) as u32);
        unsafe { [_mm512_permutexvar_epi32(core::mem::transmute(index), a[0])] }
    }
    #[inline]
    pub fn lookup32<const C: usize>(table: &[[R32; 1]; C], index: [R32; 1], m: u64) -> [R32; 1] {
        unsafe {
            match C {
                1 => [_mm512_maskz_permutexvar_epi32(m as u16, index[0], table[0][0])],
                2 => [_mm512_maskz_permutex2var_epi32(m as u16, table[0][0], index[0], table[1][0])],
                _ => gather32(table as *const _ as *const u32, index, m),
            }
        }
    }
    #[inline]
    pub fn lookup64<const C: usize>(table: &[[R64; 2]; C], index: [R32; 1], m: u64) -> [R64; 2] {
        if C > 2 {
            return unsafe { gather64(table as *const _ as *const u64, index, m) };
        }
        let wide = widen(index);
        let half = |i: usize| unsafe {
            let m = (m >> (8 * i)) as u8;
            let low = _mm512_maskz_permutex2var_epi64(m, table[0][0], wide[i], table[0][1]);
            if C == 1 { return low; }
            let high = _mm512_maskz_permutex2var_epi64(m, table[C - 1][0], wide[i], table[C - 1][1]);
            select64(test64(wide[i], splat64(16)), high, low)
        };
        [half(0), half(1)]
    }
}
