//! The detail of pictures in motion: as much as leaves thirty of them a second.

use mohawk::render::Economy;

/// Time for a picture in motion, seconds: thirty a second, and a little for the screen.
const TARGET_SECS: f32 = 0.031;
/// The share of that time below which there is more detail again.
const EASY: f32 = 0.65;
/// The number of pictures of which the fastest decides; others may have waited for something else.
const WINDOW: u32 = 4;

/// Resolution, then strands.
const LEVELS: [[f32; 2]; 9] = [
    [1.0, 1.0],
    [0.85, 1.0],
    [0.7, 1.0],
    [0.7, 0.8],
    [0.7, 0.65],
    [0.7, 0.5],
    [0.7, 0.4],
    [0.7, 0.3],
    [0.7, 0.2],
];

/// The detail, and what decides on it.
#[derive(Default)]
pub(crate) struct MotionDetail {
    level: usize,
    fastest_secs: f32,
    pictures: u32,
    /// `true` if everything is drawn in full, however long that takes.
    pub(crate) pinned: bool,
}

impl MotionDetail {
    /// Takes in the time that a picture in motion took.
    pub(crate) fn note(&mut self, secs: f32) {
        self.fastest_secs = match self.pictures {
            0 => secs,
            _ => secs.min(self.fastest_secs),
        };
        self.pictures += 1;
        if self.pictures < WINDOW {
            return;
        }
        self.pictures = 0;
        let load = self.fastest_secs / TARGET_SECS;
        let less = usize::from(load > 1.0) + usize::from(load > 1.5);
        let more = usize::from(load < EASY);
        self.level = (self.level + less)
            .min(LEVELS.len() - 1)
            .saturating_sub(more);
    }

    /// Returns what is saved on pictures in motion.
    pub(crate) fn economy(&self) -> Economy {
        if self.pinned {
            return Economy::NONE;
        }
        let [resolution, strands] = LEVELS[self.level];
        Economy {
            resolution,
            strands,
            ..Economy::HIDDEN
        }
    }

    /// Returns what is reduced of a picture with this share of the strands, in words; `None` if
    /// nothing is.
    pub(crate) fn reduced(&self, strands: f32) -> Option<String> {
        let resolution = self.economy().resolution;
        let percent = |share: f32| (100.0 * share).round();
        match (resolution < 1.0, strands < 1.0) {
            (false, false) => None,
            (true, false) => Some(format!("{} % resolution", percent(resolution))),
            (false, true) => Some(format!("{} % of the strands", percent(strands))),
            _ => Some(format!(
                "{} % resolution, {} % of the strands",
                percent(resolution),
                percent(strands)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(secs: &[f32]) -> MotionDetail {
        let mut detail = MotionDetail::default();
        secs.iter().for_each(|&secs| detail.note(secs));
        detail
    }

    #[test]
    fn slow_pictures_lose_resolution_then_strands_and_get_them_back() {
        assert_eq!(after(&[0.1; 3]).reduced(1.0), None);
        assert_eq!(after(&[0.1; 4]).reduced(1.0).unwrap(), "70 % resolution");
        let mut slow = after(&[0.04; 100]);
        assert_eq!(slow.economy().strands, 0.2);
        let least = slow.reduced(0.2).unwrap();
        assert_eq!(least, "70 % resolution, 20 % of the strands");
        slow.pinned = true;
        assert_eq!(slow.economy(), Economy::NONE);
        slow.pinned = false;
        (0..8 * WINDOW).for_each(|_| slow.note(0.01));
        assert_eq!(slow.reduced(1.0), None);
        assert_eq!(slow.reduced(0.3).unwrap(), "30 % of the strands");
    }

    #[test]
    fn single_slow_pictures_change_nothing() {
        let one_in_three = |i: u32| if i.is_multiple_of(3) { 0.5 } else { 0.025 };
        let secs: Vec<f32> = (0..60).map(one_in_three).collect();
        assert_eq!(after(&secs).reduced(1.0), None);
    }
}
