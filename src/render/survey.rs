//! An estimate from a few strands of how bent all of them are in a picture, and in how many layers
//! they lie.

use super::convert::from_mat4;
use glam::{Vec2, Vec3, Vec4Swizzles};
use three_d::Camera;

/// The number of strands that are looked at.
const SAMPLED: u32 = 256;
/// Largest distance between most of them and what is drawn, and the largest length of a segment,
/// pixels. Corners of many strands side by side show at twice this distance.
const DEVIATION: f32 = 0.5;
const SEGMENT: f32 = 40.0;
/// Cells of the picture of all strands along each axis, by which their area is measured.
const CELLS: usize = 16;

/// Returns the strands of so many that are looked at, evenly spaced.
pub fn sampled(count: u32) -> impl Iterator<Item = usize> {
    (0..count as usize).step_by(count.div_ceil(SAMPLED).max(1) as usize)
}

/// The shape of strands in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Survey {
    /// Segments that are enough for nine of ten strands.
    pub segments: f32,
    /// Mean length of a strand, pixels.
    pub length: f32,
    /// The part of the picture in which strands lie, pixels.
    area: f32,
    /// Mean size of a pixel at the strands, decimetres.
    pub pixel: f32,
}

impl Survey {
    /// Looks at strands, each a line through points in world space. Those behind the camera are left
    /// out.
    pub fn of(camera: &Camera, strands: impl Iterator<Item = Vec<Vec3>>) -> Self {
        let clip_from_world = from_mat4(camera.projection() * camera.view());
        let viewport = camera.viewport();
        let half = 0.5 * Vec2::new(viewport.width as f32, viewport.height as f32);
        let place = |point: Vec3| {
            let clip = clip_from_world * point.extend(1.0);
            (clip.w > 1e-3).then(|| (clip.xy() / clip.w * half, clip.w))
        };
        let strands = strands.filter_map(|points| points.into_iter().map(place).collect());
        let strands: Vec<Vec<(Vec2, f32)>> = strands.collect();
        if strands.is_empty() {
            return Self::default();
        }
        let lengths = strands.iter().map(|strand| {
            let pieces = strand.windows(2);
            pieces.map(|two| two[0].0.distance(two[1].0)).sum::<f32>()
        });
        let lengths: Vec<f32> = lengths.collect();
        let needed = strands.iter().zip(&lengths).map(|(strand, length)| {
            // The second differences of a curve in n segments are 8 times what it is off them.
            let bends = strand.windows(3);
            let bends = bends.map(|three| (three[0].0 + three[2].0 - 2.0 * three[1].0).length());
            let bend = bends.fold(0.0, f32::max) / (8.0 * DEVIATION);
            ((strand.len() - 1) as f32 * bend.sqrt()).max(length / SEGMENT)
        });
        let mut needed: Vec<f32> = needed.collect();
        let nine_of_ten = strands.len() * 9 / 10;
        let (_, segments, _) = needed.select_nth_unstable_by(nine_of_ten, f32::total_cmp);
        let count = strands.len() as f32;
        let depths = strands.iter().map(|strand| strand[0].1);
        let projection = camera.projection().y.y;
        Self {
            segments: *segments,
            length: lengths.iter().sum::<f32>() / count,
            area: area(&strands),
            pixel: depths.sum::<f32>() / count / (projection * half.y),
        }
    }

    /// Returns the number of strands over each other where any are: of so many with a width in
    /// pixels.
    pub fn layers(&self, count: u32, width: f32) -> f32 {
        count as f32 * self.length * width / self.area.max(1.0)
    }
}

/// Returns the area in which lines lie, by the cells of a grid that they touch.
fn area(lines: &[Vec<(Vec2, f32)>]) -> f32 {
    let points = || lines.iter().flatten().map(|&(point, _)| point);
    let low = points().fold(Vec2::INFINITY, Vec2::min);
    let high = points().fold(Vec2::NEG_INFINITY, Vec2::max);
    let side = ((high - low) / CELLS as f32).max_element().max(1.0);
    let mut cells = [[false; CELLS + 1]; CELLS + 1];
    for two in lines.iter().flat_map(|line| line.windows(2)) {
        let [from, to] = [two[0].0, two[1].0];
        let steps = (from.distance(to) / side).ceil().clamp(1.0, CELLS as f32);
        for step in 0..=steps as u32 {
            let at = (from.lerp(to, step as f32 / steps) - low) / side;
            // Casts saturate.
            cells[(at.y as usize).min(CELLS)][(at.x as usize).min(CELLS)] = true;
        }
    }
    let filled = cells.as_flattened().iter().filter(|&&filled| filled);
    filled.count() as f32 * side * side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{CameraView, OrbitCamera};
    use three_d::Viewport;

    fn camera() -> (Camera, f32) {
        let camera = OrbitCamera::named(CameraView::Front);
        let viewport = Viewport::new_at_origo(800, 600);
        (camera.to_three_d(viewport), camera.pixel_size(600.0))
    }

    /// Points of strands side by side, a pixel apart, on a parabola with its top in front of the
    /// target.
    fn strands(count: usize, length: f32, height: f32) -> (Survey, f32) {
        let (camera, pixel) = camera();
        let target = OrbitCamera::named(CameraView::Front).target;
        let strand = |strand: usize| {
            let point = |i: usize| {
                let along = 0.25 * i as f32 - 0.5;
                let y = height * (1.0 - 4.0 * along * along);
                target + pixel * Vec3::new(length * along, y + strand as f32, 0.0)
            };
            (0..5).map(point).collect()
        };
        (Survey::of(&camera, (0..count).map(strand)), pixel)
    }

    #[test]
    fn segments_are_enough_for_bend_and_length() {
        // A parabola of height h is h / n^2 off n segments.
        let (bent, _) = strands(20, 60.0, 8.0);
        assert!((bent.segments - 4.0).abs() < 0.05, "{bent:?}");
        let (long, _) = strands(20, 120.0, 0.0);
        assert!((long.segments - 3.0).abs() < 0.05, "{long:?}");
    }

    #[test]
    fn layers_are_the_area_of_all_strands_over_that_in_which_they_lie() {
        let (survey, pixel) = strands(100, 100.0, 0.0);
        assert!(
            (survey.pixel / pixel - 1.0).abs() < 0.02,
            "{survey:?} {pixel}"
        );
        let layers = survey.layers(1000, 2.0);
        assert!((12.0..24.0).contains(&layers), "{layers}");
    }

    #[test]
    fn nothing_and_what_is_behind_the_camera_is_empty() {
        let (camera, _) = camera();
        let behind = vec![Vec3::Z * 1e3; 5];
        let survey = Survey::of(&camera, [behind].into_iter());
        assert_eq!(survey, Survey::default());
        assert_eq!(survey.layers(1000, 1.0), 0.0);
    }
}
