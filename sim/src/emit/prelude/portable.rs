/// Registers: plain arrays, for every machine. 16 lanes are one array.
mod registers {
    pub type R32 = [u32; 16];
    pub type R64 = [u64; 16];
    pub const N32: usize = 1;
    pub const N64: usize = 1;

    #[inline]
    fn each<T: Copy, U, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> U) -> [U; N] {
        std::array::from_fn(|i| f(a[i], b[i]))
    }
    #[inline]
    fn bits<T: Copy, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> bool) -> u64 {
        let mut m = 0;
        for i in 0..N { m |= (f(a[i], b[i]) as u64) << i; }
        m
    }
    macro_rules! both {
        ($($name:ident $name64:ident $f:expr, $f64:expr;)*) => {$(
            #[inline]
            pub fn $name(a: R32, b: R32) -> R32 { each(a, b, $f) }
            #[inline]
            pub fn $name64(a: R64, b: R64) -> R64 { each(a, b, $f64) }
        )*};
    }
    both! {
        and32 and64 |a, b| a & b, |a, b| a & b;
        or32 or64 |a, b| a | b, |a, b| a | b;
        xor32 xor64 |a, b| a ^ b, |a, b| a ^ b;
        add32 add64 |a, b| a.wrapping_add(b), |a, b| a.wrapping_add(b);
        sub32 sub64 |a, b| a.wrapping_sub(b), |a, b| a.wrapping_sub(b);
        mul32 mul64 |a, b| a.wrapping_mul(b), |a, b| a.wrapping_mul(b);
        shl32 shl64 |a, b| if b < 32 { a << b } else { 0 }, |a, b| if b < 64 { a << b } else { 0 };
        shr32 shr64 |a, b| if b < 32 { a >> b } else { 0 }, |a, b| if b < 64 { a >> b } else { 0 };
        sra32 sra64 |a, b| (a as i32 >> b.min(31)) as u32, |a, b| (a as i64 >> b.min(63)) as u64;
    }
    macro_rules! compares {
        ($($name:ident $name64:ident $f:expr, $f64:expr;)*) => {$(
            #[inline]
            pub fn $name(a: R32, b: R32) -> u64 { bits(a, b, $f) }
            #[inline]
            pub fn $name64(a: R64, b: R64) -> u64 { bits(a, b, $f64) }
        )*};
    }
    compares! {
        eq32 eq64 |a, b| a == b, |a, b| a == b;
        lt32 lt64 |a, b| a < b, |a, b| a < b;
        slt32 slt64 |a, b| (a as i32) < b as i32, |a, b| (a as i64) < b as i64;
        test32 test64 |a, b| a & b != 0, |a, b| a & b != 0;
    }
    #[inline]
    pub fn popcount32(a: R32) -> R32 { a.map(|a| a.count_ones()) }
    #[inline]
    pub fn popcount64(a: R64) -> R64 { a.map(|a| a.count_ones() as u64) }
    #[inline]
    pub fn splat32(a: u32) -> R32 { [a; 16] }
    #[inline]
    pub fn splat64(a: u64) -> R64 { [a; 16] }
    #[inline]
    pub fn select32(m: u64, a: R32, b: R32) -> R32 { std::array::from_fn(|i| if (m >> i) & 1 != 0 { a[i] } else { b[i] }) }
    #[inline]
    pub fn select64(m: u64, a: R64, b: R64) -> R64 { std::array::from_fn(|i| if (m >> i) & 1 != 0 { a[i] } else { b[i] }) }
    #[inline]
    pub fn widen(a: [R32; 1]) -> [R64; 1] { [a[0].map(|a| a as u64)] }
    #[inline]
    pub fn narrow(a: [R64; 1]) -> [R32; 1] { [a[0].map(|a| a as u32)] }
    #[inline]
    pub unsafe fn gather32(table: *const u32, index: [R32; 1], m: u64) -> [R32; 1] {
        [std::array::from_fn(|i| if (m >> i) & 1 != 0 { *table.add(index[0][i] as usize) } else { 0 })]
    }
    #[inline]
    pub unsafe fn gather64(table: *const u64, index: [R32; 1], m: u64) -> [R64; 1] {
        [std::array::from_fn(|i| if (m >> i) & 1 != 0 { *table.add(index[0][i] as usize) } else { 0 })]
    }
    #[inline]
    pub unsafe fn scatter32(table: *mut u32, index: [R32; 1], m: u64, a: [R32; 1]) {
        for i in 0..16 { if (m >> i) & 1 != 0 { *table.add(index[0][i] as usize) = a[0][i]; } }
    }
    #[inline]
    pub unsafe fn scatter64(table: *mut u64, index: [R32; 1], m: u64, a: [R64; 1]) {
        for i in 0..16 { if (m >> i) & 1 != 0 { *table.add(index[0][i] as usize) = a[0][i]; } }
    }
    /// Lane `l ^ J` in lane `l`, for J = 1, 2, 4 or 8.
    #[inline]
    pub fn partners32<const J: usize>(a: [R32; 1]) -> [R32; 1] {
        [std::array::from_fn(|l| a[0][l ^ J])]
    }
    #[inline]
    pub fn lookup32<const C: usize>(table: &[[R32; 1]; C], index: [R32; 1], m: u64) -> [R32; 1] {
        unsafe { gather32(table as *const _ as *const u32, index, m) }
    }
    #[inline]
    pub fn lookup64<const C: usize>(table: &[[R64; 1]; C], index: [R32; 1], m: u64) -> [R64; 1] {
        unsafe { gather64(table as *const _ as *const u64, index, m) }
    }
}
