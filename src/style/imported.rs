//! Hair from a file of strands: bound to the head that it was made for, or free in the air.
//!
//! Strands become hair of a style whose roots are their own ([`Edits::roots`](super::Edits)) and whose
//! every strand is edited, so that it is drawn, simulated, brushed and saved like any other. Other
//! settings of roots replace them by sampled ones, which take over the strands near them.

use super::contents::{Curve, Style};
use super::follicles::{Follicles, skin_part};
use super::grow::{self, MIN_LENGTH, Skin};
use crate::bvh::bounds;
use crate::config::Config;
use crate::groom::{Checkpoint, RestCurves};
use crate::head::{Head, Model, STANDARD_HEIGHT, Units, Up, loose_model};
use crate::look::HairLook;
use crate::random::Random;
use crate::scalp::{NearestFinder, Scalp};
use crate::sim::SimSettings;
use crate::strands::{Strands, along, even_places};
use glam::{DQuat, DVec3, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The roots that are measured to find out how strands lie on a head.
const MEASURED: usize = 300;
/// Strands lie on a head if half of their roots are this near to its skin, decimetres.
const NEAR: f64 = 0.06;
/// Units that files are in without saying so, in metres.
const UNITS: [f64; 4] = [1.0, 0.01, 0.1, 0.001];
/// The heights of hair in metres that are believed if a file tells its unit.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.02..=2.0;
/// The side of the triangles under free hair, decimetres: too small to be seen.
const SIDE: f32 = 2e-4;
/// The seed of the order of strands.
const ORDER_SEED: u64 = 0x6f72_6465_7221;

/// Strands that are not on a head yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The strands that others follow come first, then all in random order: the first of them, as many
    /// as a density leaves, are then spread over all.
    pub(super) strands: Strands,
}

/// The way from the space of strands to that of the file of a head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    turn: DQuat,
    pub(super) scale: f64,
}

impl Placement {
    fn of(&self, point: [f32; 3]) -> Vec3 {
        (self.turn * DVec3::from(point.map(f64::from)) * self.scale).as_vec3()
    }
}

impl Config {
    /// Restores what free hair has of its own, for hair that goes to a head: how that is read, and what
    /// hair collides with.
    pub fn leave_air(&mut self) {
        self.head.scale = None;
        self.sim.head_collider = SimSettings::default().head_collider;
    }
}

impl Imported {
    pub(super) fn new(strands: Strands) -> Self {
        let mut order: Vec<usize> = (0..strands.len()).collect();
        Random::new(ORDER_SEED).shuffle(&mut order);
        if let guides @ [_, ..] = &strands.guides[..] {
            order.sort_by_key(|&strand| !guides[strand]);
        }
        Self {
            strands: strands.picked(&order),
        }
    }

    /// Returns the placement that the file tells: metres with Y up.
    pub(super) fn told(&self) -> Placement {
        Placement {
            turn: self.strands.up.unwrap_or(Up::Y).turn(),
            scale: self.strands.unit_metres.unwrap_or(1.0),
        }
    }

    /// Returns how the strands lie on the skin of a head: as their file tells, or with another axis up
    /// or in another unit, each in the space of the head's file or upright. `None` if they lie elsewhere.
    pub(super) fn placement(&self, head: &Head) -> Option<Placement> {
        let part = &head.parts[skin_part(head)?];
        let skin = Scalp::of_part(part)?;
        let nearest = NearestFinder::of(&skin);
        let roots: Vec<[f32; 3]> = (self.strands.ranges().take(MEASURED))
            .map(|range| self.strands.points[range.start])
            .collect();
        let is_near = |placement: &Placement| {
            let near = roots.iter().filter(|root| {
                let place = head.units.head_from_file(placement.of(**root));
                nearest.find(place, NEAR, |_| true).is_some()
            });
            2 * near.count() >= roots.len()
        };
        let others = [Up::Y, Up::Z].into_iter().flat_map(|up| {
            UNITS.map(|scale| Placement {
                turn: up.turn(),
                scale,
            })
        });
        let undone = head.units.turn.inverse();
        let turns = [DQuat::IDENTITY, undone].into_iter();
        let turns = turns.take(1 + usize::from(undone != DQuat::IDENTITY));
        let all = [self.told()].into_iter().chain(others);
        let mut turned = all.flat_map(|placement| {
            turns.clone().map(move |turn| Placement {
                turn: turn * placement.turn,
                ..placement
            })
        });
        turned.find(is_near)
    }

    /// Returns a model of small triangles under the roots alone, and the decimetres of a unit of it.
    pub(super) fn own_model(&self) -> (Model, f64) {
        let told = self.told();
        let place = |point: &[f32; 3]| told.of(*point);
        let (low, high) = bounds(self.strands.points.iter().map(place));
        let size = f64::from((high - low).max_element()).max(f64::MIN_POSITIVE);
        // The hair is as high as a head, or as its file tells.
        let standard = STANDARD_HEIGHT / 10.0;
        let is_told = self.strands.unit_metres.is_some() && BELIEVED.contains(&size);
        let height = if is_told { standard } else { size };
        let roots = self.strands.ranges().map(|range| {
            let [root, next] =
                [range.start, range.start + 1].map(|i| place(&self.strands.points[i]));
            (root, (next - root).normalize_or(Vec3::Y))
        });
        let scale = STANDARD_HEIGHT / height;
        let model = loose_model(roots, SIDE / scale as f32);
        (Model::Embedded(model.into()), scale)
    }

    /// Sets width and colours to those of the middle strand; `scale` is decimetres per unit.
    pub(super) fn set_look(&self, look: &mut HairLook, scale: f32) {
        let strands = &self.strands;
        let middle = |value: &dyn Fn(usize, usize) -> Option<f32>, is_tip: bool| {
            let ranges = strands.ranges().enumerate();
            let mut values: Vec<f32> = ranges
                .filter_map(|(strand, range)| {
                    value(strand, if is_tip { range.end - 1 } else { range.start })
                })
                .collect();
            values.sort_by(f32::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let width = |strand, point| strands.widths.at(strand, point);
        if let (Some(root), Some(tip)) = (middle(&width, false), middle(&width, true))
            && root * scale > 0.0
        {
            let range = HairLook::radius.range();
            look.radius = (root * scale / 2.0).clamp(*range.start(), *range.end());
            look.taper = (tip / root).clamp(0.0, 1.0);
        }
        for (color, is_tip) in [(&mut look.root_color, false), (&mut look.tip_color, true)] {
            for (i, channel) in color.iter_mut().enumerate() {
                let value = |strand, point| Some(strands.colors.at(strand, point)?[i]);
                *channel = middle(&value, is_tip).map_or(*channel, |value| value.clamp(0.0, 1.0));
            }
        }
    }

    /// Returns the way to a head: that on which its skin is, or else as the file tells.
    pub(super) fn placed(&self, head: &Head) -> Placement {
        self.placement(head).unwrap_or_else(|| self.told())
    }

    /// Returns the places of the roots on a head, head space.
    pub(super) fn roots(&self, head: &Head, placement: Placement) -> Arc<[Vec3]> {
        let roots = self.strands.ranges().map(|range| range.start);
        roots
            .map(|root| self.place(root, placement, &head.units))
            .collect()
    }

    /// Returns the curves of the strands on follicles at their [`roots`](Self::roots), as hair that
    /// grows by the settings of the file: others change the length.
    pub(super) fn curves(
        &self,
        config: Config,
        (head, placement): (&Head, Placement),
        follicles: &Follicles,
    ) -> BTreeMap<u32, Curve> {
        let skin = Skin::bare(&head.parts[follicles.part()]);
        let all = vec![true; follicles.len()];
        let style = Style {
            config,
            ..Style::default()
        };
        let bare = grow::grow_where(&style, skin, follicles, &all, &mut Checkpoint::default());
        let units = &head.units;
        let curve = |(strand, range): (usize, std::ops::Range<usize>)| {
            let own = &self.strands.points[range];
            let mut even = Vec::new();
            if own.len() > RestCurves::MOST_POINTS {
                let places: Vec<_> = even_places(own, 0, RestCurves::MOST_POINTS).collect();
                even = along(&places, own);
            }
            let own = if even.is_empty() { own } else { &even };
            let place = |point: &[f32; 3]| units.head_from_file(placement.of(*point));
            let root = place(&own[0]);
            let points = own.iter().map(|point| place(point) - root).collect();
            let grown = bare.lengths[strand].max(MIN_LENGTH);
            (strand as u32, Curve { points, grown })
        };
        self.strands.ranges().enumerate().map(curve).collect()
    }

    fn place(&self, point: usize, placement: Placement, units: &Units) -> Vec3 {
        units.head_from_file(placement.of(self.strands.points[point]))
    }
}
