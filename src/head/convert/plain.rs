//! OBJ with its materials, PLY and STL.

use super::broken;
use super::builder::{Arrays, Builder, Picture, ROUGHNESS, Surface, visible};
use crate::files::read_inside;
use crate::head::error::Result;
use crate::head::gltf::uri::contained;
use crate::head::model::Model;
use crate::mesh_file::{obj, ply, stl};
use crate::told::short;
use glam::Vec3;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Material files that are read.
const MOST_LIBRARIES: usize = 16;

/// Memory for each corner of a triangle while vertices are told apart.
const BYTES_PER_CORNER: u64 = 48;

/// Adds the groups of an OBJ file as parts. Of its material files, those beside the model are read.
pub fn convert_obj(bytes: &[u8], model: Option<&Model>, builder: &mut Builder) -> Result<()> {
    let what = "its OBJ";
    builder.budget.take(obj::memory(bytes), 1, what)?;
    let read = obj::read(bytes);
    let file = read.map_err(|(line, problem)| broken("OBJ", format!("line {line} {problem}")))?;
    let folder = model.and_then(Model::path).and_then(|path| path.parent());
    let mut materials: HashMap<String, obj::Material> = HashMap::new();
    // A file may name one very often.
    let libraries: BTreeSet<&String> = file.libraries.iter().collect();
    for library in libraries.into_iter().take(MOST_LIBRARIES) {
        let Some(folder) = folder else { break };
        let whole = read_library(folder, library, builder)?;
        let found = match whole {
            Some(bytes) => vec![bytes],
            // The line may have several names.
            None => (library.split_whitespace().take(MOST_LIBRARIES))
                .filter_map(|name| read_library(folder, name, builder).transpose())
                .collect::<Result<_>>()?,
        };
        if found.is_empty() {
            let name = short(library);
            let note = format!("the materials of {name:?} are not beside the model");
            builder.notes.push(note);
        }
        let read = found.iter().flat_map(|bytes| obj::read_materials(bytes));
        materials.extend(read.map(|material| (material.name.clone(), material)));
    }
    let mut known = HashMap::new();
    for group in &file.groups {
        let name = group.material.as_deref();
        let material = match (name, known.get(&name)) {
            (None, _) => None,
            (_, Some(&index)) => Some(index),
            (Some(name), None) => {
                let of_file = materials.get(name);
                let [r, g, b] = of_file.and_then(|it| it.color).unwrap_or([0.8; 3]);
                let opacity = of_file.and_then(|it| it.opacity).map_or(1.0, visible);
                let picture = of_file.and_then(|it| it.picture.as_deref());
                let index = builder.material(&Surface {
                    name,
                    color: [r, g, b, opacity],
                    roughness: ROUGHNESS,
                    picture: picture.map(Picture::File),
                })?;
                known.insert(Some(name), index);
                Some(index)
            }
        };
        let corners = 3 * group.triangles.len() as u64;
        builder.budget.take(corners, BYTES_PER_CORNER, what)?;
        let arrays = arrays(&file, group);
        let name = match &*group.name {
            "" => "model",
            name => name,
        };
        builder.part(name, &arrays, material)?;
        builder.budget.give_back(corners, BYTES_PER_CORNER);
    }
    Ok(())
}

/// Returns the content of a file of materials: by its path, which may be that of another machine, or
/// else by its name beside the model.
fn read_library(folder: &Path, path: &str, builder: &mut Builder) -> Result<Option<Vec<u8>>> {
    let path = path.replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or(&path);
    let limits = &builder.budget.limits;
    let left = limits.file_bytes.saturating_sub(builder.budget.read.get());
    let beside = contained(name).filter(|_| *name != path);
    for place in [contained(&path), beside].into_iter().flatten() {
        builder.libraries.push(folder.join(&place));
        // Colours are not worth a refusal.
        if let Ok(bytes) = read_inside(folder, &place, left) {
            builder.budget.add_input(bytes.len() as u64);
            builder.budget.take(bytes.len() as u64, 2, "its OBJ")?;
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Returns the vertices of a group: corners that differ in anything are different vertices.
fn arrays(file: &obj::Obj, group: &obj::Group) -> Arrays {
    let corners = || group.triangles.iter().flatten();
    let has_normals = corners().all(|corner| corner.normal != obj::NONE);
    let has_uvs = corners().all(|corner| corner.uv != obj::NONE);
    let color = |corner: &obj::Corner| file.colors.get(corner.position as usize);
    let has_colors = corners().all(|corner| color(corner).is_some_and(|color| !color.is_nan()));
    let mut arrays = Arrays::default();
    let mut colors = Vec::new();
    let mut known = HashMap::new();
    for corner in corners() {
        let key = obj::Corner {
            position: corner.position,
            uv: if has_uvs { corner.uv } else { obj::NONE },
            normal: if has_normals {
                corner.normal
            } else {
                obj::NONE
            },
        };
        let index = *known.entry(key).or_insert_with(|| {
            let place = corner.position as usize;
            arrays.positions.push(file.positions[place].into());
            if has_colors {
                colors.push(file.colors[place].extend(1.0).into());
            }
            if has_normals {
                arrays
                    .normals
                    .push(file.normals[key.normal as usize].into());
            }
            if has_uvs {
                arrays.uvs.push(file.uvs[key.uv as usize].into());
            }
            arrays.positions.len() as u32 - 1
        });
        arrays.indices.push(index);
    }
    arrays.colors.extend((!colors.is_empty()).then_some(colors));
    arrays
}

/// Adds a PLY file as a part. A property `density` of vertices is the density of hair.
pub fn convert_ply(bytes: &[u8], builder: &mut Builder) -> Result<()> {
    const WANTED: [&str; 13] = [
        "x", "y", "z", "nx", "ny", "nz", "red", "green", "blue", "s", "t", "u", "v",
    ];
    const DENSITY: usize = WANTED.len();
    let wanted: Vec<&str> = WANTED.into_iter().chain(["density"]).collect();
    let refused = |problem| broken("PLY", problem);
    let memory = ply::memory(bytes, &wanted).map_err(refused)?;
    builder.budget.take(memory, 1, "its PLY")?;
    let read = ply::read(bytes, &wanted).map_err(refused);
    let ply::Ply {
        columns, triangles, ..
    } = read?;
    let gather = |first: usize| -> Vec<[f32; 3]> {
        let [Some(x), Some(y), Some(z)] = &columns[first..first + 3] else {
            return Vec::new();
        };
        x.iter()
            .zip(y)
            .zip(z)
            .map(|((&x, &y), &z)| [x, y, z])
            .collect()
    };
    let uvs = [9, 11]
        .into_iter()
        .find_map(|first| match &columns[first..first + 2] {
            [Some(u), Some(v)] => Some(u.iter().zip(v).map(|(&u, &v)| [u, v]).collect()),
            _ => None,
        });
    let opaque = |[r, g, b]: [f32; 3]| [r, g, b, 1.0];
    let colors: Vec<[f32; 4]> = gather(6).into_iter().map(opaque).collect();
    let density = columns[DENSITY].iter().flatten();
    let arrays = Arrays {
        positions: gather(0),
        normals: gather(3),
        uvs: uvs.unwrap_or_default(),
        colors: (!colors.is_empty()).then_some(colors).into_iter().collect(),
        density: density.map(|density| density.clamp(0.0, 1.0)).collect(),
        indices: triangles.into_flattened(),
    };
    builder.part("model", &arrays, None)
}

/// Adds an STL file as a part. Corners at one place are one vertex.
pub fn convert_stl(bytes: &[u8], builder: &mut Builder) -> Result<()> {
    // Triangles, vertices and the table of those that are known.
    builder.budget.take(bytes.len() as u64, 6, "its STL")?;
    let triangles = stl::read(bytes).map_err(|problem| broken("STL", problem))?;
    let mut known = HashMap::new();
    let mut arrays = Arrays::default();
    for corner in triangles.as_flattened() {
        // Adding zero turns -0 into 0.
        let key = (*corner + Vec3::ZERO).to_array().map(f32::to_bits);
        let index = *known.entry(key).or_insert_with(|| {
            arrays.positions.push(corner.to_array());
            arrays.positions.len() as u32 - 1
        });
        arrays.indices.push(index);
    }
    builder.part("model", &arrays, None)
}
