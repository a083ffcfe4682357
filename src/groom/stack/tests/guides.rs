//! Hair that follows guides.

use super::*;

fn follow(guides: &[Vec<Vec3>], by: Leaders) -> Follow {
    let guide = |points: &Vec<Vec3>| points.iter().map(|p| p.to_array()).collect();
    Follow {
        guides: guides.iter().map(guide).collect(),
        by,
        reach: 100.0,
        ..Follow::default()
    }
}

/// Returns a guide of a length that leaves the ball at a place and bends to a side.
fn guide(root: Vec3, aside: Vec3, length: f32) -> Vec<Vec3> {
    let root = root.normalize();
    (0..=20_u8)
        .map(|i| {
            let t = f32::from(i) / 20.0;
            root + (root * t + aside * t * t).normalize_or_zero() * length * t
        })
        .collect()
}

#[test]
fn a_strand_at_the_root_of_a_guide_has_its_shape_and_length() {
    let roots = roots(600);
    let at = |strand: usize| roots.positions[strand];
    let guides = [
        guide(at(100), Vec3::Y, 1.2),
        guide(at(300), Vec3::X, 0.7),
        guide(at(500), Vec3::Z, 2.5),
    ];
    for by in [Leaders::Nearest, Leaders::Three, Leaders::Side] {
        let groom = grown(only(Effect::Follow(follow(&guides, by))));
        for (strand, guide) in [100, 300, 500].into_iter().zip(&guides) {
            let hair = points(&groom, strand);
            let tip = hair[hair.len() - 1];
            assert!(tip.distance(guide[20]) < 0.02, "{by}: {tip} {}", guide[20]);
            let middle = point_at(&groom, strand, 0.5);
            let beside = guide.iter().map(|p| p.distance(middle));
            assert!(beside.fold(f32::MAX, f32::min) < 0.05, "{by}");
        }
    }
}

#[test]
fn modifiers_after_long_guides_have_as_many_points_as_on_long_hair() {
    let guides = [guide(Vec3::Y, Vec3::X, 3.0), guide(Vec3::Z, Vec3::X, 2.0)];
    let follow = Effect::Follow(follow(&guides, Leaders::Nearest));
    let curl = Effect::of(EffectKind::Curl);
    let points = |stack: Vec<Modifier>| grown(stack).curves.unwrap().strand(0).len();
    let [short, long] = [0.75, 3.0].map(|length| curl.points(length));
    assert!(short < long);
    // The guides are bent, and so a little longer.
    assert!(points(vec![Modifier::new(follow), Modifier::new(curl)]) >= long);
}

#[test]
fn hair_between_guides_goes_over_from_one_to_the_other() {
    // Two guides that lean to opposite sides, and a third far away.
    let along = |angle: f32| Vec3::new(0.0, angle.cos(), angle.sin());
    let guides = [
        guide(along(-0.5), Vec3::X * 2.0, 1.0),
        guide(along(0.5), Vec3::NEG_X * 2.0, 1.0),
        guide(Vec3::NEG_Y, Vec3::Z, 1.0),
        guide(Vec3::new(0.1, -1.0, 0.0), Vec3::Z, 1.0),
    ];
    let mut roots = roots(400);
    let angles = (0..11_u8).map(|i| -0.5 + 0.1 * f32::from(i));
    for (i, angle) in angles.enumerate() {
        let root = along(angle);
        (roots.positions[i], roots.directions[i]) = (root, root);
        roots.face_normals[i] = root;
    }
    let shares = Shares::default();
    let three = Effect::Follow(follow(&guides, Leaders::Three));
    let groom = grown_on(&roots, only(three), &shares);
    let tips: Vec<f32> = (0..11).map(|i| point_at(&groom, i, 1.0).x).collect();
    assert!(
        tips[0] > 0.5 && tips[10] < -0.5 && tips[5].abs() < 0.1,
        "{tips:?}"
    );
    assert!(tips.windows(2).all(|pair| pair[1] < pair[0]), "{tips:?}");
    // With the nearest alone there are two groups.
    let nearest = Effect::Follow(follow(&guides, Leaders::Nearest));
    let groom = grown_on(&roots, only(nearest), &shares);
    let tips: Vec<f32> = (0..11).map(|i| point_at(&groom, i, 1.0).x).collect();
    assert!(
        (tips[4] - tips[0]).abs() < 0.15 && tips[6] < -0.5,
        "{tips:?}"
    );
}

#[test]
fn with_a_parting_hair_follows_the_guides_of_its_own_side() {
    let part = Part {
        from: [0.0, 0.0, 1.0],
        to: [0.0, 0.0, -1.0],
        reach: 0.01,
        ..Part::default()
    };
    let right = guide(Vec3::new(0.3, 1.0, 0.0), Vec3::Z * 2.0, 1.0);
    let left = guide(Vec3::new(-0.3, 1.0, 0.0), Vec3::NEG_Z * 2.0, 1.0);
    let side = Effect::Follow(follow(&[right, left], Leaders::Side));
    let stack = vec![Modifier::new(Effect::Part(part)), Modifier::new(side)];
    let groom = grown_on(&roots(600), stack, &Shares::default());
    for strand in 0..groom.len() {
        let root = groom.roots[strand];
        if root.y > 0.8 && root.x.abs() > 0.02 {
            let towards = point_at(&groom, strand, 1.0).z - root.z;
            assert!(towards * root.x > 0.0, "{root} {towards}");
        }
    }
}

#[test]
fn hair_beyond_the_reach_and_guides_without_length_change_nothing() {
    let plain = grown(only(STRAIGHT));
    let near = guide(Vec3::Y, Vec3::X * 3.0, 0.6);
    let empty = vec![Vec::new(), vec![Vec3::Y], vec![Vec3::Y; 4]];
    for (guides, reach) in [(vec![near], 0.4), (empty, 100.0), (Vec::new(), 100.0)] {
        let led = guides.len() == 1;
        let follow = Follow {
            reach,
            ..follow(&guides, Leaders::Three)
        };
        let stack = vec![
            Modifier::new(STRAIGHT),
            Modifier::new(Effect::Follow(follow)),
        ];
        let groom = grown(stack);
        for strand in 0..groom.len() {
            let is_near = led && groom.roots[strand].distance(Vec3::Y) < 0.4;
            let apart = point_at(&groom, strand, 1.0).distance(point_at(&plain, strand, 1.0));
            match is_near {
                true => assert!(groom.lengths[strand] < plain.lengths[strand] + 1e-3),
                false => assert!(apart < 2e-3, "{strand} {apart}"),
            }
        }
        let at_guide = (0..groom.len()).filter(|&i| groom.roots[i].distance(Vec3::Y) < 0.1);
        assert!(
            !led || at_guide
                .map(|i| groom.lengths[i])
                .all(|l| (l - 0.6).abs() < 0.05)
        );
    }
}

#[test]
fn gathered_hair_runs_to_the_tip_of_its_guide_as_a_cone() {
    let straight = |from: Vec3| vec![from, from * 3.0];
    let guides = [straight(Vec3::Y), straight(Vec3::NEG_Y)];
    let follow = Follow {
        gather: 1.0,
        ..follow(&guides, Leaders::Nearest)
    };
    let groom = grown(only(Effect::Follow(follow)));
    let near: Vec<usize> = (0..groom.len())
        .filter(|&i| groom.roots[i].distance(Vec3::Y) < 0.3)
        .collect();
    assert!(near.len() > 5);
    for strand in near {
        let away = |share| {
            point_at(&groom, strand, share)
                .reject_from(Vec3::Y)
                .length()
        };
        let tip = point_at(&groom, strand, 1.0);
        assert!(tip.distance(Vec3::Y * 3.0) < 0.12, "{strand} {tip}");
        assert!(away(1.0) < 0.05 && away(0.5) < away(0.0), "{strand} {tip}");
    }
}

#[test]
fn guides_that_lead_nowhere_along_hair_do_not_lengthen_it() {
    let roots = roots(200);
    let up = follow(&[vec![Vec3::Y, 4.0 * Vec3::Y]], Leaders::Nearest);
    let nowhere = Modifier {
        ramp: vec![0.0, 0.0],
        ..Modifier::new(Effect::Follow(up))
    };
    let [led, plain] =
        [vec![nowhere], Vec::new()].map(|stack| grown_on(&roots, stack, &Shares::default()));
    assert!(led.lengths == plain.lengths);
}
