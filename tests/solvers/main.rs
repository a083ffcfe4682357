//! Tests of the solvers that move particles: physics against closed forms, lengths and collisions,
//! the same motion everywhere, and exchanging solvers in mid-swing.

#[path = "../common/strands.rs"]
mod strands;

mod contact;
mod curls;
mod drawn;
mod exchange;
mod forces;
mod guides;
mod laws;
mod package;
mod physics;
mod rods;
mod sag_free;
mod sameness;
mod skin;
mod stiffness;
mod unbroken;

use glam::{DQuat, DVec3, Vec3};
use mohawk::sim::{
    AngularSettings, Collider, Ellipsoid, ForceSettings, FtlSettings, GuideBlend, GuideChoice,
    GuideSettings, Hair, HairSettings, Outcome, ParticleSettings, Pose, PoseTrack, RodSettings,
    STEP_SECS, Scene, SimSettings, Solver, SolverKind, SpringSettings, Step, Stepping,
};
use mohawk::{Groom, Simulation};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};
use strands::{curled, grown, hash, on_threads};

/// Solvers that keep lengths to rounding.
const INEXTENSIBLE: [SolverKind; 3] = [SolverKind::Ftl, SolverKind::Angular, SolverKind::Rod];
const OF_PARTICLES: [SolverKind; 4] = [
    SolverKind::Ftl,
    SolverKind::Angular,
    SolverKind::Particles,
    SolverKind::Rod,
];
/// dm/s²
const GRAVITY: f64 = 98.1;

/// The ball that [`grown`] hair grows on.
const BALL: Ellipsoid = Ellipsoid {
    center: Vec3::ZERO,
    radii: Vec3::splat(1.3),
};

/// Returns the default settings of a solver, as published: gravity bends hair from its rest shape.
fn with(solver: SolverKind) -> SimSettings {
    SimSettings {
        solver,
        sag_free: false,
        spring: SpringSettings::REFERENCE,
        ..SimSettings::default()
    }
}

fn on_ball(groom: &Groom, settings: SimSettings) -> Simulation {
    let mut simulation = Simulation::new(groom, settings, Pose::IDENTITY);
    simulation.set_head(Some(BALL));
    simulation
}

fn particles(simulation: &Simulation) -> Vec<[f32; 4]> {
    let mut out = Vec::new();
    simulation.write_particles(1.0, &mut out);
    out
}

fn xyz(point: &[f32; 4]) -> DVec3 {
    Vec3::new(point[0], point[1], point[2]).as_dvec3()
}

/// Settings of rods that do not stand up.
fn limp(bending: f32) -> RodSettings {
    RodSettings {
        bending,
        ..RodSettings::default()
    }
}

/// Returns one strand from the origin.
fn single(direction: Vec3, length: f32) -> Groom {
    Groom {
        roots: vec![Vec3::ZERO],
        directions: vec![direction.normalize()],
        normals: vec![direction.normalize()],
        lengths: vec![length],
        ..Groom::default()
    }
}
