//! Colours and widths of single strands.
//!
//! [`Tints`] replace the colours of the look, for example to show a measurement. Dyes are the tints
//! and widths of a [`Groom`]; the look's colours are multiplied by them.

use crate::groom::Groom;
use crate::render::gpu::texture::TexelList;
use three_d::*;

/// Texels per row of the textures.
const ROW: u32 = 4096;
/// Smallest drawn width of a strand, as a share of the look's width.
const MIN_WIDTH: f32 = 0.1;

/// Colours of all strands, strand after strand, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tints {
    /// sRGB as drawn. The fourth value is not used.
    pub colors: Vec<[u8; 4]>,
    /// Number of colours of each strand, evenly spaced from root to tip; at least 1.
    pub per_strand: usize,
}

/// [`Tints`] on the GPU.
pub struct TintTexture {
    texels: TexelList<[u8; 4]>,
    per_strand: usize,
}

impl TintTexture {
    /// Uploads tints. `None` if they are not for this number of strands.
    pub fn new(context: &Context, tints: &Tints, strands: u32) -> Option<Self> {
        let len = u32::try_from(tints.colors.len()).ok()?;
        let is_valid = tints.per_strand > 0
            && tints.colors.len() as u64 == u64::from(strands) * tints.per_strand as u64;
        let mut texture = is_valid.then(|| Self {
            texels: TexelList::new(context, ROW, len),
            per_strand: tints.per_strand,
        })?;
        texture.texels.fill(tints.colors.iter().copied());
        Some(texture)
    }

    /// Replaces the colours if their number is the same, and returns whether it was.
    pub fn replace(&mut self, tints: &Tints, strands: u32) -> bool {
        let is_same = tints.per_strand == self.per_strand
            && tints.colors.len() as u64 == u64::from(strands) * self.per_strand as u64;
        if is_same {
            self.texels.fill(tints.colors.iter().copied());
        }
        is_same
    }

    pub fn use_uniforms(&self, program: &Program) {
        self.texels.use_as(program, "tints");
        program.use_uniform_if_required("tintsPerStrand", self.per_strand as i32);
    }
}

/// Uploads the dyes (sRGB, share of the width) of a groom. `None` if it has none.
pub fn dyes(context: &Context, groom: &Groom) -> Option<TexelList<[u8; 4]>> {
    if groom.widths.is_empty() && groom.tints.is_empty() {
        return None;
    }
    let len = u32::try_from(groom.len()).ok()?;
    Some(TexelList::fixed(context, ROW, len, dye_texels(groom)))
}

fn dye_texels(groom: &Groom) -> impl Iterator<Item = [u8; 4]> + '_ {
    // Casts saturate, and not-a-number becomes 0.
    let byte = |share: f32| (share * 255.0).round() as u8;
    (0..groom.len()).map(move |strand| {
        let [r, g, b] = groom.tints.get(strand).copied().unwrap_or([1.0; 3]);
        let width = groom.widths.get(strand).copied().unwrap_or(1.0);
        [r, g, b, width.max(MIN_WIDTH)].map(byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_have_a_minimum_and_missing_dyes_are_white() {
        let groom = Groom {
            roots: vec![glam::Vec3::ZERO; 4],
            widths: vec![1.0, 0.5, 0.0, f32::NAN],
            tints: vec![[1.0, 0.0, 0.2], [1.0; 3]],
            ..Groom::default()
        };
        let expected = [
            [255, 0, 51, 255],
            [255, 255, 255, 128],
            [255, 255, 255, 26],
            [255, 255, 255, 26],
        ];
        assert!(dye_texels(&groom).eq(expected));
    }
}
