//! glTF: strands as lines, or as meshes that any viewer shows. Lines keep widths, guides and texture
//! coordinates in attributes of their own.

mod cards;
mod file;

use super::bytes::{take_memory, write_floats};
use super::cards::Cards;
use super::surface::{Form, Shape, Surface};
use super::{Moment, Strands, Values, chains};
use crate::files::Output;
use crate::head::{
    Budget, Clock, GUIDE, Limits, Lines, LoadErrorKind, ROOT_UV, Up, WIDTH, read_lines,
};
use crate::srgb::{linear_from_srgb, srgb_from_linear};
use file::{INDICES, List, Mesh};
use glam::Vec3;
use std::convert::Infallible;
use std::io;

/// The problem of a file of ribbons, tubes, cards or other meshes.
const SURFACES: &str = "it has surfaces but no lines, and strands cannot be read back from ribbons, \
                        tubes and cards: open the file that they were made of";

const NO_CURVES: &str = "it has no strands: of glTF, lines are read, and of USD, BasisCurves that \
                         are shown";

/// Reads the lines of glTF, and the curves of USD at a moment.
pub fn read(
    bytes: &[u8],
    limits: &Limits,
    budget: &Budget,
    moment: &mut Moment,
    notes: &mut Vec<String>,
) -> Result<Strands, String> {
    let mut clock = Clock {
        time: moment.time,
        ..Clock::default()
    };
    let lines = read_lines(bytes, limits, &mut clock).map_err(|error| match error {
        // Its advice is about heads.
        LoadErrorKind::NotGltf(problem) => format!("it {problem}"),
        error => error.to_string(),
    })?;
    clock.even_out();
    moment.tell(clock.times.len(), clock.fps());
    moment.times = clock.times;
    let Lines {
        positions,
        edges,
        colors,
        widths,
        guides,
        root_uvs,
        has_surfaces,
        notes: mut filled,
    } = lines;
    notes.append(&mut filled);
    if edges.is_empty() {
        let problem = if has_surfaces { SURFACES } else { NO_CURVES };
        return Err(problem.to_owned());
    }
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

/// Writes a binary file, in metres with Y up.
pub fn write(out: &mut dyn Output, strands: &Strands, form: &Form) -> io::Result<()> {
    if form.shape == Shape::Cards {
        let cards = Cards::new(strands, form).map_err(io::Error::other)?;
        return cards::write(out, &cards);
    }
    let surface = Surface::new(strands, form.shape);
    let around = surface.as_ref().map_or(1, |surface| surface.around);
    let vertices = strands.points.len() * around;
    let edges = strands.points.len() - strands.len();
    let indices = surface
        .as_ref()
        .map_or(2 * edges, |surface| 3 * surface.triangles());
    let is_surface = surface.is_some();
    let has_colors = !strands.colors.is_none() || !strands.opacities.is_none();
    let has_root_uvs = !is_surface && !strands.root_uvs.is_empty();
    let lists: Vec<List> = [
        ("POSITION", 3, true),
        ("NORMAL", 3, is_surface),
        ("TEXCOORD_0", 2, is_surface),
        ("COLOR_0", 4, has_colors),
        (WIDTH, 1, !is_surface && !strands.widths.is_none()),
        (GUIDE, 1, !is_surface && !strands.guides.is_empty()),
        (ROOT_UV, 2, has_root_uvs),
        (INDICES, 1, true),
    ]
    .into_iter()
    .filter(|(.., is_there)| *is_there)
    .map(|(name, lanes, _)| {
        let count = if name == INDICES { indices } else { vertices };
        List::new(name, lanes, count)
    })
    .collect();
    let mesh = Mesh {
        bounds: bounds(strands, surface.as_ref()),
        is_surface,
        picture: None,
    };
    file::begin(out, &lists, &mesh)?;
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
        ("POSITION" | "NORMAL" | "TEXCOORD_0", Some(surface)) => surface.for_each(|_, vertices| {
            vertices.iter().try_for_each(|vertex| match name {
                "POSITION" => write_floats(out, &vertex.position.to_array()),
                "NORMAL" => write_floats(out, &vertex.normal.to_array()),
                _ => write_floats(out, &vertex.uv),
            })
        }),
        (INDICES, Some(surface)) => surface.for_each_triangle(|corners| {
            let mut corners = corners.iter();
            corners.try_for_each(|corner| out.write_all(&corner.to_le_bytes()))
        }),
        (INDICES, None) => strands.ranges().try_for_each(|range| {
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
