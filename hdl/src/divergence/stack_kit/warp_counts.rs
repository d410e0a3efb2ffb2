//! Warps of the active entry of each CTA that have not arrived at its end: the papers' WCnt.
//!
//! ```text
//!                               +------------+
//!  start_* -------------------->|            |
//!  activate, cta, ahead ------->| WarpCounts |---> complete
//!  forming, forming_cta, formed |            |
//!  arrive_*, gathered --------->|            |
//!                               +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start_valid`, `start_cta`, `start_warps` | 1, c, n | a CTA starts with so many warps |
//! | `activate`, `cta`, `ahead` | 1, c, n | an entry of a CTA becomes active, in which so many warps run ahead; its first warp may be `formed` at once |
//! | `forming`, `forming_cta`, `formed` | 1, c, 1 | warps are being formed for this CTA; one is |
//! | `arrive_valid`, `arrive_cta` | 1, c | a warp arrives |
//! | `gathered` | C | CTAs of which a warp has arrived |
//! | `complete` | C | of which all have |
//! | `completes` | 1 | the warp that arrives is the last of its CTA |
//! | `left[C]` | n | the counts, where others have to know them (else none) |
//!
//! Latency 1, `completes` 0. State: a count per CTA. A warp that is formed while another arrives leaves the count as it is.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpCounts: clock, reset {
        pub start_valid: Signal<In, Bit>,
        pub start_cta: Net<In> = cta,
        pub start_warps: Net<In> = count,
        pub activate: Signal<In, Bit>,
        pub cta: Net<In> = cta,
        pub ahead: Net<In> = count,
        pub forming: Signal<In, Bit>,
        pub forming_cta: Net<In> = cta,
        pub formed: Signal<In, Bit>,
        pub arrive_valid: Signal<In, Bit>,
        pub arrive_cta: Net<In> = cta,
        pub gathered: Net<In> = ctas,
        pub complete: Net<Out> = ctas,
        pub completes: Signal<Out, Bit>,
        pub left: Vec<Net<Out>> = Net::vec(if shown { ctas } else { 0 }, count),

        warp_count: Vec<Register> = Register::vec(ctas, count),
    }
    sizes { _count = count }
    /// For `ctas` CTAs of up to `warps` warps; the counts are `shown` to others.
    pub fn new(ctas: usize, warps: usize, shown: bool) {
        let (cta, count) = (index_width(ctas), index_width(warps + 1));
    }
}

impl Logic for WarpCounts {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpCounts");
        self.complete.next = 0.into();
        self.completes.next = false;
        for c in 0..self.left.len() {
            self.left[c].next = self.warp_count[c].q.val();
        }
        for c in 0..self.warp_count.len() {
            self.complete.next = self.complete.val().replace_bit(
                c,
                self.gathered.val().get_bit(c)
                    & !self.warp_count[c].q.val().any()
                    & !(self.forming.val() & (self.forming_cta.val() == c)),
            );
            if (self.arrive_cta.val() == c)
                & (self.warp_count[c].q.val() == 1)
                & !(self.forming.val() & (self.forming_cta.val() == c))
            {
                self.completes.next = self.arrive_valid.val();
            }
            self.warp_count[c].d.next = self.warp_count[c].q.val();
            if self.start_valid.val() & (self.start_cta.val() == c) {
                self.warp_count[c].d.next = self.start_warps.val();
            } else if self.activate.val() & (self.cta.val() == c) {
                self.warp_count[c].d.next = self.ahead.val() + bit_cast_to(self.formed.val(), self._count);
            } else if self.formed.val() & !self.activate.val() & (self.forming_cta.val() == c) {
                if !(self.arrive_valid.val() & (self.arrive_cta.val() == c)) {
                    self.warp_count[c].d.next = self.warp_count[c].q.val() + 1;
                }
            } else if self.arrive_valid.val() & (self.arrive_cta.val() == c) {
                self.warp_count[c].d.next = self.warp_count[c].q.val() - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: CTAs that have begun to gather, then `start:CTA=WARPS`, `activate:CTA=AHEAD`, `forming:CTA`, `formed:CTA`, `arrive:CTA` `|` complete CTAs, `last` if the arrival is.
    #[test]
    fn a_cta_is_complete_when_all_its_warps_have_arrived() {
        let mut counts = WarpCounts::new(2, 4, false);
        counts.connect_all();
        simulate(&mut counts, 1000);
        let script = "
            -  start:1=2             | -
            -  arrive:1              | -
            1  arrive:1              | - last
            1                        | 1
            -  activate:1=0 formed:1 | -   | the first warp of the entry at once
            1  formed:1 arrive:1     | -   | as many as before
            1  arrive:1              | - last
            1  forming:1             | -   | there may be more to come
            1                        | 1
            -  activate:0=0 formed:1 | -   | formed for the entry just activated, of another CTA
            -  activate:1=1          | -
            1  arrive:1 forming:1    | -
            1  forming:0             | 1";
        for (input, seen) in cycles(script) {
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            let command = |name: &str| input.iter().find_map(|word| word.strip_prefix(name));
            let pair = |name: &str| command(name).and_then(|text| text.split_once('='));
            counts.gathered.next = set(input[0]);
            counts.start_valid.next = pair("start:").is_some();
            counts.activate.next = pair("activate:").is_some();
            if let Some((cta, warps)) = pair("start:") {
                counts.start_cta.next = number(cta);
                counts.start_warps.next = number(warps);
            }
            if let Some((cta, ahead)) = pair("activate:") {
                counts.cta.next = number(cta);
                counts.ahead.next = number(ahead);
            }
            counts.formed.next = command("formed:").is_some();
            counts.forming.next = command("formed:").or(command("forming:")).is_some();
            counts.forming_cta.next = number(command("formed:").or(command("forming:")).unwrap_or("0"));
            counts.arrive_valid.next = command("arrive:").is_some();
            counts.arrive_cta.next = number(command("arrive:").unwrap_or("0"));
            simulate(&mut counts, 1000);
            let mut found = vec![digits(counts.complete.val())];
            found.extend(counts.completes.val().then(|| "last".to_string()));
            assert_eq!(found, seen, "{input:?}");
            tick!(counts);
        }
    }
}
