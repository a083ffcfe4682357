//! Values of settings as a panel shows and edits them, whatever section they are in.

use super::{Choice, Field, Section, shown};

/// A function that is called with every setting: its section, its declaration and its value.
pub type Visitor<'a> = &'a mut dyn FnMut(&'static Section, &'static Field, Editor<'_>);

/// The value of a setting, and what it is reset to.
pub enum Editor<'a> {
    /// A number.
    Number(&'a mut f32, f32),
    /// A whole number.
    Count(&'a mut u32, u32),
    /// A switch.
    Switch(&'a mut bool, bool),
    /// A vector or a colour.
    Vector(&'a mut [f32; 3], [f32; 3]),
    /// Places along a line.
    Points(&'a mut Vec<[f32; 3]>, Vec<[f32; 3]>),
    /// Stops of a colour ramp: each a share of the way and a colour.
    Stops(&'a mut Vec<[f32; 4]>, Vec<[f32; 4]>),
    /// Curves, each the places along it.
    Curves(&'a mut Vec<Vec<[f32; 3]>>, Vec<Vec<[f32; 3]>>),
    /// One of several names.
    Choice(&'a mut dyn AnyChoice, usize),
}

impl Editor<'_> {
    /// Returns `true` if the value differs from what it is reset to.
    pub fn is_changed(&self) -> bool {
        match self {
            Self::Number(now, was) => **now != *was,
            Self::Count(now, was) => **now != *was,
            Self::Switch(now, was) => **now != *was,
            Self::Vector(now, was) => **now != *was,
            Self::Points(now, was) => **now != *was,
            Self::Stops(now, was) => **now != *was,
            Self::Curves(now, was) => **now != *was,
            Self::Choice(now, was) => now.position() != *was,
        }
    }

    /// Resets the value.
    pub fn reset(&mut self) {
        match self {
            Self::Number(now, was) => **now = *was,
            Self::Count(now, was) => **now = *was,
            Self::Switch(now, was) => **now = *was,
            Self::Vector(now, was) => **now = *was,
            Self::Points(now, was) => (*now).clone_from(was),
            Self::Stops(now, was) => (*now).clone_from(was),
            Self::Curves(now, was) => (*now).clone_from(was),
            Self::Choice(now, was) => now.choose(*was),
        }
    }
}

/// A value that a panel can edit.
pub trait Value {
    /// Returns the value for editing; resetting it gives `was`.
    fn editor<'a>(&'a mut self, was: &Self) -> Editor<'a>;
    /// Returns the value as a person would type it.
    fn written(&self) -> String;
    /// Returns the names of all values; none but for choices.
    fn names() -> Vec<&'static str> {
        Vec::new()
    }
}

/// Implements [`Value`] for types: the kind of their editors, and how a value is written.
macro_rules! values {
    ($($type:ty => $kind:ident, $value:ident: $written:expr;)*) => {$(
        impl Value for $type {
            fn editor<'a>(&'a mut self, was: &Self) -> Editor<'a> {
                Editor::$kind(self, was.to_owned())
            }

            fn written(&self) -> String {
                let $value = self;
                $written
            }
        }
    )*};
}

values! {
    f32 => Number, number: shown(*number);
    u32 => Count, number: number.to_string();
    bool => Switch, is_on: ["off", "on"][usize::from(*is_on)].to_owned();
    [f32; 3] => Vector, vector: vector.map(shown).join(", ");
    Vec<[f32; 3]> => Points, points: written(points);
    Vec<[f32; 4]> => Stops, stops: written(stops);
    Vec<Vec<[f32; 3]>> => Curves, curves: match &curves[..] {
        [] => "none".to_owned(),
        _ => {
            let curves = curves.iter().map(|curve| format!("[{}]", written(curve)));
            curves.collect::<Vec<_>>().join(" ")
        }
    };
}

/// Returns a list as a person would type it.
fn written<const N: usize>(list: &[[f32; N]]) -> String {
    let items = list.iter().map(|item| item.map(shown).join(", "));
    match list {
        [] => "none".to_owned(),
        _ => items.collect::<Vec<_>>().join("; "),
    }
}

impl<T: Choice> Value for T {
    fn editor<'a>(&'a mut self, was: &Self) -> Editor<'a> {
        Editor::Choice(self, was.position())
    }

    fn written(&self) -> String {
        self.to_string()
    }

    fn names() -> Vec<&'static str> {
        T::TABLE.iter().map(|row| row.1).collect()
    }
}

/// A [`Choice`] of any type.
pub trait AnyChoice {
    /// Returns the place of the value in the list of all.
    fn position(&self) -> usize;
    /// Takes the value at a place in the list of all, if there is one.
    fn choose(&mut self, position: usize);
    /// Returns name and description of all values.
    fn all(&self) -> Vec<(&'static str, &'static str)>;
}

impl<T: Choice> AnyChoice for T {
    fn position(&self) -> usize {
        let mut all = T::TABLE.iter();
        all.position(|row| row.0 == *self).unwrap_or_default()
    }

    fn choose(&mut self, position: usize) {
        if let Some(row) = T::TABLE.get(position) {
            *self = row.0;
        }
    }

    fn all(&self) -> Vec<(&'static str, &'static str)> {
        T::TABLE.iter().map(|row| (row.1, row.2)).collect()
    }
}
