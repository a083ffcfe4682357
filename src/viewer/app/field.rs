//! The skin's distance field: when it is baked, and what comes of it.

use super::App;
use crate::viewer::background::task::Hear;
use crate::viewer::interface::overlay::MessageKind;
use mohawk::head::Head;
use mohawk::sim::{Field, FieldError, FieldSettings};
use std::sync::Arc;

impl App {
    /// Bakes the field as soon as hair can collide with it or somebody looks at it, and takes it
    /// when it is there.
    pub(crate) fn keep_field(&mut self) {
        match self.baker.poll() {
            Some(Ok(field)) => self.subject.set_field(Ok(field)),
            Some(Err(why)) => {
                let text = format!("Hair collides with an ellipsoid, not with the skin: {why}");
                self.overlay.say(MessageKind::Notice, text);
                self.subject.set_field(Err(why));
            }
            None => {}
        }
        let subject = &self.subject;
        let wanted = subject.needs_field() || self.lab.needs_field(subject);
        // A head without paint has no hair that could collide, until it is styled.
        let wanted = (wanted && subject.has_skin()) || self.styling.on;
        if self.field_asked || !wanted {
            return;
        }
        if let Some(head) = &subject.head {
            self.field_asked = true;
            let head = mohawk::style::with_skin(head);
            self.baker.begin(move |hear| bake(&head, hear));
        }
    }

    /// Another head is shown: its field is another, too.
    pub(super) fn forget_field(&mut self) {
        self.field_asked = false;
        self.baker.forget();
    }
}

/// Not on rayon's common threads: those carry the simulation, which goes on meanwhile.
fn bake(head: &Head, hear: Hear) -> Option<Result<Arc<Field>, String>> {
    let settings = FieldSettings::default();
    let threads = rayon::ThreadPoolBuilder::new().build();
    let baked = match threads {
        Ok(threads) => threads.install(|| Field::bake(head, &settings, hear)),
        // No threads to be had: this one can do it.
        Err(_) => Field::bake(head, &settings, hear),
    };
    match baked {
        Err(FieldError::Cancelled) => None,
        baked => Some(baked.map(Arc::new).map_err(|error| error.to_string())),
    }
}
