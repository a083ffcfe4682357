//! Strands as files of other programs hold them: polylines of any number of points, with widths,
//! colours and guides, in the units and axes of the file.
//!
//! Each format has a file here that reads and writes it; [`Format`] chooses one by extension, and
//! [`StrandsFile`] reads. [`crate::style`] makes hair of strands, and strands of hair.

mod alembic;
mod bytes;
mod cards;
mod chains;
mod data;
mod format;
mod gltf;
mod hair;
mod npz;
mod obj;
mod of_groom;
mod ply;
mod read;
mod surface;
#[cfg(test)]
mod tests;
mod tfx;
mod usd;

pub use format::{Format, StrandsError, StrandsErrorKind};
pub use of_groom::particles_to_file;
pub use read::{Noted, StrandsFile};
pub use surface::{Form, Shape};

use crate::bvh::bounds;
use crate::head::{MAX_COORDINATE, Up};
use glam::Vec3;
use std::ops::Range;

/// The width of strands without one, as a share of the diagonal of the box around all: about that of
/// hair on a head.
const WIDTH_SHARE: f32 = 2.5e-4;

/// The largest number of strands of a file.
pub const MAX_STRANDS: usize = 10_000_000;

/// Values that a file gives for all strands at once, for each strand, or for each point.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Values<T> {
    /// The file has none.
    #[default]
    None,
    /// One value for all.
    All(T),
    /// A value for each strand.
    Strands(Vec<T>),
    /// A value for each point, as the points are ordered.
    Points(Vec<T>),
}

impl<T: Copy> Values<T> {
    /// Returns `true` without values.
    pub fn is_none(&self) -> bool {
        matches!(self, Values::None)
    }

    /// Returns `true` with a value for each strand or point.
    pub fn is_many(&self) -> bool {
        matches!(self, Values::Strands(_) | Values::Points(_))
    }

    /// Returns the value of a point of a strand; `point` counts through all strands.
    pub fn at(&self, strand: usize, point: usize) -> Option<T> {
        match self {
            Values::None => None,
            Values::All(value) => Some(*value),
            Values::Strands(values) => values.get(strand).copied(),
            Values::Points(values) => values.get(point).copied(),
        }
    }

    /// Returns the values, and which of three says what they are of: all, strands or points.
    pub fn scoped<S>(&self, [all, strands, points]: [S; 3]) -> Option<(S, &[T])> {
        Some(match self {
            Values::None => return None,
            Values::All(value) => (all, std::slice::from_ref(value)),
            Values::Strands(values) => (strands, values),
            Values::Points(values) => (points, values),
        })
    }

    /// Returns the values converted one by one.
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> Values<U> {
        match self {
            Values::None => Values::None,
            Values::All(value) => Values::All(convert(value)),
            Values::Strands(values) => Values::Strands(values.into_iter().map(convert).collect()),
            Values::Points(values) => Values::Points(values.into_iter().map(convert).collect()),
        }
    }

    /// Returns `true` if all values pass a test.
    fn all(&self, passes: impl Fn(&T) -> bool) -> bool {
        let values = self.scoped([(); 3]);
        values.is_none_or(|(_, values)| values.iter().all(passes))
    }

    /// Returns the values, those of points replaced.
    fn each(&self, points: impl FnOnce(&[T]) -> Vec<T>) -> Self {
        match self {
            Values::Points(values) => Values::Points(points(values)),
            others => others.clone(),
        }
    }

    /// Returns `true` if there are as many values as strands or points.
    fn fits(&self, strands: usize, points: usize) -> bool {
        match self {
            Values::None | Values::All(_) => true,
            Values::Strands(values) => values.len() == strands,
            Values::Points(values) => values.len() == points,
        }
    }
}

/// Strands in the space of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// The number of points of each strand, at least 2.
    pub counts: Vec<u32>,
    /// The points of all strands, each from root to tip, in the units of the file.
    pub points: Vec<[f32; 3]>,
    /// Diameters, in the units of the file.
    pub widths: Values<f32>,
    /// Opacities, 0 to 1.
    pub opacities: Values<f32>,
    /// Colours, sRGB, 0 to 1.
    pub colors: Values<[f32; 3]>,
    /// The texture coordinates of the skin at each root, with v up; empty if unknown.
    pub root_uvs: Vec<[f32; 2]>,
    /// `true` for each strand that others follow; empty if unknown.
    pub guides: Vec<bool>,
    /// The direction that is up, if the file says it.
    pub up: Option<Up>,
    /// The length of a unit in metres, if the file says it.
    pub unit_metres: Option<f64>,
}

/// Replaces the points of strands by those of a frame of this number.
pub type WriteFrame<'a> = dyn FnMut(usize, &mut [[f32; 3]]) -> std::io::Result<()> + 'a;

/// Positions of strands at equal steps of time.
pub struct Motion<'a> {
    /// The frames per second.
    pub fps: f64,
    /// The number of frames.
    pub frames: usize,
    /// Frames are asked for in order, each once.
    pub frame: &'a mut WriteFrame<'a>,
}

/// The frame of a file that is read, and what the file tells of all.
#[derive(Clone, Debug, Default, PartialEq)]
struct Moment {
    /// The number of the frame that is read; of strands with fewer frames, the last.
    frame: usize,
    /// Its time in the units of USD; `None`: the values without a time, if there are any.
    time: Option<f64>,
    frames: usize,
    fps: f64,
    /// The times of all frames in the units of USD.
    times: Vec<f64>,
}

impl Moment {
    /// Notes that strands have so many frames.
    fn tell(&mut self, frames: usize, fps: f64) {
        if frames > self.frames {
            (self.frames, self.fps) = (frames, fps);
        }
    }
}

impl Strands {
    /// Returns the number of strands.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns `true` without strands.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the range of points of each strand.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.counts.iter().map(move |&count| {
            let start = end;
            end += count as usize;
            start..end
        })
    }

    /// Calls `take` with the value of each point, in their order.
    fn each_point<T: Copy, E>(
        &self,
        values: &Values<T>,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut strands = self.ranges().enumerate();
        strands.try_for_each(|(strand, mut range)| {
            range.try_for_each(|point| values.at(strand, point).map_or(Ok(()), &mut take))
        })
    }
}

impl Strands {
    /// Returns the strands without those of fewer than two points, and the number of these.
    ///
    /// # Errors
    ///
    /// No strands, more than [`MAX_STRANDS`], numbers of values that do not fit, or numbers that are
    /// not finite or beyond [`MAX_COORDINATE`].
    fn checked(mut self) -> Result<(Self, usize), String> {
        self.check()?;
        let short = self.counts.iter().filter(|&&count| count < 2).count();
        let long = self.len() - short;
        if (1..=MAX_STRANDS).contains(&long) && short > 0 {
            let counts = self.counts.clone();
            self = self.subset(|strand| counts[strand] >= 2);
        }
        match long {
            0 => Err("it has no strands of two points or more".to_owned()),
            count if count > MAX_STRANDS => Err(format!(
                "it has {count} strands; at most {MAX_STRANDS} are read"
            )),
            _ => Ok((self, short)),
        }
    }

    /// Checks that numbers of values fit, and that they are numbers, and that points are near.
    fn check(&self) -> Result<(), String> {
        let (strands, points) = (self.len(), self.points.len());
        let held: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        if held != points as u64 {
            return Err(format!(
                "its strands have {held} points, but it holds {points}"
            ));
        }
        let fits = self.widths.fits(strands, points)
            && self.opacities.fits(strands, points)
            && self.colors.fits(strands, points)
            && [0, strands].contains(&self.root_uvs.len())
            && [0, strands].contains(&self.guides.len());
        if !fits {
            return Err("it has more or fewer values than strands or points".to_owned());
        }
        let is_number = self.widths.all(|width| width.is_finite())
            && self.opacities.all(|opacity| opacity.is_finite())
            && self.colors.all(|color| color.iter().all(|x| x.is_finite()))
            && self.root_uvs.as_flattened().iter().all(|x| x.is_finite());
        if !is_number {
            let what = "it has a width, an opacity, a colour or a texture coordinate";
            return Err(format!("{what} that is not a finite number"));
        }
        let is_near = |point: &[f32; 3]| point.iter().all(|x| x.abs() <= MAX_COORDINATE);
        match self.points.iter().position(|point| !is_near(point)) {
            None => Ok(()),
            Some(nth) => Err(format!(
                "point {nth} has no number, or one beyond {MAX_COORDINATE}"
            )),
        }
    }

    /// Returns the low and the high corner of the box around all points.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        box_around(&self.points)
    }

    /// Returns the width of strands without one.
    fn usual_width(&self) -> f32 {
        let [low, high] = self.bounds().map(Vec3::from);
        WIDTH_SHARE * low.distance(high)
    }

    /// Returns the strands with `count` points each, 2 or more, evenly spaced along them. Values of
    /// points are those of the points before, between which they change evenly.
    pub fn resampled(&self, count: u32) -> Self {
        let count = count.max(2) as usize;
        let mut even = Self {
            counts: vec![count as u32; self.len()],
            points: Vec::with_capacity(count * self.len()),
            widths: Values::None,
            opacities: Values::None,
            colors: Values::None,
            ..self.clone()
        };
        let places: Vec<(usize, f32)> = (self.ranges())
            .flat_map(|range| even_places(&self.points[range.clone()], range.start, count))
            .collect();
        even.points = along(&places, &self.points);
        let numbers = |values: &[f32]| along(&places, values.as_chunks::<1>().0).into_flattened();
        even.widths = self.widths.each(numbers);
        even.opacities = self.opacities.each(numbers);
        even.colors = self.colors.each(|values| along(&places, values));
        even
    }

    /// Returns the strands for which `keep` is true.
    pub fn subset(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|&strand| keep(strand)).collect();
        self.picked(&kept)
    }

    /// Returns the strands with these numbers, in their order.
    pub(crate) fn picked(&self, kept: &[usize]) -> Self {
        let all: Vec<Range<usize>> = self.ranges().collect();
        let ranges: Vec<_> = kept.iter().map(|&strand| all[strand].clone()).collect();
        fn of_strands<T: Copy>(kept: &[usize], values: &[T]) -> Vec<T> {
            match values {
                [] => Vec::new(),
                values => kept.iter().map(|&strand| values[strand]).collect(),
            }
        }
        fn of_points<T: Copy>(ranges: &[Range<usize>], values: &[T]) -> Vec<T> {
            let values = ranges.iter().flat_map(|range| &values[range.clone()]);
            values.copied().collect()
        }
        fn values<T: Copy>(kept: &[usize], ranges: &[Range<usize>], all: &Values<T>) -> Values<T> {
            match all {
                Values::None => Values::None,
                Values::All(value) => Values::All(*value),
                Values::Strands(values) => Values::Strands(of_strands(kept, values)),
                Values::Points(values) => Values::Points(of_points(ranges, values)),
            }
        }
        Self {
            counts: of_strands(kept, &self.counts),
            points: of_points(&ranges, &self.points),
            widths: values(kept, &ranges, &self.widths),
            opacities: values(kept, &ranges, &self.opacities),
            colors: values(kept, &ranges, &self.colors),
            root_uvs: of_strands(kept, &self.root_uvs),
            guides: of_strands(kept, &self.guides),
            up: self.up,
            unit_metres: self.unit_metres,
        }
    }
}

/// Returns `count` places evenly spaced along a strand: the point before each, counted from `first`,
/// and the share of the way to the next.
pub(crate) fn even_places(
    points: &[[f32; 3]],
    first: usize,
    count: usize,
) -> impl Iterator<Item = (usize, f32)> + use<> {
    let mut ends = vec![0.0];
    for pair in points.windows(2) {
        let long = Vec3::from(pair[0]).distance(Vec3::from(pair[1]));
        ends.push(ends[ends.len() - 1] + f64::from(long));
    }
    let (whole, last) = (ends[ends.len() - 1], ends.len() - 2);
    let mut before = 0;
    (0..count).map(move |nth| {
        let place = whole * nth as f64 / (count - 1) as f64;
        while before < last && ends[before + 1] < place {
            before += 1;
        }
        let long = ends[before + 1] - ends[before];
        let share = if long > 0.0 {
            (place - ends[before]) / long
        } else {
            0.0
        };
        (first + before, share.clamp(0.0, 1.0) as f32)
    })
}

/// Returns the values at places between those of points.
pub(crate) fn along<const N: usize>(places: &[(usize, f32)], values: &[[f32; N]]) -> Vec<[f32; N]> {
    let at = |&(before, share): &(usize, f32)| {
        let (from, to) = (values[before], values[before + 1]);
        // The ends keep their bits.
        std::array::from_fn(|nth| match share {
            0.0 => from[nth],
            1.0 => to[nth],
            share => from[nth] + share * (to[nth] - from[nth]),
        })
    };
    places.iter().map(at).collect()
}

/// Returns the low and the high corner of the box around points.
fn box_around(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let (low, high) = bounds(points.iter().copied().map(Vec3::from));
    match points {
        [] => [[0.0; 3]; 2],
        _ => [low.to_array(), high.to_array()],
    }
}
