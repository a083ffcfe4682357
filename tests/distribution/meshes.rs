//! Scalps to sample, each a trap of its own.

use glam::{Vec2, Vec3};
use mohawk::scalp::Scalp;

/// A scalp of plain triangles, fully painted, with the face normals' sum at each vertex.
pub fn scalp(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Scalp {
    painted_scalp(positions, triangles, |_| 1.0)
}

/// The same with a density that goes by the place of the vertices.
fn painted_scalp(
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    density: impl Fn(Vec3) -> f32,
) -> Scalp {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for t in &triangles {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        for &v in t {
            normals[v as usize] += (b - a).cross(c - a);
        }
    }
    for normal in &mut normals {
        *normal = normal.normalize_or_zero();
    }
    let density = positions.iter().map(|&p| density(p)).collect();
    Scalp::new(positions, normals, triangles, density).expect("a good mesh")
}

/// The same surface, painted.
pub fn painted(of: &Scalp, density: impl Fn(Vec3) -> f32) -> Scalp {
    painted_scalp(of.positions().to_vec(), of.triangles().to_vec(), density)
}

/// Triangles of a grid of (columns + 1) * (rows + 1) vertices, row by row.
fn grid_triangles(columns: usize, rows: usize) -> Vec<[u32; 3]> {
    let vertex = |i: usize, j: usize| (j * (columns + 1) + i) as u32;
    let mut triangles = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let (a, b) = (vertex(i, j), vertex(i + 1, j));
            let (c, d) = (vertex(i + 1, j + 1), vertex(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// A grid over the unit square, put in space by `place`.
pub fn grid(columns: usize, rows: usize, mut place: impl FnMut(Vec2) -> Vec3) -> Scalp {
    let mut positions = Vec::new();
    for j in 0..=rows {
        for i in 0..=columns {
            positions.push(place(Vec2::new(
                i as f32 / columns as f32,
                j as f32 / rows as f32,
            )));
        }
    }
    scalp(positions, grid_triangles(columns, rows))
}

/// The unit square in the plane z = 0, facing +z.
pub fn square(cells: usize) -> Scalp {
    grid(cells, cells, |p| p.extend(0.0))
}

/// An arc over a head, as the shipped strip: 4 dm long, 0.2 dm wide.
pub fn strip() -> Scalp {
    grid(4, 60, |p| {
        let (angle, x) = (4.0 * p.y - 1.0, 0.2 * (p.x - 0.5));
        Vec3::new(x, angle.cos(), -angle.sin()) * (1.0 - 0.5 * x * x)
    })
}

/// A sphere of radius 1 with a closed surface.
pub fn sphere() -> Scalp {
    octants(0..8, 8)
}

/// The same in 80,000 triangles, 40 to a root where 2,000 are wanted.
pub fn fine_sphere() -> Scalp {
    octants(0..8, 100)
}

/// The same in 4,968 triangles: two to a root, for 10,000 roots.
pub fn middling_sphere() -> Scalp {
    octants(0..8, 25)
}

/// The half z > 0 of that sphere, in 4 n² triangles.
pub fn hemisphere(n: i32) -> Scalp {
    octants(0..4, n)
}

/// An octahedron's faces, cut into n * n and blown up; corners shared by no one.
fn octants(which: std::ops::Range<i32>, n: i32) -> Scalp {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for octant in which {
        let sign = |bit: i32| if octant >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let scale = Vec3::new(sign(0), sign(1), sign(2));
        let at = |i: i32, j: i32| {
            (Vec3::new(i as f32, j as f32, (n - i - j) as f32) * scale).normalize()
        };
        let flip = scale.x * scale.y * scale.z < 0.0;
        let mut add = |mut corners: [Vec3; 3]| {
            if flip {
                corners.swap(1, 2);
            }
            let first = positions.len() as u32;
            positions.extend(corners);
            triangles.push([first, first + 1, first + 2]);
        };
        for i in 0..n {
            for j in 0..n - i {
                add([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j < n - 1 {
                    add([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    scalp(positions, triangles)
}

/// The same triangles in the same order, but every triangle with vertices of its own.
pub fn unwelded(of: &Scalp) -> Scalp {
    let corners = of.triangles().iter().flatten();
    let positions: Vec<Vec3> = corners.map(|&v| of.positions()[v as usize]).collect();
    let triangles = (0..of.triangles().len() as u32)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    scalp(positions, triangles)
}

/// The scalp and a copy of it moved by `offset`, which faces the other way if asked to.
pub fn with_copy(of: &Scalp, offset: Vec3, turned: bool) -> Scalp {
    let count = of.positions().len() as u32;
    let mut positions = of.positions().to_vec();
    positions.extend(of.positions().iter().map(|&p| p + offset));
    let mut triangles = of.triangles().to_vec();
    triangles.extend(of.triangles().iter().map(|&[a, b, c]| {
        let [a, b, c] = [a + count, b + count, c + count];
        if turned { [a, c, b] } else { [a, b, c] }
    }));
    scalp(positions, triangles)
}

/// Hair cards: this many strips of 2 by `width`, standing about in rows, all facing +z.
pub fn cards(count: usize, width: f32) -> Scalp {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for card in 0..count {
        let (column, row) = ((card % 20) as f32, (card / 20) as f32);
        let corner = Vec3::new(0.3 * column, 2.5 * row, 0.1 * (card % 7) as f32);
        let first = positions.len() as u32;
        positions.extend([
            corner,
            corner + Vec3::X * width,
            corner + Vec3::new(width, 2.0, 0.0),
            corner + Vec3::Y * 2.0,
        ]);
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|v| first + v)));
    }
    scalp(positions, triangles)
}

/// All triangles of several scalps.
pub fn together(pieces: &[Scalp]) -> Scalp {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for piece in pieces {
        let first = positions.len() as u32;
        positions.extend_from_slice(piece.positions());
        triangles.extend(piece.triangles().iter().map(|t| t.map(|v| first + v)));
    }
    scalp(positions, triangles)
}

/// The surface moved and scaled.
pub fn placed(of: &Scalp, place: impl Fn(Vec3) -> Vec3) -> Scalp {
    let positions = of.positions().iter().map(|&p| place(p)).collect();
    scalp(positions, of.triangles().to_vec())
}

/// Like an ear: two bowls 0.01 apart that face away from each other, and the rim between them.
pub fn ear() -> Scalp {
    let cells = 16;
    let outside = grid(cells, cells, |p| {
        let q = 2.0 * p - Vec2::ONE;
        // The square bent to a disc, and that to a bowl.
        let q = q * Vec2::new(1.0 - 0.5 * q.y * q.y, 1.0 - 0.5 * q.x * q.x).map(f32::sqrt);
        q.extend(-0.5 * q.length_squared())
    });
    let count = outside.positions().len() as u32;
    let both = with_copy(&outside, Vec3::new(0.0, 0.0, -0.01), true);
    let n = cells as u32;
    let side = |vertex: &dyn Fn(u32) -> u32| -> Vec<u32> { (0..=n).map(vertex).collect() };
    let sides = [
        side(&|i| i),
        side(&|i| i * (n + 1) + n),
        side(&|i| n * (n + 1) + n - i),
        side(&|i| (n - i) * (n + 1)),
    ];
    let mut triangles = both.triangles().to_vec();
    for edge in sides.iter().flat_map(|side| side.windows(2)) {
        let (a, b) = (edge[0], edge[1]);
        triangles.extend([[a, a + count, b + count], [a, b + count, b]]);
    }
    scalp(both.positions().to_vec(), triangles)
}

/// The six faces of a cube of side 1, each flat across an axis, with two triangles of its own.
pub fn cube() -> Scalp {
    let face = |place: fn(Vec2) -> Vec3| grid(1, 1, place);
    together(&[
        face(|p| Vec3::new(0.0, p.y, p.x)),
        face(|p| Vec3::new(1.0, p.x, p.y)),
        face(|p| Vec3::new(p.x, 0.0, p.y)),
        face(|p| Vec3::new(p.y, 1.0, p.x)),
        face(|p| Vec3::new(p.y, p.x, 0.0)),
        face(|p| Vec3::new(p.x, p.y, 1.0)),
    ])
}

/// A cone's mantle, 4 long, of so many needles from its tip.
pub fn cone(needles: u32, radius: f32) -> Scalp {
    let mut positions = vec![Vec3::ZERO];
    for i in 0..needles {
        let angle = std::f32::consts::TAU * i as f32 / needles as f32;
        positions.push(Vec3::new(radius * angle.cos(), radius * angle.sin(), -4.0));
    }
    let next = |i: u32| 1 + (i + 1) % needles;
    scalp(
        positions,
        (0..needles).map(|i| [0, 1 + i, next(i)]).collect(),
    )
}

/// A closed ring whose triangles differ in area by a factor of thousands: a torus with its
/// circles crowded together on one side.
pub fn graded_torus() -> Scalp {
    use std::f32::consts::TAU;
    grid(12, 12, |p| {
        let (along, around) = (TAU * p.x.powi(3), TAU * p.y.powi(2));
        let out = 1.0 + 0.4 * around.cos();
        Vec3::new(out * along.cos(), out * along.sin(), 0.4 * around.sin())
    })
}
