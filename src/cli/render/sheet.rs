//! Contact sheets: many pictures in one.

use image::{Rgba, RgbaImage, imageops};

/// Pixels between pictures.
const GUTTER: u32 = 4;
/// The colour between pictures on a background.
const PAPER: Rgba<u8> = Rgba([255; 4]);

/// The places of pictures in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub columns: u32,
    pub count: u32,
    /// Width and height of one picture, pixels.
    pub tile: (u32, u32),
}

impl Sheet {
    /// Width and height at most, pixels: those of a WebP.
    pub const MAX_SIDE: u64 = 16_384;

    /// Returns width and height, pixels, which may be more than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn size(&self) -> (u64, u64) {
        let rows = self.count.div_ceil(self.columns);
        let side =
            |tiles: u32, side: u32| u64::from(tiles) * u64::from(side + GUTTER) - u64::from(GUTTER);
        let columns = self.columns.min(self.count);
        (side(columns, self.tile.0), side(rows, self.tile.1))
    }

    /// Returns width and height, pixels, of a sheet that is not too large.
    pub fn pixels(&self) -> (u32, u32) {
        let (width, height) = self.size();
        (width as u32, height as u32)
    }

    /// Returns the sheet without pictures.
    pub fn blank(&self, background: bool) -> RgbaImage {
        let color = if background { PAPER } else { Rgba([0; 4]) };
        let (width, height) = self.pixels();
        RgbaImage::from_pixel(width, height, color)
    }

    /// Puts a picture in its place: row by row, from the left.
    pub fn put(&self, sheet: &mut RgbaImage, number: u32, picture: &RgbaImage) {
        let (column, row) = (number % self.columns, number / self.columns);
        let x = i64::from(column) * i64::from(self.tile.0 + GUTTER);
        let y = i64::from(row) * i64::from(self.tile.1 + GUTTER);
        imageops::replace(sheet, picture, x, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_in_rows_with_gutters_between_them() {
        let sheet = Sheet {
            columns: 2,
            count: 3,
            tile: (10, 6),
        };
        let mut drawn = sheet.blank(false);
        assert_eq!(drawn.dimensions(), (24, 16));
        for number in 0..3 {
            let picture = RgbaImage::from_pixel(10, 6, Rgba([number as u8, 0, 0, 255]));
            sheet.put(&mut drawn, number, &picture);
        }
        for (at, shown) in [
            ((0, 0), Some(0)),
            ((9, 5), Some(0)),
            ((10, 0), None),
            ((14, 0), Some(1)),
            ((0, 6), None),
            ((9, 15), Some(2)),
            ((14, 10), None),
        ] {
            let Rgba([number, _, _, alpha]) = *drawn.get_pixel(at.0, at.1);
            assert_eq!((alpha > 0).then_some(number), shown, "{at:?}");
        }
        let one_row = Sheet {
            columns: 9,
            ..sheet
        };
        assert_eq!(one_row.size(), (38, 6), "no empty columns");
    }
}
