//! Looping APNGs: full colour and partial transparency.

use anyhow::Result;
use image::RgbaImage;
use std::{fs::File, path::Path};

/// An encoder of an APNG, which writes each picture at once.
pub struct Apng(png::Writer<File>);

impl Apng {
    /// Starts a clip of `frames` pictures.
    pub fn new(path: &Path, size: (u32, u32), frames: u32, fps: f64) -> Result<Self> {
        let mut encoder = png::Encoder::new(File::create(path)?, size.0, size.1);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_animated(frames, 0)?; // 0: without end.
        let (numerator, denominator) = delay(fps);
        encoder.set_frame_delay(numerator, denominator)?;
        Ok(Self(encoder.write_header()?))
    }

    /// Appends a picture.
    pub fn push(&mut self, picture: &RgbaImage) -> Result<()> {
        Ok(self.0.write_image_data(picture.as_raw())?)
    }

    /// Completes the file.
    pub fn finish(self) -> Result<()> {
        Ok(self.0.finish()?)
    }
}

/// Returns the time of a frame, seconds, as a fraction of 16-bit numbers.
fn delay(fps: f64) -> (u16, u16) {
    let scales = [1000, 100, 10];
    let fits = |scale: &u16| (fps * f64::from(*scale)).round() <= f64::from(u16::MAX);
    let scale = scales.into_iter().find(fits).unwrap_or(1);
    (scale, (fps * f64::from(scale)).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_those_of_the_frame_rate() {
        for fps in [0.1, 1.0, 23.976, 25.0, 59.94, 119.88, 1000.0] {
            let (numerator, denominator) = delay(fps);
            let shown = f64::from(denominator) / f64::from(numerator);
            assert!((shown - fps).abs() < 1e-3 * fps, "{fps}: {shown}");
        }
    }

    #[test]
    fn decoded_frames_are_the_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.apng");
        let pictures = [10, 200].map(|red| {
            RgbaImage::from_fn(7, 5, |x, y| {
                image::Rgba([red, x as u8, y as u8, 40 * y as u8])
            })
        });
        let mut clip = Apng::new(&path, (7, 5), 2, 25.0).unwrap();
        clip.push(&pictures[0]).unwrap();
        clip.push(&pictures[1]).unwrap();
        clip.finish().unwrap();

        let file = std::io::BufReader::new(File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let animation = reader.info().animation_control.unwrap();
        assert_eq!((animation.num_frames, animation.num_plays), (2, 0));
        for picture in &pictures {
            let mut pixels = vec![0; picture.len()];
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!(&pixels, picture.as_raw());
        }
    }
}
