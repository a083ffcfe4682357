use super::*;
use crate::head::Limits;
use crate::strands::{Format, Shape, Values, tests};
use proptest::prelude::*;

fn form(cards: u32, texture: u32) -> Form {
    Form {
        shape: Shape::Cards,
        cards: Some(cards),
        texture,
    }
}

/// Strands of a diameter, each from points.
fn bundle(strands: impl IntoIterator<Item = Vec<[f32; 3]>>, width: f32) -> Strands {
    let strands: Vec<Vec<[f32; 3]>> = strands.into_iter().collect();
    Strands {
        counts: strands.iter().map(|points| points.len() as u32).collect(),
        points: strands.concat(),
        widths: Values::All(width),
        ..Strands::default()
    }
}

/// Returns the coverage of the texels between two corners of the texture.
fn coverage(cards: &Cards, [low, high]: [Vec2; 2]) -> Vec<f32> {
    let picture = image::load_from_memory(&cards.picture).unwrap().to_rgba8();
    let side = picture.width() as f32;
    let inside = |x: u32, y: u32| {
        let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / side;
        at.cmpgt(low).all() && at.cmplt(high).all()
    };
    let texels = picture.enumerate_pixels();
    texels
        .filter(|(x, y, _)| inside(*x, *y))
        .map(|(.., texel)| f32::from(texel[3]) / 255.0)
        .collect()
}

#[test]
fn strands_cover_their_share_of_a_card() {
    for (count, apart, width) in [(1, 0.5, 0.1), (5, 0.5, 0.1), (7, 0.3, 0.17), (4, 0.2, 0.2)] {
        let strand = |nth| {
            let x = nth as f32 * apart;
            vec![[x, 0.0, 0.0], [x, -1.0, 0.0], [x, -3.0, 0.0]]
        };
        let cards = Cards::new(&bundle((0..count).map(strand), width), &form(1, 512)).unwrap();
        let uvs = || cards.corners.iter().map(|corner| corner.uv);
        let low = uvs().fold(Vec2::INFINITY, Vec2::min);
        let high = uvs().fold(Vec2::NEG_INFINITY, Vec2::max);
        let texels = coverage(&cards, [low, high]);
        let found = texels.iter().sum::<f32>() / texels.len() as f32;
        let whole = (count - 1) as f32 * apart + width;
        let meant = count as f32 * width / whole;
        assert!(
            (found - meant).abs() < 0.01,
            "{count} strands: {found}, not {meant}"
        );
        let all = coverage(&cards, [Vec2::ZERO, Vec2::ONE]);
        let outside = all.iter().sum::<f32>() - texels.iter().sum::<f32>();
        assert!(outside.abs() < 0.5, "nothing is drawn beside cards");
    }
}

#[test]
fn cards_lie_where_their_strands_are() {
    // Two locks on both sides of a head that bend over in arcs, five times as wide as they are thick.
    let lock = |nth: u32| {
        let (x, up) = ((nth % 10) as f32 * 0.05, (nth % 50 / 10) as f32 * 0.02);
        let side = if nth < 50 { 1.0 } else { -1.0 };
        let point = |i: u32| {
            let angle = i as f32 * 0.1;
            [
                x,
                side * (1.0 + up) * angle.cos(),
                side * (1.0 + up) * angle.sin(),
            ]
        };
        (0..16).map(point).collect()
    };
    let strands = bundle((0..100).map(lock), 0.01);
    let source = Source::new(&strands);
    for count in [2, 6, 100] {
        let clusters = cluster::clusters(&source, count);
        assert_eq!(clusters.len(), count);
        let strips = || {
            clusters
                .iter()
                .flat_map(|cluster| Strip::of_cluster(&source, cluster))
        };
        for strip in strips() {
            for (strand, line) in strip.strands.iter().zip(&strip.lines) {
                let range = source.ranges[*strand as usize].clone();
                for (point, on_card) in strands.points[range].iter().zip(line) {
                    let (place, normal) = strip.in_space(on_card);
                    let away = place.distance(Vec3::from(*point));
                    // The thickness of a lock: cards are at the upper strands.
                    assert!(away < 0.08, "{count} cards: {away}");
                    let outward = Vec3::from(*point).with_x(0.0).normalize();
                    let faces = normal.dot(outward);
                    assert!(faces > 0.9, "{count} cards: {faces}");
                }
            }
        }
    }
}

#[test]
fn bundles_that_stand_are_crossed() {
    let strand = |nth: u32| {
        let (x, z) = ((nth % 6) as f32 * 0.1, (nth / 6) as f32 * 0.1);
        vec![[x, 0.0, z], [x, 2.0, z]]
    };
    let standing = bundle((0..36).map(strand), 0.05);
    let cards = Cards::new(&standing, &form(1, 128)).unwrap();
    assert_eq!(cards.rows, [2, 2]);
    let across = cards.corners[0].position - cards.corners[1].position;
    let other = cards.corners[4].position - cards.corners[5].position;
    assert!(across.normalize().dot(other.normalize()).abs() < 1e-3);
}

#[test]
fn colors_go_on_around_strands() {
    let mut strands = bundle([vec![[0.0; 3], [0.0, -1.0, 0.0]]], 0.1);
    strands.colors = Values::All([0.8, 0.4, 0.2]);
    let cards = Cards::new(&strands, &form(1, 64)).unwrap();
    let picture = image::load_from_memory(&cards.picture).unwrap().to_rgba8();
    assert!(picture.pixels().any(|texel| texel[3] == 0));
    for texel in picture.pixels() {
        let share = f32::from(texel[0]) / (255.0 * 0.8);
        assert!(
            (0.6..1.01).contains(&share),
            "the share of light is {share}: {texel:?}"
        );
        assert!(
            (f32::from(texel[1]) / f32::from(texel[0]) - 0.5).abs() < 0.06,
            "{texel:?}"
        );
    }
}

#[test]
fn cards_are_no_strands() {
    let strands = bundle([vec![[0.0; 3], [0.0, -1.0, 0.0]]], 0.1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cards.glb");
    strands.save(&path, form(1, 64), None).unwrap();
    let told = Strands::load(&path, &Limits::default())
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("cards.glb: it has surfaces but no lines"),
        "{told}"
    );
    let lost = Format::Gltf.losses(&strands, Shape::Cards);
    assert_eq!(lost, ["single strands"]);
}

#[test]
fn cards_that_cannot_be_made_are_refused() {
    let strand = |nth| vec![[nth as f32, 0.0, 0.0], [nth as f32, 1.0, 0.0]];
    let mut strands = bundle((0..100).map(strand), 0.1);
    let told = Cards::new(&strands, &form(100, 64)).err().unwrap();
    assert!(
        told.starts_with("100 strips of cards do not fit into a texture of 64"),
        "{told}"
    );
    for wrong in [form(0, 64), form(1, 8193), form(1, 0)] {
        let told = Cards::new(&strands, &wrong).err().unwrap();
        assert!(told.contains(": expected "), "{told}");
    }
    strands.points[7] = [f32::NAN; 3];
    let path = std::path::Path::new("never-written.glb");
    let told = strands.save(path, form(1, 64), None).unwrap_err();
    let told = told.to_string();
    assert!(told.contains("point 7 has no number"), "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_strands_become_cards(
        mut strands in tests::strands(false),
        cards in 1..9_u32,
        size in -20..20_i32,
        equal in 0..4_usize,
    ) {
        // Points at the same place, and of any size.
        for nth in 0..equal.min(strands.points.len() - 1) {
            strands.points[nth + 1] = strands.points[0];
        }
        let size = 2_f32.powi(size / 2);
        for point in strands.points.iter_mut().flatten() {
            *point *= size;
        }
        let source = Source::new(&strands);
        let mut together = cluster::clusters(&source, cards as usize).concat();
        together.sort_unstable();
        prop_assert_eq!(together, (0..strands.len() as u32).collect::<Vec<_>>());

        let cards = Cards::new(&strands, &form(cards, 128)).unwrap();
        prop_assert_eq!(2 * cards.rows.iter().sum::<usize>(), cards.corners.len());
        for corner in &cards.corners {
            prop_assert!(corner.position.is_finite());
            prop_assert!((corner.normal.length() - 1.0).abs() < 1e-4);
            prop_assert!((corner.tangent.length() - 1.0).abs() < 1e-4);
            prop_assert!(corner.normal.dot(corner.tangent).abs() < 1e-3);
            prop_assert!(corner.uv.clamp(Vec2::ZERO, Vec2::ONE) == corner.uv);
        }
        let count = cards.corners.len() as u32;
        prop_assert!(cards.triangles().flatten().all(|corner| corner < count));
        let triangles: usize = cards.rows.iter().map(|rows| 2 * (rows - 1)).sum();
        prop_assert_eq!(cards.triangles().count(), triangles);
        // Cards are the same each time.
        prop_assert_eq!(&Cards::new(&strands, &form(9, 128)).unwrap().picture,
            &Cards::new(&strands, &form(9, 128)).unwrap().picture);
    }
}
