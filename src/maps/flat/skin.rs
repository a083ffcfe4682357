//! What the skin looks like, to people who paint on it.

use crate::head::{Head, Part, Texture};
use glam::{DVec2, DVec3, Vec3};

/// Longest side of a texture that is kept, pixels.
const MAX_SIDE: usize = 1024;
/// Skin that nothing is known of, sRGB.
const GREY: f32 = 0.6;

/// The colours of a part.
#[derive(Debug)]
pub(super) struct Skin {
    texture: Option<Picture>,
    /// What they are multiplied by, about sRGB.
    factor: Vec3,
}

impl Skin {
    /// Vertex colours, or grey.
    pub(super) fn of_part(part: &Part) -> Self {
        let factor = Vec3::splat(if part.colors.is_some() { 1.0 } else { GREY });
        Self {
            texture: None,
            factor,
        }
    }

    /// The base colour of the part's material.
    pub(super) fn of_head(head: &Head, part: &Part) -> Self {
        let plain = Self::of_part(part);
        let Some(material) = head.materials.get(part.material) else {
            return plain;
        };
        let texture = material.base_color_texture;
        let texture = texture.and_then(|index| Picture::of(head.textures.get(index)?));
        let [red, green, blue, _] = material.base_color;
        let factor = about_srgb(Vec3::new(red, green, blue));
        Self {
            factor: match texture {
                Some(_) => factor,
                None => factor * plain.factor,
            },
            texture,
        }
    }

    /// Whether there is something to see where no skin is.
    pub(super) fn has_texture(&self) -> bool {
        self.texture.is_some()
    }

    /// The colour at a place of the square, sRGB, each 0 to 1: the mean over a square of side
    /// `wide` of the texture. `hit`: the corners and weights of the triangle there.
    pub(super) fn color(
        &self,
        part: &Part,
        at: DVec2,
        wide: f64,
        hit: Option<([u32; 3], DVec3)>,
    ) -> Vec3 {
        let colors = || {
            let ((corners, weights), colors) = (hit?, part.colors.as_ref()?);
            let mut sum = Vec3::ZERO;
            for (corner, weight) in corners.into_iter().zip(weights.as_vec3().to_array()) {
                sum += colors.get(corner as usize)?.truncate() * weight;
            }
            Some(about_srgb(sum))
        };
        let texture = self.texture.as_ref();
        let texture = texture.map_or(Vec3::ONE, |texture| texture.mean(at, wide));
        (texture * colors().unwrap_or(Vec3::ONE) * self.factor).clamp(Vec3::ZERO, Vec3::ONE)
    }
}

/// A texture, made smaller if it is large.
#[derive(Debug)]
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// `None`: it has no pixels.
    fn of(texture: &Texture) -> Option<Self> {
        let [width, height] = [texture.width, texture.height].map(|side| side as usize);
        if width == 0 || height == 0 || texture.pixels.len() < width * height {
            return None;
        }
        let every = width.max(height).div_ceil(MAX_SIDE);
        let (less_wide, less_high) = (width.div_ceil(every), height.div_ceil(every));
        let mean = |index: usize| {
            let (row, column) = (index / less_wide * every, index % less_wide * every);
            let (mut sum, mut count) = ([0_u32; 3], 0);
            for row in row..(row + every).min(height) {
                for column in column..(column + every).min(width) {
                    let [red, green, blue, _] = texture.pixels[row * width + column];
                    let color = [red, green, blue];
                    sum = std::array::from_fn(|n| sum[n] + u32::from(color[n]));
                    count += 1;
                }
            }
            sum.map(|sum| ((sum + count / 2) / count) as u8)
        };
        Some(Self {
            width: less_wide,
            height: less_high,
            pixels: (0..less_wide * less_high).map(mean).collect(),
        })
    }

    /// The mean over a square around a place, bilinear where pixels are larger than that.
    fn mean(&self, at: DVec2, wide: f64) -> Vec3 {
        let size = DVec2::new(self.width as f64, self.height as f64);
        let samples = ((size.max_element() * wide).ceil() as u32).clamp(1, 8);
        let mut sum = Vec3::ZERO;
        for row in 0..samples {
            for column in 0..samples {
                let share = DVec2::new(column.into(), row.into()) + 0.5;
                let at = at + (share / f64::from(samples) - 0.5) * wide;
                sum += match samples {
                    1 => self.between(at * size - 0.5),
                    _ => self.pixel((at * size).floor()),
                };
            }
        }
        sum / (255 * samples * samples) as f32
    }

    fn between(&self, at: DVec2) -> Vec3 {
        let first = at.floor();
        let share = (at - first).as_vec2();
        let pixel = |right, down| self.pixel(first + DVec2::new(right, down));
        let upper = pixel(0.0, 0.0).lerp(pixel(1.0, 0.0), share.x);
        let lower = pixel(0.0, 1.0).lerp(pixel(1.0, 1.0), share.x);
        upper.lerp(lower, share.y)
    }

    fn pixel(&self, at: DVec2) -> Vec3 {
        // Casts saturate.
        let column = (at.x as usize).min(self.width - 1);
        let row = (at.y as usize).min(self.height - 1);
        Vec3::from(self.pixels[row * self.width + column].map(f32::from))
    }
}

/// Linear to sRGB, as nearly as eyes can tell in a picture to paint on.
fn about_srgb(linear: Vec3) -> Vec3 {
    linear.to_array().map(|c| c.max(0.0).sqrt()).into()
}
