//! Steps of equal length along a stroke.

use glam::DVec2;

/// Length of a step, pixels; the last step of a stroke may be shorter.
pub(crate) const STEP_PIXELS: f64 = 4.0;

/// Resamples the positions of a mouse to steps of equal length, however often it reports.
#[derive(Debug, Default)]
pub(crate) struct Even {
    /// The end of the last whole step.
    at: Option<DVec2>,
    /// The last reported position.
    last: DVec2,
    /// Length of the way since the last whole step, pixels.
    since: f64,
    /// Whether there was a step.
    any: bool,
}

impl Even {
    /// Adds a position, and calls `step` with both ends of each whole step.
    pub(crate) fn push(&mut self, to: DVec2, step: &mut impl FnMut([DVec2; 2])) {
        let Some(mut at) = self.at else {
            (self.at, self.last) = (Some(to), to);
            return;
        };
        let (from, way) = (self.last, to.distance(self.last));
        let mut done = 0.0;
        while self.since + (way - done) >= STEP_PIXELS {
            done += STEP_PIXELS - self.since;
            let next = from + (to - from) * (done / way);
            step([at, next]);
            (at, self.since, self.any) = (next, 0.0, true);
        }
        self.since += way - done;
        (self.at, self.last) = (Some(at), to);
    }

    /// Ends the stroke, and calls `step` for the rest of the way, or for a tap.
    pub(crate) fn finish(&mut self, step: &mut impl FnMut([DVec2; 2])) {
        if let Some(at) = self.at.take()
            && (at != self.last || !self.any)
        {
            step([at, self.last]);
        }
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_do_not_depend_on_how_often_the_mouse_tells() {
        let of = |points: &[DVec2]| {
            let (mut even, mut steps) = (Even::default(), Vec::new());
            for &point in points {
                even.push(point, &mut |step| steps.push(step));
            }
            even.finish(&mut |step| steps.push(step));
            steps
        };
        let steps = |every: f64| {
            let count = (100.0 / every) as usize;
            let mut points: Vec<_> = (0..=count).map(|i| every * i as f64).collect();
            points.push(100.0);
            let points: Vec<_> = points.iter().map(|&x| DVec2::new(x, 0.5 * x)).collect();
            of(&points)
        };
        let (rare, often) = (steps(50.0), steps(0.37));
        assert_eq!(rare.len(), often.len());
        for (a, b) in rare.iter().zip(&often) {
            assert!(a[0].distance(b[0]) < 1e-3 && a[1].distance(b[1]) < 1e-3);
            assert!(a[0].distance(a[1]) <= 4.0 + 1e-4);
        }
        assert_eq!(rare.len(), (100.0 * 1.25_f64.sqrt() / 4.0).ceil() as usize);
        assert_eq!(of(&[DVec2::ONE]).len(), 1);
    }
}
