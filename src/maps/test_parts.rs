//! Parts that tests of maps share.

use super::Layout;
use crate::head::{Head, HeadSettings, Part};
use glam::{Vec2, Vec3};

/// A square from (−1, −1) to (1, 1) in z = 0, its first vertex at the upper left.
pub(crate) fn quad(uvs: Option<[Vec2; 4]>) -> Part {
    let corner = |x, y| Vec3::new(x, y, 0.0);
    Part {
        name: "quad".to_owned(),
        positions: vec![
            corner(-1.0, 1.0),
            corner(1.0, 1.0),
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
        ],
        normals: vec![Vec3::Z; 4],
        tangents: None,
        uvs: uvs.map(|uvs| uvs.to_vec()),
        colors: None,
        triangles: vec![[0, 2, 3], [0, 3, 1]],
        paint: None,
        material: 0,
        source: None,
    }
}

/// UVs that spread the quad over the whole picture.
pub(crate) const FULL_SQUARE: Option<[Vec2; 4]> = Some([Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE]);

/// The part of the shipped head that hair grows on.
pub(crate) fn shipped() -> Part {
    let mut head = Head::shipped(&HeadSettings::default()).unwrap();
    head.parts.swap_remove(head.scalp_part.unwrap())
}

/// The layout of a picture.
pub(crate) fn picture_layout(width: u32, height: u32) -> Layout {
    Layout::Picture { width, height }
}
