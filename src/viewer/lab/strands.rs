//! Dots and lines at strands: particles, velocities, rest curves, springs.

use super::legend::{Entry, Swatch};
use super::overlays::LabOverlay;
use super::scale::{Ramp, Top};
use crate::numbers::grouped;
use crate::viewer::rows::short;
use crate::viewer::subject::Subject;
use glam::Vec3;
use mohawk::render::{Color, Dot, Line, Marks, Radius};
use mohawk::sim::{STEP_SECS, Simulation};

/// So many strands are shown at most, evenly chosen: of more none could be told from the others.
const MOST_STRANDS: usize = 600;
/// So many strands at most of which only tips are shown.
const MOST_TIPS: usize = 2_000;
/// How long the arrow at the end of the scale of velocities is, decimetres.
const LONGEST_ARROW: f32 = 0.4;
/// The least end of that scale, dm/s: what creeps shall not look fast.
const LEAST_TOP: f32 = 1.0;
/// What is slower than this share of the scale is not shown.
const SLOWEST: f32 = 0.01;

const PARTICLE: [f32; 3] = [1.0, 0.90, 0.45];
const REST: Color = [0.86, 0.95, 1.0, 0.60];

/// Of so many strands one in this many is shown.
pub(super) fn stride(strands: usize) -> usize {
    strands.div_ceil(MOST_STRANDS).max(1)
}

pub(super) fn vec3(point: &[f32; 4]) -> Vec3 {
    Vec3::new(point[0], point[1], point[2])
}

fn opaque([r, g, b]: [f32; 3], alpha: f32) -> Color {
    [r, g, b, alpha]
}

/// A dot at every particle.
pub(super) fn particles(subject: &Subject, marks: &mut Marks) -> Entry {
    let (points, each) = (subject.points(), subject.sim().drawn_particles());
    let strands = points.len() / each;
    // Tips alone do not hide each other.
    let stride = if each > 1 {
        stride(strands)
    } else {
        strands.div_ceil(MOST_TIPS).max(1)
    };
    for strand in points.chunks_exact(each).step_by(stride) {
        let [r, g, b] = PARTICLE;
        marks.add_path(strand.iter().map(vec3), [r, g, b, 0.35], 1.0);
        marks.dots.extend(strand.iter().map(|point| Dot {
            center: vec3(point),
            radius: Radius::Pixels(1.9),
            color: opaque(PARTICLE, 0.95),
        }));
    }
    let text = match each {
        1 => "tips: all that spring moves".to_owned(),
        _ => format!("{each} a strand"),
    };
    let entry = Entry::new(LabOverlay::Particles, Swatch::Dot(PARTICLE), text);
    entry.thinned(stride)
}

/// Where a particle is, and its velocity.
type Moving = (Vec3, Vec3);

/// Some of the particles of strands evenly chosen, how fast they move, and one in how many strands.
fn moving(subject: &Subject) -> (Vec<Moving>, usize) {
    /// Particles of a strand: more would hide it.
    const MOST_EACH: usize = 5;
    let sim = subject.sim();
    let each = sim.strand_particles();
    let (mut before, mut now) = (Vec::new(), Vec::new());
    sim.write_particles(0.0, &mut before);
    sim.write_particles(1.0, &mut now);
    let drawn = subject.points();
    let tips_only = sim.drawn_particles() == 1;
    let shown = if tips_only {
        1
    } else {
        MOST_EACH.min(each - 1)
    };
    let strands = now.len() / each;
    let stride = stride(strands);
    let mut all = Vec::new();
    for strand in (0..strands).step_by(stride) {
        for i in 0..shown {
            // From the tip on, evenly, the root left out.
            let j = each - 1 - i * (each - 1) / shown;
            let at = strand * each + j;
            let velocity = (vec3(&now[at]) - vec3(&before[at])) / STEP_SECS as f32;
            let drawn = if tips_only {
                drawn.get(strand)
            } else {
                drawn.get(at)
            };
            all.push((drawn.map_or(vec3(&now[at]), vec3), velocity));
        }
    }
    (all, stride)
}

/// A line along the velocity of particles.
pub(super) fn velocities(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let (all, stride) = moving(subject);
    let speeds = all.iter().map(|(_, velocity)| velocity.length());
    let fastest = speeds.filter(|speed| speed.is_finite()).fold(0.0, f32::max);
    let end = top.above(fastest, LEAST_TOP);
    let way_secs = LONGEST_ARROW / end;
    for (from, velocity) in all {
        let speed = velocity.length();
        if !(speed > SLOWEST * end && speed.is_finite()) {
            continue;
        }
        let color = Ramp::Amount.color(speed / end);
        marks.lines.push(Line {
            ends: [from, from + velocity * way_secs],
            colors: [opaque(color, 0.55), opaque(color, 1.0)],
            width_px: 1.6,
            head_px: 6.0,
        });
    }
    let way = short(f64::from(way_secs));
    let text = format!("fastest {fastest:.1} dm/s; arrows: the way in {way} s");
    let entry = Entry::new(
        LabOverlay::Velocity,
        Swatch::Arrow(Ramp::Amount.color(1.0)),
        text,
    );
    let labels = [
        "0".to_owned(),
        String::new(),
        format!("{} dm/s", short(end.into())),
    ];
    entry.thinned(stride).scaled(Ramp::Amount, labels)
}

/// Strands at rest under the head's pose.
pub(super) fn rest_curves(sim: &Simulation, marks: &mut Marks) -> Entry {
    let groom = sim.groom();
    let each = if groom.curves.is_some() {
        sim.strand_particles().max(2)
    } else {
        2
    };
    let stride = stride(groom.len());
    let pose = sim.drawn_pose().to_mat4();
    let mut rest = vec![Vec3::ZERO; each];
    for strand in (0..groom.len()).step_by(stride) {
        groom.write_rest(strand, &mut rest);
        let points = rest.iter().map(|&point| pose.transform_point3(point));
        marks.add_path(points, REST, 1.0);
    }
    let [r, g, b, _] = REST;
    let text = "as strands stand when nothing pulls".to_owned();
    Entry::new(LabOverlay::RestCurves, Swatch::Line([r, g, b]), text).thinned(stride)
}

/// From where tips or particles would rest to where they are.
pub(super) fn anchors(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let (pulled, stride, what) = match springs(subject.sim()) {
        Some((pulled, stride)) => (pulled, stride, "springs from anchor to tip"),
        None => {
            let (pulled, stride) = held(subject);
            (pulled, stride, "from the rest shape to particles")
        }
    };
    let lengths = pulled.iter().map(|[a, b]| a.distance(*b));
    let longest = lengths.filter(|long| long.is_finite()).fold(0.0, f32::max);
    let end = top.above(longest, 0.01);
    for [anchor, at] in pulled {
        let color = Ramp::Pull.color(anchor.distance(at) / end);
        marks.lines.push(Line {
            ends: [anchor, at],
            colors: [opaque(color, 0.9); 2],
            width_px: 1.2,
            head_px: 0.0,
        });
        marks.dots.push(Dot {
            center: anchor,
            radius: Radius::Pixels(2.2),
            color: opaque(color, 0.95),
        });
    }
    let text = format!("{what}; longest {longest:.3} dm");
    let entry = Entry::new(
        LabOverlay::Anchors,
        Swatch::Spring(Ramp::Pull.color(0.5)),
        text,
    );
    let labels = [
        "0".to_owned(),
        String::new(),
        format!("{} dm", short(end.into())),
    ];
    entry.thinned(stride).scaled(Ramp::Pull, labels)
}

/// Anchors and simulated tips of springs, and one in how many; `None`: no springs.
fn springs(sim: &Simulation) -> Option<(Vec<[Vec3; 2]>, usize)> {
    let all = sim.springs()?;
    let stride = stride(all.len());
    let ends = all.step_by(stride).map(|ends| [ends.anchor, ends.tip]);
    Some((ends.collect(), stride))
}

/// Where `hold` pulls the particles of strands that are simulated, and where they are.
fn held(subject: &Subject) -> (Vec<[Vec3; 2]>, usize) {
    let (sim, points) = (subject.sim(), subject.points());
    let (groom, each) = (sim.groom(), sim.drawn_particles());
    let is_simulated = |&strand: &usize| sim.basis_of(strand).is_none_or(|basis| basis.is_own);
    let simulated: Vec<usize> = (0..groom.len()).filter(is_simulated).collect();
    let stride = stride(2 * simulated.len());
    let pose = sim.drawn_pose().to_mat4();
    let mut rest = vec![Vec3::ZERO; each];
    let mut all = Vec::new();
    for &strand in simulated.iter().step_by(stride) {
        groom.write_rest(strand, &mut rest);
        let points = points[strand * each..(strand + 1) * each].iter().map(vec3);
        let goals = rest.iter().map(|&point| pose.transform_point3(point));
        all.extend(goals.zip(points).skip(1).map(|(goal, at)| [goal, at]));
    }
    (all, stride)
}

/// What to say where not all strands are shown.
pub(super) fn one_in(stride: usize) -> Option<String> {
    (stride > 1).then(|| format!("one strand in {} is shown", grouped(stride)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_strands_there_are_some_hundreds_are_shown() {
        for strands in [0, 1, 599, 601, 800, 100_000, 2_000_000] {
            let stride = stride(strands);
            let shown = strands.div_ceil(stride);
            assert!(shown <= MOST_STRANDS, "{strands}: {shown}");
            assert!(2 * shown >= strands.min(MOST_STRANDS), "{strands}: {shown}");
        }
        assert_eq!(stride(600), 1);
        assert_eq!(one_in(1), None);
    }
}
