//! Cubic curves as polylines: points of the curve where its segments meet, and between those of
//! Bezier curves, which have fewer.

/// How the points of a curve are meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    Linear,
    Bezier,
    Bspline,
    CatmullRom,
}

/// Points of a polyline in a segment of a Bezier curve, as many as its own points.
const BEZIER_POINTS: usize = 3;

impl Basis {
    /// Returns the basis of the attributes `type` and `basis`.
    pub fn of(kind: &str, basis: &str) -> Self {
        match (kind, basis) {
            ("linear", _) => Basis::Linear,
            (_, "bspline") => Basis::Bspline,
            (_, "catmullRom") => Basis::CatmullRom,
            _ => Basis::Bezier,
        }
    }

    /// Returns the number of segments of a curve with so many points; `pinned` curves reach their
    /// first and last point.
    pub fn segments(self, points: usize, is_pinned: bool) -> usize {
        match self {
            Basis::Linear => points.saturating_sub(1),
            Basis::Bezier => points.saturating_sub(1) / 3,
            _ if is_pinned => points.saturating_sub(1),
            _ => points.saturating_sub(3),
        }
    }

    /// Returns the points of a polyline in a curve with so many segments.
    pub fn points(self, segments: usize) -> usize {
        match (self, segments) {
            (_, 0) => 0,
            (Basis::Bezier, segments) => BEZIER_POINTS * segments + 1,
            (_, segments) => segments + 1,
        }
    }

    /// Returns the values of a curve at the points of its polyline; `values` are those of its points.
    pub fn along<const N: usize>(
        self,
        values: &[[f32; N]],
        is_pinned: bool,
    ) -> impl Iterator<Item = [f32; N]> + '_ {
        let segments = self.segments(values.len(), is_pinned);
        // The point before the first of a pinned curve is its mirror image.
        let last = values.len() as isize - 1;
        let at = move |nth: isize| -> [f32; N] {
            let mirrored = |end: isize, inner: isize| {
                let (end, inner) = (values[end as usize], values[inner as usize]);
                std::array::from_fn(|lane| 2.0 * end[lane] - inner[lane])
            };
            match nth {
                -1 => mirrored(0, 1),
                nth if nth > last => mirrored(last, last - 1),
                nth => values[nth as usize],
            }
        };
        (0..self.points(segments)).map(move |nth| {
            let (first, weights) = self.weights(nth, segments);
            let first = first as isize - isize::from(is_pinned && self.is_wide());
            // A value alone keeps its bits.
            if let Some(one) = weights.iter().position(|&weight| weight == 1.0) {
                return at(first + one as isize);
            }
            let mut sum = [0.0; N];
            for (point, weight) in weights
                .iter()
                .enumerate()
                .filter(|(_, weight)| **weight != 0.0)
            {
                let value = at(first + point as isize);
                (sum.iter_mut().zip(value)).for_each(|(sum, value)| *sum += weight * value);
            }
            sum
        })
    }

    /// Returns `true` if segments share three of their four points.
    fn is_wide(self) -> bool {
        matches!(self, Basis::Bspline | Basis::CatmullRom)
    }

    /// Returns the first of the points on which a point of the polyline depends, and their weights.
    fn weights(self, nth: usize, segments: usize) -> (usize, [f32; 4]) {
        match self {
            Basis::Linear => (nth, [1.0, 0.0, 0.0, 0.0]),
            Basis::CatmullRom => (nth, [0.0, 1.0, 0.0, 0.0]),
            Basis::Bspline => (nth, [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0]),
            Basis::Bezier if nth == BEZIER_POINTS * segments => {
                (3 * segments, [1.0, 0.0, 0.0, 0.0])
            }
            Basis::Bezier => {
                let t = (nth % BEZIER_POINTS) as f32 / BEZIER_POINTS as f32;
                let s = 1.0 - t;
                let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
                (nth / BEZIER_POINTS * 3, weights)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(basis: Basis, values: &[f32], is_pinned: bool) -> Vec<f32> {
        let values: Vec<[f32; 1]> = values.iter().map(|&value| [value]).collect();
        let along = basis.along(&values, is_pinned);
        along.map(|[value]| (value * 1e4).round() / 1e4).collect()
    }

    #[test]
    fn cubic_curves_pass_where_they_should() {
        let line = [0.0, 1.0, 2.0, 3.0];
        assert_eq!(along(Basis::Linear, &line, false), line);
        // All reproduce a straight line.
        assert_eq!(along(Basis::Bezier, &line, false), line);
        assert_eq!(along(Basis::Bspline, &line, false), [1.0, 2.0]);
        assert_eq!(along(Basis::CatmullRom, &line, false), [1.0, 2.0]);
        assert_eq!(along(Basis::Bspline, &line, true), line);
        assert_eq!(along(Basis::CatmullRom, &line, true), line);
        let bent = [0.0, 0.0, 6.0, 6.0];
        assert_eq!(along(Basis::Bspline, &bent, false), [1.0, 5.0]);
        assert_eq!(
            along(Basis::Bezier, &bent, false),
            [0.0, 1.5556, 4.4444, 6.0]
        );
        assert_eq!(along(Basis::Bspline, &[0.0; 3], false), [0.0; 0]);
    }
}
