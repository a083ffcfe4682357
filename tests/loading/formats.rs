//! Heads of other formats: the same square as each of them writes it.

use crate::common::gltf_builder::picture;
use crate::files::bytes_error;
use crate::other_formats::{DAE, FBX, OBJ, PLY, STL, USDA, USDC, moving_fbx, usdz};
use glam::{Vec2, Vec3};
use image::ImageFormat::Png;
use mohawk::head::{Head, HeadSettings, Model, write};
use std::fs;
use std::path::Path;

pub fn load(name: &str, bytes: impl AsRef<[u8]>) -> Head {
    let scale = Some(1.0);
    let settings = HeadSettings {
        scale,
        ..HeadSettings::default()
    };
    Head::from_bytes(name, bytes.as_ref(), &settings).unwrap()
}

/// Returns the corners of the triangles with their densities, with the low corner at the origin.
pub fn corners(head: &Head) -> Vec<(Vec3, f32)> {
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
    for (name, bytes, is_painted) in [
        ("a.obj", OBJ.as_bytes(), true),
        ("a.ply", PLY.as_bytes(), true),
        ("a.fbx", FBX.as_bytes(), true),
        ("a.dae", DAE.as_bytes(), true),
        ("a.stl", STL.as_bytes(), false),
        ("a.usda", USDA.as_bytes(), true),
        ("a.usdc", USDC, true),
        ("a.usdz", &usdz(&[("a.usdc", USDC)]), true),
    ] {
        let head = load(name, bytes);
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
    for (name, bytes) in [
        ("a.fbx", FBX.as_bytes()),
        ("a.dae", DAE.as_bytes()),
        ("a.usda", USDA.as_bytes()),
        ("a.usdc", USDC),
    ] {
        let head = load(name, bytes);
        assert_eq!(head.parts[0].name, "head", "{name}");
        assert!(
            (head.extent.low.x - 5.0).abs() < 1e-6,
            "{name}: {:?}",
            head.extent
        );
        let material = &head.materials[head.parts[0].material];
        assert_eq!(material.name, "skin");
        assert!(
            (material.base_color[0] - 0.214).abs() < 1e-3,
            "{:?}",
            material.base_color
        );
    }
}

#[test]
fn bones_and_shapes_move_an_fbx() {
    let text = moving_fbx();
    let head = load("a.fbx", &text);
    assert!(
        head.warnings.iter().all(|told| !told.contains("animation")),
        "{:?}",
        head.warnings
    );
    let corners = |positions: &[Vec3]| {
        assert_eq!(positions.len(), 4);
        let places = positions.iter().map(|&p| p / head.units.scale);
        places.collect::<Vec<_>>()
    };
    let rig = head.rig.as_ref().expect("an animation");
    let animation = &rig.animations()[0];
    assert_eq!(
        (&animation.name[..], animation.duration_secs),
        ("talk", 2.0)
    );
    for secs in [0.0, 1.0, 2.0] {
        let by = secs as f32 / 2.0;
        let expected = [
            [0.0, 0.0, 3.0 * by],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 2.0 * by],
            [0.0, 1.0, 2.0 * by],
        ];
        let expected = expected.map(Vec3::from);
        let found = corners(&rig.shapes(0, secs)[0].positions);
        for (i, a) in found.iter().enumerate() {
            for (k, b) in found.iter().enumerate() {
                let (found, expected) = (a.distance(*b), expected[i].distance(expected[k]));
                assert!(
                    (found - expected).abs() < 1e-4,
                    "{secs} s: {i} {k}: {found} {expected}"
                );
            }
        }
    }
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
    // A change of any of them loads the head again.
    assert_eq!(head.files.first(), Some(&at("square.obj")));
    assert!(head.files.contains(&at("square.mtl")), "{:?}", head.files);
    // A path that leads elsewhere is that of another machine, even if there is a file.
    let elsewhere = tempfile::tempdir().unwrap();
    let picture = elsewhere.path().join("my skin.png");
    fs::write(&picture, "another").unwrap();
    fs::create_dir(at("materials")).unwrap();
    fs::rename(at("square.mtl"), at("materials/my square.mtl")).unwrap();
    let library = format!("newmtl skin\nmap_Kd {}\n", picture.display());
    fs::write(at("materials/my square.mtl"), library).unwrap();
    let obj = OBJ.replace("square.mtl", "materials/my square.mtl");
    fs::write(at("square.obj"), obj).unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    let material = &head.materials[head.parts[0].material];
    assert_eq!(head.textures[material.base_color_texture.unwrap()].width, 3);
    // One line may name several files; one that is missing is told.
    fs::write(
        at("square.obj"),
        OBJ.replace("square.mtl", "none.mtl materials/b.mtl"),
    )
    .unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    let told = "the materials of \"none.mtl materials/b.mtl\" are not beside the model";
    assert!(
        head.warnings.iter().any(|it| it == told),
        "{:?}",
        head.warnings
    );
    fs::write(at("materials/b.mtl"), "newmtl skin\nKd 1 0 0\n").unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    assert_eq!(
        head.materials[head.parts[0].material].base_color[..3],
        [1.0, 0.0, 0.0]
    );
    fs::write(
        at("square.obj"),
        OBJ.replace("square.mtl", "materials/my square.mtl"),
    )
    .unwrap();
    let head = Head::load(&at("square.obj"), &HeadSettings::default()).unwrap();
    // The origin is below in OBJ, and above in glTF.
    assert_eq!(head.parts[0].uvs.as_ref().unwrap()[0], Vec2::Y);
    // COLLADA names it by way of a sampler and a surface.
    let dae = DAE.replace(
        "<color>0.5 0.25 1 1</color>",
        "<texture texture=\"sm\" texcoord=\"t\"/>",
    );
    fs::write(at("square.dae"), dae).unwrap();
    let head = Head::load(&at("square.dae"), &HeadSettings::default()).unwrap();
    let material = &head.materials[head.parts[0].material];
    assert_eq!(head.textures[material.base_color_texture.unwrap()].width, 3);
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
fn a_soft_density_of_ply_is_paint() {
    let ply = PLY.replace(
        "property uchar blue",
        "property uchar blue\nproperty float density",
    );
    let ply = ply
        .replace("255 255 255", "255 200 200 0.25")
        .replace("0 0 0\n0", "0 0 0 0.5\n0");
    let ply = ply.replace("0 1 0 0 0 0\n", "0 1 0 0 0 0 0.5\n");
    let head = load("a.ply", ply);
    let corners = corners(&head);
    let is_soft = |&(place, density): &(Vec3, f32)| (density - 0.25 * (1.0 + place.y)).abs() < 1e-6;
    assert!(corners.iter().all(is_soft), "{corners:?}");
    // The colours of the file are those of the skin.
    assert!(head.parts[0].colors.is_some());
}

#[test]
fn a_group_without_colours_leaves_those_of_others() {
    let eye = "v 0 0 1\nv 1 0 1\nv 0 1 1\no eye\nf 5 6 7\n";
    let head = load("a.obj", [OBJ, eye].concat());
    let painted: Vec<bool> = head.parts.iter().map(|part| part.paint.is_some()).collect();
    assert_eq!(painted, [true, false]);
}

#[test]
fn corners_of_an_fbx_with_numbers_of_their_own_are_joined() {
    let colors = FBX.replace(
        "*8 { a: 1,1,1,1, 0,0,0,1 }",
        "*16 { a: 1,1,1,1, 1,1,1,1, 0,0,0,1, 0,0,0,1 }",
    );
    let colors = colors.replace("0,0,1,1 }", "0,1,2,3 }");
    // Two triangles, whose corners share nothing.
    let halves = colors.replace("*4 { a: 0,1,2,-4 }", "*6 { a: 0,1,-3,0,2,-4 }");
    let halves = halves.replace(
        "*16 { a: 1,1,1,1, 1,1,1,1, 0,0,0,1, 0,0,0,1 }",
        "*24 { a: 1,1,1,1, 1,1,1,1, 0,0,0,1, 1,1,1,1, 0,0,0,1, 0,0,0,1 }",
    );
    let halves = halves.replace("*4 { a: 0,1,2,3 }", "*6 { a: 0,1,2,3,4,5 }");
    assert_ne!(halves, colors);
    let head = load("a.fbx", halves);
    assert_eq!(
        (head.parts[0].positions.len(), head.parts[0].triangles.len()),
        (4, 2)
    );
}

#[test]
fn opacity_counts_in_every_format() {
    let alpha = |name: &str, text: String| {
        let head = load(name, text);
        head.materials[head.parts[0].material].base_color[3]
    };
    for (told, opacity) in [
        ("\"TransparencyFactor\", \"Number\", \"\", \"A\",0.75", 0.25),
        (
            "\"TransparentColor\", \"Color\", \"\", \"A\",0.25,0.25,0.25",
            0.75,
        ),
        // Some programs mean opaque by this.
        ("\"TransparencyFactor\", \"Number\", \"\", \"A\",1", 1.0),
    ] {
        let line = format!("P: {told}\n            P: \"DiffuseColor\"");
        let found = alpha("a.fbx", FBX.replace("P: \"DiffuseColor\"", &line));
        assert!((found - opacity).abs() < 1e-6, "{told}: {found}");
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.obj"), OBJ).unwrap();
    fs::write(at("square.mtl"), "newmtl skin\nd 0.25\nmap_Kd skin.png\n").unwrap();
    let head = Head::load(&at("a.obj"), &HeadSettings::default()).unwrap();
    // A picture that is missing may come.
    assert!(head.files.contains(&at("skin.png")), "{:?}", head.files);
    fs::write(at("skin.png"), picture(Png, 3, 2, [9, 8, 7])).unwrap();
    let head = Head::load(&at("a.obj"), &HeadSettings::default()).unwrap();
    assert_eq!(head.materials[head.parts[0].material].base_color[3], 0.25);
    for told in ["d 0", "Tr 1"] {
        fs::write(at("square.mtl"), format!("newmtl skin\n{told}\n")).unwrap();
        let head = Head::load(&at("a.obj"), &HeadSettings::default()).unwrap();
        assert_eq!(head.materials[head.parts[0].material].base_color[3], 1.0);
    }
}

#[test]
fn nodes_are_hidden_with_those_above_them() {
    let head = load("a.fbx", FBX);
    assert_eq!(head.parts.len(), 1);
    let group = FBX.replace(
        "Material: 3,",
        "Model: 7, \"Model::group\", \"Null\" {\nProperties70:  {\n\
         P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n}\n}\nMaterial: 3,",
    );
    assert_ne!(group, FBX);
    let hidden = group.replace("C: \"OO\",2,0", "C: \"OO\",2,7\nC: \"OO\",7,0");
    assert_ne!(hidden, group);
    let error = bytes_error("a.fbx", hidden.as_bytes());
    assert!(error.contains("no triangles"), "{error}");
}

#[test]
fn a_painted_head_of_another_format_is_written_as_glb() {
    let settings = HeadSettings::default();
    for (name, text) in [("a.obj", OBJ), ("a.fbx", FBX), ("a.dae", DAE)] {
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
        (
            "a.dae",
            DAE.replace("0 0 0 1 0 0 2 0 1 3 0 1", "0 0 0 1 0 0 2 0 1 7 0 1"),
            "its COLLADA: geometry \"square\": <polylist> POSITION names number 7, but there are only 4",
        ),
        (
            "a.dae",
            DAE.replace("<vcount>4", "<vcount>900000000"),
            "<vcount> wants 900000000 corners",
        ),
        (
            "a.dae",
            DAE.replace("100 0 0 100 0 100", "100 0 x 100 0 100"),
            "source \"p\": \"x\" is no number",
        ),
        (
            "a.dae",
            DAE.replace("</mesh>", ""),
            "its COLLADA: line 27 closes another element",
        ),
        (
            "a.dae",
            DAE.replace("url=\"#lib\"", "url=\"#root\""),
            "or within themselves",
        ),
        (
            "a.dae",
            DAE.replace("<COLLADA", "<!DOCTYPE a [<!ENTITY b \"c\">]><COLLADA"),
            "declares entities",
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
fn collada_is_read_as_programs_write_it() {
    // An L of strips, fans, triangles and polygons, in one file that has no scene.
    let source = "<source id='p'><float_array>0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0</float_array>\
        <technique_common><accessor stride='3'/></technique_common></source>\
        <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>";
    let input = "<input semantic='VERTEX' source='#v' offset='0'/>";
    for (faces, area) in [
        ("<triangles>I<p>0 1 2 0 2 3</p></triangles>", 1.0),
        ("<tristrips>I<p>0 1 3 2</p><p>1 4 2 5</p></tristrips>", 2.0),
        ("<trifans>I<p>0 1 2 3</p></trifans>", 1.0),
        // Inputs that are not read have indices, too.
        (
            "<triangles>I<input semantic='TEXTANGENT' source='#p' offset='1'/>\
             <p>0 9 1 9 2 9 0 9 2 9 3 9</p></triangles>",
            1.0,
        ),
        (
            "<polygons>I<p>0 1 2 3</p><ph><p>1 4 5 2</p><h>0 1 2</h></ph></polygons>",
            2.0,
        ),
        (
            "<lines>I<p>0 1</p></lines><polylist>I<vcount>6</vcount><p>0 1 4 5 2 3</p></polylist>",
            2.0,
        ),
    ] {
        let faces = faces.replace('I', input);
        let text = format!(
            "<COLLADA><asset/><library_geometries><geometry id='g'><mesh>{source}{faces}</mesh>\
             </geometry></library_geometries></COLLADA>"
        );
        let head = load("a.dae", &text);
        let corners = corners(&head);
        let sum: f32 = corners
            .chunks(3)
            .map(|t| (t[1].0 - t[0].0).cross(t[2].0 - t[0].0).z)
            .sum();
        assert!((sum / 2.0 - area).abs() < 1e-5, "{faces}: {sum}");
    }
}

#[test]
fn a_skin_of_collada_is_shown_as_it_was_bound() {
    let skin = "<library_controllers><controller id='k'><skin source='#g'><bind_shape_matrix>\
        1 0 0 500 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers>";
    let (start, rest) = DAE.split_once("<library_nodes>").unwrap();
    let text = format!("{start}{skin}<library_nodes>{rest}");
    let text = text.replace(
        "instance_geometry url=\"#g\"",
        "instance_controller url=\"#k\"",
    );
    let text = text.replace("</instance_geometry>", "</instance_controller>");
    let head = load("a.dae", &text);
    assert!((head.extent.low.x - 5.0).abs() < 1e-6, "{:?}", head.extent);
    assert_eq!(head.materials[head.parts[0].material].name, "skin");
}

#[test]
fn very_many_groups_are_refused() {
    let groups: String = (0..150_000).map(|i| format!("g {i}\nf 1 2 3\n")).collect();
    let error = bytes_error("a.obj", format!("{OBJ}{groups}").as_bytes());
    assert!(error.contains("the model as glTF would take"), "{error}");
}

#[test]
fn cut_files_are_read_or_refused() {
    let settings = HeadSettings::default();
    for (name, bytes) in [
        ("a.obj", OBJ.as_bytes()),
        ("a.ply", PLY.as_bytes()),
        ("a.stl", STL.as_bytes()),
        ("a.fbx", FBX.as_bytes()),
        ("a.dae", DAE.as_bytes()),
        ("a.usda", USDA.as_bytes()),
        ("a.usdc", USDC),
        ("a.usdz", &usdz(&[("a.usdc", USDC)])),
    ] {
        for end in 0..bytes.len() {
            drop(Head::from_bytes(name, &bytes[..end], &settings));
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
