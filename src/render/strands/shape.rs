//! The shape of strands: their points, the boxes around them, the detail that they need, and the
//! order in which their parts are drawn.

use super::{StrandModel, seed};
use crate::groom::strand_curve_point;
use crate::look::HairLook;
use crate::render::convert;
use crate::render::depth_order::back_to_front;
use crate::render::frame::{Frame, TexelList};
use crate::render::outline::{Rows, boxes_in};
use crate::render::ribbons::{Detail, Templates};
use crate::render::shot::Economy;
use crate::render::survey::{Survey, sampled};
use three_d::*;

/// Parts of a strand that has particles, each drawn in its own place.
const PARTS: u32 = 4;

/// Returns the point that a texel holds.
fn point(texel: &[f32; 4]) -> glam::Vec3 {
    glam::Vec4::from(*texel).truncate()
}

impl StrandModel {
    /// Finds the boxes around the points anew.
    pub(super) fn box_points(&mut self) {
        let strands = (self.points.texels()).chunks_exact(self.points_per_strand as usize);
        let strands = strands.map(|strand| strand.iter().map(point));
        self.points_boxes = boxes_in(&self.cells, self.rest_boxes.len(), strands);
    }

    /// Shows other points, as [`Stage::set_points`](super::Stage::set_points) says. Returns `true`
    /// if they differ.
    pub fn set_points(&mut self, points: &[[f32; 4]], per_strand: usize) -> bool {
        let per_strand = per_strand.max(1) as u32;
        let points = &points[..points.len().min((self.count * per_strand) as usize)];
        if per_strand == self.points_per_strand && self.points.texels().starts_with(points) {
            return false;
        }
        if per_strand != self.points_per_strand {
            self.points_per_strand = per_strand;
            let parts = self.parts();
            self.points = TexelList::new(&self.context, self.count * per_strand);
            self.order = TexelList::new(&self.context, self.count * parts);
            self.ribbons = Templates::new(&self.context, per_strand, parts);
        }
        self.points.fill(points.iter().copied());
        self.box_points();
        self.ordered_for = None;
        true
    }

    /// Returns the largest distance of hair from a place, world space, or a bound of it below `enough`.
    pub fn farthest(&self, from: glam::Vec3, enough: f32) -> f32 {
        let corners = self
            .points_boxes
            .iter()
            .flat_map(|points| points.corners(0.0));
        let distances = corners.map(|corner| corner.distance(from));
        // Boxes of no points are infinite.
        let distances = distances.filter(|distance| distance.is_finite());
        let bound = distances.fold(0.0, f32::max);
        if bound <= enough {
            return bound;
        }
        let distances = self
            .points
            .texels()
            .iter()
            .map(|at| point(at).distance(from));
        distances
            .filter(|distance| distance.is_finite())
            .fold(0.0, f32::max)
    }

    /// Returns the number of parts in which each strand is drawn.
    pub(super) fn parts(&self) -> u32 {
        PARTS.min(self.points_per_strand)
    }

    /// Returns the corners of boxes around all strands, world space, with margins around their rest
    /// curves and their points.
    fn corners(
        &self,
        world_from_head: Mat4,
        margins: [f32; 2],
    ) -> impl Iterator<Item = [glam::Vec3; 16]> {
        let world_from_head = convert::from_mat4(world_from_head);
        let boxes = self.rest_boxes.iter().zip(&self.points_boxes);
        boxes.map(move |(rest, points)| {
            let (rest, points) = (rest.corners(margins[0]), points.corners(margins[1]));
            let rest = rest.map(|corner| world_from_head.transform_point3(corner));
            std::array::from_fn(|i| if i < 8 { rest[i] } else { points[i - 8] })
        })
    }

    /// Covers all strands of a radius in rows of a picture.
    pub fn cover(&self, world_from_head: Mat4, radius: f32, rows: &mut Rows) {
        let margins = self.reach.map(|reach| reach + radius);
        for corners in self.corners(world_from_head, margins) {
            rows.cover(corners);
        }
    }

    /// Returns `true` if strands may reach to where a view shows less than all of the head. Stray
    /// hairs do not count.
    pub fn reaches_under(&self, frame: &Frame) -> bool {
        let fade = glam::Vec4::from_array(frame.fade.into());
        let corners = self.corners(frame.world_from_head, [self.reach[0]; 2]);
        let mut corners = corners.flatten();
        // Boxes of no points are infinite.
        corners.any(|corner| corner.is_finite() && fade.dot(corner.extend(1.0)) < 1.0)
    }

    /// Chooses the segments of ribbons in motion. Returns the detail of the strands, with these
    /// savings.
    pub fn choose_detail(
        &mut self,
        camera: &Camera,
        world_from_head: Mat4,
        look: &HairLook,
        economy: Economy,
    ) -> Detail {
        let survey = self.survey(camera, world_from_head, look);
        self.ribbons.choose(survey.segments / self.parts() as f32);
        let width = match look.width_px > 0.0 {
            true => look.width_px,
            false => look.radius * (1.0 + look.taper) / survey.pixel,
        };
        let layers = survey.layers(self.count, width);
        economy.of_strands(self.count(), layers, survey.length / width)
    }

    /// Measures some of the strands as a camera sees them.
    fn survey(&self, camera: &Camera, world_from_head: Mat4, look: &HairLook) -> Survey {
        let per_strand = self.points_per_strand as usize;
        let world_from_head = convert::from_mat4(world_from_head);
        let strands = sampled(self.count).zip(&self.directions);
        let strands = strands.map(|(strand, &direction)| {
            let points = &self.points.texels()[strand * per_strand..][..per_strand];
            if per_strand > 1 {
                return points.iter().map(point).collect();
            }
            let root = world_from_head.transform_point3(self.roots[strand]);
            let direction = world_from_head.transform_vector3(direction);
            let tip = point(&points[0]);
            let along = |i: u8| 0.25 * f32::from(i);
            let points = (0..5).map(|i| match look.straight {
                true => root.lerp(tip, along(i)),
                false => strand_curve_point(root, direction, tip, along(i)),
            });
            points.collect()
        });
        Survey::of(camera, strands)
    }

    /// Orders the parts of the strands that are drawn from back to front, if the view, the detail or
    /// the points have changed.
    pub fn arrange(&mut self, camera: &Camera, world_from_head: Mat4, detail: Detail) {
        let (eye, towards) = (camera.position(), camera.view_direction());
        let share = detail.share();
        if self.ordered_for == Some((eye, towards, share)) {
            return;
        }
        self.ordered_for = Some((eye, towards, share));
        let per_strand = self.points_per_strand as usize;
        let parts = self.parts() as usize;
        let points = self.points.texels();
        let point = |index: usize| Vec4::from(points[index]).truncate();
        let depth = |point: Vec3| (point - eye).dot(towards);
        if self.drawn_share != share {
            (self.drawn_share, self.lit_rings) = (share, None);
            self.drawn = (0..self.count).filter(|&i| seed(i) < share).collect();
            (self.strands).fill(self.drawn.iter().map(|&strand| strand as f32));
        }
        let drawn = &self.drawn;
        let depths: Vec<f32> = match per_strand {
            1 => {
                let root = |root: glam::Vec3| world_from_head * convert::vec3(root).extend(1.0);
                let middle = |i: usize| 0.5 * (root(self.roots[i]).truncate() + point(i));
                drawn.iter().map(|&i| depth(middle(i as usize))).collect()
            }
            _ => {
                let middle = |part: usize| (2 * part + 1) * (per_strand - 1) / (2 * parts);
                let parts = drawn.iter().flat_map(|&strand| {
                    let first = strand as usize * per_strand;
                    (0..parts).map(move |part| first + middle(part))
                });
                parts.map(|index| depth(point(index))).collect()
            }
        };
        let order = back_to_front(&depths).into_iter();
        self.order.fill(order.map(|part| part as f32));
    }
}
