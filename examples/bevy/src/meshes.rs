//! Heads and hair of mohawk as meshes, materials and images of Bevy.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use mohawk::embed::Motion;
use mohawk::head::{self, Part, Texture};

/// Returns a part of a head: its triangles, or the lines of brows and lashes.
pub fn surface(part: &Part) -> Mesh {
    let arrays = |list: &[glam::Vec3]| list.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let (kind, corners) = match part.triangles.is_empty() {
        true => (PrimitiveTopology::LineList, part.lines.concat()),
        false => (PrimitiveTopology::TriangleList, part.triangles.concat()),
    };
    let uvs = part.uvs.iter().flatten().map(|uv| uv.to_array());
    let uvs: Vec<_> = uvs
        .chain(std::iter::repeat([0.0; 2]))
        .take(part.positions.len())
        .collect();
    Mesh::new(kind, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_indices(Indices::U32(corners))
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, arrays(&part.positions))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, arrays(&part.normals))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
}

/// Returns a texture of colours.
pub fn image(texture: &Texture) -> Image {
    let size = Extent3d {
        width: texture.width,
        height: texture.height,
        ..default()
    };
    let pixels = texture.pixels.as_flattened().to_vec();
    let (flat, format) = (TextureDimension::D2, TextureFormat::Rgba8UnormSrgb);
    Image::new(size, flat, pixels, format, RenderAssetUsages::RENDER_WORLD)
}

/// Returns a material with one of these textures.
pub fn material(material: &head::Material, textures: &[Handle<Image>]) -> StandardMaterial {
    let [r, g, b, a] = material.base_color;
    let texture = material.base_color_texture;
    StandardMaterial {
        base_color: Color::linear_rgba(r, g, b, a),
        base_color_texture: texture.map(|number| textures[number].clone()),
        metallic: material.metallic,
        perceptual_roughness: material.roughness,
        alpha_mode: match material.alpha {
            head::AlphaMode::Blend => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        },
        cull_mode: None,
        ..default()
    }
}

/// Returns the mesh of strands as ribbons: each point has a vertex at its left and one at its right.
pub fn ribbons(motion: &Motion) -> Mesh {
    let per_strand = motion.simulation().strand_particles();
    let points = motion.simulation().strand_count() * per_strand;
    let colors = motion.config().look.hair.colors();
    let [root, tip] = colors.map(|[r, g, b]| LinearRgba::from(Color::srgb(r, g, b)));
    let color = |vertex| root.mix(&tip, along(vertex / 2, per_strand)).to_f32_array();
    let colors: Vec<[f32; 4]> = (0..2 * points).map(color).collect();
    let segments = (0..points as u32).filter(|i| (i + 1) % per_strand as u32 > 0);
    let corners = segments.flat_map(|i| [0, 1, 2, 2, 1, 3].map(|corner| 2 * i + corner));
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_indices(Indices::U32(corners.collect()))
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0; 3]; 2 * points])
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0; 3]; 2 * points])
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}

/// Moves ribbons to where strands are, turned to an eye. Their normals make them look round.
pub fn move_ribbons(mesh: &mut Mesh, motion: &Motion, eye: Vec3) {
    let (look, per_strand) = (
        &motion.config().look.hair,
        motion.simulation().strand_particles(),
    );
    let mut points = Vec::new();
    motion.simulation().write_shape(&mut points);
    let at = |i: usize| Vec3::from_slice(&points[i]);
    let (mut places, mut normals) = (Vec::new(), Vec::new());
    for i in 0..points.len() {
        let first = i - i % per_strand;
        let (before, after) = ((i.max(first + 1) - 1), (i + 1).min(first + per_strand - 1));
        let direction = (at(after) - at(before)).normalize_or_zero();
        let side = direction.cross(eye - at(i)).normalize_or_zero();
        let front = side.cross(direction);
        let radius = look.radius * 1.0.lerp(look.taper, along(i, per_strand));
        for side in [-side, side] {
            places.push(at(i) + radius * side);
            normals.push((front + side).normalize_or_zero());
        }
    }
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, places);
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
}

/// Returns the place of a point along its strand, 0 to 1.
fn along(point: usize, per_strand: usize) -> f32 {
    (point % per_strand) as f32 / (per_strand - 1) as f32
}
