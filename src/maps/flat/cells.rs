//! The triangles near a place of the square: lists of them for its cells.

use super::shape::{BORDER, Shape};
use glam::DVec2;

/// Cells along a side, a power of two.
const SIDES: std::ops::RangeInclusive<usize> = 8..=512;
/// Triangles that a cell lists; the rest of them overlap anyway.
const MOST: u32 = 4096;
/// Entries of all lists: at least, and per triangle. What takes more gets larger cells.
const ENTRIES: [usize; 2] = [4 << 20, 8];

/// Cells in rows, each with the triangles that reach into it, in their order.
#[derive(Debug)]
pub(super) struct Cells {
    side: usize,
    /// Where the list of each cell begins, and the end of the last.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Cells {
    /// Of all triangles; those that are `None` keep their number.
    pub(super) fn of<I: Iterator<Item = Option<Shape>>>(shapes: impl Fn() -> I) -> Self {
        let count = shapes().count();
        let mut side = SIDES
            .rev()
            .find(|side| side.is_power_of_two() && side * side <= 2 * count)
            .unwrap_or(*SIDES.start());
        let most = ENTRIES[0].max(ENTRIES[1] * count);
        loop {
            let mut lists = Lists::new(side);
            let mut visits = 0;
            let fits = shapes().zip(0_u32..).all(|(shape, number)| {
                let mut each = |cell| {
                    visits += 1;
                    lists.count(cell, number);
                };
                shape.is_none_or(|shape| visit(&shape, side, most, &mut each)) && visits <= most
            });
            if !fits && side > 1 {
                side /= 2;
                continue;
            }
            lists.lay_out();
            for (shape, number) in shapes().zip(0_u32..) {
                if let Some(shape) = shape {
                    visit(&shape, side, usize::MAX, &mut |cell| {
                        lists.add(cell, number)
                    });
                }
            }
            return Self {
                side,
                starts: lists.starts,
                triangles: lists.triangles,
            };
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        (self.starts.len() + self.triangles.len()) * size_of::<u32>()
    }

    /// The triangles that may be at a place of the square, whose coordinates are 0 to below 1.
    pub(super) fn at(&self, at: DVec2) -> &[u32] {
        let index = |x: f64| ((x * self.side as f64) as usize).min(self.side - 1);
        let cell = index(at.y) * self.side + index(at.x);
        let bounds = (self.starts.get(cell), self.starts.get(cell + 1));
        let (Some(&start), Some(&end)) = bounds else {
            return &[];
        };
        let list = self.triangles.get(start as usize..end as usize);
        list.unwrap_or_default()
    }
}

/// Lists being made: first their lengths, then what is in them.
struct Lists {
    /// First their lengths, each one further on.
    starts: Vec<u32>,
    /// The triangle that each cell has met last, and one more: it may reach it from several tiles.
    last: Vec<u32>,
    /// Where the next entry of each goes.
    next: Vec<u32>,
    triangles: Vec<u32>,
}

impl Lists {
    fn new(side: usize) -> Self {
        Self {
            starts: vec![0; side * side + 1],
            last: vec![0; side * side],
            next: Vec::new(),
            triangles: Vec::new(),
        }
    }

    fn is_new(&mut self, cell: usize, number: u32) -> bool {
        let number = number.saturating_add(1);
        std::mem::replace(&mut self.last[cell], number) != number
    }

    fn count(&mut self, cell: usize, number: u32) {
        if self.is_new(cell, number) {
            let length = &mut self.starts[cell + 1];
            *length = (*length + 1).min(MOST);
        }
    }

    fn lay_out(&mut self) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.next = self.starts.clone();
        self.last.fill(0);
        self.triangles = vec![0; sum as usize];
    }

    fn add(&mut self, cell: usize, number: u32) {
        if self.is_new(cell, number) && self.next[cell] < self.starts[cell + 1] {
            self.triangles[self.next[cell] as usize] = number;
            self.next[cell] += 1;
        }
    }
}

/// Tells of all cells that a triangle reaches, and perhaps of a few more. False: there are more
/// than `most`, and nothing was told.
fn visit(shape: &Shape, side: usize, most: usize, each: &mut impl FnMut(usize)) -> bool {
    let scale = side as f64;
    let corners = shape.corners.map(|corner| corner * scale);
    let (low, high) = (shape.low() - BORDER, shape.high() + BORDER);
    // At most 8 tiles of 512 cells each way; about half of the box around it is reached.
    let about = ((high - low) * scale + 2.0).element_product() * 0.5;
    if about > most as f64 {
        return false;
    }
    let rows = (low.y * scale).floor() as i64..=(high.y * scale).floor() as i64;
    let border = BORDER * scale;
    for row in rows {
        let (top, bottom) = (row as f64 - border, (row + 1) as f64 + border);
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (p, q): (DVec2, DVec2) = (corners[i], corners[j]);
            let (p, q) = if p.y <= q.y { (p, q) } else { (q, p) };
            if q.y < top || p.y > bottom {
                continue;
            }
            let at = |y: f64| p.x + (q.x - p.x) * ((y.clamp(p.y, q.y) - p.y) / (q.y - p.y));
            // A level edge counts whole; a steep one where it is in the row.
            let ends = match q.y > p.y {
                true => [at(top), at(bottom)],
                false => [p.x, q.x],
            };
            for x in ends {
                (left, right) = (left.min(x), right.max(x));
            }
        }
        if left > right {
            continue;
        }
        let columns = (left - border).floor() as i64..=(right + border).floor() as i64;
        for column in columns {
            let fold = |at: i64| at.rem_euclid(side as i64) as usize;
            each(fold(row) * side + fold(column));
        }
    }
    true
}
