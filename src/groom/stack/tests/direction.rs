//! Effects that set the direction of hair.

use super::*;

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
fn shrinkwrapped_hair_lies_on_the_skin() {
    let groom = grown(only(Effect::Shrinkwrap(Shrinkwrap::default())));
    for strand in 0..groom.len() {
        for point in points(&groom, strand).into_iter().skip(8) {
            assert!((point.length() - 1.04).abs() < 0.04, "{point}");
        }
    }
}

#[test]
fn laid_hair_goes_on_where_its_direction_leads_out_of_the_skin() {
    // Hair of two radii is longer than the way to the side, where the direction is that of the normal.
    let comb = Comb {
        towards: [1.0, 0.0, 0.0],
        ..Comb::default()
    };
    let groom = grown(only(Effect::Comb(comb)));
    for strand in 0..groom.len() {
        let points = points(&groom, strand);
        let steps: Vec<Vec3> = points
            .windows(2)
            .map(|p| (p[1] - p[0]).normalize())
            .collect();
        for pair in steps[3..].windows(2) {
            assert!(pair[0].dot(pair[1]) > -0.1, "{strand}");
        }
    }
}
