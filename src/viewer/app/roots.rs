//! The overlay of roots: what is around it.

use super::App;
use crate::viewer::panel::roots_legend;
use three_d::egui;

impl App {
    /// Looks at the largest gap from straight above it, if it is known.
    pub(super) fn face_gap(&mut self) {
        /// How many times the spacing the picture is high.
        const SPACINGS: f32 = 24.0;
        let ring = self.roots_view.ring.zip(self.subject.spacing());
        if let Some((ring, spacing)) = ring {
            let pose = self.subject.sim().drawn_pose().to_mat4();
            let center = pose.transform_point3(ring.center);
            let normal = pose.transform_vector3(ring.normal);
            self.view.camera.face(center, normal, SPACINGS * spacing);
        }
    }

    /// Shows what the colours of roots mean, where roots are shown.
    pub(crate) fn show_legend(&self, ctx: &egui::Context, area: egui::Rect) {
        if let (true, Some(spacing)) = (self.roots_view.switches.roots, self.subject.spacing()) {
            let (findings, strands) = (&self.roots_view.findings, self.subject.strands());
            roots_legend::show(ctx, area, findings, strands, spacing);
        }
    }
}
