//! Hair on skin that an animation moves: it lies on the skin where that is, and not on the skin as it
//! was loaded.

use crate::common::gltf_builder::{Gltf, U8, U32};
use glam::{Quat, Vec3};
use mohawk::head::{Head, PartShape};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{
    GuideSettings, HeadShape, STEP_SECS, Sdf, SdfSettings, SimSettings, SkinMotion, SolverKind,
};
use mohawk::{Groom, Simulation};
use serde_json::json;
use std::f32::consts::TAU;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The points of a ring of the figure.
const AROUND: usize = 48;
/// The rings of the figure, from below.
const RINGS: usize = 60;
/// The joint that the head turns about.
const NECK: Vec3 = Vec3::new(0.0, -1.3, 0.0);

/// Returns the half axes of the figure along x and z at a height: a round head on wide, flat
/// shoulders.
fn half_axes(y: f32) -> [f32; 2] {
    let head = (1.0 - y * y).max(0.0).sqrt();
    let shoulders = (1.0 - ((y + 2.1) / 0.6).powi(2)).max(0.0).sqrt();
    let neck = if (-2.0..-0.5).contains(&y) { 0.4 } else { 0.0 };
    [
        head.max(neck).max(1.7 * shoulders),
        head.max(neck).max(0.6 * shoulders),
    ]
}

/// What a figure does within a second, after which it stays so.
#[derive(Clone, Copy)]
enum Motion {
    /// The head turns about the neck.
    Turn(Vec3, f32),
    /// All of it turns about the neck.
    TurnWhole(Vec3, f32),
    /// A shoulder swells.
    Swell(f32),
}

/// Returns a figure that moves.
fn figure(motion: Motion) -> Head {
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    let (mut weights, mut swollen) = (Vec::new(), Vec::new());
    for ring in 0..=RINGS {
        let y = -2.7 + 3.7 * ring as f32 / RINGS as f32;
        let [a, b] = half_axes(y);
        for i in 0..AROUND {
            let (sin, cos) = (TAU * i as f32 / AROUND as f32).sin_cos();
            let at = Vec3::new(a * cos, y, b * sin);
            let share = match motion {
                Motion::TurnWhole(..) => 1.0,
                _ => ((y + 1.5) / 0.4).clamp(0.0, 1.0),
            };
            let near = (1.0 - at.distance(Vec3::new(0.9, -1.8, 0.0)) / 0.9).max(0.0);
            positions.extend(at.to_array());
            swollen.extend([0.0, near * near * (3.0 - 2.0 * near), 0.0]);
            weights.extend([1.0 - share, share, 0.0, 0.0]);
            colors.extend([if y > 0.3 { 0.0 } else { 1.0 }; 3]);
        }
    }
    let mut indices = Vec::new();
    for ring in 0..RINGS {
        for i in 0..AROUND {
            let at = |ring: usize, i: usize| (ring * AROUND + i % AROUND) as u32;
            let [a, b] = [at(ring, i), at(ring, i + 1)];
            let [c, d] = [at(ring + 1, i), at(ring + 1, i + 1)];
            indices.extend([a, c, b, b, c, d]);
        }
    }
    let mut gltf = Gltf::painted([[0.0; 3]; 4]);
    let joints = gltf.ints(U8, "VEC4", &[0, 1, 0, 0].repeat(positions.len() / 3));
    gltf.json["accessors"][joints]["normalized"] = json!(false);
    let attributes = json!({
        "POSITION": gltf.floats("VEC3", &positions),
        "COLOR_0": gltf.floats("VEC3", &colors),
        "JOINTS_0": joints,
        "WEIGHTS_0": gltf.floats("VEC4", &weights),
    });
    let indices = gltf.ints(U32, "SCALAR", &indices);
    let swollen = gltf.floats("VEC3", &swollen);
    gltf.primitive()["attributes"] = attributes;
    gltf.primitive()["indices"] = json!(indices);
    gltf.primitive()["targets"] = json!([{"POSITION": swollen}]);
    let [chest, head] = ["chest", "head"].map(|name| gltf.root(json!({"name": name})));
    gltf.json["nodes"][head]["translation"] = json!(NECK.to_array());
    let bind = |to: Vec3| glam::Mat4::from_translation(to).to_cols_array();
    let binds = gltf.floats("MAT4", &[bind(Vec3::ZERO), bind(-NECK)].concat());
    gltf.push(
        "skins",
        json!({"joints": [chest, head], "inverseBindMatrices": binds}),
    );
    gltf.json["nodes"][0]["skin"] = json!(0);
    let times = gltf.floats("SCALAR", &[0.0, 1.0, 60.0]);
    let (target, values) = match motion {
        Motion::Turn(axis, angle) | Motion::TurnWhole(axis, angle) => {
            let turned = Quat::from_axis_angle(axis, angle).to_array();
            let turns = [Quat::IDENTITY.to_array(), turned, turned].concat();
            let turns = gltf.floats("VEC4", &turns);
            (json!({"node": head, "path": "rotation"}), turns)
        }
        Motion::Swell(by) => {
            let weights = gltf.floats("SCALAR", &[0.0, by, by]);
            (json!({"node": 0, "path": "weights"}), weights)
        }
    };
    gltf.push(
        "animations",
        json!({
            "samplers": [{"input": times, "output": values}],
            "channels": [{"sampler": 0, "target": target}],
        }),
    );
    gltf.load_plain()
}

/// Returns the field of skin of this shape.
fn baked(head: &Head, shape: &PartShape) -> Sdf {
    let settings = SdfSettings {
        cell: 0.04,
        ..SdfSettings::default()
    };
    let (triangles, mut on) = (&head.parts[0].triangles, |_: f32| ControlFlow::Continue(()));
    Sdf::of_mesh(&shape.positions, triangles, &settings, &mut on).unwrap()
}

/// Returns limp hair of a solver. If it `has_dependents`, they follow a fifth of the hairs.
fn limp(solver: SolverKind, has_dependents: bool) -> SimSettings {
    let mut settings = SimSettings {
        solver,
        strand_particles: 16,
        sag_free: false,
        hold: 0.0,
        guides: GuideSettings {
            share: if has_dependents { 0.2 } else { 1.0 },
            ..GuideSettings::default()
        },
        ..SimSettings::default()
    };
    settings.rod.bending = 0.02;
    settings
}

/// A figure with long hair on the upper half of its head.
struct Figure {
    head: Head,
    loaded: Arc<Sdf>,
    groom: Groom,
    setup: SceneSetup,
}

impl Figure {
    fn new(motion: Motion) -> Self {
        let head = figure(motion);
        let part = &head.parts[0];
        let rings = [RINGS - 14, RINGS - 10, RINGS - 6].into_iter();
        let roots = rings.flat_map(|ring| (ring * AROUND..(ring + 1) * AROUND).step_by(2));
        let roots: Vec<usize> = roots.collect();
        let normals: Vec<Vec3> = roots.iter().map(|&root| part.normals[root]).collect();
        Self {
            groom: Groom {
                roots: roots.iter().map(|&root| part.positions[root]).collect(),
                directions: normals.clone(),
                normals,
                lengths: vec![3.0; roots.len()],
                ..Groom::default()
            },
            loaded: Arc::new(baked(&head, &PartShape::from(part))),
            setup: SceneSetup::of_animation(&head, 0).unwrap(),
            head,
        }
    }

    /// Returns its hair at rest. Skin that does not move is as it was loaded.
    fn hair(&self, settings: SimSettings, moves: bool) -> Simulation {
        let mut simulation = Simulation::new(&self.groom, settings, self.setup.pose(0.0));
        simulation.set_head(HeadShape {
            ellipsoid: None,
            field: Some(self.loaded.clone()),
        });
        if moves {
            simulation.set_skin(SkinMotion::new(&self.head, 0, &self.groom));
        }
        simulation
    }

    fn run(&self, simulation: &mut Simulation, steps: usize) {
        for _ in 0..steps {
            simulation.advance(STEP_SECS, &mut |secs| self.setup.pose(secs));
        }
    }

    /// Returns the field of the skin at a time.
    fn at(&self, secs: f64) -> Sdf {
        let rig = self.head.rig.as_ref().unwrap();
        baked(&self.head, &rig.shapes(0, secs)[0])
    }
}

/// Returns the particles of all strands but the roots, head space.
fn points(simulation: &Simulation) -> Vec<Vec3> {
    let (mut points, back) = (Vec::new(), simulation.pose().to_dmat4().inverse());
    simulation.write_particles(1.0, &mut points);
    let strands = points.chunks(simulation.strand_particles());
    let in_head = |&[x, y, z, _]: &[f32; 4]| {
        let point = Vec3::new(x, y, z).as_dvec3();
        back.transform_point3(point).as_vec3()
    };
    strands
        .flat_map(|strand| &strand[1..])
        .map(in_head)
        .collect()
}

/// Asserts that no hair is in skin. Returns the number of particles in other skin.
fn check(simulation: &Simulation, now: &Sdf, other: &Sdf, name: &str) -> usize {
    let points = points(simulation);
    let deepest = points.iter().map(|point| now.distance(point.to_array()));
    let deepest = deepest.fold(f32::MAX, f32::min);
    assert!(deepest > -0.03, "{name}: {deepest}");
    let found = simulation.max_penetration();
    assert!(found < 0.01, "{name}: {found}");
    let is_through = |point: &&Vec3| other.distance(point.to_array()) < -0.05;
    points.iter().filter(is_through).count()
}

#[test]
fn hair_meets_skin_where_an_animation_has_it() {
    let figure = Figure::new(Motion::Turn(Vec3::Y, 1.2));
    let moments = [160_u32, 480].map(|steps| (steps, figure.at(f64::from(steps) * STEP_SECS)));
    for (solver, has_dependents) in [
        (SolverKind::Ftl, false),
        (SolverKind::Ftl, true),
        (SolverKind::Angular, false),
        (SolverKind::Particles, false),
        (SolverKind::Rod, false),
    ] {
        let mut simulation = figure.hair(limp(solver, has_dependents), true);
        for (steps, now) in &moments {
            let left = u64::from(*steps) - simulation.steps();
            figure.run(&mut simulation, left as usize);
            let name = format!("{solver}, dependents {has_dependents}, step {steps}");
            let through = check(&simulation, now, &figure.loaded, &name);
            // It hangs where the shoulders were.
            assert!(through > 5, "{name}: only {through} particles");
        }
    }
}

#[test]
fn hair_meets_skin_of_nodding_heads_and_of_morph_targets() {
    for (name, motion) in [
        ("nod", Motion::Turn(Vec3::X, 0.7)),
        ("swell", Motion::Swell(0.9)),
    ] {
        let figure = Figure::new(motion);
        let mut simulation = figure.hair(limp(SolverKind::Ftl, false), true);
        figure.run(&mut simulation, 600);
        let now = figure.at(simulation.skin_secs());
        check(&simulation, &now, &figure.loaded, name);
        // Skin that does not move lets it in.
        let mut simulation = figure.hair(limp(SolverKind::Ftl, false), false);
        figure.run(&mut simulation, 600);
        let points = points(&simulation);
        let inside = points
            .iter()
            .filter(|point| now.distance(point.to_array()) < -0.05);
        let inside = inside.count();
        assert!(inside > 5, "{name}: only {inside} particles");
    }
}

#[test]
fn a_head_that_keeps_its_shape_moves_hair_as_before() {
    let figure = Figure::new(Motion::TurnWhole(Vec3::X, 0.7));
    for solver in [SolverKind::Ftl, SolverKind::Rod] {
        let points = [true, false].map(|moves| {
            let mut simulation = figure.hair(limp(solver, false), moves);
            figure.run(&mut simulation, 240);
            points(&simulation)
        });
        assert_eq!(points[0], points[1], "{solver}");
    }
}
