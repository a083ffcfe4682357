//! The marked strand: its curve, its tip, and the recent path of the tip.

use super::strands::vec3;
use crate::viewer::files::tip_recording::TipRecording;
use crate::viewer::subject::Subject;
use glam::Vec3;
use mohawk::groom::strand_curve_point;
use mohawk::render::{Color, Dot, Line, Marks, Radius};

const MARKED: Color = [0.40, 0.95, 1.0, 1.0];
const RECORDED: Color = [1.0, 0.28, 0.22, 1.0];
const CASING: Color = [0.03, 0.03, 0.06, 0.75];
/// The segments of a curve that is drawn from root and tip alone.
const SEGMENTS: u16 = 12;

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
pub(super) fn mark(
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
        for (i, (from, to)) in trail.iter().zip(trail.iter().skip(1)).enumerate() {
            let [r, g, b, _] = RECORDED;
            let faded = |i: usize| [r, g, b, 0.9 * i as f32 / count];
            marks.lines.push(Line {
                ends: [*from, *to],
                colors: [faded(i), faded(i + 1)],
                width_px: 2.0,
                head_px: 0.0,
            });
        }
    }
    marks.add_path(points.iter().copied(), CASING, 5.0);
    marks.add_path(points.iter().copied(), color, 2.6);
    if let Some(&tip) = points.last() {
        marks.dots.push(Dot {
            center: tip,
            radius: Radius::Pixels(5.0),
            color,
        });
    }
}
