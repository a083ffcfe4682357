//! Heads of USD, and one model in all formats.

use crate::common::gltf_builder::{Gltf, U16, picture};
use crate::files::bytes_error;
use crate::formats::{corners, load};
use crate::other_formats::{USDA, USDC, VARIANTS, usdz};
use glam::Vec3;
use image::ImageFormat::Png;
use mohawk::head::{AlphaMode, Head};
use serde_json::json;
use std::io::Cursor;

/// Returns a stage in metres with Y up that has a unit square of its own and what else is told.
fn stage(mesh: &str, around: &str) -> String {
    format!(
        "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef Mesh \"square\"\n{{\n\
         int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]\n\
         point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n{mesh}\n}}\n{around}"
    )
}

/// Returns the area along z, counted negative where triangles look back.
fn area(head: &Head) -> f32 {
    let parts = head.parts.iter().flat_map(|part| {
        let at = |v: u32| part.positions[v as usize];
        let areas = part
            .triangles
            .iter()
            .map(move |t| (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).z);
        areas.collect::<Vec<_>>()
    });
    parts.sum::<f32>() / 2.0
}

#[test]
fn only_what_is_shown_is_read() {
    let again = stage("", "").replace("#usda 1.0\n(\n    metersPerUnit = 1\n)\n", "");
    for (mesh, around, area_of_all) in [
        ("", "", 1.0),
        ("uniform token orientation = \"leftHanded\"", "", -1.0),
        (
            "int[] holeIndices = [0] # all",
            &again.replace("square", "other"),
            1.0,
        ),
        (
            "token visibility = \"invisible\"",
            &again.replace("square", "other"),
            1.0,
        ),
        (
            "uniform token purpose = \"guide\"",
            &again.replace("square", "other"),
            1.0,
        ),
        (
            "",
            &again.replace(
                "def Mesh \"square\"",
                "def Mesh \"other\" (\n active = false\n)",
            ),
            1.0,
        ),
        (
            "",
            &again.replace("def Mesh \"square\"", "class Mesh \"other\""),
            1.0,
        ),
        (
            "",
            &again.replace(
                "def Mesh \"square\"",
                "def Mesh \"a\" { float[] x = [1, 2] (doc = \"}\") }\ndef \"b\"",
            ),
            1.0,
        ),
        // Each reference shows it once more.
        (
            "",
            "def Xform \"a\" ( prepend references = </pattern> ) { }\n\
              def Xform \"b\" ( instanceable = true\nreferences = [</pattern>] ) { }\n\
              class Xform \"pattern\" { MESH }",
            3.0,
        ),
        // Those that are taken out of a list do not count.
        (
            "",
            "def Xform \"a\" ( delete references = </pattern> ) { }\nclass Xform \"pattern\" { MESH }",
            1.0,
        ),
        // Meshes may be in meshes, and what an instancer scatters is not shown where it is.
        ("MESH", "def PointInstancer \"a\" { MESH }", 2.0),
        (
            "",
            "def Xform \"a\" { variantSet \"v\" = { \"one\" { MESH } } }",
            1.0,
        ),
        // The chosen variants count, and what they say over a pattern.
        (
            "",
            "def Xform \"a\" ( variants = { string v = \"two\"\nstring w = \"on\" } ) {\n\
             variantSet \"v\" = { \"one\" { MESH } \"two\" ( doc = \"}\" ) { MESH\n\
             variantSet \"w\" = { \"off\" { } \"on\" { def Xform \"b\" { MESH } } } } }\n}",
            3.0,
        ),
        (
            "",
            "def Xform \"a\" ( references = </pattern>\nvariants = { string v = \"one\" } ) {\n\
             variantSet \"v\" = { \"one\" { over \"square\" {\n\
             float3 xformOp:scale = (2, 3, 1)\n\
             uniform token[] xformOpOrder = [\"xformOp:scale\"] } } } }\n\
             class Xform \"pattern\" { MESH }",
            7.0,
        ),
        // What one prim refers to stays as it is for another that refers to it.
        (
            "",
            "def Xform \"a\" ( references = </p> ) { over \"inner\" ( references = </q> ) { } }\n\
             def Xform \"b\" ( references = </q> ) { }\n\
             class Xform \"p\" { def Xform \"inner\" { def Xform \"w\" { MESH } } }\n\
             over Xform \"q\" { MESH }",
            4.0,
        ),
        (
            "",
            "def Xform \"a\" ( references = </pattern> ) { over \"square\" ( active = false ) { } }\n\
             class Xform \"pattern\" { MESH }",
            1.0,
        ),
    ] {
        let [mesh, around] = [mesh, around].map(|text| text.replace("MESH", &again));
        let head = load("a.usda", stage(&mesh, &around));
        let found = area(&head);
        assert!(
            (found - area_of_all).abs() < 1e-5,
            "{mesh} {around}: {found}"
        );
    }
}

#[test]
fn chosen_variants_are_shown() {
    for (name, stage) in ["a.usda", "a.usdc"].into_iter().zip(VARIANTS) {
        let head = load(name, stage);
        let mut names: Vec<&str> = head.parts.iter().map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["base", "ear", "high"]);
        // What a variant says over the pattern moves the base.
        assert_eq!(head.extent.head.x, 31.0);
    }
}

#[test]
fn a_warning_names_what_is_in_other_files() {
    let around = "def Xform \"hair\" ( prepend payload = @./hair.usd@</hair> ) { }";
    let head = load("a.usda", stage("", around));
    let told = "prim \"hair\" has variants of which none is chosen, or refers to other files";
    assert!(
        head.warnings.iter().any(|warning| warning.contains(told)),
        "{:?}",
        head.warnings
    );
}

#[test]
fn transforms_are_in_their_order() {
    for (operations, low, high) in [
        (
            "double3 xformOp:translate = (5, 0, 0)\nfloat xformOp:rotateZ = 90\nfloat3 xformOp:scale = (2, 3, 1)\n\
             uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\", \"xformOp:scale\"]",
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(5.0, 2.0, 0.0),
        ),
        // Only what the order names counts, and what is inverted is undone.
        (
            "double3 xformOp:translate:pivot = (1, 1, 0)\nfloat3 xformOp:rotateXYZ = (0, 0, 180)\n\
             double3 xformOp:translate = (9, 9, 9)\nuniform token[] xformOpOrder = \
             [\"xformOp:translate:pivot\", \"xformOp:rotateXYZ\", \"!invert!xformOp:translate:pivot\"]",
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(2.0, 2.0, 0.0),
        ),
        (
            "quatf xformOp:orient = (0.70710678, 0, 0, 0.70710678)\ndouble3 xformOp:translate.timeSamples = { 1: (0, 4, 0), 2: (0, 9, 0), }\n\
             uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]",
            Vec3::new(-1.0, 4.0, 0.0),
            Vec3::new(0.0, 5.0, 0.0),
        ),
        (
            "double3 xformOp:translate.timeSamples = { 1: None, 2: (0, 9, 0) }\n\
             uniform token[] xformOpOrder = [\"xformOp:translate\"]",
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, 0.0),
        ),
    ] {
        let head = load("a.usda", stage(operations, ""));
        let (own_low, own_high) = (head.extent.low.as_vec3(), head.extent.high.as_vec3());
        let is_same = own_low.distance(low) < 1e-5 && own_high.distance(high) < 1e-5;
        assert!(is_same, "{operations}: {own_low} {own_high}");
    }
}

#[test]
fn faces_have_the_materials_of_their_subsets() {
    let mesh = "int[] faceVertexCounts = [3, 3]\nint[] faceVertexIndices = [0, 1, 2, 0, 2, 3]\n\
        rel material:binding = </mats/whole>\ndef GeomSubset \"part\" { uniform token elementType = \"face\"\n\
        int[] indices = [1]\nrel material:binding = </mats/part> }\n\
        def GeomSubset \"picked\" { uniform token familyName = \"groups\"\nint[] indices = [0, 1] }";
    let head = load(
        "a.usda",
        stage(
            mesh,
            "def Scope \"mats\" { def Material \"whole\" {} def Material \"part\" {} }",
        ),
    );
    let names: Vec<&str> = head
        .parts
        .iter()
        .map(|part| &head.materials[part.material].name[..])
        .collect();
    assert_eq!(names, ["whole", "part"]);
}

#[test]
fn a_colour_of_the_whole_is_no_paint() {
    let mesh = "color3f[] primvars:displayColor = [(0, 0, 0)]";
    let head = load("a.usda", stage(mesh, ""));
    assert!(head.scalp_part.is_none());
    assert_eq!(
        head.materials[head.parts[0].material].base_color[..3],
        [0.0; 3]
    );
}

#[test]
fn a_skin_is_shown_as_it_was_bound() {
    let mesh = "matrix4d primvars:skel:geomBindTransform = ((1,0,0,0), (0,1,0,0), (0,0,1,0), (7,0,0,1))\n\
        rel skel:skeleton = </bones>\ndouble3 xformOp:translate = (100, 0, 0)\n\
        uniform token[] xformOpOrder = [\"xformOp:translate\"]";
    let head = load(
        "a.usda",
        stage(
            mesh,
            "def Skeleton \"bones\" { uniform token[] joints = [\"hips\", \"hips/neck\"] }",
        ),
    );
    assert!((head.extent.low.x - 7.0).abs() < 1e-6, "{:?}", head.extent);
    // Without a transform it was bound where its skeleton is.
    let mesh = "int[] primvars:skel:jointIndices = [0]\nrel skel:skeleton = </bones>\n\
        double3 xformOp:translate = (100, 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]";
    let bones = "def Skeleton \"bones\" { uniform token[] joints = [\"hips\"] }";
    let head = load("a.usda", stage(mesh, bones));
    assert!(head.extent.low.x.abs() < 1e-6, "{:?}", head.extent);
}

#[test]
fn a_package_has_its_pictures() {
    let text = USDA.replace(
        "color3f inputs:diffuseColor = (0.21404114, 0.05087609, 1)",
        "color3f inputs:diffuseColor.connect = </World/Looks/skin/map.outputs:rgb>",
    );
    let text = text.replace("def Shader \"surface\"",
        "def Shader \"map\" { asset inputs:file = @./maps/skin.png@\ntoken outputs:rgb }\ndef Shader \"surface\"");
    let png = picture(Png, 3, 2, [9, 8, 7]);
    let package = usdz(&[
        ("scene/a.usda", text.as_bytes()),
        ("scene/maps/skin.png", &png),
    ]);
    let head = load("a.usdz", package);
    let material = &head.materials[head.parts[0].material];
    assert_eq!(head.textures[material.base_color_texture.unwrap()].width, 3);
    assert_eq!(material.roughness, 0.25);
    assert_eq!(material.alpha, AlphaMode::Opaque);
    // The opacity may be in the picture.
    let seen_through = text.replace(
        "def Shader \"map\"",
        "over Shader \"surface\" { float inputs:opacity.connect = </World/Looks/skin/map.outputs:a> }\n\
         def Shader \"map\"",
    );
    let mut clear = Cursor::new(Vec::new());
    let pixels = image::RgbaImage::from_pixel(3, 2, image::Rgba([9, 8, 7, 100]));
    pixels.write_to(&mut clear, Png).unwrap();
    let package = usdz(&[
        ("scene/a.usda", seen_through.as_bytes()),
        ("scene/maps/skin.png", clear.get_ref()),
    ]);
    let head = load("a.usdz", package);
    let material = &head.materials[head.parts[0].material];
    assert_eq!(material.alpha, AlphaMode::Blend);
    // Beside a layer it is a file; without a folder there is a warning.
    let head = load("a.usda", text);
    assert!(
        head.warnings
            .iter()
            .any(|told| told.contains("maps/skin.png")),
        "{:?}",
        head.warnings
    );
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let version = [&USDC[..9], &[1], &USDC[10..]].concat();
    let far = [&USDC[..16], &[0xFF; 8], &USDC[24..]].concat();
    for (bytes, told) in [
        (
            USDA.replace("[0, 1, 2, 3]", "[0, 1, 2, 9]").into_bytes(),
            "its USD: mesh \"head\": `faceVertexIndices` names number 9, but there are only 4",
        ),
        (
            USDA.replace("faceVertexCounts = [4]", "faceVertexCounts = [4000000000]")
                .into_bytes(),
            "wants 4000000000 corners, but there are only 4",
        ),
        (
            USDA.replace("(100, 0, 0)", "(100, zero, 0)").into_bytes(),
            "its USD: \"zero\" is no number",
        ),
        (
            USDA.replace("def Mesh \"head\" (", "def Mesh (")
                .into_bytes(),
            "its USD: line 11 lacks a name in quotes",
        ),
        (
            USDA.trim_end().trim_end_matches('}').into(),
            "the file may be cut",
        ),
        (
            b"#usda 1.0\ndef \"a\" ( references = @b.usd@ ) { }".into(),
            "its USD: prim \"a\" has variants of which none is chosen, or refers to other files, which are not read; flatten the stage first",
        ),
        (
            b"#usda 1.0\ndef \"a\" ( references = </a> ) { def \"b\" (references = </a>) { } }"
                .into(),
            "or within themselves",
        ),
        (b"#usda 1.0\ndef Xform \"a\" { }".into(), "no triangles"),
        (
            format!(
                "#usda 1.0\ndef \"a\" {{ {} }}",
                (0..5000)
                    .map(|nth| format!("float primvars:a{nth} = 1\n"))
                    .collect::<String>()
            )
            .into_bytes(),
            "has too many attributes in a prim",
        ),
        (version, "its USD: is of a version that is not read"),
        (far, "its USD: leads beyond the end of the file"),
    ] {
        let error = bytes_error("a.usd", &bytes);
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn one_model_is_the_same_in_all_formats() {
    let grid = Grid::new();
    let expected = corners(&load("a.glb", grid.gltf()));
    for (name, bytes) in [
        ("a.obj", grid.obj().into_bytes()),
        ("a.dae", grid.dae().into_bytes()),
        ("a.usda", grid.usda().into_bytes()),
        // The reference implementation has packed its integers and its floats.
        ("a.usdc", include_bytes!("../common/grid.usdc").to_vec()),
    ] {
        let found = corners(&load(name, bytes));
        assert_eq!(found.len(), expected.len(), "{name}");
        for (own, same) in found.iter().zip(&expected) {
            let is_same = own.0.distance(same.0) < 1e-5 && (own.1 - same.1).abs() < 1e-4;
            assert!(is_same, "{name}: {own:?} {same:?}");
        }
    }
}

/// A bent grid, half of it painted, made of triangles.
struct Grid {
    points: Vec<Vec3>,
    grey: Vec<f32>,
    triangles: Vec<[u32; 3]>,
}

impl Grid {
    const SIDE: u32 = 6;

    fn new() -> Self {
        let at = |i: u32| {
            Vec3::new(
                (i % Self::SIDE) as f32,
                (i / Self::SIDE) as f32,
                (i % 5 * i) as f32 % 7.0 / 16.0,
            )
        };
        let points: Vec<Vec3> = (0..Self::SIDE * Self::SIDE).map(at).collect();
        let grey = (0..Self::SIDE * Self::SIDE).map(|i| if i % Self::SIDE < 3 { 1.0 } else { 0.0 });
        let cells = (0..Self::SIDE * (Self::SIDE - 1)).filter(|i| i % Self::SIDE + 1 < Self::SIDE);
        let triangles = cells.flat_map(|i| {
            [
                [i, i + 1, i + Self::SIDE],
                [i + 1, i + Self::SIDE + 1, i + Self::SIDE],
            ]
        });
        Grid {
            grey: grey.collect(),
            triangles: triangles.collect(),
            points,
        }
    }

    /// Returns values as a text, one after the other.
    fn list<T: std::fmt::Debug>(values: impl IntoIterator<Item = T>, between: &str) -> String {
        let words: Vec<String> = values
            .into_iter()
            .map(|value| format!("{value:?}"))
            .collect();
        words.join(between)
    }

    fn obj(&self) -> String {
        let points = self.points.iter().zip(&self.grey);
        let points = points.map(|(p, g)| format!("v {} {} {} {g} {g} {g}\n", p.x, p.y, p.z));
        let faces = self
            .triangles
            .iter()
            .map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        points.chain(faces).collect()
    }

    fn dae(&self) -> String {
        let points = Self::list(self.points.iter().flat_map(|p| p.to_array()), " ");
        let colors = Self::list(self.grey.iter().flat_map(|&grey| [grey; 3]), " ");
        let source = |id: &str, list: &str| {
            format!(
                "<source id=\"{id}\"><float_array>{list}</float_array><technique_common>\
             <accessor stride=\"3\"/></technique_common></source>"
            )
        };
        format!(
            "<COLLADA><library_geometries><geometry><mesh>{}{}<vertices id=\"v\">\
             <input semantic=\"POSITION\" source=\"#p\"/><input semantic=\"COLOR\" source=\"#c\"/></vertices>\
             <triangles><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>{}</p></triangles>\
             </mesh></geometry></library_geometries></COLLADA>",
            source("p", &points),
            source("c", &colors),
            Self::list(self.triangles.as_flattened(), " ")
        )
    }

    fn usda(&self) -> String {
        let points = Self::list(self.points.iter().map(|p| (p.x, p.y, p.z)), ", ");
        let colors = Self::list(self.grey.iter().map(|&g| (g, g, g)), ", ");
        format!(
            "#usda 1.0\n(\n    metersPerUnit = 1\n)\ndef Mesh \"grid\"\n{{\n    int[] faceVertexCounts = [{}]\n    \
             int[] faceVertexIndices = [{}]\n    point3f[] points = [{points}]\n    \
             color3f[] primvars:displayColor = [{colors}] (\n        interpolation = \"vertex\"\n    )\n}}\n",
            Self::list(self.triangles.iter().map(|_| 3), ", "),
            Self::list(self.triangles.as_flattened(), ", ")
        )
    }

    fn gltf(&self) -> Vec<u8> {
        let mut gltf = Gltf::new();
        let points: Vec<f32> = self.points.iter().flat_map(|p| p.to_array()).collect();
        let colors: Vec<f32> = self.grey.iter().flat_map(|&grey| [grey; 3]).collect();
        let position = gltf.floats("VEC3", &points);
        let color = gltf.floats("VEC3", &colors);
        let indices = gltf.ints(U16, "SCALAR", self.triangles.as_flattened());
        let attributes = json!({"POSITION": position, "COLOR_0": color});
        gltf.head(json!({"attributes": attributes, "indices": indices}));
        gltf.glb()
    }
}
