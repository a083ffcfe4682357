//! The part of a picture in which anything is drawn: boxes around things that lie together, and the
//! rows of the picture that they cover.

use glam::{Mat4, Vec2, Vec3, Vec4Swizzles};
use three_d::{ScissorBox, Viewport};

/// Cells of a grid along each axis. Things in one cell share a box.
const CELLS: f32 = 6.0;
/// Height of a row, pixels.
const ROW: f32 = 32.0;

/// A box around points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    /// A box around nothing.
    const EMPTY: Bounds = Bounds {
        low: Vec3::INFINITY,
        high: Vec3::NEG_INFINITY,
    };

    /// Returns a box around points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Takes in a point. What is not a number is left out.
    pub fn add(&mut self, point: Vec3) {
        (self.low, self.high) = (point.min(self.low), point.max(self.high));
    }

    /// Returns the corners of the box with a margin around it.
    pub fn corners(self, margin: f32) -> [Vec3; 8] {
        let ends = [self.low - margin, self.high + margin];
        std::array::from_fn(|corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            Vec3::new(end(0), end(1), end(2))
        })
    }
}

/// Returns the cell of each place in a grid around all of them, and the number of cells.
pub fn cells(places: &[Vec3]) -> (Vec<u8>, usize) {
    let Bounds { low, high } = Bounds::of(places.iter().copied());
    let scale = CELLS / (high - low).max(Vec3::splat(1e-6));
    let mut numbers = [None; (CELLS * CELLS * CELLS) as usize];
    let mut count = 0;
    let cell_of = |&place: &Vec3| {
        // Casts saturate, and not-a-number becomes 0.
        let cell = ((place - low) * scale).min(Vec3::splat(CELLS - 1.0));
        let [x, y, z] = cell.to_array().map(|along| along as usize);
        let side = CELLS as usize;
        *numbers[x + side * (y + side * z)].get_or_insert_with(|| {
            count += 1;
            (count - 1) as u8
        })
    };
    let cells = places.iter().map(cell_of).collect();
    (cells, count)
}

/// Returns a box for each of `count` cells, around the points of the things in it.
pub fn boxes_in<T: IntoIterator<Item = Vec3>>(
    cells: &[u8],
    count: usize,
    things: impl IntoIterator<Item = T>,
) -> Vec<Bounds> {
    let mut boxes = vec![Bounds::EMPTY; count];
    for (points, &cell) in things.into_iter().zip(cells) {
        let bounds = &mut boxes[usize::from(cell)];
        points.into_iter().for_each(|point| bounds.add(point));
    }
    boxes
}

/// Returns boxes around triangles that lie together.
pub fn boxes_of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Bounds> {
    let corners = |triangle: &[u32; 3]| triangle.map(|corner| positions[corner as usize]);
    let firsts: Vec<Vec3> = triangles.iter().map(|all| corners(all)[0]).collect();
    let (cells, count) = cells(&firsts);
    boxes_in(&cells, count, triangles.iter().map(corners))
}

/// The pixels from left to right in each row of a picture that are covered, bottom row first.
pub struct Rows {
    viewport: Viewport,
    clip_from_world: Mat4,
    margin: f32,
    spans: Vec<[f32; 2]>,
}

impl Rows {
    /// Returns rows in which nothing is covered. `margin`, in pixels, is added around all things.
    pub fn new(viewport: Viewport, clip_from_world: Mat4, margin: f32) -> Self {
        let count = (viewport.height as f32 / ROW).ceil() as usize;
        Self {
            viewport,
            clip_from_world,
            margin,
            spans: vec![[f32::MAX, 0.0]; count],
        }
    }

    /// Covers the whole picture.
    pub fn cover_all(&mut self) {
        self.spans.fill([0.0, self.viewport.width as f32]);
    }

    /// Covers what lies between points in world space: everything if one is beside or behind the
    /// eye.
    pub fn cover(&mut self, points: impl IntoIterator<Item = Vec3>) {
        let size = Vec2::new(self.viewport.width as f32, self.viewport.height as f32);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for point in points {
            let clip = self.clip_from_world * point.extend(1.0);
            if clip.w.is_nan() || clip.w < 0.05 {
                (low, high) = (Vec2::NEG_INFINITY, Vec2::INFINITY);
                break;
            }
            let at = (0.5 + 0.5 * clip.xy() / clip.w) * size;
            (low, high) = (at.min(low), at.max(high));
        }
        let low = (low - self.margin).floor().max(Vec2::ZERO);
        let high = (high + self.margin).ceil().min(size);
        if low.cmplt(high).all() {
            let rows = (low.y / ROW) as usize..(high.y / ROW).ceil() as usize;
            for [left, right] in &mut self.spans[rows] {
                (*left, *right) = (left.min(low.x), right.max(high.x));
            }
        }
    }

    /// Returns the covered part of each row.
    pub fn areas(&self) -> impl Iterator<Item = ScissorBox> {
        self.parts(|[left, right], _| [[left, right], [0.0; 2]])
    }

    /// Returns what is left and right of the covered part of each row.
    pub fn others(&self) -> impl Iterator<Item = ScissorBox> {
        self.parts(|[left, right], width| match left < right {
            true => [[0.0, left], [right, width]],
            false => [[0.0, width], [0.0; 2]],
        })
    }

    /// Returns parts of each row, which `ends` gives from the covered part and the width.
    fn parts(
        &self,
        ends: impl Fn([f32; 2], f32) -> [[f32; 2]; 2],
    ) -> impl Iterator<Item = ScissorBox> {
        let Viewport {
            x,
            y,
            width,
            height,
        } = self.viewport;
        let bottoms = (0..height).step_by(ROW as usize).zip(&self.spans);
        let parts = bottoms
            .flat_map(move |(bottom, &span)| ends(span, width as f32).map(|part| (bottom, part)));
        let parts = parts.filter(|(_, [left, right])| left < right);
        parts.map(move |(bottom, [left, right])| ScissorBox {
            x: x + left as i32,
            y: y + bottom as i32,
            width: (right - left) as u32,
            height: (ROW as u32).min(height - bottom),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{CameraView, Offscreen, OrbitCamera, Shot, Stage};
    use crate::{Groom, Head, Look, head::HeadSettings};

    /// Rows of a picture of 200 by 150 pixels in which a unit is a pixel.
    fn rows() -> Rows {
        let viewport = Viewport {
            x: 10,
            y: 20,
            width: 200,
            height: 150,
        };
        let clip_from_world = Mat4::from_translation(Vec3::new(-1.0, -1.0, 0.0))
            * Mat4::from_scale(Vec3::new(2.0 / 200.0, 2.0 / 150.0, 0.0));
        Rows::new(viewport, clip_from_world, 1.0)
    }

    fn sides(areas: impl Iterator<Item = ScissorBox>) -> Vec<[i32; 4]> {
        let sides = areas.map(|area| [area.x, area.y, area.width as i32, area.height as i32]);
        sides.collect()
    }

    fn covered(rows: &Rows) -> Vec<[i32; 4]> {
        sides(rows.areas())
    }

    #[test]
    fn rows_are_covered_from_the_leftmost_to_the_rightmost_thing() {
        let mut rows = rows();
        assert!(covered(&rows).is_empty());
        rows.cover([Vec3::new(50.5, 70.5, 0.0), Vec3::new(60.5, 140.5, 0.0)]);
        rows.cover([Vec3::new(150.5, 130.5, 0.0), Vec3::new(500.0, 900.0, 0.0)]);
        rows.cover([Vec3::new(-9.0, 70.0, 0.0), Vec3::new(-5.0, 140.0, 0.0)]);
        let expected = [[59, 84, 13, 32], [59, 116, 13, 32], [59, 148, 151, 22]];
        assert_eq!(covered(&rows), expected);
        let others = sides(rows.others());
        assert_eq!(others[..2], [[10, 20, 200, 32], [10, 52, 200, 32]]);
        assert_eq!(others[2..4], [[10, 84, 49, 32], [72, 84, 138, 32]]);
        let pixels = [expected.to_vec(), others].concat();
        let pixels = pixels.iter().map(|[_, _, width, height]| width * height);
        assert_eq!(pixels.sum::<i32>(), 200 * 150);
    }

    #[test]
    fn everything_is_covered_by_what_is_behind_the_eye_or_nowhere() {
        for w in [-1.0, f32::NAN] {
            let mut rows = rows();
            rows.clip_from_world.w_axis.w = w;
            rows.cover([Vec3::ZERO]);
            let bottoms = [20, 52, 84, 116].map(|y| [10, y, 200, 32]);
            let all = [&bottoms[..], &[[10, 148, 200, 22]]].concat();
            assert_eq!(covered(&rows), all);
        }
    }

    #[test]
    fn boxes_hold_whole_triangles_and_those_far_away_have_others() {
        let far = Vec3::splat(9.0);
        let positions = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::Y,
            far,
            far - Vec3::X,
            far - Vec3::Z,
        ];
        let boxes = boxes_of(&positions, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!(boxes.len(), 2);
        assert_eq!(boxes[0], Bounds::of(positions[..3].iter().copied()));
        assert_eq!(boxes[1], Bounds::of(positions[3..].iter().copied()));
    }

    /// A head that is turned, with strands that lean out of the others and whose tips are away from
    /// where they rest.
    #[test]
    fn nothing_that_is_drawn_is_left_out_of_a_picture_with_a_sky() {
        let gl = Offscreen::new().unwrap();
        let mut stage = gl.stage(&Look::default());
        let head = Head::shipped(&HeadSettings::default()).unwrap();
        stage.set_head(&head);
        let along = |i: usize| i as f32 / 100.0 - 1.0;
        let mut groom = Groom::parallel(
            (0..200).map(|i| Vec3::new(along(i), 1.2, 0.0)).collect(),
            Vec3::Y,
            0.8,
        );
        (groom.fuzz.stray, groom.fuzz.frizz) = (1.0, 0.3);
        stage.set_groom(&groom);
        let tips = (0..200).map(|i| [1.5 * along(i), 1.4, 0.7, 0.0]);
        stage.set_points(&tips.collect::<Vec<_>>(), 1);
        let mut shot = Shot {
            camera: OrbitCamera::named(CameraView::ThreeQuarter),
            world_from_head: Mat4::from_rotation_z(0.4),
            background: false,
        };
        let size = [300, 240];
        let mut render = |stage: &mut Stage, background| {
            shot.background = background;
            gl.render(stage, &shot, size[0], size[1]).unwrap()
        };
        let (cut_out, whole) = (render(&mut stage, false), render(&mut stage, true));
        let mut sky = gl.stage(&Look::default());
        let sky = render(&mut sky, true);
        let mut seen = 0;
        for (x, y, pixel) in cut_out.enumerate_pixels() {
            if pixel.0[3] > 60 {
                let (whole, sky) = (whole.get_pixel(x, y).0, sky.get_pixel(x, y).0);
                assert!((0..3).any(|i| whole[i].abs_diff(sky[i]) > 2), "{x}, {y}");
                seen += 1;
            }
        }
        assert!(seen > 5000, "{seen}");
    }
}
