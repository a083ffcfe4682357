//! Sets whose spacing follows the density: the promise of pairs and coverage, where it is hard.

use super::brute::check_on;
use super::density::{PAINTINGS, Painting, canvases};
use super::meshes::{cone, cube, painted, square, with_copy};
use super::surfaces::Surface;
use super::{hold, strands_by};
use glam::Vec3;
use mohawk::roots::Method;

/// No pair closer than the smaller of its spacings, no scalp point farther from a root than its
/// own spacing, by brute force; and the wanted count.
#[test]
fn pairs_and_coverage_follow_the_local_spacing() {
    let mut surfaces = Vec::from(canvases());
    surfaces.push(Surface::new("cube with faces of two triangles", cube()));
    surfaces.push(Surface::new("cone of 300 needles", cone(300, 0.5)));
    let sheets = with_copy(&square(8), Vec3::new(0.0, 0.0, -0.01), true);
    surfaces.push(Surface::new("close sheets that face apart", sheets));
    let bald: Painting = ("bald but for a spot", |p| {
        (1.0 - 3.0 * p.distance(Vec3::splat(0.3))).max(0.0)
    });
    for Surface { name, scalp } in surfaces {
        for (painting, density) in PAINTINGS.into_iter().chain([bald]) {
            let scalp = painted(&scalp, density);
            for seed in [1, 2] {
                let roots = strands_by(&scalp, Method::Variable, 2000, seed);
                assert!(roots.scaled);
                check_on(&format!("{name}: {painting}, seed {seed}"), &scalp, &roots);
                let off = 100.0 * (roots.positions.len() as f64 / 2000.0 - 1.0);
                hold(&name, painting, "count off by, %", seed, off, -2.0..=2.0);
            }
        }
    }
}

/// Roots per area go by the density: a quarter of them beyond the step.
///
/// Each side's count scatters by less than a third of √N, 1.5 % for the 400 beyond it, and the
/// border between them gives some way to either side, a spacing of 0.03 of the half's 0.5.
#[test]
fn a_quarter_of_the_density_has_a_quarter_of_the_roots() {
    let (painting, density) = PAINTINGS[2];
    let scalp = painted(&square(64), density);
    for seed in [1, 2, 3] {
        let roots = strands_by(&scalp, Method::Variable, 2000, seed);
        let sparse = roots.positions.iter().filter(|p| p.x > 0.5).count() as f64;
        let ratio = sparse / (roots.positions.len() as f64 - sparse);
        hold(
            "unit square",
            painting,
            "sparse / dense",
            seed,
            ratio,
            0.23..=0.27,
        );
    }
}
