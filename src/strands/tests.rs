use super::*;
use crate::head::Limits;
use proptest::prelude::*;
use std::path::PathBuf;

/// The file names of all formats, and the largest error of their colours.
const FILES: [(&str, f32); 12] = [
    ("a.hair", 0.0),
    ("a.tfx", 0.0),
    ("a.data", 0.0),
    ("a.usda", 2e-7),
    ("a.usdc", 2e-7),
    ("a.usdz", 2e-7),
    ("a.abc", 2e-7),
    ("a.glb", 2e-7),
    ("a.npz", 0.0),
    ("a.obj", 0.0),
    ("a.ply", 0.0),
    ("a.usd", 2e-7),
];

fn saved(strands: &Strands, name: &str, motion: Option<Motion>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    strands.save(&path, Form::default(), motion).unwrap();
    (folder, path)
}

/// Returns values of each kind.
fn values<T: Clone + std::fmt::Debug>(
    one: impl Strategy<Value = T> + Clone,
    strands: usize,
    points: usize,
) -> impl Strategy<Value = Values<T>> {
    let list = |count| prop::collection::vec(one.clone(), count);
    prop_oneof![
        Just(Values::None),
        one.clone().prop_map(Values::All),
        list(strands).prop_map(Values::Strands),
        list(points).prop_map(Values::Points),
    ]
}

/// Strands of 3 points or more: shorter ones are no lines of an OBJ file of lines.
pub(super) fn strands(is_even: bool) -> impl Strategy<Value = Strands> {
    let counts = prop::collection::vec(3_u32..6, 1..6).prop_map(move |mut counts| {
        if is_even {
            counts.fill(4);
        }
        counts
    });
    counts.prop_flat_map(|counts| {
        let (strands, points) = (counts.len(), counts.iter().sum::<u32>() as usize);
        let share = 0.0_f32..=1.0;
        (
            prop::collection::vec(prop::array::uniform3(-9.0_f32..9.0), points),
            values(0.001_f32..1.0, strands, points),
            values(share.clone(), strands, points),
            values(prop::array::uniform3(share.clone()), strands, points),
            prop::collection::vec(prop::array::uniform2(share), strands),
            prop::collection::vec(any::<bool>(), strands),
        )
            .prop_map(
                move |(points, widths, opacities, colors, root_uvs, guides)| Strands {
                    counts: counts.clone(),
                    points,
                    widths,
                    opacities,
                    colors,
                    root_uvs,
                    guides,
                    up: Some(Up::Y),
                    unit_metres: Some(1.0),
                },
            )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_a_format_holds_comes_back(strands in strands(true), file in 0..FILES.len()) {
        let (name, tolerance) = FILES[file];
        let (_folder, path) = saved(&strands, name, None);
        let (read, notes) = Strands::load(&path, &Limits::default()).unwrap();
        prop_assert_eq!(notes, Vec::<String>::new());
        prop_assert_eq!(&read.counts, &strands.counts);
        prop_assert_eq!(&read.points, &strands.points, "positions keep their bits");
        let lost = Format::of_path(&path).unwrap().losses(&strands, Shape::Lines);
        let keeps = |what| !lost.contains(&what);
        let ranges: Vec<_> = strands.ranges().collect();
        for (strand, range) in ranges.into_iter().enumerate() {
            for point in range.clone() {
                // A .tfx file has a width for each strand: that of its root.
                let of = if name == "a.tfx" { range.start } else { point };
                let widths = [&read, &strands].map(|it| it.widths.at(strand, of));
                prop_assert!(!keeps("widths") || widths[0] == widths[1]);
                let near = |a: f32, b: f32| (a - b).abs() <= tolerance.max(1e-7);
                let opacities = [&read, &strands].map(|it| it.opacities.at(strand, point));
                let [found, meant] = opacities.map(|opacity| opacity.unwrap_or(1.0));
                prop_assert!(!keeps("opacities") || near(found, meant), "{found} {meant}");
                if let (true, Some(meant)) = (keeps("colours"), strands.colors.at(strand, point)) {
                    let found = read.colors.at(strand, point).unwrap();
                    prop_assert!((0..3).all(|i| near(found[i], meant[i])), "{found:?} {meant:?}");
                }
            }
            if keeps("texture coordinates") {
                let [found, meant] = [&read, &strands].map(|it| it.root_uvs[strand]);
                prop_assert!((0..2).all(|i| (found[i] - meant[i]).abs() < 1e-6));
            }
        }
        prop_assert!(!keeps("guides") || read.guides == strands.guides);
        // Alembic has metres by convention, and does not say so.
        if keeps("its unit") && !name.ends_with(".abc") {
            prop_assert_eq!((read.up, read.unit_metres), (Some(Up::Y), Some(1.0)));
        }
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        strands in strands(true),
        file in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let (_folder, path) = saved(&strands, FILES[file].0, None);
        let mut bytes = std::fs::read(&path).unwrap();
        for (at, byte) in changes {
            *at.get_mut(&mut bytes) = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok((read, _)) = Strands::parse(&bytes, &path, &Limits::default()) {
            let points: u32 = read.counts.iter().sum();
            prop_assert_eq!(points as usize, read.points.len());
            prop_assert!(read.counts.iter().all(|&count| count >= 2));
        }
    }
}

/// Two strands of different lengths.
fn two() -> Strands {
    Strands {
        counts: vec![3, 2],
        points: vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [5.0; 3],
            [6.0; 3],
        ],
        widths: Values::Points(vec![4.0, 3.0, 1.0, 2.0, 2.0]),
        ..Strands::default()
    }
}

#[test]
fn strands_are_resampled_evenly() {
    let even = two().resampled(4);
    assert_eq!(even.counts, [4, 4]);
    assert_eq!(
        even.points[..4],
        [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    );
    assert_eq!(
        even.widths,
        Values::Points(vec![4.0, 3.0, 2.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    );
    assert_eq!(
        two().subset(|strand| strand == 1).points,
        [[5.0; 3], [6.0; 3]]
    );
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str| {
        let error = two().save(&folder.path().join(name), Form::default(), None);
        error.unwrap_err().to_string()
    };
    assert!(
        refused("a.tfx").contains("--points N"),
        "equal numbers of points"
    );
    assert!(refused("a.gltf").contains(".glb"));
    assert!(refused("a.xyz").contains(".hair"));
    let mut uneven = two();
    uneven.counts[0] = 4;
    let error = uneven.save(&folder.path().join("a.abc"), Form::default(), None);
    assert!(error.unwrap_err().to_string().contains("have 6 points"));
    let wide = Strands {
        widths: Values::All(f32::NAN),
        ..two()
    };
    let error = wide.save(&folder.path().join("a.ply"), Form::default(), None);
    assert!(error.unwrap_err().to_string().contains("a width"));
    let mut motion = |_, _: &mut [[f32; 3]]| Ok(());
    let motion = Motion {
        fps: 24.0,
        frames: 2,
        frame: &mut motion,
    };
    let error = two().save(&folder.path().join("a.hair"), Form::default(), Some(motion));
    assert!(error.unwrap_err().to_string().contains("one pose"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn errors_tell_what_is_wrong() {
    let error = |bytes: &[u8], name: &str| {
        let read = Strands::parse(bytes, name.as_ref(), &Limits::default());
        read.expect_err(name).to_string()
    };
    let mut hair = b"HAIR".to_vec();
    hair.extend(
        [1000_u32, 4_000_000_000, 2, 3]
            .iter()
            .flat_map(|n| n.to_le_bytes()),
    );
    hair.extend([0; 108]);
    assert!(error(&hair, "a.hair").contains("1000 strands of 3 segments and 4000000000 points"));
    assert!(error(b"HAIR", "a.hair").contains("cut off"));
    assert!(error(&[255; 8], "a.data").contains("4294967295 strands"));
    assert!(error(b"v 0 0 0\n", "a.obj").contains("no strands"));
    assert!(error(b"v 0 0 0\nl 1 2\n", "a.obj").contains("line 2"));
    assert!(error(b"nothing", "a.txt").contains("Strands are read from"));
    let nan = f32::NAN.to_le_bytes();
    let one = [
        &1_u32.to_le_bytes()[..],
        &2_u32.to_le_bytes(),
        &[0; 20],
        &nan,
    ]
    .concat();
    assert!(error(&one, "a.data").contains("point 1"));
}

#[test]
fn motion_is_written_and_read_frame_by_frame() {
    for name in ["a.usda", "a.usdc", "a.usdz", "a.abc", "a.npz"] {
        let mut asked = Vec::new();
        let mut frame = |nth: usize, points: &mut [[f32; 3]]| {
            asked.push(nth);
            points[1] = [nth as f32 + 7.0; 3];
            Ok(())
        };
        let motion = Motion {
            fps: 12.5,
            frames: 3,
            frame: &mut frame,
        };
        let (_folder, path) = saved(&two(), name, Some(motion));
        assert_eq!(asked, [0, 1, 2]);
        let (file, (first, _)) = StrandsFile::open(&path, &Limits::default()).unwrap();
        assert_eq!(first.points[1], [7.0; 3], "{name}: the first frame is read");
        assert_eq!((file.frames, file.fps), (3, 12.5), "{name}");
        for nth in [2, 0, 1] {
            let frame = file.frame(nth).unwrap();
            assert_eq!(frame.points[1], [nth as f32 + 7.0; 3], "{name}: {nth}");
            assert_eq!(frame.points[2], first.points[2], "{name}: {nth}");
        }
    }
}

#[test]
fn motion_is_turned_as_the_strands_are() {
    for name in ["a.usda", "a.usdc", "a.usdz", "a.abc"] {
        let still = Strands {
            up: Some(Up::X),
            unit_metres: Some(1.0),
            ..two()
        };
        let mut frame = |nth: usize, points: &mut [[f32; 3]]| {
            points.copy_from_slice(&still.points);
            points[1] = [nth as f32 + 1.0, 0.0, 0.0];
            Ok(())
        };
        let motion = Motion {
            fps: 24.0,
            frames: 3,
            frame: &mut frame,
        };
        let (_folder, path) = saved(&still, name, Some(motion));
        let (file, (first, _)) = StrandsFile::open(&path, &Limits::default()).unwrap();
        for (nth, height) in [(0, 1.0), (2, 3.0)] {
            let [x, y, z] = file.frame(nth).unwrap().points[1];
            let off = Vec3::new(x, y, z).distance(Vec3::Y * height);
            assert!(off < 1e-6, "{name}: {x} {y} {z}");
        }
        assert_eq!(first.up.unwrap_or(Up::Y), Up::Y, "{name}");
    }
}

#[test]
fn black_stays_black_in_hair_files() {
    let black = Strands {
        colors: Values::All([0.0; 3]),
        ..two()
    };
    let (_folder, path) = saved(&black, "a.hair", None);
    let (read, _) = Strands::load(&path, &Limits::default()).unwrap();
    assert_eq!(read.colors.at(0, 0), Some([0.0; 3]));
}

#[test]
fn surfaces_have_the_width_of_strands() {
    for (shape, vertices, triangles) in [(Shape::Ribbons, 10, 6), (Shape::Tubes, 20, 18)] {
        let strands = two();
        let surface = surface::Surface::new(&strands, shape).unwrap();
        let mut count = 0;
        let done = surface.for_each(|strand, corners| {
            count += corners.len();
            let (first, width) = if strand == 0 {
                (Vec3::ZERO, 4.0)
            } else {
                (Vec3::splat(5.0), 2.0)
            };
            for corner in &corners[..surface.around] {
                let away = corner.position.distance(first);
                assert!((away - width / 2.0).abs() < 1e-5, "{shape:?}: {away}");
                assert!((corner.normal.length() - 1.0).abs() < 1e-5);
            }
            // The texture goes once around, and never back.
            let across = corners[..surface.around].iter().map(|corner| corner.uv[0]);
            assert!(across.clone().is_sorted() && across.max_by(f32::total_cmp) == Some(1.0));
            Ok::<_, ()>(())
        });
        assert_eq!(
            (done, count, surface.triangles()),
            (Ok(()), vertices, triangles)
        );
        let mut faces = 0;
        let done = surface.for_each_triangle(|corners| {
            faces += 1;
            assert!(corners.iter().all(|&corner| corner < vertices as u32));
            Ok::<_, ()>(())
        });
        assert_eq!((done, faces), (Ok(()), triangles));
    }
}
