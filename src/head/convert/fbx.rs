//! FBX, binary and text, by the crate `fbx-rs`: nodes, meshes, materials and pictures, and what moves
//! them (`motion`). It also turns the file's axes to those of glTF.

mod motion;

use super::broken;
use super::builder::{Arrays, Builder, Picture, ROUGHNESS, SEE_THROUGH, Surface, visible};
use super::polygons::MOST_COLOR_SETS;
use crate::head::error::Result;
use fbx_rs::{
    Limits, LoadOptions, Material, Matrix, Mesh, Scene, VertexAttribute, load_with_limits,
};
use std::collections::{BTreeMap, HashMap};
use std::iter::successors;
use std::panic::{self, AssertUnwindSafe};

/// Memory for each corner of a triangle while vertices are told apart.
const BYTES_PER_CORNER: u64 = 192;
/// Memory for each corner of a mesh: its indices, and the table of equal values.
const BYTES_PER_WELD: u64 = 96;
/// Memory for each vertex of a skin: four joints with their weights; and for its move in a shape.
const BYTES_PER_BEND: u64 = 24;
const BYTES_PER_MOVE: u64 = 12;
/// The number of nodes within each other that can hide a mesh.
const DEEPEST: usize = 1024;
/// The index of what a corner does not have.
const NONE: u32 = u32::MAX;

/// Adds every mesh that a visible node shows.
pub fn convert(bytes: &[u8], builder: &mut Builder) -> Result<()> {
    // The scene is dropped before the glTF is read, so that the reader may have all that is left.
    let room = usize::try_from(builder.budget.left()).unwrap_or(usize::MAX);
    let limits = Limits {
        max_allocation: room / 2,
        max_decompressed_bytes: room / 4,
        ..Limits::default()
    };
    let load = || load_with_limits(bytes, &LoadOptions::default(), &limits);
    let loaded = panic::catch_unwind(AssertUnwindSafe(load));
    let loaded = loaded.map_err(|_| broken("FBX", "makes its reader fail"))?;
    let scene = loaded.map_err(|error| broken("FBX", error))?;
    motion::add_nodes(&scene, builder)?;
    // The index of a material in the new file, by its index in the old.
    let mut materials = HashMap::new();
    for (number, node) in scene.nodes().iter().enumerate() {
        let mesh = node.mesh().and_then(|mesh| scene.meshes().get(mesh));
        // Nodes inherit that they are hidden.
        let up = |nth: &usize| scene.nodes().get(*nth).and_then(|node| node.parent());
        let mut line = successors(Some(number), up).take(DEEPEST);
        let is_shown = line.all(|nth| scene.nodes()[nth].visible());
        let Some(mesh) = mesh.filter(|_| is_shown) else {
            continue;
        };
        let of_node = match node.materials() {
            [] => mesh.materials(),
            own => own,
        };
        let skin = motion::add_skin(&scene, number, mesh, builder)?;
        let mut primitives = Vec::new();
        let all = mesh.positions().indices().len() as u64;
        let what = "its FBX";
        builder.budget.take(all, BYTES_PER_WELD, what)?;
        let lists = indices(mesh);
        for (slot, triangles) in by_slot(mesh) {
            let number = of_node.get(slot).copied();
            let material = number.and_then(|number| Some((number, scene.materials().get(number)?)));
            let material = match material {
                None => None,
                Some((number, of_file)) => Some(match materials.get(&number) {
                    Some(&known) => known,
                    None => {
                        let added = add_material(&scene, of_file, builder)?;
                        materials.insert(number, added);
                        added
                    }
                }),
            };
            let corners = 3 * triangles.len() as u64;
            builder.budget.take(corners, BYTES_PER_CORNER, what)?;
            let (arrays, points) = arrays(mesh, &lists, &triangles);
            let mut primitive = builder.primitive(&arrays, material)?;
            let shapes = motion::channels(&scene, mesh).count() as u64;
            let bytes = BYTES_PER_BEND + BYTES_PER_MOVE * shapes;
            let count = points.len() as u64 + mesh.num_vertices() as u64;
            let budget = builder.budget;
            budget.take(count, bytes, what)?;
            let bends = motion::bends(&scene, mesh, skin.as_ref(), &points);
            builder.bend(&mut primitive, &bends)?;
            budget.give_back(count, bytes);
            primitives.push(primitive);
            builder.budget.give_back(corners, BYTES_PER_CORNER);
        }
        builder.budget.give_back(all, BYTES_PER_WELD);
        if !primitives.is_empty() {
            let index = builder.mesh(mesh.name(), primitives)?;
            let weights = motion::channels(&scene, mesh).map(|channel| channel.weight);
            let weights: Vec<f64> = weights.collect();
            let skin = skin.map(|skin| skin.index);
            builder.show(number, index, skin, &weights);
        }
    }
    motion::add_animations(&scene, builder)
}

/// Returns the columns of a map.
fn columns(matrix: &Matrix) -> [f64; 16] {
    let mut columns = [0.0; 16];
    for column in 0..4 {
        columns[4 * column..4 * column + 3].copy_from_slice(&matrix.column(column));
    }
    columns[15] = 1.0;
    columns
}

/// Returns the triangles, as numbers of corners, that each slot of materials has.
fn by_slot(mesh: &Mesh) -> BTreeMap<usize, Vec<[u32; 3]>> {
    let mut slots: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    let mut triangles = mesh.triangles().as_chunks::<3>().0.iter();
    for (nth, face) in mesh.faces().iter().enumerate() {
        let slot = mesh
            .face_material()
            .get(nth)
            .map_or(0, |&slot| slot as usize);
        let count = (face.count as usize).saturating_sub(2);
        let of_slot = slots.entry(slot).or_default();
        of_slot.extend(triangles.by_ref().take(count));
    }
    slots.retain(|_, triangles| !triangles.is_empty());
    slots
}

/// Returns the vertices of triangles, and the control point that each is made of: corners that differ
/// in anything are different vertices.
fn arrays(mesh: &Mesh, lists: &[Option<Vec<u32>>], triangles: &[[u32; 3]]) -> (Arrays, Vec<u32>) {
    // Normals that the reader made are flat on creases; those made here are smooth.
    let normals = mesh.normals().filter(|_| !mesh.generated_normals());
    let uvs = mesh.uv_sets().first().map(|set| set.uv());
    let colors = mesh.color_sets().iter().take(MOST_COLOR_SETS);
    let colors: Vec<_> = colors.map(|set| set.color()).collect();
    let mut arrays = Arrays {
        colors: vec![Vec::new(); colors.len()],
        ..Arrays::default()
    };
    let (mut known, mut points) = (HashMap::new(), Vec::new());
    for &corner in triangles.as_flattened() {
        let at = corner as usize;
        let mut key = [NONE; 3 + MOST_COLOR_SETS];
        for (number, list) in key.iter_mut().zip(lists) {
            let list = list.as_ref().and_then(|list| list.get(at));
            *number = list.copied().unwrap_or(NONE);
        }
        let vertex = *known.entry(key).or_insert_with(|| {
            let position = mesh.positions().get(at).unwrap_or_default();
            arrays.positions.push(position.map(|lane| lane as f32));
            points.push(key[0]);
            if let Some(normals) = normals {
                let normal = normals.get(at).unwrap_or_default();
                arrays.normals.push(normal.map(|lane| lane as f32));
            }
            if let Some(uvs) = uvs {
                arrays
                    .uvs
                    .push(uvs.get(at).unwrap_or_default().map(|lane| lane as f32));
            }
            for (set, colors) in arrays.colors.iter_mut().zip(&colors) {
                let color = colors.get(at).unwrap_or([1.0; 4]);
                set.push(color.map(|lane| lane as f32));
            }
            arrays.positions.len() as u32 - 1
        });
        arrays.indices.push(vertex);
    }
    (arrays, points)
}

/// Returns the index of every number of all corners: positions, normals, coordinates, colours.
/// Programs may give every corner numbers of its own; equal ones have one index.
fn indices(mesh: &Mesh) -> Vec<Option<Vec<u32>>> {
    let normals = mesh.normals().filter(|_| !mesh.generated_normals());
    let colors = mesh.color_sets().iter().take(MOST_COLOR_SETS);
    let uvs = mesh.uv_sets().first();
    // Control points carry the skin.
    let first = [
        Some(mesh.positions().indices().to_vec()),
        normals.map(welded),
        uvs.map(|set| welded(set.uv())),
    ];
    let colors = colors.map(|set| Some(welded(set.color())));
    first.into_iter().chain(colors).collect()
}

/// Returns the index of the value of every corner. Equal values have one.
fn welded<const N: usize>(list: &VertexAttribute<N>) -> Vec<u32> {
    let mut known = HashMap::new();
    let indices = list.indices().iter().enumerate();
    let welded = indices.map(|(corner, &index)| {
        let value = list.get(corner);
        let bits = value.map(|value| value.map(|lane| (lane as f32).to_bits()));
        *known.entry(bits).or_insert(index)
    });
    welded.collect()
}

fn add_material(scene: &Scene, material: &Material, builder: &mut Builder) -> Result<usize> {
    let diffuse = material.fbx_map("diffuse_color");
    let base = material.pbr_map("base_color");
    let value = base.or(diffuse).filter(|map| map.has_value);
    let [r, g, b, _] = value
        .map_or([0.8; 4], |map| map.value)
        .map(|lane| lane as f32);
    let texture = [base, diffuse].into_iter().flatten();
    let texture = texture
        .filter(|map| map.texture_enabled)
        .find_map(|map| map.texture);
    let texture = texture.and_then(|texture| scene.textures().get(texture));
    // The first of several layers counts.
    let texture = texture.and_then(|texture| match texture.file_textures() {
        [first, ..] if texture.is_layered() => scene.textures().get(*first),
        _ => Some(texture),
    });
    let picture = texture.and_then(|texture| {
        let names = [
            texture.relative_filename(),
            texture.filename(),
            texture.absolute_filename(),
        ];
        match texture.content() {
            [] => names
                .into_iter()
                .find(|name| is_file_name(name))
                .map(Picture::File),
            content => Some(Picture::Content(content)),
        }
    });
    let number = |map: &str| material.pbr_map(map).filter(|map| map.has_value);
    let is_cut = [
        material.pbr_map("opacity"),
        material.fbx_map("transparency_color"),
    ];
    let mut is_cut = is_cut.into_iter().flatten();
    let is_cut = is_cut.any(|map| map.texture_enabled && map.texture.is_some());
    let opacity = match number("opacity").map(|map| map.value[0]) {
        _ if is_cut && picture.is_some() => SEE_THROUGH,
        opacity => visible(opacity.unwrap_or_else(|| 1.0 - transparency(material)) as f32),
    };
    let roughness = number("roughness").map_or(ROUGHNESS, |map| map.value[0] as f32);
    builder.material(&Surface {
        name: material.name(),
        color: [r, g, b, opacity],
        roughness,
        picture,
    })
}

/// Returns the transparency of a material of Phong's or Lambert's.
fn transparency(material: &Material) -> f64 {
    let value = |name: &str| material.fbx_map(name).filter(|map| map.has_value);
    let [factor, color] = ["transparency_factor", "transparency_color"].map(value);
    if factor.is_none() && color.is_none() {
        return 0.0;
    }
    let factor = factor.map_or(1.0, |map| map.value[0]);
    let color = color.map_or(1.0, |map| map.value[..3].iter().sum::<f64>() / 3.0);
    factor * color
}

/// Returns `true` unless a path has no name of a file at its end.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.chars().any(char::is_alphanumeric)
}
