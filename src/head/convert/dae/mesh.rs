//! The meshes of COLLADA: polygons of several inputs, each with indices of its own.

use super::xml::Node;
use super::{BYTES_PER_ID, Ids, Primitives, WHAT, label, refused, target, with_ids};
use crate::head::convert::builder::Builder;
use crate::head::convert::polygons::{Channel, Polygons};
use crate::head::error::{LoadErrorKind, Result, quoted};
use crate::head::limits::Budget;
use std::collections::HashMap;
use std::str::FromStr;

/// The largest offset of an input among the indices of a corner.
const MOST_OFFSET: u32 = 255;
/// Inputs of polygons that are looked at.
const MOST_INPUTS: usize = 64;
/// Elements that are made of triangles.
const FACES: [&str; 5] = ["triangles", "polylist", "polygons", "tristrips", "trifans"];
/// Memory for each polygon: its size, and its first corner.
const BYTES_PER_FACE: u64 = 4 + 8;

/// Numbers in groups.
struct Source {
    values: Vec<f32>,
    width: usize,
}

/// The use of one of the lists of a mesh.
struct Input<'d> {
    semantic: &'d str,
    set: u32,
    source: &'d str,
    offset: usize,
}

/// Returns the polygons of a geometry as primitives; lines and curves are left out.
pub fn primitives<'d>(geometry: Node<'d>, builder: &mut Builder) -> Result<Primitives<'d>> {
    let mut primitives = Vec::new();
    let mesh = geometry.child("mesh");
    let Some(mesh) = mesh.or_else(|| geometry.child("convex_mesh")) else {
        return Ok(primitives);
    };
    let place = format!("geometry {}", quoted(label(geometry)));
    let broken = |problem: String| refused(format!("{place}: {problem}"));
    // Only the lists of this mesh count: those of others would be read again for each.
    let tables = with_ids(mesh.children()).count() as u64;
    let budget = builder.budget;
    budget.take(tables, BYTES_PER_ID, &place)?;
    let own: Ids = with_ids(mesh.children()).collect();
    let find = |url: &str| target(&own, Some(url));
    let mut sources: HashMap<&str, Source> = HashMap::new();
    let mut taken = 0;
    for polygons in mesh.children() {
        if !FACES.contains(&polygons.name()) {
            continue;
        }
        let (inputs, step) = inputs(polygons, find).map_err(broken)?;
        for input in &inputs {
            if !sources.contains_key(input.source) {
                let lacks = || broken(format!("lacks the source {:?}", input.source));
                let source = source(find(input.source).ok_or_else(lacks)?, budget, broken)?;
                taken += source.values.len() as u64;
                sources.insert(input.source, source);
            }
        }
        let left = budget.left();
        let (indices, counts) = faces(polygons, step, budget, broken)?;
        let corners = indices.len() / step;
        let channel = |input: &Input| {
            let Source { values, width } = &sources[input.source];
            let place = (step, input.offset);
            let channel = Channel::new(values, *width, &indices, place, corners);
            let (name, semantic) = (polygons.name(), input.semantic);
            channel.map_err(|problem| broken(format!("<{name}> {semantic} {problem}")))
        };
        let with = |semantic: &'static str| {
            let inputs = inputs.iter();
            inputs.filter(move |input| input.semantic == semantic)
        };
        let Some(positions) = with("POSITION").next() else {
            return Err(broken(format!("<{}> has no positions", polygons.name())));
        };
        let uvs = with("TEXCOORD").min_by_key(|input| input.set);
        let lists = Polygons {
            positions: channel(positions)?,
            normals: with("NORMAL").next().map(channel).transpose()?,
            uvs: uvs.map(channel).transpose()?,
            colors: with("COLOR").map(channel).collect::<Result<_>>()?,
        };
        let mut first = 0;
        let face = |&count: &u32| {
            first += count;
            (first - count, count)
        };
        let faces: Vec<(u32, u32)> = counts.iter().map(face).collect();
        let triangles = lists.triangles(faces.iter().copied(), budget, &place)?;
        let arrays = lists.arrays(&triangles, budget, &place)?;
        let used = left - budget.left();
        if !triangles.is_empty() {
            let primitive = builder.primitive(&arrays, None)?;
            primitives.push((primitive, polygons.attribute("material")));
        }
        budget.give_back(used, 1);
    }
    budget.give_back(taken, size_of::<f32>() as u64);
    budget.give_back(tables, BYTES_PER_ID);
    Ok(primitives)
}

/// Returns the inputs of polygons that are read, and the number of indices at each corner; what belongs
/// to vertices stands in an element of its own.
fn inputs<'d>(
    polygons: Node<'d>,
    find: impl Fn(&str) -> Option<Node<'d>>,
) -> std::result::Result<(Vec<Input<'d>>, usize), String> {
    let mut inputs = Vec::new();
    let own = polygons.children().filter(|child| child.name() == "input");
    for input in own.take(MOST_INPUTS) {
        let number = |name: &str| Some(input.attribute(name)?.trim().parse::<u32>().ok());
        let offset = number("offset").unwrap_or(Some(0));
        let offset = offset.filter(|offset| *offset <= MOST_OFFSET);
        let offset = offset
            .ok_or_else(|| format!("has an <input> whose offset is not 0 to {MOST_OFFSET}"))?;
        let offset = offset as usize;
        let set = number("set").flatten().unwrap_or(0);
        let source = input.attribute("source").unwrap_or_default();
        let semantic = input.attribute("semantic").unwrap_or_default();
        if semantic != "VERTEX" {
            inputs.push(Input {
                semantic,
                set,
                source,
                offset,
            });
            continue;
        }
        let vertices = find(source).ok_or_else(|| format!("lacks the vertices {source:?}"))?;
        for input in vertices.children().take(MOST_INPUTS) {
            inputs.push(Input {
                semantic: input.attribute("semantic").unwrap_or_default(),
                set,
                source: input.attribute("source").unwrap_or_default(),
                offset,
            });
        }
    }
    // Inputs that are not read have indices, too.
    let steps = inputs.iter().map(|input| input.offset + 1);
    let step = steps.max().unwrap_or(1);
    inputs.retain(|input| matches!(input.semantic, "POSITION" | "NORMAL" | "TEXCOORD" | "COLOR"));
    Ok((inputs, step))
}

/// Returns the numbers of a source, from where its accessor begins.
fn source(node: Node, budget: &Budget, broken: impl Fn(String) -> LoadErrorKind) -> Result<Source> {
    let name = quoted(node.attribute("id").unwrap_or_default());
    let accessor = node.at(&["technique_common", "accessor"]);
    let number =
        |attribute: &str| -> Option<usize> { accessor?.attribute(attribute)?.trim().parse().ok() };
    let array = node.child("float_array");
    let array = array.ok_or_else(|| broken(format!("source {name} has no <float_array>")))?;
    let mut values = list(array, budget, |word| {
        broken(format!("source {name}: {} is no number", quoted(word)))
    })?;
    values.drain(..number("offset").unwrap_or(0).min(values.len()));
    let width = number("stride").unwrap_or(1);
    match width {
        0 => Err(broken(format!("source {name} has stride 0"))),
        width => Ok(Source { values, width }),
    }
}

/// Returns the indices at the corners of polygons, `step` at each, and the sizes of the polygons.
fn faces(
    polygons: Node,
    step: usize,
    budget: &Budget,
    broken: impl Fn(String) -> LoadErrorKind,
) -> Result<(Vec<u32>, Vec<u32>)> {
    let name = polygons.name();
    let is_run = matches!(name, "tristrips" | "trifans");
    // Holes of polygons are filled.
    let lists = || {
        let own = polygons.children().map(|child| match child.name() {
            "ph" => child.child("p"),
            "p" => Some(child),
            _ => None,
        });
        own.flatten()
    };
    let words = |list: Node| list.text().split_ascii_whitespace().count();
    let count: usize = lists().map(words).sum();
    // Each corner of a strip or fan begins a triangle.
    let count = if is_run { 3 * count } else { count };
    budget.take(count as u64, size_of::<u32>() as u64, WHAT)?;
    let faces = match name {
        "polylist" => polygons.child("vcount").map_or(0, words),
        "polygons" => lists().count(),
        _ => count / step / 3,
    };
    budget.take(faces as u64, BYTES_PER_FACE, WHAT)?;
    let wrong = |word: &str| broken(format!("<{name}>: {} is no index", quoted(word)));
    let mut indices: Vec<u32> = Vec::with_capacity(count);
    let mut counts: Vec<u32> = Vec::with_capacity(faces);
    for list in lists() {
        let start = indices.len();
        for word in list.text().split_ascii_whitespace() {
            indices.push(word.parse().map_err(|_| wrong(word))?);
        }
        let corners = (indices.len() - start) / step;
        if is_run {
            let run = indices.split_off(start);
            let corner = |nth: usize| &run[nth * step..(nth + 1) * step];
            for nth in 2..corners {
                let [a, b] = match (name, nth % 2) {
                    ("trifans", _) => [0, nth - 1],
                    (_, 0) => [nth - 2, nth - 1],
                    _ => [nth - 1, nth - 2],
                };
                for nth in [a, b, nth] {
                    indices.extend_from_slice(corner(nth));
                }
                counts.push(3);
            }
            continue;
        }
        indices.truncate(start + corners * step);
        match name {
            "triangles" => counts.extend(std::iter::repeat_n(3, corners / 3)),
            "polygons" => counts.push(corners as u32),
            _ => {}
        }
    }
    if let Some(sizes) = polygons.child("vcount").filter(|_| name == "polylist") {
        counts = list(sizes, budget, wrong)?;
        let wanted: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if wanted > (indices.len() / step) as u64 {
            let has = indices.len() / step;
            return Err(broken(format!(
                "<vcount> wants {wanted} corners, but there are only {has}"
            )));
        }
    }
    Ok((indices, counts))
}

/// Returns the numbers of an element.
fn list<T: FromStr>(
    node: Node,
    budget: &Budget,
    wrong: impl Fn(&str) -> LoadErrorKind,
) -> Result<Vec<T>> {
    let count = node.text().split_ascii_whitespace().count();
    budget.take(count as u64, size_of::<T>() as u64, WHAT)?;
    let mut list = Vec::with_capacity(count);
    for word in node.text().split_ascii_whitespace() {
        list.push(word.parse().map_err(|_| wrong(word))?);
    }
    Ok(list)
}
