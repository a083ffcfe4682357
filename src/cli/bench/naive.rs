//! The baseline: the reference program's update as it is written down, in Rust.
//!
//! An array of structures, one strand after the other, explicit Euler steps of the frame time,
//! the head's whole matrix for every point. What `sim` is measured against.

use glam::{Mat3, Mat4, Vec3};

/// One strand, as the reference program keeps it: 48 bytes.
#[derive(Clone, Copy, Debug)]
pub struct HairStrand {
    /// The simulated end, world space.
    pub pos: Vec3,
    pub velocity: Vec3,
    /// The root, head space.
    pub spawn_pt: Vec3,
    /// Where it points at rest, head space.
    pub spawn_dir: Vec3,
}

/// Constants of all strands.
#[derive(Clone, Copy, Debug)]
pub struct Hair {
    pub length: f32,
    pub k_anchor: f32,
    pub damping: f32,
}

impl Hair {
    /// The reference's update of every strand, with its dot-product collision.
    pub fn update(&self, strands: &mut [HairStrand], world_from_head: &Mat4, dt: f32) {
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
