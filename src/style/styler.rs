//! A session with a style: what it holds and what it tells.

use super::active::Active;
use super::brush::Lengths;
use super::grow::{self, Grown, Skin};
use super::history::History;
use super::neighbours::Neighbours;
use super::settings::Lent;
use super::strands::Strands;
use super::{Follicles, Style};
use crate::groom::Groom;
use crate::head::{Head, Part};
use crate::maps::{Canvas, Map, MapKind, UvLayout};
use crate::roots::{Roots, SampleError};
use crate::scalp::Scalp;
use crate::sim::Field;
use glam::Vec3;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Roots that are farther from where they were belong to another head, decimetres.
const SAME_PLACE: f32 = 1e-3;

/// A head with its style, being worked on.
pub struct Styler {
    pub(super) head: Arc<Head>,
    pub(super) style: Style,
    pub(super) follicles: Follicles,
    /// The skin that hair must not go into.
    pub(super) field: Option<Arc<Field>>,
    pub(super) grown: Grown,
    /// Of the strands, measured when they were grown.
    pub(super) lengths: Lengths,
    /// Made when they are needed.
    pub(super) neighbours: Option<Neighbours>,
    pub(super) canvas: Option<Canvas>,
    /// The model's own paint, as a map with the layout of the density map.
    pub(super) own: Option<Arc<Map>>,
    pub(super) uv_layout: Option<Arc<UvLayout>>,
    pub(super) history: History,
    pub(super) stroke: Option<Active>,
    /// Where hair is seen while it moves, as the points of its strands.
    pub(super) shown: Option<Vec<Vec3>>,
    pub(super) lent: Option<Lent>,
    /// The follicles before the settings that were changed last, where they had others.
    pub(super) before: Option<Follicles>,
}

impl Styler {
    /// Begins with a style of a head. `None`: no triangle of it has an area.
    ///
    /// # Errors
    ///
    /// As [`Follicles::of_head`].
    pub fn new(
        head: Arc<Head>,
        field: Option<Arc<Field>>,
        style: Style,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<Option<Self>, SampleError> {
        let Some(follicles) = Follicles::of_head(&head, &style.config.roots, progress)? else {
            return Ok(None);
        };
        let mut styler = Self {
            head,
            style,
            follicles,
            field,
            grown: Grown {
                groom: Groom::default(),
                strands: Strands::default(),
                lengths: Vec::new(),
            },
            lengths: Lengths::default(),
            neighbours: None,
            canvas: None,
            own: None,
            uv_layout: None,
            history: History::default(),
            stroke: None,
            shown: None,
            lent: None,
            before: None,
        };
        if styler.style.needs_bald() {
            styler.add_bald(progress)?;
        }
        styler.grow();
        Ok(Some(styler))
    }

    pub(super) fn add_bald(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<(), SampleError> {
        let roots = &self.style.config.roots;
        self.follicles.add_bald(&self.head, roots, progress)
    }

    pub(super) fn skin(&self) -> Skin<'_> {
        Skin {
            part: self.part(),
            own: self.own.as_deref(),
        }
    }

    /// All hair anew from the style.
    pub(super) fn grow(&mut self) {
        self.know_own();
        let grown = grow::grow(&self.style, self.skin(), &self.follicles);
        self.wear(grown);
    }

    pub(super) fn wear(&mut self, grown: Grown) {
        self.grown = grown;
        self.lengths = Lengths::of(&self.grown.strands);
        self.neighbours = None;
        self.shown = None;
    }

    /// What is being worked on, with settings that are [lent](Self::lend).
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// The head that it grows on.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The same, to keep.
    pub fn shared_head(&self) -> Arc<Head> {
        self.head.clone()
    }

    /// The density map at each vertex of the part, 0 to 1; `None` without one.
    pub fn vertex_density(&self) -> Option<Vec<f32>> {
        let map = self.style.maps.get(&MapKind::Density)?;
        let part = self.part();
        let own = part.paint.as_ref().zip(self.own.as_deref());
        let at = |vertex: u32| match own {
            Some((paint, own)) if map.agrees(own, part, [vertex; 3], Vec3::X) => {
                paint.density[vertex as usize]
            }
            _ => map.sample(part, [vertex; 3], Vec3::X),
        };
        Some((0..part.positions.len() as u32).map(at).collect())
    }

    /// The part of it that hair grows on.
    pub fn part(&self) -> &Part {
        &self.head.parts[self.follicles.part()]
    }

    /// Where hair could grow.
    pub fn follicles(&self) -> &Follicles {
        &self.follicles
    }

    /// The roots that have hair, and the skin that their places are of: the painted skin, unless
    /// hair grows elsewhere too.
    pub fn planted(&self) -> (Scalp, Roots) {
        let (numbers, settings) = (&self.grown.strands.follicles, &self.style.config.groom);
        self.follicles
            .planted(&self.head, numbers, settings.density)
    }

    /// Takes follicles that were these before bald skin [was given its own](Follicles::add_bald),
    /// elsewhere; false: they are of other roots, or a stroke is going on. Hair stays as it is.
    pub fn take_follicles(&mut self, whole: Follicles) -> bool {
        let continues = !self.is_brushing() && whole.continues(&self.follicles);
        if continues {
            self.follicles = whole;
        }
        continues
    }

    /// The hair as polylines, in the middle of a stroke too.
    pub fn strands(&self) -> &Strands {
        &self.grown.strands
    }

    /// The hair as the simulation takes it, after the last stroke that ended.
    pub fn groom(&self) -> &Groom {
        &self.grown.groom
    }

    /// What can be undone and redone.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The number of the state that the style is in ([`History::state`]): what is not in the state
    /// that was saved is unsaved. A stroke counts when it ends.
    pub fn state(&self) -> u64 {
        self.history.state()
    }

    /// Nothing that was done so far can be undone or redone; the style and its state stay.
    pub fn forget_history(&mut self) {
        self.history.clear();
        self.before = None;
    }

    /// How deep the deepest point of any strand is in the skin, by its field, decimetres: beyond
    /// its own root, which lies in pockets that the field closes (nostrils, ears). Not above 0 where
    /// none is in it. `None`: there is no field.
    pub fn deepest(&self) -> Option<f32> {
        let field = self.field.as_deref()?;
        let strands = &self.grown.strands;
        let depth = |p: Vec3| -field.distance(p.to_array());
        let deepest = (0..strands.len()).into_par_iter().map(|strand| {
            let root = strands.roots[strand];
            let depths = strands.strand(strand)[1..].iter().map(|&p| depth(root + p));
            depths.fold(f32::NEG_INFINITY, f32::max) - depth(root).max(0.0)
        });
        Some(deepest.reduce(|| f32::NEG_INFINITY, f32::max))
    }

    /// Where the roots of strands with edits are: what tells whether a saved style is on its head.
    pub fn edited_roots(&self) -> BTreeMap<u32, Vec3> {
        let (follicles, edits) = self.own_edits();
        let positions = &follicles.roots().positions;
        let all = edits.curves.keys().chain(edits.planted.keys());
        all.filter_map(|&f| Some((f, *positions.get(f as usize)?)))
            .collect()
    }

    /// The first root of an edited strand that is not where it was when the style was saved, and
    /// how far away it is, decimetres.
    pub fn misplaced(&self, saved: &BTreeMap<u32, Vec3>) -> Option<(u32, f32)> {
        let (follicles, _) = self.own_edits();
        let positions = &follicles.roots().positions;
        saved.iter().find_map(
            |(&follicle, place)| match positions.get(follicle as usize) {
                Some(root) => {
                    let away = root.distance(*place);
                    (away > SAME_PLACE).then_some((follicle, away))
                }
                // Of bald skin, on which nothing grows.
                None if !follicles.are_whole() => None,
                None => Some((follicle, f32::INFINITY)),
            },
        )
    }
}
