//! Having a distance field to cut: baked on a thread of its own when it is first looked at.

use super::legend::{Entry, Swatch};
use super::overlays::LabOverlay;
use super::scale::Ramp;
use crate::head::Head;
use crate::render::SLICE_END;
use crate::sim::{Field, FieldSettings};
use crate::viewer::subject::Subject;
use glam::Vec3;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

type Baked = Result<Arc<Field>, String>;

/// Bakes the field of the head that is shown; a newer head voids an older one.
pub(super) struct Baker {
    newest: Arc<AtomicU64>,
    outgoing: Sender<(u64, Baked)>,
    results: Receiver<(u64, Baked)>,
    /// Called whenever there is news, from any thread.
    wake: Arc<Mutex<dyn Fn() + Send>>,
    /// The head that was asked about last.
    asked: Option<u64>,
    baked: Option<Baked>,
}

impl Baker {
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let (outgoing, results) = channel();
        Self {
            newest: Arc::default(),
            outgoing,
            results,
            wake: Arc::new(Mutex::new(wake)),
            asked: None,
            baked: None,
        }
    }

    /// Asks for the field of the head that is shown, and takes what has come.
    pub(super) fn update(&mut self, subject: &Subject) {
        if self.asked != Some(subject.head_number()) {
            self.asked = Some(subject.head_number());
            self.baked = subject.field().map(Ok);
            let ticket = self.newest.fetch_add(1, Ordering::AcqRel) + 1;
            if let (None, Some(head)) = (&self.baked, &subject.head) {
                self.bake(ticket, head);
            }
        }
        let newest = self.newest.load(Ordering::Acquire);
        let results = self.results.try_iter();
        if let Some((_, baked)) = results.filter(|(ticket, _)| *ticket == newest).last() {
            self.baked = Some(baked);
        }
    }

    fn bake(&self, ticket: u64, head: &Head) {
        let (positions, triangles) = skin(head);
        let newest = self.newest.clone();
        let (outgoing, wake) = (self.outgoing.clone(), self.wake.clone());
        std::thread::spawn(move || {
            let tell = &mut |_| match newest.load(Ordering::Acquire) == ticket {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            let settings = FieldSettings::default();
            // A fault in here must not leave people waiting for ever.
            let baked = catch_unwind(AssertUnwindSafe(|| {
                Field::of_mesh(&positions, &triangles, &settings, tell)
            }));
            let baked = match baked {
                Ok(Ok(field)) => Ok(Arc::new(field)),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("a fault in mohawk itself".to_owned()),
            };
            // The window may be gone; then nobody needs the result.
            let _ = outgoing.send((ticket, baked));
            if let Ok(wake) = wake.lock() {
                wake();
            }
        });
    }

    /// The field of the head that is shown, once it is there.
    pub(super) fn field(&self) -> Option<Arc<Field>> {
        self.baked.as_ref()?.as_ref().ok().cloned()
    }

    pub(super) fn entry(&self) -> Entry {
        let swatch = Swatch::Line(Ramp::Distance.color(1.0));
        let text = match &self.baked {
            None => "measuring the head…".to_owned(),
            Some(Err(why)) => format!("cannot be measured: {why}"),
            Some(Ok(_)) => "from the skin; a line every 0.1 dm, white at 0".to_owned(),
        };
        let entry = Entry::new(LabOverlay::Field, swatch, text);
        if !matches!(self.baked, Some(Ok(_))) {
            return entry;
        }
        let labels = [
            format!("−{SLICE_END}"),
            "0".to_owned(),
            format!("{SLICE_END} dm"),
        ];
        entry.scaled(Ramp::Distance, labels)
    }
}

/// One mesh of all that is skin.
fn skin(head: &Head) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for part in Field::skin_parts(head) {
        let part = &head.parts[part];
        let first = positions.len() as u32;
        positions.extend_from_slice(&part.positions);
        let corners = part.triangles.iter();
        triangles.extend(corners.map(|corners| corners.map(|corner| first.saturating_add(corner))));
    }
    (positions, triangles)
}
