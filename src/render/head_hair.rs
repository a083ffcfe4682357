//! Hair that comes with a head, such as brows and lashes: strands that keep their place on it.

use super::convert;
use super::frame::{Drawn, Frame};
use super::light::Studio;
use super::outline::Rows;
use super::ribbons::Detail;
use super::shot::Economy;
use super::strands::StrandModel;
use crate::groom::Groom;
use crate::head::{Head, Material, PartShape};
use crate::look::{Brows, HairLook, Pigment};
use glam::{Mat4, Vec3};
use three_d::Context;

/// The look of such hair, apart from its colour.
const RADIUS: f32 = 0.0015;
const TAPER: f32 = 0.3;
const GLOSS: f32 = 0.4;

/// The strands of one part of a head.
struct Tuft {
    strands: StrandModel,
    /// Head space. Short hair is drawn well enough as a curve from its root along its direction to
    /// its tip.
    tips: Vec<Vec3>,
    /// sRGB.
    color: [f32; 3],
    /// The number of its part, and its lines.
    part: usize,
    lines: Vec<[u32; 2]>,
}

/// The hair of a head on the GPU.
pub struct HeadHair {
    tufts: Vec<Tuft>,
    pose: Option<Mat4>,
}

impl HeadHair {
    /// Uploads the lines of a head.
    pub fn new(context: &Context, head: &Head) -> Self {
        let parts = head.parts.iter().enumerate();
        let parts = parts.filter(|(_, part)| !part.lines.is_empty());
        let tufts = parts.filter_map(|(number, part)| {
            let (groom, tips) = Groom::of_lines(&part.lines, &part.positions);
            let mut strands = StrandModel::new(context, &groom)?;
            strands.lies_on_skin = true;
            Some(Tuft {
                strands,
                tips,
                color: color(&head.materials[part.material]),
                part: number,
                lines: part.lines.clone(),
            })
        });
        Self {
            tufts: tufts.collect(),
            pose: None,
        }
    }

    /// Moves the hair with its head.
    pub fn set_pose(&mut self, world_from_head: Mat4) {
        if self.pose.replace(world_from_head) == Some(world_from_head) {
            return;
        }
        for tuft in &mut self.tufts {
            let tip = |&tip| world_from_head.transform_point3(tip).extend(0.0).to_array();
            let tips: Vec<_> = tuft.tips.iter().map(tip).collect();
            tuft.strands.set_points(&tips, 1);
        }
    }

    /// Moves the hair with the parts of the head, of which there is one shape each.
    pub fn set_shapes(&mut self, shapes: &[PartShape]) {
        for tuft in &mut self.tufts {
            if let Some(shape) = shapes.get(tuft.part) {
                let (groom, tips) = Groom::of_lines(&tuft.lines, &shape.positions);
                tuft.strands.carry(&groom);
                tuft.tips = tips;
            }
        }
        self.pose = None;
    }

    /// Covers the rows of a picture in which the hair can be.
    pub fn cover(&self, rows: &mut Rows) {
        let world_from_head = self.pose.unwrap_or(Mat4::IDENTITY);
        let world_from_head = three_d::Mat4::from(world_from_head.to_cols_array_2d());
        for tuft in &self.tufts {
            tuft.strands.cover(world_from_head, RADIUS, rows);
        }
    }

    /// Computes the order and the light for a view, as [`StrandModel`] says.
    pub fn prepare(
        &mut self,
        frame: &Frame,
        look: &HairLook,
        studio: &Studio,
        detail: Detail,
        in_turns: bool,
    ) -> Drawn {
        let detail = all_strands(detail);
        self.tufts.iter_mut().try_for_each(|tuft| {
            let strands = &mut tuft.strands;
            if detail != Detail::Still {
                let look = tuft_look(tuft.color, look);
                let (camera, pose) = (frame.camera, frame.world_from_head);
                strands.choose_detail(camera, pose, &look, Economy::NONE);
            }
            strands.arrange(frame.camera, frame.world_from_head, detail);
            let look = tuft_look(tuft.color, look);
            strands.light(frame, &look, studio, detail, in_turns)
        })
    }

    /// Draws the strands.
    pub fn draw(&self, frame: &Frame, look: &HairLook, detail: Detail) -> Drawn {
        let detail = all_strands(detail);
        let mut tufts = self.tufts.iter();
        tufts.try_for_each(|tuft| (tuft.strands).draw(frame, &tuft_look(tuft.color, look), detail))
    }
}

/// Returns the detail with all strands: few are drawn, and each is seen.
fn all_strands(detail: Detail) -> Detail {
    match detail {
        Detail::Still => Detail::Still,
        Detail::Moving { .. } => Detail::ALL_MOVING,
    }
}

/// Returns the look of hair with a colour of its own beside other hair.
fn tuft_look(own: [f32; 3], hair: &HairLook) -> HairLook {
    let [root_color, tip_color] = match hair.brows {
        Brows::Own => [own; 2],
        Brows::Hair => hair.colors(),
        Brows::Dye => [hair.brow_color; 2],
    };
    HairLook {
        pigment: Pigment::Dye,
        root_color,
        tip_color,
        grey: if hair.brows == Brows::Hair {
            hair.grey
        } else {
            0.0
        },
        radius: RADIUS,
        taper: TAPER,
        gloss: GLOSS,
        lit: hair.lit,
        shading: hair.shading,
        ..HairLook::default()
    }
}

fn color(material: &Material) -> [f32; 3] {
    let [r, g, b, _] = material.base_color;
    [r, g, b].map(|c| convert::srgb_from_linear(c.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brows_keep_their_colour_or_have_that_of_hair_or_a_dye() {
        let (own, dye) = ([0.1, 0.2, 0.3], [0.9, 0.8, 0.1]);
        let hair = |brows| HairLook {
            brows,
            brow_color: dye,
            grey: 0.5,
            ..HairLook::default()
        };
        let drawn = |brows| {
            let look = tuft_look(own, &hair(brows));
            (look.colors(), look.grey)
        };
        assert_eq!(drawn(Brows::Own), ([own; 2], 0.0));
        assert_eq!(drawn(Brows::Dye), ([dye; 2], 0.0));
        assert_eq!(drawn(Brows::Hair), (HairLook::default().colors(), 0.5));
    }
}
