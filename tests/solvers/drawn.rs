//! What is drawn is what is simulated.

use super::*;

/// Pictures at 144 a second are at 0, 2/3 and 1/3 of steps.
const BETWEEN: [f64; 3] = [1.0 / 3.0, 0.5, 2.0 / 3.0];

#[test]
fn pictures_between_steps_keep_the_length_of_segments_and_stay_out_of_the_head() {
    let groom = grown(200);
    for solver in INEXTENSIBLE {
        let mut simulation = on_ball(&groom, with(solver));
        let mut points = Vec::new();
        for _ in 0..120 {
            simulation.advance(STEP_SECS, &mut |t| Scene::Run.pose(t));
            for alpha in BETWEEN {
                simulation.write_particles(alpha, &mut points);
                let [stretch, _] = simulation.stretch_of(&points);
                assert!(stretch < 2e-5, "{solver}: {stretch}");
                let depth = simulation.penetration_of(alpha, &points);
                assert!(depth <= 0.012, "{solver}: {depth}");
            }
        }
    }
}

/// Blended in the space of the head, hair that moves with it keeps its shape.
#[test]
fn hair_that_turns_with_the_head_keeps_its_shape_between_steps() {
    let groom = grown(60);
    let mut settings = with(SolverKind::Ftl);
    settings.hold = 1.0;
    let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
    let turn = |t: f64| Pose::new(DQuat::from_rotation_y(20.0 * t), DVec3::ZERO);
    (0..60).for_each(|_| simulation.advance(STEP_SECS, &mut |t| turn(t)));
    let mut shapes = Vec::new();
    for alpha in [0.0, 0.5, 1.0] {
        let mut points = Vec::new();
        simulation.write_particles(alpha, &mut points);
        let pose = turn(simulation.time_secs() - (1.0 - alpha) * STEP_SECS);
        let in_head = |point| pose.rotation.conjugate() * xyz(point);
        shapes.push(points.iter().map(in_head).collect::<Vec<_>>());
    }
    for ((a, b), c) in shapes[0].iter().zip(&shapes[1]).zip(&shapes[2]) {
        let off = b.distance(a.lerp(*c, 0.5));
        assert!(off < 1e-4 + 0.1 * a.distance(*c), "{off}");
    }
}
