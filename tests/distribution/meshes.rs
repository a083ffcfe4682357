//! Scalps to sample, each a trap of its own.

use glam::{Vec2, Vec3};
use mohawk::scalp::Scalp;

/// A scalp of plain triangles, fully painted, with the face normals' sum at each vertex.
pub fn scalp(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Scalp {
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
    let density = vec![1.0; positions.len()];
    Scalp::new(positions, normals, triangles, density).expect("a good mesh")
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
    // An octahedron's faces, cut into 8 * 8 and blown up; corners shared by no one.
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let n = 8;
    for octant in 0..8 {
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
