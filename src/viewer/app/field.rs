//! The skin's distance field: when it is baked, and what comes of it.

use super::App;
use crate::viewer::overlay::Kind;

impl App {
    /// Bakes the field as soon as hair can collide with it or somebody looks at it, and takes it when it is there.
    pub(in crate::viewer) fn keep_field(&mut self) {
        match self.baker.poll() {
            Some(Ok(field)) => self.subject.set_field(Ok(field)),
            Some(Err(why)) => {
                let text = format!("Hair collides with an ellipsoid, not with the skin: {why}");
                self.overlay.say(Kind::Notice, text);
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
            self.baker.bake(crate::style::with_skin(head));
        }
    }

    /// Another head is shown: its field is another, too.
    pub(super) fn forget_field(&mut self) {
        self.field_asked = false;
        self.baker.forget();
    }
}
