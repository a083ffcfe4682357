//! Packed data of the binary format of USD: blocks of LZ4, and integers by their differences.

use super::{WHAT, refused};
use crate::head::error::{LoadErrorKind, Result};
use crate::head::limits::Budget;

fn cut() -> LoadErrorKind {
    refused("leads beyond the end of the file; the file may be cut")
}

/// A place in a file.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Returns a reader at a place.
    pub fn at(bytes: &'a [u8], at: u64) -> Result<Self> {
        let at = usize::try_from(at).ok().filter(|&at| at <= bytes.len());
        Ok(Reader {
            bytes,
            at: at.ok_or_else(cut)?,
        })
    }

    /// Returns the place.
    pub fn place(&self) -> u64 {
        self.at as u64
    }

    /// Reads elements of `each` bytes.
    pub fn plain(&mut self, count: u64, each: u64) -> Result<&'a [u8]> {
        let size = count
            .checked_mul(each)
            .and_then(|size| usize::try_from(size).ok());
        let end = size.and_then(|size| self.at.checked_add(size));
        let (start, end) = (self.at, end.ok_or_else(cut)?);
        let bytes = self.bytes.get(start..end).ok_or_else(cut)?;
        self.at = end;
        Ok(bytes)
    }

    /// Reads some bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.plain(N as u64, 1)?.try_into().map_err(|_| cut())
    }

    /// Reads a number.
    pub fn number(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a size, and so many bytes.
    pub fn sized(&mut self) -> Result<&'a [u8]> {
        let size = self.number()?;
        self.plain(size, 1)
    }
}

/// Unpacks at most `size` bytes.
pub fn unpack(packed: &[u8], size: u64, budget: &Budget) -> Result<Vec<u8>> {
    let damaged = || refused("has a packed block that is damaged");
    budget.take(size, 1, WHAT)?;
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| damaged())?];
    let (&chunks, mut rest) = packed.split_first().ok_or_else(damaged)?;
    let mut length = 0;
    let mut add = |block: &[u8]| -> Result<()> {
        let written = lz4_flex::block::decompress_into(block, &mut bytes[length..]);
        length += written.map_err(|_| damaged())?;
        Ok(())
    };
    if chunks == 0 {
        add(rest)?;
    }
    for _ in 0..chunks {
        let (size, after) = rest.split_first_chunk().ok_or_else(damaged)?;
        let size = u32::from_le_bytes(*size) as usize;
        let (block, after) = after.split_at_checked(size).ok_or_else(damaged)?;
        add(block)?;
        rest = after;
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Reads packed integers of 32 bits.
pub fn integers(reader: &mut Reader, count: u64, budget: &Budget) -> Result<Vec<u32>> {
    budget.take(count, 4, WHAT)?;
    let mut numbers = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
    each_integer::<4>(reader, count, budget, |number| numbers.push(number as u32))?;
    Ok(numbers)
}

/// Reads packed integers of `N` bytes, 4 or 8.
pub fn each_integer<const N: usize>(
    reader: &mut Reader,
    count: u64,
    budget: &Budget,
    mut take: impl FnMut(i64),
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let damaged = || refused("has packed integers that are damaged");
    let packed = reader.sized()?;
    let codes = count.div_ceil(4);
    let most = count
        .checked_mul(N as u64)
        .and_then(|most| most.checked_add(N as u64 + codes));
    let most = most.ok_or_else(damaged)?;
    let bytes = unpack(packed, most, budget)?;
    let mut reader = Reader::at(&bytes, 0)?;
    let signed = |width: usize, reader: &mut Reader| -> Result<i64> {
        let mut word = [0; 8];
        let bytes = reader.plain(width as u64, 1).map_err(|_| damaged())?;
        word[..width].copy_from_slice(bytes);
        let unused = 64 - 8 * width as u32;
        Ok(i64::from_le_bytes(word) << unused >> unused)
    };
    let common = signed(N, &mut reader)?;
    let codes = reader.plain(codes, 1).map_err(|_| damaged())?;
    let mut last = 0_i64;
    for nth in 0..count as usize {
        let difference = match codes[nth / 4] >> (2 * (nth % 4)) & 3 {
            0 => common,
            code => signed(N << (code - 1) >> 2, &mut reader)?,
        };
        last = last.wrapping_add(difference);
        take(last);
    }
    budget.give_back(most, 1);
    Ok(())
}
