//! Real-time hair on a 3D head.
//!
//! # The pipeline, on one page
//!
//! ```text
//!  head.glb ──► Head ──► Scalp ──► Roots ──► Groom ──► Simulation ──► drawn tips
//!               parts,   painted   maximal   rest      spring to      (plain slices
//!               skin     surface   Poisson   strands   anchor, 240/s   for render)
//! ```
//!
//! | module | content | builds mainly on |
//! |---|---|---|
//! | [`head`] | files of seven formats as parts, materials and textures | – |
//! | [`scalp`] | the painted surface that hair grows on | `head` |
//! | [`roots`] | the roots of strands: maximal Poisson-disk sampling | `scalp` |
//! | [`groom`] | rest strands: root, direction, length, curve | `roots` |
//! | [`sim`] | solvers, contact, head poses, named scenes | `groom` |
//! | [`maps`] | values painted over the skin: density, length, tint and others | `head` |
//! | [`import`] | plain meshes, and points of other programs | `scalp`, `roots` |
//! | [`look`] | settings of colours, widths and sky | – |
//! | [`settings`](mod@settings) | the declaration of settings: defaults, ranges, meanings | – |
//! | [`config`] | all settings in one TOML file | every module with settings |
//! | [`scene_file`] | scenes: strands, settings and motion in a TOML file | `config`, `groom`, `sim` |
//! | [`strands`] | strands as files of other programs hold them | `head`, `config`, `groom`, `sim` |
//! | [`presets`] | styles to start from: the shipped ones and the user's own | `style` |
//! | [`style`] | maps and brushes on a head, with undo and files | `config`, `maps`, `sim`, `strands` |
//! | [`embed`] | heads, hair and motion as few objects, for other languages | `style`, `scene_file` |
//! | [`doll`] | the 2D doll: hair as Bezier curves | `history`, `strokes` |
//! | [`history`], [`strokes`], [`autosave`] | undo, recorded strokes, recovery after a crash | – |
//! | [`files`], [`npy`] | reading with a size limit, atomic writing; NumPy arrays | – |
//! | [`ramp`], [`srgb`] | colours of measurements; sRGB and linear colours | – |
//! | `render` | drawing with `three-d` (feature `render`) | `head`, `groom`, `look`, `doll` |
//!
//! The program of the same name, in `src/main.rs`, builds on this library.
//!
//! # Units, axes, spaces
//!
//! Lengths are **decimetres of a standard head** (the painted part is 2.74 high),
//! times are seconds, angles radians inside and degrees where people type them.
//! +Y is up and the face looks along +Z. *Head* space is the file centred and
//! scaled to those units; *world* space is where the head has been turned and
//! moved by a [`sim::Pose`] (`world_from_head`).
//!
//! # Example
//!
//! ```
//! use mohawk::{Config, Groom, Head, Roots, Scalp, Simulation, roots::Amount, sim::Scene};
//! use std::ops::ControlFlow;
//!
//! let mut config = Config::default(); // or Config::load(path)
//! config.roots.amount = Amount::Strands(500);
//! let head = Head::shipped(&config.head)?; // or Head::load(path, ..)
//! let scalp = Scalp::of_head(&head).ok_or("nothing is painted")?;
//! let roots = Roots::sample(&scalp, &config.roots, &mut |_| ControlFlow::Continue(()))?;
//! let roots = roots.thinned(&scalp, config.groom.density);
//! let groom = Groom::grow(&roots, &config.groom, config.roots.seed);
//!
//! let mut sim = Simulation::new(&groom, config.sim, Scene::Swing.pose(0.0));
//! let mut tips = Vec::new();
//! for _frame in 0..30 {
//!     sim.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t));
//!     sim.write_drawn_tips(&mut tips); // one [x, y, z, 0] per strand, world space
//! }
//! assert_eq!(tips.len(), groom.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod autosave;
mod binary_number;
mod bvh;
pub mod config;
mod det_math;
pub mod doll;
pub mod embed;
pub mod files;
pub mod groom;
pub mod head;
pub mod history;
pub mod import;
mod jpeg;
pub mod look;
pub mod maps;
mod mesh_file;
mod noise;
pub mod npy;
mod ply;
pub mod presets;
pub mod ramp;
mod random;
mod rays;
pub mod roots;
pub mod scalp;
pub mod scene_file;
pub mod settings;
pub mod sim;
mod spline;
pub mod srgb;
pub mod strands;
pub mod strokes;
pub mod style;
mod told;
mod zip_file;

#[cfg(feature = "render")]
pub mod render;

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use config::Config;
pub use groom::Groom;
pub use head::Head;
pub use look::Look;
pub use ply::PlyEncoding;
pub use rays::RayFinder;
pub use roots::Roots;
pub use scalp::Scalp;
pub use settings::SettingError;
pub use sim::Simulation;
