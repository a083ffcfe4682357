//! Basis and dependent hairs.

use super::*;

pub fn guided(solver: SolverKind, guides: GuideSettings) -> SimSettings {
    SimSettings {
        guides,
        ..with(solver)
    }
}

pub fn share(share: f32) -> GuideSettings {
    GuideSettings {
        share,
        ..GuideSettings::default()
    }
}

#[test]
fn basis_hairs_move_as_if_they_were_alone() {
    let groom = grown(300);
    let first = |list: &[Vec3]| list[..60].to_vec();
    let alone = Groom {
        roots: first(&groom.roots),
        directions: first(&groom.directions),
        normals: first(&groom.normals),
        lengths: groom.lengths[..60].to_vec(),
        ..Groom::default()
    };
    for solver in SolverKind::ALL {
        let mut all = on_ball(&groom, guided(solver, share(0.2)));
        let mut basis = on_ball(&alone, with(solver));
        for simulation in [&mut all, &mut basis] {
            for _ in 0..60 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
            }
        }
        assert_eq!(particles(&all)[..60 * 12], particles(&basis), "{solver}");
        assert_eq!(all.max_stretch(), basis.max_stretch());
    }
}

#[test]
fn dependents_stay_rooted_out_of_the_head_and_keep_their_shape() {
    let groom = grown(300);
    for choice in [GuideChoice::Even, GuideChoice::Random] {
        for blend in [GuideBlend::Nearest, GuideBlend::Three] {
            let guides = GuideSettings {
                share: 0.1,
                choice,
                blend,
                clump: 0.0,
            };
            let mut simulation = on_ball(&groom, guided(SolverKind::Ftl, guides));
            let rest = |pose: &Pose, i: usize, j: usize| {
                let along = groom.directions[i] * groom.lengths[i] * (j as f32 / 11.0);
                pose.transform_point((groom.roots[i] + along).as_dvec3())
            };
            for (k, point) in particles(&simulation).iter().enumerate() {
                let expected = rest(&Pose::IDENTITY, k / 12, k % 12);
                assert!(xyz(point).distance(expected) < 2e-6);
            }
            for _ in 0..240 {
                simulation.advance(STEP_SECS, &mut |t| Scene::Run.pose(t));
                assert!(simulation.max_penetration() <= 0.01);
                let pose = simulation.pose();
                for (i, strand) in particles(&simulation).chunks(12).enumerate() {
                    assert!(xyz(&strand[0]).distance(rest(&pose, i, 0)) < 2e-6);
                }
            }
            // Told by itself: a hair between guides that fell to different sides is squeezed, up
            // to a bound.
            let stretch = simulation.max_dependent_stretch();
            assert!(stretch > 1e-3 && stretch < 0.3, "{stretch}");
        }
    }
}

/// Between guides that fall to different sides, hair once shrank to a third of its length and lay
/// across the head.
#[test]
fn dependents_of_hair_that_has_fallen_keep_their_length_and_lie_on_the_head() {
    let mut groom = grown(400);
    groom.lengths.fill(2.5);
    for blend in [GuideBlend::Nearest, GuideBlend::Three] {
        let guides = GuideSettings {
            blend,
            ..share(0.1)
        };
        let mut simulation = on_ball(&groom, guided(SolverKind::Ftl, guides));
        for _ in 0..16 {
            simulation.advance(0.1, &mut |_| Pose::IDENTITY);
            assert!(simulation.max_penetration() <= 0.01);
            for strand in particles(&simulation).chunks(12).skip(40) {
                let mut length = 0.0;
                for (j, ends) in strand.windows(2).enumerate() {
                    let [a, b] = [xyz(&ends[0]), xyz(&ends[1])];
                    length += a.distance(b);
                    // A chord of the ball by a segment, which may be a quarter longer.
                    let middle = (a + b).length() / 2.0;
                    assert!(j < 2 || middle > 1.3 - 0.05, "{middle}");
                }
                assert!((2.0..3.2).contains(&length), "{length}");
            }
        }
    }
}

/// Back at rest, every strand is back where it stood: nothing has accumulated.
#[test]
fn dependents_come_back_to_rest_with_their_guides() {
    let groom = grown(300);
    let settings = guided(SolverKind::Spring, share(0.1));
    let mut simulation = on_ball(&groom, settings);
    let start = particles(&simulation);
    for _ in 0..8 {
        simulation.advance(0.25, &mut |t| Scene::Swing.pose(t));
    }
    let away = particles(&simulation);
    assert!(
        start
            .iter()
            .zip(&away)
            .any(|(a, b)| xyz(a).distance(xyz(b)) > 0.2)
    );
    for _ in 0..120 {
        simulation.advance(0.25, &mut |_| Pose::IDENTITY);
    }
    for (a, b) in start.iter().zip(&particles(&simulation)) {
        assert!(xyz(a).distance(xyz(b)) < 1e-5);
    }
}

#[test]
fn clumpiness_draws_tips_together_and_leaves_roots_alone() {
    let groom = grown(300);
    let spread = |clump: f32| {
        let guides = GuideSettings {
            clump,
            blend: GuideBlend::Nearest,
            ..share(0.1)
        };
        let simulation = Simulation::new(&groom, guided(SolverKind::Rod, guides), Pose::IDENTITY);
        let points = particles(&simulation);
        let tips: Vec<DVec3> = points.chunks(12).map(|strand| xyz(&strand[11])).collect();
        for (strand, root) in points.chunks(12).zip(&groom.roots) {
            assert!(xyz(&strand[0]).distance(root.as_dvec3()) < 1e-6);
        }
        let nearest = |i: usize| {
            let others = (0..tips.len()).filter(|&k| k != i);
            others
                .map(|k| tips[k].distance(tips[i]))
                .fold(f64::MAX, f64::min)
        };
        (0..tips.len()).map(nearest).sum::<f64>() / tips.len() as f64
    };
    let (clean, half, all) = (spread(0.0), spread(0.5), spread(1.0));
    assert!(half < 0.8 * clean && all < 1e-5, "{clean} {half} {all}");
}

#[test]
fn another_share_in_mid_swing_is_no_jump_for_who_stays() {
    let groom = grown(300);
    for solver in SolverKind::ALL {
        let mut simulation = on_ball(&groom, guided(solver, share(0.2)));
        for _ in 0..100 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Swing.pose(t));
        }
        let before = particles(&simulation);
        for next in [0.1, 1.0, 0.2] {
            simulation.set_settings(guided(solver, share(next)));
            let now = particles(&simulation);
            // Stretched and dependent segments come back to their lengths.
            let allowed = if solver == SolverKind::Particles {
                0.02
            } else {
                1e-4
            };
            for (a, b) in before[..30 * 12].iter().zip(&now) {
                assert!(xyz(a).distance(xyz(b)) < allowed, "{solver} to {next}");
            }
        }
        simulation.advance(0.1, &mut |t| Scene::Swing.pose(t));
        assert_eq!(simulation.reset_strands(), 0);
    }
}
