//! How the warps of a path of a CTA-wide stack came to the branch that it is a side of: what the counters want to know when it starts.
//!
//! Ports: those of [`records!`](crate::records!), for [`SideRecord`], by {CTA, index}.
//!
//! Latency: read 0, write 1. State: the records.
use crate::prelude::*;

records! {
    /// See the [module documentation](self).
    pub struct SideRecords {
        /// A side of a divergent branch.
        SideRecord(warps: usize) {
            /// It has not run yet.
            is_new: Bit,
            /// The condition of the branch came from data.
            data_dependent: Bit,
            /// Warps with threads in it.
            arrived: [index_width(warps + 1)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_new_until_it_runs() {
        let mut sides = SideRecords::new(8, 1, 4);
        sides.connect_all();
        sides.write_enable.next = true;
        sides.write_row.next = 3.into();
        sides.read_row[0].next = 3.into();
        sides.write.data_dependent.next = true;
        for (is_new, arrived) in [(true, 4), (false, 3)] {
            sides.write.is_new.next = is_new;
            sides.write.arrived.next = arrived.into();
            tick!(sides);
            let side = &sides.read[0];
            assert_eq!((side.is_new.val(), side.data_dependent.val()), (is_new, true));
            assert_eq!(side.arrived.val().index(), arrived);
        }

        sides.write_enable.next = false;
        sides.write.is_new.next = true;
        sides.write.data_dependent.next = false;
        sides.write.arrived.next = 1.into();
        tick!(sides);
        let side = &sides.read[0];
        assert_eq!((side.is_new.val(), side.data_dependent.val(), side.arrived.val().index()), (false, true, 3));
    }
}
