//! Hair that stands under gravity as it is groomed.

use super::*;
use mohawk::sim::HeadCollider;

/// Returns every solver with what holds hair in its shape.
fn holding() -> Vec<SimSettings> {
    let mut all: Vec<SimSettings> = OF_PARTICLES.map(with).into();
    all.iter_mut().for_each(|settings| settings.hold = 0.3);
    let mut spring = with(SolverKind::Spring);
    spring.spring = SpringSettings::default();
    spring.spring.weight = 1.0;
    let mut hardly_held = with(SolverKind::Rod);
    hardly_held.hold = 0.02;
    all.extend([spring, with(SolverKind::Rod), hardly_held]);
    for settings in &mut all {
        settings.sag_free = true;
        settings.strand_particles = 24;
        settings.head_collider = HeadCollider::None;
    }
    all
}

/// Returns how far particles are from where they rest under a pose of the head, at most, after two
/// seconds of it.
fn moved(groom: &Groom, settings: SimSettings, pose: Pose) -> f64 {
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    let rest: Vec<DVec3> = particles(&simulation).iter().map(xyz).collect();
    for _ in 0..120 {
        simulation.advance(1.0 / 60.0, &mut |_| pose);
    }
    let now = particles(&simulation);
    let ways = now.iter().zip(&rest);
    let ways = ways.map(|(now, rest)| xyz(now).distance(pose.transform_point(*rest)));
    ways.fold(0.0, f64::max)
}

#[test]
fn held_and_elastic_hair_stands_as_it_is_groomed() {
    for settings in holding() {
        for groom in [grown(40), curled(40)] {
            let name = format!("{} with hold {}", settings.solver, settings.hold);
            let away = moved(&groom, settings.clone(), Pose::IDENTITY);
            assert!(away < 2e-3, "{name}: {away} dm");
            let unloaded = SimSettings {
                sag_free: false,
                ..settings.clone()
            };
            let sag = moved(&groom, unloaded, Pose::IDENTITY);
            assert!(sag > 0.05, "{name} sags by {sag} dm");
        }
    }
}

/// What carries hair turns with the head, gravity does not.
#[test]
fn sag_free_hair_feels_gravity_when_the_head_tilts() {
    let tilted = Pose::new(DQuat::from_rotation_z(PI / 2.0), DVec3::ZERO);
    for settings in holding() {
        let away = moved(&grown(40), settings.clone(), tilted);
        assert!(away > 0.03, "{}: {away} dm", settings.solver);
    }
}

/// A pull that hardly holds hair carries little of it. Hair that it carried whole floated to the
/// side, and was thrown there by the damping of a goal that lay far away.
#[test]
fn hair_that_is_hardly_held_hangs_as_the_head_tilts() {
    let hanging = Groom::parallel(vec![Vec3::ZERO], Vec3::NEG_Y, 1.0);
    for (solver, hold) in OF_PARTICLES
        .into_iter()
        .flat_map(|solver| [1e-38, 0.01, 0.05].map(|hold| (solver, hold)))
    {
        let mut settings = with(solver);
        (settings.sag_free, settings.hold) = (true, hold);
        settings.rod = limp(0.01);
        let mut simulation = Simulation::new(&hanging, settings, Pose::IDENTITY);
        let mut farthest = 0.0_f64;
        for _ in 0..180 {
            let angle = |time: f64| 0.17 * (time * 5.0).min(1.0);
            simulation.advance(1.0 / 60.0, &mut |time| {
                Pose::new(DQuat::from_rotation_z(angle(time)), DVec3::ZERO)
            });
            let tip = xyz(particles(&simulation).last().unwrap());
            farthest = farthest.max(tip.x.atan2(-tip.y).abs());
        }
        assert_eq!(simulation.reset_strands(), 0, "{solver} with hold {hold}");
        assert!(farthest < 0.5, "{solver} with hold {hold}: {farthest}");
    }
}

#[test]
fn hair_that_cannot_carry_itself_falls() {
    let mut limp_rod = with(SolverKind::Rod);
    limp_rod.rod.bending = 0.01;
    let limp = [with(SolverKind::Ftl), with(SolverKind::Particles), limp_rod];
    for mut settings in limp {
        settings.sag_free = true;
        settings.head_collider = HeadCollider::None;
        let away = moved(&grown(40), settings.clone(), Pose::IDENTITY);
        assert!(away > 0.3, "{}: {away} dm", settings.solver);
    }
}
