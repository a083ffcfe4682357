//! Which set of vertex colours carries the paint, and its colours.

use super::WriteErrorKind;
use crate::head::PrimitiveRef;
use crate::head::accessor::Accessor;
use crate::head::buffers::Buffers;
use crate::head::error::{LoadErrorKind, Result, thing};
use crate::head::geometry::COLOR;
use crate::head::limits::{Limits, way_past};
use crate::head::paint::{BALD, PaintColor};
use gltf::json::Root;
use gltf::json::mesh::{self, Semantic};
use gltf::json::validation::Checked;

/// What accessors are called that are written here.
pub const NAME: &str = "mohawk paint";

/// One finite density from 0 to 1 for each vertex.
pub fn check(density: &[f32], vertices: usize) -> std::result::Result<(), WriteErrorKind> {
    if density.len() != vertices {
        let count = density.len();
        return Err(WriteErrorKind::Count { count, vertices });
    }
    let mut numbered = density.iter().enumerate();
    match numbered.find(|(_, density)| !(0.0..=1.0).contains(*density)) {
        Some((vertex, &density)) => Err(WriteErrorKind::Density { vertex, density }),
        None => Ok(()),
    }
}

/// The densities as the loader takes them: it has no faint ones.
pub fn as_read(density: &[f32]) -> Vec<f32> {
    let read = |&density: &f32| if density < BALD { 0.0 } else { density };
    density.iter().map(read).collect()
}

/// The colours of densities that are [`as_read`]: RGBA of 16 bits, alpha as it was.
pub fn bytes(
    density: &[f32],
    paint: PaintColor,
    paint_color: [f32; 3],
    old: Option<&[[f32; 4]]>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(density.len() * 8);
    for (vertex, &density) in density.iter().enumerate() {
        let [r, g, b] = color(density, paint, paint_color);
        let alpha = old.and_then(|old| old.get(vertex)).map_or(1.0, |c| c[3]);
        let alpha = (alpha * FULL).round() as u16;
        for lane in [r, g, b, alpha] {
            bytes.extend(lane.to_le_bytes());
        }
    }
    bytes
}

/// The lane of white, as `Accessor::floats` reads it.
const FULL: f32 = 65535.0;

fn color(density: f32, paint: PaintColor, paint_color: [f32; 3]) -> [u16; 3] {
    let away = paint_color.map(|lane| f64::from(density) * (1.0 - f64::from(lane)));
    let full = f64::from(FULL);
    let lanes = away.map(|away| ((1.0 - away) * full).round() as u16);
    let read = paint.density([lanes[0], lanes[1], lanes[2], u16::MAX].map(|l| f32::from(l) / FULL));
    if density > 0.0 && read == 0.0 {
        // Rounded to where paint counts as none.
        return away.map(|away| ((1.0 - away) * full).floor() as u16);
    }
    lanes
}

/// The primitive that is painted.
pub struct Primitive<'a> {
    raw: &'a mesh::Primitive,
    /// For messages: `mesh 2 "head", primitive 0`.
    at: String,
    vertices: usize,
}

impl<'a> Primitive<'a> {
    /// The primitive at `source`, if it has as many vertices.
    pub fn find(
        document: &'a Root,
        source: PrimitiveRef,
        vertices: usize,
    ) -> std::result::Result<Self, WriteErrorKind> {
        let PrimitiveRef { mesh, primitive } = source;
        let changed = |problem| WriteErrorKind::Changed { problem };
        let of_file = document.meshes.get(mesh);
        let at = thing("mesh", mesh, of_file.and_then(|mesh| mesh.name.as_deref()));
        let at = format!("{at}, primitive {primitive}");
        let raw = of_file.and_then(|mesh| mesh.primitives.get(primitive));
        let raw = raw.ok_or_else(|| changed(format!("{at} is gone")))?;
        let position = raw.attributes.get(&Checked::Valid(Semantic::Positions));
        let accessor = position.and_then(|position| document.accessors.get(position.value()));
        let count = accessor.map_or(0, |accessor| accessor.count.0);
        if count != vertices as u64 {
            let problem = format!("{at} has {count} vertices, and had {vertices}");
            return Err(changed(problem));
        }
        Ok(Primitive { raw, at, vertices })
    }

    /// Its sets of colours, in the order that the loader searches them.
    fn sets(&self) -> impl Iterator<Item = u32> {
        self.raw.attributes.keys().filter_map(|key| match key {
            Checked::Valid(Semantic::Colors(set)) => Some(*set),
            _ => None,
        })
    }

    /// The first set that is not there. The loader has found no paint in those before it.
    pub fn free_set(&self, limits: &Limits) -> Result<u32> {
        let mut free = 0;
        for set in self.sets() {
            if set != free {
                break;
            }
            free += 1;
        }
        if u64::from(free) >= limits.color_sets {
            let problem = format!(
                "it has {free} colour sets, and only {} are searched for paint {}",
                limits.color_sets,
                way_past("color-sets")
            );
            let advice = "Remove those that are not needed.";
            return Err(LoadErrorKind::advised(&self.at, problem, advice));
        }
        Ok(free)
    }

    /// The set that is searched after this one.
    pub fn set_after(&self, set: u32) -> Option<u32> {
        self.sets().find(|&other| other > set)
    }

    /// Where in buffer 0 the colours of a set begin, if they were written here and
    /// nothing else in the file has to do with them: those may be written over.
    pub fn own_colors(&self, document: &Root, set: u32) -> Option<u64> {
        let semantic = Checked::Valid(Semantic::Colors(set));
        let index = *self.raw.attributes.get(&semantic)?;
        let accessor = document.accessors.get(index.value())?;
        let of_primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let attributes = of_primitives.flat_map(|primitive| primitive.attributes.values());
        let view = accessor.buffer_view?;
        let views = (document.accessors.iter()).filter(|other| other.buffer_view == Some(view));
        let is_own = accessor.name.as_deref() == Some(NAME)
            && accessor.sparse.is_none()
            && accessor.byte_offset.unwrap_or_default().0 == 0
            && attributes.filter(|&&other| other == index).count() == 1
            && views.count() == 1
            && self.raw.extensions.is_none();
        let view = document.buffer_views.get(view.value())?;
        let (at, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let is_plain = view.buffer.value() == 0
            && view.byte_stride.is_none()
            && view.extensions.is_none()
            && at % 4 == 0
            && length == 8 * self.vertices as u64;
        (is_own && is_plain).then_some(at)
    }

    /// The colours of a set, if it has that.
    pub fn colors(&self, buffers: &Buffers, set: u32) -> Result<Option<Vec<[f32; 4]>>> {
        let semantic = Checked::Valid(Semantic::Colors(set));
        let Some(&index) = self.raw.attributes.get(&semantic) else {
            return Ok(None);
        };
        let role = format!("COLOR_{set}");
        let accessor = Accessor::open(buffers, index, &self.at, &role, &COLOR)?;
        // A VEC3 becomes four lanes as well; and the new colours.
        let vertices = self.vertices as u64;
        let what = || format!("{}: {role}", self.at);
        buffers.budget.take(vertices, 4, what)?;
        Ok(Some(accessor.floats(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the loader makes of the colours.
    fn read_back(density: &[f32], rgb: [f32; 3]) -> Vec<f32> {
        let paint = PaintColor::new(rgb).unwrap();
        let bytes = bytes(&as_read(density), paint, rgb, None);
        let lane = |two: &[u8]| f32::from(u16::from_le_bytes([two[0], two[1]])) / FULL;
        let colors = bytes.as_chunks::<8>().0.iter();
        let colors = colors.map(|c| [lane(c), lane(&c[2..]), lane(&c[4..]), lane(&c[6..])]);
        colors
            .inspect(|color| assert_eq!(color[3], 1.0))
            .map(|color| paint.density(color))
            .collect()
    }

    #[test]
    fn what_was_read_from_16_bits_is_written_as_it_was() {
        let densities: Vec<f32> = (0..=u16::MAX)
            .map(|lane| {
                PaintColor::new([0.0; 3])
                    .unwrap()
                    .density([f32::from(lane) / FULL; 4])
            })
            .collect();
        assert_eq!(read_back(&densities, [0.0; 3]), densities);
    }

    #[test]
    fn paint_at_the_edge_stays_paint_and_faint_paint_is_none() {
        let next = f32::from_bits(BALD.to_bits() - 1);
        for rgb in [[0.0; 3], [0.9, 0.1, 0.2], [1.0, 1.0, 0.89]] {
            let read = read_back(&[0.0, next, BALD, 1.0], rgb);
            assert_eq!(read[..2], [0.0, 0.0], "{rgb:?}");
            assert!(
                read[2] >= BALD && read[2] < BALD + 1e-3,
                "{rgb:?}: {read:?}"
            );
            assert!(read[3] > 1.0 - 1e-3, "{rgb:?}: {read:?}");
        }
    }

    #[test]
    fn densities_are_checked() {
        check(&[0.0, -0.0, 1.0], 3).unwrap();
        for wrong in [f32::NAN, f32::INFINITY, -0.01, 1.01] {
            let error = check(&[0.5, wrong], 2).unwrap_err().to_string();
            assert!(error.starts_with("the density of vertex 1 is "), "{error}");
        }
        let error = check(&[0.5], 2).unwrap_err().to_string();
        assert_eq!(
            error,
            "1 densities for the 2 vertices of a part. Give one for each."
        );
    }

    #[test]
    fn alpha_stays() {
        let paint = PaintColor::new([0.0; 3]).unwrap();
        let old = [[0.0, 0.0, 0.0, 0.25]];
        let bytes = bytes(&[1.0, 0.0], paint, [0.0; 3], Some(&old));
        let lanes = bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|two| u16::from_le_bytes(*two));
        let white = u16::MAX;
        let expected = [0, 0, 0, 16384, white, white, white, white];
        assert_eq!(lanes.collect::<Vec<_>>(), expected);
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
            // Along the paint, and beside it.
            let within = 2.0 / FULL / from_white.length();
            for (read, density) in read_back(&density, rgb).iter().zip(as_read(&density)) {
                prop_assert!((read - density).abs() <= within, "{read} is not {density}");
                prop_assert_eq!(*read == 0.0, density == 0.0);
            }
        }
    }
}
