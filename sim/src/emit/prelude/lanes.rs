/// Vectors of 16 * C lanes over the registers above: `V` with 32-bit and `W` with 64-bit elements. One-bit vectors are
/// packed into a `u64`, lane 0 in bit 0. Lanes past the group's own are there, and hold anything.
use registers::*;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct V<const C: usize>([[R32; N32]; C]);
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct W<const C: usize>([[R64; N64]; C]);

#[repr(C, align(64))]
struct Aligned<T>(T);

macro_rules! vector {
    ($V:ident, $R:ident, $N:ident, $word:ident, $signed:ident, $bits:expr,
     $and:ident $or:ident $xor:ident $add:ident $sub:ident $mul:ident $shl:ident $shr:ident $sra:ident $popcount:ident
     $eq:ident $lt:ident $slt:ident $test:ident $splat:ident $select:ident $gather:ident $scatter:ident $lookup:ident) => {
        impl<const C: usize> $V<C> {
            #[inline]
            fn map(self, f: impl Fn($R) -> $R) -> Self {
                Self(std::array::from_fn(|c| std::array::from_fn(|r| f(self.0[c][r]))))
            }
            #[inline]
            fn map2(self, b: Self, f: impl Fn($R, $R) -> $R) -> Self {
                Self(std::array::from_fn(|c| std::array::from_fn(|r| f(self.0[c][r], b.0[c][r]))))
            }
            #[inline]
            fn compare(self, b: Self, f: impl Fn($R, $R) -> u64) -> u64 {
                let mut m = 0;
                for c in 0..C {
                    for r in 0..$N { m |= f(self.0[c][r], b.0[c][r]) << (c * 16 + r * (16 / $N)); }
                }
                m
            }
            #[inline]
            fn splat(a: u64) -> Self { Self([[$splat(a as $word); $N]; C]) }
            #[inline]
            fn load<const P: usize>(a: &[$word; P]) -> Self {
                debug_assert!(P == 16 * C);
                unsafe { (a as *const _ as *const Self).read_unaligned() }
            }
            #[inline]
            fn words(&self) -> *const $word { self as *const _ as *const $word }
            #[inline]
            fn and(self, b: Self) -> Self { self.map2(b, $and) }
            #[inline]
            fn or(self, b: Self) -> Self { self.map2(b, $or) }
            #[inline]
            fn xor(self, b: Self) -> Self { self.map2(b, $xor) }
            #[inline]
            fn add(self, b: Self) -> Self { self.map2(b, $add) }
            #[inline]
            fn sub(self, b: Self) -> Self { self.map2(b, $sub) }
            #[inline]
            fn mul(self, b: Self) -> Self { self.map2(b, $mul) }
            #[inline]
            fn shl(self, b: Self) -> Self { self.map2(b, $shl) }
            #[inline]
            fn shr(self, b: Self) -> Self { self.map2(b, $shr) }
            #[inline]
            fn sra(self, b: Self) -> Self { self.map2(b, $sra) }
            #[inline]
            fn popcount(self) -> Self { self.map($popcount) }
            /// Position of the lowest set bit, 0 when none is set.
            #[inline]
            fn lowest(self) -> Self {
                let below = self.sub(Self::splat(1)).and(self.xor(Self::splat(!0)));
                below.popcount().and(Self::splat($bits - 1))
            }
            /// Sign extension of `width` bits to the element.
            #[inline]
            fn signed(self, width: u64) -> Self {
                let by = Self::splat($bits - width);
                self.shl(by).sra(by)
            }
            #[inline]
            fn eq(self, b: Self) -> u64 { self.compare(b, $eq) }
            #[inline]
            fn lt(self, b: Self) -> u64 { self.compare(b, $lt) }
            #[inline]
            fn slt(self, b: Self) -> u64 { self.compare(b, $slt) }
            /// Lanes in which one of `bits` is set.
            #[inline]
            fn test(self, bits: u64) -> u64 { self.compare(Self::splat(bits), $test) }
            /// Lanes in which one of their own `bits` is set.
            #[inline]
            fn test_each(self, bits: Self) -> u64 { self.compare(bits, $test) }
            #[inline]
            fn select(m: u64, a: Self, b: Self) -> Self {
                Self(std::array::from_fn(|c| std::array::from_fn(|r| {
                    let shift = c * 16 + r * (16 / $N);
                    $select((m >> shift) & ((1 << (16 / $N)) - 1), a.0[c][r], b.0[c][r])
                })))
            }
            #[inline]
            fn from_mask(m: u64, one: u64) -> Self { Self::select(m, Self::splat(one), Self::splat(0)) }
            /// Byte enables as bits.
            #[inline]
            fn bytes(self) -> Self {
                let mut result = Self::splat(0);
                for byte in 0..$bits / 8 {
                    result = result.or(Self::from_mask(self.test(1 << byte), 0xff << (8 * byte)));
                }
                result
            }
            #[inline]
            fn lane(self, i: usize) -> u64 { unsafe { *self.words().add(i) as u64 } }
            /// All lanes of `live` combined by one operator: whole registers first, then halves of the last one.
            #[inline]
            fn reduce(self, live: u64, neutral: u64, whole: impl Fn($R, $R) -> $R, word: impl Fn($word, $word) -> $word) -> u64 {
                let a = Self::select(live, self, Self::splat(neutral)).0;
                let mut all = a[0][0];
                for c in 0..C {
                    for r in 0..$N { if c + r > 0 { all = whole(all, a[c][r]); } }
                }
                let mut words: [$word; 16 / $N] = unsafe { core::mem::transmute(all) };
                let mut half = 16 / $N / 2;
                while half > 0 {
                    for i in 0..half { words[i] = word(words[i], words[i + half]); }
                    half /= 2;
                }
                words[0] as u64
            }
            #[inline]
            fn reduce_and(self, live: u64) -> u64 { self.reduce(live, !0, $and, |a, b| a & b) }
            #[inline]
            fn reduce_or(self, live: u64) -> u64 { self.reduce(live, 0, $or, |a, b| a | b) }
            #[inline]
            fn reduce_xor(self, live: u64) -> u64 { self.reduce(live, 0, $xor, |a, b| a ^ b) }
            #[inline]
            fn reduce_add(self, live: u64) -> u64 { self.reduce(live, 0, $add, |a, b| a.wrapping_add(b)) }
            /// `self[index]` in the lanes of `m`, else 0.
            #[inline]
            fn lookup<const D: usize>(self, index: V<D>, m: u64) -> $V<D> {
                $V(std::array::from_fn(|c| $lookup(&self.0, index.0[c], (m >> (16 * c)) & 0xffff)))
            }
            #[inline]
            unsafe fn store_lanes<const N: usize>(self, to: *mut $word) {
                if N == 16 * C {
                    (to as *mut Self).write_unaligned(self);
                } else {
                    (to as *mut [$word; N]).write(*(self.words() as *const [$word; N]));
                }
            }
            /// The lanes of one row of a bank.
            #[inline]
            unsafe fn row(bank: *const $word, row: u64) -> Self { (bank as *const Self).add(row as usize).read() }
            #[inline]
            unsafe fn set_row(self, bank: *mut $word, row: u64, m: u64) {
                let row = (bank as *mut Self).add(row as usize);
                row.write(Self::select(m, self, row.read()));
            }
            #[inline]
            unsafe fn gather(table: *const $word, index: V<C>, m: u64) -> Self {
                Self(std::array::from_fn(|c| $gather(table, index.0[c], (m >> (16 * c)) & 0xffff)))
            }
            #[inline]
            unsafe fn scatter(self, table: *mut $word, index: V<C>, m: u64) {
                for c in 0..C { $scatter(table, index.0[c], (m >> (16 * c)) & 0xffff, self.0[c]); }
            }
        }
    };
}
vector!(V, R32, N32, u32, i32, 32, and32 or32 xor32 add32 sub32 mul32 shl32 shr32 sra32 popcount32
    eq32 lt32 slt32 test32 splat32 select32 gather32 scatter32 lookup32);
vector!(W, R64, N64, u64, i64, 64, and64 or64 xor64 add64 sub64 mul64 shl64 shr64 sra64 popcount64
    eq64 lt64 slt64 test64 splat64 select64 gather64 scatter64 lookup64);

impl<const C: usize> V<C> {
    #[inline]
    fn widen(self) -> W<C> { W(self.0.map(|c| widen(c))) }
    /// Index into a bank's words: row `self` of every lane's column.
    #[inline]
    fn own_row(self) -> Self {
        let lane: [[u32; 16]; C] = std::array::from_fn(|c| std::array::from_fn(|i| (16 * c + i) as u32));
        let lane = unsafe { (&lane as *const _ as *const Self).read_unaligned() };
        self.mul(Self::splat(16 * C as u64)).add(lane)
    }
    /// Lanes `32 * i` upward, zeros past the end.
    #[inline]
    fn block(self, i: usize) -> V<2> {
        V(std::array::from_fn(|c| if 2 * i + c < C { self.0[2 * i + c] } else { V::<1>::splat(0).0[0] }))
    }
    /// 32 lanes after 32 others, as many of them as there is room for.
    #[inline]
    fn of_blocks(low: V<2>, high: V<2>) -> Self {
        Self(std::array::from_fn(|c| if c < 2 { low.0[c] } else { high.0[c - 2] }))
    }
}
impl<const C: usize> W<C> {
    #[inline]
    fn narrow(self) -> V<C> { V(self.0.map(|c| narrow(c))) }
}
impl V<2> {
    /// Bits and lanes exchanged: blocks of 16 by 16 bits change places, in each of them blocks of 8 by 8, and so on.
    /// Called, since as part of every caller it would take rustc seconds.
    #[inline(never)]
    fn transposed(self) -> Self {
        self.exchanged::<16, 0xffff_0000>().exchanged::<8, 0xff00_ff00>().exchanged::<4, 0xf0f0_f0f0>()
            .exchanged::<2, 0xcccc_cccc>().exchanged::<1, 0xaaaa_aaaa>()
    }
    /// Bits whose number has `J` in it (`HIGH`) change places with the others of lanes `J` further on.
    #[inline]
    fn exchanged<const J: usize, const HIGH: u32>(self) -> Self {
        let lanes = |f: fn(bool) -> u32| Self::load(&std::array::from_fn::<u32, 32, _>(|l| f(l & J == 0)));
        let partner = match J {
            16 => Self([self.0[1], self.0[0]]),
            _ => Self(self.0.map(partners32::<J>)),
        };
        let kept = lanes(|low| if low { !HIGH } else { HIGH });
        let up = lanes(|low| if low { J as u32 } else { 32 });
        let down = lanes(|low| if low { 32 } else { J as u32 });
        let moved = partner.shl(up).or(partner.shr(down));
        moved.xor(moved.xor(self).and(kept))
    }
}
