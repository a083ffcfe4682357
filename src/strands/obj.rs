//! OBJ: strands as lines (`l`), with colours after the positions.

use super::bytes::take_memory;
use super::chains::{self, Chains};
use super::{Strands, Values};
use crate::files::Output;
use crate::head::Budget;
use crate::mesh_file::obj;
use std::io;

/// Reads the lines of a file. Lines of two points are joined to strands where they meet.
pub fn read(bytes: &[u8], budget: &Budget) -> Result<Strands, String> {
    take_memory(budget, obj::memory(bytes), 1)?;
    let file = obj::read(bytes).map_err(|(line, problem)| format!("line {line} {problem}"))?;
    let mut chains = Chains::default();
    let mut rest = &file.lines[..];
    while let [count, after @ ..] = rest {
        let (line, after) = after.split_at(*count as usize);
        rest = after;
        chains.counts.push(*count);
        chains.order.extend(line);
    }
    // Files whose lines all have two points have edges.
    if chains.counts.iter().all(|&count| count == 2) {
        let edges = chains.order.as_chunks::<2>().0;
        chains = chains::join(file.positions.len(), edges, budget)?;
    }
    take_memory(budget, chains.order.len() as u64, 24)?;
    let order = || chains.order.iter().map(|&point| point as usize);
    let color = |point: usize| file.colors.get(point).filter(|color| !color.is_nan());
    let colors: Option<Vec<_>> = order()
        .map(|point| Some(color(point)?.to_array()))
        .collect();
    let colors = match colors {
        Some(colors) if !colors.is_empty() => Values::Points(colors),
        _ => Values::None,
    };
    Ok(Strands {
        points: order().map(|point| file.positions[point].into()).collect(),
        counts: chains.counts,
        colors,
        ..Strands::default()
    })
}

/// Writes a file.
pub fn write(out: &mut dyn Output, strands: &Strands) -> io::Result<()> {
    writeln!(out, "# Strands, written by mohawk\no strands")?;
    for (strand, range) in strands.ranges().enumerate() {
        for point in range {
            let [x, y, z] = strands.points[point];
            write!(out, "v {x} {y} {z}")?;
            if let Some([r, g, b]) = strands.colors.at(strand, point) {
                write!(out, " {r} {g} {b}")?;
            }
            writeln!(out)?;
        }
    }
    for range in strands.ranges() {
        write!(out, "l")?;
        range
            .into_iter()
            .try_for_each(|point| write!(out, " {}", point + 1))?;
        writeln!(out)?;
    }
    Ok(())
}
