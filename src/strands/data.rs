//! `.data`, the format of USC-HairSalon: the number of strands, then of each the number of its points
//! and their positions. Strands of one point stand for roots without hair.

use super::Strands;
use super::bytes::{Bytes, take_memory, write_floats};
use crate::files::Output;
use crate::head::Budget;
use std::io;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &Budget) -> Result<Strands, String> {
    let mut bytes = Bytes { rest: bytes };
    let count = bytes.u32()?;
    if u64::from(count) > bytes.rest.len() as u64 / 4 {
        return Err(format!(
            "it claims {count} strands, more than its bytes can hold"
        ));
    }
    // The list of points grows, so that it may be there twice.
    take_memory(budget, count.into(), 4)?;
    take_memory(budget, bytes.rest.len() as u64, 2)?;
    let mut strands = Strands::default();
    for _ in 0..count {
        let points = bytes.u32()?;
        strands.counts.push(points);
        strands.points.extend(bytes.each_group(points.into())?);
    }
    match bytes.rest {
        [] => Ok(strands),
        rest => Err(format!("{} bytes follow its last strand", rest.len())),
    }
}

/// Writes a file.
pub fn write(out: &mut dyn Output, strands: &Strands) -> io::Result<()> {
    out.write_all(&(strands.len() as u32).to_le_bytes())?;
    for (range, count) in strands.ranges().zip(&strands.counts) {
        out.write_all(&count.to_le_bytes())?;
        (strands.points[range].iter()).try_for_each(|point| write_floats(out, point))?;
    }
    Ok(())
}
