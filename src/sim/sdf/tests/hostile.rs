//! Tests of fields of degenerate and hostile meshes.

use super::super::bake::{skin::MAX_TRIANGLES, work::Work};
use super::fixtures::*;
use crate::bvh::Corners;
use crate::sim::{Sdf, SdfError, SdfSettings};
use glam::Vec3;
use std::ops::ControlFlow;

fn coarse() -> SdfSettings {
    SdfSettings {
        cell: 0.1,
        ..Default::default()
    }
}

#[test]
fn points_and_lines_have_no_area() {
    let point = [Vec3::ONE; 3];
    let line = [Vec3::ZERO, Vec3::X, Vec3::X * 3.0];
    for triangles in [vec![], vec![point], vec![line; 5], vec![point, line]] {
        assert_eq!(bake_all(&triangles, &coarse()), Err(SdfError::NoArea));
    }
    // Beside other triangles they change nothing.
    let mut ball = icosphere(2);
    let alone = bake_all(&ball, &coarse()).unwrap();
    ball.extend([point, line]);
    assert_eq!(bake_all(&ball, &coarse()), Ok(alone));
}

#[test]
fn sizes_out_of_range_are_refused() {
    let scaled = |scale: f32, by: f32| {
        let moved = |p: Vec3| p * scale + Vec3::X * by;
        let ball: Vec<Corners> = icosphere(1).iter().map(|t| t.map(moved)).collect();
        bake_all(&ball, &coarse())
    };
    for scale in [1e30, 3e37, 1e7, 1e-9, 1e-30, 1.0] {
        let by = if scale == 1.0 { 1e5 } else { 0.0 };
        let error = scaled(scale, by).unwrap_err();
        // Either no area is left, or the size is out of range.
        let expected = matches!(error, SdfError::BadSize { .. } | SdfError::NoArea);
        assert!(expected, "{scale} {by}: {error}");
    }
    for (scale, by) in [(1e-5, 0.0), (1e-2, 1.0), (100.0, 0.0), (4e5, 1e6)] {
        let field = scaled(scale, by).unwrap();
        let [middle, out] = [0.0, 1.2].map(|x| field.distance([x * scale + by, 0.0, 0.0]));
        let is_right = middle < -0.6 * scale && (0.15 * scale..0.4 * scale).contains(&out);
        assert!(is_right, "{scale} {by} {middle} {out}");
    }
}

#[test]
fn corners_without_a_finite_vertex_are_refused() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(f32::INFINITY)];
    for (corners, bad) in [([0, 1, 2], false), ([0, 1, 9], true), ([0, 1, 3], true)] {
        let field = Sdf::of_mesh(&positions, &[[0, 1, 2], corners], &coarse(), &mut go_on);
        let expected = Err(SdfError::BadCorner { triangle: 1 });
        assert_eq!(field.map(|_| ()), if bad { expected } else { Ok(()) });
    }
    let many = vec![[0, 1, 2]; MAX_TRIANGLES + 1];
    let error = Sdf::of_mesh(&positions, &many, &coarse(), &mut go_on).unwrap_err();
    let told = "2000001 triangles: a field is made of at most 2000000; simplify the mesh";
    assert_eq!(error.to_string(), told);
}

#[test]
fn stacked_triangles_end_with_a_field_or_an_error() {
    // A repeated triangle, and a fan of needles through one point.
    let sheet = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let end = |i: u32| {
        let (x, y) = ((i % 50) as f32 * 0.04 - 1.0, (i / 50) as f32 * 0.05 - 1.0);
        [0.0, 1e-4].map(|off| Vec3::new(x, y + off, 1.0))
    };
    let needle = |i| {
        let [a, b] = end(i);
        [Vec3::ZERO, a, b]
    };
    for triangles in [vec![sheet; 2000], (0..2000).map(needle).collect::<Vec<_>>()] {
        match bake_all(&triangles, &coarse()) {
            Ok(field) => assert!(field.bricks.numbers.iter().all(|v| v.is_finite())),
            Err(error) => assert_eq!(error, SdfError::TooTangled),
        }
    }
}

#[test]
fn the_number_of_visits_is_limited() {
    let (mut items, mut go_on) = (vec![0_u8; 100], go_on);
    let mut work = Work::new(&mut go_on);
    let ended = work.each(&mut items, 10, |_, _, count| count.done += 60_000_000);
    assert_eq!(ended, Err(SdfError::TooTangled));
    let mut work = Work::new(&mut go_on);
    let mut each = || work.each(&mut items, 10, |_, _, count| count.done += 40_000_000);
    let rounds: Vec<bool> = (0..7).map(|_| each().is_ok()).collect();
    assert_eq!(rounds, [vec![true; 5], vec![false; 2]].concat());
}

#[test]
fn memory_is_within_the_setting() {
    let ball = icosphere(2);
    for most_bytes in [1 << 16, 1 << 20, 5_000_000] {
        let settings = SdfSettings {
            cell: 0.002,
            most_bytes,
            ..Default::default()
        };
        let field = bake_all(&ball, &settings).unwrap();
        let most = most_bytes as usize;
        assert!(field.bytes() <= most && field.bytes() > most / 2);
        assert!(field.bytes() > field.nodes().iter().product::<usize>() * 4);
    }
    // A needle, ten thousand times as long as wide.
    let needle = [[Vec3::ZERO, Vec3::X * 1000.0, Vec3::new(1000.0, 0.1, 0.0)]];
    let field = bake_all(&needle, &SdfSettings::default()).unwrap();
    assert!(field.bytes() <= 64 << 20);
    for (text, told) in [
        ("cell = 0.0", "cell = 0: "),
        ("margin = nan", "margin = NaN: "),
        (
            "most_bytes = 1",
            "most_bytes = 1: expected 65536 to 1073741824",
        ),
        ("most_bytes = 1073741825", "most_bytes = 1073741825: "),
    ] {
        let settings = toml::from_str(text).unwrap();
        let error = bake_all(&ball, &settings).unwrap_err().to_string();
        assert!(error.starts_with(&format!("field.{told}")), "{error}");
    }
}

#[test]
fn baking_reports_progress_and_can_be_cancelled() {
    let (positions, triangles) = mesh(&open_torus());
    let mut told = Vec::new();
    let mut listen = |share| {
        told.push(share);
        ControlFlow::Continue(())
    };
    Sdf::of_mesh(&positions, &triangles, &coarse(), &mut listen).unwrap();
    assert!(told.is_sorted() && told.len() > 5);
    assert_eq!((told[0], told[told.len() - 1]), (0.0, 1.0));
    for most in 0..told.len() {
        let mut left = most;
        let mut stop = |_| {
            if left == 0 {
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        };
        let field = Sdf::of_mesh(&positions, &triangles, &coarse(), &mut stop);
        assert_eq!(field, Err(SdfError::Cancelled));
        assert_eq!(left, 0);
    }
}
