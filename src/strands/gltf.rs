//! glTF: strands as lines, or as meshes that any viewer shows. Lines keep widths, guides and texture
//! coordinates in attributes of their own.

use super::bytes::{take_memory, write_floats};
use super::surface::{Shape, Surface};
use super::{Moment, Strands, Values, chains};
use crate::files::Output;
use crate::head::{Budget, Clock, GUIDE, Limits, Lines, ROOT_UV, Up, WIDTH, read_lines};
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use glam::Vec3;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io;

/// Reads the lines of glTF, and the curves of USD at a moment.
pub fn read(
    bytes: &[u8],
    limits: &Limits,
    budget: &Budget,
    moment: &mut Moment,
) -> Result<Strands, String> {
    let mut clock = Clock {
        time: moment.time,
        ..Clock::default()
    };
    let lines = read_lines(bytes, limits, &mut clock).map_err(|error| error.to_string())?;
    moment.tell(clock.times.len(), clock.fps());
    moment.times = clock.times;
    let Lines {
        positions,
        edges,
        colors,
        widths,
        guides,
        root_uvs,
    } = lines;
    let chains = chains::join(positions.len(), &edges, budget)?;
    drop(edges);
    take_memory(budget, chains.order.len() as u64, 40)?;
    let order = || chains.order.iter().map(|&point| point as usize);
    let roots = || {
        let mut first = 0;
        chains.counts.iter().map(move |&count| {
            let root = first;
            first += count as usize;
            root
        })
    };
    let root = |nth: usize| chains.order[nth] as usize;
    let points = |values: &[f32]| match values {
        [] => Values::None,
        values => Values::Points(order().map(|point| values[point]).collect()),
    };
    let is_opaque = colors.iter().all(|color| color[3] == 1.0);
    Ok(Strands {
        points: order().map(|point| positions[point]).collect(),
        widths: points(&widths),
        opacities: match is_opaque {
            true => Values::None,
            false => Values::Points(order().map(|point| colors[point][3]).collect()),
        },
        colors: match &colors[..] {
            [] => Values::None,
            colors => {
                let color = |point: usize| {
                    let [r, g, b, _] = colors[point];
                    [r, g, b].map(srgb_from_linear)
                };
                Values::Points(order().map(color).collect())
            }
        },
        root_uvs: match &root_uvs[..] {
            [] => Vec::new(),
            uvs => {
                let uv = |nth| {
                    let [u, v] = uvs[root(nth)];
                    [u, 1.0 - v]
                };
                roots().map(uv).collect()
            }
        },
        guides: match &guides[..] {
            [] => Vec::new(),
            guides => roots().map(|nth| guides[root(nth)] > 0.5).collect(),
        },
        counts: chains.counts,
        up: Some(Up::Y),
        unit_metres: Some(1.0),
    })
}

/// The code of 32-bit floats, and of 32-bit indices.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// A list of a file under construction.
struct List {
    name: &'static str,
    shape: &'static str,
    count: usize,
    bytes: u64,
}

/// Writes a binary file, in metres with Y up.
pub fn write(out: &mut dyn Output, strands: &Strands, shape: Shape) -> io::Result<()> {
    let surface = Surface::new(strands, shape);
    let around = surface.as_ref().map_or(1, |surface| surface.around);
    let vertices = strands.points.len() * around;
    let edges = strands.points.len() - strands.len();
    let indices = surface
        .as_ref()
        .map_or(2 * edges, |surface| 3 * surface.triangles());
    let has_colors = !strands.colors.is_none() || !strands.opacities.is_none();
    let list = |name, shape, lanes: usize, count: usize| List {
        name,
        shape,
        count,
        bytes: 4 * lanes as u64 * count as u64,
    };
    let mut lists = vec![list("POSITION", "VEC3", 3, vertices)];
    if surface.is_some() {
        lists.push(list("NORMAL", "VEC3", 3, vertices));
        lists.push(list("TEXCOORD_0", "VEC2", 2, vertices));
    }
    let optional = [
        ("COLOR_0", "VEC4", 4, has_colors),
        (
            WIDTH,
            "SCALAR",
            1,
            surface.is_none() && !strands.widths.is_none(),
        ),
        (
            GUIDE,
            "SCALAR",
            1,
            surface.is_none() && !strands.guides.is_empty(),
        ),
        (
            ROOT_UV,
            "VEC2",
            2,
            surface.is_none() && !strands.root_uvs.is_empty(),
        ),
    ];
    let there = optional.into_iter().filter(|(.., is_there)| *is_there);
    lists.extend(there.map(|(name, shape, lanes, _)| list(name, shape, lanes, vertices)));
    lists.push(list("indices", "SCALAR", 1, indices));

    let text = document(
        &lists,
        &bounds(strands, surface.as_ref()),
        surface.is_some(),
    );
    let json_bytes = text.len().next_multiple_of(4);
    let bin_bytes: u64 = lists.iter().map(|list| list.bytes).sum();
    let whole = 12 + 8 + json_bytes as u64 + 8 + bin_bytes;
    let whole = u32::try_from(whole)
        .map_err(|_| io::Error::other("it would be larger than 4 GiB; write fewer strands"))?;
    out.write_all(b"glTF")?;
    for number in [2, whole, json_bytes as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(b"JSON")?;
    out.write_all(text.as_bytes())?;
    out.write_all(&b"   "[..json_bytes - text.len()])?;
    out.write_all(&(bin_bytes as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    for list in &lists {
        write_list(out, list.name, strands, surface.as_ref())?;
    }
    Ok(())
}

/// Returns the low and the high corner of the box around all vertices.
fn bounds(strands: &Strands, surface: Option<&Surface>) -> [[f32; 3]; 2] {
    let Some(surface) = surface else {
        return strands.bounds();
    };
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let Ok(()) = surface.for_each(|_, vertices| {
        for vertex in vertices {
            low = low.min(vertex.position);
            high = high.max(vertex.position);
        }
        Ok::<_, Infallible>(())
    });
    [low, high].map(Vec3::into)
}

/// Returns the JSON of a file of these lists.
fn document(lists: &[List], [low, high]: &[[f32; 3]; 2], is_surface: bool) -> String {
    let (mut start, mut attributes) = (0, json!({}));
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    for (nth, list) in lists.iter().enumerate() {
        let is_index = list.name == "indices";
        let target = if is_index { 34963 } else { 34962 };
        views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": list.bytes, "target": target,
        }));
        let component = if is_index { UNSIGNED_INT } else { FLOAT };
        let mut accessor = json!({
            "bufferView": nth, "componentType": component, "count": list.count, "type": list.shape,
        });
        if list.name == "POSITION" {
            accessor["min"] = json!(low);
            accessor["max"] = json!(high);
        }
        accessors.push(accessor);
        if !is_index {
            attributes[list.name] = json!(nth);
        }
        start += list.bytes;
    }
    let primitive = json!({
        "attributes": attributes,
        "indices": lists.len() - 1,
        "material": 0,
        "mode": if is_surface { 4 } else { 1 },
    });
    let document: Value = json!({
        "asset": {"version": "2.0", "generator": "mohawk"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "hair", "mesh": 0}],
        "meshes": [{"name": "hair", "primitives": [primitive]}],
        "materials": [{
            "name": "hair",
            "doubleSided": true,
            "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.5},
        }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": start}],
    });
    document.to_string()
}

fn write_list(
    out: &mut dyn Output,
    name: &str,
    strands: &Strands,
    surface: Option<&Surface>,
) -> io::Result<()> {
    match (name, surface) {
        ("POSITION", None) => {
            let mut points = strands.points.iter();
            points.try_for_each(|point| write_floats(out, point))
        }
        ("POSITION", Some(surface)) => surface.for_each(|_, vertices| {
            let mut vertices = vertices.iter();
            vertices.try_for_each(|vertex| write_floats(out, &vertex.position.to_array()))
        }),
        ("NORMAL", Some(surface)) => surface.for_each(|_, vertices| {
            let mut vertices = vertices.iter();
            vertices.try_for_each(|vertex| write_floats(out, &vertex.normal.to_array()))
        }),
        ("TEXCOORD_0", Some(surface)) => surface.for_each(|_, vertices| {
            let mut vertices = vertices.iter();
            vertices.try_for_each(|vertex| write_floats(out, &vertex.uv))
        }),
        ("indices", Some(surface)) => surface.for_each_triangle(|corners| {
            let mut corners = corners.iter();
            corners.try_for_each(|corner| out.write_all(&corner.to_le_bytes()))
        }),
        ("indices", None) => strands.ranges().try_for_each(|range| {
            let mut points = range.start as u32..range.end as u32 - 1;
            points.try_for_each(|point| {
                out.write_all(&point.to_le_bytes())?;
                out.write_all(&(point + 1).to_le_bytes())
            })
        }),
        _ => {
            let around = surface.map_or(1, |surface| surface.around);
            for (strand, range) in strands.ranges().enumerate() {
                for point in range {
                    for _ in 0..around {
                        write_value(out, name, strands, strand, point)?;
                    }
                }
            }
            Ok(())
        }
    }
}

/// Writes a value of a point that does not depend on the shape.
fn write_value(
    out: &mut dyn Output,
    name: &str,
    strands: &Strands,
    strand: usize,
    point: usize,
) -> io::Result<()> {
    match name {
        WIDTH => {
            let width = strands.widths.at(strand, point);
            write_floats(out, &[width.unwrap_or_default()])
        }
        GUIDE => write_floats(out, &[f32::from(u8::from(strands.guides[strand]))]),
        ROOT_UV => {
            let [u, v] = strands.root_uvs[strand];
            write_floats(out, &[u, 1.0 - v])
        }
        _ => {
            let color = strands.colors.at(strand, point).unwrap_or([1.0; 3]);
            let [r, g, b] = color.map(linear_from_srgb);
            let opacity = strands.opacities.at(strand, point).unwrap_or(1.0);
            write_floats(out, &[r, g, b, opacity])
        }
    }
}
