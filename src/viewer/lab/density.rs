//! Particles per cell of the grid of hair-hair interaction.

use super::legend::{Entry, Swatch};
use super::scale::{Ramp, Top, largest};
use crate::numbers::grouped;
use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::interface::rows::short;
use mohawk::render::{Dot, Marks, Radius};
use mohawk::sim::Simulation;

/// The largest number of cells drawn; the densest are kept.
const MAX_CELLS: usize = 15_000;
/// Cells below this fraction of the densest one are not drawn.
const MIN_SHARE: f32 = 0.01;

/// Draws a ball at each node of the grid; its size and brightness grow with the density.
pub(super) fn density(sim: &Simulation, top: &mut Top, marks: &mut Marks) -> Entry {
    let swatch = Swatch::Dot(Ramp::Amount.color(0.8));
    let Some(mut grid) = sim.density().filter(|grid| !grid.nodes.is_empty()) else {
        let text = "available after the next step".to_owned();
        return Entry::new(LabOverlay::Density, swatch, text);
    };
    let most = largest(grid.nodes.iter().map(|(_, count)| *count));
    let end = top.above(most, 1.0);
    grid.nodes.retain(|(_, count)| *count >= MIN_SHARE * most);
    let cells = grid.nodes.len();
    if cells > MAX_CELLS {
        grid.nodes
            .select_nth_unstable_by(MAX_CELLS, |a, b| b.1.total_cmp(&a.1));
        grid.nodes.truncate(MAX_CELLS);
    }
    for (center, count) in grid.nodes {
        let share = (count / end).clamp(0.0, 1.0);
        let [r, g, b] = Ramp::Amount.color(share);
        marks.dots.push(Dot {
            center,
            radius: Radius::Decimetres(grid.cell * (0.14 + 0.46 * share.sqrt())),
            color: [r, g, b, 0.45 + 0.50 * share],
        });
    }
    let cell = short(grid.cell.into());
    let text = format!(
        "{} cells of {cell} dm; most {most:.1} particles",
        grouped(cells)
    );
    Entry::new(LabOverlay::Density, swatch, text).scaled_to(Ramp::Amount, end, "per cell")
}
