//! Values of the binary format of USD. A word of 64 bits says of which type one is, and has it or the
//! place where it is.

use super::binary::Crate;
use super::clock::Clock;
use super::packed::{Reader, each_integer};
use super::{WHAT, refused};
use crate::binary_number::NumberType;
use crate::head::error::Result;
use crate::head::limits::Budget;

const IS_ARRAY: u64 = 1 << 63;
const IS_INLINE: u64 = 1 << 62;
const IS_PACKED: u64 = 1 << 61;
/// Shorter arrays are not packed.
const LEAST_PACKED: u64 = 16;
/// Names of one value that are looked at.
const MOST_WORDS: u64 = 1024;

pub const PAYLOAD: u8 = 47;
pub const PAYLOAD_LIST: u8 = 55;
const STRING: u8 = 10;
const TOKEN: u8 = 11;
const ASSET: u8 = 12;
const TOKENS: u8 = 41;
const TIME_SAMPLES: u8 = 46;
/// A list of doubles that is no array.
const DOUBLES: u8 = 48;
pub const NO_VALUE: u8 = 51;

/// Returns the type of a value.
pub fn kind(value: u64) -> u8 {
    (value >> 48) as u8
}

/// Returns the place of a value.
pub fn place(value: u64) -> u64 {
    value & ((1 << 48) - 1)
}

/// Returns the numbers of a type: how many a value has, and whether it is a matrix or a quaternion,
/// whose real part comes last.
fn numbers_of(kind: u8) -> Option<(NumberType, usize, Shape)> {
    use NumberType::*;
    let of_three = |first: u8| [F64, F32, F16, I32][usize::from(kind - first)];
    Some(match kind {
        1 | 2 => (U8, 1, Shape::Plain),
        3 => (I32, 1, Shape::Plain),
        4 => (U32, 1, Shape::Plain),
        5 | 6 => (I64, 1, Shape::Plain),
        7 => (F16, 1, Shape::Plain),
        8 => (F32, 1, Shape::Plain),
        9 | 48 | 56 => (F64, 1, Shape::Plain),
        13 => (F64, 4, Shape::Matrix(2)),
        14 => (F64, 9, Shape::Matrix(3)),
        15 => (F64, 16, Shape::Matrix(4)),
        16..=18 => (of_three(16), 4, Shape::Quaternion),
        19..=22 => (of_three(19), 2, Shape::Plain),
        23..=26 => (of_three(23), 3, Shape::Plain),
        27..=30 => (of_three(27), 4, Shape::Plain),
        _ => return None,
    })
}

#[derive(Clone, Copy)]
enum Shape {
    Plain,
    Matrix(usize),
    Quaternion,
}

impl Crate<'_> {
    /// Returns the numbers of a value, group after group.
    pub fn numbers<T>(
        &self,
        value: u64,
        budget: &Budget,
        convert: impl Fn(f64) -> T,
    ) -> Result<Vec<T>> {
        if kind(value) == NO_VALUE {
            return Ok(Vec::new());
        }
        let (number, lanes, shape) =
            numbers_of(kind(value)).ok_or_else(|| refused("has no numbers"))?;
        let mut numbers = Vec::new();
        if value & IS_ARRAY == 0 && value & IS_INLINE != 0 {
            let bytes = place(value).to_le_bytes();
            let small = |lane: usize| f64::from(bytes[lane.min(7)] as i8);
            match shape {
                // The diagonal.
                Shape::Matrix(side) => numbers.extend((0..lanes).map(|lane| {
                    let is_inside = lane / side == lane % side;
                    convert(if is_inside { small(lane / side) } else { 0.0 })
                })),
                _ if lanes > 1 => numbers.extend((0..lanes).map(|lane| convert(small(lane)))),
                _ => {
                    // Doubles that are floats, and long integers that are short.
                    let number = match number {
                        NumberType::F64 => NumberType::F32,
                        NumberType::I64 => NumberType::I32,
                        other => other,
                    };
                    numbers.push(convert(number.of(&bytes[..number.size()])));
                }
            }
            return Ok(numbers);
        }
        if value & IS_ARRAY != 0 && place(value) == 0 {
            return Ok(numbers);
        }
        let mut reader = Reader::at(self.bytes, place(value))?;
        let count = match value & IS_ARRAY != 0 {
            true => self.count(&mut reader)?,
            false if kind(value) == DOUBLES => reader.number()?,
            false => 1,
        };
        let whole = count
            .checked_mul(lanes as u64)
            .ok_or_else(|| refused("has too many numbers"))?;
        budget.take(whole, size_of::<T>() as u64, WHAT)?;
        if value & IS_PACKED != 0 && count >= LEAST_PACKED && lanes == 1 {
            numbers.reserve_exact(whole as usize);
            self.packed(&mut reader, count, number, budget, &mut |it| {
                numbers.push(convert(it));
            })?;
            return Ok(numbers);
        }
        let bytes = reader.plain(whole, number.size() as u64)?;
        numbers.reserve_exact(whole as usize);
        for group in bytes.chunks_exact(number.size() * lanes) {
            let lane = |nth: usize| number.of(&group[nth * number.size()..][..number.size()]);
            match shape {
                Shape::Quaternion => numbers.extend([3, 0, 1, 2].map(|nth| convert(lane(nth)))),
                _ => numbers.extend((0..lanes).map(|nth| convert(lane(nth)))),
            }
        }
        Ok(numbers)
    }

    /// Reads the number of values of an array.
    fn count(&self, reader: &mut Reader) -> Result<u64> {
        if self.version < [0, 5, 0] {
            reader.array::<4>()?;
        }
        match self.version < [0, 7, 0] {
            true => Ok(u64::from(u32::from_le_bytes(reader.array()?))),
            false => reader.number(),
        }
    }

    /// Reads a packed array: integers, floats that are integers, or numbers of a table.
    fn packed(
        &self,
        reader: &mut Reader,
        count: u64,
        number: NumberType,
        budget: &Budget,
        take: &mut dyn FnMut(f64),
    ) -> Result<()> {
        use NumberType::*;
        match number {
            I32 => each_integer::<4>(reader, count, budget, |it| take(it as i32 as f64)),
            U32 => each_integer::<4>(reader, count, budget, |it| take(it as u32 as f64)),
            I64 => each_integer::<8>(reader, count, budget, |it| take(it as f64)),
            F16 | F32 | F64 => match reader.array::<1>()? {
                [b'i'] => each_integer::<4>(reader, count, budget, |it| take(it as i32 as f64)),
                [b't'] => {
                    let entries = u32::from_le_bytes(reader.array()?);
                    let size = number.size();
                    let table = reader.plain(u64::from(entries), size as u64)?;
                    let mut is_inside = true;
                    each_integer::<4>(reader, count, budget, |nth| {
                        let start = (nth as u32 as usize).saturating_mul(size);
                        let entry = table.get(start..start.saturating_add(size));
                        is_inside &= entry.is_some();
                        take(entry.map_or(0.0, |entry| number.of(entry)));
                    })?;
                    match is_inside {
                        true => Ok(()),
                        false => Err(refused("has numbers beyond their table")),
                    }
                }
                _ => Err(refused("is packed in an unknown way")),
            },
            _ => Err(refused("has packed bytes")),
        }
    }

    /// Returns the names in a value: tokens, texts or paths of files.
    pub fn words(&self, value: u64) -> Vec<&str> {
        let kind = kind(value);
        let word = |index: u32| match kind {
            STRING => self.string(index),
            _ => self.token(index),
        };
        if !matches!(kind, STRING | TOKEN | ASSET | TOKENS) {
            return Vec::new();
        }
        if value & IS_INLINE != 0 {
            return vec![word(value as u32)];
        }
        let list = || {
            let mut reader = Reader::at(self.bytes, place(value))?;
            let count = match kind {
                TOKENS => reader.number()?,
                _ if value & IS_ARRAY != 0 => self.count(&mut reader)?,
                _ => 1,
            };
            reader.plain(count.min(MOST_WORDS), 4)
        };
        match list() {
            Ok(bytes) if place(value) != 0 => {
                let words = bytes.as_chunks::<4>().0.iter();
                words
                    .map(|index| word(u32::from_le_bytes(*index)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the value of the moment that counts, of an attribute of this name that has several, and
    /// the next one with its share.
    pub fn sample(
        &self,
        name: &str,
        value: u64,
        clock: &mut Clock,
        budget: &Budget,
    ) -> Option<(u64, Option<(u64, f64)>)> {
        (kind(value) == TIME_SAMPLES).then_some(())?;
        // A distance leads to what comes next: the moments, and then the values.
        let jump = |mut reader: Reader| {
            let start = reader.place();
            let distance = reader.number().ok()?;
            Reader::at(self.bytes, start.wrapping_add(distance)).ok()
        };
        let mut reader = jump(Reader::at(self.bytes, place(value)).ok()?)?;
        let times = reader.number().ok()?;
        let times = self.numbers(times, budget, |time| time).ok()?;
        let (nth, share) = clock.pick(name, times);
        let nth = nth as u64;
        let mut reader = jump(reader)?;
        let count = reader.number().ok()?;
        let mut values = Reader::at(self.bytes, reader.place().checked_add(8 * nth)?).ok()?;
        let value = values.number().ok()?;
        let next = share.filter(|_| nth + 1 < count);
        let next = next.and_then(|share| Some((values.number().ok()?, share)));
        (nth < count).then_some((value, next))
    }
}
