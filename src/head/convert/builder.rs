//! Builds a `.glb` from arrays. What moves is in `motion`.

mod lines;
mod motion;

pub use lines::{GUIDE, Lines, ROOT_UV, WIDTH};
pub use motion::{Bends, Track};

use crate::bvh::bounds;
use crate::files::is_file;
use crate::head::error::{LoadErrorKind, Result, Topic, Warnings, quoted};
use crate::head::gltf::container::{self, BIN_CHUNK, JSON_CHUNK};
use crate::head::gltf::uri::contained;
use crate::head::limits::Budget;
use crate::head::model::Model;
use crate::head::units::NativeUnits;
use crate::srgb::linear_from_srgb;
use crate::told::short;
use ::gltf::json::accessor::{FLOAT, UNSIGNED_INT};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// Folders beside models in which programs put pictures.
const FOLDERS: [&str; 3] = ["textures", "Textures", "images"];

/// The number of files from which on those that are missing are not watched.
const MOST_MISSING: usize = 1024;

/// The roughness of materials that do not have it.
pub const ROUGHNESS: f32 = 0.7;

/// Stands for the opacity of materials whose picture has it.
pub const SEE_THROUGH: f32 = f32::MIN;

/// Returns an opacity of a format whose programs disagree on what is opaque: nothing is invisible.
pub fn visible(opacity: f32) -> f32 {
    if opacity > 0.0 { opacity } else { 1.0 }
}

/// The purpose of the memory that is taken.
const WHAT: &str = "the model as glTF";

/// Memory of the JSON of an entry, with the accessor of a buffer view.
const BYTES_PER_ENTRY: u64 = 2048;

/// Characters that the loader would take for an escape.
const ESCAPED: AsciiSet = CONTROLS.add(b'%');

/// A file under construction.
pub struct Builder<'a> {
    pub budget: &'a Budget,
    /// The folder of the model, where pictures are looked for.
    folder: Option<PathBuf>,
    /// The material files that were looked for.
    pub libraries: Vec<PathBuf>,
    /// The unit and the axes of the file, if its format names them.
    pub native: Option<NativeUnits>,
    bin: Vec<u8>,
    /// The lists of the file, by their names there.
    lists: BTreeMap<&'static str, Vec<Value>>,
    /// The indices of nodes that are joints.
    joints: Vec<usize>,
    /// The names of animations that are left out, and why.
    unread: Vec<(String, String)>,
    /// Other things that are left out.
    pub notes: Vec<String>,
    /// The names of materials whose pictures are missing, and the paths of these.
    lacking: Vec<(String, String)>,
}

/// Vertices and triangles; empty lists are left out.
#[derive(Default)]
pub struct Arrays {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, v up, as the other formats have them.
    pub uvs: Vec<[f32; 2]>,
    /// Colours of vertices, RGBA, sRGB: in any number of sets.
    pub colors: Vec<Vec<[f32; 4]>>,
    /// The density of hair, 0 to 1.
    pub density: Vec<f32>,
    pub indices: Vec<u32>,
}

/// A material.
pub struct Surface<'a> {
    pub name: &'a str,
    /// RGBA, RGB in sRGB.
    pub color: [f32; 4],
    /// [`ROUGHNESS`] takes the place of a number that is not finite.
    pub roughness: f32,
    pub picture: Option<Picture<'a>>,
}

/// The picture of a base colour.
pub enum Picture<'a> {
    /// A path in the file, which may be that of another machine.
    File(&'a str),
    /// The content of a file.
    Content(&'a [u8]),
}

impl<'a> Builder<'a> {
    /// Begins an empty file.
    pub fn new(budget: &'a Budget, model: Option<&Model>) -> Self {
        let path = model.and_then(Model::path);
        Builder {
            budget,
            folder: path.and_then(|path| Some(path.parent()?.to_owned())),
            libraries: Vec::new(),
            native: None,
            bin: Vec::new(),
            lists: BTreeMap::new(),
            joints: Vec::new(),
            unread: Vec::new(),
            notes: Vec::new(),
            lacking: Vec::new(),
        }
    }

    fn list(&mut self, name: &'static str) -> &mut Vec<Value> {
        self.lists.entry(name).or_default()
    }

    /// Adds an entry to a list and returns its index.
    fn push(&mut self, name: &'static str, entry: Value) -> usize {
        let list = self.list(name);
        list.push(entry);
        list.len() - 1
    }

    /// Adds a material and returns its index.
    pub fn material(&mut self, surface: &Surface) -> Result<usize> {
        let finite = |lane: f32| if lane.is_finite() { lane } else { 1.0 };
        let [r, g, b, alpha] = surface.color.map(finite);
        let image = match &surface.picture {
            None => None,
            Some(Picture::Content(bytes)) => Some(json!({"bufferView": self.view(bytes)?})),
            Some(Picture::File(path)) => match self.place(path) {
                Some(place) => {
                    let uri = utf8_percent_encode(&place, &ESCAPED).to_string();
                    Some(json!({"uri": uri}))
                }
                None => {
                    let lacking = (surface.name.to_owned(), (*path).to_owned());
                    self.lacking.push(lacking);
                    None
                }
            },
        };
        // Pictures are not tinted, as other programs have it.
        let [r, g, b] = match image {
            Some(_) => [1.0; 3],
            None => [r, g, b].map(linear),
        };
        let opacity = match image.is_some() || alpha == SEE_THROUGH {
            true => visible(alpha).min(1.0),
            false => alpha.clamp(0.0, 1.0),
        };
        let is_blended = opacity < 1.0 || alpha == SEE_THROUGH && image.is_some();
        let roughness = match surface.roughness.is_finite() {
            true => surface.roughness.clamp(0.0, 1.0),
            false => ROUGHNESS,
        };
        let mut pbr = json!({
            "baseColorFactor": [r, g, b, opacity],
            "metallicFactor": 0.0,
            "roughnessFactor": roughness,
        });
        if let Some(image) = image {
            pbr["baseColorTexture"] = json!({"index": self.push("images", image)});
        }
        self.charge()?;
        let mode = if is_blended { "BLEND" } else { "OPAQUE" };
        let material = json!({
            "name": surface.name,
            "pbrMetallicRoughness": pbr,
            "alphaMode": mode,
            "doubleSided": true,
        });
        Ok(self.push("materials", material))
    }

    /// Returns where a picture lies, relative to the model: by its path, or else by its name, beside
    /// the model or in a usual folder; `None` if it is in none of them.
    fn place(&mut self, path: &str) -> Option<String> {
        let path = path.replace('\\', "/");
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let folder = self.folder.as_ref()?;
        let file = |place: &String| Some(folder.join(contained(place)?));
        let usual = FOLDERS.map(|usual| format!("{usual}/{name}"));
        let places: Vec<String> = [path, name].into_iter().chain(usual).collect();
        let found = (places.iter()).find(|place| file(place).is_some_and(|file| is_file(&file)));
        if found.is_none() && self.libraries.len() < MOST_MISSING {
            // They may come later.
            self.libraries.extend(places.iter().filter_map(file));
        }
        found.cloned()
    }

    /// Charges the JSON of an entry.
    pub fn charge(&self) -> Result<()> {
        self.budget.take(BYTES_PER_ENTRY, 1, WHAT)
    }

    /// Returns the primitive of arrays, with the index of its material.
    pub fn primitive(&mut self, arrays: &Arrays, material: Option<usize>) -> Result<Value> {
        let mut attributes = json!({"POSITION": self.positions(&arrays.positions)?});
        if !arrays.normals.is_empty() {
            attributes["NORMAL"] = json!(self.floats("VEC3", &arrays.normals)?);
        }
        if !arrays.uvs.is_empty() {
            let down: Vec<[f32; 2]> = arrays.uvs.iter().map(|&[u, v]| [u, 1.0 - v]).collect();
            attributes["TEXCOORD_0"] = json!(self.floats("VEC2", &down)?);
        }
        for (set, colors) in arrays.colors.iter().enumerate() {
            let linear = |&[r, g, b, a]: &[f32; 4]| [linear(r), linear(g), linear(b), a];
            let linear: Vec<[f32; 4]> = colors.iter().map(linear).collect();
            attributes[format!("COLOR_{set}")] = json!(self.floats("VEC4", &linear)?);
        }
        if !arrays.density.is_empty() {
            let density = arrays.density.as_chunks::<1>().0;
            attributes["_DENSITY"] = json!(self.floats("SCALAR", density)?);
        }
        let indices = arrays.indices.iter().map(|index| index.to_le_bytes());
        let indices: Vec<[u8; 4]> = indices.collect();
        let bytes = indices.as_flattened();
        let indices = self.accessor("SCALAR", UNSIGNED_INT, indices.len(), bytes)?;
        let mut primitive = json!({"attributes": attributes, "indices": indices});
        if let Some(material) = material {
            primitive["material"] = json!(material);
        }
        Ok(primitive)
    }

    /// Adds a node with a mesh of one primitive of arrays, with the index of its material.
    pub fn part(&mut self, name: &str, arrays: &Arrays, material: Option<usize>) -> Result<()> {
        let primitive = self.primitive(arrays, material)?;
        let mesh = self.mesh(name, vec![primitive])?;
        self.node(name, mesh, None)
    }

    /// Adds a mesh that nodes can show, and returns its index.
    pub fn mesh(&mut self, name: &str, primitives: Vec<Value>) -> Result<usize> {
        self.charge()?;
        Ok(self.push("meshes", json!({"name": name, "primitives": primitives})))
    }

    /// Adds a node with a mesh. The matrix has columns.
    pub fn node(&mut self, name: &str, mesh: usize, matrix: Option<[f64; 16]>) -> Result<()> {
        self.charge()?;
        let mut node = json!({"name": name, "mesh": mesh});
        if let Some(matrix) = matrix {
            node["matrix"] = json!(matrix);
        }
        self.push("nodes", node);
        Ok(())
    }

    /// Adds a joint, by which the neck is found; it bends nothing.
    pub fn joint(&mut self, name: &str, place: [f64; 3]) -> Result<()> {
        self.charge()?;
        if place.iter().all(|lane| lane.is_finite()) {
            let node = self.push("nodes", json!({"name": name, "translation": place}));
            self.joints.push(node);
        }
        Ok(())
    }

    /// Returns the file, and warns of missing pictures.
    pub fn finish(mut self, warnings: &mut Warnings) -> Result<Vec<u8>> {
        for (material, path) in std::mem::take(&mut self.lacking) {
            let told = format!(
                "material {}: its picture {:?} is not beside the model; its colour is shown",
                quoted(&material),
                short(&path)
            );
            warnings.tell(Topic::Picture, told);
        }
        for note in std::mem::take(&mut self.notes) {
            warnings.push(note);
        }
        for (name, why) in std::mem::take(&mut self.unread) {
            let name = quoted(&name);
            warnings.push(format!("animation {name}: {}; left out", short(&why)));
        }
        let nodes = self.list("nodes");
        let children = nodes.iter().filter_map(|node| node["children"].as_array());
        let children: HashSet<u64> = children.flatten().filter_map(Value::as_u64).collect();
        let roots = 0..nodes.len() as u64;
        let roots: Vec<u64> = roots.filter(|node| !children.contains(node)).collect();
        for image in 0..self.list("images").len() {
            self.push("textures", json!({"source": image}));
        }
        if self.list("skins").is_empty() && !self.joints.is_empty() {
            self.push("skins", json!({"joints": self.joints}));
        }
        self.push("buffers", json!({"byteLength": self.bin.len()}));
        let mut root = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": roots}],
        });
        for (name, list) in std::mem::take(&mut self.lists) {
            // Validators refuse empty lists.
            if !list.is_empty() {
                root[name] = Value::Array(list);
            }
        }
        let text = root.to_string();
        let chunks = [(JSON_CHUNK, text.as_bytes()), (BIN_CHUNK, &self.bin[..])];
        let chunks = chunks.into_iter();
        let length = container::length(chunks.clone());
        self.budget.take(length, 1, WHAT)?;
        container::write(chunks).ok_or_else(|| {
            let problem = "it would have more than 4.2 GB as glTF";
            LoadErrorKind::advised("the model", problem, "Export a part of it.")
        })
    }

    /// Leaves out an animation, with the reason.
    pub fn leave_out_animation(&mut self, name: &str, why: impl std::fmt::Display) {
        self.unread.push((name.to_owned(), why.to_string()));
    }

    /// Adds positions, with the bounds that validators expect of them.
    fn positions(&mut self, positions: &[[f32; 3]]) -> Result<usize> {
        let number = self.floats("VEC3", positions)?;
        let (low, high) = bounds(positions.iter().map(|&position| position.into()));
        if low.is_finite() && high.is_finite() {
            let accessor = &mut self.list("accessors")[number];
            accessor["min"] = json!(low.to_array());
            accessor["max"] = json!(high.to_array());
        }
        Ok(number)
    }

    fn floats<const N: usize>(&mut self, shape: &str, elements: &[[f32; N]]) -> Result<usize> {
        let lanes = elements
            .as_flattened()
            .iter()
            .map(|lane| lane.to_le_bytes());
        let bytes: Vec<[u8; 4]> = lanes.collect();
        self.accessor(shape, FLOAT, elements.len(), bytes.as_flattened())
    }

    fn accessor(
        &mut self,
        shape: &str,
        component: u32,
        count: usize,
        bytes: &[u8],
    ) -> Result<usize> {
        let view = self.view(bytes)?;
        let accessor = json!({
            "bufferView": view, "componentType": component, "count": count, "type": shape,
        });
        Ok(self.push("accessors", accessor))
    }

    fn view(&mut self, bytes: &[u8]) -> Result<usize> {
        // An accessor may come with it.
        self.charge()?;
        // A list that grows may be there twice.
        self.budget.take(bytes.len() as u64, 2, WHAT)?;
        let start = self.bin.len().next_multiple_of(4);
        self.bin.resize(start, 0);
        self.bin.extend_from_slice(bytes);
        let view = json!({"buffer": 0, "byteOffset": start, "byteLength": bytes.len()});
        Ok(self.push("bufferViews", view))
    }
}

/// Returns a linear channel of an sRGB one, which may be out of range.
fn linear(channel: f32) -> f32 {
    linear_from_srgb(channel.clamp(0.0, 1.0))
}
