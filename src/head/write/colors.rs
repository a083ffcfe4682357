//! The `COLOR_n` set that carries the paint, and its colours.

use crate::head::error::{LoadErrorKind, Result, label, limit_hint};
use crate::head::gltf::buffers::Buffers;
use crate::head::gltf::document;
use crate::head::mesh::attributes::{Attributes, COLOR, POSITION};
use crate::head::mesh::paint::{PAINT_NAME, PaintColor, visible};
use crate::head::mesh::primitive::first_free;
use crate::head::model::PrimitiveRef;

/// Returns the densities as the loader reads them, with faint ones set to 0.
pub fn without_faint(density: &[f32]) -> Vec<f32> {
    density.iter().copied().map(visible).collect()
}

/// Returns the colours of densities that are [`without_faint`]: RGBA of 16 bits, with the old
/// alpha.
pub fn bytes(density: &[f32], paint: PaintColor, old: Option<&[[f32; 4]]>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(density.len() * 8);
    for (vertex, &density) in density.iter().enumerate() {
        let [r, g, b] = color(density, paint);
        let alpha = old.and_then(|old| old.get(vertex)).map_or(1.0, |c| c[3]);
        let alpha = (alpha * MAX).round() as u16;
        for lane in [r, g, b, alpha] {
            bytes.extend(lane.to_le_bytes());
        }
    }
    bytes
}

/// The largest value of a 16-bit lane.
const MAX: f32 = 65535.0;

fn color(density: f32, paint: PaintColor) -> [u16; 3] {
    let lanes = paint.0.map(|lane| {
        let from_white = f64::from(density) * (1.0 - f64::from(lane));
        (1.0 - from_white) * f64::from(MAX)
    });
    let rounded = lanes.map(|lane| lane.round() as u16);
    let [r, g, b] = rounded.map(|lane| f32::from(lane) / MAX);
    match density > 0.0 && paint.density([r, g, b, 1.0]) == 0.0 {
        // Rounding must not make paint bald.
        true => lanes.map(|lane| lane.floor() as u16),
        false => rounded,
    }
}

/// The primitive that is painted.
pub struct PaintedPrimitive<'a> {
    buffers: &'a Buffers<'a>,
    pub raw: &'a document::Primitive,
    /// The primitive as messages name it: `mesh 2 "head", primitive 0`.
    pub at: String,
    vertices: usize,
}

impl<'a> PaintedPrimitive<'a> {
    /// Finds the primitive at `source` and checks its number of vertices. The error is the
    /// difference to the file that was read.
    pub fn find(
        buffers: &'a Buffers,
        source: PrimitiveRef,
        vertices: usize,
    ) -> std::result::Result<Self, String> {
        let PrimitiveRef { mesh, primitive } = source;
        let document = &buffers.document;
        let of_file = document.meshes.get(mesh);
        let at = label("mesh", mesh, of_file.and_then(|mesh| mesh.name.as_deref()));
        let at = format!("{at}, primitive {primitive}");
        let raw = of_file.and_then(|mesh| mesh.primitives.get(primitive));
        let raw = raw.ok_or_else(|| format!("{at} is gone"))?;
        let attributes = Attributes::of(buffers, raw, &at);
        let positions = attributes.and_then(|attributes| attributes.open("POSITION", &POSITION));
        let count = positions.map_err(|error| error.to_string())?;
        let count = count.map_or(0, |positions| positions.count);
        match count == vertices {
            true => Ok(PaintedPrimitive {
                buffers,
                raw,
                at,
                vertices,
            }),
            false => Err(format!("{at} has {count} vertices, and had {vertices}")),
        }
    }

    /// Returns `true` if colours of this set, if there are any, are not compressed with Draco.
    fn is_beside_draco(&self, set: u32) -> bool {
        let role = format!("COLOR_{set}");
        !self.raw.has_draco()
            || matches!(
                self.buffers.draco(self.raw, &self.at),
                Ok(Some((numbers, _))) if !numbers.attributes.contains_key(&role)
            )
    }

    /// Returns `true` if the geometry is compressed with Draco and the file does not also have it
    /// without.
    pub fn is_draco(&self) -> Result<bool> {
        Ok(self.buffers.draco(self.raw, &self.at)?.is_some())
    }

    /// Returns the first `COLOR_n` that is free. The loader has found no paint in those before.
    pub fn free_set(&self) -> Result<u32> {
        let free = first_free(self.raw);
        let max = self.buffers.budget.limits.color_sets;
        if u64::from(free) >= max {
            let hint = limit_hint("color-sets");
            let problem =
                format!("it has {free} colour sets, and only {max} are searched for paint {hint}");
            let advice = "Remove those that are not needed.";
            return Err(LoadErrorKind::advised(&self.at, problem, advice));
        }
        Ok(free)
    }

    fn accessor(&self, set: u32) -> Option<document::Index> {
        self.raw.attributes.get(&format!("COLOR_{set}")).copied()
    }

    /// Returns the offset in buffer 0 of the colours of a set, if they were written here and
    /// nothing else in the file uses them, so that they may be overwritten.
    pub fn own_colors(&self, set: u32) -> Option<u64> {
        let document = &self.buffers.document;
        let index = self.accessor(set)?;
        let accessor = document.accessors.get(index.index())?;
        let of_primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let attributes = of_primitives.flat_map(|primitive| primitive.attributes.values());
        let view = accessor.buffer_view?;
        let views = (document.accessors.iter()).filter(|other| other.buffer_view == Some(view));
        let is_own = accessor.name.as_deref() == Some(PAINT_NAME)
            && accessor.sparse.is_none()
            && accessor.byte_offset.unwrap_or_default().0 == 0
            && attributes.filter(|&&other| other == index).count() == 1
            && views.count() == 1
            && self.is_beside_draco(set);
        let view = document.buffer_views.get(view.index())?;
        let (at, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let is_plain = view.buffer.index() == 0
            && view.byte_stride.is_none()
            && view.extensions.is_none()
            && at % 4 == 0
            && length == 8 * self.vertices as u64;
        (is_own && is_plain).then_some(at)
    }

    /// Returns the colours of a set, if it exists.
    pub fn colors(&self, set: u32) -> Result<Option<Vec<[f32; 4]>>> {
        let role = format!("COLOR_{set}");
        let attributes = Attributes::of(self.buffers, self.raw, &self.at)?;
        let Some(accessor) = attributes.open(&role, &COLOR)? else {
            return Ok(None);
        };
        // A VEC3 is read as four lanes as well.
        let what = format_args!("{}: {role}", self.at);
        self.buffers.budget.take(self.vertices as u64, 4, what)?;
        Ok(Some(accessor.floats(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::mesh::paint::BALD;
    use proptest::prelude::*;

    /// Returns the densities that the loader reads from the colours.
    fn read_back(density: &[f32], rgb: [f32; 3]) -> Vec<f32> {
        let paint = PaintColor::new(rgb).unwrap();
        let bytes = bytes(&without_faint(density), paint, None);
        let lane = |two: &[u8]| f32::from(u16::from_le_bytes([two[0], two[1]])) / MAX;
        let colors = bytes.as_chunks::<8>().0.iter();
        let colors = colors.map(|c| [lane(c), lane(&c[2..]), lane(&c[4..]), lane(&c[6..])]);
        colors
            .inspect(|color| assert_eq!(color[3], 1.0))
            .map(|color| paint.density(color))
            .collect()
    }

    #[test]
    fn densities_of_16_bit_colours_round_trip() {
        let paint = PaintColor::new([0.0; 3]).unwrap();
        let lanes = 0..=u16::MAX;
        let densities = lanes.map(|lane| paint.density([f32::from(lane) / MAX; 4]));
        let densities: Vec<f32> = densities.collect();
        assert_eq!(read_back(&densities, [0.0; 3]), densities);
    }

    #[test]
    fn rounding_keeps_paint_at_the_threshold_and_drops_faint_paint() {
        let next = f32::from_bits(BALD.to_bits() - 1);
        for rgb in [[0.0; 3], [0.9, 0.1, 0.2], [1.0, 1.0, 0.89]] {
            let read = read_back(&[0.0, next, BALD, 1.0], rgb);
            assert_eq!(read[..2], [0.0, 0.0], "{rgb:?}");
            let least = BALD..BALD + 1e-3;
            assert!(least.contains(&read[2]), "{rgb:?}: {read:?}");
            assert!(read[3] > 1.0 - 1e-3, "{rgb:?}: {read:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn density_reads_back(
            density in prop::collection::vec(0.0f32..=1.0, 1..50),
            rgb in prop_oneof![Just([0.0f32; 3]), prop::array::uniform3(0.0f32..=1.0)],
        ) {
            let from_white = glam::Vec3::ONE - glam::Vec3::from(rgb);
            prop_assume!(from_white.length() >= 0.11);
            // Rounding errors along the line of the paint and beside it.
            let within = 2.0 / MAX / from_white.length();
            for (read, density) in read_back(&density, rgb).iter().zip(without_faint(&density)) {
                prop_assert!((read - density).abs() <= within, "{read} is not {density}");
                prop_assert_eq!(*read == 0.0, density == 0.0);
            }
        }
    }
}
