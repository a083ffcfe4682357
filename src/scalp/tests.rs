//! Scalps of meshes and heads.

use super::*;
use crate::head::{HeadSettings, Paint};

/// A right triangle of area 2 in z = 0, and two whose corners lie on a line.
fn two() -> Scalp {
    let positions = vec![Vec3::ZERO, Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::X];
    let normals = vec![Vec3::Z, Vec3::X, Vec3::Z, -Vec3::X];
    let triangles = vec![[0, 1, 3], [0, 1, 2], [1, 1, 2]];
    Scalp::new(positions, normals, triangles, vec![0.5, 1.0, 7.0, 0.0]).expect("a scalp")
}

#[test]
fn surface_points_interpolate() {
    let scalp = two();
    assert_eq!(scalp.triangles(), [[0, 1, 2]]);
    assert_eq!((scalp.area(), scalp.face_normal(0)), (2.0, Vec3::Z));
    let at = |x, y, z| SurfacePoint {
        triangle: 0,
        weights: Vec3::new(x, y, z),
    };
    assert_eq!(scalp.point(at(0.5, 0.25, 0.25)), Vec3::new(0.5, 0.5, 0.0));
    assert_eq!(scalp.density(at(0.5, 0.5, 0.0)), 0.75);
    assert_eq!(scalp.density(at(0.0, 0.0, 1.0)), 1.0);
    let normal = scalp.normal(at(0.5, 0.5, 0.0));
    assert!((normal - Vec3::new(0.5, 0.0, 0.5).normalize()).length() < 1e-6);
    // The face stands in for normals that cancel.
    let mut cancelling = scalp;
    cancelling.normals[1] = -Vec3::Z;
    assert_eq!(cancelling.normal(at(0.5, 0.5, 0.0)), Vec3::Z);
}

#[test]
fn broken_meshes_are_refused() {
    let (x, one, nan) = (Vec3::X, &[1.0; 3][..], &[1.0, f32::NAN, 1.0]);
    let lengths = "3 positions, but 3 normals and 2 densities";
    let not_finite = "vertex 1 has a position, normal or density that is not finite";
    for (second, density, third, error) in [
        (x, &one[..2], 2, lengths),
        (x, one, 3, "triangle 0 names a vertex beyond the last"),
        (x, nan, 2, not_finite),
        (x * f32::INFINITY, one, 2, not_finite),
        (Vec3::ZERO, one, 2, "no triangle has an area"),
    ] {
        let positions = vec![Vec3::ZERO, second, Vec3::Y];
        let triangles = vec![[0, 1, third]];
        let scalp = Scalp::new(positions, vec![Vec3::Z; 3], triangles, density.to_vec());
        assert_eq!(scalp.unwrap_err().to_string(), error);
    }
}

#[test]
fn huge_and_tiny_triangles_have_areas() {
    let scalp = |size: f32| {
        let positions = vec![Vec3::ZERO, Vec3::X * size, Vec3::Y * size];
        Scalp::new(positions, vec![Vec3::Z; 3], vec![[0, 1, 2]], vec![1.0; 3])
    };
    assert_eq!(scalp(1e18).err(), Some(ScalpError::Far(1)));
    for size in [1e-18_f32, MAX_COORDINATE] {
        let scalp = scalp(size).expect("a scalp");
        let expected = 0.5 * f64::from(size) * f64::from(size);
        assert!((scalp.area() / expected - 1.0).abs() < 1e-9);
        assert_eq!(scalp.face_normal(0), Vec3::Z);
    }
}

#[test]
fn a_head_gives_the_triangles_painted_at_all_corners() {
    let mut head = Head::shipped(&HeadSettings::default()).expect("the shipped head");
    let number = head.scalp_part.expect("painted");
    let part = &mut head.parts[number];
    let right = |p: &Vec3| if p.x > 0.0 { 0.5 } else { 0.0 };
    let density: Vec<f32> = part.positions.iter().map(right).collect();
    let painted = |t: &&[u32; 3]| t.iter().all(|&v| density[v as usize] > 0.0);
    let expected = part.triangles.iter().filter(painted).count();
    part.paint = Some(Paint {
        set: 0,
        why: String::new(),
        density,
        is_own: false,
    });
    let scalp = Scalp::of_head(&head).expect("a scalp");
    assert_eq!(scalp.triangles().len(), expected);
    assert!(scalp.positions().iter().all(|p| p.x > 0.0));
    head.parts[number].paint = None;
    assert!(Scalp::of_head(&head).is_none());
}

/// Some exporters write skin twice, so that it is drawn from both sides.
#[test]
fn doubled_skin_is_scalp_on_its_outer_side() {
    let head = Head::shipped(&HeadSettings::default()).expect("the shipped head");
    let expected = Scalp::of_head(&head).expect("a scalp");
    for is_inner_first in [false, true] {
        let mut doubled = head.clone();
        let part = &mut doubled.parts[head.scalp_part.expect("painted")];
        let inner: Vec<_> = part.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let at = if is_inner_first {
            0
        } else {
            part.triangles.len()
        };
        part.triangles.splice(at..at, inner);
        let scalp = Scalp::of_head(&doubled).expect("a scalp");
        assert_eq!(scalp.triangles, expected.triangles);
        assert_eq!(scalp.positions, expected.positions);
    }
}
