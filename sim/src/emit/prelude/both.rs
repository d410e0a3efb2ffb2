/// Functions of registers, of 32-bit and of 64-bit elements, that are an operation of the machine.
macro_rules! both {
    ($($name:ident $name64:ident ($($arg:ident),*) = $f:ident, $f64:ident;)*) => {$(
        #[inline]
        pub fn $name($($arg: R32),*) -> R32 { unsafe { $f($($arg),*) } }
        #[inline]
        pub fn $name64($($arg: R64),*) -> R64 { unsafe { $f64($($arg),*) } }
    )*};
}
