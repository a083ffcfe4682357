//! Guides of the stack, which hair follows: drawn, brushed, planted, or taken from hair.

use super::{PaintError, Styler};
use crate::config::Config;
use crate::groom::{Effect, EffectKind, Follow, Modifier, locks, write_along};
use crate::scalp::{NearestFinder, Scalp};
use crate::settings::{ListItem as _, MOST_ELEMENTS};
use crate::style::brush::{BrushStep, SkinField};
use crate::style::contents::{Change, Style};
use crate::style::grow;
use crate::style::strands::{Lengths, Neighbours, Strands, length};
use crate::style::stroke_file::{Stroke, Tool};
use crate::style::visibility::Visibility;
use glam::{Vec2, Vec3};
use std::collections::BTreeMap;

/// Gives the mirror image of a point.
const FLIP: Vec3 = Vec3::new(-1.0, 1.0, 1.0);
/// Points of a drawn guide, and the most of one that is taken from hair.
const POINTS: usize = 16;
const MOST_POINTS: usize = 64;
/// Height above the skin at which guides are drawn on it, decimetres.
const LAYER: f32 = 0.05;
/// A drawn guide follows the skin where that is not farther from its end than this, decimetres, and
/// three steps of the pointer.
const NEAR: f32 = 0.1;
/// Shorter guides are not kept, decimetres.
const SHORTEST: f32 = 0.05;
/// Times that the shake of the hand is averaged out of a drawn guide.
const SMOOTHINGS: usize = 6;

/// Points of a guide, head space, decimetres.
type Curve = Vec<[f32; 3]>;

/// A stroke on guides that has not ended.
pub(super) struct Guiding {
    /// The number of the modifier that has them.
    modifier: usize,
    /// The settings before the stroke.
    before: Config,
    /// The guides, and the same as strands.
    curves: Vec<Curve>,
    strands: Strands,
    lengths: Lengths,
    neighbours: Option<Neighbours>,
    /// The hair before the stroke, whose shape guides are planted in.
    hair: Option<Strands>,
    /// The guide that is being drawn, head space.
    drawn: Vec<Vec3>,
    is_changed: bool,
}

/// The surroundings of a stroke on guides.
pub(super) struct Around<'a> {
    pub(super) scalp: &'a Scalp,
    pub(super) skin: SkinField<'a>,
}

impl Guiding {
    /// Performs a step of a brush between two pixels.
    pub(super) fn step(
        &mut self,
        brush: &Stroke,
        sides: &[Visibility],
        ends: [Vec2; 2],
        around: &Around,
    ) {
        let scalp = around.scalp;
        match (brush.tool, sides.first()) {
            (Tool::Draw, Some(side)) => self.draw(side, scalp, ends[1], brush.radius),
            (Tool::Add, Some(side)) => {
                if let Some(ball) = side.ball(scalp, ends[1], brush.radius) {
                    self.plant(ball, brush.mirror);
                }
            }
            _ => {
                let (strands, lengths) = (&self.strands, &self.lengths);
                let step = BrushStep {
                    skin: around.skin,
                    neighbours: self.neighbours.as_ref(),
                    ..BrushStep::new(brush, ends, sides, scalp, strands, lengths)
                };
                if brush.tool == Tool::Delete {
                    let gone: Vec<u32> = step.reached().iter().map(|reached| reached.0).collect();
                    return self.remove(&gone);
                }
                let (numbers, points) = step.moved();
                self.is_changed |= !numbers.is_empty();
                self.strands.replace(&numbers, &points);
                for strand in numbers.iter().map(|&number| number as usize) {
                    self.curves[strand] = curve(&self.strands, strand);
                }
                if brush.tool.changes_length() {
                    self.lengths.measure_all(&self.strands, &numbers);
                }
            }
        }
    }

    /// Goes on with the guide that is being drawn: on the skin, and beside it at the depth of its end.
    /// It begins on the nearest skin under the brush.
    fn draw(&mut self, side: &Visibility, scalp: &Scalp, to: Vec2, radius: f32) {
        let on_skin = side.pick_above(scalp, to, LAYER);
        let Some(&last) = self.drawn.last() else {
            return self.drawn.extend(side.pick_near(scalp, to, radius));
        };
        let Some(depth) = side.view.see(last).map(|seen| seen.depth) else {
            return;
        };
        let beside = side.view.point(to, depth);
        let reach = NEAR + 3.0 * beside.distance(last);
        let is_met = |place: &Vec3| {
            let is_in_front = side.view.see(*place).is_some_and(|seen| seen.depth < depth);
            is_in_front || place.distance(last) < reach
        };
        self.drawn.push(on_skin.filter(is_met).unwrap_or(beside));
    }

    /// Plants a guide in the shape of the hair in the middle of a ball, unless one grows in the ball.
    fn plant(&mut self, (centre, radius): (Vec3, f32), mirrors: bool) {
        let is_near = |root: &Vec3| root.distance(centre) < radius;
        if self.strands.roots.iter().any(is_near) {
            return;
        }
        let Some(hair) = &self.hair else {
            return;
        };
        let roots = hair.roots.iter().enumerate();
        let roots = roots.filter(|(_, root)| is_near(root));
        let away = |root: &Vec3| root.distance_squared(centre);
        let nearest = roots.min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        if let Some((strand, &root)) = nearest {
            let points: Vec<Vec3> = hair.strand(strand).iter().map(|&p| root + p).collect();
            // The image is left out where a guide grows already, and in the middle of the head.
            let image = root * FLIP;
            let is_near = |other: &Vec3| other.distance(image) < radius;
            let mirrors = mirrors && !is_near(&root) && !self.strands.roots.iter().any(is_near);
            let normal = hair.normals[strand];
            self.add(&points, normal, mirrors);
        }
    }

    /// Adds a guide, and its mirror image.
    fn add(&mut self, points: &[Vec3], normal: Vec3, mirrors: bool) {
        for side in [Vec3::ONE, FLIP].into_iter().take(1 + usize::from(mirrors)) {
            if self.strands.len() < MOST_ELEMENTS {
                self.strands
                    .add(points.iter().map(|&point| point * side), normal * side);
                let strand = self.curves.len();
                self.curves.push(curve(&self.strands, strand));
                self.is_changed = true;
            }
        }
        self.lengths = Lengths::of(&self.strands);
    }

    fn remove(&mut self, gone: &[u32]) {
        self.is_changed |= !gone.is_empty();
        let stays = |strand: usize| !gone.contains(&(strand as u32));
        let kept = (0..self.curves.len()).filter(|&strand| stays(strand));
        self.curves = kept.map(|strand| self.curves[strand].clone()).collect();
        self.strands.keep(stays);
        self.lengths = Lengths::of(&self.strands);
    }

    /// Gives the guides to the settings. Returns `false` if they have them.
    pub(super) fn give(&self, config: &mut Config) -> bool {
        match guides_of(config, self.modifier) {
            Some(now) if *now != self.curves => {
                now.clone_from(&self.curves);
                true
            }
            _ => false,
        }
    }

    /// Ends the stroke. Returns the settings before it; `None`, and sets these, if it changed nothing.
    pub(super) fn end(
        mut self,
        brush: &Stroke,
        around: &Around,
        config: &mut Config,
    ) -> Option<Config> {
        if length(&self.drawn) > SHORTEST {
            let points = smoothed(&self.drawn, around.skin);
            let normal = normal_at(&NearestFinder::of(around.scalp), points[0]);
            self.add(&points, normal, brush.mirror);
        }
        self.give(config);
        if self.is_changed {
            return Some(self.before);
        }
        *config = self.before;
        None
    }

    /// Returns the settings before the stroke.
    pub(super) fn cancel(self) -> Config {
        self.before
    }
}

impl Styler {
    /// Prepares a stroke on guides. If there are none yet, a modifier comes into the stack for them.
    ///
    /// # Errors
    ///
    /// [`PaintError`], if there is no room for more guides.
    pub(super) fn guiding(&mut self, stroke: &Stroke) -> Result<Guiding, PaintError> {
        // Overriding settings have guides of their own.
        self.end_override();
        let before = self.style.config.clone();
        let stack = &mut self.style.config.groom.stack;
        let known = before.groom.guides().map(|(modifier, _)| modifier);
        let grows = matches!(stroke.tool, Tool::Draw | Tool::Add);
        let modifier = match known {
            Some(known) => known,
            None if !grows => return Err(PaintError::NoGuides),
            None if stack.len() >= Modifier::MAX => return Err(PaintError::FullStack),
            None => {
                let place = EffectKind::Follow.place_in(stack);
                stack.insert(place, Modifier::new(Effect::of(EffectKind::Follow)));
                place
            }
        };
        let curves = guides_of(&mut self.style.config, modifier).map(|guides| guides.clone());
        let curves = curves.unwrap_or_default();
        if grows && curves.len() >= MOST_ELEMENTS {
            return Err(PaintError::ManyGuides);
        }
        let nearest = NearestFinder::of(self.follicles.scalp());
        let most = curves.iter().map(Vec::len).max().unwrap_or(0);
        let mut strands = Strands::with_points(most.max(POINTS));
        for guide in &curves {
            let points = guide.iter().copied().map(Vec3::from);
            let root = guide.first().copied().unwrap_or_default();
            strands.add(points, normal_at(&nearest, root.into()));
        }
        Ok(Guiding {
            modifier,
            before,
            curves,
            lengths: Lengths::of(&strands),
            neighbours: (stroke.tool == Tool::Smooth).then(|| Neighbours::of(&strands)),
            strands,
            hair: (stroke.tool == Tool::Add).then(|| self.grown.strands().clone()),
            drawn: Vec::new(),
            is_changed: false,
        })
    }

    /// Takes evenly spread strands as guides of a modifier of the stack, in the shape in which they
    /// come to it; at the end of the stack, as they have been brushed. `None` adds a modifier there,
    /// and what was brushed is no longer kept strand by strand. Returns the number of guides. One
    /// thing to undo.
    pub fn take_guides(&mut self, modifier: Option<usize>, count: usize) -> usize {
        self.cancel();
        self.end_override();
        if modifier.is_some_and(|i| guides_of(&mut self.style.config, i).is_none()) {
            return 0;
        }
        let mut changes = vec![Change::Config(Box::new(self.style.config.clone()))];
        let stack = &self.style.config.groom.stack;
        let end = stack.len();
        let place = modifier.unwrap_or(end);
        let mut style = self.style.clone();
        style.config.groom.stack.truncate(place);
        if place + 1 < end {
            style.edits.curves.clear();
        } else if place < end && !style.edits.curves.is_empty() {
            self.keep_lengths(&mut style);
        }
        let grown = grow::grow(&style, self.skin(), &self.follicles);
        let spacing = self.follicles.sampled().1;
        let guides = spread(grown.strands(), spacing, count.min(MOST_ELEMENTS));
        let taken = guides.len();
        if taken == 0 || modifier.is_none() && end >= Modifier::MAX {
            return 0;
        }
        if modifier.is_none() {
            let all = Follow {
                reach: *Follow::reach.range().end(),
                ..Follow::default()
            };
            let last = Modifier::new(Effect::Follow(all));
            self.style.config.groom.stack.push(last);
            let edits = &mut self.style.edits;
            changes.push(Change::Edits(Box::new(edits.clone())));
            edits.curves.clear();
        }
        if let Some(now) = guides_of(&mut self.style.config, place) {
            *now = guides;
        }
        self.history.push("guides from hair", changes);
        self.grow();
        taken
    }

    /// Lets brushed hair stay as long in a style with other modifiers as it is now.
    fn keep_lengths(&self, style: &mut Style) {
        let now = grow::grow(&self.style, self.skin(), &self.follicles);
        let now = now.planted.numbers.iter().zip(&now.lengths);
        let now: BTreeMap<u32, f32> = now.map(|(&number, &length)| (number, length)).collect();
        let bare = grow::grow(style, self.skin(), &self.follicles);
        for (number, length) in bare.planted.numbers.iter().zip(&bare.lengths) {
            let curve = style.edits.curves.get_mut(number).zip(now.get(number));
            if let Some((curve, now)) = curve {
                curve.grown *= length.max(grow::MIN_LENGTH) / now.max(grow::MIN_LENGTH);
            }
        }
    }
}

/// Returns the guides of a modifier; `None` if it follows none.
fn guides_of(config: &mut Config, modifier: usize) -> Option<&mut Vec<Curve>> {
    match &mut config.groom.stack.get_mut(modifier)?.effect {
        Effect::Follow(follow) => Some(&mut follow.guides),
        _ => None,
    }
}

/// Returns about `count` strands, evenly spread, as guides.
fn spread(strands: &Strands, spacing: f32, count: usize) -> Vec<Curve> {
    if count == 0 {
        return Vec::new();
    }
    // Discs about the middles cover as much skin as those of a smaller radius about all roots.
    let mut radius = 0.7 * spacing * (strands.len() as f32 / count as f32).sqrt();
    let middles = loop {
        let locks = locks(&strands.roots, &strands.normals, radius.max(1e-4));
        let middles = (0..strands.len()).filter(|&strand| locks[strand] == strand as u32);
        let middles: Vec<usize> = middles.collect();
        if middles.len() <= count || radius > 1e3 {
            break middles;
        }
        radius = radius.max(1e-4) * 1.05;
    };
    let mut guides = Strands::with_points(strands.per.clamp(POINTS, MOST_POINTS));
    for &strand in middles.iter().take(count) {
        let (root, points) = (strands.roots[strand], strands.strand(strand));
        let points = points.iter().map(|&point| root + point);
        guides.add(points, strands.normals[strand]);
    }
    let all = 0..guides.len();
    all.map(|guide| curve(&guides, guide)).collect()
}

/// Returns a drawn guide without the shake of the hand, outside of the skin.
fn smoothed(drawn: &[Vec3], skin: SkinField) -> Vec<Vec3> {
    let mut even = [Vec3::ZERO; 4 * POINTS];
    write_along(drawn, length(drawn).into(), &mut even);
    for _ in 0..SMOOTHINGS {
        let old = even;
        for (i, window) in old.windows(3).enumerate() {
            even[i + 1] = 0.25 * (window[0] + 2.0 * window[1] + window[2]);
        }
    }
    let mut points = vec![Vec3::ZERO; POINTS];
    write_along(&even, length(&even).into(), &mut points);
    let root = points[0];
    points.iter_mut().for_each(|point| *point -= root);
    let steps = points.windows(2).map(|pair| pair[0].distance(pair[1]));
    let segments: Vec<f32> = std::iter::once(0.0).chain(steps).collect();
    let old = points.clone();
    skin.constrain(root, &segments, &old, &mut points, &[]);
    points.iter().map(|&point| root + point).collect()
}

/// Returns a strand as a guide, to a tenth of a millimetre.
fn curve(strands: &Strands, strand: usize) -> Curve {
    let (root, points) = (strands.roots[strand], strands.strand(strand));
    let round = |x: f32| (1e3 * x).round() / 1e3;
    let points = points
        .iter()
        .map(|&point| (root + point).to_array().map(round));
    points.collect()
}

/// Returns the normal of the skin nearest to a place.
fn normal_at(skin: &NearestFinder, place: Vec3) -> Vec3 {
    let found = skin.find(place, f64::INFINITY, |_| true);
    found.map_or(Vec3::Y, |(at, _)| skin.scalp.face_normal(at.triangle))
}
