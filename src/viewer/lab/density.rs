//! How much hair is where, as the grid has it on which hair feels hair.

use super::legend::{Entry, Swatch};
use super::overlays::LabOverlay;
use super::scale::{Ramp, Top};
use crate::numbers::grouped;
use crate::viewer::rows::short;
use mohawk::render::{Dot, Marks, Radius};
use mohawk::sim::Simulation;

/// So many cells are shown at most: from the densest on.
const MOST_CELLS: usize = 15_000;
/// Cells with less than this share of the densest are left out: a particle nearby has touched them.
const LEAST_SHARE: f32 = 0.01;

/// Balls at the nodes of the grid: the larger and brighter, the more hair.
pub(super) fn density(sim: &Simulation, top: &mut Top, marks: &mut Marks) -> Entry {
    let swatch = Swatch::Dot(Ramp::Amount.color(0.8));
    let Some(mut grid) = sim.density().filter(|grid| !grid.nodes.is_empty()) else {
        let text = "comes with the next step".to_owned();
        return Entry::new(LabOverlay::Density, swatch, text);
    };
    let most = grid
        .nodes
        .iter()
        .map(|(_, count)| *count)
        .fold(0.0, f32::max);
    let end = top.above(most, 1.0);
    grid.nodes.retain(|(_, count)| *count >= LEAST_SHARE * most);
    let cells = grid.nodes.len();
    if cells > MOST_CELLS {
        grid.nodes
            .select_nth_unstable_by(MOST_CELLS, |a, b| b.1.total_cmp(&a.1));
        grid.nodes.truncate(MOST_CELLS);
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
    let labels = [
        "0".to_owned(),
        String::new(),
        format!("{} a cell", short(end.into())),
    ];
    Entry::new(LabOverlay::Density, swatch, text).scaled(Ramp::Amount, labels)
}
