//! The times of the values of USD.

/// The largest number of frames at equal steps, one for each time code.
const MOST_FRAMES: f64 = 1e5;

/// A frame that is looked at, and the times of the values of a layer.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The time, in time codes; `None`: that of each first value, where there is no other.
    pub time: Option<f64>,
    /// The times of the points or transforms that have most.
    pub times: Vec<f64>,
    /// The time codes per second, if the file tells.
    pub codes_per_second: Option<f64>,
}

impl Clock {
    /// Makes times that are at different steps those of each time code.
    pub fn even_out(&mut self) {
        let mut steps = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        let first = steps.next().unwrap_or(1.0);
        let is_even = steps.all(|step| (step - first).abs() <= 1e-3 * first.abs());
        if let ([from, .., to], false) = (&self.times[..], is_even)
            && to - from < MOST_FRAMES
        {
            let from = *from;
            let count = (to - from).floor() as u32;
            self.times = (0..=count).map(|nth| from + f64::from(nth)).collect();
        }
    }

    /// Returns the frames per second of times at equal steps.
    pub fn fps(&self) -> f64 {
        let rate = self.codes_per_second.unwrap_or(24.0);
        match self.times[..] {
            [first, .., last] if last > first => {
                rate * (self.times.len() - 1) as f64 / (last - first)
            }
            _ => rate,
        }
    }

    /// Sets the time codes per second, if they are a rate.
    pub fn set_rate(&mut self, rate: Option<f64>) {
        self.codes_per_second = rate.filter(|rate| rate.is_normal() && *rate > 0.0);
    }

    /// Notes the times of an attribute. Returns the number of the value that counts, and the share of
    /// the next one in what moves evenly between both.
    pub fn pick(&mut self, name: &str, times: Vec<f64>) -> (usize, Option<f64>) {
        let moves = name == "points" || name.starts_with("xformOp:");
        let after = self
            .time
            .map_or(0, |time| times.partition_point(|&own| own <= time));
        let now = after.saturating_sub(1);
        let share = match (self.time, times.get(now), times.get(after)) {
            (Some(time), Some(&from), Some(&to)) if moves && to > from && time > from => {
                Some((time - from) / (to - from))
            }
            _ => None,
        };
        if moves && times.len() > self.times.len() {
            self.times = times;
        }
        // Rotations as quaternions do not move evenly.
        (now, share.filter(|_| !name.starts_with("xformOp:orient")))
    }
}
