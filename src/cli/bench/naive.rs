//! The naive baselines that `sim` is measured against: arrays of structures, one strand after the
//! other.
//!
//! The spring is the reference program's update in Rust: explicit Euler steps, and a product with
//! the head's 4×4 matrix for every point.

use glam::{Mat3, Mat4, Quat, Vec3};

/// One strand as the reference program stores it: 48 bytes.
#[derive(Clone, Copy, Debug)]
pub struct NaiveStrand {
    /// Simulated tip, world space.
    pub pos: Vec3,
    pub velocity: Vec3,
    /// Root, head space.
    pub spawn_pt: Vec3,
    /// Rest direction, head space.
    pub spawn_dir: Vec3,
}

/// The reference's spring: constants of all strands.
#[derive(Clone, Copy, Debug)]
pub struct NaiveSpring {
    pub length: f32,
    pub k_anchor: f32,
    pub damping: f32,
}

impl NaiveSpring {
    /// Updates every strand as the reference does, with its dot-product collision.
    pub fn update(&self, strands: &mut [NaiveStrand], world_from_head: &Mat4, dt: f32) {
        for hair in strands {
            let hair_end = hair.spawn_pt + hair.spawn_dir * self.length;
            let anchor = world_from_head.transform_point3(hair_end);
            let accel = (anchor - hair.pos) * self.k_anchor;
            hair.velocity += (-hair.velocity * self.damping + accel) * dt;
            let mut new_pos = hair.pos + hair.velocity * dt;

            let normal = (Mat3::from_mat4(*world_from_head) * hair.spawn_dir).normalize();
            let root = world_from_head.transform_point3(hair.spawn_pt);
            let d = (new_pos - root).dot(normal);
            if d < 0.0 {
                new_pos += -d * normal;
            }
            hair.pos = new_pos;
        }
    }
}

/// A particle of a strand: 28 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// World space.
    pub pos: Vec3,
    pub velocity: Vec3,
    /// Length of the segment that ends here.
    pub length: f32,
}

/// Dynamic Follow-The-Leader as it was published (Müller, Kim, Chentanez 2012, section 3.3).
#[derive(Clone, Copy, Debug)]
pub struct FollowTheLeader {
    /// s of the paper.
    pub correction: f32,
    /// Share of the velocity that a step leaves.
    pub decay: f32,
    pub gravity: Vec3,
}

impl FollowTheLeader {
    /// Moves one strand through a step that ends with its root at `root`.
    pub fn update(&self, strand: &mut [Particle], root: Vec3, dt: f32) {
        let Some(first) = strand.first_mut() else {
            return;
        };
        first.velocity = (root - first.pos) / dt;
        first.pos = root;
        for i in 1..strand.len() {
            let leader = strand[i - 1].pos;
            let Particle {
                pos,
                velocity,
                length,
            } = strand[i];
            let free = pos + (velocity * self.decay + self.gravity * dt) * dt;
            let moved = leader + (free - leader).normalize() * length;
            strand[i].velocity = (moved - pos) / dt;
            strand[i].pos = moved;
            if i > 1 {
                strand[i - 1].velocity -= (moved - free) * (self.correction / dt);
            }
        }
    }
}

/// A hair that follows another.
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    pub guide: usize,
    /// Head space.
    pub root: Vec3,
    pub direction: Vec3,
    pub length: f32,
    /// Rotation from the guide's normal to its own.
    pub turn: Quat,
    /// Length over that of the guide.
    pub scale: f32,
}

/// Computes the points of followers, `each` per strand, from the guides' points and rest points in
/// head space.
pub fn follow(
    followers: &[Follower],
    guides: &[Vec3],
    at_rest: &[Vec3],
    each: usize,
    world_from_head: &Mat4,
    out: &mut [Vec3],
) {
    for (follower, out) in followers.iter().zip(out.chunks_exact_mut(each)) {
        for (j, out) in out.iter_mut().enumerate() {
            let at = follower.guide * each + j;
            let way = follower.turn * (guides[at] - at_rest[at]) * follower.scale;
            let along = follower.length * j as f32 / (each - 1) as f32;
            let place = follower.root + follower.direction * along + way;
            *out = world_from_head.transform_point3(place);
        }
    }
}

/// A node of the grid on which hair feels hair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    pub density: f32,
    pub momentum: Vec3,
}

/// Hair on a grid (Petrovic, Henne, Anderson 2005): friction and repulsion.
#[derive(Clone, Debug)]
pub struct Grid {
    pub low: Vec3,
    pub cell: f32,
    /// Nodes along each side.
    pub size: usize,
    pub nodes: Vec<Node>,
}

impl Grid {
    fn corners(&self, point: Vec3) -> impl Iterator<Item = (usize, f32, Vec3)> + use<> {
        let place = (point - self.low) / self.cell;
        let base = place.floor().max(Vec3::ZERO);
        let base = base.min(Vec3::splat((self.size - 2) as f32));
        let (t, size, cell) = (place - base, self.size, self.cell);
        (0..8).map(move |corner| {
            let bit = |axis: usize| corner >> axis & 1;
            let at = |axis: usize| base[axis] as usize + bit(axis);
            let factor = |axis: usize| match bit(axis) {
                1 => t[axis],
                _ => 1.0 - t[axis],
            };
            let slope = |axis: usize| if bit(axis) == 1 { 1.0 } else { -1.0 } / cell;
            let (x, y, z) = (factor(0), factor(1), factor(2));
            let gradient = Vec3::new(slope(0) * y * z, slope(1) * x * z, slope(2) * x * y);
            ((at(2) * size + at(1)) * size + at(0), x * y * z, gradient)
        })
    }

    /// Adds every particle to the nodes around it, then applies friction and repulsion to it.
    pub fn act(&mut self, particles: &mut [Particle], friction: f32, push: f32) {
        self.nodes.fill(Node::default());
        for particle in &*particles {
            for (node, weight, _) in self.corners(particle.pos) {
                self.nodes[node].density += weight;
                self.nodes[node].momentum += particle.velocity * weight;
            }
        }
        for particle in particles {
            let (mut density, mut momentum, mut gradient) = (0.0, Vec3::ZERO, Vec3::ZERO);
            for (node, weight, slope) in self.corners(particle.pos) {
                density += self.nodes[node].density * weight;
                momentum += self.nodes[node].momentum * weight;
                gradient += slope * self.nodes[node].density;
            }
            let around = momentum / density;
            particle.velocity += (around - particle.velocity) * friction;
            particle.velocity -= gradient * push / (gradient.length() + 1.0 / self.cell);
        }
    }
}
