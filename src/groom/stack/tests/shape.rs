//! Effects that cut hair, shape it and gather it.

use super::*;

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
            .map(|pair| pair.map(|strand| moved(strand).normalize_or_zero()))
            .map(|[a, b]| a.dot(b))
            .collect();
        all.iter().sum::<f32>() / all.len() as f32
    };
    let (near, far) = (cosine(0.0..0.15), cosine(1.2..2.0));
    assert!(near > 0.7 && far.abs() < 0.3, "{near} {far}");
    for strand in 0..noisy.len() {
        assert!(points(&noisy, strand)[1].distance(points(&plain, strand)[1]) < 0.05);
    }
}

/// Returns long strands of one length that an effect has shaped around the ball.
fn long(count: usize, effect: Effect) -> Groom {
    let settings = GroomSettings {
        length: 10.0,
        length_variation: 0.0,
        clump: 0.0,
        stack: only(effect),
        ..GroomSettings::default()
    };
    Groom::grow_by(&roots(count), &settings, &Shares::default(), 7, Some(&Ball))
}

#[test]
fn a_bun_holds_all_hair_that_reaches_it() {
    let bun = Bun {
        at: [0.0, 0.8, -0.6],
        ..Bun::default()
    };
    let groom = long(200, Effect::Bun(bun.clone()));
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
    let heights = each_point(&groom).map(Vec3::length);
    let lowest = heights.fold(f32::MAX, f32::min);
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
    let settings = GroomSettings {
        length: 4.0,
        length_variation: 0.0,
        spread_deg: 0.0,
        clump: 0.0,
        stack: only(Effect::Curl(curl)),
        ..GroomSettings::default()
    };
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
    let groom = long(300, Effect::Braid(braid.clone()));
    for strand in 0..groom.len() {
        let side = 1.0_f32.copysign(groom.roots[strand].x);
        let end = Vec3::new(side, -2.5, 0.0);
        let tip = *points(&groom, strand).last().unwrap();
        assert!(tip.distance(end) < braid.tuft + 2.0 * braid.radius, "{tip}");
    }
}

#[test]
fn what_limits_the_length_is_known() {
    let trim = |trim: Trim| Modifier::new(Effect::Trim(trim));
    let short = trim(Trim {
        length: 0.5,
        ..Trim::default()
    });
    assert!(short.shortens(0.6) && !short.shortens(0.4));
    assert!(!trim(Trim::default()).shortens(2.0));
    let plane = trim(Trim {
        normal: [0.0, -1.0, 0.0],
        ..Trim::default()
    });
    let fade = Modifier::new(Effect::Fade(Fade::default()));
    assert!(plane.shortens(0.1) && fade.shortens(0.1));
    for other in [
        Modifier { on: false, ..fade },
        Modifier::new(Effect::Curl(Curl::default())),
    ] {
        assert!(!other.shortens(9.0));
    }
}

/// Twists of clumps and layers over the skin forgot the ramp and the amount.
#[test]
fn small_amounts_change_little() {
    let roots = roots(200);
    let twisted = Effect::Clump(Clump {
        twist_deg: 720.0,
        ..Clump::default()
    });
    let layered = Effect::Comb(Comb {
        layer: 0.4,
        ..Comb::default()
    });
    let plain = grown_on(&roots, only(STRAIGHT), &Shares::default());
    let none = Modifier {
        ramp: vec![0.0, 0.0],
        ..Modifier::new(twisted)
    };
    let little = Modifier {
        amount: 0.001,
        ..Modifier::new(layered)
    };
    for (modifier, most) in [(none, 1e-3), (little, 0.06)] {
        let stack = vec![Modifier::new(STRAIGHT), modifier];
        let groom = grown_on(&roots, stack, &Shares::default());
        let shares = (0..groom.len()).flat_map(|strand| [0.3, 0.6, 1.0].map(|at| (strand, at)));
        for (strand, at) in shares {
            let [a, b] = [&groom, &plain].map(|groom| point_at(groom, strand, at));
            assert!(a.distance(b) < most, "{a} {b}");
        }
    }
}
