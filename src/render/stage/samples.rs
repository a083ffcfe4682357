//! The samples of a picture: shadows, the order of strands and the light on them, then everything
//! that is averaged.

use super::Stage;
use crate::render::convert;
use crate::render::exposure::Exposure;
use crate::render::frame::{Drawn, Frame};
use crate::render::light::{Quality, USUAL_REACH};
use crate::render::ribbons::Detail;
use crate::render::shot::{Economy, Layers, Shot};
use crate::render::solids::Solids;
use crate::render::{head_model::HeadModel, surface::Surface};
use three_d::{Camera, Mat4, MaterialType, SquareMatrix, Viewport};

impl Stage {
    /// Brings the shadow maps up to date for a view.
    fn cast_shadows(&mut self, view: &Camera, in_motion: bool, place: [f32; 2]) -> Drawn {
        let pose = self
            .posed
            .map_or_else(Mat4::identity, |(pose, _)| convert::mat4(pose));
        let (head, solids, around) = (&self.head, &self.solids, &self.surroundings);
        let surfaces = |light: &Camera| {
            around.draw_depth(light);
            let mut surfaces = opaque(head, self.layers, solids);
            let light = Frame::new(&self.context, light, pose);
            surfaces.try_for_each(|surface| surface.draw_depth(&light))
        };
        let strands = self.strands.as_ref().filter(|_| self.layers.hair);
        let strands = strands.filter(|_| self.look.hair.lit);
        let place_of_head = self.studio.carried();
        let farthest = strands.map_or(0.0, |strands| strands.farthest(place_of_head, USUAL_REACH));
        self.studio.reach_to(farthest);
        let hair = |light: &Camera| {
            let light = Frame::new(&self.context, light, pose);
            let mut strands = strands.into_iter();
            strands.try_for_each(|strands| strands.cast_shadow(&light, &self.look.hair))
        };
        (self.studio).cast_shadows(view, in_motion, place, surfaces, hair)
    }

    /// Takes another sample of head, solids and hair, with savings if the picture is soon replaced by
    /// another. `differs`: they or the view are not those of the sample before.
    pub(super) fn expose(
        &mut self,
        exposure: &mut Exposure,
        shot: &Shot,
        pixel_scale: f32,
        economy: Option<Economy>,
        differs: bool,
    ) -> Drawn {
        let differs = differs | std::mem::take(&mut self.unprepared);
        let [width, height] = exposure.size();
        let viewport = Viewport::new_at_origo(width, height);
        let camera = shot.camera.to_three_d(viewport);
        self.cast_shadows(&camera, economy.is_some(), exposure.next_place())?;
        let world_from_head = convert::mat4(shot.world_from_head);
        let (look, strands) = (&self.look.hair, self.strands.as_mut());
        let detail = match (economy, strands) {
            (None, _) => Detail::Still,
            (Some(_), None) => Detail::ALL_MOVING,
            (Some(economy), Some(strands)) => {
                strands.choose_detail(&camera, world_from_head, look, economy)
            }
        };
        self.drawn_share = detail.share();
        let offset = exposure.next_offset();
        let (place, focus) = match (self.look.lens.aperture, detail) {
            (aperture, Detail::Still) if aperture > 0.0 => {
                let place = exposure.next_place();
                (place.map(|along| along * aperture), self.look.lens.focus)
            }
            _ => ([0.0; 2], 0.0),
        };
        // Few taps make a pattern, which a single sample trades for grain.
        let has_pattern = self.quality.shadow_taps < Quality::FULL.shadow_taps;
        let grain = if has_pattern || detail != Detail::Still {
            1.0
        } else {
            0.0
        };
        let has_floor = self.look.light.floor;
        let head = self.head.as_ref().filter(|_| !has_floor);
        let fade = head.and_then(|head| head.fade(world_from_head, self.look.light.fade));
        let eye = camera.position();
        let plain = Frame::new(&self.context, &camera, world_from_head);
        let frame = Frame {
            pixel_scale,
            fade: fade.unwrap_or(plain.fade),
            fine: detail == Detail::Still || self.quality.fine_in_motion,
            finest: match economy {
                Some(_) => FINEST_IN_MOTION,
                None => finest(exposure.samples()),
            },
            filter_turn: [exposure.next_turn(), grain],
            ..plain
        };
        let (studio, layers, needs_depth) = (&self.studio, self.layers, self.needs_depth());
        // In motion nobody notices light that is one picture old.
        let is_lit = self.lit_view.replace(self.view) == Some(self.view);
        let in_turns = is_lit && !frame.fine;
        // A renderer on the CPU draws the shadow maps while this thread sorts strands.
        let mut strands = self.strands.as_mut().filter(|_| layers.hair && differs);
        if let Some(strands) = &mut strands {
            strands.arrange(&camera, world_from_head, detail);
        }
        let head_hair = self.head_hair.as_mut();
        if let Some(hair) = head_hair.filter(|_| layers.head && differs) {
            hair.prepare(&frame, &self.look.hair, studio, detail, in_turns)?;
        }
        if let Some(strands) = strands {
            strands.light(&frame, &self.look.hair, studio, detail, in_turns)?;
        }
        let frame = Frame {
            camera: &shot.camera.shifted(viewport, offset, place, focus),
            ..frame
        };
        let opaque = || opaque(&self.head, self.layers, &self.solids);
        let surfaces = || opaque().try_for_each(|surface| surface.draw(&frame, studio));
        // Hair that hangs behind what fades is seen through it: the depth there is that of a share of
        // the samples. Marks and slices need the whole depth.
        let hair = self.strands.as_ref().filter(|_| layers.hair);
        let shows_hair = !needs_depth && hair.is_some_and(|hair| hair.reaches_under(&frame));
        let depth = || opaque().try_for_each(|surface| surface.draw_depth(&frame));
        let rest = || {
            self.surroundings.draw(frame.camera, MaterialType::Opaque);
            let head = self.head.iter().filter(|_| has_floor && layers.head);
            for height in head.map(HeadModel::lowest) {
                self.floor.draw(&frame, studio, height)?;
            }
            let follicles = self.follicles.iter().filter(|_| layers.hair);
            for follicles in follicles {
                follicles.draw(&frame, &self.look.hair)?;
            }
            let head = || self.head.iter().filter(|_| layers.head);
            let blended = |inner| head().flat_map(move |head| head.blended(inner, eye));
            for surface in blended(true) {
                surface.draw(&frame, studio)?;
            }
            let look = &self.look.hair;
            if let Some(hair) = self.head_hair.as_ref().filter(|_| layers.head) {
                hair.draw(&frame, look, detail)?;
            }
            let in_front = blended(false).collect::<Vec<_>>();
            if let Some(strands) = hair {
                strands.draw(&frame, look, detail)?;
                if needs_depth || !in_front.is_empty() {
                    strands.draw_depth(&frame, look, detail)?;
                }
            }
            for surface in in_front {
                surface.draw(&frame, studio)?;
            }
            self.surroundings
                .draw(frame.camera, MaterialType::Transparent);
            Ok(())
        };
        let hiding = shows_hair.then_some(depth);
        exposure.take((&frame, &self.square), needs_depth, surfaces, hiding, rest)
    }

    /// Adds the depth of hair to samples that were taken before something needed it.
    pub(super) fn deepen(&self, exposure: &mut Exposure, shot: &Shot, pixel_scale: f32) -> Drawn {
        let [width, height] = exposure.size();
        let camera = shot
            .camera
            .to_three_d(Viewport::new_at_origo(width, height));
        let frame = Frame {
            pixel_scale,
            finest: finest(exposure.samples()),
            ..Frame::new(&self.context, &camera, convert::mat4(shot.world_from_head))
        };
        exposure.deepen(|| {
            let mut strands = self.strands.iter().filter(|_| self.layers.hair);
            strands.try_for_each(|hair| hair.draw_depth(&frame, &self.look.hair, Detail::Still))
        })
    }
}

/// Returns the surfaces that hide what is behind them.
pub(super) fn opaque<'a>(
    head: &'a Option<HeadModel>,
    layers: Layers,
    solids: &'a Solids,
) -> impl Iterator<Item = &'a Surface> {
    let head = head.iter().filter(move |_| layers.head);
    head.flat_map(HeadModel::opaque).chain(solids.surfaces())
}

/// The smallest width of strands in motion, pixels: thinner ones would flicker.
const FINEST_IN_MOTION: f32 = 1.25;

/// Returns the smallest width of strands in a sample, pixels, after `samples` others. Samples in
/// more places draw thinner strands without gaps.
fn finest(samples: u32) -> f32 {
    (1.0 / (1.0 + samples as f32).sqrt()).max(0.25)
}
