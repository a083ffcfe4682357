//! The line of a modifier, which the mouse draws on the head.

use super::App;
use crate::viewer::input::line_drawing::LineDrawing;
use glam::Vec3;
use mohawk::groom::Effect;

impl App {
    /// Lets the next drag on the head draw the line of a modifier; asked again: not after all.
    pub(super) fn ask_for_line(&mut self, modifier: usize) {
        let last = self.pointer.line.take();
        if last.is_none_or(|last| last.modifier != modifier) {
            self.pointer.line = Some(LineDrawing::of(modifier));
        }
    }

    /// Begins to draw.
    pub(super) fn begin_line(&mut self) {
        if let Some(line) = &mut self.pointer.line {
            line.begin();
        }
        self.carry_line();
    }

    /// Follows the mouse.
    pub(super) fn carry_line(&mut self) {
        let at = self.pointer.at;
        let place = at.and_then(|at| Some((at, self.pick(at).place_on_skin()?)));
        if let (Some(line), Some((at, place))) = (&mut self.pointer.line, place) {
            line.carry(at, place);
        }
    }

    /// Gives the line that was drawn to its modifier. A line that is none is asked for again.
    pub(super) fn end_line(&mut self) {
        let Some(line) = &mut self.pointer.line else {
            return;
        };
        let kept = match line.end() {
            Some(Ok(kept)) => kept,
            Some(Err(why)) => return self.overlay.notice(why),
            None => return,
        };
        let modifier = self.settings.config.groom.stack.get_mut(line.modifier);
        let effect = modifier.map(|modifier| &mut modifier.effect);
        if let ([from, via @ .., to], Some(Effect::Part(part))) = (&kept[..], effect) {
            // Places are rounded to the millimetre.
            let round = |place: &Vec3| place.to_array().map(|x| (100.0 * x).round() / 100.0);
            (part.from, part.to) = (round(from), round(to));
            part.via = via.iter().map(round).collect();
        }
        self.pointer.line = None;
    }
}
