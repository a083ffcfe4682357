//! Growing strands: within their settings, the same for the same seed, and settings that name
//! what is wrong with them.

use glam::Vec3;
use mohawk::Groom;
use mohawk::groom::GroomSettings;
use mohawk::roots::Roots;
use mohawk::sim::{SimSettings, SpringSettings};

fn patch(count: usize) -> Roots {
    let directions: Vec<Vec3> = (0..count)
        .map(|i| Vec3::new(i as f32 / count as f32 - 0.5, 1.0, 0.3).normalize())
        .collect();
    Roots {
        spacing: 0.1,
        points: Vec::new(),
        positions: (0..count).map(|i| Vec3::X * i as f32 * 0.1).collect(),
        directions: directions.clone(),
        face_normals: directions,
        ranks: (0..count as u32).collect(),
        full_count: count,
        scaled: false,
    }
}

#[test]
fn strands_keep_to_their_settings() {
    let roots = patch(5_000);
    let settings = GroomSettings {
        length: 2.0,
        length_variation: 0.25,
        spread_deg: 40.0,
        clump: 0.0,
        ..Default::default()
    };
    let groom = Groom::grow(&roots, &settings, 1);
    assert_eq!(groom.len(), 5_000);
    assert_eq!(groom.roots, roots.positions);
    let (mut widest, mut shortest, mut longest) = (0.0_f32, f32::MAX, 0.0_f32);
    for i in 0..groom.len() {
        assert!(groom.normals[i].distance(roots.directions[i]) < 1e-6);
        assert!((groom.directions[i].length() - 1.0).abs() < 1e-6);
        widest = widest.max(
            groom.directions[i]
                .angle_between(groom.normals[i])
                .to_degrees(),
        );
        shortest = shortest.min(groom.lengths[i]);
        longest = longest.max(groom.lengths[i]);
    }
    assert!(widest <= 40.01 && widest > 39.0, "{widest}");
    assert!((1.5..1.51).contains(&shortest) && (1.99..=2.0).contains(&longest));
}

#[test]
fn the_same_seed_grows_the_same_strands_and_another_does_not() {
    let (roots, settings) = (patch(100), GroomSettings::default());
    let groom = Groom::grow(&roots, &settings, 11);
    assert_eq!(Groom::grow(&roots, &settings, 11), groom);
    let other = Groom::grow(&roots, &settings, 12);
    assert_ne!(other.directions, groom.directions);
    assert_ne!(other.lengths, groom.lengths);
}

#[test]
fn a_strand_does_not_depend_on_those_that_density_leaves_out() {
    let settings = GroomSettings {
        clump: 0.0, // a clump does depend on all its strands
        ..Default::default()
    };
    let mut roots = patch(100);
    let all = Groom::grow(&roots, &settings, 1);
    let third = |n: usize| n % 3 == 1;
    for list in [&mut roots.positions, &mut roots.directions] {
        *list = (list.iter().enumerate())
            .filter_map(|(n, v)| third(n).then_some(*v))
            .collect();
    }
    roots.ranks.retain(|&rank| third(rank as usize));
    let some = Groom::grow(&roots, &settings, 1);
    assert_eq!(some.len(), 33);
    for (i, &rank) in roots.ranks.iter().enumerate() {
        assert_eq!(some.directions[i], all.directions[rank as usize]);
        assert_eq!(some.lengths[i], all.lengths[rank as usize]);
    }
}

#[test]
fn roots_without_a_direction_fall_back_to_their_face() {
    let mut roots = patch(3);
    roots.directions[1] = Vec3::ZERO;
    roots.directions[2] = Vec3::ZERO;
    roots.face_normals[1] = Vec3::Z;
    roots.face_normals[2] = Vec3::ZERO;
    let groom = Groom::grow(&roots, &GroomSettings::default(), 5);
    assert_eq!(groom.normals[1..], [Vec3::Z, Vec3::Y]);
}

#[test]
fn wrong_settings_are_named() {
    let groom = |change: fn(&mut GroomSettings)| {
        let mut settings = GroomSettings::default();
        change(&mut settings);
        settings.validate().unwrap_err().to_string()
    };
    let spring = |stiffness, damping| {
        let spring = SpringSettings {
            stiffness,
            damping,
            ..SpringSettings::default()
        };
        let settings = SimSettings {
            spring,
            ..SimSettings::default()
        };
        settings.validate().unwrap_err().to_string()
    };
    let got = [
        groom(|s| s.length = -1.0),
        groom(|s| s.length = f32::NAN),
        groom(|s| s.length_variation = 1.5),
        groom(|s| s.spread_deg = 90.0),
        spring(0.0, 1.0),
        spring(f32::INFINITY, 1.0),
        spring(4.0, -0.5),
    ];
    let expected = [
        "groom.length = -1: expected 0.01 to 10 (decimetres)",
        "groom.length = NaN: expected 0.01 to 10 (decimetres)",
        "groom.length_variation = 1.5: expected 0 to 1",
        "groom.spread_deg = 90: expected 0 to 80 (degrees)",
        "sim.spring.stiffness = 0: expected 0.01 to 10000 (1/s^2)",
        "sim.spring.stiffness = inf: expected 0.01 to 10000 (1/s^2)",
        "sim.spring.damping = -0.5: expected 0 to 1000 (1/s)",
    ];
    assert_eq!(got, expected);
    assert_eq!(GroomSettings::default().validate(), Ok(()));
    assert_eq!(SimSettings::default().validate(), Ok(()));
}

#[test]
fn curls_wind_around_the_direction_and_keep_the_length() {
    let settings = |curl_deg, curl_length, curl_flat| GroomSettings {
        curl_deg,
        curl_length,
        curl_flat,
        length: 1.0,
        length_variation: 0.0,
        spread_deg: 0.0,
        clump: 0.0,
        ..GroomSettings::default()
    };
    let roots = patch(50);
    assert!(
        Groom::grow(&roots, &settings(0.0, 0.2, 0.0), 1)
            .curves
            .is_none()
    );
    // 20 turns have fewer points than they would need, and still are where they belong.
    for (turns, flat) in [(5.0_f32, 0.0), (5.0, 1.0), (20.0, 0.0)] {
        let groom = Groom::grow(&roots, &settings(50.0, 1.0 / turns, flat), 1);
        let curves = groom.curves.as_ref().unwrap();
        for i in 0..50 {
            let (points, along) = (curves.strand(i), groom.directions[i]);
            let start = (points[1] - points[0]).normalize().dot(along);
            assert!(start > 0.9, "leaves the skin in its direction: {start}");
            let long: f32 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            let least = if turns > 8.0 { 0.8 } else { 0.98 };
            assert!(long <= 1.0001 && long > least, "{long}");
            // A helix that leans by a gets 1 cos a far; a wave farther.
            let reach = points[points.len() - 1].dot(along);
            let helix = 50_f32.to_radians().cos();
            let wanted = if flat > 0.0 {
                0.75..0.9
            } else {
                helix - 0.02..helix + 0.1
            };
            assert!(wanted.contains(&reach), "{turns} {flat}: {reach}");
            // Its radius is sin a / (2 π turns), and its axis about as far beside.
            let aside = (points.iter()).map(|p| (*p - along * p.dot(along)).length());
            let aside = aside.fold(0.0, f32::max);
            assert!(aside < 3.0 / turns * 0.13 + 0.02, "{aside}");
        }
    }
}
