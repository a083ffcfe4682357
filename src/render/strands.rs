//! Strands as camera-facing ribbons. Shaders read each strand from textures. A first pass computes
//! the light from its rings, each once, and the vertices of the ribbon look it up.
//!
//! Per strand the GPU holds 32 bytes that change only with the groom and 16 bytes
//! that change every frame; the ribbon itself is one small template, instanced.
//!
//! Ribbons are as wide as hair, or a pixel wide and as opaque as the share of the pixel that hair
//! covers. They are blended, and so are drawn from back to front. Long strands are drawn in parts,
//! each in its own place of the order, because they cross, and hide what is behind them where the
//! order is wrong. Short strands do not: where the order is right, depth only makes them flicker.

mod draw;
mod shape;

use super::frame::{Squares, TexelList, blank_texture};
use super::outline::{Bounds, boxes_in, cells};
use super::ribbons::Templates;
use super::survey::sampled;
use crate::groom::{Fuzz, Groom, MIN_WIDTH};
use three_d::*;

/// Largest length of strands whose order is right, decimetres.
const SHORT: f32 = 1.2;

/// Largest distance of a point of a stray hair from its curve, as a share of its length, as in
/// `strand.glsl`.
const STRAY: f32 = 0.6;
/// Longer stray hairs lean out no farther than those of this length, decimetres.
const LONGEST_STRAY: f32 = 1.4;

/// Colours of all strands, strand after strand, root first. They cover the colours of the look, for
/// example to show a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tints {
    /// sRGB as drawn, and how much it covers.
    pub colors: Vec<[u8; 4]>,
    /// Number of colours of each strand, evenly spaced from root to tip; at least 1.
    pub per_strand: usize,
}

/// All strands of a groom on the GPU.
pub struct StrandModel {
    context: Context,
    /// `true` for hair that lies on the skin, into which coarse ribbons would sink. It is drawn a
    /// little nearer to the eye.
    pub lies_on_skin: bool,
    /// `true` if strands hide what is behind them by their depth too.
    is_deep: bool,
    ribbons: Templates,
    root_length: TexelList<[f32; 4]>,
    direction_seed: TexelList<[f32; 4]>,
    /// Drawn tips, or particles.
    points: TexelList<[f32; 4]>,
    points_per_strand: u32,
    /// The colours and the `per_strand` of [`Tints`].
    tints: Option<(TexelList<[u8; 4]>, usize)>,
    /// Colours of the groom, which dye those of the look, with the share of pigment that is bleached,
    /// and how many each strand has.
    dyes: Option<(TexelList<[u8; 4]>, usize)>,
    /// The wetness of the groom, and how many values each strand has.
    wets: Option<(TexelList<f32>, usize)>,
    /// Widths of the groom as shares of that of the look, and how many each strand has.
    widths: Option<(TexelList<f32>, usize)>,
    fuzz: Fuzz,
    /// The share of `fuzz` that shows.
    pub(super) frizzy: f32,
    count: u32,
    /// The cell of each strand, and in each the roots and the middles of rest curves, head space,
    /// and the points, world space.
    cells: Vec<u8>,
    rest_boxes: Vec<Bounds>,
    points_boxes: Vec<Bounds>,
    /// The largest distance of what is drawn from its rest curve, and from its points, decimetres.
    reach: [f32; 2],
    /// Roots, head space.
    roots: Vec<glam::Vec3>,
    /// The directions of the [`sampled`] strands, head space.
    directions: Vec<glam::Vec3>,
    /// The light from each ring of each strand that is drawn.
    light: Texture2D,
    /// The rings of each strand of which the light is known; `None` if other strands are drawn now.
    lit_rings: Option<u32>,
    /// `true` if the latest light is that from the second half of the strands.
    lights_second_half: bool,
    /// The square on which the light is computed.
    square: Squares,
    /// The part that is drawn in each place: place of its strand in `strands` × parts + part.
    order: TexelList<f32>,
    /// The view that the order is for; `None` if points have changed since.
    ordered_for: Option<(Vec3, Vec3, f32)>,
    /// The strands that are drawn, and their share.
    drawn: Vec<u32>,
    drawn_share: f32,
    /// The list of `drawn` on the GPU.
    strands: TexelList<f32>,
}

impl StrandModel {
    /// Uploads a groom. `None` if it is empty.
    pub fn new(context: &Context, groom: &Groom) -> Option<Self> {
        let count = u32::try_from(groom.len()).ok().filter(|&count| count > 0)?;
        let [root_length, direction_seed] = at_rest(context, groom);
        let tip = |i: usize| groom.roots[i] + groom.directions[i] * groom.lengths[i];
        let mut points = TexelList::new(context, count);
        points.fill((0..groom.len()).map(|i| tip(i).extend(0.0).to_array()));
        let (cells, cell_count) = cells(&groom.roots);
        let longest = groom.lengths.iter().copied().fold(0.0, f32::max);
        let len = groom.tints.len().max(groom.bleach.len());
        let dyes = (len > 0).then(|| {
            let texels = TexelList::fixed(context, len as u32, dye_texels(groom));
            (texels, len / groom.len())
        });
        let values = |list: &[f32], least: f32| {
            let len = list.len();
            let texels = || TexelList::fixed(context, len as u32, at_least(list, least));
            (len > 0).then(|| (texels(), len / groom.len()))
        };
        let (widths, wets) = (
            values(&groom.widths, MIN_WIDTH),
            values(&groom.wetness, 0.0),
        );
        let mut strands = Self {
            context: context.clone(),
            lies_on_skin: false,
            is_deep: longest > SHORT,
            ribbons: Templates::new(context, 1, 1),
            light: blank_texture::<[f16; 4]>(context, [1, 1], Interpolation::Nearest),
            lit_rings: None,
            lights_second_half: false,
            square: Squares::one(context),
            order: TexelList::new(context, count),
            ordered_for: None,
            strands: TexelList::new(context, count),
            drawn: Vec::new(),
            drawn_share: 0.0,
            rest_boxes: rest_boxes(&cells, cell_count, groom),
            points_boxes: Vec::new(),
            cells,
            reach: [0.0, if groom.fuzz.stray > 0.0 { STRAY } else { 0.0 }]
                .map(|lean| longest * groom.fuzz.frizz + longest.min(LONGEST_STRAY) * lean + 0.05),
            roots: groom.roots.clone(),
            directions: sampled(count).map(|i| groom.directions[i]).collect(),
            root_length,
            direction_seed,
            points,
            points_per_strand: 1,
            tints: None,
            dyes,
            wets,
            widths,
            fuzz: groom.fuzz,
            frizzy: 1.0,
            count,
        };
        strands.box_points();
        Some(strands)
    }

    /// Takes the roots and directions of the same strands, as skin has carried them.
    pub fn carry(&mut self, groom: &Groom) {
        [self.root_length, self.direction_seed] = at_rest(&self.context, groom);
        self.rest_boxes = rest_boxes(&self.cells, self.rest_boxes.len(), groom);
        self.roots.clone_from(&groom.roots);
        self.directions = sampled(self.count).map(|i| groom.directions[i]).collect();
        self.ordered_for = None;
    }

    /// Returns the number of strands.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Replaces the colours of the look, or restores them for `None` and for tints of another
    /// number of strands. Returns `true` if they differ.
    pub fn set_tints(&mut self, tints: Option<&Tints>) -> bool {
        let len = |tints: &Tints| self.count as usize * tints.per_strand;
        let fitting =
            tints.filter(|tints| tints.per_strand > 0 && tints.colors.len() == len(tints));
        let old = self.tints.take();
        let Some(tints) = fitting else {
            return old.is_some();
        };
        if let Some((texels, per_strand)) = &old
            && *per_strand == tints.per_strand
            && texels.texels().starts_with(&tints.colors)
        {
            self.tints = old;
            return false;
        }
        let mut texels = match old {
            Some((texels, per_strand)) if per_strand == tints.per_strand => texels,
            _ => TexelList::new(&self.context, tints.colors.len() as u32),
        };
        texels.fill(tints.colors.iter().copied());
        self.tints = Some((texels, tints.per_strand));
        true
    }
}

/// Returns the roots with the lengths, and the directions with the random numbers, of all strands.
fn at_rest(context: &Context, groom: &Groom) -> [TexelList<[f32; 4]>; 2] {
    let texel = |v: glam::Vec3, w: f32| v.extend(w).to_array();
    let roots = groom.roots.iter().zip(&groom.lengths);
    let roots = roots.map(|(&root, &length)| texel(root, length));
    let directions = groom.directions.iter().zip((0..).map(seed));
    let directions = directions.map(|(&direction, seed)| texel(direction, seed));
    let count = groom.len() as u32;
    [
        TexelList::fixed(context, count, roots),
        TexelList::fixed(context, count, directions),
    ]
}

/// Returns boxes around the roots and the middles of the strands of each cell.
fn rest_boxes(cells: &[u8], count: usize, groom: &Groom) -> Vec<Bounds> {
    let middle = |i: usize| groom.roots[i] + 0.5 * groom.lengths[i] * groom.directions[i];
    let rest = (0..groom.len()).map(|i| [groom.roots[i], middle(i)]);
    boxes_in(cells, count, rest)
}

/// Returns the random number of a strand, in [0, 1). The multiples of the golden ratio are evenly
/// spread for any count, and so are strands whose numbers lie below a limit.
pub(super) fn seed(strand: u32) -> f32 {
    (f64::from(strand) * 0.618_033_988_749_895).fract() as f32
}

/// Returns the dyes of all strands: sRGB, and the share of pigment that is bleached.
fn dye_texels(groom: &Groom) -> impl Iterator<Item = [u8; 4]> + '_ {
    // Casts saturate, and not-a-number becomes 0.
    let byte = |share: f32| (share * 255.0).round() as u8;
    let count = groom.tints.len().max(groom.bleach.len());
    // A list with fewer values has one of each strand.
    let per_strand = count / groom.len();
    let place = move |len: usize, i: usize| if len < count { i / per_strand } else { i };
    (0..count).map(move |i| {
        let tint = groom.tints.get(place(groom.tints.len(), i));
        let bleach = groom.bleach.get(place(groom.bleach.len(), i));
        let [r, g, b] = tint.copied().unwrap_or([1.0; 3]);
        [r, g, b, bleach.copied().unwrap_or(0.0)].map(byte)
    })
}

/// Returns values with a minimum, which not-a-number becomes.
fn at_least(values: &[f32], least: f32) -> impl Iterator<Item = f32> + '_ {
    values.iter().map(move |value| value.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_have_a_minimum_and_missing_dyes_are_white() {
        let groom = Groom {
            roots: vec![glam::Vec3::ZERO; 4],
            widths: vec![1.0, 0.5, 0.0, f32::NAN],
            bleach: vec![0.0, 1.0, 0.2, 2.0],
            ..Groom::default()
        };
        assert!(at_least(&groom.widths, MIN_WIDTH).eq([1.0, 0.5, 0.1, 0.1]));
        let white = |bleach| [255, 255, 255, bleach];
        assert!(dye_texels(&groom).eq([0, 255, 51, 255].map(white)));
        let groom = Groom {
            roots: vec![glam::Vec3::ZERO; 2],
            bleach: vec![1.0, 0.4],
            tints: vec![[1.0, 0.0, 0.2], [1.0; 3], [0.0; 3], [0.2; 3]],
            ..Groom::default()
        };
        let expected = [
            [255, 0, 51, 255],
            [255, 255, 255, 255],
            [0, 0, 0, 102],
            [51, 51, 51, 102],
        ];
        assert!(dye_texels(&groom).eq(expected));
    }
}
