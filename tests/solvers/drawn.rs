//! What is drawn is what is simulated.

use super::*;
use mohawk::groom::strand_curve_point;

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

#[test]
fn a_spring_is_drawn_as_long_as_its_hair_and_simulated_as_it_is_drawn() {
    let groom = grown(200);
    let mut settings = with(SolverKind::Spring);
    settings.strand_particles = 32;
    let mut simulation = on_ball(&groom, settings);
    let (mut most_turned, mut tips, mut points) = (1.0_f32, Vec::new(), Vec::new());
    for _ in 0..60 {
        simulation.advance(1.0 / 60.0, &mut |t| Scene::Shake.pose(t));
        simulation.write_drawn_tips(&mut tips);
        simulation.write_shape(&mut points);
        assert!(simulation.stretch_of(&points)[0] < 2e-5);
        let pose = simulation.drawn_pose();
        for (i, (tip, points)) in tips.iter().zip(points.chunks(32)).enumerate() {
            let (length, tip) = (groom.lengths[i], xyz(tip).as_vec3());
            let root = pose.transform_point(groom.roots[i].as_dvec3()).as_vec3();
            let direction = pose.transform_vector(groom.directions[i].as_dvec3());
            let direction = direction.as_vec3();
            most_turned = most_turned.min((tip - root).normalize().dot(direction));
            let at = |k: usize| strand_curve_point(root, direction, tip, k as f32 / 200.0);
            let arc: f32 = (0..200).map(|k| at(k).distance(at(k + 1))).sum();
            assert!((arc / length - 1.0).abs() < 4e-3, "{i}: {}", arc / length);
            for (j, point) in points.iter().enumerate() {
                let point = xyz(point).as_vec3();
                let off = (0..=200).map(|k| at(k).distance(point));
                let off = off.fold(f32::INFINITY, f32::min);
                assert!(off < 0.01 * length, "{i}, {j}: {off}");
            }
            let last = xyz(&points[31]).as_vec3();
            assert!(last.distance(tip) < 0.01 * length);
        }
    }
    assert!(most_turned < 0.5, "strands bend: {most_turned}");
}

#[test]
fn springs_rest_outside_of_a_capsule_that_the_wind_presses_them_against() {
    let count = 60;
    let spread = |i: usize, by: usize| (i * by % count) as f32 / count as f32 - 0.5;
    let directions = (0..count).map(|i| Vec3::new(0.4 * spread(i, 7), 1.0, 0.4 * spread(i, 13)));
    let groom = Groom {
        roots: (0..count)
            .map(|i| Vec3::new(1.2 * spread(i, 1), 0.0, 1.2 * spread(i, 37)))
            .collect(),
        directions: directions.map(Vec3::normalize).collect(),
        normals: vec![Vec3::Y; count],
        lengths: vec![1.5; count],
        ..Groom::default()
    };
    let mut settings = with(SolverKind::Spring);
    settings.strand_particles = 32;
    settings.forces.wind = [4.0, 0.0, 0.0];
    settings.colliders = vec![Collider {
        from: [1.2, 1.0, -1.0],
        to: Some([1.2, 1.0, 1.0]),
        radius: 0.25,
    }];
    let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
    (0..60).for_each(|_| simulation.advance(0.1, &mut |_| Pose::IDENTITY));
    let (mut deepest, mut touching) = (0.0_f64, 0);
    for strand in particles(&simulation).chunks(32) {
        let mut least = f64::INFINITY;
        for point in strand.iter().skip(12) {
            let [x, y, z] = xyz(point).to_array();
            let off = DVec3::new(x - 1.2, y - 1.0, (z.abs() - 1.0).max(0.0));
            least = least.min(off.length() - 0.25);
        }
        deepest = deepest.max(-least);
        touching += usize::from(least < 0.02);
    }
    assert!(deepest <= 0.02, "{deepest}");
    assert!(touching > 10, "{touching} strands lie on it");
}
