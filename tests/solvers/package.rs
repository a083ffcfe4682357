//! The motion that the npm package must give too: `web/test/npm.test.mjs` compares the same hashes.

use super::*;
use glam::DMat4;
use mohawk::sim::{HeadShape, Sdf, SdfSettings};
use mohawk::style::{Saved, Styler};
use mohawk::{Config, Head};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Turned by 37 degrees, and moved.
const TILTED: [f64; 16] = [
    0.8, 0.6, 0.0, 0.0, -0.6, 0.8, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.125, 0.0, -0.25, 1.0,
];
/// One hash for each solver. When a change is meant to alter the motion, put the new values there:
/// the failing test prints them.
const RECORDED: &str = include_str!("../../web/test/recorded.json");

#[test]
fn the_package_gives_these_bits() {
    let go_on = &mut |_| ControlFlow::Continue(());
    let mut config = Config::default();
    config.set("roots.strands", "200").unwrap();
    let head = Arc::new(Head::shipped(&config.head).unwrap());
    let field = Sdf::bake(&head, &SdfSettings::default(), go_on).unwrap();
    let shape = HeadShape {
        ellipsoid: Ellipsoid::of_head(&head),
        field: Some(Arc::new(field)),
    };
    let saved = Saved::default();
    let styler = Styler::open(head, None, saved, config.clone(), go_on).unwrap();
    let tilted = Pose::of_matrix(&DMat4::from_cols_array(&TILTED)).unwrap();
    let mut found = BTreeMap::new();
    for solver in SolverKind::ALL {
        let settings = SimSettings {
            solver,
            ..config.sim.clone()
        };
        let mut simulation = Simulation::new(styler.groom(), settings, Pose::IDENTITY);
        simulation.set_head(shape.clone());
        simulation.advance(0.25, &mut simulation.poses_to(0.25, tilted));
        for _frame in 0..45 {
            simulation.advance(1.0 / 60.0, &mut |_| tilted);
        }
        let mut points = Vec::new();
        simulation.write_shape(&mut points);
        let numbers = points.into_iter().flat_map(|[x, y, z, _]| [x, y, z]);
        found.insert(solver.name(), format!("{:#018x}", hash(numbers)));
    }
    let recorded: BTreeMap<&str, String> = serde_json::from_str(RECORDED).unwrap();
    assert_eq!(
        found,
        recorded,
        "{}",
        serde_json::to_string_pretty(&found).unwrap()
    );
}
