/// What registers of 128 bits do word by word, whichever machine's they are.
mod words128 {
    use super::registers::*;

    pub const N32: usize = 4;
    pub const N64: usize = 8;

    #[inline]
    pub fn from32(a: [u32; 4]) -> R32 { unsafe { core::mem::transmute(a) } }
    #[inline]
    pub fn from64(a: [u64; 2]) -> R64 { unsafe { core::mem::transmute(a) } }
    /// Rows of the lanes in `m`, of the others the first, which is there.
    #[inline]
    unsafe fn rows(index: [R32; 4], m: u64) -> [u32; 16] {
        let part = |i: usize| and32(index[i], lanes32(m >> (4 * i)));
        core::mem::transmute([part(0), part(1), part(2), part(3)])
    }
    #[inline]
    pub unsafe fn gather32(table: *const u32, index: [R32; 4], m: u64) -> [R32; 4] {
        let rows = rows(index, m);
        let part = |i: usize| {
            let at = |k: usize| *table.add(rows[4 * i + k] as usize);
            and32(from32([at(0), at(1), at(2), at(3)]), lanes32(m >> (4 * i)))
        };
        [part(0), part(1), part(2), part(3)]
    }
    #[inline]
    pub unsafe fn gather64(table: *const u64, index: [R32; 4], m: u64) -> [R64; 8] {
        let rows = rows(index, m);
        let part = |i: usize| {
            let at = |k: usize| *table.add(rows[2 * i + k] as usize);
            and64(from64([at(0), at(1)]), lanes64(m >> (2 * i)))
        };
        [part(0), part(1), part(2), part(3), part(4), part(5), part(6), part(7)]
    }
    #[inline]
    unsafe fn scatter<T: Copy>(table: *mut T, index: [R32; 4], m: u64, a: [T; 16]) {
        let index: [u32; 16] = core::mem::transmute(index);
        let mut left = m & 0xffff;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            *table.add(index[i] as usize) = a[i];
            left &= left - 1;
        }
    }
    #[inline]
    pub unsafe fn scatter32(table: *mut u32, index: [R32; 4], m: u64, a: [R32; 4]) {
        scatter(table, index, m, core::mem::transmute(a));
    }
    #[inline]
    pub unsafe fn scatter64(table: *mut u64, index: [R32; 4], m: u64, a: [R64; 8]) {
        scatter(table, index, m, core::mem::transmute(a));
    }
    #[inline]
    pub fn lookup64<const C: usize>(table: &[[R64; 8]; C], index: [R32; 4], m: u64) -> [R64; 8] {
        unsafe { gather64(table as *const _ as *const u64, index, m) }
    }
}
