//! The effects of modifiers.

use super::parameters::*;
use super::strands::Strands;
use super::{Mask, Modifier};
use crate::settings::{Section, SettingError, Visitor};
use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

/// Declares [`Effect`], [`EffectKind`] and the table of a modifier in a file from one list. The key
/// of an effect is also the name of the method of [`Strands`] that applies it. The number of an
/// effect is that of its random values, and stays when others come.
macro_rules! effects {
    ($($group:literal {
        $($(#[doc = $doc:literal])+ $Variant:ident = $key:ident $name:literal $stream:literal,)+
    })+) => {
        /// The effect of a modifier on hair.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Effect {
            $($($(#[doc = $doc])+ $Variant($Variant),)+)+
        }

        crate::choices! {
            /// The kinds of effects.
            pub enum EffectKind: "effect" = Comb {
                $($($(#[doc = $doc])+ $Variant = $name,)+)+
            }
        }

        impl EffectKind {
            /// Returns the name of the group of effects that it belongs to.
            pub fn group(self) -> &'static str {
                match self {
                    $($(EffectKind::$Variant => $group,)+)+
                }
            }

            /// Returns the number of its random values.
            pub(super) fn stream(self) -> u64 {
                match self {
                    $($(EffectKind::$Variant => $stream,)+)+
                }
            }
        }

        impl Effect {
            /// Returns the effect of a kind with default settings.
            pub fn of(kind: EffectKind) -> Self {
                match kind {
                    $($(EffectKind::$Variant => Effect::$Variant($Variant::default()),)+)+
                }
            }

            /// Returns the kind.
            pub fn kind(&self) -> EffectKind {
                match self {
                    $($(Effect::$Variant(_) => EffectKind::$Variant,)+)+
                }
            }

            /// Changes the strands that the modifier acts on.
            pub(super) fn act(&self, strands: &mut Strands, modifier: &Modifier) {
                match self {
                    $($(Effect::$Variant(settings) => strands.$key(modifier, settings),)+)+
                }
            }

            /// Shows every setting to `visitor` together with its value in `was`; to none if that is
            /// of another kind.
            pub fn visit(&mut self, was: &Self, visitor: Visitor<'_>) {
                match (self, was) {
                    $($((Effect::$Variant(now), Effect::$Variant(was)) => {
                        now.visit(was, visitor)
                    })+)+
                    _ => {}
                }
            }

            /// Checks every range.
            ///
            /// # Errors
            /// [`SettingError`] of the first setting that is out of range.
            pub fn validate(&self) -> Result<(), SettingError> {
                match self {
                    $($(Effect::$Variant(settings) => settings.validate(),)+)+
                }
            }
        }

        /// The settings of all effects.
        pub(crate) const EFFECT_SECTIONS: &[&Section] = &[$($(&$Variant::SECTION,)+)+];

        /// A modifier as in a file: exactly one of the effects is there.
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct ModifierFile {
            #[serde(default, skip_serializing_if = "is_usual")]
            name: String,
            #[serde(default = "yes", skip_serializing_if = "is_yes")]
            on: bool,
            #[serde(default = "one", skip_serializing_if = "is_one")]
            amount: f32,
            #[serde(default, skip_serializing_if = "is_usual")]
            mask: Mask,
            #[serde(default, skip_serializing_if = "is_usual")]
            invert: bool,
            #[serde(default = "ones", skip_serializing_if = "is_ones")]
            ramp: Vec<f32>,
            #[serde(default, skip_serializing_if = "is_usual")]
            seed: u32,
            $($(
                #[serde(skip_serializing_if = "Option::is_none")]
                $key: Option<$Variant>,
            )+)+
        }

        impl From<Modifier> for ModifierFile {
            fn from(modifier: Modifier) -> Self {
                let mut file = Self {
                    name: modifier.name,
                    on: modifier.on,
                    amount: modifier.amount,
                    mask: modifier.mask,
                    invert: modifier.invert,
                    ramp: modifier.ramp,
                    seed: modifier.seed,
                    $($($key: None,)+)+
                };
                match modifier.effect {
                    $($(Effect::$Variant(settings) => file.$key = Some(settings),)+)+
                }
                file
            }
        }

        impl TryFrom<ModifierFile> for Modifier {
            type Error = String;

            fn try_from(file: ModifierFile) -> Result<Self, String> {
                let effects = [$($(file.$key.map(Effect::$Variant),)+)+];
                let mut effects = effects.into_iter().flatten();
                let (Some(effect), None) = (effects.next(), effects.next()) else {
                    let known = EffectKind::ALL.map(EffectKind::name).join(", ");
                    return Err(format!("a modifier has exactly one of {known}"));
                };
                Ok(Modifier {
                    name: file.name,
                    on: file.on,
                    amount: file.amount,
                    mask: file.mask,
                    invert: file.invert,
                    ramp: file.ramp,
                    seed: file.seed,
                    effect,
                })
            }
        }
    };
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

/// Returns the usual ramp: factors at root, middle and tip.
pub(super) fn ones() -> Vec<f32> {
    vec![1.0; 3]
}

fn is_yes(on: &bool) -> bool {
    *on
}

fn is_one(amount: &f32) -> bool {
    *amount == 1.0
}

fn is_ones(ramp: &[f32]) -> bool {
    ramp == ones()
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

effects! {
    "Guides" {
        /// Lets hair follow guides: hairs that were drawn or brushed by hand.
        Follow = follow "follow" 23,
    }
    "Direction" {
        /// Draws hair towards a direction, along the skin.
        Comb = comb "comb" 0,
        /// Parts hair along a line, to both sides, or draws it to the line.
        Part = part "part" 1,
        /// Lays hair around a place, as at a crown.
        Whorl = whorl "whorl" 2,
        /// Lets hair fall by its weight and lie on the skin in layers.
        Fall = fall "fall" 3,
        /// Raises hair from the skin.
        Lift = lift "lift" 4,
        /// Presses hair to the skin.
        Shrinkwrap = shrinkwrap "shrinkwrap" 19,
        /// Turns hair about the skin's normal or an axis.
        Rotate = rotate "rotate" 14,
        /// Moves hair by a vector or away from the skin.
        Displace = displace "displace" 13,
    }
    "Shape" {
        /// Straightens hair.
        Straighten = straighten "straighten" 5,
        /// Smooths bends.
        Smooth = smooth "smooth" 16,
        /// Makes hair like the hair around it.
        Blend = blend "blend" 17,
        /// Rolls hair up from its tips.
        Roll = roll "roll" 15,
        /// Winds hair into curls or waves, lock by lock.
        Curl = curl "curl" 9,
        /// Bends each strand at random: frizz, kinks.
        Frizz = frizz "frizz" 10,
        /// Moves hair at random, neighbours alike.
        Noise = noise "noise" 18,
        /// Lets some strands leave the others.
        Stray = stray "stray" 11,
    }
    "Cut" {
        /// Cuts hair to a length, at a plane, a cone or a ball.
        Trim = trim "trim" 6,
        /// Cuts hair shorter the lower it grows, as barbers do.
        Fade = fade "fade" 21,
    }
    "Gather" {
        /// Gathers strands into clumps, spikes or locks.
        Clump = clump "clump" 7,
        /// Braids hair in three strands from a place to another.
        Braid = braid "braid" 8,
        /// Winds hair into a bun.
        Bun = bun "bun" 22,
    }
    "Surface" {
        /// Dyes all or some strands, in one colour or a ramp of several.
        Dye = dye "dye" 12,
        /// Makes hair look wet.
        Wet = wet "wet" 24,
        /// Sets the thickness of strands from root to tip.
        Profile = profile "profile" 20,
    }
}

/// Points per turn of a curl or a roll, and per crossing of a braid.
const POINTS_PER_TURN: f32 = 12.0;
/// Points of a strand that lies on the skin.
const POINTS_ON_SKIN: usize = 24;

impl Effect {
    /// Returns the number of points that strands of this length need; it may be far too large.
    pub(super) fn points(&self, length: f32) -> usize {
        let turns = match self {
            Effect::Curl(curl) => length / curl.length,
            Effect::Clump(clump) => clump.twist_deg.abs() / 360.0,
            Effect::Braid(braid) => 1.5 * length / braid.turn,
            Effect::Frizz(frizz) => 0.35 * length / frizz.length,
            Effect::Bun(bun) => length / bun.radius,
            Effect::Roll(roll) => length / (TAU * roll.radius),
            Effect::Noise(noise) => 0.5 * length / noise.size,
            Effect::Comb(_)
            | Effect::Part(_)
            | Effect::Whorl(_)
            | Effect::Fall(_)
            | Effect::Shrinkwrap(_) => return POINTS_ON_SKIN,
            Effect::Follow(follow) => return follow.points().max(POINTS_ON_SKIN),
            _ => 0.0,
        };
        (turns * POINTS_PER_TURN).ceil() as usize + 1
    }
}
