//! Results on their way to write-back: the stages of a unit that takes longer than its logic.
//!
//! ```text
//!                    EXECUTE   + 1           + n
//!  entering_* -----> [en] ---> [en] -- ... -----> leaving_*
//!  its valid ----+-- en  --+-- en  ------- ... -> leaving_valid
//!                          +---------+----------> empty
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `entering_valid`, `entering_home_warps[R]`, `entering_{warp,rd,mask}`, `entering_data[L]` | | a result |
//! | `leaving_valid`, `leaving_home_warps[R]`, `leaving_{warp,rd,mask}`, `leaving_data[L]` | | the result of *n* cycles before |
//! | `empty` | 1 | none is in between |
//!
//! Latency *n*, one result per cycle. State: *n* results; without any it is wires. A stage that no result enters holds what it has, so that a pipe without work moves
//! nothing and its registers can stand behind clock gates.
//!
//! A synthesis tool that retimes may move the registers into the unit, which is what a pipelined ALU is.
use crate::interface::{LaneResult, LaneResultRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ResultPipe: clock, reset {
        pub entering: LaneResult<In> = LaneResult::new(config),
        pub leaving: LaneResult<Out> = LaneResult::new(config),
        pub empty: Signal<Out, Bit>,

        stages: Vec<LaneResultRegister> = (0..stages).map(|_| LaneResultRegister::new(config)).collect() => |i| { q: before[i + 1] },
        /// Before each stage, and behind the last.
        before: Vec<LaneResult<Local>> = (0..=stages).map(|_| LaneResult::new(config)).collect(),
    }
    /// Of a core's lanes, with so many stages.
    pub fn new(config: &CoreConfig, stages: usize) {}
}

impl Logic for ResultPipe {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ResultPipe");
        wire::join(&mut self.entering, &mut self.before[0]);
        for i in 0..self.before.len() {
            wire::join(&mut self.leaving, &mut self.before[i]);
        }
        self.empty.next = true;
        for i in 0..self.stages.len() {
            wire::join(&mut self.before[i + 1], &mut self.stages[i].d);
            if self.before[i].valid.val() {
                wire::join(&mut self.before[i], &mut self.stages[i].d);
            }
            self.stages[i].d.valid.next = self.before[i].valid.val();
            self.empty.next = self.empty.val() & !self.stages[i].q.valid.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: the register of what enters, the same of what leaves two cycles later, `.`: none; is the pipe empty?
    const TWO_STAGES: &str = "
        1 | . | 1
        . | . | 0
        3 | 1 | 0
        4 | . | 0
        . | 3 | 0
        . | 4 | 0
        . | . | 1";

    #[test]
    fn delays() {
        let mut pipe = ResultPipe::new(&CoreConfig::tiny(), 2);
        pipe.connect_all();
        simulate(&mut pipe, 1000);
        for line in TWO_STAGES.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split(" | ").collect();
            let rd = fields[0].parse::<usize>().ok();
            pipe.entering.valid.next = rd.is_some();
            pipe.entering.destination.rd.next = rd.unwrap_or(31).into();
            (0..4).for_each(|lane| pipe.entering.data[lane].next = (0x100 * lane + rd.unwrap_or(31)).into());
            simulate(&mut pipe, 1000);
            let leaving = pipe.leaving.destination.rd.val();
            let found = if pipe.leaving.valid.val() { leaving.value().to_string() } else { ".".into() };
            assert_eq!((found.as_str(), pipe.empty.val()), (fields[1], fields[2] == "1"), "{line}");
            assert!(!pipe.leaving.valid.val() || pipe.leaving.data[3].val() == 0x300 + leaving.index(), "{line}");
            tick!(pipe);
        }
    }

    #[test]
    fn without_stages_it_is_wires() {
        let mut pipe = ResultPipe::new(&CoreConfig::tiny(), 0);
        pipe.connect_all();
        pipe.entering.valid.next = true;
        pipe.entering.data[2].next = 7.into();
        simulate(&mut pipe, 1000);
        assert!(pipe.leaving.valid.val() && pipe.empty.val());
        assert_eq!(pipe.leaving.data[2].val(), 7);
    }
}
