//! Types of numbers in binary files.

use half::f16;

macro_rules! types {
    ($($name:ident: $type:ty, $wide:expr;)*) => {
        /// A type of numbers, which lie in a file in little endian.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum NumberType {
            $($name),*
        }

        impl NumberType {
            /// Returns the bytes of a number.
            pub(crate) fn size(self) -> usize {
                match self { $(Self::$name => size_of::<$type>()),* }
            }

            /// Returns the number in as many bytes.
            pub(crate) fn of(self, bytes: &[u8]) -> f64 {
                match self {
                    $(Self::$name => {
                        let wide: fn($type) -> f64 = $wide;
                        bytes.try_into().map_or(0.0, |own| wide(<$type>::from_le_bytes(own)))
                    })*
                }
            }
        }
    };
}

types! {
    U8: u8, f64::from;
    I8: i8, f64::from;
    U16: u16, f64::from;
    I16: i16, f64::from;
    U32: u32, f64::from;
    I32: i32, f64::from;
    U64: u64, |number| number as f64;
    I64: i64, |number| number as f64;
    F16: f16, f16::to_f64;
    F32: f32, f64::from;
    F64: f64, |number| number;
}
