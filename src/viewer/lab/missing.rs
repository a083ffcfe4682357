//! The reasons why an overlay may have nothing to show.

use crate::viewer::input::lab_overlay::LabOverlay;
use crate::viewer::subject::Subject;
use mohawk::sim::SolverKind;

/// Returns why the overlay has nothing to show, or `None` if it has.
pub(crate) fn missing(overlay: LabOverlay, subject: &Subject) -> Option<&'static str> {
    let sim = subject.sim();
    let settings = sim.settings();
    let is_spring = settings.solver == SolverKind::Spring;
    let crowded = settings.ftl.hair_friction > 0.0 || settings.ftl.hair_repulsion > 0.0;
    let why = match overlay {
        LabOverlay::Anchors if !is_spring && settings.hold <= 0.0 => {
            "without hold nothing pulls hair to its rest shape"
        }
        LabOverlay::Basis if sim.basis_count().is_none() => {
            "every strand is simulated: lower the share of guide hairs"
        }
        LabOverlay::Field if subject.shown_head().is_none() => "there is no head",
        LabOverlay::Field if !subject.has_skin() => "nothing is painted, so the skin is unknown",
        LabOverlay::Density if settings.solver != SolverKind::Ftl => {
            "only the solver ftl has hair-hair interaction"
        }
        LabOverlay::Density if !crowded => "hair friction and hair repulsion are 0",
        _ => return None,
    };
    Some(why)
}
