//! The rows of hair growth.

use crate::viewer::rows::{note, number};
use mohawk::config::Config;
use mohawk::groom::GroomSettings;
use mohawk::sim::Hair;
use three_d::egui::Ui;

/// The number of particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

/// Shows how strands grow from the scalp, and how they curl.
pub(super) fn show(ui: &mut Ui, config: &mut Config, started: &Config) {
    type G = GroomSettings;
    let (groom, was) = (&mut config.groom, &started.groom);
    for (field, now, was) in [
        (&G::density, &mut groom.density, &was.density),
        (&G::length, &mut groom.length, &was.length),
        (
            &G::length_variation,
            &mut groom.length_variation,
            &was.length_variation,
        ),
        (&G::clump, &mut groom.clump, &was.clump),
        (&G::clump_size, &mut groom.clump_size, &was.clump_size),
        (&G::spread_deg, &mut groom.spread_deg, &was.spread_deg),
        (&G::curl_deg, &mut groom.curl_deg, &was.curl_deg),
    ] {
        number(ui, field, now, was);
    }
    if groom.curl_deg > 0.0 {
        number(
            ui,
            &G::curl_length,
            &mut groom.curl_length,
            &was.curl_length,
        );
        number(ui, &G::curl_flat, &mut groom.curl_flat, &was.curl_flat);
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
