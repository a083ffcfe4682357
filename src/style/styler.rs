//! A session with a style, and what others may read of it.
//!
//! The other files add what it can do: `open` begins it, `strokes` are on hair, which `depenetrate`
//! keeps out of the skin, or on `guides`, `select` chooses strands for them, `paint` is on maps and
//! their `layers`, `fill` for whole maps and sides, `settings` has undo and redo too, and `replace`
//! takes another style. `skin_field` bakes the distance field of the skin when it is needed.

mod depenetrate;
mod fill;
mod guides;
mod kept_follicles;
mod layers;
mod measured;
mod open;
mod paint;
mod replace;
mod select;
mod settings;
mod skin_field;
mod strokes;

pub use measured::Measured;
pub use open::OpenError;
pub use paint::PaintError;
#[cfg(test)]
pub(super) use paint::{RESOLUTION, UvSheet};
pub(crate) use skin_field::{Baked, bake_skin};

use super::contents::{Edits, History, Style};
use super::follicles::Follicles;
use super::grow::{self, Grown, Skin};
use super::planted::Planted;
use super::strands::{Lengths, Neighbours, Strands};
use super::stroke_file::Stroke;
use super::visibility::Visibility;
use crate::config::Config;
use crate::groom::{Checkpoint, Groom};
use crate::head::{Head, Part};
use crate::maps::{Canvas, Map, MapKind, UvLayout};
use crate::strokes::StepSampler;
use depenetrate::Before;
use glam::Vec3;
use guides::Guiding;
use kept_follicles::KeptFollicles;
use paint::Painting;
use rayon::prelude::*;
use select::Selecting;
use skin_field::known;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use web_time::Instant;

/// A head with its style, being worked on.
pub struct Styler {
    head: Arc<Head>,
    pub(super) style: Style,
    follicles: Follicles,
    /// The signed distance field of the skin, which hair must not enter, once it was baked.
    pub(super) field: Option<Baked>,
    pub(super) grown: Grown,
    growth: Growth,
    /// Lengths of the strands before they were brushed. Computed when they are first needed, as the
    /// next four.
    pub(super) lengths: Option<Lengths>,
    neighbours: Option<Neighbours>,
    canvas: Option<Canvas>,
    /// The model's own paint, as a map with the layout of the density map.
    model_density: Option<Arc<Map>>,
    uv_layout: Option<Arc<UvLayout>>,
    history: History,
    stroke: Option<ActiveStroke>,
    /// The drawn positions of hair while it moves, laid out as the points of its strands.
    shown: Option<Vec<Vec3>>,
    active_override: Option<Override>,
    /// The follicles before the last change of settings, if that changed them.
    previous_follicles: Option<Follicles>,
    /// The follicles of settings of roots that were in use before.
    kept_follicles: KeptFollicles,
}

/// The growth of hair for pictures.
struct Growth {
    /// The share of the follicles that hair grows from; below 1 for drafts.
    share: f32,
    /// The share that the hair was grown with.
    grown: f32,
    /// The time that growing all hair takes, seconds, as far as it is known.
    secs: f32,
    /// The hair before the modifier that changed last: of all strands, and of a draft.
    checkpoints: [Checkpoint; 2],
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            share: 1.0,
            grown: 1.0,
            secs: 0.0,
            checkpoints: Default::default(),
        }
    }
}

/// A stroke that has not ended.
struct ActiveStroke {
    /// The brush; its points are not used.
    brush: Stroke,
    /// The view of the camera, and its mirror image for mirrored strokes on hair. Empty on a UV
    /// layout.
    sides: Vec<Visibility>,
    target: StrokeTarget,
    /// The hair when it began, if it grows meanwhile.
    before: Option<Before>,
    steps: StepSampler,
    /// `true` while there are changes that [`Styler::refresh`] has not grown yet.
    is_stale: bool,
}

/// The target of a stroke.
enum StrokeTarget {
    /// Strands: `true` for each that was touched.
    Strands(Vec<bool>),
    /// Follicles: `true` for each that grows hair, and those that changed.
    Planting {
        growing: Vec<bool>,
        changed: BTreeSet<u32>,
    },
    Painting(Painting),
    Guides(Box<Guiding>),
    Selecting(Selecting),
}

impl StrokeTarget {
    /// Returns `true` if hair grows anew while the stroke goes on.
    fn grows(&self) -> bool {
        matches!(self, Self::Painting(_) | Self::Planting { .. })
    }
}

/// The user's settings while others override them, or the overriding ones while the user's are
/// swapped in.
struct Override {
    config: Config,
    /// Follicles and edits, where the roots differ too.
    roots: Option<(Follicles, Edits)>,
}

impl Styler {
    fn skin(&self) -> Skin<'_> {
        Skin {
            part: self.part(),
            own: self.model_density.as_deref(),
            field: known(&self.field),
        }
    }

    /// Grows all hair from the style.
    fn grow(&mut self) {
        self.meet_skin();
        self.update_model_density();
        let (started, share) = (Instant::now(), self.growth.share);
        let mut growing = grow::growing(&self.style, self.skin(), &self.follicles);
        if share < 1.0 {
            let grows = |follicle| self.follicles.grows(follicle, share);
            (growing.iter_mut().enumerate()).for_each(|(i, growing)| *growing &= grows(i));
        }
        let mut checkpoints = std::mem::take(&mut self.growth.checkpoints);
        let checkpoint = &mut checkpoints[usize::from(share < 1.0)];
        let (skin, follicles) = (self.skin(), &self.follicles);
        let grown = grow::grow_where(&self.style, skin, follicles, &growing, checkpoint);
        self.growth.checkpoints = checkpoints;
        self.growth.grown = share;
        if share == 1.0 {
            self.growth.secs = started.elapsed().as_secs_f32();
        }
        self.set_grown(grown);
    }

    /// Sets the share of the follicles that hair grows from when it is next
    /// [changed](Self::set_config): below 1 for drafts, as while a slider is dragged. Draft or not,
    /// the strands that grow are the same, but that modifiers which gather hair may find other
    /// middles. A stroke begins with all hair.
    pub fn set_share(&mut self, share: f32) {
        self.growth.share = share.clamp(0.0, 1.0);
    }

    /// Returns the share of the follicles that hair has grown from, if it is a draft.
    pub fn draft(&self) -> Option<f32> {
        (self.growth.grown < 1.0).then_some(self.growth.grown)
    }

    /// Returns the time that growing all hair took when that was last done, seconds.
    pub fn growth_secs(&self) -> f32 {
        self.growth.secs
    }

    fn set_grown(&mut self, grown: Grown) {
        self.grown = grown;
        self.lengths = None;
        self.neighbours = None;
        self.shown = None;
    }

    /// Returns the style that is shown, with [overriding settings](Self::override_config).
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Returns the head that the hair grows on.
    pub fn head(&self) -> &Arc<Head> {
        &self.head
    }

    /// Returns the density map at each vertex of the part, 0 to 1; `None` without a map.
    pub fn vertex_density(&self) -> Option<Vec<f32>> {
        let map = self.style.maps.get(&MapKind::Density)?;
        let part = self.part();
        let model = part.paint.as_ref().zip(self.model_density.as_deref());
        let at = |vertex: u32| match model {
            Some((paint, own)) if map.agrees(own, part, [vertex; 3], Vec3::X) => {
                paint.density[vertex as usize]
            }
            _ => map.sample(part, [vertex; 3], Vec3::X),
        };
        Some((0..part.positions.len() as u32).map(at).collect())
    }

    /// Returns the part of the head that hair grows on.
    pub fn part(&self) -> &Part {
        &self.head.parts[self.follicles.part()]
    }

    /// Returns the places where hair could grow.
    pub fn follicles(&self) -> &Follicles {
        &self.follicles
    }

    /// Returns the follicles that have hair.
    pub fn planted(&self) -> &Planted {
        &self.grown.planted
    }

    /// Takes follicles to which those of bald skin were [added](Follicles::add_bald) elsewhere.
    /// Hair stays as it is. Returns `false`, and takes nothing, if they belong to other roots or a
    /// stroke is in progress.
    pub fn take_follicles(&mut self, whole: Follicles) -> bool {
        let (old, new) = (self.follicles.roots(), whole.roots());
        let continues = !self.is_brushing()
            && whole.part() == self.follicles.part()
            && new.spacing == old.spacing
            && new.positions.starts_with(&old.positions);
        if continues {
            self.follicles = whole;
        }
        continues
    }

    /// Returns the hair as polylines, up to date during strokes too.
    pub fn strands(&self) -> &Strands {
        self.grown.strands()
    }

    /// Returns the hair as the simulation takes it, after the last stroke that ended.
    pub fn groom(&self) -> &Arc<Groom> {
        &self.grown.groom
    }

    /// Returns the changes that can be undone and redone; strokes that have ended count. The style
    /// is unsaved if the number of its [state](History::state) differs from that of the saved
    /// state.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns `true` while a stroke is in progress.
    pub fn is_brushing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Returns the depth of the deepest point of all strands in the skin, by the distance field,
    /// decimetres. It is measured relative to the strand's own root, as roots may lie in pockets
    /// that the field closes (nostrils, ears). It is 0 or less if no point is in the skin, and
    /// `None` without a field.
    pub fn deepest(&self) -> Option<f32> {
        let field = known(&self.field)?;
        let strands = self.grown.strands();
        let depth = |p: Vec3| -field.distance(p.to_array());
        let deepest = (0..strands.len()).into_par_iter().map(|strand| {
            let root = strands.roots[strand];
            let depths = strands.strand(strand)[1..].iter().map(|&p| depth(root + p));
            depths.fold(f32::NEG_INFINITY, f32::max) - depth(root).max(0.0)
        });
        Some(deepest.reduce(|| f32::NEG_INFINITY, f32::max))
    }

    /// Forgets follicles of other roots, so that they are sampled again.
    #[cfg(test)]
    pub(super) fn forget_follicles(&mut self) {
        self.kept_follicles = KeptFollicles::default();
    }

    /// Returns the roots of strands with edits, by follicle. Saved with the style, they tell
    /// whether it is opened on the same head.
    pub fn edited_roots(&self) -> BTreeMap<u32, Vec3> {
        let user = self.active_override.as_ref();
        let (follicles, edits) = match user.and_then(|user| user.roots.as_ref()) {
            Some((follicles, edits)) => (follicles, edits),
            None => (&self.follicles, &self.style.edits),
        };
        // Those from a file are saved as they are.
        if edits.roots.is_some() {
            return BTreeMap::new();
        }
        let positions = &follicles.roots().positions;
        let all = edits.curves.keys().chain(edits.planted.keys());
        all.filter_map(|&f| Some((f, *positions.get(f as usize)?)))
            .collect()
    }
}
