//! Lists of settings, such as the colliders.

use super::{SettingError, Visitor};

/// An element of a list of settings, such as a collider.
pub trait ListItem: Clone {
    /// Full key of the list in a settings file.
    const KEY: &'static str;
    /// The largest number of elements.
    const MAX: usize;
    /// Checks every range.
    ///
    /// # Errors
    /// [`SettingError`] of the first value that is out of range.
    fn validate(&self) -> Result<(), SettingError>;
}

/// A list of settings; it validates and clamps as a section does.
pub trait List {
    /// Checks the length and every element.
    ///
    /// # Errors
    /// [`SettingError`] if the list is too long or a value is out of range.
    fn validate(&self) -> Result<(), SettingError>;
    /// Returns the list without the elements that are invalid or too many.
    fn clamped(&self) -> Self;
    /// Shows nothing: elements have rows of their own kind.
    fn visit(&mut self, _was: &Self, _visitor: Visitor<'_>) {}
}

impl<T: ListItem> List for Vec<T> {
    fn validate(&self) -> Result<(), SettingError> {
        if self.len() > T::MAX {
            let key = format!("number of {}", T::KEY);
            let expected = format!("at most {}", T::MAX);
            return Err(SettingError::new(key, self.len(), expected));
        }
        let mut numbered = self.iter().zip(1..);
        numbered.try_for_each(|(item, number)| {
            item.validate().map_err(|error| SettingError {
                key: format!("{} (number {number})", error.key),
                ..error
            })
        })
    }

    fn clamped(&self) -> Self {
        let first = self.iter().take(T::MAX);
        let valid = first.filter(|item| item.validate().is_ok());
        valid.cloned().collect()
    }
}
