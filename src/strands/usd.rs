//! USD: strands as `BasisCurves`, as text (`.usda`), binary (`.usdc`) or package (`.usdz`), with the
//! attributes of Unreal's grooms. [`super::gltf`] reads them.

pub(super) mod binary;
#[cfg(test)]
mod tests;
pub(super) mod text;

use super::{Motion, Strands};
use crate::files::{Output, Part, disk as fs, write_whole_with};
use crate::head::Up;
use std::io::{self, Read};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The name of the only prim.
const PRIM: &str = "hair";
/// The interpolations of values of all, of strands and of points.
const SCOPES: [&str; 3] = ["constant", "uniform", "vertex"];
/// Files in a package begin at multiples of this many bytes.
const ALIGNMENT: u16 = 64;

/// Numbers of an attribute.
enum Numbers<'a> {
    Ints(Vec<i32>),
    /// Groups of so many floats.
    Floats(&'a [f32], usize),
}

/// An attribute of the curves; the points are apart.
struct Attribute<'a> {
    name: &'static str,
    kind: &'static str,
    /// One of [`SCOPES`]; empty for what has none.
    interpolation: &'static str,
    numbers: Numbers<'a>,
}

/// Strands as they are written.
struct Curves<'a> {
    strands: &'a Strands,
    up: &'static str,
    unit_metres: f64,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Curves<'a> {
    /// Returns what is written of strands whose up is Y or Z.
    fn of(strands: &'a Strands) -> Self {
        let int = |&count: &u32| count as i32;
        let mut attributes = vec![Attribute {
            name: "curveVertexCounts",
            kind: "int[]",
            interpolation: "",
            numbers: Numbers::Ints(strands.counts.iter().map(int).collect()),
        }];
        let mut add = |name, kind, values: Option<(&'static str, &'a [f32])>, lanes| {
            attributes.extend(values.map(|(interpolation, floats)| Attribute {
                name,
                kind,
                interpolation,
                numbers: Numbers::Floats(floats, lanes),
            }));
        };
        let widths = strands.widths.scoped(SCOPES);
        add("widths", "float[]", widths, 1);
        add("primvars:groom_width", "float[]", widths, 1);
        let colors = strands.colors.scoped(SCOPES);
        let colors = colors.map(|(scope, colors)| (scope, colors.as_flattened()));
        add("primvars:displayColor", "color3f[]", colors, 3);
        let opacities = strands.opacities.scoped(SCOPES);
        add("primvars:displayOpacity", "float[]", opacities, 1);
        let uvs = strands.root_uvs.as_flattened();
        let uvs = (!uvs.is_empty()).then_some(("uniform", uvs));
        add("primvars:groom_root_uv", "float2[]", uvs, 2);
        if !strands.guides.is_empty() {
            let guides = strands.guides.iter().map(|&guide| i32::from(guide));
            attributes.push(Attribute {
                name: "primvars:groom_guide",
                kind: "int[]",
                interpolation: "uniform",
                numbers: Numbers::Ints(guides.collect()),
            });
        }
        Self {
            strands,
            up: if strands.up == Some(Up::Z) { "Z" } else { "Y" },
            unit_metres: strands.unit_metres.unwrap_or(1.0),
            attributes,
        }
    }
}

/// Writes a package. Its binary file is written beside it first.
pub fn save_package(path: &Path, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let scratch = Part::of(&path.with_extension("usdc"));
    let mut out = io::BufWriter::new(fs::File::create(scratch.path())?);
    binary::write(&mut out, strands, motion)?;
    out.into_inner()?;
    let mut binary = fs::File::open(scratch.path())?;
    let bytes = binary.metadata()?.len();
    write_whole_with(path, |out| write_package(out, &mut binary, bytes))
}

fn write_package(out: &mut dyn Output, binary: &mut dyn Read, bytes: u64) -> io::Result<()> {
    let mut zip = ZipWriter::new(out);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .with_alignment(ALIGNMENT)
        .large_file(bytes > u64::from(u32::MAX / 2));
    zip.start_file(format!("{PRIM}.usdc"), options)?;
    io::copy(binary, &mut zip)?;
    zip.finish()?;
    Ok(())
}
