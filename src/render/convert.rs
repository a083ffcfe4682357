//! Conversions from glam to three-d's cgmath, and between sRGB and linear colours.

pub(super) use crate::srgb::srgb_from_linear;

pub fn vec3(v: glam::Vec3) -> three_d::Vec3 {
    three_d::vec3(v.x, v.y, v.z)
}

pub fn from_vec3(v: three_d::Vec3) -> glam::Vec3 {
    glam::vec3(v.x, v.y, v.z)
}

pub fn mat4(m: glam::Mat4) -> three_d::Mat4 {
    three_d::Mat4::from(m.to_cols_array_2d())
}

pub fn from_mat4(m: three_d::Mat4) -> glam::Mat4 {
    glam::Mat4::from_cols_array_2d(&m.into())
}

/// Converts sRGB to linear.
pub fn linear_from_srgb(c: [f32; 3]) -> three_d::Vec3 {
    c.map(crate::srgb::linear_from_srgb).into()
}
