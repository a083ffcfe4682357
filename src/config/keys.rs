//! What each key of the groom file means, for the comments of a written one.
//!
//! A test holds these texts to the settings: every key has one, and what it says about the range
//! is what `validate` does.

use super::VERSION;

struct Key {
    /// `section.key`, or a section alone.
    path: &'static str,
    meaning: &'static str,
    /// Shown commented out where the key is absent.
    example: Option<&'static str>,
}

const fn key(path: &'static str, meaning: &'static str) -> Key {
    Key {
        path,
        meaning,
        example: None,
    }
}

const fn optional(path: &'static str, meaning: &'static str, example: &'static str) -> Key {
    Key {
        path,
        meaning,
        example: Some(example),
    }
}

const KEYS: &[Key] = &[
    key("head", "How to read the head file"),
    key(
        "head.paint_color",
        "Linear RGB of full scalp paint, each 0 to 1; white is always bald",
    ),
    optional(
        "head.scale",
        "Decimetres per unit of the file, 0.000001 to 1000000; absent: the painted part becomes 2.74 high",
        "1.0",
    ),
    key("roots", "Where strands grow"),
    optional(
        "roots.strands",
        "About this many strands, 1 to 2000000; instead of spacing",
        "6000",
    ),
    optional(
        "roots.spacing",
        "No two roots are closer than this, decimetres; instead of strands",
        "0.02",
    ),
    key("roots.seed", "Same seed, same hair, on every machine"),
    key(
        "roots.method",
        "How they are chosen: progressive, maximal, tight, variable, darts, uniform, elimination or reference",
    ),
    key("groom", "How strands leave the scalp"),
    key(
        "groom.density",
        "Share of the painted density that grows hair, 0 to 1",
    ),
    key("groom.length", "Strand length, decimetres, 0.01 to 10"),
    key(
        "groom.length_variation",
        "Share by which lengths vary at random, 0 to 1",
    ),
    key(
        "groom.spread_deg",
        "Largest random angle to the surface normal, degrees, 0 to 80",
    ),
    key(
        "groom.clump",
        "Share by which strands lean to the tip of their clump's middle strand, 0 to 1",
    ),
    key(
        "groom.clump_size",
        "Radius of a clump at the scalp, decimetres, 0 to 1; 0: no clumps",
    ),
    key(
        "groom.curl_deg",
        "Angle by which hair winds around its direction, degrees, 0 (straight) to 80",
    ),
    key(
        "groom.curl_length",
        "Length of hair in one turn of a curl, decimetres, 0.05 to 10",
    ),
    key(
        "groom.curl_flat",
        "How flat curls are, 0 (round) to 1 (waves in a plane)",
    ),
    key("sim", "How strands move"),
    key(
        "sim.solver",
        "The method: spring, ftl, angular, particles or rod",
    ),
    key(
        "sim.strand_particles",
        "Particles of a strand, its root included, 2 to 64; spring moves tips only",
    ),
    key(
        "sim.hold",
        "How much hair keeps its rest shape, 0 to 1; 0: the published method, 1: rigid",
    ),
    key(
        "sim.head_collider",
        "What of the head hair collides with: none, plane, ellipsoid or field (the skin itself); spring: the plane at each root, or none",
    ),
    key(
        "sim.colliders",
        "Spheres { from = [x, y, z], radius } and capsules { from, to, radius } in world space",
    ),
    key("sim.friction", "Friction coefficient of contact, 0 to 2"),
    key("sim.forces", "What pulls at hair besides the head"),
    key(
        "sim.forces.gravity",
        "Acceleration x, y, z, dm/s^2, each -1000 to 1000",
    ),
    key(
        "sim.forces.drag",
        "Rate at which hair takes on the velocity of the air, 1/s, 0 to 1000",
    ),
    key(
        "sim.forces.wind",
        "Velocity of the air x, y, z, dm/s, each -1000 to 1000",
    ),
    key(
        "sim.forces.gust",
        "Share by which the wind swells and calms, 0 to 1; 0: steady",
    ),
    key(
        "sim.forces.gust_secs",
        "Time from one gust to the next, seconds, 0.1 to 60",
    ),
    key(
        "sim.forces.turbulence",
        "Largest velocity of eddies in the air, dm/s, 0 to 1000; 0: none",
    ),
    key(
        "sim.forces.turbulence_scale",
        "Size of the eddies, decimetres, 0.05 to 100",
    ),
    key("sim.forces.turbulence_seed", "Same seed, same eddies"),
    key(
        "sim.forces.pushes",
        "Accelerations { from_secs, acceleration = [x, y, z] } that come and go; the latest one acts",
    ),
    key(
        "sim.guides",
        "Basis hairs are simulated, the others follow them",
    ),
    key(
        "sim.guides.share",
        "Share of strands that are simulated, 0.001 to 1; 1: all",
    ),
    key(
        "sim.guides.choice",
        "Which ones: even (spread evenly) or random",
    ),
    key(
        "sim.guides.blend",
        "What a dependent hair follows: nearest or three, which blends the three nearest",
    ),
    key(
        "sim.guides.clump",
        "How far dependents are drawn to what they follow, 0 to 1",
    ),
    key(
        "sim.spring",
        "Solver spring: a damped spring pulls each tip to where it stands at rest",
    ),
    key(
        "sim.spring.stiffness",
        "Spring constant, 1/s^2, 0.01 to 10000",
    ),
    key(
        "sim.spring.damping",
        "Damping by the air, 1/s, 0 to 1000; the wind pulls by as much",
    ),
    key(
        "sim.spring.weight",
        "Share of gravity that tips feel, 0 to 1",
    ),
    key(
        "sim.ftl",
        "Solver ftl, Follow-The-Leader: every particle follows the one before",
    ),
    key("sim.ftl.damping", "Decay of velocities, 1/s, 0 to 100"),
    key(
        "sim.ftl.correction",
        "Share of a correction that the particle before gives back, 0 to 1",
    ),
    key(
        "sim.ftl.mass_variation",
        "Share by which strands differ in mass, 0 to 0.9; the air moves light ones more",
    ),
    key(
        "sim.ftl.hair_friction",
        "Rate at which hair takes on the velocity of hair around it, 1/s, 0 to 100; 0: off",
    ),
    key(
        "sim.ftl.hair_repulsion",
        "Acceleration from where hair is dense to where it is not, dm/s^2, 0 to 1000; 0: off",
    ),
    key(
        "sim.ftl.hair_cell",
        "How far hair feels other hair, decimetres, 0.02 to 1",
    ),
    key("sim.angular", "Solver angular: rigid sticks that turn"),
    key(
        "sim.angular.damping",
        "Decay of angular velocities, 1/s, 0 to 100",
    ),
    key(
        "sim.angular.inertia",
        "What forces have to turn, decimetres, 0 to 10000; 0: the strand's length",
    ),
    key(
        "sim.angular.friction_root",
        "Share of the force that the first segment feels, 0 to 1",
    ),
    key(
        "sim.angular.friction_tip",
        "Share of the force that the last segment feels, 0 to 1",
    ),
    key(
        "sim.angular.friction_crown",
        "Factor on both on top of the head, 0 to 1; it fades out half way down",
    ),
    key(
        "sim.angular.stiffness_root_deg",
        "Largest angle between the first segments, degrees, 0 to 180",
    ),
    key(
        "sim.angular.stiffness_tip_deg",
        "Largest angle between the last segments, degrees, 0 to 180",
    ),
    key("sim.angular.field", "Forces fade out near the skin"),
    key(
        "sim.particles",
        "Solver particles: damped springs between the particles of a strand",
    ),
    key(
        "sim.particles.stiffness",
        "Spring constant, 1/s^2, 1000 to 10000000",
    ),
    key(
        "sim.particles.damping",
        "Damping between neighbours, 1/s, 0 to 1000",
    ),
    key("sim.particles.stepping", "euler or verlet"),
    key(
        "sim.rod",
        "Solver rod: elastic rods that bend as their stiffness says",
    ),
    key(
        "sim.rod.bending",
        "Bending stiffness over the mass per length, dm^4/s^2, 0 to 1000; a human hair has about 9",
    ),
    key(
        "sim.rod.twisting",
        "Twisting stiffness over the mass per length, dm^4/s^2, 0 to 1000; of round hair 2/3 of bending",
    ),
    key("sim.rod.damping", "Decay of velocities, 1/s, 0 to 100"),
    key("look.hair", "How strands are drawn"),
    key("look.hair.root_color", "At the root: sRGB, each 0 to 1"),
    key("look.hair.tip_color", "At the tip: sRGB, each 0 to 1"),
    key(
        "look.hair.radius",
        "Radius at the root, decimetres, 0.0005 to 0.1",
    ),
    key(
        "look.hair.taper",
        "Radius at the tip as a share of the root's, 0 to 1",
    ),
    key(
        "look.hair.width_px",
        "Constant width in pixels instead of the radius, 0 to 20; 0: off",
    ),
    key(
        "look.hair.straight",
        "Straight lines from root to drawn tip instead of curves that leave along the rest direction",
    ),
    key(
        "look.hair.lit",
        "Lit as hair and shadowed; false: flat colours, no shadow on the head",
    ),
    key("look.hair.gloss", "Strength of the highlight, 0 to 2"),
    key("look.sky", "What is behind the head"),
    key("look.sky.top_color", "Straight up: sRGB, each 0 to 1"),
    key("look.sky.bottom_color", "Straight down: sRGB, each 0 to 1"),
    key(
        "look.sky.contrast",
        "How steeply the colours meet at the horizon, 1 to 20; 1: evenly from pole to pole",
    ),
    key("look.sky.wire_color", "The wire sphere: sRGB, each 0 to 1"),
    key(
        "look.sky.wire_opacity",
        "Opacity of the wire sphere, 0 to 1",
    ),
];

/// Adds the version, a comment to every section and key, and keys that are absent as comments.
pub fn with_comments(toml: &str) -> String {
    let mut out = format!(
        "# Settings of mohawk: every key is here, with its meaning and range.\n\
         # A key left out has its default; `[look]` may start from a named look: name = \"classic\".\n\
         # Use it with: mohawk --config FILE\n\
         version = {VERSION}\n"
    );
    let mut section = String::new();
    let mut written: Vec<String> = Vec::new();
    for line in toml.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with("[[") {
            // One of several: its section is told of above the first.
            push_absent(&mut out, &section, &written);
            let name = line.trim_matches(['[', ']']);
            if section != name {
                out.push('\n');
                push_meaning(&mut out, name);
            }
            section = name.to_owned();
        } else if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            push_absent(&mut out, &section, &written);
            section = name.to_owned();
            written.clear();
            out.push('\n');
            push_meaning(&mut out, name);
        } else if let Some((name, _)) = line.split_once(" = ") {
            push_meaning(&mut out, &format!("{section}.{name}"));
            written.push(name.to_owned());
        }
        out.push_str(line);
        out.push('\n');
    }
    push_absent(&mut out, &section, &written);
    out
}

fn push_meaning(out: &mut String, path: &str) {
    if let Some(key) = KEYS.iter().find(|key| key.path == path) {
        out.push_str(&format!("# {}\n", key.meaning));
    }
}

fn push_absent(out: &mut String, section: &str, written: &[String]) {
    for key in KEYS {
        if let Some((of, name)) = key.path.rsplit_once('.')
            && let Some(example) = key.example
            && of == section
            && !written.iter().any(|w| w == name)
        {
            out.push_str(&format!("# {}\n# {name} = {example}\n", key.meaning));
        }
    }
}

#[cfg(test)]
mod tests;
