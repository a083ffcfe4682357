//! The animations of a head.

use super::curve::Curve;
use crate::head::error::quoted;

/// The most names that a message lists.
const MOST_NAMES: usize = 8;

/// An animation of a file.
#[derive(Debug)]
pub struct Animation {
    /// Its name, or its number if it has none.
    pub name: String,
    /// Its index in the file.
    pub number: usize,
    /// The time of its last key, seconds, up to an hour.
    pub duration_secs: f64,
    /// The time after it in which the head returns to its start; 0 for a loop, and for a head that turns
    /// and bends in a loop while it goes elsewhere.
    pub(super) return_secs: f64,
    pub(super) curves: Vec<Curve>,
}

impl Animation {
    /// Returns the time after which it begins anew, seconds, above 0.
    pub fn period_secs(&self) -> f64 {
        match self.duration_secs + self.return_secs {
            secs if secs > 0.0 => secs,
            _ => 1.0,
        }
    }
}

/// Returns the place in a list of the animation of this name or number, as
/// [`Head::animation`](crate::head::Head::animation) says.
pub fn chosen(
    animations: &[Animation],
    wanted: Option<&str>,
) -> std::result::Result<Option<usize>, String> {
    let Some(wanted) = wanted else {
        // Files often begin with a pose of rest.
        let moves = |animation: &Animation| !animation.curves.iter().all(Curve::is_still);
        return Ok(animations.iter().position(moves));
    };
    if wanted == "none" {
        return Ok(None);
    }
    let named = |animation: &Animation| animation.name == wanted;
    let numbered = |animation: &Animation| wanted.parse() == Ok(animation.number);
    let mut all = animations.iter();
    let place = all
        .position(named)
        .or_else(|| animations.iter().position(numbered));
    place.map(Some).ok_or_else(|| match animations.is_empty() {
        true => "it has no animation that moves it".to_owned(),
        false => {
            let names = animations.iter().take(MOST_NAMES);
            let names =
                names.map(|animation| format!("{} {}", animation.number, quoted(&animation.name)));
            let names: Vec<String> = names.collect();
            let more = match animations.len() > MOST_NAMES {
                true => ", and more",
                false => "",
            };
            let wanted = quoted(wanted);
            format!(
                "it has no animation {wanted}, but {}{more}",
                names.join(", ")
            )
        }
    })
}
