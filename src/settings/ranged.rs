//! Values whose numbers have a range.

use super::MOST_ELEMENTS;

/// A number or a vector whose components have a range.
pub trait Ranged {
    /// Returns what `of` makes of each number and of that at the same place in `other`. Double
    /// precision holds all of them exactly.
    fn zipped(&self, other: &Self, of: impl FnMut(f64, f64) -> f64) -> Self;
    /// Returns the number of elements of a list.
    fn count(&self) -> usize {
        1
    }
}

impl Ranged for f32 {
    fn zipped(&self, other: &Self, mut of: impl FnMut(f64, f64) -> f64) -> Self {
        of((*self).into(), (*other).into()) as f32
    }
}

impl Ranged for u32 {
    fn zipped(&self, other: &Self, mut of: impl FnMut(f64, f64) -> f64) -> Self {
        of((*self).into(), (*other).into()) as u32
    }
}

impl<const N: usize> Ranged for [f32; N] {
    fn zipped(&self, other: &Self, mut of: impl FnMut(f64, f64) -> f64) -> Self {
        std::array::from_fn(|i| of(self[i].into(), other[i].into()) as f32)
    }
}

impl<T: Ranged + Default> Ranged for Vec<T> {
    fn zipped(&self, other: &Self, mut of: impl FnMut(f64, f64) -> f64) -> Self {
        let none = T::default();
        let other = other.iter().chain(std::iter::repeat(&none));
        let elements = self.iter().zip(other).take(MOST_ELEMENTS);
        elements.map(|(a, b)| a.zipped(b, &mut of)).collect()
    }

    fn count(&self) -> usize {
        let longest = self.iter().map(T::count).max();
        self.len().max(longest.unwrap_or(0))
    }
}
