//! The ribbons of ties, from the simulation to the picture.

use mohawk::Simulation;
use mohawk::render::Ring;

/// Returns the ribbons around points that the simulation has written to be drawn.
pub fn rings(sim: &Simulation, points: &[[f32; 4]]) -> Vec<Ring> {
    let ribbons = sim.ribbons(points).into_iter();
    let ring = ribbons.map(|ribbon| Ring {
        place: ribbon.place,
        axis: ribbon.axis,
        radius: ribbon.radius,
    });
    ring.collect()
}
