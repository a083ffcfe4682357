use super::strands::length;
use super::*;
use crate::config::Config;
use crate::groom::{Groom, GroomSettings, Shares};
use crate::roots::Roots;
use glam::Vec3;
use proptest::prelude::*;
use std::f32::consts::TAU;

/// A ball of radius 1.
struct Ball;

impl Skin for Ball {
    fn sample(&self, point: Vec3) -> (f32, Vec3) {
        (point.length() - 1.0, point.normalize_or(Vec3::Y))
    }
}

/// Returns roots all over the ball (Fibonacci's spiral).
fn roots(count: usize) -> Roots {
    let directions: Vec<Vec3> = (0..count)
        .map(|i| {
            let y = 1.0 - (2.0 * i as f32 + 1.0) / count as f32;
            let (sin, cos) = (i as f32 * 0.618_034 * TAU).sin_cos();
            let r = (1.0 - y * y).sqrt();
            Vec3::new(r * cos, y, r * sin)
        })
        .collect();
    Roots {
        positions: directions.clone(),
        face_normals: directions.clone(),
        directions,
        ranks: (0..count as u32).collect(),
        full_count: count,
        ..Roots::default()
    }
}

fn grown_on(roots: &Roots, stack: Vec<Modifier>, shares: &Shares) -> Groom {
    let settings = GroomSettings {
        length: 2.0,
        length_variation: 0.3,
        spread_deg: 5.0,
        clump: 0.0,
        stack,
        ..GroomSettings::default()
    };
    Groom::grow_by(roots, &settings, shares, 7, Some(&Ball))
}

fn grown(stack: Vec<Modifier>) -> Groom {
    grown_on(&roots(600), stack, &Shares::default())
}

/// Returns the points of a strand in head space.
fn points(groom: &Groom, strand: usize) -> Vec<Vec3> {
    let curves = groom.curves.as_ref().unwrap();
    let at = |&point: &Vec3| groom.roots[strand] + point;
    curves.strand(strand).iter().map(at).collect()
}

/// Returns the point at a share of the way along a strand, head space.
fn point_at(groom: &Groom, strand: usize, share: f32) -> Vec3 {
    let points = points(groom, strand);
    let place = share * (points.len() - 1) as f32;
    let i = (place as usize).min(points.len() - 2);
    points[i].lerp(points[i + 1], place - i as f32)
}

fn each_point(groom: &Groom) -> impl Iterator<Item = Vec3> + '_ {
    (0..groom.len()).flat_map(|strand| points(groom, strand))
}

const STRAIGHT: Effect = Effect::Straighten(Straighten {});

fn only(effect: Effect) -> Vec<Modifier> {
    vec![Modifier::new(effect)]
}

#[test]
fn what_does_not_act_changes_nothing() {
    let plain = grown(Vec::new());
    for kind in EffectKind::ALL {
        let modifier = Modifier::new(Effect::of(kind));
        let off = Modifier {
            on: false,
            ..modifier.clone()
        };
        let none = Modifier {
            amount: 0.0,
            ..modifier
        };
        assert!(grown(vec![off, none]) == plain, "{kind}");
    }
}

#[test]
fn effects_keep_lengths_and_stay_out_of_the_skin() {
    let plain = grown(Vec::new());
    for kind in EffectKind::ALL {
        let mut effect = Effect::of(kind);
        if let Effect::Braid(braid) = &mut effect {
            braid.from = [0.95, -0.6, 0.3];
        }
        let groom = grown(only(effect));
        assert_eq!(groom.roots, plain.roots, "{kind}");
        for strand in 0..groom.len() {
            let points = points(&groom, strand);
            assert!(points.iter().all(|p| p.is_finite()), "{kind}");
            let ratio = length(&points) / plain.lengths[strand];
            use EffectKind::{Braid, Bun, Fade, Trim};
            let cuts = matches!(kind, Trim | Fade | Braid | Bun);
            let most = if cuts { 1.01 } else { 1.002 };
            assert!(ratio < most && (cuts || ratio > 0.99), "{kind}: {ratio}");
            let ratio = length(&points) / groom.lengths[strand];
            assert!((ratio - 1.0).abs() < 1e-3, "{kind}: {ratio}");
        }
        if Modifier::new(Effect::of(kind)).needs_skin() {
            let deepest = each_point(&groom).fold(0.0, |d: f32, p| d.max(1.0 - p.length()));
            assert!(deepest < 0.01, "{kind}: {deepest}");
        }
    }
}

#[test]
fn hair_falls_and_lies_on_the_skin_in_a_layer() {
    let fall = Fall {
        rate: 30.0,
        layer: 0.2,
    };
    let groom = grown(only(Effect::Fall(fall)));
    let top = (0..groom.len()).filter(|&i| groom.roots[i].y > 0.5);
    for strand in top {
        let points = points(&groom, strand);
        // It runs down the ball near its surface until it may leave it at the equator.
        for point in points.iter().filter(|p| p.y > 0.0) {
            assert!(point.length() < 1.5, "{point}");
        }
        assert!(points.last().unwrap().y < points[0].y);
    }
    let low = (0..groom.len()).filter(|&i| groom.roots[i].y < 0.0);
    for strand in low {
        let points = points(&groom, strand);
        let last = (points[points.len() - 1] - points[points.len() - 2]).normalize();
        assert!(last.y < -0.9, "{last}");
    }
}

#[test]
fn a_part_lays_hair_to_both_sides() {
    let part = Part {
        from: [0.0, 0.8, 0.6],
        to: [0.0, 0.8, -0.6],
        back_deg: 0.0,
        ..Part::default()
    };
    let groom = grown(only(Effect::Part(part)));
    for strand in (0..groom.len()).filter(|&i| groom.roots[i].y > 0.6) {
        let points = points(&groom, strand);
        let moved = points[points.len() / 3].x - points[0].x;
        let root = points[0].x;
        assert!(moved * root > 0.0 || root.abs() < 0.03, "{root} {moved}");
    }
}

#[test]
fn a_line_that_hair_is_drawn_to_makes_a_crest_within_its_reach() {
    let part = Part {
        from: [0.0, 0.8, 0.6],
        to: [0.0, 0.8, -0.6],
        back_deg: 180.0,
        reach: 0.8,
        ..Part::default()
    };
    let (crest, plain) = (grown(only(Effect::Part(part))), grown(only(STRAIGHT)));
    for strand in (0..crest.len()).filter(|&i| crest.roots[i].y > 0.8) {
        let (root, moved) = (crest.roots[strand].x, point_at(&crest, strand, 0.2).x);
        assert!(
            root.abs() < 0.03 || (moved - root) * root < 0.0,
            "{root} {moved}"
        );
    }
    let far = (0..crest.len()).filter(|&i| crest.roots[i].y < -0.2);
    for strand in far {
        let [now, was] = [&crest, &plain].map(|groom| point_at(groom, strand, 0.7));
        assert!(now.distance(was) < 1e-3, "{now} {was}");
    }
}

#[test]
fn cones_and_balls_cut_and_fades_grade_by_height() {
    let trim = |trim: Trim| {
        let trim = Trim {
            ragged: 0.0,
            ..trim
        };
        grown(vec![
            Modifier::new(STRAIGHT),
            Modifier::new(Effect::Trim(trim)),
        ])
    };
    let ball = trim(Trim {
        point: [0.0, 0.2, 0.0],
        radius: 1.7,
        ..Trim::default()
    });
    let farthest = each_point(&ball).fold(0.0, |far: f32, p| far.max(p.distance(Vec3::Y * 0.2)));
    assert!((farthest - 1.7).abs() < 1e-3, "{farthest}");
    // A cone that opens upwards from y = 0.5 by 1 in 2.
    let cone = trim(Trim {
        point: [0.0, 0.5, 0.0],
        normal: [0.0, 1.0, 0.0],
        slope: 0.5,
        ..Trim::default()
    });
    let over = |p: Vec3| p.y - 0.5 - 0.5 * p.x.hypot(p.z);
    let below = (0..cone.len()).filter(|&i| over(cone.roots[i]) < 0.0);
    let highest = below.flat_map(|strand| points(&cone, strand).into_iter().skip(1));
    let highest = highest.fold(f32::MIN, |high, p| high.max(over(p)));
    assert!(highest.abs() < 5e-3, "{highest}");

    let fade = Fade {
        low: -0.5,
        high: 0.5,
        length: 0.1,
        drop: 0.4,
    };
    let (faded, plain) = (grown(only(Effect::Fade(fade))), grown(Vec::new()));
    for strand in 0..faded.len() {
        let Vec3 { y, z, .. } = faded.roots[strand];
        let share = (y + 0.5 - 0.4 * z).clamp(0.0, 1.0);
        let expected = 0.1 + (plain.lengths[strand] - 0.1) * share * share;
        assert!((faded.lengths[strand] - expected).abs() < 1e-3, "{y} {z}");
    }
}

#[test]
fn hair_rotates_about_the_normal_and_is_displaced_most_at_its_tip() {
    let spread = |modifiers: &[Effect]| {
        let stack = modifiers.iter().cloned().map(Modifier::new).collect();
        let settings = GroomSettings {
            length: 1.0,
            length_variation: 0.0,
            spread_deg: 50.0,
            clump: 0.0,
            stack,
            ..GroomSettings::default()
        };
        Groom::grow_by(&roots(200), &settings, &Shares::default(), 7, None)
    };
    let plain = spread(&[STRAIGHT]);
    let turned = spread(&[Effect::Rotate(Rotate {
        angle_deg: 90.0,
        ..Rotate::default()
    })]);
    let displaced = spread(&[Effect::Displace(Displace {
        by: [0.0, 0.1, 0.0],
        out: 0.0,
        ..Displace::default()
    })]);
    for strand in 0..plain.len() {
        let (normal, was) = (plain.normals[strand], plain.reach(strand));
        let tip = *points(&turned, strand).last().unwrap() - plain.roots[strand];
        let expected = normal.cross(was) + normal * normal.dot(was);
        assert!(tip.distance(expected) < 1e-3, "{tip} {expected}");
        let [tip, middle] = [1.0, 0.5]
            .map(|share| point_at(&displaced, strand, share) - plain.roots[strand] - was * share);
        // The length stays, so hair along the vector does not move.
        let bent = (tip - middle * 2.0).length();
        assert!(bent < 0.02, "{bent} {tip} {middle}");
        let across = Vec3::Y.reject_from_normalized(was) * 0.1;
        assert!(tip.distance(across) < 0.02, "{tip} {across}");
    }
}

#[test]
fn tips_roll_up_and_the_rest_stays() {
    let roll = Roll {
        length: 0.8,
        radius: 0.1,
        taper: 1.0,
        variation: 0.0,
        ..Roll::default()
    };
    let (rolled, plain) = (grown(only(Effect::Roll(roll))), grown(only(STRAIGHT)));
    for strand in 0..rolled.len() {
        let length = plain.lengths[strand];
        let start = plain.roots[strand] + plain.directions[strand] * (length - 0.8);
        let points = points(&rolled, strand);
        for (j, point) in points.iter().enumerate() {
            let along = length * j as f32 / (points.len() - 1) as f32;
            let place = plain.roots[strand] + plain.directions[strand] * along;
            match along < length - 0.8 {
                true => assert!(point.distance(place) < 1e-3),
                // A circle through the start, and a segment more.
                false => assert!(point.distance(start) < 0.2 + 0.1, "{point} {start}"),
            }
        }
    }
}

/// Returns the mean angle between segments of strands.
fn bend(groom: &Groom) -> f32 {
    let bends = (0..groom.len()).flat_map(|strand| {
        let points = points(groom, strand);
        let ways: Vec<Vec3> = points.windows(2).map(|pair| pair[1] - pair[0]).collect();
        ways.windows(2)
            .map(|pair| pair[0].angle_between(pair[1]))
            .collect::<Vec<_>>()
    });
    let (sum, count) = bends.fold((0.0, 0), |(sum, count), bend| (sum + bend, count + 1));
    sum / count as f32
}

#[test]
fn smoothing_takes_bends_away_and_blending_makes_neighbours_alike() {
    let frizz = Effect::Frizz(Frizz {
        angle_deg: 50.0,
        length: 0.3,
    });
    let frizzy = grown(only(frizz.clone()));
    let then = |effect| grown(vec![Modifier::new(frizz.clone()), Modifier::new(effect)]);
    let smooth = |length| then(Effect::Smooth(Smooth { length }));
    assert!(bend(&smooth(0.01)) > 0.9 * bend(&frizzy));
    assert!(bend(&smooth(0.5)) < 0.35 * bend(&frizzy));
    assert!(bend(&smooth(10.0)) < 0.01);

    // The distance between the shapes of strands that are next to each other.
    let apart = |groom: &Groom| {
        let shape = |strand: usize| {
            (point_at(groom, strand, 1.0) - groom.roots[strand]) / groom.lengths[strand]
        };
        let near = |&[a, b]: &[usize; 2]| groom.roots[a].distance(groom.roots[b]) < 0.2;
        let pairs = (0..groom.len()).flat_map(|a| (0..a).map(move |b| [a, b]));
        let pairs: Vec<[usize; 2]> = pairs.filter(near).collect();
        assert!(pairs.len() > 100);
        let all = pairs.iter().map(|&[a, b]| (shape(a) - shape(b)).length());
        all.sum::<f32>() / pairs.len() as f32
    };
    let blended = then(Effect::Blend(Blend { size: 0.4 }));
    let [straight, blended, frizzy] = [&grown(only(STRAIGHT)), &blended, &frizzy].map(apart);
    assert!(
        blended - straight < 0.4 * (frizzy - straight),
        "{straight} {blended} {frizzy}"
    );
}

#[test]
fn noise_moves_neighbours_alike_and_roots_not() {
    let settings = Noise {
        distance: 0.2,
        size: 1.0,
    };
    let (noisy, plain) = (grown(only(Effect::Noise(settings))), grown(only(STRAIGHT)));
    let moved = |strand: usize| {
        let [a, b] = [&noisy, &plain].map(|groom| points(groom, strand)[8]);
        a - b
    };
    let cosine = |near: std::ops::Range<f32>| {
        let is_near =
            |&[a, b]: &[usize; 2]| near.contains(&noisy.roots[a].distance(noisy.roots[b]));
        let pairs = (0..noisy.len())
            .flat_map(|a| (0..a).map(move |b| [a, b]))
            .filter(is_near);
        let all: Vec<f32> = pairs
            .map(|[a, b]| {
                moved(a)
                    .normalize_or_zero()
                    .dot(moved(b).normalize_or_zero())
            })
            .collect();
        all.iter().sum::<f32>() / all.len() as f32
    };
    let (near, far) = (cosine(0.0..0.15), cosine(1.2..2.0));
    assert!(near > 0.7 && far.abs() < 0.3, "{near} {far}");
    for strand in 0..noisy.len() {
        assert!(points(&noisy, strand)[1].distance(points(&plain, strand)[1]) < 0.05);
    }
}

#[test]
fn shrinkwrapped_hair_lies_on_the_skin() {
    let groom = grown(only(Effect::Shrinkwrap(Shrinkwrap::default())));
    for strand in 0..groom.len() {
        for point in points(&groom, strand).into_iter().skip(8) {
            assert!((point.length() - 1.04).abs() < 0.04, "{point}");
        }
    }
}

#[test]
fn a_bun_holds_all_hair_that_reaches_it() {
    let bun = Bun {
        at: [0.0, 0.8, -0.6],
        ..Bun::default()
    };
    let settings = GroomSettings {
        length: 10.0,
        length_variation: 0.0,
        clump: 0.0,
        stack: only(Effect::Bun(bun.clone())),
        ..GroomSettings::default()
    };
    let groom = Groom::grow_by(&roots(200), &settings, &Shares::default(), 7, Some(&Ball));
    for strand in 0..groom.len() {
        let points = points(&groom, strand);
        let last = &points[points.len() - 20..];
        for point in last {
            let away = point.distance(Vec3::from(bun.at));
            assert!(away < 1.3 * bun.radius, "{away}");
        }
        // The hair over the skin lies close to it.
        let near = |p: &&Vec3| p.distance(Vec3::from(bun.at)) > 1.3 * bun.radius;
        assert!(points.iter().filter(near).all(|p| p.length() < 1.2));
    }
}

#[test]
fn dyes_have_ramps_and_profiles_are_factors_on_the_width() {
    let dye = Effect::Dye(Dye {
        stops: vec![[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]],
        ..Dye::default()
    });
    let profile = Effect::Profile(Profile {
        root: 1.0,
        middle: 0.5,
        tip: 0.2,
        variation: 0.0,
    });
    let half = Modifier {
        ramp: [0.0, 0.0, 1.0],
        ..Modifier::new(Effect::Dye(Dye {
            color: [0.0; 3],
            ..Dye::default()
        }))
    };
    let groom = grown(vec![Modifier::new(dye), Modifier::new(profile), half]);
    let per = groom.tints.len() / groom.len();
    assert_eq!(groom.tints.len(), per * groom.len());
    assert_eq!(groom.widths.len(), per * groom.len());
    for (tints, widths) in groom.tints.chunks(per).zip(groom.widths.chunks(per)) {
        assert_eq!((tints[0], tints[per - 1]), ([1.0, 0.0, 0.0], [0.0; 3]));
        let t = 3.0 / (per - 1) as f32;
        let expected = [1.0 - t, 0.0, t];
        assert!(
            (0..3).all(|i| (tints[3][i] - expected[i]).abs() < 1e-5),
            "{:?}",
            tints[3]
        );
        assert_eq!(widths[0], 1.0);
        assert!((widths[per - 1] - 0.2).abs() < 1e-6);
    }
    // One value is enough for what is even, also after a map.
    let even = Effect::Profile(Profile {
        root: 0.5,
        middle: 0.5,
        tip: 0.5,
        variation: 0.0,
    });
    let shares = Shares {
        width: vec![0.5; 600],
        ..Shares::default()
    };
    let groom = grown_on(&roots(600), only(even), &shares);
    assert_eq!(groom.widths, [0.25; 600]);
}

#[test]
fn random_values_of_effects_are_told_apart_by_numbers_that_stay() {
    let mut streams = EffectKind::ALL.map(EffectKind::stream);
    use EffectKind::*;
    let first = [
        Comb, Part, Whorl, Fall, Lift, Straighten, Trim, Clump, Braid, Curl, Frizz, Stray, Dye,
    ];
    assert!(first.into_iter().map(EffectKind::stream).eq(0..13));
    streams.sort_unstable();
    assert!(streams.into_iter().eq(0..EffectKind::ALL.len() as u64));
}

#[test]
fn a_plane_cuts_what_is_beyond() {
    let trim = Trim {
        point: [0.0, -0.5, 0.0],
        normal: [0.0, -1.0, 0.0],
        ..Trim::default()
    };
    let fall = Effect::Fall(Fall {
        rate: 30.0,
        ..Fall::default()
    });
    let long = grown(only(fall.clone()));
    let cut = grown(vec![Modifier::new(fall), Modifier::new(Effect::Trim(trim))]);
    let lowest = |groom: &Groom| {
        let above = (0..groom.len()).filter(|&i| groom.roots[i].y > -0.4);
        let points = above.flat_map(|strand| points(groom, strand));
        points.fold(0.0, |y: f32, p| y.min(p.y))
    };
    assert!(lowest(&long) < -1.0);
    assert!(lowest(&cut) > -0.501, "{}", lowest(&cut));
}

#[test]
fn clumps_bring_tips_together_and_locks_share_their_phase() {
    let crowding = |groom: &Groom| {
        let tips: Vec<Vec3> = (0..groom.len())
            .map(|strand| *points(groom, strand).last().unwrap())
            .collect();
        let nearest = |i: usize| {
            let others = (0..tips.len()).filter(|&j| j != i);
            others.fold(f32::MAX, |least, j| least.min(tips[j].distance(tips[i])))
        };
        (0..tips.len()).map(nearest).sum::<f32>() / tips.len() as f32
    };
    let clump = Clump {
        size: 0.3,
        tightness: 1.0,
        ..Clump::default()
    };
    let loose = grown(only(Effect::Straighten(Straighten {})));
    let gathered = grown(only(Effect::Clump(clump)));
    assert!(crowding(&gathered) < 0.5 * crowding(&loose));

    let curl = |lock, variation| {
        grown(only(Effect::Curl(Curl {
            lock,
            variation,
            ..Curl::default()
        })))
    };
    // The tips of strands around one place, against their straight selves, go the same way.
    let swerve = |groom: &Groom, strand: usize| {
        // After half a decimetre of hair: lengths differ.
        let of = |groom| point_at(groom, strand, 0.5 / loose.lengths[strand]);
        let [straight, now] = [&loose, groom].map(of);
        (now - straight).reject_from_normalized(loose.directions[strand])
    };
    let alike = |groom: &Groom| {
        let near = |i: usize| {
            let others = (0..groom.len()).filter(|&j| j != i);
            others.min_by(|&a, &b| {
                let away = |j: usize| groom.roots[j].distance(groom.roots[i]);
                away(a).total_cmp(&away(b))
            })
        };
        let cos = |i: usize| {
            let j = near(i).unwrap();
            let [a, b] = [i, j].map(|strand| swerve(groom, strand).normalize_or_zero());
            a.dot(b)
        };
        (0..groom.len()).map(cos).sum::<f32>() / groom.len() as f32
    };
    let (locks, alone) = (alike(&curl(0.5, 0.0)), alike(&curl(0.0, 0.0)));
    assert!(locks > alone + 0.3, "{locks} {alone}");
}

#[test]
fn clumps_do_not_draw_hair_through_the_head_at_a_parting() {
    let part = Effect::Part(Part {
        from: [0.0, 1.0, 1.0],
        to: [0.0, 1.0, -1.0],
        ..Part::default()
    });
    let clump = Clump {
        size: 0.3,
        tightness: 1.0,
        ..Clump::default()
    };
    let stack = [part, Effect::Fall(Fall::default()), Effect::Clump(clump)];
    let groom = grown(stack.map(Modifier::new).to_vec());
    let lowest = each_point(&groom)
        .map(Vec3::length)
        .fold(f32::MAX, f32::min);
    assert!(lowest > 0.8, "{lowest}");
}

#[test]
fn a_round_curl_gets_along_by_the_cosine_of_its_angle() {
    let curl = Curl {
        angle_deg: 60.0,
        length: 0.2,
        variation: 0.0,
        ..Curl::default()
    };
    let settings = |stack| GroomSettings {
        length: 4.0,
        length_variation: 0.0,
        spread_deg: 0.0,
        clump: 0.0,
        stack,
        ..GroomSettings::default()
    };
    let settings = settings(only(Effect::Curl(curl)));
    let groom = Groom::grow_by(&roots(20), &settings, &Shares::default(), 7, Some(&Ball));
    for strand in 0..groom.len() {
        let points = points(&groom, strand);
        let [root, tip] = [points[0], points[points.len() - 1]];
        // The curl opens in its first 0.12 dm.
        let share = (tip.distance(root) - 0.06) / (4.0 - 0.12);
        assert!((share - 0.5).abs() < 0.03, "{share}");
    }
}

#[test]
fn braids_lead_to_their_ends_on_both_sides() {
    let braid = Braid {
        from: [0.9, -0.7, 0.0],
        to: [1.0, -2.5, 0.0],
        ..Braid::default()
    };
    let settings = GroomSettings {
        length: 10.0,
        length_variation: 0.0,
        clump: 0.0,
        stack: only(Effect::Braid(braid.clone())),
        ..GroomSettings::default()
    };
    let groom = Groom::grow_by(&roots(300), &settings, &Shares::default(), 7, Some(&Ball));
    for strand in 0..groom.len() {
        let side = if groom.roots[strand].x < 0.0 {
            -1.0
        } else {
            1.0
        };
        let end = Vec3::new(side * 1.0, -2.5, 0.0);
        let tip = *points(&groom, strand).last().unwrap();
        assert!(tip.distance(end) < braid.tuft + 2.0 * braid.radius, "{tip}");
    }
}

#[test]
fn a_share_of_the_locks_is_dyed() {
    let dye = Dye {
        color: [0.2, 0.4, 0.6],
        share: 0.3,
        lock: 0.0,
        stops: Vec::new(),
    };
    let groom = grown(only(Effect::Dye(dye)));
    let dyed = groom.tints.iter().filter(|&&tint| tint == [0.2, 0.4, 0.6]);
    let dyed = dyed.count() as f32 / groom.len() as f32;
    assert!((dyed - 0.3).abs() < 0.06, "{dyed}");
    let white = groom.tints.iter().filter(|&&tint| tint == [1.0; 3]).count();
    assert!(white > 0);
}

#[test]
fn masks_and_ramps_limit_where_a_modifier_acts() {
    let roots = roots(200);
    let left = |root: &Vec3| if root.x < 0.0 { 1.0 } else { 0.0 };
    let mut shares = Shares::default();
    shares.masks[1] = roots.positions.iter().map(left).collect();
    let comb = Effect::Comb(Comb::default());
    let plain = grown_on(&roots, only(Effect::Straighten(Straighten {})), &shares);
    for invert in [false, true] {
        let masked = Modifier {
            mask: Mask::Mask2,
            invert,
            ..Modifier::new(comb.clone())
        };
        let groom = grown_on(&roots, vec![masked], &shares);
        for strand in 0..groom.len() {
            let acts = (groom.roots[strand].x < 0.0) != invert;
            let tips = [&groom, &plain].map(|groom| *points(groom, strand).last().unwrap());
            let moved = tips[0].distance(tips[1]) > 1e-3;
            assert_eq!(moved, acts, "{invert} {}", groom.roots[strand]);
        }
    }
    let modifier = Modifier {
        ramp: [0.0, 0.5, 1.0],
        ..Modifier::new(comb)
    };
    let along = [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| modifier.along(t));
    assert_eq!(along, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn roots_that_are_left_out_change_no_other_strand() {
    let all = roots(300);
    let kept: Vec<bool> = (0..300).map(|i| i % 3 != 0).collect();
    let some = all.kept(&kept, 1.0);
    let own = |kind| !matches!(kind, EffectKind::Clump | EffectKind::Blend);
    for kind in EffectKind::ALL.into_iter().filter(|&kind| own(kind)) {
        let mut effect = Effect::of(kind);
        match &mut effect {
            Effect::Curl(curl) => curl.lock = 0.0,
            Effect::Dye(dye) => dye.lock = 0.0,
            _ => {}
        }
        let [whole, part] =
            [&all, &some].map(|roots| grown_on(roots, only(effect.clone()), &Shares::default()));
        let left = (0..300).filter(|&i| kept[i]);
        for (strand, of_all) in left.enumerate() {
            let same = points(&part, strand) == points(&whole, of_all);
            assert!(same, "{kind}: strand {of_all}");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let stack: Vec<Modifier> = EffectKind::ALL
        .into_iter()
        .map(|kind| Modifier::new(Effect::of(kind)))
        .collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| grown(stack.clone()))
    };
    assert!(on(1) == on(3));
}

#[test]
fn a_stack_is_written_and_read_and_wrong_ones_are_refused() {
    let mut config = Config::default();
    config.groom.stack = EffectKind::ALL
        .into_iter()
        .map(|kind| Modifier {
            name: format!("my {kind}"),
            mask: Mask::Mask3,
            invert: true,
            ramp: [0.0, 0.5, 1.0],
            ..Modifier::new(Effect::of(kind))
        })
        .collect();
    let text = config.to_toml().unwrap();
    assert!(
        text.contains("# Thickness of the hair on the skin"),
        "{text}"
    );
    assert!(Config::from_toml("a.toml", &text).unwrap() == config);

    let error = |stack: &str| {
        let text = format!("version = 1\n[groom]\nstack = {stack}\n");
        Config::from_toml("a.toml", &text).unwrap_err().to_string()
    };
    for (stack, part) in [
        ("[{}]", "a modifier has exactly one of comb, part, whorl"),
        ("[{ comb = {}, fall = {} }]", "exactly one of"),
        ("[{ perm = {} }]", "unknown field `perm`"),
        ("[{ fall = { depth = 1 } }]", "unknown field `depth`"),
        (
            "[{ fall = {} }, { amount = 2, fall = {} }]",
            "groom.stack.amount (number 2) = 2: expected 0 to 1",
        ),
        (
            "[{ clump = { size = 0 } }]",
            "groom.stack.clump.size (number 1) = 0: expected 0.005 to 10",
        ),
        ("[{ mask = \"ears\", fall = {} }]", "mask4"),
    ] {
        let error = error(stack);
        assert!(error.contains(part), "{stack}: {error}");
    }
    let many = vec!["{ fall = {} }"; 33].join(", ");
    assert!(error(&format!("[{many}]")).contains("at most 32"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Settings at the ends of their ranges give hair all the same.
    #[test]
    fn any_valid_stack_gives_finite_hair(kinds in prop::collection::vec((0..EffectKind::ALL.len(), 0..3_u8), 1..5)) {
        let extreme = |(kind, end): (usize, u8)| {
            let kind = EffectKind::ALL[kind];
            let key = kind.name();
            let section = EFFECT_SECTIONS.iter().find(|section| section.key.ends_with(key)).unwrap();
            let numbers = section.fields.iter().filter_map(|field| {
                let [low, high] = field.range?;
                let name = field.key.rsplit('.').next().unwrap();
                let value = [low, high, 0.5 * (low + high)][usize::from(end)];
                Some(match name {
                    "towards" | "from" | "to" | "centre" | "point" | "normal" | "color" | "axis" | "by" | "at" => {
                        format!("{name} = [{value:?}, {value:?}, {value:?}]")
                    }
                    "via" => format!("via = [[{value:?}, 0, 0], [0, 0, {value:?}]]"),
                    "stops" => format!("stops = [[{value:?}, 0, 1, 0], [0.5, 1, 1, {value:?}]]"),
                    _ => format!("{name} = {value:?}"),
                })
            });
            format!("{{ {key} = {{ {} }} }}", numbers.collect::<Vec<_>>().join(", "))
        };
        let stack: Vec<String> = kinds.into_iter().map(extreme).collect();
        let text = format!("version = 1\n[groom]\nstack = [{}]\n", stack.join(", "));
        let config = Config::from_toml("a.toml", &text).unwrap();
        let groom = grown_on(&roots(60), config.groom.stack, &Shares::default());
        prop_assert!(each_point(&groom).all(|p| p.is_finite()));
        prop_assert!(groom.lengths.iter().all(|length| length.is_finite() && *length > 0.0));
        prop_assert!(groom.tints.iter().flatten().all(|c| c.is_finite()));
    }
}
