//! Hair as it grows, before anybody brushes it: the source's layout.

use super::figure::{Growth, Hairline};
use super::hair::{Curve, Hair, SHORTEST};
use super::settings::{DollSettings, Profile, STATIONS};
use crate::det_math::sin_cos;
use crate::random::Random;
use glam::DVec2;

/// Back hair: how much farther up it grows than the fringe, and between which distances from the
/// fringe's circle, pixels.
const BACK_UP: f64 = 30.0;
const BACK_IN: f64 = 20.0;
const BACK_DEEP: f64 = 50.0;
/// How far to both sides tips are of roots, pixels.
const ASIDE: f64 = 15.0;
/// Random light of back hair and of the fringe, of 255.
const LIGHT: [f64; 2] = [50.0, 100.0];

/// All hair of a doll: the back's, then the fringe's. Each is the same however many there are.
pub(super) fn grow(settings: &DollSettings) -> Vec<Hair> {
    let [back, fringe] = settings.layers();
    let numbers = [(0, back), (1, fringe)].into_iter();
    let numbers = numbers.flat_map(|(layer, count)| (0..count).map(move |number| (layer, number)));
    numbers
        .map(|(layer, number)| hair(settings, layer, number))
        .collect()
}

fn hair(settings: &DollSettings, layer: usize, number: usize) -> Hair {
    let line = settings.figure.hairline();
    let stream = (2 * number + layer + 1) as u64;
    let seed = settings
        .seed
        .wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut random = Random::new(seed);
    let mut uniform = |from: f64, to: f64| from + (to - from) * random.uniform();

    let [first, last] = line.degrees;
    let (sin, cos) = sin_cos(uniform(first, last).to_radians());
    // The page's y points down.
    let (up, distance) = match layer {
        0 => (BACK_UP, line.radius - BACK_IN + uniform(0.0, BACK_DEEP)),
        _ => (0.0, line.radius),
    };
    let (up, out) = match line.growth {
        Growth::Down => (up, DVec2::Y),
        Growth::Out => (0.0, DVec2::new(sin, cos)),
    };
    let from = line.origin - DVec2::new(0.0, up) + distance * DVec2::new(sin, cos);
    let light = uniform(0.0, LIGHT[layer]);
    let length = length(settings, &line, layer, from.x, uniform(0.0, 1.0));
    let aside = uniform(-ASIDE, ASIDE);
    let bend = uniform(0.0, length);
    let to = from + length * out + aside * -out.perp();
    let across = 0.5 + 0.5 * (from.x - line.origin.x) / reach(&line);
    Hair {
        held: Vec::new(),
        curve: Curve {
            from,
            mid: from + bend * out,
            to,
        },
        length: from.distance(to),
        color: settings.palette.color(light, across),
    }
}

/// How far from the middle hair grows to both sides, pixels.
fn reach(line: &Hairline) -> f64 {
    line.radius - BACK_IN + BACK_DEEP
}

/// How long hair can be at each station of a profile, as the figure has it.
pub(super) fn longest(settings: &DollSettings) -> [f64; STATIONS] {
    let line = settings.figure.hairline();
    let settings = DollSettings {
        profile: Profile::Figure,
        ..settings.clone()
    };
    std::array::from_fn(|station| {
        let side = 2.0 * station as f64 / (STATIONS - 1) as f64 - 1.0;
        length(
            &settings,
            &line,
            0,
            line.origin.x + side * reach(&line),
            1.0,
        )
    })
}

fn length(settings: &DollSettings, line: &Hairline, layer: usize, x: f64, share: f64) -> f64 {
    let aside = x - line.origin.x;
    match &settings.profile {
        Profile::Figure => {
            let wide = 2.0 * aside / line.radius;
            line.shortest[layer] + share * (line.varies + line.widens * wide * wide)
        }
        Profile::Own(lengths) => {
            let last = (STATIONS - 1) as f64;
            let place = (0.5 + 0.5 * aside / reach(line)).clamp(0.0, 1.0) * last;
            let station = (place as usize).min(STATIONS - 2);
            let part = place - station as f64;
            let most = lengths[station] + part * (lengths[station + 1] - lengths[station]);
            (most * (0.75 + 0.25 * share)).max(SHORTEST)
        }
    }
}
