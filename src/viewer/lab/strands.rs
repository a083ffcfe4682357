//! Overlays of dots and lines: particles, velocities, rest curves, springs, and the marked strand.

use super::legend::{Entry, Ramp, Swatch, Top, largest};
use crate::viewer::files::tip_recording::TipRecording;
use crate::viewer::interface::rows::short;
use crate::viewer::subject::Subject;
use glam::Vec3;
use mohawk::groom::strand_curve_point;
use mohawk::render::{Color, Dot, Line, Marks, Radius};
use mohawk::sim::{STEP_SECS, Simulation};

/// The largest number of strands that are drawn; more could not be told apart.
const MAX_STRANDS: usize = 600;
/// The largest number of strands of which only the tip is drawn.
const MAX_TIPS: usize = 2_000;
/// The length of the arrow for the largest velocity of the scale, decimetres.
const LONGEST_ARROW: f32 = 0.4;
/// The smallest end of that scale, dm/s, so that slow hair does not look fast.
const MIN_TOP: f32 = 1.0;
/// Velocities below this fraction of the scale are not drawn.
const MIN_SPEED: f32 = 0.01;

const MARKED: Color = [0.40, 0.95, 1.0, 1.0];
const RECORDED: Color = [1.0, 0.28, 0.22, 1.0];
const CASING: Color = [0.03, 0.03, 0.06, 0.75];
/// The segments of a curve that is drawn from root and tip alone.
const SEGMENTS: u16 = 12;
const PARTICLE: [f32; 3] = [1.0, 0.90, 0.45];
const REST: Color = [0.86, 0.95, 1.0, 0.60];

/// Returns the stride at which strands are drawn.
pub(super) fn stride(strands: usize) -> usize {
    strands.div_ceil(MAX_STRANDS).max(1)
}

pub(super) fn vec3(point: &[f32; 4]) -> Vec3 {
    Vec3::new(point[0], point[1], point[2])
}

fn opaque([r, g, b]: [f32; 3], alpha: f32) -> Color {
    [r, g, b, alpha]
}

/// Returns a line; `head_px`: the length of its arrowhead, 0 for none.
pub(super) fn line(ends: [Vec3; 2], colors: [Color; 2], width_px: f32, head_px: f32) -> Line {
    Line {
        ends,
        colors,
        width_px,
        head_px,
    }
}

fn dot(center: Vec3, pixels: f32, color: Color) -> Dot {
    let radius = Radius::Pixels(pixels);
    Dot {
        center,
        radius,
        color,
    }
}

/// Draws a dot at every particle.
pub(super) fn particles(subject: &Subject, marks: &mut Marks) -> Entry {
    let (points, each) = (subject.points(), subject.sim().drawn_particles());
    let strands = points.len() / each;
    // Tips alone do not hide one another, so more of them are drawn.
    let stride = match each {
        1 => strands.div_ceil(MAX_TIPS).max(1),
        _ => stride(strands),
    };
    for strand in points.chunks_exact(each).step_by(stride) {
        let points = strand.iter().map(vec3);
        marks.add_path(points.clone(), opaque(PARTICLE, 0.35), 1.0);
        let color = opaque(PARTICLE, 0.95);
        marks.dots.extend(points.map(|at| dot(at, 1.9, color)));
    }
    let text = match each {
        1 => "tips only: spring moves nothing else".to_owned(),
        _ => format!("{each} per strand"),
    };
    let entry = Entry::new(Swatch::Dot(PARTICLE), text);
    entry.thinned(stride)
}

/// Returns the position and velocity of some particles, and the stride of their strands.
fn moving(subject: &Subject) -> (Vec<[Vec3; 2]>, usize) {
    /// The largest number of particles per strand; more would hide it.
    const MAX_EACH: usize = 5;
    let sim = subject.sim();
    let each = sim.strand_particles();
    let (mut before, mut now) = (Vec::new(), Vec::new());
    sim.write_particles(0.0, &mut before);
    sim.write_particles(1.0, &mut now);
    let drawn = subject.points();
    let tips_only = sim.drawn_particles() == 1;
    let shown = if tips_only { 1 } else { MAX_EACH.min(each - 1) };
    let strands = now.len() / each;
    let stride = stride(strands);
    let mut all = Vec::new();
    for strand in (0..strands).step_by(stride) {
        for i in 0..shown {
            // Evenly from the tip towards the root, without the root.
            let j = each - 1 - i * (each - 1) / shown;
            let at = strand * each + j;
            let velocity = (vec3(&now[at]) - vec3(&before[at])) / STEP_SECS as f32;
            let drawn = drawn.get(if tips_only { strand } else { at });
            all.push([drawn.map_or(vec3(&now[at]), vec3), velocity]);
        }
    }
    (all, stride)
}

/// Draws an arrow along the velocity of particles.
pub(super) fn velocities(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let (all, stride) = moving(subject);
    let fastest = largest(all.iter().map(|[_, velocity]| velocity.length()));
    let end = top.above(fastest, MIN_TOP);
    let way_secs = LONGEST_ARROW / end;
    for [from, velocity] in all {
        let speed = velocity.length();
        if !(speed > MIN_SPEED * end && speed.is_finite()) {
            continue;
        }
        let color = Ramp::Amount.color(speed / end);
        let ends = [from, from + velocity * way_secs];
        let colors = [0.55, 1.0].map(|alpha| opaque(color, alpha));
        marks.lines.push(line(ends, colors, 1.6, 6.0));
    }
    let way = short(f64::from(way_secs));
    // The left view is the last one that is drawn.
    let is_split = subject.simulations.beside().is_some();
    let place = if is_split { " on the left" } else { "" };
    let text =
        format!("fastest {fastest:.1} dm/s{place}; arrows show the distance covered in {way} s");
    let swatch = Swatch::Arrow(Ramp::Amount.color(1.0));
    let entry = Entry::new(swatch, text).thinned(stride);
    entry.scaled_to(Ramp::Amount, end, "dm/s")
}

/// Draws the strands at rest, under the pose of the head.
pub(super) fn rest_curves(sim: &Simulation, marks: &mut Marks) -> Entry {
    let groom = sim.groom();
    let each = (groom.curves.as_ref()).map_or(2, |_| sim.strand_particles().max(2));
    let stride = stride(groom.len());
    let pose = sim.drawn_pose().to_mat4();
    let mut rest = vec![Vec3::ZERO; each];
    for strand in (0..groom.len()).step_by(stride) {
        groom.write_rest(strand, &mut rest);
        let points = rest.iter().map(|&point| pose.transform_point3(point));
        marks.add_path(points, REST, 1.0);
    }
    let [r, g, b, _] = REST;
    let text = "strands without any force";
    Entry::new(Swatch::Line([r, g, b]), text).thinned(stride)
}

/// Draws lines from the rest position of tips or particles to where they are.
pub(super) fn anchors(subject: &Subject, top: &mut Top, marks: &mut Marks) -> Entry {
    let ((pulled, stride), what) = match subject.sim().springs() {
        Some(all) => {
            let stride = stride(all.len());
            let ends = all.step_by(stride).map(|ends| [ends.anchor, ends.tip]);
            ((ends.collect(), stride), "springs from anchor to tip")
        }
        None => (held(subject), "from the rest shape to particles"),
    };
    let longest = largest(pulled.iter().map(|[a, b]| a.distance(*b)));
    let end = top.above(longest, 0.01);
    for [anchor, at] in pulled {
        let color = Ramp::Pull.color(anchor.distance(at) / end);
        let colors = [opaque(color, 0.9); 2];
        marks.lines.push(line([anchor, at], colors, 1.2, 0.0));
        marks.dots.push(dot(anchor, 2.2, opaque(color, 0.95)));
    }
    let text = format!("{what}; longest {longest:.3} dm");
    let swatch = Swatch::Spring(Ramp::Pull.color(0.5));
    let entry = Entry::new(swatch, text).thinned(stride);
    entry.scaled_to(Ramp::Pull, end, "dm")
}

/// Returns the positions to which `hold` pulls simulated particles, and where they are.
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

/// Returns the points of a strand as it is drawn; none if the strand is not drawn.
fn drawn(subject: &Subject, strand: usize) -> Vec<Vec3> {
    let (sim, each) = (subject.sim(), subject.sim().drawn_particles());
    let Some(points) = subject.points().get(strand * each..(strand + 1) * each) else {
        return Vec::new();
    };
    if each > 1 {
        return points.iter().map(vec3).collect();
    }
    let (groom, pose) = (sim.groom(), sim.drawn_pose().to_mat4());
    let root = pose.transform_point3(groom.roots[strand]);
    let direction = pose.transform_vector3(groom.directions[strand]);
    let tip = vec3(&points[0]);
    let at = |i| strand_curve_point(root, direction, tip, f32::from(i) / f32::from(SEGMENTS));
    (0..=SEGMENTS).map(at).collect()
}

/// Marks a strand, and the path of its tip if it is recorded.
pub(super) fn picked(
    subject: &Subject,
    strand: usize,
    recording: Option<&TipRecording>,
    marks: &mut Marks,
) {
    let recording = recording.filter(|recording| recording.strand == strand);
    let color = recording.map_or(MARKED, |_| RECORDED);
    let points = drawn(subject, strand);
    if let Some(recording) = recording {
        let trail = &recording.trail;
        let count = trail.len().max(1) as f32;
        let [r, g, b, _] = RECORDED;
        let faded = |i: usize| [r, g, b, 0.9 * i as f32 / count];
        for (i, (from, to)) in trail.iter().zip(trail.iter().skip(1)).enumerate() {
            let colors = [faded(i), faded(i + 1)];
            marks.lines.push(line([*from, *to], colors, 2.0, 0.0));
        }
    }
    marks.add_path(points.iter().copied(), CASING, 5.0);
    marks.add_path(points.iter().copied(), color, 2.6);
    if let Some(&tip) = points.last() {
        marks.dots.push(dot(tip, 5.0, color));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_hundreds_of_strands_are_drawn_however_many_there_are() {
        for strands in [0, 1, 599, 601, 800, 100_000, 2_000_000] {
            let stride = stride(strands);
            let shown = strands.div_ceil(stride);
            assert!(shown <= MAX_STRANDS, "{strands}: {shown}");
            assert!(2 * shown >= strands.min(MAX_STRANDS), "{strands}: {shown}");
        }
        assert_eq!(stride(600), 1);
    }
}
