//! The motion that the npm package must give too: `web/test/npm.test.mjs` compares the same hashes.

use super::*;
use glam::DMat4;
use mohawk::embed::{OpenHead, StyleSource};
use mohawk::head::Model;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

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
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let head = OpenHead::read(Model::default(), &[]).unwrap();
    let strands = [pair("roots.strands", "200")];
    let hair = head.grow(StyleSource::Default, &strands, go_on).unwrap();
    let tilted = Pose::of_matrix(&DMat4::from_cols_array(&TILTED)).unwrap();
    let mut found = BTreeMap::new();
    for solver in SolverKind::ALL {
        let solver = pair("sim.solver", solver.name());
        let mut motion = hair.simulate(std::slice::from_ref(&solver)).unwrap();
        motion.advance(0.25, Some(tilted), go_on).unwrap();
        for _frame in 0..45 {
            motion.advance(1.0 / 60.0, None, go_on).unwrap();
        }
        let mut points = Vec::new();
        motion.simulation().write_shape(&mut points);
        let numbers = points.into_iter().flat_map(|[x, y, z, _]| [x, y, z]);
        found.insert(solver.1, format!("{:#018x}", hash(numbers)));
    }
    let recorded: BTreeMap<String, String> = serde_json::from_str(RECORDED).unwrap();
    assert_eq!(
        found,
        recorded,
        "{}",
        serde_json::to_string_pretty(&found).unwrap()
    );
}
