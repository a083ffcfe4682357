//! Hair of mohawk in Bevy. The head swings until it is dragged, and then turns with the mouse.

mod meshes;

use bevy::camera::visibility::NoFrustumCulling;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use glam::DVec3;
use mohawk::embed::{Motion, OpenHead, StyleSource};
use mohawk::head::Model;
use mohawk::sim::{Pose, Scene};
use std::ops::ControlFlow;

/// The hair and its mesh, and the pose that the head was dragged to last.
#[derive(Resource)]
struct Hair {
    motion: Motion,
    mesh: Handle<Mesh>,
    dragged: Option<Pose>,
}

/// The surfaces of the head.
#[derive(Component)]
struct HeadSurface;

fn main() -> AppExit {
    App::new()
        .add_plugins(DefaultPlugins)
        .add_systems(Startup, set_up)
        .add_systems(Update, (drag, swing).chain())
        .run()
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let go_on = &mut |_| ControlFlow::Continue(());
    let open = OpenHead::read(Model::default(), &[])?;
    let hair = open.grow(StyleSource::Default, &[], go_on)?;
    let motion = Motion::new(&hair, Some(Scene::Swing.into()), &[])?;

    let head = open.head();
    let textures = head.textures.iter().map(meshes::image);
    let textures: Vec<Handle<Image>> = textures.map(|image| images.add(image)).collect();
    for part in &head.parts {
        let mut material = meshes::material(&head.materials[part.material], &textures);
        material.unlit = part.triangles.is_empty(); // Lines have no side that light falls on.
        commands.spawn((
            HeadSurface,
            Mesh3d(meshes.add(meshes::surface(part))),
            MeshMaterial3d(materials.add(material)),
        ));
    }
    let mesh = meshes.add(meshes::ribbons(&motion));
    let material = StandardMaterial {
        cull_mode: None,
        perceptual_roughness: 0.55,
        ..default()
    };
    commands.spawn((
        Mesh3d(mesh.clone()),
        MeshMaterial3d(materials.add(material)),
        NoFrustumCulling, // It moves out of its first bounds.
    ));
    commands.insert_resource(Hair {
        motion,
        mesh,
        dragged: None,
    });

    for (from, illuminance) in [([3.0, 5.0, 4.0], 8000.0), ([-4.0, 3.0, -5.0], 5000.0)] {
        commands.spawn((
            DirectionalLight {
                illuminance,
                shadow_maps_enabled: true,
                ..default()
            },
            Transform::from_translation(from.into()).looking_at(Vec3::ZERO, Vec3::Y),
        ));
    }
    commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection {
            fov: 0.5,
            ..default()
        }),
        AmbientLight {
            brightness: 500.0,
            ..default()
        },
        Tonemapping::AcesFitted, // It needs no tables.
        Transform::from_xyz(3.7, 1.5, 5.8).looking_at(Vec3::new(0.0, 0.45, 0.0), Vec3::Y),
    ));
    Ok(())
}

/// Turns the head with the mouse, a radian for 100 pixels.
fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    mouse: Res<AccumulatedMouseMotion>,
    camera: Single<&Transform, With<Camera3d>>,
    mut hair: ResMut<Hair>,
) {
    if buttons.pressed(MouseButton::Left) && mouse.delta != Vec2::ZERO {
        let [across, down] = mouse
            .delta
            .to_array()
            .map(|pixels| 0.01 * f64::from(pixels));
        let right = DVec3::from_array(camera.right().to_array().map(f64::from));
        let turn = Pose::turn(DVec3::Y, across) * Pose::turn(right, down);
        let pose = hair.dragged.unwrap_or(hair.motion.simulation().pose());
        hair.dragged = Some(Pose::about_neck((turn * pose.rotation).normalize()));
    }
}

/// Moves the hair by the time of a frame, and shows it and the head.
fn swing(
    time: Res<Time>,
    camera: Single<&Transform, (With<Camera3d>, Without<HeadSurface>)>,
    mut surfaces: Query<&mut Transform, With<HeadSurface>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut hair: ResMut<Hair>,
) -> Result {
    let secs = time.delta_secs_f64().min(0.1); // After a pause, hair goes on where it was.
    let pose = hair.dragged;
    hair.motion
        .advance(secs, pose, &mut |_| ControlFlow::Continue(()))?;
    if let Some(mut mesh) = meshes.get_mut(&hair.mesh) {
        meshes::move_ribbons(&mut mesh, &hair.motion, camera.translation);
    }
    let pose = hair.motion.simulation().drawn_pose().to_mat4();
    let pose = Transform::from_matrix(Mat4::from_cols_array(&pose.to_cols_array()));
    surfaces.iter_mut().for_each(|mut surface| *surface = pose);
    Ok(())
}
