//! The part of the page that changes.

use super::view::View;
use glam::DVec2;
use three_d::ScissorBox;

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
        let pixels = [view.viewport.width, view.viewport.height].map(f64::from);
        let corner = DVec2::from(view.fit.corner);
        let [low, high] = [self.low, self.high].map(|point| corner + view.fit.scale * point);
        let low = (low - 1.0).floor().max(DVec2::ZERO);
        let high = (high + 1.0).ceil().min(pixels.into());
        (low.x < high.x && low.y < high.y).then(|| ScissorBox {
            x: low.x as i32,
            // Rows of the page go down.
            y: (pixels[1] - high.y) as i32,
            width: (high.x - low.x) as u32,
            height: (high.y - low.y) as u32,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doll::PageFit;
    use three_d::Viewport;

    #[test]
    fn boxes_of_the_page_are_boxes_of_pixels() {
        let view = View {
            viewport: Viewport::new_at_origo(1000, 1200),
            fit: PageFit::of([1000, 1200]),
        };
        // The page of 800 x 600 is 1,000 x 750, 225 pixels below the top.
        let of = |area: Area| {
            let pixels = area.scissor(&view);
            pixels.map(|p| [p.x, p.y, p.width as i32, p.height as i32])
        };
        assert_eq!(of(Area::NOTHING), None);
        assert_eq!(of(Area::ALL), Some([0, 0, 1000, 1200]));
        let area = Area::of_box([80.0, 40.0, 8.0, 4.0]);
        assert_eq!(of(area), Some([99, 1200 - 281, 12, 7]));
        assert_eq!(of(area.with(Area::NOTHING)), of(area));
        assert_eq!(of(area.with(Area::ALL)), of(Area::ALL));
        assert_eq!(of(Area::of_box([900.0, 0.0, 50.0, 50.0])), None);
    }
}
