//! The real window, under an X server of its own, worked by a real mouse and keyboard.
//!
//! Needs what `script/setup --tests` installs. Nothing here waits for a time: every step polls
//! for what it expects to see. What a failed test saw is left as a picture, and it says where.
//!
//! | file | what it is about |
//! |---|---|
//! | `desk` | a screen, a mouse and a keyboard: Xvfb and xdotool |
//! | `program` | the program under test: its window, its log, its rest |
//! | `picture` | what is seen |
//! | `dropping` | the other program in a drag and drop |
//! | the others | the tests |

#![cfg(all(feature = "viewer", target_os = "linux"))]

#[path = "../common/mod.rs"]
mod common;

mod animations;
mod closing;
mod colliders;
mod desk;
mod doll;
mod drags;
mod dropping;
mod files;
mod graphs;
mod keys;
mod lab;
mod launch;
mod layers;
mod panel;
mod picture;
mod presets;
mod program;
mod resizing;
mod roots;
mod scenes;
mod screen_reader;
mod selecting;
mod smoke;
mod solvers;
mod split;
mod styling;
mod time;
mod watching;
