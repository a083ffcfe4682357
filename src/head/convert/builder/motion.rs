//! Nodes within nodes, skins, morph targets and animations.

use super::{Builder, Result};
use ::gltf::json::accessor::UNSIGNED_SHORT;
use serde_json::{Value, json};

/// The bending of a primitive: for each vertex, or for each target and vertex; empty lists are left
/// out.
#[derive(Default)]
pub struct Bends {
    /// Four joints of the skin, and their weights.
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
    /// The moves of each morph target.
    pub targets: Vec<Vec<[f32; 3]>>,
}

/// A property of a node that an animation sets.
pub struct Track {
    pub node: usize,
    /// The name in the file: `translation`, `rotation`, `scale` or `weights`.
    pub path: &'static str,
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// The values at these times, one after the other.
    pub values: Vec<f32>,
}

impl Builder<'_> {
    /// Adds a node and returns its index.
    pub fn plain_node(&mut self, node: Value) -> Result<usize> {
        self.charge()?;
        Ok(self.push("nodes", node))
    }

    /// Lets a node show a mesh, bent by a skin and by the weights of the mesh's targets.
    pub fn show(&mut self, node: usize, mesh: usize, skin: Option<usize>, weights: &[f64]) {
        let node = &mut self.list("nodes")[node];
        node["mesh"] = json!(mesh);
        if let Some(skin) = skin {
            node["skin"] = json!(skin);
        }
        if !weights.is_empty() {
            node["weights"] = json!(weights);
        }
    }

    /// Says that a node is a joint, by which the neck is found.
    pub fn mark_joint(&mut self, node: usize) {
        self.joints.push(node);
    }

    /// Adds what bends a primitive to it.
    pub fn bend(&mut self, primitive: &mut Value, bends: &Bends) -> Result<()> {
        if !bends.joints.is_empty() {
            let lanes = bends.joints.as_flattened().iter();
            let bytes: Vec<[u8; 2]> = lanes.map(|lane| lane.to_le_bytes()).collect();
            let (count, bytes) = (bends.joints.len(), bytes.as_flattened());
            let joints = self.accessor("VEC4", UNSIGNED_SHORT, count, bytes)?;
            primitive["attributes"]["JOINTS_0"] = json!(joints);
            primitive["attributes"]["WEIGHTS_0"] = json!(self.floats("VEC4", &bends.weights)?);
        }
        let targets = bends.targets.iter();
        let targets = targets.map(|moves| Ok(json!({"POSITION": self.positions(moves)?})));
        let targets = targets.collect::<Result<Vec<_>>>()?;
        if !targets.is_empty() {
            primitive["targets"] = Value::Array(targets);
        }
        Ok(())
    }

    /// Adds a skin of joints, with the map from the space of its mesh to that of each, in columns;
    /// returns its index.
    pub fn skin(&mut self, joints: &[usize], from_mesh: &[[f32; 16]]) -> Result<usize> {
        self.charge()?;
        let maps = self.floats("MAT4", from_mesh)?;
        let skin = json!({"joints": joints, "inverseBindMatrices": maps});
        Ok(self.push("skins", skin))
    }

    /// Adds an animation.
    pub fn animation(&mut self, name: &str, tracks: &[Track]) -> Result<()> {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for track in tracks {
            self.charge()?;
            let times = self.floats("SCALAR", track.times.as_chunks::<1>().0)?;
            let values = match track.path {
                "rotation" => self.floats("VEC4", track.values.as_chunks::<4>().0)?,
                "weights" => self.floats("SCALAR", track.values.as_chunks::<1>().0)?,
                _ => self.floats("VEC3", track.values.as_chunks::<3>().0)?,
            };
            let target = json!({"node": track.node, "path": track.path});
            channels.push(json!({"sampler": samplers.len(), "target": target}));
            samplers.push(json!({"input": times, "output": values}));
        }
        let animation = json!({"name": name, "samplers": samplers, "channels": channels});
        self.push("animations", animation);
        Ok(())
    }
}
