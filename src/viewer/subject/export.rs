//! The hair of the window as strands for other programs.

use super::Subject;
use crate::viewer::input::action::ExportedHair;
use mohawk::Config;
use mohawk::strands::Strands;

impl Subject {
    /// Returns the hair of the view that is looked at, in the space of the file of its head; that of a
    /// scene without a head, in world space.
    pub(crate) fn exported(&self, config: &Config, hair: ExportedHair) -> Strands {
        let (sim, head) = (self.sim(), self.shown_head());
        let (groom, look) = (sim.groom(), &config.look.hair);
        let mut strands = if hair.at_rest || self.frozen {
            Strands::of_groom(groom, look, None)
        } else {
            let mut particles = Vec::new();
            sim.write_shape(&mut particles);
            let per = particles.len() / groom.len().max(1);
            let mut strands = Strands::of_groom(groom, look, Some(per as u32));
            let head_from_world = sim.drawn_pose().to_mat4().inverse();
            strands.set_particles(&particles, head.map(|_| head_from_world));
            strands
        };
        if let Some(head) = head {
            strands.to_file(&head.units, config.head.up);
        }
        strands.mark_guides(config.sim.guides.chosen(groom));
        match hair.guides && !strands.guides.is_empty() {
            true => strands.subset(|strand| strands.guides[strand]),
            false => strands,
        }
    }
}
