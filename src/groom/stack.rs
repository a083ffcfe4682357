//! The stack of a groom: modifiers that change strands one after the other.
//!
//! Hair grows from the skin by [`GroomSettings`](super::GroomSettings). Each [`Modifier`] of its
//! `stack` then changes what the one before it has left; a [`checkpoint`] spares the first of them when a
//! later one changes. [`effect`] declares what modifiers do and
//! [`parameters`] by which settings; [`strands`] has the strands while they are changed. The others
//! are the effects: [`follow`], [`direct`], [`form`], [`wind`], [`cut`], [`gather`], [`braid`], [`bun`]
//! and [`surface`]. Equations: `docs/grooms.md`.

mod braid;
mod bun;
mod checkpoint;
mod cut;
mod direct;
mod effect;
mod follow;
mod form;
mod gather;
mod line;
mod locks;
mod parameters;
mod strands;
mod surface;
#[cfg(test)]
mod tests;
mod wind;

pub(crate) use checkpoint::Checkpoint;
pub use effect::*;
pub(crate) use locks::locks;
pub use parameters::*;
pub(super) use strands::Ground;
pub use strands::Skin;
pub(crate) use strands::most_points;

use crate::groom::Groom;
use crate::settings::{Field, ListItem, SettingError};
use glam::Vec3;
use line::Line;
use serde::{Deserialize, Serialize};
use strands::Strands;

crate::choices! {
    /// Where a modifier acts.
    pub enum Mask: "mask" = Everywhere {
        /// On all hair.
        Everywhere = "everywhere",
        /// Where the first mask map is bright.
        Mask1 = "mask1",
        /// Where the second mask map is bright.
        Mask2 = "mask2",
        /// Where the third mask map is bright.
        Mask3 = "mask3",
        /// Where the fourth mask map is bright.
        Mask4 = "mask4",
    }
}

/// One entry of the stack of a groom.
///
/// In a settings file it is a table with one effect:
///
/// ```toml
/// [[groom.stack]]
/// mask = "mask1"
/// curl = { angle_deg = 50, length = 0.3 }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ModifierFile", into = "ModifierFile")]
pub struct Modifier {
    /// The name that people gave it; empty for that of the effect.
    pub name: String,
    /// `true` if it acts.
    pub on: bool,
    /// The share of its full effect, 0 to 1.
    pub amount: f32,
    /// The hair on which it acts.
    pub mask: Mask,
    /// `true` if it acts where the mask is dark, and not where it is bright.
    pub invert: bool,
    /// Factors on the amount at evenly spaced places from root to tip, linear in between; at most
    /// [`MOST_IN_RAMP`](Self::MOST_IN_RAMP).
    pub ramp: Vec<f32>,
    /// The seed of its random values, besides that of the roots.
    pub seed: u32,
    /// The effect on hair.
    pub effect: Effect,
}

impl Modifier {
    /// The declaration of `amount`.
    pub const AMOUNT: Field =
        Field::new("groom.stack.amount", &["How much it acts"]).within(0.0, 1.0, "");
    /// The declaration of `ramp`.
    pub const RAMP: Field = Field::new(
        "groom.stack.ramp",
        &["Factors on the amount from root to tip"],
    )
    .within(0.0, 1.0, "");
    /// The largest number of factors in a ramp.
    pub const MOST_IN_RAMP: usize = 17;

    /// Returns a modifier that acts fully on all hair.
    pub fn new(effect: Effect) -> Self {
        Self {
            name: String::new(),
            on: true,
            amount: 1.0,
            mask: Mask::Everywhere,
            invert: false,
            ramp: effect::ones(),
            seed: 0,
            effect,
        }
    }

    /// Returns the name that people gave it, or that of its effect.
    pub fn title(&self) -> &str {
        match self.name.as_str() {
            "" => self.effect.kind().name(),
            name => name,
        }
    }

    /// Returns `true` if it changes hair at all.
    pub(super) fn acts(&self) -> bool {
        let is_somewhere = !self.has_ramp() || self.ramp.iter().any(|&share| share > 0.0);
        self.on && self.amount > 0.0 && is_somewhere
    }

    /// Returns `true` if its amount follows the ramp. Hair is cut at one length.
    pub fn has_ramp(&self) -> bool {
        !matches!(self.effect, Effect::Trim(_) | Effect::Fade(_))
    }

    /// Returns `true` if it can make hair of a length (decimetres) shorter: it cuts hair, or sets its
    /// length.
    pub fn shortens(&self, length: f32) -> bool {
        let cuts = match &self.effect {
            Effect::Trim(trim) => {
                let has_plane = trim.normal != [0.0; 3];
                trim.length < length || trim.scale < 1.0 || has_plane || trim.radius > 0.0
            }
            Effect::Fade(_) | Effect::Braid(_) | Effect::Bun(_) => true,
            Effect::Follow(follow) => follow.length > 0.0 && !follow.guides.is_empty(),
            _ => false,
        };
        self.acts() && cuts
    }

    /// Returns `true` if it needs to know where the skin is.
    pub fn needs_skin(&self) -> bool {
        use EffectKind::{Clump, Curl, Dye, Fade, Frizz, Profile, Stray, Trim, Wet};
        let kind = self.effect.kind();
        self.acts()
            && !matches!(
                kind,
                Clump | Curl | Dye | Fade | Frizz | Profile | Stray | Trim | Wet
            )
    }

    /// Returns how much it acts at a share of the way from the root, 0 to 1.
    pub(super) fn along(&self, t: f32) -> f32 {
        surface::linear(&self.ramp, t)
    }

    /// Returns `true` if it acts alike from root to tip.
    pub(super) fn is_even(&self) -> bool {
        self.ramp.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl Mask {
    /// Those that have a map, in the order of the maps.
    pub(crate) const MASKS: [Mask; 4] = [Mask::Mask1, Mask::Mask2, Mask::Mask3, Mask::Mask4];
}

impl EffectKind {
    /// Returns `true` if it changes the shape of hair, and not its surface alone.
    pub(crate) fn shapes_hair(self) -> bool {
        !matches!(self, Self::Dye | Self::Wet | Self::Profile)
    }

    /// Returns the place of a new modifier in a stack: hair takes its direction before it falls,
    /// falls before it is cut, follows guides as they were drawn, and so on. Two that set directions
    /// act in the order in which they are added.
    pub fn place_in(self, stack: &[Modifier]) -> usize {
        use EffectKind::*;
        let rank = |kind: EffectKind| match kind {
            Comb | Part | Whorl | Lift | Rotate | Displace => 0,
            Fall | Shrinkwrap => 1,
            Trim | Fade => 2,
            Follow | Straighten | Smooth | Blend => 3,
            Clump => 4,
            Braid | Bun => 5,
            Curl | Roll | Frizz | Noise | Stray => 6,
            Dye | Wet | Profile => 7,
        };
        let is_before = |other: &Modifier| rank(other.effect.kind()) <= rank(self);
        stack.iter().rposition(is_before).map_or(0, |last| last + 1)
    }
}

/// Applies a stack to a groom, and continues at the checkpoint if nothing before it has changed.
pub(super) fn shape(
    groom: &mut Groom,
    stack: &[Modifier],
    ground: Ground,
    checkpoint: &mut Checkpoint,
) {
    let acting = stack.iter().filter(|modifier| modifier.acts());
    let acting: Vec<&Modifier> = acting.collect();
    if groom.is_empty() || acting.is_empty() {
        return;
    }
    let acting_shapes = (acting.iter()).any(|modifier| modifier.effect.kind().shapes_hair());
    let mut longest = groom.lengths.iter().fold(0.0_f32, |a, &b| a.max(b));
    let (all, (done, to_keep)) = (acting.len(), checkpoint.meet(groom, &acting, &ground));
    let parting = first_parting(stack);
    let mut strands = Strands::new(groom, ground, parting.as_ref());
    checkpoint.restore(&mut strands);
    for (count, modifier) in acting.into_iter().enumerate() {
        let points = modifier.effect.points(longest);
        if let Effect::Follow(follow) = &modifier.effect {
            longest = longest.max(follow.longest());
        }
        let is_done = count < done;
        if is_done && modifier.effect.kind().shapes_hair() {
            continue;
        }
        if !is_done {
            if count > 0 && count == to_keep {
                checkpoint.keep(&strands, count);
            }
            strands.refine(points);
        }
        modifier.effect.act(&mut strands, modifier);
    }
    if to_keep == all {
        checkpoint.keep(&strands, all);
    }
    // Straight hair gets no curves by its surface.
    if acting_shapes {
        strands.finish();
    }
}

/// Returns the line of the first modifier that parts hair.
fn first_parting(stack: &[Modifier]) -> Option<Line> {
    stack.iter().find_map(|modifier| match &modifier.effect {
        Effect::Part(part) if modifier.acts() => Some(Line::new(part)),
        _ => None,
    })
}

/// Returns the distance of a place on the skin from the line of the first modifier that parts hair,
/// head space, decimetres, positive to the left of the head; `None` if there is none.
pub(crate) fn left_of_parting(stack: &[Modifier]) -> Option<impl Fn(Vec3) -> f32 + use<>> {
    let line = first_parting(stack)?;
    // Heads are round and around the origin.
    Some(move |place: Vec3| line.leftward(place, place.normalize_or(Vec3::Y)))
}

impl ListItem for Modifier {
    const KEY: &'static str = "groom.stack";
    const MAX: usize = 32;

    fn validate(&self) -> Result<(), SettingError> {
        const LONGEST_NAME: usize = 64;
        if self.name.chars().count() > LONGEST_NAME {
            let expected = format!("at most {LONGEST_NAME} characters");
            return Err(SettingError::new("groom.stack.name", &self.name, expected));
        }
        if self.name.contains(char::is_control) {
            let expected = "no line breaks or other control characters";
            return Err(SettingError::new("groom.stack.name", &self.name, expected));
        }
        Self::AMOUNT.check(&self.amount)?;
        Self::RAMP.check(&self.ramp)?;
        if !(2..=Self::MOST_IN_RAMP).contains(&self.ramp.len()) {
            let given = format!("{} factors", self.ramp.len());
            let expected = format!("2 to {} factors", Self::MOST_IN_RAMP);
            return Err(SettingError::new(Self::RAMP.key, given, expected));
        }
        self.effect.validate()
    }
}
