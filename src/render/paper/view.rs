//! The place of the page in a picture.

use crate::doll::PageFit;
use three_d::{Viewport, vec4};

/// Largest number of pixels of a drawing per pixel of the page. Larger pictures show it enlarged.
const MAX_DETAIL: f32 = 4.0;

/// The place of the page in a viewport.
pub struct View {
    pub viewport: Viewport,
    pub fit: PageFit,
}

impl View {
    pub fn of(viewport: Viewport) -> Self {
        let fit = PageFit::of([viewport.width, viewport.height]);
        Self { viewport, fit }
    }

    /// Returns the pixels of a drawing per pixel of the page.
    pub fn detail(&self) -> f32 {
        (self.fit.scale as f32).min(MAX_DETAIL)
    }

    /// Returns the box of the viewport on the page: corner, width, height.
    pub fn all(&self) -> [f32; 4] {
        let [x, y] = self.fit.corner.map(|corner| -corner / self.fit.scale);
        let size = [self.viewport.width, self.viewport.height].map(f64::from);
        let [width, height] = size.map(|side| side / self.fit.scale);
        [x, y, width, height].map(|number| number as f32)
    }

    /// Returns the map from the page to clip space: two factors and two offsets.
    pub fn clip_from_page(&self) -> three_d::Vec4 {
        let size = [self.viewport.width, self.viewport.height].map(f64::from);
        let factor = [0, 1].map(|i| 2.0 * self.fit.scale / size[i]);
        let offset = [0, 1].map(|i| 2.0 * self.fit.corner[i] / size[i] - 1.0);
        vec4(
            factor[0] as f32,
            -factor[1] as f32,
            offset[0] as f32,
            -offset[1] as f32,
        )
    }

    /// Returns the size of a drawn pixel on the page.
    pub fn pixel(&self) -> f32 {
        (1.0 / self.fit.scale) as f32
    }
}
