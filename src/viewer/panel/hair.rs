//! The rows of hair growth.

use crate::viewer::interface::rows::{note, rows};
use mohawk::config::Config;
use mohawk::groom::GroomSettings;
use mohawk::sim::Hair;
use three_d::egui::Ui;

/// The number of particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

/// Shows how strands grow from the scalp, and how they curl.
pub(crate) fn show(ui: &mut Ui, config: &mut Config, started: &Config) {
    let (groom, was) = (&mut config.groom, &started.groom);
    rows!(ui, GroomSettings, groom, was; number: density, length, length_variation, clump, clump_size,
        spread_deg, curl_deg);
    if groom.curl_deg > 0.0 {
        rows!(ui, GroomSettings, groom, was; number: curl_length, curl_flat);
        let turns = groom.length / groom.curl_length;
        let wanted = (turns * PARTICLES_PER_TURN).ceil() as u32 + 1;
        if config.sim.strand_particles < wanted {
            let wanted = wanted.min(*Hair::PARTICLES_RANGE.end());
            let text = format!("{turns:.1} turns need about {wanted} particles");
            ui.horizontal(|ui| {
                note(ui, &text);
                if ui.small_button("use them").clicked() {
                    config.sim.strand_particles = wanted;
                }
            });
        }
    }
}
