//! Stacks of modifiers on a ball.

mod amounts;
mod checkpoint;
mod direction;
mod guides;
mod shape;

use super::strands::length;
use super::*;
use crate::config::Config;
use crate::groom::{Groom, GroomSettings, Shares};
use crate::roots::Roots;
use crate::scalp::SurfacePoint;
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
    let point = SurfacePoint {
        triangle: 0,
        weights: Vec3::X,
    };
    Roots {
        points: vec![point; count],
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
    if let Some(curves) = &groom.curves {
        let at = |&point: &Vec3| groom.roots[strand] + point;
        return curves.strand(strand).iter().map(at).collect();
    }
    let mut straight = vec![Vec3::ZERO; 16];
    groom.write_rest(strand, &mut straight);
    straight
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
        ramp: vec![0.0, 0.0, 1.0],
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
fn a_share_of_the_locks_is_dyed() {
    let dye = Dye {
        color: [0.2, 0.4, 0.6],
        share: 0.3,
        lock: 0.0,
        bleach: 0.5,
        stops: Vec::new(),
    };
    let dye = Modifier::new(Effect::Dye(dye));
    let groom = grown(vec![dye.clone()]);
    let dyed = groom.tints.iter().filter(|&&tint| tint == [0.2, 0.4, 0.6]);
    let dyed = dyed.count() as f32 / groom.len() as f32;
    assert!((dyed - 0.3).abs() < 0.06, "{dyed}");
    let white = groom.tints.iter().filter(|&&tint| tint == [1.0; 3]).count();
    assert!(white > 0);
    // Dyed strands are bleached too, and keep a quarter of their pigment after a second time.
    let twice = grown(vec![dye.clone(), dye]);
    for (strand, tint) in groom.tints.iter().enumerate() {
        let is_dyed = *tint != [1.0; 3];
        let expected = if is_dyed { [0.5, 0.75] } else { [0.0; 2] };
        assert_eq!([groom.bleach[strand], twice.bleach[strand]], expected);
    }
}

#[test]
fn hair_gets_wet_where_it_is_not_yet() {
    let mut wet = Modifier::new(Effect::Wet(Wet { wetness: 0.5 }));
    let groom = grown(vec![wet.clone(), wet.clone()]);
    assert_eq!(groom.wetness, vec![0.75; groom.len()]);
    wet.ramp = vec![0.0, 0.0, 1.0];
    let groom = grown(vec![wet]);
    let per_strand = groom.wetness.len() / groom.len();
    let strand = &groom.wetness[..per_strand];
    assert_eq!((strand[0], strand[per_strand - 1]), (0.0, 0.5));
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
        ramp: vec![0.0, 0.5, 1.0],
        ..Modifier::new(comb)
    };
    let along = |modifier: &Modifier| [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| modifier.along(t));
    assert_eq!(along(&modifier), [0.0, 0.25, 0.5, 0.75, 1.0]);
    let ramp = vec![1.0, 0.0, 0.5, 0.0, 0.25];
    let modifier = Modifier { ramp, ..modifier };
    assert_eq!(along(&modifier), [1.0, 0.0, 0.5, 0.0, 0.25]);
    assert_eq!(modifier.along(0.625), 0.25);
}

#[test]
fn roots_that_are_left_out_change_no_other_strand() {
    let all = roots(300);
    let kept: Vec<u32> = (0..300).filter(|i| i % 3 != 0).collect();
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
        for (strand, &of_all) in kept.iter().enumerate() {
            let same = points(&part, strand) == points(&whole, of_all as usize);
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
            ramp: vec![0.0, 0.5, 1.0, 0.25],
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
        ("[{}]", "a modifier has exactly one of follow, comb, part"),
        ("[{ comb = {}, fall = {} }]", "exactly one of"),
        ("[{ perm = {} }]", "unknown field `perm`"),
        (r#"[{ name = "a\nb", fall = {} }]"#, "no line breaks"),
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
        (
            "[{ ramp = [1], fall = {} }]",
            "groom.stack.ramp (number 1) = 1 factors: expected 2 to 17 factors",
        ),
        (
            "[{ ramp = [1, 0, 2], fall = {} }]",
            "groom.stack.ramp (number 1) = 2: expected 0 to 1",
        ),
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
                    "guides" => format!("guides = [[[0, 1, 0], [{value:?}, 2, 0]], [[0, 0, {value:?}]], []]"),
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
