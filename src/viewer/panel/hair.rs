//! How hair grows.

use crate::viewer::rows::{row, slider};
use mohawk::config::Config;
use mohawk::sim::Hair;
use three_d::egui::{RichText, Ui};

/// Particles with which a turn of a curl still looks round.
const PARTICLES_PER_TURN: f32 = 8.0;

/// How strands leave the scalp, and how they curl.
pub(super) fn show(ui: &mut Ui, config: &mut Config, started: &Config) {
    let (groom, was) = (&mut config.groom, &started.groom);
    row(
        ui,
        "Density",
        "Share of the painted density that grows hair; strands that stay do not move",
        &mut groom.density,
        &was.density,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    row(
        ui,
        "Length",
        "Strand length, decimetres",
        &mut groom.length,
        &was.length,
        |ui, v| slider(ui, v, 0.05..=3.0, true, " dm"),
    );
    row(
        ui,
        "Variation",
        "Share by which lengths differ",
        &mut groom.length_variation,
        &was.length_variation,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    row(
        ui,
        "Clump",
        "Share by which strands lean to their clump's tip",
        &mut groom.clump,
        &was.clump,
        |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
    );
    row(
        ui,
        "Clump size",
        "Radius of a clump at the scalp",
        &mut groom.clump_size,
        &was.clump_size,
        |ui, v| slider(ui, v, 0.0..=0.3, false, " dm"),
    );
    row(
        ui,
        "Spread",
        "Largest random lean of a strand",
        &mut groom.spread_deg,
        &was.spread_deg,
        |ui, v| slider(ui, v, 0.0..=60.0, false, "°"),
    );
    row(
        ui,
        "Curl",
        "Angle by which hair winds around its direction; 0: straight",
        &mut groom.curl_deg,
        &was.curl_deg,
        |ui, v| slider(ui, v, 0.0..=80.0, false, "°"),
    );
    if groom.curl_deg > 0.0 {
        row(
            ui,
            "Curl length",
            "Length of hair in one turn",
            &mut groom.curl_length,
            &was.curl_length,
            |ui, v| slider(ui, v, 0.05..=2.0, true, " dm"),
        );
        row(
            ui,
            "Flatness",
            "0: round curls; 1: waves in a plane",
            &mut groom.curl_flat,
            &was.curl_flat,
            |ui, v| slider(ui, v, 0.0..=1.0, false, ""),
        );
        let turns = groom.length / groom.curl_length;
        let wanted = (turns * PARTICLES_PER_TURN).ceil() as u32 + 1;
        if config.sim.strand_particles < wanted {
            let wanted = wanted.min(*Hair::PARTICLES_RANGE.end());
            let text = format!("{turns:.1} turns need about {wanted} particles");
            ui.horizontal(|ui| {
                ui.label(RichText::new(text).small().weak());
                if ui.small_button("take them").clicked() {
                    config.sim.strand_particles = wanted;
                }
            });
        }
    }
}
