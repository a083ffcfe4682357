//! A custom solver: `cargo run --release --example solver`.
//!
//! Stiff hair: in each step every particle moves a fifth of the way to its rest position.

use glam::Vec3;
use mohawk::sim::{Hair, Outcome, Scene, Solver, Step};

struct Stiff;

impl Solver for Stiff {
    fn name(&self) -> &str {
        "stiff"
    }

    fn advance(&mut self, hair: &mut Hair, steps: &[Step]) -> Outcome {
        for step in steps {
            hair.keep_previous(); // Drawing interpolates between the last two steps.
            for strand in 0..hair.len() {
                for j in 0..hair.particles() {
                    let rest = hair.rest(strand, j).as_dvec3();
                    let goal = step.to.transform_point(rest).as_vec3();
                    let share = if j == 0 { 1.0 } else { 0.2 }; // Roots stay on the skin.
                    let from = hair.position(strand, j);
                    let way = (goal - from) * share;
                    hair.set(strand, j, from + way, way / step.dt_secs);
                }
            }
        }
        Outcome::nothing()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strands = [(Vec3::Y, Vec3::Y, 0.5); 100]; // Root, direction and length of each.
    let mut motion = mohawk::embed::Hair::straight(strands)?.simulate(&[])?;
    let simulation = motion.simulation_mut();
    simulation.set_solver(Box::new(Stiff));
    simulation.advance(0.2, &mut |t| Scene::Swing.pose(t));
    let mut tips = Vec::new();
    simulation.write_drawn_tips(&mut tips);
    println!(
        "{} moved the first tip to {:?}",
        simulation.solver_name(),
        tips[0]
    );
    Ok(())
}
