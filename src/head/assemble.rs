//! From a document to a head: parts in file space, the scalp among them, and
//! everything moved to head space.

use super::buffers::Buffers;
use super::container;
use super::error::{LoadErrorKind, Result, Warnings, quoted, short, thing};
use super::geometry;
use super::limits::{Budget, way_past};
use super::material::Materials;
use super::nodes::{self, Shown};
use super::paint::{PaintColor, scalp_area};
use super::placed::{EMPTY, Placed, finish};
use super::uri::Folder;
use super::uv;
use super::{Extent, Head, HeadSettings, NO_PAINT, PrimitiveRef, STANDARD_HEIGHT, Units};
use glam::DVec3;
use gltf::json::Root;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use std::collections::HashMap;
use std::path::Path;

/// Builds the head called `name` from the bytes of its file; URIs are looked up
/// beside `model`.
pub fn head(
    name: &str,
    bytes: &[u8],
    model: Option<&Path>,
    settings: &HeadSettings,
) -> Result<Head> {
    let paint = PaintColor::new(settings.paint_color)?;
    if let Some(scale) = settings.scale
        && !(scale.is_finite() && scale > 0.0)
    {
        let problem = format!("{scale} is not a positive number of decimetres per file unit");
        return Err(LoadErrorKind::Setting {
            name: "scale",
            problem,
        });
    }
    let (size, limits) = (bytes.len() as u64, &settings.limits);
    let budget = Budget::new(limits, size);
    let (document, bin) = container::open(bytes, &budget)?;
    let buffers = Buffers::new(&document, bin, Folder::of(model, size), budget);
    let mut warnings = Warnings::default();

    let placed = place(&document, &buffers, paint, &mut warnings)?;
    let scalp = find_scalp(&placed, &mut warnings);
    let scalp_part = scalp.map(|scalp| scalp.0);
    if let Some(scalp) = scalp_part {
        reserve_scalp(&placed[scalp], &buffers.budget)?;
    }
    let (low, high) = bounds(&placed);
    let extent = Extent {
        low,
        high,
        scalp_area: scalp.map_or(0.0, |scalp| scalp.1),
    };
    let units = units(&placed, scalp_part, settings.scale, &mut warnings)?;
    let mut materials = Materials::new(&buffers);
    let mut parts = Vec::with_capacity(placed.len());
    for part in placed {
        let material = materials.convert(part.material, &mut warnings);
        parts.push(finish(
            part,
            &units,
            material,
            &buffers.budget,
            &mut warnings,
        )?);
    }
    Ok(Head {
        name: name.to_owned(),
        parts,
        materials: materials.materials,
        textures: materials.textures,
        scalp_part,
        units,
        extent,
        warnings: warnings.finish(),
        files: buffers.folder.looked_at(model),
    })
}

const JOINTS: Checked<Semantic> = Checked::Valid(Semantic::Joints(0));

/// Every primitive of every node that is shown.
fn place(
    document: &Root,
    buffers: &Buffers,
    paint: PaintColor,
    warnings: &mut Warnings,
) -> Result<Vec<Placed>> {
    let limits = &buffers.budget.limits;
    let mut placed: Vec<Placed> = Vec::new();
    let mut names = HashMap::new();
    let (mut seen, mut vertices) = (0, 0);
    for Shown {
        node,
        mesh: index,
        world,
        skinned,
    } in nodes::shown(document, limits.node_depth)?
    {
        let mesh = &document.meshes[index];
        let mesh_at = thing("mesh", index, mesh.name.as_deref());
        if skinned
            && mesh
                .primitives
                .iter()
                .any(|primitive| primitive.attributes.contains_key(&JOINTS))
        {
            let node = nodes::name(document, node);
            warnings.push(format!(
                "{node}: its skin is ignored; it is shown as modelled"
            ));
        }
        for (nth, primitive) in mesh.primitives.iter().enumerate() {
            let at = format!("{mesh_at}, primitive {nth}");
            seen += 1;
            if seen > limits.primitives {
                let problem = format!(
                    "the nodes show more than {} primitives {}",
                    limits.primitives,
                    way_past("primitives")
                );
                return Err(LoadErrorKind::advised(at, problem, "Join the meshes."));
            }
            let material = primitive.material.map(|material| material.value());
            let raw = material.and_then(|material| document.materials.get(material));
            if let Some(material) = material
                && raw.is_none()
            {
                let count = document.materials.len();
                let problem = format!("it names material {material}, but there are only {count}");
                return Err(LoadErrorKind::invalid(at, problem));
            }
            let (uv_set, transform) = uv::choice(raw, &at, warnings);
            let read = geometry::read(buffers, primitive, &at, uv_set, paint, warnings)?;
            let Some(mut geometry) = read else { continue };
            vertices += geometry.positions.len() as u64;
            if vertices > limits.vertices {
                let problem = format!(
                    "the head has more than {} vertices {}",
                    limits.vertices,
                    way_past("vertices")
                );
                return Err(LoadErrorKind::advised(at, problem, "Decimate it."));
            }
            if geometry.triangles.is_empty() {
                warnings.push(format!("{at}: it has no triangles"));
                continue;
            }
            if let (Some(uvs), Some(transform)) = (&mut geometry.uvs, &transform) {
                transform.apply(uvs);
            }
            let name = [&document.nodes[node].name, &mesh.name];
            let name = name.into_iter().flatten().find(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("mesh {index}"), |name| short(name));
            let name = unique(name, &mut names);
            placed.push(Placed {
                name,
                place: at,
                world,
                geometry,
                material,
                source: PrimitiveRef {
                    mesh: index,
                    primitive: nth,
                },
            });
        }
    }
    if placed.is_empty() {
        return Err(LoadErrorKind::Empty {
            found: format!(
                "{} meshes, {} nodes, {seen} primitives shown",
                document.meshes.len(),
                document.nodes.len()
            ),
        });
    }
    Ok(placed)
}

/// `head`, then `head 2`, `head 3`; `taken` remembers where each name's numbers are.
fn unique(name: String, taken: &mut HashMap<String, u32>) -> String {
    let mut candidate = name.clone();
    while taken.contains_key(&candidate) {
        let number = taken.entry(name.clone()).or_insert(1);
        *number += 1;
        candidate = format!("{name} {number}");
    }
    taken.insert(candidate.clone(), 1);
    candidate
}

/// The painted part with the largest scalp, and its area; says what is left bald.
fn find_scalp(placed: &[Placed], warnings: &mut Warnings) -> Option<(usize, f64)> {
    let mut scalp: Option<(usize, f64)> = None;
    let mut painted = 0;
    for (index, part) in placed.iter().enumerate() {
        let Some(paint) = &part.geometry.paint else {
            continue;
        };
        painted += 1;
        let area = scalp_area(paint, &part.geometry.triangles, |v| part.position(v));
        if area > scalp.map_or(0.0, |scalp| scalp.1) {
            scalp = Some((index, area));
        }
    }
    for (index, part) in placed.iter().enumerate() {
        let Some(paint) = part.geometry.paint.as_ref().filter(|_| painted > 0) else {
            continue;
        };
        let vertices = paint
            .density
            .iter()
            .filter(|&&density| density > 0.0)
            .count();
        match scalp {
            Some((scalp, _)) if scalp == index => {}
            Some((scalp, _)) => warnings.push(format!(
                "{} is painted too and stays bald: hair grows on {}, where the painted area is largest",
                quoted(&part.name),
                quoted(&placed[scalp].name)
            )),
            None => warnings.push(format!(
                "{NO_PAINT}: {vertices} vertices of {} are painted (COLOR_{}), but no triangle at all three corners",
                quoted(&part.name),
                paint.set
            )),
        }
    }
    if painted == 0 {
        let found: Vec<String> = placed
            .iter()
            .take(8)
            .map(|part| match &part.geometry.color_sets[..] {
                [] => format!("{} has no vertex colours", quoted(&part.name)),
                sets => format!("{} on part {}", sets.join(", "), quoted(&part.name)),
            })
            .collect();
        warnings.push(format!("{NO_PAINT}: {}", found.join("; ")));
    }
    scalp
}

/// Sets aside what [`crate::Scalp::of_head`] and [`crate::Roots::sample`] will take,
/// so that growing hair keeps within what the file's size allows too.
fn reserve_scalp(part: &Placed, budget: &Budget) -> Result<()> {
    let Some(paint) = &part.geometry.paint else {
        return Ok(());
    };
    let painted = |&corner: &u32| paint.density[corner as usize] > 0.0;
    let triangles = part.geometry.triangles.iter();
    let triangles = triangles.filter(|corners| corners.iter().all(painted));
    let (triangles, vertices) = (triangles.count() as u64, paint.density.len() as u64);
    let what = || format!("{}: the scalp", part.place);
    // Two lists of corners, normals and areas, and the sampler's pieces and sums; two
    // lists of numbers, which may be moved as they grow, positions, normals and density.
    budget.take(triangles, 44 + 64, what)?;
    budget.take(vertices, 4 + 8 + 28, what)
}

/// The box around all triangles, file space.
fn bounds(placed: &[Placed]) -> (DVec3, DVec3) {
    let boxes = placed.iter().map(Placed::bounds);
    boxes.fold(EMPTY, |a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Head space: the scalp part (or, without one, the whole head) centred and made
/// [`STANDARD_HEIGHT`] high.
fn units(
    placed: &[Placed],
    scalp: Option<usize>,
    scale: Option<f32>,
    warnings: &mut Warnings,
) -> Result<Units> {
    let measured = match scalp {
        Some(scalp) => &placed[scalp..=scalp],
        None => placed,
    };
    let (low, high) = bounds(measured);
    let at = match measured {
        [part] => part.place.as_str(),
        _ => "the default scene",
    };
    let size = high - low;
    let fail = |problem: String| {
        LoadErrorKind::advised(
            at,
            problem,
            "Check its scale and apply transforms before exporting, or set `scale`.",
        )
    };
    if !size.is_finite() {
        return Err(fail(format!("its size, {size}, is not finite")));
    }
    let scale = match scale {
        Some(scale) => scale,
        None => {
            let mut height = size.y;
            if height <= size.max_element() * 1e-6 {
                height = size.max_element();
                warnings
                    .push("the head has no height; its largest side is taken instead".to_owned());
            }
            if height <= 0.0 {
                return Err(fail("all its corners are at one point".to_owned()));
            }
            let scale = (STANDARD_HEIGHT / height) as f32;
            if !scale.is_finite() || scale < f32::MIN_POSITIVE {
                return Err(fail(format!(
                    "it is {height:e} high, which cannot be scaled"
                )));
            }
            scale
        }
    };
    // Rounded first and used rounded, so that the way back is exact.
    let centre = ((low + high) / 2.0).as_vec3();
    if !centre.is_finite() {
        return Err(fail(format!("its centre, {centre}, is out of range")));
    }
    Ok(Units { scale, centre })
}
