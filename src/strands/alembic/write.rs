//! The object that is written.

use super::super::{Motion, Strands, Values, box_around};
use super::compound::{Compound, Sample, Writer, array, scalar};
use super::curves::LINEAR;
use super::numbers::{BOOL, F32, F64, I16, I32, U8};
use crate::files::Output;
use crate::srgb::linear_from_srgb;
use std::io;
use std::iter::{once, repeat_n};

/// The name of the object, and of the transform around it.
const NAME: &str = "strands";
/// The metadata of the properties of a transform.
const XFORM: &str = "schema=AbcGeom_Xform_v3";
/// The metadata of an object that is a transform.
const XFORM_OBJECT: &str = "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform";
/// The metadata of the properties of curves.
const CURVES: &str = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1";
/// The metadata of an object that is curves.
const CURVES_OBJECT: &str = "schema=AbcGeom_Curve_v2;schemaBaseType=AbcGeom_GeomBase_v1;\
                             schemaObjTitle=AbcGeom_Curve_v2:.geom";
/// The version of the attributes of Unreal Engine.
const GROOM_VERSION: [(&str, i16); 2] = [("groom_version_major", 1), ("groom_version_minor", 5)];

/// Writes strands, which move if `motion` is given. Its frames are written as they come, the first at
/// second 0.
///
/// # Errors
///
/// Those of `out`, which must be at its start, and of `motion`.
pub fn write(out: &mut dyn Output, strands: &Strands, motion: Option<Motion>) -> io::Result<()> {
    let writer = &mut Writer::begin(out)?;
    let (mut bounds, mut positions) = (Vec::new(), Vec::new());
    let mut add = |points: &[[f32; 3]]| {
        let corners = box_around(points);
        let corner = |nth: usize| f64::from(corners[nth / 3][nth % 3]).to_le_bytes();
        bounds.push(writer.sample(once(std::array::from_fn::<_, 6, _>(corner)))?);
        positions.push(writer.sample(points.iter().map(|point| point.map(f32::to_le_bytes)))?);
        io::Result::Ok(())
    };
    let mut metadata = "_ai_Application=mohawk".to_owned();
    let mut fps = 1.0;
    match motion {
        Some(motion) if motion.frames > 0 => {
            fps = motion.fps;
            metadata = format!("FramesPerTimeUnit={fps};{metadata};_ai_DCC_FPS={fps}");
            let mut points = strands.points.clone();
            for frame in 0..motion.frames {
                (motion.frame)(frame, &mut points)?;
                add(&points)?;
            }
        }
        _ => add(&strands.points)?,
    }
    let geom = geom(writer, strands, &bounds, &positions)?;
    let mut properties = Compound::default();
    properties.add_compound(writer, (".geom", CURVES), geom)?;
    let curves = writer.object(properties, None)?;
    let mut properties = Compound::default();
    let xform = xform(writer)?;
    properties.add_compound(writer, (".xform", XFORM), xform)?;
    let xform = writer.object(properties, Some((NAME, CURVES_OBJECT, curves)))?;
    let top = writer.object(Compound::default(), Some((NAME, XFORM_OBJECT, xform)))?;
    // Two lists of times, each with the number of its samples, seconds between them, and the first:
    // that of what is still, and that of what moves.
    let mut times = Vec::new();
    for (samples, fps) in [(1, 1.0), (positions.len() as u32, fps)] {
        times.extend(samples.to_le_bytes());
        times.extend((1.0 / fps).to_le_bytes());
        times.extend(1_u32.to_le_bytes());
        times.extend(0.0_f64.to_le_bytes());
    }
    writer.end(top, &metadata, &times)
}

/// Writes the transform, which changes nothing.
fn xform(writer: &mut Writer) -> io::Result<Compound> {
    let mut xform = Compound::default();
    let inherits = writer.sample(once([[1_u8]]))?;
    xform.add(writer, (".inherits", ""), scalar(BOOL, 1), &[inherits])?;
    let mut user = Compound::default();
    for (name, version) in GROOM_VERSION {
        let sample = writer.sample(once([version.to_le_bytes()]))?;
        user.add(writer, (name, ""), scalar(I16, 1), &[sample])?;
    }
    xform.add_compound(writer, (".userProperties", ""), user)?;
    Ok(xform)
}

/// Writes the curves.
fn geom(
    writer: &mut Writer,
    strands: &Strands,
    bounds: &[Sample],
    positions: &[Sample],
) -> io::Result<Compound> {
    let mut geom = Compound::default();
    let bounding = "interpretation=box";
    geom.add(writer, (".selfBnds", bounding), scalar(F64, 6), bounds)?;
    let point = "geoScope=vtx;interpretation=point";
    geom.add(writer, ("P", point), array(F32, 3), positions)?;
    let counts = writer.sample(strands.counts.iter().map(|count| [count.to_le_bytes()]))?;
    geom.add(writer, ("nVertices", ""), array(I32, 1), &[counts])?;
    let form = writer.sample(once([[LINEAR, 0, 0, 0]]))?;
    geom.add(writer, ("curveBasisAndType", ""), scalar(U8, 4), &[form])?;
    let mut more = Compound::default();
    // Blender takes widths for those of points, however many there are.
    if !strands.widths.is_none() {
        let each = strands.counts.iter().enumerate();
        let strand_of = each.flat_map(|(strand, &count)| repeat_n(strand, count as usize));
        let widths = strand_of.zip(0..).map(|(strand, point)| {
            let width = strands.widths.at(strand, point).unwrap_or_default();
            [width.to_le_bytes()]
        });
        let widths = writer.sample(widths)?;
        let metadata = metadata("vtx", "float32_t", "", 1);
        geom.add(writer, ("width", &metadata), array(F32, 1), &[widths])?;
        more.add(writer, ("groom_width", &metadata), array(F32, 1), &[widths])?;
    }
    if let Some((scope, opacities)) = values(writer, &strands.opacities, |x| [x])? {
        let metadata = metadata(scope, "float32_t", "", 1);
        more.add(writer, ("opacity", &metadata), array(F32, 1), &[opacities])?;
    }
    let linear = |color: [f32; 3]| color.map(linear_from_srgb);
    if let Some((scope, colors)) = values(writer, &strands.colors, linear)? {
        let metadata = metadata(scope, "float32_t", "interpretation=rgb;", 3);
        for name in ["Cs", "groom_color"] {
            more.add(writer, (name, &metadata), array(F32, 3), &[colors])?;
        }
    }
    if !strands.root_uvs.is_empty() {
        let uvs = writer.sample(strands.root_uvs.iter().map(|uv| uv.map(f32::to_le_bytes)))?;
        let metadata = metadata("uni", "float32_t", "interpretation=vector;", 2);
        more.add(writer, ("groom_root_uv", &metadata), array(F32, 2), &[uvs])?;
    }
    if !strands.guides.is_empty() {
        let number = |guide: &bool| [i32::from(*guide).to_le_bytes()];
        let guides = writer.sample(strands.guides.iter().map(number))?;
        let metadata = metadata("uni", "int32_t", "", 1);
        more.add(writer, ("groom_guide", &metadata), array(I32, 1), &[guides])?;
    }
    geom.add_compound(writer, (".arbGeomParams", ""), more)?;
    Ok(geom)
}

/// Writes values as they are given: one, or those of strands or points. Returns their scope.
fn values<T: Copy, const N: usize>(
    writer: &mut Writer,
    values: &Values<T>,
    numbers: impl Fn(T) -> [f32; N] + Copy,
) -> io::Result<Option<(&'static str, Sample)>> {
    let bytes = move |value: &T| numbers(*value).map(f32::to_le_bytes);
    let Some((scope, values)) = values.scoped(["con", "uni", "vtx"]) else {
        return Ok(None);
    };
    Ok(Some((scope, writer.sample(values.iter().map(bytes))?)))
}

/// Returns the metadata of values of a scope.
fn metadata(scope: &str, number: &str, interpretation: &str, extent: u32) -> String {
    format!(
        "arrayExtent=1;geoScope={scope};{interpretation}isGeomParam=true;podExtent={extent};podName={number}"
    )
}
