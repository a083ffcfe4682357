//! Loading heads: every legal file loads, and every other one fails with a helpful message.

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/compressed_heads.rs"]
mod compressed_heads;

#[path = "../common/hang.rs"]
mod hang;

#[path = "../common/ktx2.rs"]
mod ktx2_files;

#[path = "../common/other_formats.rs"]
mod other_formats;

mod animations;
mod compressed;
mod crowds;
mod files;
mod formats;
mod geometry;
mod json;
mod ktx2;
mod limits;
mod mask;
mod materials;
mod moving_skin;
mod mutations;
mod paint;
mod paths;
mod pictures;
mod poses;
mod refusals;
mod regressions;
mod scenes;
mod sparse;
mod textures;
mod units;
mod usd;
mod written;

use common::gltf_builder;
use hang::ends;
use mohawk::head::{Head, HeadSettings};

#[test]
fn the_shipped_head_loads_painted() {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let triangles = |part: &str| {
        let part = head.parts.iter().find(|candidate| candidate.name == part);
        part.unwrap().triangles.len()
    };
    assert_eq!(triangles("head"), 17_772);
    let total: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    assert_eq!(total, 21_564);
    let scalp = &head.parts[head.scalp_part.unwrap()];
    assert_eq!(scalp.name, "head");
    assert_eq!(scalp.paint.as_ref().unwrap().set, 0);
    assert!((head.units.scale - 1.0).abs() < 1e-3);
    assert_eq!(head.textures.len(), 4);
    assert_eq!(head.warnings, Vec::<String>::new());
    assert_eq!(head.paint_advice(), None);
}
