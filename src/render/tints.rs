//! Colours of strands in place of those of the look.

use three_d::*;

/// Texels per row.
const ROW: u32 = 4096;

/// Colours of all strands, strand after strand, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tints {
    /// sRGB as drawn; the fourth is not used.
    pub colors: Vec<[u8; 4]>,
    /// Colours of each strand, evenly spaced from root to tip: 1, or more.
    pub per_strand: usize,
}

impl Tints {
    fn rows(&self) -> u32 {
        (self.colors.len() as u32).div_ceil(ROW).max(1)
    }
}

/// The same on the GPU.
pub(super) struct TintTexture {
    texture: Texture2D,
    per_strand: u32,
    /// Reused to pad the last row.
    padded: Vec<[u8; 4]>,
}

impl TintTexture {
    /// `None` where there are not colours for so many strands.
    pub(super) fn new(context: &Context, tints: &Tints, strands: u32) -> Option<Self> {
        let per_strand = u32::try_from(tints.per_strand).ok().filter(|&n| n > 0)?;
        if tints.colors.len() as u64 != u64::from(strands) * u64::from(per_strand) {
            return None;
        }
        let texture = Texture2D::new_empty::<[u8; 4]>(
            context,
            ROW,
            tints.rows(),
            Interpolation::Nearest,
            Interpolation::Nearest,
            None,
            Wrapping::ClampToEdge,
            Wrapping::ClampToEdge,
        );
        let mut made = Self {
            texture,
            per_strand,
            padded: vec![[0; 4]; (ROW * tints.rows()) as usize],
        };
        made.fill(tints);
        Some(made)
    }

    /// Takes on other colours, if there are as many; gives whether it did.
    pub(super) fn take(&mut self, tints: &Tints, strands: u32) -> bool {
        let same = tints.per_strand == self.per_strand as usize
            && tints.colors.len() as u64 == u64::from(strands) * u64::from(self.per_strand)
            && tints.rows() == self.texture.height();
        if same {
            self.fill(tints);
        }
        same
    }

    fn fill(&mut self, tints: &Tints) {
        self.padded[..tints.colors.len()].copy_from_slice(&tints.colors);
        self.texture.fill(&self.padded);
    }

    pub(super) fn use_uniforms(&self, program: &Program) {
        // Shadows are drawn without colours.
        if program.requires_uniform("tints") {
            program.use_texture("tints", &self.texture);
            program.use_uniform("tintsPerStrand", self.per_strand as i32);
        }
    }
}
