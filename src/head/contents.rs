//! Facts of a model for the list of what it has and lacks (`mohawk inspect`).

use super::error::{Topic, Warnings, label, truncated};
use super::gltf::document::{Document, Mesh};
use super::gltf::parser::extension;
use super::mesh::nodes::Shown;
use super::model::{Material, Part};
use super::names::has_word;
use crate::told::short;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Facts of a model that hair does not depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The skins of the file, at most 64.
    pub skins: Vec<Skin>,
    /// The morph targets of the meshes that are shown, at most 64 meshes.
    pub morphs: Vec<MorphTargets>,
    /// The middle of the eyes in head space, if names tell which parts they are.
    pub eyes: Option<Vec3>,
    /// Indices of parts whose normals are computed because the file has none.
    pub without_normals: Vec<usize>,
    /// Evidence of paint that would count if what counts were not there: `COLOR_0 is black on white,
    /// on part "head"`.
    pub other_paint: Option<String>,
    /// The warnings on some topics.
    pub told: Vec<(Topic, String)>,
}

/// A skin: joints that bend parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Skin {
    /// The index and the name: `skin 0 "Armature"`.
    pub name: String,
    /// The number of joints.
    pub joints: usize,
    /// `true` if a part follows them.
    #[serde(skip)]
    pub is_used: bool,
}

/// The morph targets of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorphTargets {
    /// The index and the name: `mesh 0 "head"`.
    pub mesh: String,
    /// The number of targets.
    pub count: usize,
    /// The names of the first targets, as far as the file names them.
    pub names: Vec<String>,
}

/// Skins, meshes and names of targets of a mesh that are listed.
const MOST: usize = 64;
const MOST_NAMES: usize = 256;
/// Words in the names of eyes.
const EYES: [&str; 5] = ["eye", "eyes", "eyeball", "eyeballs", "iris"];
/// The extras of a mesh as Blender and others write them.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Extras {
    target_names: Vec<String>,
}

impl Contents {
    pub(super) fn of(
        document: &Document,
        shown: &Shown,
        parts: &[Part],
        materials: &[Material],
        warnings: &mut Warnings,
    ) -> Self {
        let nodes = shown.meshes.iter().map(|&(node, _)| &document.nodes[node]);
        let used: BTreeSet<usize> = nodes
            .filter_map(|node| node.skin.map(|skin| skin.index()))
            .collect();
        let skins = document.skins.iter().enumerate().take(MOST);
        let meshes: BTreeSet<usize> = shown.meshes.iter().map(|&(_, mesh)| mesh).collect();
        let morphs = meshes.into_iter().filter_map(|index| {
            let mesh = &document.meshes[index];
            let targets = mesh.primitives.iter().map(|primitive| &primitive.targets);
            let count = targets.flatten().map(Vec::len).max().filter(|&n| n > 0)?;
            Some(MorphTargets {
                mesh: label("mesh", index, mesh.name.as_deref()),
                count,
                names: target_names(mesh, count),
            })
        });
        let lacks_normals = |part: &Part| {
            let primitive = part.source.and_then(|source| {
                let mesh = document.meshes.get(source.mesh)?;
                mesh.primitives.get(source.primitive)
            });
            primitive.is_some_and(|primitive| !primitive.attributes.contains_key("NORMAL"))
        };
        let without_normals = parts.iter().enumerate().filter_map(|(nth, part)| {
            (!part.triangles.is_empty() && lacks_normals(part)).then_some(nth)
        });
        Contents {
            skins: skins
                .map(|(index, skin)| Skin {
                    name: label("skin", index, skin.name.as_deref()),
                    joints: skin.joints.len(),
                    is_used: used.contains(&index),
                })
                .collect(),
            morphs: morphs.take(MOST).collect(),
            eyes: eyes(parts, materials),
            without_normals: without_normals.collect(),
            other_paint: None,
            told: warnings.take_told(),
        }
    }
}

/// Returns the names that the extras of a mesh give to its targets, or to some.
fn target_names(mesh: &Mesh, count: usize) -> Vec<String> {
    let extras = mesh.extras.as_deref().map(extension::<Extras>);
    // Extras may be anything.
    let names = extras.and_then(Result::ok).unwrap_or_default().target_names;
    let names = names.iter().take(count.min(MOST_NAMES));
    names.map(|name| short(&truncated(name))).collect()
}

/// Returns the middle of the box around the parts that are eyes by the name of their node or
/// material.
fn eyes(parts: &[Part], materials: &[Material]) -> Option<Vec3> {
    let is_eye = |part: &&Part| {
        let names = [&part.name, &materials[part.material].name];
        let mut words = EYES.iter();
        !part.triangles.is_empty()
            && words.any(|word| names.iter().any(|name| has_word(name, word)))
    };
    let positions = parts.iter().filter(is_eye);
    let positions = positions.flat_map(|part| &part.positions);
    let boxes = positions.map(|&position| (position, position));
    let (low, high) = boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    Some((low + high) / 2.0)
}
