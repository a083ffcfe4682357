//! The head as a whole.

use super::contents::Contents;
use super::error::{Topic, quoted};
use super::model::{Extent, Material, Part, Texture};
use super::rig::{Rig, chosen};
use super::units::Units;
use std::path::PathBuf;
use std::sync::Arc;

/// A head ready to grow hair on and to draw, in head space (decimetres, centred).
#[derive(Clone, Debug)]
pub struct Head {
    /// The name of the file without its extension.
    pub name: String,
    /// The licence of a VRM avatar, or the copyright of another file, in one line.
    pub licence: Option<String>,
    /// One part per primitive of every node of the default scene.
    pub parts: Vec<Part>,
    /// The materials that [`Part::material`] indexes; never empty.
    pub materials: Vec<Material>,
    /// The textures that the materials index.
    pub textures: Vec<Texture>,
    /// The painted part with the largest painted area; `None` if nothing is painted.
    pub scalp_part: Option<usize>,
    /// The map from the file's units to head space.
    pub units: Units,
    /// The size in the file's units.
    pub extent: Extent,
    /// The rig that its animations move; `None` without animations.
    pub rig: Option<Arc<Rig>>,
    /// Further facts of the model, such as its skins and morph targets.
    pub contents: Contents,
    /// Problems that did not stop the load.
    pub warnings: Vec<String>,
    /// Every file that was read or looked up, missing ones too: the model, then the buffers,
    /// textures and material files in its folder. Empty for a head from memory.
    pub files: Vec<PathBuf>,
}

impl Head {
    /// Returns the [`Head::warnings`] that [`Head::paint_advice`] does not repeat.
    pub fn warnings_beside_advice(&self) -> impl Iterator<Item = &str> {
        let advice = self.paint_advice().unwrap_or_default();
        let warnings = self.warnings.iter().map(String::as_str);
        warnings.filter(move |warning| !advice.contains(warning))
    }

    /// Returns the [`Head::warnings`] on a topic.
    pub fn told(&self, topic: Topic) -> impl Iterator<Item = &str> {
        let told = self.contents.told.iter();
        told.filter_map(move |(of, text)| (*of == topic).then_some(text.as_str()))
    }

    /// Returns what to tell the user of a head without scalp paint: what was searched, what was
    /// found, and how to paint one. `None` if the head has a scalp.
    pub fn paint_advice(&self) -> Option<String> {
        if self.scalp_part.is_some() {
            return None;
        }
        let found = self.told(Topic::Paint);
        let found: String = found.flat_map(|warning| [warning, ". "]).collect();
        Some(format!(
            "No hair grows on {}: {found}\
             A scalp is where vertex colours (any COLOR_n) are black at all three corners of a triangle. \
             To paint one in Blender: select the head, fill a new Color Attribute with white, \
             paint the scalp black in Vertex Paint mode, and export glTF 2.0 (.glb) with \
             Data > Mesh > Vertex Colors set to Active.",
            quoted(&self.name),
        ))
    }

    /// Returns the number of triangles of all parts.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.triangles.len()).sum()
    }

    /// Returns the place, in the list of its [`Rig`], of the animation of this name or number; of the
    /// first for `None`. Returns `None` for `none`, and if nothing was asked for of a head without
    /// animations.
    ///
    /// # Errors
    ///
    /// The head has no such animation: the text lists those it has.
    pub fn animation(&self, wanted: Option<&str>) -> Result<Option<usize>, String> {
        let animations = self.rig.as_ref().map_or(&[][..], |rig| rig.animations());
        chosen(animations, wanted)
    }

    /// Returns the place of the animation of this name, which was at `place` when the head was read
    /// before: names may be the same.
    pub fn same_animation(&self, place: usize, name: &str) -> Option<usize> {
        let before = self.rig.as_ref()?.animations().get(place);
        match before.is_some_and(|animation| animation.name == name) {
            true => Some(place),
            false => self.animation(Some(name)).ok()?,
        }
    }
}
