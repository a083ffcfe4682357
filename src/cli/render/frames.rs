//! The pictures of a clip: how many, which of them are taken, and when.

use std::ops::Range;

/// The most pictures of a clip.
const MOST: u32 = 1_000_000;

/// A checked `--frames`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// The number of pictures of the whole clip.
    pub total: Option<u32>,
    /// The pictures to take of them; all if `None`.
    pub part: Option<Range<u32>>,
}

impl Frames {
    /// Parses `N`, `A..B` or `A..B/N`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected a number from 1 to {MOST}, or A..B or A..B/N for the pictures A to B-1 \
                 of N, for example 50..100/300"
            )
        };
        let number = |text: &str| text.trim().parse().ok().filter(|n| *n <= MOST);
        let Some((first, rest)) = text.split_once("..") else {
            let total = number(text).filter(|total| *total > 0);
            let total = Some(total.ok_or_else(wrong)?);
            return Ok(Self { total, part: None });
        };
        let (end, total) = match rest.split_once('/') {
            Some((end, total)) => (end, Some(number(total).ok_or_else(wrong)?)),
            None => (rest, None),
        };
        let part = number(first).ok_or_else(wrong)?..number(end).ok_or_else(wrong)?;
        if part.is_empty() || total.is_some_and(|total| part.end > total) {
            return Err(wrong());
        }
        let part = Some(part);
        Ok(Self { total, part })
    }

    /// Returns the number of pictures to take, 1 if it is not given.
    pub fn count(&self) -> u32 {
        let part = self.part.as_ref().map(|part| part.len() as u32);
        part.or(self.total).unwrap_or(1)
    }

    /// Returns `true` if the pictures are those of a clip, not a single one.
    pub fn are_many(&self) -> bool {
        self.total.map_or(self.part.is_some(), |total| total > 1)
    }
}

/// The times of the pictures of a clip.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The number of pictures of the whole clip.
    pub total: u32,
    /// The pictures that are taken of them.
    pub taken: Range<u32>,
    /// The time of the first picture of the clip, seconds.
    pub start_secs: f64,
    pub fps: f64,
    /// The share of the time between two pictures in which each is taken.
    pub shutter: f64,
    /// Samples per pixel, each of which has its moment in that time.
    pub samples: u32,
}

impl Timing {
    /// Returns the number of moments of each picture.
    pub fn moments(&self) -> u32 {
        match self.shutter > 0.0 {
            true => self.samples,
            false => 1,
        }
    }

    /// Returns the time of a picture, seconds.
    pub fn secs(&self, frame: u32) -> f64 {
        self.start_secs + f64::from(frame) / self.fps
    }
}

/// Returns the number of the moment at a share of the time of a picture, counted over all pictures of so
/// many moments each.
pub fn moment(picture: u32, share: f64, moments: u32) -> u64 {
    let last = f64::from(moments) - 1.0;
    let within = (share * f64::from(moments)).round().min(last) as u64;
    u64::from(picture) * u64::from(moments) + within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_parts_are_parsed() {
        let frames = |total, part| Ok(Frames { total, part });
        assert_eq!(Frames::parse("12"), frames(Some(12), None));
        assert_eq!(Frames::parse("0..50"), frames(None, Some(0..50)));
        assert_eq!(Frames::parse("50..60/60"), frames(Some(60), Some(50..60)));
        // The part that is all of one picture is no clip.
        for (text, many) in [
            ("1", false),
            ("0..1/1", false),
            ("0..1/2", true),
            ("0..1", true),
        ] {
            assert_eq!(Frames::parse(text).unwrap().are_many(), many, "{text}");
        }
        for wrong in [
            "", "0", "-1", "1000001", "5..5", "6..5", "..5", "5..", "0..7/6", "0..5/", "1..2..3",
        ] {
            let error = Frames::parse(wrong).unwrap_err();
            assert!(error.contains("50..100/300"), "{wrong}: {error}");
        }
    }
}
