//! Growing on from a checkpoint.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A ball that counts how often it was asked.
#[derive(Default)]
struct Counted(AtomicUsize);

impl Skin for Counted {
    fn sample(&self, point: Vec3) -> (f32, Vec3) {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ball.sample(point)
    }
}

fn with(stack: &[Modifier]) -> GroomSettings {
    GroomSettings {
        length: 1.5,
        stack: stack.to_vec(),
        ..GroomSettings::default()
    }
}

fn stack() -> Vec<Modifier> {
    use EffectKind::{Clump, Comb, Curl, Dye, Fall, Follow, Part};
    let kinds = [Comb, Fall, Follow, Clump, Curl, Dye, Part];
    let mut stack: Vec<Modifier> = kinds.map(|kind| Modifier::new(Effect::of(kind))).into();
    let guide = (0..8).map(|i| [0.1 * i as f32, 1.0 + 0.1 * i as f32, 0.0]);
    if let Effect::Follow(follow) = &mut stack[2].effect {
        follow.guides = vec![guide.collect()];
    }
    stack[4].mask = Mask::Mask1;
    stack
}

#[test]
fn modifiers_before_a_change_are_spared() {
    let (roots, skin) = (roots(50), Counted::default());
    let mut checkpoint = Checkpoint::default();
    let mut stack = stack();
    stack.truncate(5);
    let mut asked = |amount| {
        stack[4].amount = amount;
        let before = skin.0.load(Ordering::Relaxed);
        let (settings, shares) = (with(&stack), Shares::default());
        Groom::regrow_by(&roots, &settings, &shares, 7, Some(&skin), &mut checkpoint);
        skin.0.load(Ordering::Relaxed) - before
    };
    // The second time is the first that knows what changes.
    let asked = [1.0, 0.9, 0.8, 0.7].map(&mut asked);
    assert!(asked[0] > 0 && asked[1] == asked[0], "{asked:?}");
    assert_eq!(asked[2..], [0, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn hair_from_a_checkpoint_is_that_from_nothing(
        changes in prop::collection::vec((0..10_usize, 0.0_f32..1.0), 2..8),
    ) {
        let (all, mut stack) = (roots(60), stack());
        let (mut shares, mut length, mut has_skin) = (Shares::default(), 1.5, true);
        let mut checkpoint = Checkpoint::default();
        for (nth, value) in changes {
            match nth {
                7 => shares.masks[0] = vec![value; all.positions.len()],
                8 => length = 1.0 + value,
                9 => has_skin = !has_skin,
                nth if value < 0.3 => stack[nth].on = !stack[nth].on,
                nth => stack[nth].amount = value,
            }
            let settings = GroomSettings { length, ..with(&stack) };
            let skin = has_skin.then_some(&Ball as &dyn Skin);
            let again = Groom::regrow_by(&all, &settings, &shares, 7, skin, &mut checkpoint);
            prop_assert!(again == Groom::grow_by(&all, &settings, &shares, 7, skin));
        }
    }
}
