//! Hair that comes with a head as lines, such as brows and lashes.

use super::Groom;
use glam::Vec3;

impl Groom {
    /// Returns lines between positions as strands, and the tips of the strands in head space. Lines that
    /// follow each other, the end of one being the start of the next, are one strand. A strand has
    /// the direction of its first line and the length of all.
    pub fn of_lines(lines: &[[u32; 2]], positions: &[Vec3]) -> (Groom, Vec<Vec3>) {
        let point = |vertex: u32| positions.get(vertex as usize).copied();
        let (mut groom, mut tips) = (Groom::default(), Vec::new());
        let mut last = None;
        for &[from, to] in lines {
            let (Some(start), Some(end)) = (point(from), point(to)) else {
                continue;
            };
            match (tips.last_mut(), groom.lengths.last_mut()) {
                (Some(tip), Some(length)) if last == Some(from) => {
                    *tip = end;
                    *length += start.distance(end);
                }
                _ => {
                    groom.roots.push(start);
                    groom.directions.push((end - start).normalize_or(Vec3::Y));
                    groom.lengths.push(start.distance(end));
                    tips.push(end);
                }
            }
            last = Some(to);
        }
        groom.normals = groom.directions.clone();
        (groom, tips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_each_other_are_one_strand() {
        let [a, b, c] = [Vec3::X, Vec3::X + Vec3::Y, 3.0 * Vec3::X + Vec3::Y];
        let positions = [a, b, c, Vec3::ZERO, Vec3::Z];
        let lines = [[0, 1], [1, 2], [3, 4], [3, 9]];
        let (groom, tips) = Groom::of_lines(&lines, &positions);
        assert_eq!(groom.roots, [a, Vec3::ZERO]);
        assert_eq!(groom.directions, [Vec3::Y, Vec3::Z]);
        assert_eq!(groom.lengths, [3.0, 1.0]);
        assert_eq!(tips, [c, Vec3::Z]);
    }
}
