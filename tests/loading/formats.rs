//! Heads of other formats: the same square as each of them writes it.

use crate::common::gltf_builder::picture;
use crate::files::bytes_error;
use glam::{Vec2, Vec3};
use image::ImageFormat::Png;
use mohawk::head::{Head, HeadSettings, Model, write};
use std::fs;
use std::path::Path;

/// The square with two corners painted black, as OBJ: one polygon, colours at its vertices.
const OBJ: &str = "# Blender\nmtllib square.mtl\no head\nv 0 0 0 1 1 1\nv 1 0 0 1 1 1\n\
    v 1 1 0 0 0 0\nv 0 1 0 0 0 0\nvn 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl skin\n\
    f 1/1/1 2/2/1 3/3/1 4/4/1\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
    property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 255 255 255\n\
    1 0 0 255 255 255\n1 1 0 0 0 0\n0 1 0 0 0 0\n4 0 1 2 3\n";
const STL: &str = "solid square\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
    vertex 1 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\n\
    vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
const FBX: &str = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n    FBXVersion: 7400\n}\n\
    GlobalSettings:  {\n    Version: 1000\n    Properties70:  {\n\
        P: \"UpAxis\", \"int\", \"Integer\", \"\",1\n        P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\n        P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n        P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
        P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n    }\n}\n\
    Objects:  {\n    Geometry: 1, \"Geometry::Square\", \"Mesh\" {\n\
        Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\n\
        PolygonVertexIndex: *4 { a: 0,1,2,-4 }\n\
        LayerElementColor: 0 {\n            Name: \"Col\"\n            MappingInformationType: \"ByPolygonVertex\"\n\
            ReferenceInformationType: \"IndexToDirect\"\n\
            Colors: *8 { a: 1,1,1,1, 0,0,0,1 }\n            ColorIndex: *4 { a: 0,0,1,1 }\n        }\n\
        Layer: 0 {\n            LayerElement:  {\n                Type: \"LayerElementColor\"\n                TypedIndex: 0\n            }\n        }\n    }\n\
    Material: 3, \"Material::skin\", \"\" {\n        ShadingModel: \"phong\"\n        Properties70:  {\n\
            P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.5,0.25,1\n        }\n    }\n\
    Model: 2, \"Model::head\", \"Mesh\" {\n        Properties70:  {\n            P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",5,0,0\n        }\n    }\n}\n\
    Connections:  {\n    C: \"OO\",1,2\n    C: \"OO\",2,0\n    C: \"OO\",3,2\n}\n";

fn load(name: &str, text: &str) -> Head {
    let scale = Some(1.0);
    let settings = HeadSettings {
        scale,
        ..HeadSettings::default()
    };
    Head::from_bytes(name, text.as_bytes(), &settings).unwrap()
}

/// Returns the corners of the triangles with their densities, with the low corner at the origin.
fn corners(head: &Head) -> Vec<(Vec3, f32)> {
    let part = &head.parts[0];
    let low = part.positions.iter().copied().reduce(Vec3::min).unwrap();
    let density = |v: u32| {
        part.paint
            .as_ref()
            .map_or(0.0, |paint| paint.density[v as usize])
    };
    let corners = part.triangles.iter().flatten();
    corners
        .map(|&v| (part.positions[v as usize] - low, density(v)))
        .collect()
}

#[test]
fn every_format_gives_the_same_head() {
    for (name, text, is_painted) in [
        ("a.obj", OBJ, true),
        ("a.ply", PLY, true),
        ("a.fbx", FBX, true),
        ("a.stl", STL, false),
    ] {
        let head = load(name, text);
        assert_eq!(head.parts[0].triangles.len(), 2, "{name}");
        let corners = corners(&head);
        let area: f32 = corners
            .chunks(3)
            .map(|t| (t[1].0 - t[0].0).cross(t[2].0 - t[0].0).z)
            .sum();
        assert!((area - 2.0).abs() < 1e-5, "{name}: {area}");
        for (place, density) in corners {
            let expected = if is_painted { place.y } else { 0.0 };
            assert!(
                (density - expected).abs() < 1e-5,
                "{name}: {place} {density}"
            );
        }
        assert!(
            head.parts[0]
                .normals
                .iter()
                .all(|n| n.distance(Vec3::Z) < 1e-5),
            "{name}"
        );
    }
    let head = load("a.fbx", FBX);
    assert_eq!(head.parts[0].name, "head");
    assert!((head.extent.low.x - 5.0).abs() < 1e-6, "{:?}", head.extent);
    let material = &head.materials[head.parts[0].material];
    assert_eq!(material.name, "skin");
    assert!(
        (material.base_color[0] - 0.214).abs() < 1e-3,
        "{:?}",
        material.base_color
    );
}

#[test]
fn materials_and_pictures_beside_the_model_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("textures")).unwrap();
    fs::write(at("square.obj"), OBJ).unwrap();
    fs::write(
        at("square.mtl"),
        "newmtl skin\nKd 1 0 0\nmap_Kd C:\\work\\my skin.png\n",
    )
    .unwrap();
    fs::write(at("textures/my skin.png"), picture(Png, 3, 2, [9, 8, 7])).unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    assert!(
        head.warnings.iter().all(|told| !told.contains("texture")),
        "{:?}",
        head.warnings
    );
    let material = &head.materials[head.parts[0].material];
    assert_eq!(head.textures[material.base_color_texture.unwrap()].width, 3);
    // The origin is below in OBJ, and above in glTF.
    assert_eq!(head.parts[0].uvs.as_ref().unwrap()[0], Vec2::Y);
    // Without the picture there is a warning that names it.
    fs::remove_file(at("textures/my skin.png")).unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    assert!(
        head.warnings
            .iter()
            .any(|told| told.contains("my skin.png")),
        "{:?}",
        head.warnings
    );
}

#[test]
fn a_painted_head_of_another_format_is_written_as_glb() {
    let settings = HeadSettings::default();
    for (name, text) in [("a.obj", OBJ), ("a.fbx", FBX)] {
        let head = Head::from_bytes(name, text.as_bytes(), &settings).unwrap();
        let model = Model::Embedded(text.as_bytes().into());
        let density = vec![1.0; head.parts[0].positions.len()];
        let painted = write::painted(&model, &head, 0, &density, &settings).unwrap();
        let again = Head::from_bytes("a.glb", &painted.glb, &settings).unwrap();
        assert_eq!(
            again.parts[0].paint.as_ref().unwrap().density,
            density,
            "{name}"
        );
    }
}

#[test]
fn broken_files_are_refused_with_the_place() {
    for (name, text, told) in [
        (
            "a.obj",
            OBJ.replace("4/4/1", "9/4/1"),
            "its OBJ: line 14 names a vertex",
        ),
        (
            "a.ply",
            PLY.replace("4 0 1 2 3", "4 0 1 2 7"),
            "its PLY: `vertex_indices` of `face` 0 is 7",
        ),
        (
            "a.stl",
            STL.replace("vertex 1 1 0", "vertex 1 x 0"),
            "its STL: wants three numbers in line 6",
        ),
        (
            "a.fbx",
            FBX.replace("0,1,2,-4", "0,1,2,-40"),
            "no triangles",
        ),
        ("a.fbx", "Kaydara FBX Binary  \0".to_owned(), "its FBX"),
        ("a.obj", "v 0 0 0\n".to_owned(), "no triangles"),
        (
            "a.obj",
            OBJ.replace("v 1 1 0", "v 1e39 1 0"),
            "is not finite",
        ),
    ] {
        let error = bytes_error(name, text.as_bytes());
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn cut_files_are_read_or_refused() {
    let settings = HeadSettings::default();
    for (name, text) in [
        ("a.obj", OBJ),
        ("a.ply", PLY),
        ("a.stl", STL),
        ("a.fbx", FBX),
    ] {
        for end in 0..text.len() {
            drop(Head::from_bytes(name, &text.as_bytes()[..end], &settings));
        }
    }
}

#[test]
fn the_shipped_head_as_stl_is_whole() {
    let head = Head::shipped(&HeadSettings::default()).unwrap();
    let part = &head.parts[head.scalp_part.unwrap()];
    let mut stl = vec![0; 80];
    stl.extend((part.triangles.len() as u32).to_le_bytes());
    for corners in &part.triangles {
        stl.extend([0; 12]);
        let corners = corners.map(|v| part.positions[v as usize].to_array());
        stl.extend(
            corners
                .as_flattened()
                .iter()
                .flat_map(|lane| lane.to_le_bytes()),
        );
        stl.extend([0; 2]);
    }
    let path = Path::new("head.stl");
    let read = Head::from_bytes(&path.to_string_lossy(), &stl, &HeadSettings::default()).unwrap();
    assert_eq!(read.parts[0].triangles.len(), part.triangles.len());
    // Corners at one place are one vertex again, but for seams of texture coordinates.
    assert!(read.parts[0].positions.len() <= part.positions.len());
}
