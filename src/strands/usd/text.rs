//! USD as text.

use super::{Curves, Numbers, PRIM};
use crate::files::Output;
use crate::strands::{Motion, Strands, box_around};
use std::fmt::Display;
use std::io;

/// Writes a file. Colours of strands must be linear. Frames of a motion are written one after the
/// other.
pub fn write(out: &mut dyn Output, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let curves = &Curves::of(strands);
    writeln!(out, "#usda 1.0\n(\n    defaultPrim = \"{PRIM}\"")?;
    writeln!(out, "    metersPerUnit = {}", curves.unit_metres)?;
    if let Some(motion) = &motion {
        writeln!(out, "    startTimeCode = 0")?;
        writeln!(out, "    endTimeCode = {}", motion.frames.saturating_sub(1))?;
        writeln!(out, "    timeCodesPerSecond = {}", motion.fps)?;
        writeln!(out, "    framesPerSecond = {}", motion.fps)?;
    }
    writeln!(out, "    upAxis = \"{}\"\n)\n", curves.up)?;
    writeln!(out, "def BasisCurves \"{PRIM}\"\n{{")?;
    writeln!(out, "    uniform token type = \"linear\"")?;
    writeln!(out, "    uniform token wrap = \"nonperiodic\"")?;
    for attribute in &curves.attributes {
        write!(out, "    {} {} = ", attribute.kind, attribute.name)?;
        match &attribute.numbers {
            Numbers::Ints(numbers) => list(out, numbers, 1)?,
            Numbers::Floats(numbers, lanes) => list(out, numbers, *lanes)?,
        }
        match attribute.interpolation {
            "" => writeln!(out)?,
            word => writeln!(out, " (\n        interpolation = \"{word}\"\n    )")?,
        }
    }
    let mut points = curves.strands.points.clone();
    match motion {
        None => {
            write!(out, "    float3[] extent = ")?;
            list(out, box_around(&points).as_flattened(), 3)?;
            write!(out, "\n    point3f[] points = ")?;
            list(out, points.as_flattened(), 3)?;
            writeln!(out)?;
        }
        Some(motion) => {
            let mut extents = Vec::new();
            writeln!(out, "    point3f[] points.timeSamples = {{")?;
            for nth in 0..motion.frames {
                (motion.frame)(nth, &mut points)?;
                write!(out, "        {nth}: ")?;
                list(out, points.as_flattened(), 3)?;
                writeln!(out, ",")?;
                extents.push(box_around(&points));
            }
            writeln!(out, "    }}\n    float3[] extent.timeSamples = {{")?;
            for (nth, extent) in extents.iter().enumerate() {
                write!(out, "        {nth}: ")?;
                list(out, extent.as_flattened(), 3)?;
                writeln!(out, ",")?;
            }
            writeln!(out, "    }}")?;
        }
    }
    writeln!(out, "}}")
}

/// Writes numbers in groups.
fn list<T: Display>(out: &mut dyn Output, numbers: &[T], lanes: usize) -> io::Result<()> {
    write!(out, "[")?;
    for (nth, group) in numbers.chunks_exact(lanes).enumerate() {
        if nth > 0 {
            write!(out, ", ")?;
        }
        match group {
            [one] => write!(out, "{one}")?,
            [first, rest @ ..] => {
                write!(out, "({first}")?;
                rest.iter()
                    .try_for_each(|number| write!(out, ", {number}"))?;
                write!(out, ")")?;
            }
            [] => {}
        }
    }
    write!(out, "]")
}
