//! `.hair`, the format of Cem Yuksel's hair models: <http://www.cemyuksel.com/research/hairmodels>.
//!
//! A header of 128 bytes tells which arrays follow, and the values of those that do not. The
//! thickness of a point is a diameter in units of the file.

use super::bytes::{Bytes, take_memory, write_floats};
use super::{Strands, Values};
use crate::files::Output;
use crate::head::Budget;
use std::io;

/// The first bytes of a file.
pub const MAGIC: &[u8] = b"HAIR";
/// The size of the text at the end of the header.
const INFO_BYTES: usize = 88;
/// The text of files that are written here.
const INFO: &[u8] = b"mohawk";

// The bits of the arrays that a file has, in their order.
const SEGMENTS: u32 = 1;
const POINTS: u32 = 2;
const THICKNESS: u32 = 4;
const TRANSPARENCY: u32 = 8;
const COLORS: u32 = 16;

/// The largest number of points of a strand: its segments have 16 bits.
pub const MOST_POINTS: u32 = u16::MAX as u32 + 1;

/// Reads a file.
pub fn read(bytes: &[u8], budget: &Budget) -> Result<Strands, String> {
    let mut bytes = Bytes { rest: bytes };
    bytes.take(MAGIC.len())?;
    let [strands, points, arrays, segments] =
        [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?];
    let [thickness, transparency] = bytes.floats()?;
    let color = bytes.floats()?;
    bytes.take(INFO_BYTES)?;
    let has = |array| arrays & array != 0;
    if !has(POINTS) {
        return Err("it has no points".to_owned());
    }
    let count = |segments: u32| segments.saturating_add(1);
    let mut counts = Vec::new();
    if has(SEGMENTS) {
        let segments = bytes.take((strands as usize).saturating_mul(2))?;
        take_memory(budget, strands.into(), 4)?;
        let pairs = segments.chunks_exact(2);
        counts = pairs
            .map(|pair| count(u16::from_le_bytes([pair[0], pair[1]]).into()))
            .collect();
    } else if u64::from(strands) * u64::from(count(segments)) == u64::from(points) {
        take_memory(budget, strands.into(), 4)?;
        counts.resize(strands as usize, count(segments));
    } else {
        return Err(format!(
            "its header claims {strands} strands of {segments} segments and {points} points"
        ));
    }
    let points = u64::from(points);
    let positions = bytes.groups(points, budget)?;
    // Values of the header that are 0 are none.
    let mut values = |array, all: f32| match has(array) {
        true => bytes.scalars(points, budget).map(Values::Points),
        false if all == 0.0 => Ok(Values::None),
        false => Ok(Values::All(all)),
    };
    let widths = values(THICKNESS, thickness)?;
    let opacities = values(TRANSPARENCY, transparency)?.map(|share| 1.0 - share);
    let colors = match has(COLORS) {
        true => Values::Points(bytes.groups(points, budget)?),
        false if color == [0.0; 3] => Values::None,
        false => Values::All(color),
    };
    Ok(Strands {
        counts,
        points: positions,
        widths,
        opacities,
        colors,
        ..Strands::default()
    })
}

/// Writes a file. Strands must have at most [`MOST_POINTS`].
pub fn write(out: &mut dyn Output, strands: &Strands) -> io::Result<()> {
    let first = strands.counts.first().copied().unwrap_or(1);
    let is_even = strands.counts.iter().all(|&count| count == first);
    let mut arrays = POINTS;
    let mut is_array = |array, is_array: bool| {
        arrays |= if is_array { array } else { 0 };
    };
    is_array(SEGMENTS, !is_even);
    is_array(THICKNESS, strands.widths.is_many());
    is_array(TRANSPARENCY, strands.opacities.is_many());
    // Black in the header stands for no colours.
    let has_colors = strands.colors.is_many() || strands.colors == Values::All([0.0; 3]);
    is_array(COLORS, has_colors);
    out.write_all(MAGIC)?;
    let segments = if is_even { first - 1 } else { 0 };
    for number in [
        strands.len() as u32,
        strands.points.len() as u32,
        arrays,
        segments,
    ] {
        out.write_all(&number.to_le_bytes())?;
    }
    let thickness = strands.widths.at(0, 0).unwrap_or(0.0);
    let transparency = 1.0 - strands.opacities.at(0, 0).unwrap_or(1.0);
    write_floats(out, &[thickness, transparency])?;
    write_floats(out, &strands.colors.at(0, 0).unwrap_or_default())?;
    let mut info = [0; INFO_BYTES];
    info[..INFO.len()].copy_from_slice(INFO);
    out.write_all(&info)?;
    if !is_even {
        for count in &strands.counts {
            out.write_all(&((count - 1) as u16).to_le_bytes())?;
        }
    }
    strands
        .points
        .iter()
        .try_for_each(|point| write_floats(out, point))?;
    if strands.widths.is_many() {
        strands.each_point(&strands.widths, |width| write_floats(out, &[width]))?;
    }
    if strands.opacities.is_many() {
        strands.each_point(&strands.opacities, |opacity| {
            write_floats(out, &[1.0 - opacity])
        })?;
    }
    if has_colors {
        strands.each_point(&strands.colors, |color| write_floats(out, &color))?;
    }
    Ok(())
}
