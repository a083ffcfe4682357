//! Textures whose texels are data.

use three_d::*;

/// Returns a blank texture without mipmaps that is clamped at its edges.
pub fn blank_texture<T: TextureDataType>(
    context: &Context,
    [width, height]: [u32; 2],
    filter: Interpolation,
) -> Texture2D {
    let clamp = Wrapping::ClampToEdge;
    Texture2D::new_empty::<T>(context, width, height, filter, filter, None, clamp, clamp)
}

/// A texture that shaders read as a list of texels, row after row.
pub struct TexelList<T> {
    texture: Texture2D,
    /// Texels of all rows. The last row is padded.
    texels: Vec<T>,
}

impl<T: TextureDataType + Default + Clone> TexelList<T> {
    /// Returns a list of `len` texels, `row` in a row of the texture.
    pub fn new(context: &Context, row: u32, len: u32) -> Self {
        let rows = len.div_ceil(row).max(1);
        Self {
            texture: blank_texture::<T>(context, [row, rows], Interpolation::Nearest),
            texels: vec![T::default(); row as usize * rows as usize],
        }
    }

    /// Returns a list that is never filled again.
    pub fn fixed(context: &Context, row: u32, len: u32, texels: impl Iterator<Item = T>) -> Self {
        let mut list = Self::new(context, row, len);
        list.fill(texels);
        list.texels = Vec::new();
        list
    }

    /// Replaces the first texels and uploads all. Texels beyond the end are ignored.
    pub fn fill(&mut self, texels: impl IntoIterator<Item = T>) {
        for (slot, texel) in self.texels.iter_mut().zip(texels) {
            *slot = texel;
        }
        self.texture.fill(&self.texels);
    }

    /// Binds the texture to a sampler of a shader, if the shader has it.
    pub fn use_as(&self, program: &Program, name: &str) {
        if program.requires_uniform(name) {
            program.use_texture(name, &self.texture);
        }
    }
}
