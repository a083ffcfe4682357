//! What is seen on the screen.

use std::collections::HashSet;
use std::ops::Range;

pub type Rgb = [u8; 3];

#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pixels: Vec<Rgb>,
}

/// Hair in the studio look: pink.
pub fn is_hair([r, g, b]: Rgb) -> bool {
    r > 120 && r - r.min(g) > 70 && b > g
}

/// Skin in the light.
pub fn is_skin([r, g, b]: Rgb) -> bool {
    r > 130 && r >= g && g > b && (25..120).contains(&(r - b)) && r - g < 75
}

impl Picture {
    pub fn new(width: usize, pixels: Vec<Rgb>) -> Self {
        assert_eq!(pixels.len() % width, 0);
        Picture { width, pixels }
    }

    pub fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Coordinates and colour of every pixel.
    fn pixels(&self) -> impl Iterator<Item = (usize, usize, Rgb)> {
        let pixels = self.pixels.iter().enumerate();
        pixels.map(|(i, rgb)| (i % self.width, i / self.width, *rgb))
    }

    /// The pixels in a range of columns and rows.
    pub fn part(&self, x: Range<usize>, y: Range<usize>) -> Picture {
        let rows = y.map(|row| &self.pixels[row * self.width..][x.clone()]);
        Picture::new(x.len(), rows.flatten().copied().collect())
    }

    /// The mean of each square of `size` pixels.
    pub fn coarse(&self, size: usize) -> Picture {
        let mean = |x: usize, y: usize| {
            let square = self.part(x * size..(x + 1) * size, y * size..(y + 1) * size);
            [0, 1, 2].map(|channel| {
                let sum: usize = square
                    .pixels
                    .iter()
                    .map(|rgb| usize::from(rgb[channel]))
                    .sum();
                (sum / (size * size)) as u8
            })
        };
        let (width, height) = (self.width / size, self.height() / size);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Picture::new(width, pixels.map(|(x, y)| mean(x, y)).collect())
    }

    pub fn colors(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }

    pub fn count(&self, of: impl Fn(Rgb) -> bool) -> usize {
        self.pixels.iter().filter(|rgb| of(**rgb)).count()
    }

    /// Where pixels of a kind are on average, from the top left.
    #[track_caller]
    pub fn center(&self, of: impl Fn(Rgb) -> bool) -> (f64, f64) {
        let (mut n, mut sum) = (0.0, (0.0, 0.0));
        for (x, y, _) in self.pixels().filter(|(.., rgb)| of(*rgb)) {
            n += 1.0;
            sum = (sum.0 + x as f64, sum.1 + y as f64);
        }
        assert!(n > 0.0, "nothing of that colour is in the picture");
        (sum.0 / n, sum.1 / n)
    }

    /// Mean difference of the channels, 0 to 255.
    #[track_caller]
    pub fn difference(&self, other: &Picture) -> f64 {
        assert_eq!(
            (self.width, self.height()),
            (other.width, other.height()),
            "sizes"
        );
        let pairs = self.pixels.as_flattened().iter();
        let pairs = pairs.zip(other.pixels.as_flattened());
        let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / (3 * self.pixels.len()) as f64
    }

    /// Points in the buttons of the first row that has `count` of them, left to right. Nobody
    /// may point at them: that changes their colour.
    pub fn buttons(&self, count: usize) -> Option<Vec<(i32, i32)>> {
        // That of a button, and of one with the keyboard.
        const GROUNDS: [Rgb; 2] = [[60; 3], [55; 3]];
        const LEAST_WIDTH: usize = 20;
        const BELOW_THE_EDGE: usize = 3;
        let mut rows = self.pixels.chunks(self.width).enumerate().map(|(y, row)| {
            let mut middles = Vec::new();
            let mut x = 0;
            for run in row.chunk_by(|a, b| a == b) {
                if GROUNDS.contains(&run[0]) && run.len() >= LEAST_WIDTH {
                    middles.push(((x + run.len() / 2) as i32, (y + BELOW_THE_EDGE) as i32));
                }
                x += run.len();
            }
            middles
        });
        rows.find(|middles| middles.len() == count)
    }

    /// The middle of the first choice of the panel that is marked as made.
    pub fn chosen(&self) -> Option<(i32, i32)> {
        const MARK: Rgb = [0, 92, 128];
        const LEAST_WIDTH: usize = 20;
        const BELOW_THE_EDGE: usize = 3;
        self.pixels
            .chunks(self.width)
            .enumerate()
            .find_map(|(y, row)| {
                let first = row.iter().position(|rgb| *rgb == MARK)?;
                let run = row[first..].iter().take_while(|rgb| **rgb == MARK).count();
                let middle = ((first + run / 2) as i32, (y + BELOW_THE_EDGE) as i32);
                (run >= LEAST_WIDTH).then_some(middle)
            })
    }

    /// A point in the first field for typing, which is flat and wide.
    pub fn field(&self) -> Option<(i32, i32)> {
        const WIDTH: usize = 120;
        const HALF_HEIGHT: usize = 8;
        let mut run = 0;
        let mut fields = self.pixels().filter_map(|(x, y, rgb)| {
            run = if rgb == [10; 3] && x > 0 { run + 1 } else { 0 };
            (run == WIDTH).then(|| (x - WIDTH / 2, y + HALF_HEIGHT))
        });
        fields.next().map(|(x, y)| (x as i32, y as i32))
    }

    /// Writes it as a PNG.
    pub fn save(&self, path: &std::path::Path) -> image::ImageResult<()> {
        let (width, height) = (self.width as u32, self.height() as u32);
        let bytes = self.pixels.as_flattened().to_vec();
        let file = image::RgbImage::from_raw(width, height, bytes).unwrap();
        file.save(path)
    }
}
