//! Widths and colours that strands have of their own.

use crate::groom::Groom;
use three_d::*;

/// Texels per row, one a strand.
const ROW: u32 = 4096;
/// No strand is drawn narrower than this share of the look's width: hair is thin, never unseen.
const LEAST_WIDTH: f32 = 0.1;

/// Tints (sRGB) and shares of the width of all strands, on the GPU.
pub(super) struct DyeTexture(Texture2D);

impl DyeTexture {
    /// `None` where the look says everything.
    pub(super) fn of(context: &Context, groom: &Groom) -> Option<Self> {
        if groom.widths.is_empty() && groom.tints.is_empty() {
            return None;
        }
        let rows = u32::try_from(groom.len()).ok()?.div_ceil(ROW).max(1);
        let mut texels = texels(groom);
        texels.resize((ROW * rows) as usize, [u8::MAX; 4]);
        let texture = Texture2D::new_empty::<[u8; 4]>(
            context,
            ROW,
            rows,
            Interpolation::Nearest,
            Interpolation::Nearest,
            None,
            Wrapping::ClampToEdge,
            Wrapping::ClampToEdge,
        );
        texture.fill(&texels);
        Some(Self(texture))
    }

    pub(super) fn use_uniforms(&self, program: &Program) {
        if program.requires_uniform("dyes") {
            program.use_texture("dyes", &self.0);
        }
    }
}

fn texels(groom: &Groom) -> Vec<[u8; 4]> {
    // Casts saturate; what is no number becomes 0.
    let stored = |share: f32| (share * 255.0).round() as u8;
    (0..groom.len())
        .map(|strand| {
            let [r, g, b] = groom.tints.get(strand).copied().unwrap_or([1.0; 3]);
            let width = groom.widths.get(strand).copied().unwrap_or(1.0);
            [r, g, b, width.max(LEAST_WIDTH)].map(stored)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_strand_is_narrower_than_the_least_and_none_dyed_without_a_colour() {
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
        assert_eq!(texels(&groom), expected);
    }
}
