//! PLY: strands as edges between vertices, with the properties `red`, `green`, `blue`, `alpha` and
//! `width` (or `radius`).

use super::bytes::{take_memory, write_floats};
use super::{Strands, Values, chains};
use crate::files::Output;
use crate::head::Budget;
use crate::mesh_file::ply;
use std::io;

const WANTED: [&str; 9] = [
    "x", "y", "z", "red", "green", "blue", "alpha", "width", "radius",
];

/// Reads the edges of a file.
pub fn read(bytes: &[u8], budget: &Budget) -> Result<Strands, String> {
    take_memory(budget, ply::memory(bytes, &WANTED)?, 1)?;
    let file = ply::read(bytes, &WANTED)?;
    let column = |nth: usize| file.columns[nth].as_deref();
    let [Some(x), Some(y), Some(z)] = [column(0), column(1), column(2)] else {
        return Err("it has no vertices".to_owned());
    };
    let chains = chains::join(x.len(), &file.edges, budget)?;
    take_memory(budget, chains.order.len() as u64, 32)?;
    let order = || chains.order.iter().map(|&point| point as usize);
    let triple = |[a, b, c]: [&[f32]; 3]| order().map(|i| [a[i], b[i], c[i]]).collect();
    let scalars = |values: &[f32], factor: f32| {
        Values::Points(order().map(|point| factor * values[point]).collect())
    };
    Ok(Strands {
        points: triple([x, y, z]),
        colors: match [column(3), column(4), column(5)] {
            [Some(r), Some(g), Some(b)] => Values::Points(triple([r, g, b])),
            _ => Values::None,
        },
        opacities: column(6).map_or(Values::None, |values| scalars(values, 1.0)),
        widths: match (column(7), column(8)) {
            (Some(widths), _) => scalars(widths, 1.0),
            (None, Some(radii)) => scalars(radii, 2.0),
            (None, None) => Values::None,
        },
        counts: chains.counts,
        ..Strands::default()
    })
}

/// Writes a binary file.
pub fn write(out: &mut dyn Output, strands: &Strands) -> io::Result<()> {
    let points = strands.points.len();
    writeln!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment strands, written by mohawk"
    )?;
    writeln!(out, "element vertex {points}")?;
    let (widths, colors) = (&strands.widths, &strands.colors);
    let names = [
        (&["x", "y", "z"][..], true),
        (&["red", "green", "blue"], !colors.is_none()),
        (&["alpha"], !strands.opacities.is_none()),
        (&["width"], !widths.is_none()),
    ];
    for name in names
        .iter()
        .filter(|(_, is_there)| *is_there)
        .flat_map(|(names, _)| *names)
    {
        writeln!(out, "property float {name}")?;
    }
    writeln!(out, "element edge {}", points - strands.len())?;
    writeln!(
        out,
        "property int vertex1\nproperty int vertex2\nend_header"
    )?;
    for (strand, range) in strands.ranges().enumerate() {
        for point in range {
            write_floats(out, &strands.points[point])?;
            if let Some(color) = colors.at(strand, point) {
                write_floats(out, &color)?;
            }
            let scalars = [&strands.opacities, widths].map(|values| values.at(strand, point));
            for value in scalars.into_iter().flatten() {
                write_floats(out, &[value])?;
            }
        }
    }
    for range in strands.ranges() {
        for point in range.start..range.end - 1 {
            out.write_all(&(point as u32).to_le_bytes())?;
            out.write_all(&(point as u32 + 1).to_le_bytes())?;
        }
    }
    Ok(())
}
