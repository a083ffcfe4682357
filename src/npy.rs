//! Reading NumPy arrays, the `.npy` format in versions 1 to 3.
//!
//! `npyz` writes them. It does not read them here: it takes memory for the sizes that a header
//! claims before their bytes are known to exist, and its errors are the texts of a parser.

/// The first bytes of a file.
const MAGIC: &[u8] = b"\x93NUMPY";
/// The largest number of sides of an array, as in NumPy.
const MAX_SIDES: usize = 32;
/// The advice for a damaged file.
const ADVICE: &str = "save it again with numpy.save";

/// An array in the bytes of a file, of which all numbers are there.
#[derive(Debug)]
pub struct Npy<'a> {
    shape: Vec<u64>,
    /// The type of a number: its kind and its bytes, as `f4`.
    kind: String,
    /// The bytes of a number.
    size: usize,
    is_big_endian: bool,
    numbers: &'a [u8],
}

/// The problem of an array, to follow the name of its file: one line that says what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct NpyError(String);

/// A type of numbers.
pub trait Number: Sized {
    /// The types of numbers in a file that it takes, its own first, as NumPy names them: `f4`.
    const KINDS: &'static [&'static str];
    /// Returns a number of a file in this type; `None` if it is none of this type.
    fn of(number: f64) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty: $kinds:expr, $of:expr;)*) => {$(
        impl Number for $type {
            const KINDS: &'static [&'static str] = &$kinds;

            fn of(number: f64) -> Option<Self> {
                let of: fn(f64) -> Option<Self> = $of;
                of(number)
            }
        }
    )*};
}

numbers! {
    u8: ["u1", "b1"], |number| Some(number as u8);
    u32: ["u4", "i4", "u8", "i8"], |number| {
        Some(number as u32).filter(|&own| f64::from(own) == number)
    };
    f32: ["f4", "f8"], |number| Some(number as f32);
    f64: ["f8", "f4", "i8", "i4"], Some;
}

/// Reads a number from its bytes.
type Reader = fn(&[u8]) -> f64;

macro_rules! readers {
    ($($kind:pat => $type:ty),*) => {
        /// Returns the reader of a type of numbers.
        fn reader(kind: &str, is_big_endian: bool) -> Option<Reader> {
            Some(match (kind, is_big_endian) {
                $(
                    ($kind, false) => |bytes| {
                        bytes.try_into().map_or(0.0, |own| <$type>::from_le_bytes(own) as f64)
                    },
                    ($kind, true) => |bytes| {
                        bytes.try_into().map_or(0.0, |own| <$type>::from_be_bytes(own) as f64)
                    },
                )*
                _ => return None,
            })
        }
    };
}

readers!(
    "u1" | "b1" => u8, "i4" => i32, "u4" => u32, "i8" => i64, "u8" => u64, "f4" => f32, "f8" => f64
);

fn wrong(problem: impl Into<String>) -> NpyError {
    NpyError(problem.into())
}

impl<'a> Npy<'a> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// The bytes are no array of numbers in rows, or fewer than the header says.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, NpyError> {
        let damaged = |what: &str| wrong(format!("its header {what}; {ADVICE}"));
        let rest = bytes.strip_prefix(MAGIC);
        let rest = rest.ok_or_else(|| wrong(format!("it is no NumPy array; {ADVICE}")))?;
        let (length, rest) = match *rest {
            [1, 0, a, b, ref rest @ ..] => (usize::from(u16::from_le_bytes([a, b])), rest),
            [2 | 3, 0, a, b, c, d, ref rest @ ..] => {
                (u32::from_le_bytes([a, b, c, d]) as usize, rest)
            }
            [1..=3, 0, ..] => return Err(damaged("is cut off")),
            _ => return Err(damaged("has a version that does not exist")),
        };
        let header = rest.split_at_checked(length);
        let (header, numbers) = header.ok_or_else(|| damaged("is cut off"))?;
        let header = std::str::from_utf8(header).ok();
        let header = header.and_then(Header::parse);
        let header = header.ok_or_else(|| damaged("is damaged"))?;
        let descr = header.descr.ok_or_else(|| {
            wrong("it has records instead of numbers; save one field of them as an array")
        })?;
        if header.is_fortran {
            return Err(wrong(
                "it is in column-major order; save it with numpy.ascontiguousarray",
            ));
        }
        let is_big_endian = descr.starts_with('>');
        let kind = descr.trim_start_matches(['<', '>', '|', '=']);
        let digits = kind.get(1..).unwrap_or_default();
        let size: u64 = digits.parse().map_err(|_| damaged("has a broken type"))?;
        let mut sides = header.shape.iter();
        let needed = sides.try_fold(size, |n, &side| n.checked_mul(side));
        if needed.is_none_or(|needed| needed > numbers.len() as u64) {
            return Err(wrong(format!(
                "it is shorter than its header says; {ADVICE}"
            )));
        }
        Ok(Self {
            shape: header.shape,
            kind: kind.to_owned(),
            size: size as usize,
            is_big_endian,
            numbers,
        })
    }

    /// Returns the number of items along each side.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns all numbers, row by row.
    ///
    /// # Errors
    ///
    /// They are of a type that this one does not take, or one of them is out of its range.
    pub fn values<T: Number>(&self) -> Result<Vec<T>, NpyError> {
        self.values_in(0, self.shape.iter().product::<u64>() as usize)
    }

    /// Returns `count` numbers from number `first` on, as far as there are so many.
    ///
    /// # Errors
    ///
    /// Those of [`values`](Self::values).
    pub fn values_in<T: Number>(&self, first: usize, count: usize) -> Result<Vec<T>, NpyError> {
        let (kind, expected) = (&self.kind, T::KINDS[0]);
        let reader = reader(kind, self.is_big_endian).filter(|_| T::KINDS.contains(&&kind[..]));
        let reader = reader.ok_or_else(|| {
            wrong(format!(
                "it has numbers of type {kind:?}; save it as {expected:?}"
            ))
        })?;
        let numbers = self.numbers.chunks_exact(self.size);
        let numbers = numbers.skip(first).take(count).map(reader);
        let own = |number| T::of(number).ok_or(number);
        let values: Result<_, _> = numbers.map(own).collect();
        values.map_err(|number| {
            wrong(format!(
                "it has the number {number}, which does not fit in {expected:?}"
            ))
        })
    }
}

/// The contents of a header.
#[derive(Debug)]
struct Header {
    /// `None` for records.
    descr: Option<String>,
    is_fortran: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads the Python dictionary of a header: the three keys, in any order.
    fn parse(text: &str) -> Option<Self> {
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
        while !rest.is_empty() {
            let (key, after) = quoted(rest)?;
            let value = after.trim_start().strip_prefix(':')?.trim_start();
            let after = match key {
                // The list of fields may contain anything.
                "descr" if value.starts_with('[') => {
                    return Some(Self {
                        descr: None,
                        is_fortran: false,
                        shape: Vec::new(),
                    });
                }
                "descr" => {
                    let (name, after) = quoted(value)?;
                    descr = Some(name.to_owned()).filter(|name| name.is_ascii());
                    after
                }
                "fortran_order" => {
                    is_fortran = Some(value.starts_with("True"));
                    (value.strip_prefix("True")).or_else(|| value.strip_prefix("False"))?
                }
                "shape" => {
                    let (sides, after) = value.strip_prefix('(')?.split_once(')')?;
                    let sides = sides
                        .split(',')
                        .map(str::trim)
                        .filter(|side| !side.is_empty());
                    let sides = sides.map(|side| side.parse().ok()).take(MAX_SIDES + 1);
                    shape = Some(sides.collect::<Option<Vec<u64>>>()?);
                    after
                }
                _ => return None,
            };
            rest = after.trim_start();
            if !rest.is_empty() {
                rest = rest.strip_prefix(',')?.trim_start();
            }
        }
        Some(Self {
            descr: Some(descr?),
            is_fortran: is_fortran?,
            shape: shape.filter(|shape| shape.len() <= MAX_SIDES)?,
        })
    }
}

/// Returns the text in quotes at the start, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| "'\"".contains(*quote))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a file with a header, of version 1.
    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), numbers].concat()
    }

    const GOOD: &str = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }  \n";

    #[test]
    fn arrays_of_both_byte_orders_are_read() {
        let numbers = [1.5_f32, -2.0];
        let little = file(GOOD, &numbers.map(f32::to_le_bytes).concat());
        let big = GOOD.replace('<', ">").replace("(1, 2)", "(2,)");
        let big = file(&big, &numbers.map(f32::to_be_bytes).concat());
        for (bytes, shape) in [(little, &[1, 2][..]), (big, &[2])] {
            let array = Npy::parse(&bytes).unwrap();
            assert_eq!(array.shape(), shape);
            assert_eq!(array.values::<f32>().unwrap(), numbers);
        }
        let bytes = file("{'shape':(),\"descr\":'|u1','fortran_order':False}", &[7]);
        assert_eq!(Npy::parse(&bytes).unwrap().values::<u8>().unwrap(), [7]);
    }

    #[test]
    fn numbers_of_kindred_types_are_taken_if_they_fit() {
        fn read<T: Number>(kind: &str, bytes: &[u8]) -> Result<Vec<T>, String> {
            let bytes = file(&GOOD.replace("<f4", kind), bytes);
            let values = Npy::parse(&bytes).unwrap().values();
            values.map_err(|error| error.to_string())
        }
        let long = |numbers: [i64; 2]| numbers.map(i64::to_le_bytes).concat();
        assert_eq!(
            read::<u32>("<i8", &long([3, 4_294_967_295])).unwrap(),
            [3, u32::MAX]
        );
        assert_eq!(
            read::<u32>("<i8", &long([3, -1])).unwrap_err(),
            "it has the number -1, which does not fit in \"u4\""
        );
        assert!(read::<u32>("<i8", &long([1 << 32, 0])).is_err());
        let double = [0.5_f64, -2.0].map(f64::to_be_bytes).concat();
        assert_eq!(read::<f32>(">f8", &double).unwrap(), [0.5, -2.0]);
        assert_eq!(read::<u8>("|b1", &[1, 0]).unwrap(), [1, 0]);
        assert!(
            read::<f32>("<i8", &long([0, 0]))
                .unwrap_err()
                .contains("save it as \"f4\"")
        );
    }

    #[test]
    fn errors_are_one_line_and_tell_what_to_do() {
        let eight = [0; 8];
        let said = |bytes: &[u8]| match Npy::parse(bytes) {
            Ok(array) => array.values::<f32>().unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        for (from, to, told) in [
            ("{", "{{", "its header is damaged; save it again"),
            ("'descr'", "'desc", "its header is damaged; save it again"),
            ("False", "None", "its header is damaged; save it again"),
            ("(1, 2)", "(1, -2)", "its header is damaged; save it again"),
            ("(1, 2)", "(1, 2", "its header is damaged; save it again"),
            ("<f4", "<fx", "its header has a broken type; save"),
            ("<f4", "<é4", "its header is damaged; save it again"),
            (
                "'<f4'",
                "[('a', '<f4')]",
                "it has records instead of numbers; save one",
            ),
            ("False", "True", "it is in column-major order; save"),
            (
                "(1, 2)",
                "(1, 3)",
                "it is shorter than its header says; save",
            ),
            (
                "(1, 2)",
                "(9999999999, 9999999999, 0, 9999999999)",
                "it is shorter than",
            ),
            (
                "<f4",
                "<i4",
                "it has numbers of type \"i4\"; save it as \"f4\"",
            ),
        ] {
            let error = said(&file(&GOOD.replace(from, to), &eight));
            assert!(error.starts_with(told) && !error.contains('\n'), "{error}");
        }
        let deep = format!("{{'shape': {}", "(".repeat(60_000));
        assert!(said(&file(&deep, &eight)).starts_with("its header is damaged"));
        let huge = [MAGIC, &[2, 0], &[255; 4], b"{}"].concat();
        assert_eq!(
            said(&huge),
            "its header is cut off; save it again with numpy.save"
        );
        assert!(said(b"\x93NUMPY\x09\0").contains("version"));
        assert!(said(b"numbers").starts_with("it is no NumPy array; save"));
    }

    proptest! {
        #[test]
        fn damaged_arrays_are_read_or_refused(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        ) {
            let mut bytes = file(GOOD, &[0; 8]);
            for (at, byte) in changes {
                *at.get_mut(&mut bytes) = byte;
            }
            if let Ok(array) = Npy::parse(&bytes) {
                drop(array.values::<f32>());
                drop(array.values::<u8>());
            }
        }
    }
}
