//! [`records!`](crate::records!): records in parallel memories behind one address.

/// Declares a record as a [bundle](crate::bundle!), and the module that keeps rows of them: a memory for each field.
///
/// ```
/// use warploom_hdl::prelude::*;
///
/// records! {
///     /// Visitors, by seat.
///     pub struct SeatTable {
///         /// A visitor.
///         Visitor(age: usize, bags: usize) {
///             age: [age],
///             /// Weight of each.
///             bags: [8; bags],
///             pays: Bit,
///         }
///     }
/// }
/// // 20 rows, one read port.
/// let mut seats = SeatTable::new(20, 1, 7, 2);
/// seats.write.age.next = 30.into();
/// seats.write_row.next = 19.into();
/// assert_eq!((seats.read[0].age.width(), seats.read[0].bags.len()), (7, 2));
/// ```
///
/// | port | width | meaning |
/// |---|---|---|
/// | `write_enable`, `write_row` | 1, r | at the edge, this row is written |
/// | `write` | | with this record |
/// | `read_row[n]` | r | rows to read |
/// | `read[n]` | | their records |
///
/// A field is a `Bit`, `[width]` or `[width; count]`; with a count of 0 there is no memory. A bundle, as `(Visitor(7, 2) in SeatTable(7, 2))`, names
/// a table for its rows; a table of a record that is declared elsewhere says `of Visitor(…)` and repeats the fields. Latency: read 0, write 1.
#[macro_export]
macro_rules! records {
    (
        $(#[$meta:meta])*
        pub struct $table:ident {
            $(#[$record_meta:meta])*
            $record:ident($($argument:ident: $argument_type:ty),* $(,)?) {
                $($(#[$field_meta:meta])* $field:ident: $kind:tt,)*
            }
        }
    ) => {
        $crate::bundle! {
            $(#[$record_meta])*
            pub struct $record($($argument: $argument_type),*) {
                $($(#[$field_meta])* $field: $kind,)*
            }
        }
        $crate::records! {
            $(#[$meta])*
            pub struct $table of $record($($argument: $argument_type),*) {
                $($field: $kind,)*
            }
        }
    };
    (
        $(#[$meta:meta])*
        pub struct $table:ident of $record:ident($($argument:ident: $argument_type:ty),* $(,)?) {
            $($field:ident: $kind:tt,)*
        }
    ) => {
        $crate::module! {
            $(#[$meta])*
            pub struct $table: clock {
                pub write_enable: $crate::prelude::Signal<$crate::prelude::In, $crate::prelude::Bit>,
                pub write_row: $crate::prelude::Net<$crate::prelude::In> = $crate::prelude::index_width(rows),
                pub write: $record<$crate::prelude::In> = $record::new($($argument),*),
                pub read_row: Vec<$crate::prelude::Net<$crate::prelude::In>> =
                    $crate::prelude::Net::vec(reads, $crate::prelude::index_width(rows)),
                pub read: Vec<$record<$crate::prelude::Out>> = (0..reads).map(|_| $record::new($($argument),*)).collect(),
                $($field: $crate::records!(@type $kind) = $crate::records!(@memory $kind rows reads),)*
            }
            /// For `rows` records, `reads` of which can be read at once.
            pub fn new(rows: usize, reads: usize, $($argument: $argument_type),*) {}
        }
        $crate::records!(@update $table {} {} {} {} $($field $kind)*);
    };
    (@type ($bundle:ident $arguments:tt in $keeper:ident $keeper_arguments:tt)) => { $keeper };
    (@type [$width:expr]) => { $crate::prelude::Memory };
    (@type [$width:expr; $count:expr]) => { Vec<$crate::prelude::Memory> };
    (@type Bit) => { $crate::prelude::Memory };
    (@memory ($bundle:ident $arguments:tt in $keeper:ident ($($argument:expr),*)) $rows:ident $reads:ident) => {
        $keeper::new($rows, $reads, $($argument),*)
    };
    (@memory [$width:expr] $rows:ident $reads:ident) => {
        $crate::prelude::Memory::new($width, $rows, $reads, 1, $crate::prelude::ReadKind::Asynchronous)
    };
    (@memory [$width:expr; $count:expr] $rows:ident $reads:ident) => {
        (0..$count).map(|_| $crate::records!(@memory [$width] $rows $reads)).collect()
    };
    (@memory Bit $rows:ident $reads:ident) => { $crate::records!(@memory [1] $rows $reads) };
    // The fields by kind: bundles, nets, vectors, bits.
    (@update $table:ident { $($t:ident)* } $n:tt $v:tt $b:tt $field:ident ($($bundle:tt)*) $($rest:tt)*) => {
        $crate::records!(@update $table { $($t)* $field } $n $v $b $($rest)*);
    };
    (@update $table:ident $t:tt { $($n:ident)* } $v:tt $b:tt $field:ident [$width:expr] $($rest:tt)*) => {
        $crate::records!(@update $table $t { $($n)* $field } $v $b $($rest)*);
    };
    (@update $table:ident $t:tt $n:tt { $($v:ident)* } $b:tt $field:ident [$width:expr; $count:expr] $($rest:tt)*) => {
        $crate::records!(@update $table $t $n { $($v)* $field } $b $($rest)*);
    };
    (@update $table:ident $t:tt $n:tt $v:tt { $($b:ident)* } $field:ident Bit $($rest:tt)*) => {
        $crate::records!(@update $table $t $n $v { $($b)* $field } $($rest)*);
    };
    (@update $table:ident { $($nested:ident)* } { $($net:ident)* } { $($vector:ident)* } { $($bit:ident)* }) => {
        impl $crate::prelude::Logic for $table {
            #[hdl_gen]
            fn update(&mut self) {
                comment!(module $table);
                $(
                    self.$nested.write_enable.next = self.write_enable.val();
                    self.$nested.write_row.next = self.write_row.val();
                    wire::join(&mut self.write.$nested, &mut self.$nested.write);
                    wire::join(&mut self.read_row, &mut self.$nested.read_row);
                    for port in 0..self.read_row.len() {
                        wire::join(&mut self.read[port].$nested, &mut self.$nested.read[port]);
                    }
                )*
                $(
                    self.$net.write_enable[0].next = self.write_enable.val();
                    self.$net.write_address[0].next = self.write_row.val();
                    self.$net.write_data[0].next = self.write.$net.val();
                    for port in 0..self.read_row.len() {
                        self.$net.read_address[port].next = self.read_row[port].val();
                        self.read[port].$net.next = self.$net.read_data[port].val();
                    }
                )*
                $(
                    self.$bit.write_enable[0].next = self.write_enable.val();
                    self.$bit.write_address[0].next = self.write_row.val();
                    self.$bit.write_data[0].next = bit_cast_to(self.write.$bit.val(), 1);
                    for port in 0..self.read_row.len() {
                        self.$bit.read_address[port].next = self.read_row[port].val();
                        self.read[port].$bit.next = self.$bit.read_data[port].val().any();
                    }
                )*
                $(
                    for i in 0..self.$vector.len() {
                        self.$vector[i].write_enable[0].next = self.write_enable.val();
                        self.$vector[i].write_address[0].next = self.write_row.val();
                        self.$vector[i].write_data[0].next = self.write.$vector[i].val();
                        for port in 0..self.read_row.len() {
                            self.$vector[i].read_address[port].next = self.read_row[port].val();
                            self.read[port].$vector[i].next = self.$vector[i].read_data[port].val();
                        }
                    }
                )*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    records! {
        /// With a field of every kind.
        pub struct Table {
            /// See above.
            Sample(width: usize, count: usize) {
                value: [width],
                flag: Bit,
                numbers: [4; count],
                pair: (Pair() in PairTable()),
            }
        }
    }
    bundle! {
        /// In a table of its own.
        pub struct Pair() {
            left: [8],
            right: [8],
        }
    }
    records! {
        /// See above.
        pub struct PairTable of Pair() {
            left: [8],
            right: [8],
        }
    }

    #[test]
    fn every_field_comes_back_from_its_row() {
        for count in [0, 3] {
            let mut table = Table::new(5, 2, 8, count);
            table.connect_all();
            table.write_enable.next = true;
            for row in 0..5 {
                table.write_row.next = row.into();
                table.write.value.next = (row + 0x10).into();
                table.write.flag.next = row % 2 == 1;
                (0..count).for_each(|i| table.write.numbers[i].next = (row + i).into());
                table.write.pair.right.next = (0x20 + row).into();
                tick!(table);
            }
            table.write_enable.next = false;
            table.write.value.next = 0.into();
            tick!(table);
            for row in 0..5 {
                table.read_row[0].next = row.into();
                table.read_row[1].next = (4 - row).into();
                simulate(&mut table, 100);
                for (port, row) in [row, 4 - row].into_iter().enumerate() {
                    let read = &table.read[port];
                    assert_eq!((read.value.val().index(), read.flag.val()), (row + 0x10, row % 2 == 1));
                    assert!((0..count).all(|i| read.numbers[i].val().index() == row + i), "{row}");
                    assert_eq!((read.pair.left.val().index(), read.pair.right.val().index()), (0, 0x20 + row));
                }
            }
        }
    }
}
