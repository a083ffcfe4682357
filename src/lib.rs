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
//! | module | what it holds | sees |
//! |---|---|---|
//! | [`head`] | a glTF file as parts, materials and textures | – |
//! | [`scalp`] | the painted surface hair grows on | `head` |
//! | [`roots`] | where strands leave the scalp: maximal Poisson-disk sampling | `scalp` |
//! | [`maps`] | values painted over the skin: density, length, tint, … | `head` |
//! | [`import`] | plain meshes and other people's points | `scalp` |
//! | [`report`] | sets of roots side by side, as numbers and pictures | `roots` |
//! | [`groom`] | rest strands: root, direction, length | `roots` |
//! | [`sim`] | head pose, fixed-step clock, solvers, named scenes | `groom` |
//! | [`look`] | colours, widths, sky: plain data | – |
//! | [`settings`] | ranges, and the error that names a wrong key | – |
//! | [`config`] | every setting of the above in one versioned TOML file | all of the above |
//! | [`history`] | undo and redo, within a bound of memory | – |
//! | [`autosave`] | what is unsaved outlives a crash | – |
//! | [`style`] | maps, brushes, undo, and the files they are kept in | `config`, `maps`, `sim` |
//! | [`strokes`] | what stroke files share | – |
//! | [`doll`] | the 2D doll: hair as Bezier curves, brushed | `history`, `strokes` |
//! | `render` | drawing with `three-d` (feature `viewer`) | `head`, `groom`, `look`, plain slices |
//! | `viewer` | the window (feature `viewer`) | everything |
//! | [`cli`] | the command line | everything |
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
mod bvh;
pub mod config;
mod det_math;
pub mod doll;
pub mod files;
pub mod groom;
pub mod head;
pub mod history;
pub mod import;
pub mod look;
pub mod maps;
mod ply;
mod random;
pub mod roots;
pub mod scalp;
pub mod scene_file;
pub mod settings;
pub mod sim;
pub mod strokes;
pub mod style;
pub mod viridis;

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
pub use ply::{PlyEncoding, PlyError};
pub use roots::Roots;
pub use scalp::Scalp;
pub use settings::SettingError;
pub use sim::Simulation;
