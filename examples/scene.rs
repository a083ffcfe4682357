//! Hair in a scene of three-d: `cargo run --release --example scene -- scene.png`.

use mohawk::embed::{OpenHead, StyleSource};
use mohawk::head::Model;
use mohawk::render::{Offscreen, OrbitCamera, Shot};
use mohawk::sim::Pose;
use std::ops::ControlFlow;
use three_d::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("scene.png".into());
    let go_on = &mut |_| ControlFlow::Continue(());
    let head = OpenHead::read(Model::default(), &[])?;
    let hair = head.grow(StyleSource::Default, &[], go_on)?;
    let mut motion = hair.simulate(&[])?;
    let turned = Pose::about_neck(Pose::turn(glam::DVec3::Y, 0.9));
    motion.advance(0.4, Some(turned), go_on)?;

    // The objects, the lights and the camera of your scene. A window has a context of its own.
    let offscreen = Offscreen::new()?;
    let context = offscreen.context();
    let gold = CpuMaterial {
        albedo: Srgba::new(230, 170, 40, 255),
        ..CpuMaterial::default()
    };
    let gold = PhysicalMaterial::new_opaque(context, &gold);
    let mut ball = Gm::new(Mesh::new(context, &CpuMesh::sphere(48)), gold);
    ball.set_transformation(Mat4::from_translation(vec3(0.6, 1.4, 0.5)) * Mat4::from_scale(0.35));
    let sun = DirectionalLight::new(context, 2.0, Srgba::WHITE, vec3(-1.0, -1.5, -1.0));
    let sky = AmbientLight::new(context, 0.4, Srgba::WHITE);
    let size = Viewport::new_at_origo(640, 480);
    let (eye, middle, up) = (
        vec3(4.0, 1.0, 7.0),
        vec3(0.0, 0.3, 0.0),
        vec3(0.0, 1.0, 0.0),
    );
    let camera = Camera::new_perspective(size, eye, middle, up, degrees(30.0), 0.1, 100.0);

    // The head and its hair, which mohawk draws with them.
    let mut points = Vec::new();
    motion.simulation().write_drawn(&mut points);
    let mut stage = offscreen.stage(&hair.config.look);
    stage.set_surroundings(vec![Box::new(ball)], vec![Box::new(sun), Box::new(sky)]);
    stage.set_head(head.head());
    stage.set_groom(&hair.groom);
    stage.set_points(&points, motion.simulation().drawn_particles());
    let shot = Shot {
        camera: OrbitCamera::of_three_d(&camera).ok_or("no perspective")?,
        world_from_head: motion.simulation().drawn_pose().to_mat4(),
        background: true,
    };
    offscreen
        .render(&mut stage, &shot, size.width, size.height)?
        .save(path)?;
    Ok(())
}
