//! Overlays that colour strands: by guide hair, by tension, by a mask that is painted; and the veil
//! over what is not selected.

use super::legend::{Entry, Ramp, Swatch, Top, largest};
use super::strands::{stride, vec3};
use crate::numbers::grouped;
use crate::viewer::interface::rows::{color32, short};
use crate::viewer::subject::Subject;
use glam::Vec3;
use mohawk::Simulation;
use mohawk::render::{Marks, Tints};

/// The smallest end of the scale; solvers that keep lengths are below it.
const MIN_STRETCH: f32 = 1e-3;
/// The saturation and lightness of guide hairs and of their followers.
const BASIS: [f32; 2] = [1.0, 0.64];
const DEPENDENT: [f32; 2] = [0.62, 0.40];

/// The greys of a mask of 0 and of 1, which are still shaded.
const MASKED: [f32; 2] = [0.10, 0.95];

/// The veil over hair that is not selected, sRGB, and how much it covers.
const VEIL: [f32; 4] = [0.36, 0.39, 0.44, 0.94];

/// Returns the colour of a guide hair or of a follower. Consecutive slots get distant hues.
fn basis_color(slot: usize, is_own: bool) -> [f32; 3] {
    let hue = (slot as f64 * 0.618_033_988_749_895).fract() as f32;
    let [saturation, lightness] = if is_own { BASIS } else { DEPENDENT };
    // This converts hue, saturation and lightness to sRGB.
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|offset| {
        let k = (offset + 12.0 * hue) % 12.0;
        lightness - reach * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)
    })
}

/// Colours every guide hair, and its followers darker.
pub(super) fn basis(subject: &Subject, tints: &mut Tints, marks: &mut Marks) -> Entry {
    let sim = subject.sim();
    let color = |strand: usize| {
        let basis = sim.basis_of(strand);
        basis.map_or([0.5; 3], |basis| basis_color(basis.slot, basis.is_own))
    };
    tints.per_strand = 1;
    tints.colors.clear();
    let strands = sim.strand_count();
    let colors = (0..strands).map(|strand| color32(color(strand)).to_array());
    tints.colors.extend(colors);

    // Many guide hairs lie inside the hair, so they are also drawn over the others.
    let count = sim.basis_count().unwrap_or(0);
    let each = sim.drawn_particles();
    let is_own = |&strand: &usize| sim.basis_of(strand).is_some_and(|basis| basis.is_own);
    let own = (0..strands).filter(is_own).step_by(stride(count));
    for strand in own {
        let [r, g, b] = color(strand);
        let points = subject.points()[strand * each..(strand + 1) * each].iter();
        marks.add_path(points.map(vec3), [r, g, b, 1.0], 1.8);
    }
    let text = format!("{} of {} strands", grouped(count), grouped(strands));
    let swatch = Swatch::Colors([0, 1, 2, 3].map(|slot| basis_color(slot, true)));
    Entry::new(swatch, text)
}

/// Covers strands as far as they are not selected.
pub(super) fn selection(selected: &[f32], tints: &mut Tints) {
    let [r, g, b, most] = VEIL;
    let [r, g, b, _] = color32([r, g, b]).to_array();
    let cover = |selected: f32| (255.0 * most * (1.0 - selected)).round() as u8;
    tints.per_strand = 1;
    tints.colors.clear();
    let colors = selected.iter().map(|&selected| [r, g, b, cover(selected)]);
    tints.colors.extend(colors);
}

/// Colours strands by the values of a mask at their roots: black is not at all, white is fully.
pub(super) fn mask(values: &[f32], tints: &mut Tints) {
    tints.per_strand = 1;
    tints.colors.clear();
    let color = |&value: &f32| color32([MASKED[0] + (MASKED[1] - MASKED[0]) * value; 3]).to_array();
    tints.colors.extend(values.iter().map(color));
}

/// Colours strands by their stretch: per segment, or with springs from root to tip.
pub(super) fn tension(sim: &Simulation, top: &mut Top, tints: &mut Tints) -> Entry {
    let (stretch, per_strand) = stretches(sim);
    let low = -largest(stretch.iter().map(|s| -s));
    let high = largest(stretch.iter().copied());
    let end = top.above(usual(&stretch), MIN_STRETCH);
    tints.per_strand = per_strand;
    tints.colors.clear();
    let color = |s: &f32| color32(Ramp::Diverging.color(s / end)).to_array();
    tints.colors.extend(stretch.iter().map(color));
    // Adding 0 turns -0 into 0.
    let percent = |share: f32| short((1e6 * f64::from(share)).round() / 1e4 + 0.0);
    let what = match sim.springs() {
        Some(_) => "of springs, root to tip",
        None => "of segments",
    };
    let plus = if high > 0.0 { "+" } else { "" };
    let text = format!(
        "{what}; now {} % to {plus}{} %",
        percent(low),
        percent(high)
    );
    let [less, more] = ["−", "+"].map(|sign| format!("{sign}{} %", percent(end)));
    let labels = [less, "0".to_owned(), more];
    let swatch = Swatch::Line(Ramp::Diverging.color(1.0));
    Entry::new(swatch, text).scaled(Ramp::Diverging, labels)
}

/// Returns the 99th percentile of the absolute stretch, so that outliers do not set the scale.
fn usual(stretch: &[f32]) -> f32 {
    const MAX_SAMPLES: usize = 20_000;
    let step = stretch.len().div_ceil(MAX_SAMPLES).max(1);
    let samples = stretch.iter().step_by(step).map(|s| s.abs());
    let mut samples: Vec<f32> = samples.filter(|s| s.is_finite()).collect();
    let rank = (0.99 * samples.len() as f32) as usize;
    if rank >= samples.len() {
        return 0.0;
    }
    *samples.select_nth_unstable_by(rank, f32::total_cmp).1
}

/// Returns length / rest length − 1 per strand or per particle, and how many values a strand has.
fn stretches(sim: &Simulation) -> (Vec<f32>, usize) {
    if let Some(springs) = sim.springs() {
        let of_slots: Vec<f32> = springs
            .map(|ends| relative(ends.root.distance(ends.tip), ends.chord))
            .collect();
        let slot = |strand| sim.basis_of(strand).map_or(strand, |basis| basis.slot);
        let strands = 0..sim.strand_count();
        return (strands.map(|strand| of_slots[slot(strand)]).collect(), 1);
    }
    let mut points = Vec::new();
    sim.write_particles(1.0, &mut points);
    let (groom, each) = (sim.groom(), sim.strand_particles());
    let mut rest = vec![Vec3::ZERO; each];
    let mut segments = vec![0.0; each - 1];
    let mut all = Vec::with_capacity(points.len());
    for (strand, points) in points.chunks_exact(each).enumerate() {
        if groom.curves.is_none() {
            segments.fill(groom.lengths[strand] / (each - 1) as f32);
        } else {
            groom.write_rest(strand, &mut rest);
            for (segment, pair) in segments.iter_mut().zip(rest.windows(2)) {
                *segment = pair[0].distance(pair[1]);
            }
        }
        let length = |pair: &[[f32; 4]]| vec3(&pair[0]).distance(vec3(&pair[1]));
        let lengths = points.windows(2).map(length).zip(&segments);
        let of_segments: Vec<f32> = lengths
            .map(|(length, rest)| relative(length, *rest))
            .collect();
        // A particle takes the mean of its two segments.
        let before = |j: usize| of_segments[j.max(1) - 1];
        let after = |j: usize| of_segments[j.min(each - 2)];
        all.extend((0..each).map(|j| 0.5 * (before(j) + after(j))));
    }
    (all, each)
}

fn relative(length: f32, rest: f32) -> f32 {
    if rest > 0.0 { length / rest - 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::files::tip_recording::tests::swung;
    use mohawk::sim::SolverKind;

    #[test]
    fn only_springs_stretch() {
        for solver in SolverKind::ALL {
            let (all, each) = stretches(&swung(20, solver, 1.0, &mut |_| {}));
            assert_eq!(all.len(), 20 * each);
            let worst = largest(all.iter().map(|s| s.abs()));
            let is_springy = matches!(solver, SolverKind::Spring | SolverKind::Particles);
            assert_eq!(worst > MIN_STRETCH, is_springy, "{solver}: {worst}");
        }
    }

    #[test]
    fn the_scale_is_for_nearly_all() {
        let mut stretch: Vec<f32> = (0..1_000).map(|i| i as f32 * -1e-4).collect();
        stretch[3] = 50.0;
        stretch[4] = f32::NAN;
        let usual = usual(&stretch);
        assert!((0.098..0.1).contains(&usual), "{usual}");
        assert_eq!(super::usual(&[]), 0.0);
    }

    #[test]
    fn followers_have_the_colour_of_their_spring() {
        let sim = swung(20, SolverKind::Spring, 0.2, &mut |_| {});
        let mut tints = Tints::default();
        let entry = tension(&sim, &mut Top::default(), &mut tints);
        assert_eq!((tints.colors.len(), tints.per_strand), (20, 1));
        for strand in 0..20 {
            let basis = sim.basis_of(strand).unwrap();
            let is_own = |other: &usize| {
                let other = sim.basis_of(*other).unwrap();
                other.is_own && other.slot == basis.slot
            };
            let own = (0..20).find(is_own);
            assert_eq!(tints.colors[strand], tints.colors[own.unwrap()]);
        }
        assert!(entry.text.contains("springs"), "{}", entry.text);
    }

    #[test]
    fn colours_of_guide_hairs_are_bright_and_differ() {
        let sum = |c: [f32; 3]| c.iter().sum::<f32>();
        for slot in 0..50 {
            let (own, follows) = (basis_color(slot, true), basis_color(slot, false));
            assert!(sum(own) > 1.3 * sum(follows), "{own:?} {follows:?}");
            assert!(own.iter().all(|c| (0.0..=1.0).contains(c)));
            let next = basis_color(slot + 1, true);
            assert!(own.iter().zip(next).any(|(a, b)| (a - b).abs() > 0.2));
        }
    }
}
