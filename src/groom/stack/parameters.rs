//! The settings of the effects of modifiers.

use crate::settings;

crate::choices! {
    /// The guides that a strand follows.
    pub enum Leaders: "leaders" = Three {
        /// The guide with the nearest root.
        Nearest = "nearest",
        /// The three guides with the nearest roots, the nearer the more.
        Three = "three",
        /// The three nearest guides on the strand's side of the stack's first parting.
        Side = "side",
    }
}

settings! {
    /// Lets hair follow guides: hairs that were drawn or brushed by hand.
    pub struct Follow in "groom.stack.follow" {
        /// The guides, each its points from root to tip, head space.
        guides: Vec<Vec<[f32; 3]>> = Vec::new(), -1e6..=1e6 "decimetres" => "Guides";
        /// The guides that a strand follows.
        by: Leaders = Leaders::default() => "By";
        /// Distance from the nearest guide's root within which hair follows, with a soft edge.
        reach: f32 = 1.0, 0.01..=100.0 "decimetres" => "Reach" 0.1..=10.0 log;
        /// How much strands take the length of their guides.
        length: f32 = 1.0, 0.0..=1.0 => "Length";
        /// How much strands run together on their guides towards the tips, as in spikes.
        gather: f32 = 0.0, 0.0..=1.0 => "Gather";
    }
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
    /// Parts hair along a line, to both sides, or draws it to the line.
    pub struct Part in "groom.stack.part" {
        /// The front end of the line, head space.
        from: [f32; 3] = [0.0, 0.9, 0.9], -1e6..=1e6 "decimetres" => "From";
        /// The back end of the line.
        to: [f32; 3] = [0.0, 1.2, -0.6], -1e6..=1e6 "decimetres" => "To";
        /// Points of the line between its ends, for one that is bent or runs in a zigzag.
        via: Vec<[f32; 3]> = Vec::new(), -1e6..=1e6 "decimetres" => "Via";
        /// Angle by which hair also leans to the back; 90 is along the line, and 180 towards it.
        back_deg: f32 = 15.0, -180.0..=180.0 "degrees" => "To the back";
        /// Distance from the line within which it acts, with a soft edge.
        reach: f32 = 100.0, 0.01..=100.0 "decimetres" => "Reach" 0.1..=10.0 log;
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
        /// Thickness of the hair on the skin: each strand lies at a height of its own in its upper half.
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
    /// Cuts hair to a length, at a plane, a cone or a ball.
    pub struct Trim in "groom.stack.trim" {
        /// Hair longer than this is cut.
        length: f32 = 10.0, 0.001..=10.0 "decimetres" => "Length" 0.01..=10.0 log;
        /// Factor on the length that is left.
        scale: f32 = 1.0, 0.0..=1.0 => "Scale";
        /// A point of the plane, the tip of the cone, or the centre of the ball, head space.
        point: [f32; 3] = [0.0; 3], -100.0..=100.0 "decimetres" => "Point";
        /// The side of the plane on which hair is cut off; 0, 0, 0 is no plane.
        normal: [f32; 3] = [0.0; 3], -100.0..=100.0 => "Cut towards";
        /// Length that hair has more for each decimetre that it is farther out: the plane is then a
        /// cone, whose axis is through the point.
        slope: f32 = 0.0, -10.0..=10.0 => "Slope" -2.0..=2.0;
        /// Hair farther than this from the point is cut off; 0 is no ball.
        radius: f32 = 0.0, 0.0..=100.0 "decimetres" => "Ball" 0.0..=5.0;
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
    /// Bends each strand at random: frizz, kinks.
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
    /// Makes hair look wet: darker, and shinier. Water that gathers hair in motion is `sim.wet`.
    pub struct Wet in "groom.stack.wet" {
        /// How wet hair is: 1 is soaked.
        wetness: f32 = 0.8, 0.0..=1.0 => "Wetness";
    }
}

settings! {
    /// Dyes all or some strands, in one colour or a ramp of several.
    pub struct Dye in "groom.stack.dye" {
        /// The dye, sRGB: white changes nothing, grey darkens, other colours replace the hue.
        color: [f32; 3] = [1.0, 0.75, 0.4], 0.0..=1.0 => "Colour";
        /// Share of the pigment that is bleached first: dark hair becomes fair, and takes bright dyes.
        bleach: f32 = 0.0, 0.0..=1.0 => "Bleach";
        /// Colours from root to tip instead: each a place, 0 to 1, and red, green and blue.
        stops: Vec<[f32; 4]> = Vec::new(), 0.0..=1.0 => "Colour ramp";
        /// Share of the locks that are dyed.
        share: f32 = 1.0, 0.0..=1.0 => "Share";
        /// Radius at the skin of the locks that are dyed alike; 0 is every strand alone.
        lock: f32 = 0.05, 0.0..=10.0 "decimetres" => "Lock" 0.0..=0.5;
    }
}

settings! {
    /// Presses hair to the skin.
    pub struct Shrinkwrap in "groom.stack.shrinkwrap" {
        /// How fast strands turn to the skin, per decimetre of hair.
        rate: f32 = 20.0, 0.0..=1000.0 "per decimetre" => "Rate" 0.1..=100.0 log;
        /// Height above the skin at which hair lies.
        layer: f32 = 0.04, 0.0..=2.0 "decimetres" => "Layer" 0.0..=0.5;
    }
}

settings! {
    /// Turns hair about the skin's normal or an axis.
    pub struct Rotate in "groom.stack.rotate" {
        /// The axis through each root, head space; 0, 0, 0 is the skin's normal.
        axis: [f32; 3] = [0.0; 3], -100.0..=100.0 => "Axis";
        /// Angle, anticlockwise as seen from outside.
        angle_deg: f32 = 30.0, -360.0..=360.0 "degrees" => "Angle" -180.0..=180.0;
        /// Largest random angle of each strand, to either side.
        random_deg: f32 = 0.0, 0.0..=360.0 "degrees" => "Random" 0.0..=180.0;
    }
}

settings! {
    /// Moves hair by a vector or away from the skin. Tips move fully, roots not at all.
    pub struct Displace in "groom.stack.displace" {
        /// The vector, head space.
        by: [f32; 3] = [0.0; 3], -100.0..=100.0 "decimetres" => "By";
        /// Distance away from the skin, along its normal at the root.
        out: f32 = 0.2, -10.0..=10.0 "decimetres" => "Outwards" -2.0..=2.0;
        /// Share by which strands move less at random.
        variation: f32 = 0.0, 0.0..=1.0 => "Variation";
    }
}

settings! {
    /// Smooths bends.
    pub struct Smooth in "groom.stack.smooth" {
        /// Length of hair over which directions are averaged; shorter bends vanish.
        length: f32 = 0.4, 0.001..=10.0 "decimetres" => "Length" 0.02..=2.0 log;
    }
}

settings! {
    /// Makes hair like the hair around it. Lengths stay.
    pub struct Blend in "groom.stack.blend" {
        /// Radius at the skin in which hair becomes alike.
        size: f32 = 0.2, 0.005..=10.0 "decimetres" => "Size" 0.02..=1.0 log;
    }
}

settings! {
    /// Rolls hair up from its tips.
    pub struct Roll in "groom.stack.roll" {
        /// Length of hair, from the tip, that is rolled.
        length: f32 = 0.5, 0.001..=10.0 "decimetres" => "Length" 0.05..=3.0 log;
        /// Radius of the roll where it begins.
        radius: f32 = 0.12, 0.005..=10.0 "decimetres" => "Radius" 0.02..=1.0 log;
        /// Share of the radius that is left at the tip.
        taper: f32 = 0.5, 0.05..=1.0 => "Taper";
        /// Side to which it rolls: 0 is away from the head, 180 under.
        turn_deg: f32 = 0.0, -180.0..=180.0 "degrees" => "Turn";
        /// Share by which strands differ in length and radius.
        variation: f32 = 0.15, 0.0..=1.0 => "Variation";
    }
}

settings! {
    /// Moves hair at random, neighbours alike.
    pub struct Noise in "groom.stack.noise" {
        /// Largest distance along each axis.
        distance: f32 = 0.15, 0.0..=10.0 "decimetres" => "Distance" 0.0..=1.0;
        /// Size of the pattern: hair nearer than this moves alike.
        size: f32 = 0.5, 0.02..=10.0 "decimetres" => "Size" 0.05..=2.0 log;
    }
}

settings! {
    /// Cuts hair shorter the lower it grows, as barbers do.
    pub struct Fade in "groom.stack.fade" {
        /// Height of the roots up to which hair is shortest, head space.
        low: f32 = -0.2, -100.0..=100.0 "decimetres" => "From" -2.0..=2.0;
        /// Height from which it keeps its length.
        high: f32 = 0.7, -100.0..=100.0 "decimetres" => "To" -2.0..=2.0;
        /// Length at the low end.
        length: f32 = 0.02, 0.002..=10.0 "decimetres" => "Length" 0.002..=1.0 log;
        /// How much lower both heights are for each decimetre to the back.
        drop: f32 = 0.0, -10.0..=10.0 => "Drop" -1.0..=1.0;
    }
}

settings! {
    /// Winds hair into a bun.
    pub struct Bun in "groom.stack.bun" {
        /// The place on the skin, head space.
        at: [f32; 3] = [0.0, 1.05, -0.75], -100.0..=100.0 "decimetres" => "At";
        /// A second bun sits on the other side of the head, and hair goes to the nearer one.
        mirror: bool = false => "Both sides";
        /// Radius of the bun.
        radius: f32 = 0.4, 0.02..=5.0 "decimetres" => "Radius" 0.1..=1.0 log;
        /// Turns of the hair from the middle of the bun outwards.
        turns: f32 = 2.0, 0.25..=20.0 => "Turns" 0.5..=5.0;
    }
}

settings! {
    /// Sets the thickness of strands from root to tip, as factors on the width of the look.
    pub struct Profile in "groom.stack.profile" {
        /// Factor at the root.
        root: f32 = 1.0, 0.0..=1.0 => "Root";
        /// Factor in the middle.
        middle: f32 = 1.0, 0.0..=1.0 => "Middle";
        /// Factor at the tip.
        tip: f32 = 0.5, 0.0..=1.0 => "Tip";
        /// Share by which strands are thinner at random.
        variation: f32 = 0.0, 0.0..=1.0 => "Variation";
    }
}
