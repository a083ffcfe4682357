//! Tests of the curves of USD.

use crate::head::Limits;
use crate::strands::{Strands, StrandsFile, Values};

/// Values without a time are a pose of rest, and times need not be whole.
#[test]
fn times_of_usd_are_those_of_points() {
    let text = "#usda 1.0\n(\n    timeCodesPerSecond = 30\n    metersPerUnit = 1\n)\n\
        def Xform \"a\"\n{\n    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 2: (0, 5, 0) }\n\
        uniform token[] xformOpOrder = [\"xformOp:translate\"]\n\
        def BasisCurves \"b\"\n{\n    int[] curveVertexCounts = [2]\n\
        uniform token type = \"linear\"\n    point3f[] points = [(9, 0, 0), (9, 1, 0)]\n\
        point3f[] points.timeSamples = { 0: [(1, 0, 0), (1, 1, 0)], 1.5: None,\n\
        3: [(2, 0, 0), (2, 1, 0)], }\n}\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    std::fs::write(&path, text).unwrap();
    let (file, (rest, _)) = StrandsFile::open(&path, &Limits::default()).unwrap();
    assert_eq!(rest.points[0], [9.0, 0.0, 0.0]);
    assert_eq!((file.frames, file.fps), (3, 20.0));
    assert_eq!(file.frame(0).unwrap().points[0], [1.0, 0.0, 0.0]);
    assert_eq!(file.frame(2).unwrap().points[0], [2.0, 5.0, 0.0]);
    assert!(file.frame(1).is_err(), "the points are blocked then");
}

/// Returns a curve of two points that moves.
fn moving(name: &str, keys: &str) -> String {
    format!(
        "def BasisCurves \"{name}\"\n{{\n    int[] curveVertexCounts = [2]\n\
         uniform token type = \"linear\"\n    point3f[] points.timeSamples = {{ {keys} }}\n}}\n"
    )
}

#[test]
fn curves_of_usd_whose_points_are_blocked_are_left_out() {
    let text = format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\n{}{}",
        moving("a", "0: None, 1: [(1, 0, 0), (1, 1, 0)]"),
        moving("b", "0: [(2, 0, 0), (2, 1, 0)], 1: None")
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    std::fs::write(&path, text).unwrap();
    let (file, _) = StrandsFile::open(&path, &Limits::default()).unwrap();
    for (frame, x) in [(0, 2.0), (1, 1.0)] {
        let points = file.frame(frame).unwrap().points;
        assert_eq!(points, [[x, 0.0, 0.0], [x, 1.0, 0.0]], "{frame}");
    }
}

#[test]
fn motion_of_usd_is_even_between_keys_and_keys_are_times() {
    let key = |time: u32, x: f32| format!("{time}: [({x}, 0, 0), ({x}, 1, 0)], ");
    let keys = |all: &[(u32, f32)]| -> String { all.iter().map(|&(t, x)| key(t, x)).collect() };
    let every = keys(&[(0, 0.0), (1, 1.0), (2, 2.0), (10, 10.0)]);
    let text = format!(
        "#usda 1.0\n(\n    timeCodesPerSecond = 24\n    metersPerUnit = 1\n)\n{}{}",
        moving("a", &every),
        moving("b", &keys(&[(0, 0.0), (10, 20.0)]))
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    std::fs::write(&path, text).unwrap();
    let (file, _) = StrandsFile::open(&path, &Limits::default()).unwrap();
    assert_eq!(
        (file.frames, file.fps),
        (11, 24.0),
        "keys are at uneven times"
    );
    for time in 0..11_u8 {
        let points = file.frame(time.into()).unwrap().points;
        let x = f32::from(time);
        assert!((points[0][0] - x).abs() < 1e-5 && (points[2][0] - 2.0 * x).abs() < 1e-5);
    }
}

#[test]
fn what_some_objects_of_usd_lack_is_filled_in_or_left_out() {
    let curves = |name: &str, more: &str| {
        format!(
            "def BasisCurves \"{name}\"\n{{\n    int[] curveVertexCounts = [2]\n\
             uniform token type = \"linear\"\n    point3f[] points = [(0, 0, 0), (0, 1, 0)]\n{more}\n}}\n"
        )
    };
    let hair = "float[] widths = [0.5, 0.25]\nfloat2[] primvars:groom_root_uv = [(0.5, 0.5)] (\n\
                interpolation = \"uniform\"\n)";
    let guides = "int[] primvars:groom_guide = [1] (\n    interpolation = \"uniform\"\n)";
    let text = format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\n{}{}",
        curves("guides", guides),
        curves("hair", hair)
    );
    let read = Strands::parse(text.as_bytes(), "a.usda".as_ref(), &Limits::default());
    let (strands, notes) = read.unwrap();
    assert_eq!(strands.guides, [true, false]);
    let widths = [0.5, 0.5, 0.5, 0.25];
    assert_eq!(strands.widths, Values::Points(widths.to_vec()));
    assert!(strands.root_uvs.is_empty());
    let told = |part: &str| notes.iter().filter(|note| note.contains(part)).count();
    assert_eq!(
        (told("without widths"), told("left out")),
        (1, 1),
        "{notes:?}"
    );
}

#[test]
fn cubic_curves_of_usd_become_polylines() {
    let read = |attributes: &str| {
        let text = format!(
            "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\
             def Xform \"a\"\n{{\n    double3 xformOp:translate = (0, 0, 2)\n\
             uniform token[] xformOpOrder = [\"xformOp:translate\"]\n\
             def BasisCurves \"b\"\n{{\n    int[] curveVertexCounts = [4]\n\
             point3f[] points = [(0, 0, 0), (0, 0, 0), (6, 0, 0), (6, 0, 0)]\n{attributes}\n}}\n}}\n"
        );
        let read = Strands::parse(text.as_bytes(), "a.usda".as_ref(), &Limits::default());
        read.unwrap().0
    };
    let along = |strands: &Strands| {
        let [_, y, z] = strands.points[0];
        assert!(
            y == 2.0 && z.abs() < 1e-6,
            "Y is up, and the parent moves it"
        );
        let along = strands.points.iter().map(|point| point[0]);
        along.map(|x| (x * 1e3).round() / 1e3).collect::<Vec<f32>>()
    };
    let kind = |basis: &str, more: &str| {
        read(&format!(
            "uniform token type = \"cubic\"\nuniform token basis = \"{basis}\"\n{more}"
        ))
    };
    assert_eq!(along(&kind("bezier", "")), [0.0, 1.556, 4.444, 6.0]);
    assert_eq!(along(&kind("bspline", "")), [1.0, 2.259, 3.741, 5.0]);
    let pinned = "uniform token wrap = \"pinned\"";
    assert_eq!(along(&kind("bspline", pinned)), [0.0, 1.0, 5.0, 6.0]);
    assert_eq!(along(&kind("catmullRom", "")), [0.0, 0.0, 6.0, 6.0]);
    let linear = read("uniform token type = \"linear\"\nfloat[] widths = [1, 2, 3, 4]");
    assert_eq!(linear.widths, Values::Points(vec![1.0, 2.0, 3.0, 4.0]));
    // A value belongs to each end of a segment; this curve has two.
    let varying = kind("bezier", "float[] widths = [1, 4]");
    assert_eq!(varying.widths, Values::Points(vec![1.0, 2.0, 3.0, 4.0]));
    let colored = kind("bspline", "color3f[] primvars:displayColor = [(1, 0, 0)]");
    let [red, green, _] = colored.colors.at(0, 2).unwrap();
    assert!((red - 1.0).abs() < 1e-6 && green == 0.0);
}
