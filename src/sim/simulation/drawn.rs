//! Writes the strands as they are drawn and simulated.

use super::Simulation;
use super::engine::Engine;
use crate::sim::bundles::{Ribbon, Ribbons};
use crate::sim::contact::Contacts;
use std::borrow::Cow;

impl Simulation {
    /// Returns the number of points of a drawn strand: 1 if the tip determines the curve of
    /// [`strand_curve_point`](crate::groom::strand_curve_point), else the particles, root first.
    pub fn drawn_particles(&self) -> usize {
        match &self.engine {
            Engine::Tips { spring, fade, .. } if self.guides.is_none() => match fade {
                Some(fade) => fade.particles,
                None if spring.curves.is_none() => 1,
                None => self.strand_particles(),
            },
            _ => self.strand_particles(),
        }
    }

    /// Writes the drawn points in world space, [`drawn_particles`](Self::drawn_particles) per
    /// strand: `[x, y, z, 0]`, decimetres. Roots are under [`drawn_pose`](Self::drawn_pose).
    /// Segments keep their length as far as the solver does.
    pub fn write_drawn(&self, out: &mut Vec<[f32; 4]>) {
        match self.drawn_particles() {
            1 => self.write_drawn_tips(out),
            count => self.write_points(self.clock.alpha(), count, out),
        }
    }

    /// Returns the ribbons of ties around points that [`write_drawn`](Self::write_drawn) has
    /// written. There are none where the tip alone determines the curve of a strand.
    pub fn ribbons(&self, points: &[[f32; 4]]) -> Vec<Ribbon> {
        let (ties, per) = (&self.used.ties, self.drawn_particles());
        if ties.is_empty() || per < 2 {
            return Vec::new();
        }
        let make = || Ribbons::new(&self.groom, ties, per);
        let ribbons = self.ribbons.get_or_init(make);
        match ribbons.differ(ties, per) {
            true => make().around(points),
            false => ribbons.around(points),
        }
    }

    /// Writes the drawn particles of all strands, also where only tips are simulated:
    /// [`strand_particles`](Self::strand_particles) per strand, root first, world space,
    /// `[x, y, z, 0]`, decimetres.
    pub fn write_shape(&self, out: &mut Vec<[f32; 4]>) {
        self.write_particles(self.clock.alpha(), out);
    }

    /// Writes the drawn tips in world space. With `spring` a tip is where the curve of the strand's
    /// length ends, and never below the plane of the root. `out[i] = [x, y, z, 0]`, decimetres;
    /// `out` is resized to the number of strands.
    pub fn write_drawn_tips(&self, out: &mut Vec<[f32; 4]>) {
        let alpha = self.clock.alpha();
        match (self.engine.spring(), &self.guides) {
            (Some(spring), None) => {
                spring.write_drawn_tips(&self.poses[0], &self.poses[1], alpha, out)
            }
            _ => self.write_last_particles(alpha, out),
        }
    }

    /// Writes the simulated tips after the last step in world space; with `spring` at any distance
    /// from the root. `out[i] = [x, y, z, 0]`, decimetres.
    pub fn write_simulated_tips(&self, out: &mut Vec<[f32; 4]>) {
        match (self.engine.spring(), &self.guides) {
            (Some(spring), None) => spring.write_tips(&self.poses[1], out),
            _ => self.write_last_particles(1.0, out),
        }
    }

    /// Writes the particles of all strands, root first, in world space, interpolated at `alpha` (0
    /// to 1) of the last step: `[x, y, z, 0]`, decimetres,
    /// [`strand_particles`](Self::strand_particles) per strand.
    pub fn write_particles(&self, alpha: f64, out: &mut Vec<[f32; 4]>) {
        self.write_points(alpha, self.strand_particles(), out);
    }

    /// Returns the obstacles of hairs that follow guides: what the guides meet.
    pub(super) fn contacts_of_followers(&self) -> Cow<'_, Contacts> {
        match self.engine.spring() {
            Some(spring) => Cow::Owned(self.contacts.of_followers(spring.grounded)),
            None => Cow::Borrowed(&self.contacts),
        }
    }

    /// Writes `count` points of each strand. Only springs write other numbers than that of the
    /// particles.
    fn write_points(&self, alpha: f64, count: usize, out: &mut Vec<[f32; 4]>) {
        let simulated = 0..self.simulated().len();
        let Some(guides) = &self.guides else {
            return self.write_simulated(alpha, count, simulated, out);
        };
        let mut basis = Vec::new();
        self.write_simulated(alpha, count, simulated, &mut basis);
        let pose = self.pose_at(alpha);
        let frame = guides.frame(
            &self.groom,
            &basis,
            count,
            &pose,
            &self.contacts_of_followers(),
        );
        frame.write_all(out);
    }

    /// Writes the last particle of each strand.
    fn write_last_particles(&self, alpha: f64, out: &mut Vec<[f32; 4]>) {
        let (mut all, count) = (Vec::new(), self.strand_particles());
        self.write_particles(alpha, &mut all);
        out.clear();
        out.extend(all.chunks_exact(count).map(|strand| strand[count - 1]));
    }
}
