//! The effects of modifiers, and their settings.

use super::{Mask, Modifier};
use crate::settings;
use crate::settings::{Section, SettingError};
use serde::{Deserialize, Serialize};

/// Declares [`Effect`], [`EffectKind`] and the table of a modifier in a file from one list.
macro_rules! effects {
    ($($(#[doc = $doc:literal])+ $Variant:ident = $key:ident $name:literal,)+) => {
        /// The effect of a modifier on hair.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Effect {
            $($(#[doc = $doc])+ $Variant($Variant),)+
        }

        crate::choices! {
            /// The kinds of effects.
            pub enum EffectKind: "effect" = Comb {
                $($(#[doc = $doc])+ $Variant = $name,)+
            }
        }

        impl Effect {
            /// Returns the effect of a kind with default settings.
            pub fn of(kind: EffectKind) -> Self {
                match kind {
                    $(EffectKind::$Variant => Effect::$Variant($Variant::default()),)+
                }
            }

            /// Returns the kind.
            pub fn kind(&self) -> EffectKind {
                match self {
                    $(Effect::$Variant(_) => EffectKind::$Variant,)+
                }
            }

            /// Shows every setting to `visitor` together with its value in `was`; to none if that is
            /// of another kind.
            pub fn visit(&mut self, was: &Self, visitor: settings::Visitor<'_>) {
                match (self, was) {
                    $((Effect::$Variant(now), Effect::$Variant(was)) => now.visit(was, visitor),)+
                    _ => {}
                }
            }

            /// Checks every range.
            ///
            /// # Errors
            /// [`SettingError`] of the first setting that is out of range.
            pub fn validate(&self) -> Result<(), SettingError> {
                match self {
                    $(Effect::$Variant(settings) => settings.validate(),)+
                }
            }
        }

        /// The settings of all effects.
        pub(crate) const EFFECT_SECTIONS: &[&Section] = &[$(&$Variant::SECTION,)+];

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
            ramp: [f32; 3],
            #[serde(default, skip_serializing_if = "is_usual")]
            seed: u32,
            $(
                #[serde(skip_serializing_if = "Option::is_none")]
                $key: Option<$Variant>,
            )+
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
                    $($key: None,)+
                };
                match modifier.effect {
                    $(Effect::$Variant(settings) => file.$key = Some(settings),)+
                }
                file
            }
        }

        impl TryFrom<ModifierFile> for Modifier {
            type Error = String;

            fn try_from(file: ModifierFile) -> Result<Self, String> {
                let effects = [$(file.$key.map(Effect::$Variant),)+];
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

fn ones() -> [f32; 3] {
    [1.0; 3]
}

fn is_yes(on: &bool) -> bool {
    *on
}

fn is_one(amount: &f32) -> bool {
    *amount == 1.0
}

fn is_ones(ramp: &[f32; 3]) -> bool {
    *ramp == ones()
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

effects! {
    /// Draws hair towards a direction, along the skin.
    Comb = comb "comb",
    /// Parts hair along a line, to both sides.
    Part = part "part",
    /// Lays hair around a place, as at a crown.
    Whorl = whorl "whorl",
    /// Lets hair fall by its weight and lie on the skin in layers.
    Fall = fall "fall",
    /// Raises hair from the skin.
    Lift = lift "lift",
    /// Straightens hair.
    Straighten = straighten "straighten",
    /// Cuts hair to a length or at a plane.
    Trim = trim "trim",
    /// Gathers strands into clumps, spikes or locks.
    Clump = clump "clump",
    /// Braids hair in three strands from a place to another.
    Braid = braid "braid",
    /// Winds hair into curls or waves, lock by lock.
    Curl = curl "curl",
    /// Bends each strand at random: frizz, kinks, noise.
    Frizz = frizz "frizz",
    /// Lets some strands leave the others.
    Stray = stray "stray",
    /// Dyes all or some strands.
    Dye = dye "dye",
}

settings! {
    /// Draws hair towards a direction, along the skin.
    pub struct Comb in "groom.stack.comb" {
        /// The direction, head space; longer vectors change nothing.
        towards: [f32; 3] = [0.0, 0.0, -1.0], -100.0..=100.0 => "Towards";
        /// How fast strands turn there, per decimetre of hair.
        rate: f32 = 20.0, 0.0..=1000.0 "per decimetre" => "Rate" 0.1..=100.0 log;
        /// Height above the skin at which hair lies.
        layer: f32 = 0.04, 0.0..=2.0 "decimetres" => "Layer" 0.0..=0.5;
    }
}

settings! {
    /// Parts hair along a line, to both sides.
    pub struct Part in "groom.stack.part" {
        /// The front end of the line, head space.
        from: [f32; 3] = [0.0, 0.9, 0.9], -100.0..=100.0 "decimetres" => "From";
        /// The back end of the line.
        to: [f32; 3] = [0.0, 1.2, -0.6], -100.0..=100.0 "decimetres" => "To";
        /// Angle by which hair also leans to the back.
        back_deg: f32 = 15.0, -90.0..=90.0 "degrees" => "To the back";
        /// How fast strands turn there, per decimetre of hair.
        rate: f32 = 20.0, 0.0..=1000.0 "per decimetre" => "Rate" 0.1..=100.0 log;
        /// Height above the skin at which hair lies.
        layer: f32 = 0.04, 0.0..=2.0 "decimetres" => "Layer" 0.0..=0.5;
    }
}

settings! {
    /// Lays hair around a place, as at a crown.
    pub struct Whorl in "groom.stack.whorl" {
        /// The place, head space.
        centre: [f32; 3] = [0.1, 1.2, -0.5], -100.0..=100.0 "decimetres" => "Centre";
        /// Angle from straight outwards, around the place.
        turn_deg: f32 = 40.0, -180.0..=180.0 "degrees" => "Turn";
        /// How fast strands turn there, per decimetre of hair.
        rate: f32 = 10.0, 0.0..=1000.0 "per decimetre" => "Rate" 0.1..=100.0 log;
        /// Height above the skin at which hair lies.
        layer: f32 = 0.02, 0.0..=2.0 "decimetres" => "Layer" 0.0..=0.5;
    }
}

settings! {
    /// Lets hair fall by its weight and lie on the skin in layers.
    pub struct Fall in "groom.stack.fall" {
        /// How fast strands bend downwards, per decimetre of hair.
        rate: f32 = 2.0, 0.0..=1000.0 "per decimetre" => "Rate" 0.1..=100.0 log;
        /// Thickness of the hair on the skin: each strand lies at a height of its own in it.
        layer: f32 = 0.2, 0.0..=2.0 "decimetres" => "Layer" 0.0..=1.0;
    }
}

settings! {
    /// Raises hair from the skin.
    pub struct Lift in "groom.stack.lift" {
        /// Share of the way from its direction to the skin's normal.
        share: f32 = 0.5, -1.0..=1.0 => "Share";
        /// Length of hair, from the root, that is raised.
        reach: f32 = 0.3, 0.001..=10.0 "decimetres" => "Reach" 0.05..=2.0 log;
    }
}

settings! {
    /// Straightens hair. The amount says how much.
    pub struct Straighten in "groom.stack.straighten" {}
}

settings! {
    /// Cuts hair to a length or at a plane.
    pub struct Trim in "groom.stack.trim" {
        /// Hair longer than this is cut.
        length: f32 = 10.0, 0.001..=10.0 "decimetres" => "Length" 0.01..=10.0 log;
        /// Factor on the length that is left.
        scale: f32 = 1.0, 0.0..=1.0 => "Scale";
        /// A point of the plane, head space.
        point: [f32; 3] = [0.0; 3], -100.0..=100.0 "decimetres" => "Point";
        /// The side of the plane on which hair is cut off; 0, 0, 0 is no plane.
        normal: [f32; 3] = [0.0; 3], -100.0..=100.0 => "Cut towards";
        /// Length by which ends differ at random.
        ragged: f32 = 0.02, 0.0..=10.0 "decimetres" => "Ragged" 0.0..=0.5;
    }
}

settings! {
    /// Gathers strands into clumps, spikes or locks.
    pub struct Clump in "groom.stack.clump" {
        /// Radius of a clump at the skin.
        size: f32 = 0.15, 0.005..=10.0 "decimetres" => "Size" 0.02..=1.0 log;
        /// Share of the way to the middle strand that is closed at the tips.
        tightness: f32 = 0.8, 0.0..=1.0 => "Tightness";
        /// Share of the length over which strands come together; 0 is at the root.
        taper: f32 = 0.6, 0.0..=1.0 => "Taper";
        /// Angle by which a clump is twisted from root to tip.
        twist_deg: f32 = 0.0, -3600.0..=3600.0 "degrees" => "Twist" -720.0..=720.0;
    }
}

settings! {
    /// Braids hair in three strands from a place to another.
    pub struct Braid in "groom.stack.braid" {
        /// The place where the braid begins, head space.
        from: [f32; 3] = [0.66, -0.62, -0.42], -100.0..=100.0 "decimetres" => "From";
        /// The place where it ends.
        to: [f32; 3] = [0.8, -2.6, 0.35], -100.0..=100.0 "decimetres" => "To";
        /// A second braid hangs on the other side of the head, and hair goes to the nearer one.
        mirror: bool = true => "Both sides";
        /// Radius of the braid.
        radius: f32 = 0.14, 0.005..=2.0 "decimetres" => "Radius" 0.02..=0.5 log;
        /// Length in which a strand crosses to the other side and back.
        turn: f32 = 0.5, 0.05..=10.0 "decimetres" => "Turn" 0.1..=2.0 log;
        /// Share of the radius that is left at the end.
        taper: f32 = 0.6, 0.05..=1.0 => "Taper";
        /// Length of loose hair below the end.
        tuft: f32 = 0.3, 0.0..=5.0 "decimetres" => "Tuft" 0.0..=1.0;
    }
}

settings! {
    /// Winds hair into curls or waves, lock by lock.
    pub struct Curl in "groom.stack.curl" {
        /// Angle by which hair winds around its way.
        angle_deg: f32 = 45.0, 0.0..=80.0 "degrees" => "Angle";
        /// Length of hair in one turn.
        length: f32 = 0.4, 0.02..=10.0 "decimetres" => "Turn" 0.05..=2.0 log;
        /// Flatness, from round curls to waves in a plane.
        flat: f32 = 0.0, 0.0..=1.0 => "Flatness";
        /// Radius at the skin of the locks whose strands wind together; 0 is every strand alone.
        lock: f32 = 0.12, 0.0..=10.0 "decimetres" => "Lock" 0.0..=0.5;
        /// Share by which locks differ in the length of a turn and strands in their phase.
        variation: f32 = 0.3, 0.0..=1.0 => "Variation";
    }
}

settings! {
    /// Bends each strand at random: frizz, kinks, noise.
    pub struct Frizz in "groom.stack.frizz" {
        /// Largest angle.
        angle_deg: f32 = 20.0, 0.0..=80.0 "degrees" => "Angle";
        /// Length of hair from one bend to the next.
        length: f32 = 0.2, 0.01..=10.0 "decimetres" => "Length" 0.02..=2.0 log;
    }
}

settings! {
    /// Lets some strands leave the others.
    pub struct Stray in "groom.stack.stray" {
        /// Share of the strands.
        share: f32 = 0.05, 0.0..=1.0 => "Share" 0.0..=0.3;
        /// Largest angle at the tip.
        angle_deg: f32 = 30.0, 0.0..=80.0 "degrees" => "Angle";
    }
}

settings! {
    /// Dyes all or some strands.
    pub struct Dye in "groom.stack.dye" {
        /// The dye, sRGB: white changes nothing, grey darkens, other colours replace the hue.
        color: [f32; 3] = [1.0, 0.75, 0.4], 0.0..=1.0 => "Colour";
        /// Share of the locks that are dyed.
        share: f32 = 1.0, 0.0..=1.0 => "Share";
        /// Radius at the skin of the locks that are dyed alike; 0 is every strand alone.
        lock: f32 = 0.05, 0.0..=10.0 "decimetres" => "Lock" 0.0..=0.5;
    }
}

/// Points per turn of a curl, and per crossing of a braid.
const POINTS_PER_TURN: f32 = 12.0;
/// Points of a strand that lies on the skin.
const POINTS_ON_SKIN: usize = 24;

impl Effect {
    /// Returns the number of points that strands of this length need; it may be far too large.
    pub(super) fn points(&self, length: f32) -> usize {
        let turns = match self {
            Effect::Curl(curl) => length / curl.length,
            Effect::Braid(braid) => 1.5 * length / braid.turn,
            Effect::Frizz(frizz) => 0.35 * length / frizz.length,
            Effect::Comb(_) | Effect::Part(_) | Effect::Whorl(_) | Effect::Fall(_) => {
                return POINTS_ON_SKIN;
            }
            _ => 0.0,
        };
        (turns * POINTS_PER_TURN).ceil() as usize + 1
    }
}
