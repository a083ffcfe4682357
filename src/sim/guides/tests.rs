use super::*;

#[test]
fn the_shortest_turn_takes_one_to_the_other() {
    let (a, b) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, -0.8, 0.6));
    assert!(turned(a, a, b).distance(b) < 1e-6);
    let across = a.cross(b);
    assert!(turned(across, a, b).distance(across) < 1e-6);
    assert_eq!(turned(b, a, -a), b);
}

#[test]
fn so_many_are_chosen_and_none_twice() {
    for choice in [GuideChoice::Even, GuideChoice::Random] {
        let chosen = choose(1000, &[], 130, choice);
        assert_eq!(chosen.len(), 130);
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[129] < 1000);
    }
    let random = choose(1000, &[], 130, GuideChoice::Random);
    let mean = random.iter().sum::<u32>() / 130;
    assert!((400..600).contains(&mean), "{mean}");
}

#[test]
fn every_face_has_its_share_of_those_chosen_at_random() {
    // Faces of 1 to 40 strands, which are not in the order of their faces.
    let mut faces: Vec<u32> = (1..=40).flat_map(|n| vec![n; n as usize]).collect();
    let count = faces.len();
    for i in 0..count {
        faces.swap(i, i * 7919 % count);
    }
    for wanted in [1, 40, 123, 400, 819] {
        let chosen = choose(count, &faces, wanted, GuideChoice::Random);
        assert_eq!(chosen.len(), wanted);
        for n in 1..=40_u32 {
            let of_face = chosen.iter().filter(|&&i| faces[i as usize] == n).count();
            let share = f64::from(n) * wanted as f64 / count as f64;
            assert!(
                (of_face as f64 - share).abs() < 1.0,
                "{of_face} for {share}"
            );
        }
    }
    let chosen = choose(count, &faces, 123, GuideChoice::Random);
    assert!(
        chosen.windows(2).any(|pair| pair[1] - pair[0] > 1),
        "not the first ones"
    );
}
