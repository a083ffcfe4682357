//! `.tfx`, the format of TressFX 4: strands of equal numbers of points.
//!
//! A header of 160 bytes tells where the arrays are; 0 stands for none. Positions have a fourth
//! number, the inverse mass: 0 for the two points that the skin holds.

use super::bytes::{Bytes, write_floats};
use super::{Strands, Values};
use crate::files::Output;
use crate::head::Budget;
use std::io;

/// The version that files begin with.
const VERSION: f32 = 4.0;
const HEADER_BYTES: u32 = 160;
/// The points at the root of a strand that do not move.
const HELD: usize = 2;

/// Returns `true` if a file begins as this format does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.len() >= HEADER_BYTES as usize && bytes.starts_with(&VERSION.to_le_bytes())
}

/// Reads a file.
pub fn read(bytes: &[u8], budget: &Budget) -> Result<Strands, String> {
    let mut header = Bytes { rest: bytes };
    let [version] = header.floats()?;
    if !(4.0..5.0).contains(&version) {
        return Err(format!("its version is {version}; TressFX 4 is read"));
    }
    let [count, each, positions, uvs, _point_uvs, widths, colors] = [
        header.u32()?,
        header.u32()?,
        header.u32()?,
        header.u32()?,
        header.u32()?,
        header.u32()?,
        header.u32()?,
    ];
    let at = |offset: u32| {
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        Bytes { rest }
    };
    let strands = u64::from(count);
    let points = strands * u64::from(each);
    let found = at(positions).groups::<4>(points, budget)?;
    let root_uvs = match uvs {
        0 => Vec::new(),
        place => at(place).groups::<2>(strands, budget)?,
    };
    let widths = match widths {
        0 => Values::None,
        place => Values::Strands(at(place).scalars(strands, budget)?),
    };
    let (mut shades, mut opacities) = (Values::None, Values::None);
    if colors != 0 {
        let found = at(colors).groups::<4>(points, budget)?;
        if found.iter().any(|color| color[3] != 1.0) {
            opacities = Values::Points(found.iter().map(|color| color[3]).collect());
        }
        shades = Values::Points(found.iter().map(|&[r, g, b, _]| [r, g, b]).collect());
    }
    Ok(Strands {
        counts: vec![each; found.len() / (each.max(1) as usize)],
        points: found.into_iter().map(|[x, y, z, _]| [x, y, z]).collect(),
        widths,
        opacities,
        colors: shades,
        // Files have v down.
        root_uvs: root_uvs.into_iter().map(|[u, v]| [u, 1.0 - v]).collect(),
        ..Strands::default()
    })
}

/// Writes a file. Strands must have equal numbers of points; a width of a strand is that of its root.
pub fn write(out: &mut dyn Output, strands: &Strands) -> io::Result<()> {
    let each = strands.counts.first().copied().unwrap_or(0);
    let (count, points) = (strands.len() as u64, strands.points.len() as u64);
    let mut end = u64::from(HEADER_BYTES);
    let mut place = |is_there: bool, bytes: u64| {
        let place = end;
        end += if is_there { bytes } else { 0 };
        let place = if is_there { place } else { 0 };
        u32::try_from(place).map_err(|_| io::Error::other("it would be larger than 4 GiB"))
    };
    let has_colors = !strands.colors.is_none() || !strands.opacities.is_none();
    let offsets = [
        place(true, 16 * points)?,
        place(!strands.root_uvs.is_empty(), 8 * count)?,
        0,
        place(!strands.widths.is_none(), 4 * count)?,
        place(has_colors, 16 * points)?,
    ];
    write_floats(out, &[VERSION])?;
    for number in [count as u32, each].iter().chain(&offsets) {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(&[0; 4 * 32])?;
    for range in strands.ranges() {
        for (nth, [x, y, z]) in strands.points[range].iter().enumerate() {
            let inverse_mass = if nth < HELD { 0.0 } else { 1.0 };
            write_floats(out, &[*x, *y, *z, inverse_mass])?;
        }
    }
    (strands.root_uvs.iter()).try_for_each(|&[u, v]| write_floats(out, &[u, 1.0 - v]))?;
    if !strands.widths.is_none() {
        for (strand, range) in strands.ranges().enumerate() {
            let width = strands.widths.at(strand, range.start);
            write_floats(out, &[width.unwrap_or_default()])?;
        }
    }
    if has_colors {
        for (strand, range) in strands.ranges().enumerate() {
            for point in range {
                let [r, g, b] = strands.colors.at(strand, point).unwrap_or([1.0; 3]);
                let opacity = strands.opacities.at(strand, point).unwrap_or(1.0);
                write_floats(out, &[r, g, b, opacity])?;
            }
        }
    }
    Ok(())
}
