//! The frame of a binary file of glTF with one mesh: the header, and the JSON that tells what follows.

use crate::files::Output;
use serde_json::{Value, json};
use std::io;

/// The code of 32-bit floats, and of 32-bit indices.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
/// The coverage below which texels of cards are left out.
const CUTOFF: f64 = 0.35;

/// The name of the list of indices, which is the last.
pub const INDICES: &str = "indices";

/// A list of a file under construction, of 32-bit numbers.
pub struct List {
    pub name: &'static str,
    shape: &'static str,
    count: usize,
    bytes: u64,
}

impl List {
    /// Declares `count` groups of so many numbers.
    pub fn new(name: &'static str, lanes: usize, count: usize) -> Self {
        Self {
            name,
            shape: ["SCALAR", "VEC2", "VEC3", "VEC4"][lanes - 1],
            count,
            bytes: 4 * lanes as u64 * count as u64,
        }
    }
}

/// The parts of a file beside its lists.
pub struct Mesh {
    /// The low and the high corner of the box around all vertices.
    pub bounds: [[f32; 3]; 2],
    /// Triangles, or else lines.
    pub is_surface: bool,
    /// The bytes of a PNG with the colours and the coverage, which follows the lists.
    pub picture: Option<u64>,
}

/// Writes everything up to the first list. The lists follow, and then the picture with
/// [`padding`] after it.
pub fn begin(out: &mut dyn Output, lists: &[List], mesh: &Mesh) -> io::Result<()> {
    let lists_bytes: u64 = lists.iter().map(|list| list.bytes).sum();
    let picture = mesh.picture.unwrap_or(0);
    let bin_bytes = lists_bytes + picture.next_multiple_of(4);
    let text = document(lists, mesh, lists_bytes + picture);
    let json_bytes = text.len().next_multiple_of(4);
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
    out.write_all(b"BIN\0")
}

/// Returns the bytes after a picture of this size.
pub fn padding(picture: usize) -> &'static [u8] {
    &[0; 3][..picture.next_multiple_of(4) - picture]
}

/// Returns the JSON of a file of these lists, whose buffer has so many bytes.
fn document(lists: &[List], mesh: &Mesh, bytes: u64) -> String {
    let (mut start, mut attributes) = (0, json!({}));
    let (mut views, mut accessors) = (Vec::new(), Vec::new());
    for (nth, list) in lists.iter().enumerate() {
        let is_index = list.name == INDICES;
        let target = if is_index { 34963 } else { 34962 };
        views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": list.bytes, "target": target,
        }));
        let component = if is_index { UNSIGNED_INT } else { FLOAT };
        let mut accessor = json!({
            "bufferView": nth, "componentType": component, "count": list.count, "type": list.shape,
        });
        if list.name == "POSITION" {
            let [low, high] = &mesh.bounds;
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
        "mode": if mesh.is_surface { 4 } else { 1 },
    });
    let mut material = json!({
        "name": "hair",
        "doubleSided": true,
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.5},
    });
    let mut document: Value = json!({
        "asset": {"version": "2.0", "generator": "mohawk"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "hair", "mesh": 0}],
        "meshes": [{"name": "hair", "primitives": [primitive]}],
        "accessors": accessors,
        "buffers": [{"byteLength": bytes}],
    });
    if let Some(picture) = mesh.picture {
        document["images"] =
            json!([{"bufferView": views.len(), "mimeType": "image/png", "name": "hair"}]);
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": picture}));
        // Linear with mipmaps; no texture reaches beyond its edge.
        document["samplers"] = json!([
            {"magFilter": 9729, "minFilter": 9987, "wrapS": 33071, "wrapT": 33071},
        ]);
        document["textures"] = json!([{"source": 0, "sampler": 0}]);
        material["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
        material["pbrMetallicRoughness"]["roughnessFactor"] = json!(0.6);
        material["alphaMode"] = json!("MASK");
        material["alphaCutoff"] = json!(CUTOFF);
    }
    document["bufferViews"] = json!(views);
    document["materials"] = json!([material]);
    document.to_string()
}
