//! Cards as a mesh of glTF with a picture inside.

use super::file::{self, INDICES, List, Mesh, begin};
use crate::bvh::bounds;
use crate::files::Output;
use crate::strands::bytes::write_floats;
use crate::strands::cards::Cards;
use glam::Vec3;
use std::io;

/// The sign with which normal and tangent give the direction in which v falls, to the root.
const HANDED: f32 = -1.0;

/// Writes a binary file.
pub fn write(out: &mut dyn Output, cards: &Cards) -> io::Result<()> {
    let corners = &cards.corners;
    let lists = [
        List::new("POSITION", 3, corners.len()),
        List::new("NORMAL", 3, corners.len()),
        List::new("TANGENT", 4, corners.len()),
        List::new("TEXCOORD_0", 2, corners.len()),
        List::new(INDICES, 1, 3 * cards.triangles().count()),
    ];
    let positions = || corners.iter().map(|corner| corner.position);
    let (low, high) = bounds(positions());
    let mesh = Mesh {
        bounds: [low, high].map(Vec3::into),
        is_surface: true,
        picture: Some(cards.picture.len() as u64),
    };
    begin(out, &lists, &mesh)?;
    for position in positions() {
        write_floats(out, &position.to_array())?;
    }
    for corner in corners {
        write_floats(out, &corner.normal.to_array())?;
    }
    for corner in corners {
        write_floats(out, &corner.tangent.extend(HANDED).to_array())?;
    }
    for corner in corners {
        write_floats(out, &corner.uv.to_array())?;
    }
    for corner in cards.triangles().flatten() {
        out.write_all(&corner.to_le_bytes())?;
    }
    out.write_all(&cards.picture)?;
    out.write_all(file::padding(cards.picture.len()))
}
