//! Little-endian numbers, one after the other.

use crate::files::Output;
use crate::head::{Budget, limit_hint};
use std::io;

/// The problem of a file that ends early.
const CUT_OFF: &str = "it is cut off";

/// The bytes of a file that were not read yet.
pub struct Bytes<'a> {
    pub rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Returns the next bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(CUT_OFF)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Returns the next `N` bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(CUT_OFF)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Returns the next whole number.
    pub fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Returns the next `N` numbers.
    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N], String> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = f32::from_le_bytes(self.array()?);
        }
        Ok(floats)
    }

    /// Returns the next `count` groups of `N` numbers.
    pub fn groups<const N: usize>(
        &mut self,
        count: u64,
        budget: &Budget,
    ) -> Result<Vec<[f32; N]>, String> {
        let groups = self.each_group(count)?;
        take_memory(budget, count, 4 * N as u64)?;
        Ok(groups.collect())
    }

    /// Returns the next `count` groups of `N` numbers, one after the other.
    pub fn each_group<const N: usize>(
        &mut self,
        count: u64,
    ) -> Result<impl Iterator<Item = [f32; N]> + use<'a, N>, String> {
        let size = 4 * N as u64;
        if count > self.rest.len() as u64 / size {
            return Err(CUT_OFF.to_owned());
        }
        let groups = self.take((count * size) as usize)?;
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let group = move |bytes: &[u8]| std::array::from_fn(|nth| number(&bytes[4 * nth..]));
        Ok(groups.chunks_exact(size as usize).map(group))
    }

    /// Returns the next `count` numbers.
    pub fn scalars(&mut self, count: u64, budget: &Budget) -> Result<Vec<f32>, String> {
        let groups = self.groups::<1>(count, budget)?;
        Ok(groups.into_iter().map(|[number]| number).collect())
    }
}

/// Writes numbers.
pub fn write_floats(out: &mut dyn Output, floats: &[f32]) -> io::Result<()> {
    floats
        .iter()
        .try_for_each(|float| out.write_all(&float.to_le_bytes()))
}

/// Takes memory for `count` items of `size` bytes.
pub fn take_memory(budget: &Budget, count: u64, size: u64) -> Result<(), String> {
    let left = budget.left() / 1_000_000;
    let taken = budget.take(count, size, "strands");
    taken.map_err(|_| {
        let needs = count.saturating_mul(size).div_ceil(1_000_000);
        let hint = limit_hint("memory-free");
        format!("its strands need {needs} MB of memory, and {left} MB are left for them {hint}")
    })
}
