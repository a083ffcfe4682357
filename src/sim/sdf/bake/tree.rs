//! A bounding-volume tree of triangles.

use glam::Vec3;

/// The largest number of triangles in a leaf.
const MAX_LEAF: usize = 3;
/// A triangle whose height is below this share of its longest edge counts as having no area; its
/// normal would be rounding noise.
const MIN_HEIGHT: f64 = 1e-12;

/// The corners of a triangle in head space, counter-clockwise seen from outside.
pub(crate) type Corners = [Vec3; 3];

/// Whether a triangle has an area.
pub(crate) fn has_area(corners: &Corners) -> bool {
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    let longest2 = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    (b - a).cross(c - a).length() > MIN_HEIGHT * longest2
}

/// The bounding box of some triangles. The first node is the root; a node's first child follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// The first triangle and the number of triangles.
    pub(crate) from: u32,
    pub(crate) count: u32,
    /// The index of the second child; 0 for a leaf.
    pub(crate) second: u32,
}

impl Node {
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.from as usize..self.from as usize + self.count as usize
    }
}

/// Triangles, sorted so that those of a node are contiguous.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) corners: Vec<Corners>,
}

impl Tree {
    /// Builds the tree of fewer than 2^31 triangles with finite corners.
    pub(crate) fn of(triangles: &[Corners]) -> Self {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(triangles.len() / MAX_LEAF * 2 + 1);
        // Ranges without a node yet, and the parent if the range is its second child.
        let mut open = vec![(0..order.len(), None)];
        while let Some((range, parent)) = open.pop() {
            if range.is_empty() {
                continue;
            }
            let here = nodes.len();
            if let Some(parent) = parent {
                let parent: &mut Node = &mut nodes[parent];
                parent.second = here as u32;
            }
            let mine = &mut order[range.clone()];
            let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for p in mine.iter().flat_map(|&t| triangles[t as usize]) {
                low = low.min(p);
                high = high.max(p);
            }
            if mine.len() > MAX_LEAF {
                let axis = (high - low).max_position();
                let along = |t: u32| triangles[t as usize].map(|p| p[axis]).iter().sum::<f32>();
                let half = mine.len() / 2;
                mine.select_nth_unstable_by(half, |&a, &b| {
                    along(a).total_cmp(&along(b)).then(a.cmp(&b))
                });
                let middle = range.start + half;
                open.push((middle..range.end, Some(here)));
                open.push((range.start..middle, None));
            }
            nodes.push(Node {
                low,
                high,
                from: range.start as u32,
                count: range.len() as u32,
                second: 0,
            });
        }
        let corners = order.iter().map(|&t| triangles[t as usize]).collect();
        Self { nodes, corners }
    }

    /// Returns the box around all triangles, or `None` without any.
    pub(crate) fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.nodes.first().map(|root| (root.low, root.high))
    }
}
