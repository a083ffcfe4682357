//! The place of the page in a picture, and the part of it that changes.

use crate::doll::PageFit;
use glam::DVec2;
use three_d::{ScissorBox, Viewport, vec4};

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

    fn size(&self) -> DVec2 {
        DVec2::new(self.viewport.width.into(), self.viewport.height.into())
    }

    /// Returns the box of the viewport on the page: corner, width, height.
    pub fn all(&self) -> [f32; 4] {
        let corner = -DVec2::from(self.fit.corner) / self.fit.scale;
        let size = self.size() / self.fit.scale;
        [corner.x, corner.y, size.x, size.y].map(|number| number as f32)
    }

    /// Returns the map from the page to clip space: two factors and two offsets.
    pub fn clip_from_page(&self) -> three_d::Vec4 {
        let factor = (2.0 * self.fit.scale / self.size()).as_vec2();
        let offset = (2.0 * DVec2::from(self.fit.corner) / self.size() - 1.0).as_vec2();
        vec4(factor.x, -factor.y, offset.x, -offset.y)
    }
}

/// A box of the page, pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    low: DVec2,
    high: DVec2,
}

impl Area {
    pub const NOTHING: Self = Self {
        low: DVec2::INFINITY,
        high: DVec2::NEG_INFINITY,
    };
    /// The whole viewport, also beside the page.
    pub const ALL: Self = Self {
        low: DVec2::NEG_INFINITY,
        high: DVec2::INFINITY,
    };

    /// Returns the box of all that is within `distance` of points.
    pub fn around(points: impl IntoIterator<Item = DVec2>, distance: f64) -> Self {
        let points = points.into_iter();
        points.fold(Self::NOTHING, |area, point| Self {
            low: area.low.min(point - distance),
            high: area.high.max(point + distance),
        })
    }

    /// Returns the area of a box: corner, width, height.
    pub fn of_box([x, y, width, height]: [f32; 4]) -> Self {
        let corners = [[x, y], [x + width, y + height]];
        Self::around(corners.map(|[x, y]| DVec2::new(x.into(), y.into())), 0.0)
    }

    /// Returns the box around both.
    pub fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Returns the pixels that it touches and their neighbours. `None` if there are none.
    pub fn scissor(&self, view: &View) -> Option<ScissorBox> {
        let size = view.size();
        let corner = DVec2::from(view.fit.corner);
        let [low, high] = [self.low, self.high].map(|point| corner + view.fit.scale * point);
        let low = (low - 1.0).floor().max(DVec2::ZERO);
        let high = (high + 1.0).ceil().min(size);
        (low.x < high.x && low.y < high.y).then_some(ScissorBox {
            x: low.x as i32,
            // Rows of the page go down.
            y: (size.y - high.y) as i32,
            width: (high.x - low.x) as u32,
            height: (high.y - low.y) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_the_page_are_boxes_of_pixels() {
        let view = View::of(Viewport::new_at_origo(1000, 1200));
        // The page of 800 x 600 is 1,000 x 750, 450 pixels below the top.
        let of = |area: Area| {
            let pixels = area.scissor(&view);
            pixels.map(|p| [p.x, p.y, p.width as i32, p.height as i32])
        };
        assert_eq!(of(Area::NOTHING), None);
        assert_eq!(of(Area::ALL), Some([0, 0, 1000, 1200]));
        let area = Area::of_box([80.0, 40.0, 8.0, 4.0]);
        assert_eq!(of(area), Some([99, 1200 - 506, 12, 7]));
        assert_eq!(of(area.with(Area::NOTHING)), of(area));
        assert_eq!(of(area.with(Area::ALL)), of(Area::ALL));
        assert_eq!(of(Area::of_box([900.0, 0.0, 50.0, 50.0])), None);
    }
}
