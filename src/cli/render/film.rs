//! A scene that is played frame by frame into an off-screen picture.

use super::args::{Camera, RenderArgs};
use crate::cli::pipeline::Cast;
use crate::roots_overlay::{self, Spread};
use anyhow::bail;
use glam::Vec3;
use image::RgbaImage;
use mohawk::render::{
    CameraView, Highlight, Layers, Offscreen, OrbitCamera, Shot, Solid, Stage, ball_around,
};
use mohawk::roots::{SampleError, certify};
use mohawk::scene_file::SceneSetup;
use mohawk::{Config, Roots, Scalp, Simulation};

/// Longest time that the simulation advances at once, in seconds. It drops much longer times as
/// pauses.
const MAX_ADVANCE_SECS: f64 = 0.1;

/// The head, the hair and their motion.
pub struct Film<'a> {
    offscreen: &'a Offscreen,
    stage: Stage,
    sim: Simulation,
    /// The time of the simulation.
    played_secs: f64,
    setup: &'a SceneSetup,
    camera: OrbitCamera,
    args: &'a RenderArgs,
    points: Vec<[f32; 4]>,
}

impl<'a> Film<'a> {
    /// Returns the film of a scene, at its start.
    pub fn new(
        offscreen: &'a Offscreen,
        cast: &Cast,
        setup: &'a SceneSetup,
        config: &Config,
        args: &'a RenderArgs,
    ) -> anyhow::Result<Self> {
        let mut stage = offscreen.stage(&config.look);
        let grown = cast.grown.as_ref();
        if let Some(grown) = grown {
            stage.set_head(&grown.head);
        } else {
            stage
                .solids
                .set_ellipsoid(setup.skull.map(|skull| (skull.center, skull.radii)));
        }
        stage.set_groom(&cast.groom);
        let solids = config.sim.colliders.iter().map(|collider| Solid {
            from: collider.from.into(),
            to: collider.to.map(Vec3::from),
            radius: collider.radius,
            highlight: Highlight::Plain,
        });
        stage.solids.set(&solids.collect::<Vec<_>>());
        if args.roots {
            match grown.map(|grown| &grown.planted) {
                Some(Some((scalp, roots))) => show_roots(&mut stage, scalp, roots)?,
                Some(None) => {}
                None => bail!("--roots: the strands of {setup} do not grow on a head"),
            }
        }
        let (width, height) = args.resolution;
        let view = args.camera.into();
        let camera = match setup.reach() {
            Some(reach) => {
                stage.set_extent(ball_around(&reach));
                OrbitCamera::framing(view, &reach, width as f32 / height as f32)
            }
            None => OrbitCamera::named(view),
        };
        Ok(Film {
            sim: cast.simulation(setup, config),
            offscreen,
            stage,
            played_secs: 0.0,
            setup,
            camera,
            args,
            points: Vec::new(),
        })
    }

    /// Goes back to time 0, with the hair at rest.
    pub fn rewind(&mut self) {
        self.sim.reset(self.setup.pose(0.0));
        self.played_secs = 0.0;
    }

    /// Returns the picture at a time of the scene, which must not be before that of the last one.
    pub fn picture(&mut self, time_secs: f64) -> anyhow::Result<RgbaImage> {
        let setup = self.setup;
        while self.played_secs < time_secs {
            let next_secs = time_secs.min(self.played_secs + MAX_ADVANCE_SECS);
            let elapsed_secs = next_secs - self.played_secs;
            self.sim.advance(elapsed_secs, &mut |t| setup.pose(t));
            self.played_secs = next_secs;
        }
        self.sim.write_drawn(&mut self.points);
        let per_strand = self.sim.drawn_particles();
        self.stage.set_points(&self.points, per_strand);
        let shot = Shot {
            camera: self.camera,
            world_from_head: self.sim.drawn_pose().to_mat4(),
            background: !self.args.no_background,
        };
        let (width, height) = self.args.resolution;
        let picture = self
            .offscreen
            .render(&mut self.stage, &shot, width, height)?;
        Ok(picture)
    }
}

/// Shows the roots as discs instead of the hair.
fn show_roots(stage: &mut Stage, scalp: &Scalp, roots: &Roots) -> Result<(), SampleError> {
    let spread = Spread::of(scalp, roots)?;
    let gap = certify(scalp, roots)?.gap;
    stage.set_discs(&spread.discs(scalp, roots));
    stage.set_ring(gap.map(|gap| roots_overlay::ring(scalp, &gap)));
    stage.layers = Layers {
        head: true,
        hair: false,
        discs: true,
    };
    Ok(())
}

impl From<Camera> for CameraView {
    fn from(camera: Camera) -> CameraView {
        match camera {
            Camera::Front => CameraView::Front,
            Camera::Side => CameraView::Side,
            Camera::Top => CameraView::Top,
            Camera::Back => CameraView::Back,
            Camera::ThreeQuarter => CameraView::ThreeQuarter,
        }
    }
}
