//! Modifiers that act a little, or on some of the hair.

use super::*;

/// Returns sleek hair with more modifiers after it.
fn sleek(more: Vec<Modifier>) -> Groom {
    let flat = Effect::Comb(Comb {
        layer: 0.0,
        ..Comb::default()
    });
    grown([only(flat), more].concat())
}

/// Returns the largest distance between the same places of each strand of two grooms, ascending.
fn moved(a: &Groom, b: &Groom) -> Vec<f32> {
    let at = |groom, strand| [0.25, 0.5, 0.75, 1.0].map(|share| point_at(groom, strand, share));
    let moved = |strand| {
        let pairs = at(a, strand).into_iter().zip(at(b, strand));
        pairs.fold(0.0_f32, |most, (a, b)| most.max(a.distance(b)))
    };
    let mut all: Vec<f32> = (0..a.len()).map(moved).collect();
    all.sort_unstable_by(f32::total_cmp);
    all
}

/// Hair left the skin for any amount as far as for all of it, which made steps at the borders of masks.
#[test]
fn a_small_amount_changes_little() {
    let plain = sleek(Vec::new());
    for kind in EffectKind::ALL {
        // Braids and buns lead hair elsewhere by whatever way the skin leaves. Curls and frizz round
        // sharp bends.
        use EffectKind::{Braid, Bun, Curl, Frizz};
        if matches!(kind, Braid | Bun | Curl | Frizz) {
            continue;
        }
        let little = Modifier {
            amount: 1e-4,
            ..Modifier::new(Effect::of(kind))
        };
        let moved = moved(&plain, &sleek(vec![little]));
        // The way of a few strands over the ball forks.
        let most = moved[moved.len() * 9 / 10];
        assert!(most < 0.01, "{kind}: {most} dm");
    }
}

#[test]
fn hair_beyond_the_reach_of_guides_stays() {
    let plain = sleek(Vec::new());
    let root = plain.roots[0];
    let follow = Follow {
        reach: 0.3,
        guides: vec![vec![root.to_array(), (2.0 * root).to_array()]],
        ..Follow::default()
    };
    let led = sleek(only(Effect::Follow(follow)));
    let mut led_too = 0;
    for strand in 0..plain.len() {
        let is_same = points(&plain, strand) == points(&led, strand);
        led_too += usize::from(!is_same);
        let away = plain.roots[strand].distance(root);
        assert!(is_same || away < 0.31, "{away} dm away");
    }
    assert!(led_too > 0, "the guide leads some");
}

/// Nothing was lifted where a segment was longer than the reach.
#[test]
fn lift_raises_hair_of_any_length() {
    let grown = |stack| {
        let settings = GroomSettings {
            length: 6.0,
            spread_deg: 60.0,
            clump: 0.0,
            stack,
            ..GroomSettings::default()
        };
        Groom::grow_by(&roots(200), &settings, &Shares::default(), 7, None)
    };
    let lift = Effect::Lift(Lift {
        share: 1.0,
        ..Lift::default()
    });
    let (plain, lifted) = (grown(only(STRAIGHT)), grown(only(lift)));
    // A root that is upright over the reach r moves all beyond it by about r / 2 times the sine.
    let moved = moved(&plain, &lifted);
    let most = moved[moved.len() - 1];
    assert!((0.05..0.3).contains(&most), "{most} dm");
}

/// The motion of straight hair differs with curves.
#[test]
fn a_dye_makes_no_curves_of_straight_hair() {
    let dyed = grown(only(Effect::Dye(Dye::default())));
    assert!(dyed.curves.is_none() && !dyed.tints.is_empty());
}
