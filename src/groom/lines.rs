//! Hair that comes with a head as lines, such as brows and lashes.

use super::{Groom, RestCurves};
use crate::head::Part;
use glam::Vec3;

impl Groom {
    /// Returns the lines of a part as strands. Lines that follow each other, the end of one being
    /// the start of the next, are one strand, up to [`RestCurves::MOST_POINTS`].
    pub fn of_lines(part: &Part) -> Groom {
        let point = |vertex: u32| part.positions.get(vertex as usize).copied();
        let mut strands: Vec<Vec<Vec3>> = Vec::new();
        let mut last = None;
        for &[from, to] in &part.lines {
            let (Some(start), Some(end)) = (point(from), point(to)) else {
                continue;
            };
            match strands.last_mut() {
                Some(strand) if last == Some(from) && strand.len() < RestCurves::MOST_POINTS => {
                    strand.push(end);
                }
                _ => strands.push(vec![start, end]),
            }
            last = Some(to);
        }
        let length = |strand: &Vec<Vec3>| strand.windows(2).map(|l| l[0].distance(l[1])).sum();
        let direction = |strand: &Vec<Vec3>| (strand[1] - strand[0]).normalize_or(Vec3::Y);
        let directions: Vec<Vec3> = strands.iter().map(direction).collect();
        Groom {
            roots: strands.iter().map(|strand| strand[0]).collect(),
            normals: directions.clone(),
            directions,
            lengths: strands.iter().map(length).collect(),
            curves: RestCurves::of_uneven(&strands),
            ..Groom::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_each_other_are_one_strand() {
        let positions = [0.0, 1.0, 2.0, 5.0, 6.0].map(|x| Vec3::new(x, 0.0, 0.0));
        let part = Part {
            positions: positions.to_vec(),
            lines: vec![[0, 1], [1, 2], [3, 4]],
            ..Part::default()
        };
        let groom = Groom::of_lines(&part);
        assert_eq!(groom.roots, [positions[0], positions[3]]);
        assert_eq!(groom.lengths, [2.0, 1.0]);
        let curves = groom.curves.unwrap();
        assert_eq!(curves.strand(0), &positions[..3]);
        // Strands have the same number of points.
        assert_eq!(curves.strand(1), [0.0, 0.5, 1.0].map(|x| Vec3::X * x));
    }
}
