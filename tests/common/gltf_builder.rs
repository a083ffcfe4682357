//! Builds small glTF files: JSON, which a test may modify, and one buffer.

#![allow(dead_code)] // Each test crate uses a part of this.

use base64::Engine;
use mohawk::head::{Head, HeadSettings, LoadError};
use serde_json::{Value, json};

/// Component types.
pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// The corners of a unit square in the plane z = 0, counter-clockwise seen from +z.
pub const SQUARE: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
];
/// The two triangles of the square.
pub const SQUARE_INDICES: [u32; 6] = [0, 1, 2, 0, 2, 3];

/// A glTF file under construction.
#[derive(Clone)]
pub struct Gltf {
    /// The document. `buffers` is added when the file is written.
    pub json: Value,
    /// The bytes of buffer 0.
    pub bin: Vec<u8>,
}

/// Returns floats as little-endian bytes.
pub fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Returns `values` as little-endian integers of a component type.
pub fn int_bytes(component: u32, values: &[u32]) -> Vec<u8> {
    let size = match component {
        I8 | U8 => 1,
        I16 | U16 => 2,
        _ => 4,
    };
    values
        .iter()
        .flat_map(|value| value.to_le_bytes().into_iter().take(size))
        .collect()
}

impl Gltf {
    /// Returns a document with one empty scene.
    pub fn new() -> Self {
        Gltf {
            json: json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}]}),
            bin: Vec::new(),
        }
    }

    /// Returns a file with a node "head": the indexed square, white, without paint.
    pub fn square() -> Self {
        let mut gltf = Gltf::new();
        let primitive = gltf.square_primitive();
        gltf.head(primitive);
        gltf
    }

    /// Returns a file with the square and `colors` (RGB per vertex) in `COLOR_0`.
    pub fn painted(colors: [[f32; 3]; 4]) -> Self {
        let mut gltf = Gltf::new();
        let mut primitive = gltf.square_primitive();
        let colors = gltf.floats("VEC3", colors.as_flattened());
        primitive["attributes"]["COLOR_0"] = json!(colors);
        gltf.head(primitive);
        gltf
    }

    /// Adds the accessors of the square and returns its primitive.
    pub fn square_primitive(&mut self) -> Value {
        let position = self.floats("VEC3", SQUARE.as_flattened());
        let indices = self.ints(U16, "SCALAR", &SQUARE_INDICES);
        json!({"attributes": {"POSITION": position}, "indices": indices})
    }

    /// Adds a root node "head" with a mesh of one primitive.
    pub fn head(&mut self, primitive: Value) -> usize {
        let mesh = self.mesh("head", json!([primitive]));
        self.root(json!({"name": "head", "mesh": mesh}))
    }

    /// Appends to a top-level list and returns the index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = &mut self.json[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// Adds a buffer view of `bytes`.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let view = json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()});
        self.push("bufferViews", view)
    }

    /// Adds an accessor at the start of `view`.
    pub fn accessor(&mut self, view: usize, component: u32, shape: &str, count: usize) -> usize {
        let normalized = component != F32 && shape != "SCALAR";
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": shape,
                   "count": count, "normalized": normalized}),
        )
    }

    /// Adds an accessor of floats.
    pub fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let view = self.view(&f32_bytes(values));
        self.accessor(view, F32, shape, values.len() / lanes(shape))
    }

    /// Adds an accessor of integers.
    pub fn ints(&mut self, component: u32, shape: &str, values: &[u32]) -> usize {
        let view = self.view(&int_bytes(component, values));
        self.accessor(view, component, shape, values.len() / lanes(shape))
    }

    /// Adds a mesh.
    pub fn mesh(&mut self, name: &str, primitives: Value) -> usize {
        self.push("meshes", json!({"name": name, "primitives": primitives}))
    }

    /// Adds a node to the scene.
    pub fn root(&mut self, node: Value) -> usize {
        let node = self.push("nodes", node);
        let scene = self.json["scenes"][0]["nodes"].as_array_mut().unwrap();
        scene.push(json!(node));
        node
    }

    /// Adds a texture with an image in a buffer view.
    pub fn texture(&mut self, file: &[u8]) -> usize {
        let view = self.view(file);
        let image = self.push(
            "images",
            json!({"bufferView": view, "mimeType": "image/png"}),
        );
        self.push("textures", json!({"source": image}))
    }

    /// Returns the primitive of mesh 0.
    pub fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    /// Hangs the lower two corners of a square on the first joint of its skin, and the upper two on
    /// the second.
    pub fn hang_on_two_joints(&mut self) {
        let joints = [[0; 4], [0; 4], [1, 0, 0, 0], [1, 0, 0, 0]].concat();
        let joints = self.ints(U8, "VEC4", &joints);
        self.json["accessors"][joints]["normalized"] = json!(false);
        let weights = self.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(4));
        self.primitive()["attributes"]["JOINTS_0"] = json!(joints);
        self.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    }

    fn json_with_buffer(&self, uri: Option<String>) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"].is_null() && !self.bin.is_empty() {
            json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        if let Some(uri) = uri {
            json["buffers"][0]["uri"] = json!(uri);
        }
        serde_json::to_vec(&json).unwrap()
    }

    /// Returns the file as a `.glb`.
    pub fn glb(&self) -> Vec<u8> {
        glb(&self.json_with_buffer(None), &self.bin)
    }

    /// Returns the file as a `.gltf` with its buffer in a `data:` URI.
    pub fn embedded(&self) -> Vec<u8> {
        let text = base64::engine::general_purpose::STANDARD.encode(&self.bin);
        self.json_with_buffer(Some(format!("data:application/octet-stream;base64,{text}")))
    }

    /// Returns the file as a `.gltf` with its buffer in another file.
    pub fn external(&self, uri: &str) -> Vec<u8> {
        self.json_with_buffer(Some(uri.to_owned()))
    }

    /// Loads the file as a `.glb`.
    pub fn load(&self) -> Result<Head, LoadError> {
        self.load_with(&HeadSettings::default())
    }

    /// Loads the file as a `.glb` at scale 1, so that positions are those of the file.
    pub fn load_plain(&self) -> Head {
        let scale = Some(1.0);
        self.load_with(&HeadSettings {
            scale,
            ..Default::default()
        })
        .unwrap()
    }

    /// Loads the file as a `.glb`.
    pub fn load_with(&self, settings: &HeadSettings) -> Result<Head, LoadError> {
        Head::from_bytes("test.glb", &self.glb(), settings)
    }

    /// Asserts that loading fails and returns the text of the error.
    pub fn error(&self) -> String {
        self.load().expect_err("this must not load").to_string()
    }
}

/// Returns the head that ships with the program.
pub fn shipped_head() -> Gltf {
    let glb = include_bytes!("../../models/head.glb");
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    let mut gltf = Gltf {
        json: serde_json::from_slice(&glb[20..20 + length]).unwrap(),
        bin: glb[28 + length..].to_vec(),
    };
    // That of the builder takes its place.
    gltf.json.as_object_mut().unwrap().remove("buffers");
    gltf
}

/// Returns a `.glb` of two chunks.
pub fn glb(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let pad = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, bin) = (pad(json, b' '), pad(bin, 0));
    let mut out = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + if bin.is_empty() { 0 } else { 8 + bin.len() };
    out.extend(2u32.to_le_bytes());
    out.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &bin)] {
        if !chunk.is_empty() {
            out.extend((chunk.len() as u32).to_le_bytes());
            out.extend(kind);
            out.extend(chunk);
        }
    }
    out
}

/// Returns a picture of one colour as PNG or JPEG.
pub fn picture(format: image::ImageFormat, width: u32, height: u32, rgb: [u8; 3]) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(width, height, image::Rgb(rgb));
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

fn lanes(shape: &str) -> usize {
    match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "MAT4" => 16,
        _ => 4,
    }
}
