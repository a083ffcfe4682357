//! The same motion at every frame rate.

use super::*;

#[test]
fn every_frame_rate_gives_the_same_positions_at_equal_times() {
    let groom = grown(60);
    for solver in SolverKind::ALL {
        for scene in [Scene::Swing, Scene::Walk, Scene::Drop] {
            let mut expected = None;
            for fps in [30, 60, 144, 240] {
                let mut simulation = on_ball(&groom, with(solver));
                for _ in 0..2 * fps {
                    simulation.advance(1.0 / f64::from(fps), &mut |t| scene.pose(t));
                }
                assert_eq!(simulation.steps(), 480);
                let state = particles(&simulation);
                let expected = expected.get_or_insert_with(|| state.clone());
                assert_eq!(&state, expected, "{solver}, {scene}, {fps} frames a second");
            }
        }
    }
}

/// As from a mouse: one pose a frame. Hair that hangs: hair that stands up and is not held falls
/// to whichever side the last bit says.
#[test]
fn poses_sampled_once_a_frame_change_little() {
    let mut groom = grown(60);
    groom.directions.fill(Vec3::NEG_Y);
    // Begins smoothly, as heads do.
    let nod = |t: f64| {
        let strength = 0.4 * (2.0 * t).min(1.0).powi(2);
        Pose::about_neck(DQuat::from_rotation_x(strength * (TAU * t).sin()))
    };
    for (solver, hold) in SolverKind::ALL
        .into_iter()
        .flat_map(|s| [(s, 0.0), (s, 0.5)])
    {
        let tips_at = |fps: i32| {
            let settings = SimSettings {
                hold,
                ..with(solver)
            };
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            let poses = (0..=3 * fps).map(|frame| nod(f64::from(frame) / f64::from(fps)));
            let track = PoseTrack::new(poses, f64::from(fps)).unwrap();
            let mut tips = Vec::new();
            for frame in 0..3 * fps {
                simulation.advance(1.0 / f64::from(fps), &mut |t| track.at(t));
                if (frame + 1) % (fps / 30) == 0 {
                    tips.extend(
                        particles(&simulation)
                            .chunks(12)
                            .map(|strand| xyz(&strand[11])),
                    );
                }
            }
            tips
        };
        let (coarse, fine) = (tips_at(30), tips_at(240));
        let lengths = groom.lengths.iter().cycle();
        let apart = (coarse.iter().zip(&fine).zip(lengths))
            .map(|((a, b), &length)| a.distance(*b) / f64::from(length));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 0.04, "{solver}, hold {hold}: {apart}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let groom = grown(3_001);
    for solver in OF_PARTICLES {
        let mut settings = with(solver);
        settings.ftl.hair_friction = 5.0;
        settings.ftl.hair_repulsion = 50.0;
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("a thread pool").install(|| {
                let mut simulation = on_ball(&groom, settings.clone());
                for _ in 0..20 {
                    simulation.advance(0.03, &mut |t| Scene::Run.pose(t));
                }
                hash(particles(&simulation).into_iter().flatten())
            })
        };
        let expected = on(1);
        assert_eq!([on(2), on(7)], [expected; 2], "{solver}");
    }
}
