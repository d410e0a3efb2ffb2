//! Decodes a warp instruction: the part of [`Decode`](super::Decode) for the extension `xwarp`.
//!
//! ```text
//!              +------------+---> is_warp, legal
//!   word ----->| DecodeWarp |
//!              +------------+---> controls: population, traverses, accumulates, words, shift    lanes, WarpVote
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `is_warp` | 1 | `cpop`, or anything in custom-1; else nothing below counts but `controls` |
//! | `legal` | 1 | there is such an instruction; then it has a result |
//! | `controls_*` | | as [`WarpControls`] says; no bit of an instruction that is none of these |
//!
//! Latency 0, no state. `cpop` has the encoding that Zbb gives it; of Zbb there is nothing else. Custom-1 (`0x2B`, R-type): funct3 1 `cond_acc.h`, 2 `cond_acc.w`, both with funct7 0;
//! 4 `tree_traverse`, whose shift is funct7, 0 to 31. Narasiman 2014, 7.1, whose instructions have a third source: here the predicate of `cond_acc` is bit 0 of the base.
use super::operation::WarpControls;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DecodeWarp {
        pub word: Net<In> = 32,
        pub is_warp: Signal<Out, Bit>,
        pub legal: Signal<Out, Bit>,
        pub controls: WarpControls<Out> = WarpControls::new(),

        opcode: Net<Local> = 7,
        funct3: Net<Local> = 3,
        funct7: Net<Local> = 7,
        custom: Signal<Local, Bit>,
    }
}

impl Logic for DecodeWarp {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DecodeWarp");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.funct3.next = bit_cast_to(self.word.val() >> 12, 3);
        self.funct7.next = bit_cast_to(self.word.val() >> 25, 7);
        self.custom.next = self.opcode.val() == 0x2B;

        self.controls.shift.next = bit_cast_to(self.funct7.val(), 5);
        self.controls.words.next = self.funct3.val().get_bit(1);
        self.controls.population.next =
            (self.opcode.val() == 0x13) & (self.funct3.val() == 1) & (bit_cast_to(self.word.val() >> 20, 12) == 0x602);
        self.controls.accumulates.next =
            self.custom.val() & (self.funct7.val() == 0) & ((self.funct3.val() == 1) | (self.funct3.val() == 2));
        self.controls.traverses.next =
            self.custom.val() & (self.funct3.val() == 4) & (bit_cast_to(self.funct7.val() >> 5, 2) == 0);
        self.is_warp.next = self.custom.val() | self.controls.population.val();
        self.legal.next =
            self.controls.population.val() | self.controls.accumulates.val() | self.controls.traverses.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `word  is_warp legal  population traverses accumulates words shift`
    const WORDS: &str = "
        60251593 11 p...  -   cpop a1,a0
        60351593 0. ....  -   ctz, clz and others of Zbb there are none
        60151593 0. ....  -
        60255593 0. ....  -   rori
        00251593 0. ....  -   slli a1,a0,2
        00c5952b 11 ..a.  0   cond_acc.h a0,a1,a2
        00c5a52b 11 ..aw  0   cond_acc.w a0,a1,a2
        02c5a52b 1. ....  -   of sizes there are no others
        00c5852b 1. ....  -
        00c5b52b 1. ....  -
        00c5c52b 11 .t..  0   tree_traverse a0,a1,a2,0
        3ec5c52b 11 .t..  31  tree_traverse a0,a1,a2,31
        40c5c52b 1. ....  -   a shift of 32
        00c5d52b 1. ....  -   a load with a hint
        00c5850b 0. ....  -   custom-0";

    #[test]
    fn knows_each_of_them_and_no_other() {
        let mut decode = DecodeWarp::default();
        decode.connect_all();
        for line in WORDS.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            decode.word.next = usize::from_str_radix(field[0], 16).unwrap().into();
            simulate(&mut decode, 100);
            assert_eq!(decode.is_warp.val(), field[1].starts_with('1'), "{line}");
            assert_eq!(decode.legal.val(), field[1].ends_with('1'), "{line}");
            let controls = &decode.controls;
            let kinds = [
                (controls.population.val(), 'p'),
                (controls.traverses.val(), 't'),
                (controls.accumulates.val(), 'a'),
                (controls.accumulates.val() & controls.words.val(), 'w'),
            ];
            let found: String = kinds.iter().map(|(set, letter)| if *set { *letter } else { '.' }).collect();
            assert_eq!(found, field[2], "{line}");
            if let Ok(shift) = field[3].parse::<usize>() {
                assert_eq!(controls.shift.val(), shift, "{line}");
            }
        }
    }
}
