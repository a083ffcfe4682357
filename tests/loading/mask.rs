//! The scalp by a name, whatever colours are.

use crate::gltf_builder::{Gltf, U8, picture};
use image::ImageFormat::Png;
use mohawk::head::{Head, HeadSettings, Model, write};
use serde_json::json;
use std::fs;
use std::io::Cursor;
use std::path::Path;

const W: [f32; 3] = [1.0; 3];
const B: [f32; 3] = [0.0; 3];

fn settings(mask: &str) -> HeadSettings {
    HeadSettings {
        mask: mask.to_owned(),
        ..HeadSettings::default()
    }
}

/// Returns the evidence and the densities of the scalp.
#[track_caller]
fn scalp(head: &Head) -> (&str, &[f32]) {
    let part = &head.parts[head.scalp_part.expect("a scalp")];
    let paint = part.paint.as_ref().unwrap();
    (&paint.why, &paint.density)
}

/// Returns the warnings.
fn told(head: &Head) -> String {
    head.warnings.join("\n")
}

#[test]
fn a_mask_may_name_a_node_a_mesh_or_a_material() {
    let mut gltf = Gltf::painted([B, B, B, W]);
    let cap = gltf.square_primitive();
    let cap = gltf.mesh("cloth", json!([cap]));
    gltf.root(json!({"name": "Cap_01", "mesh": cap}));
    gltf.push("materials", json!({"name": "felt"}));
    gltf.json["meshes"][1]["primitives"][0]["material"] = json!(0);
    for (mask, why) in [
        ("cap", "node \"Cap_01\" (--mask)"),
        ("Cloth", "mesh \"cloth\" (--mask)"),
        ("felt", "material \"felt\" (--mask)"),
    ] {
        let head = gltf.load_with(&settings(mask)).unwrap();
        assert_eq!(scalp(&head), (why, &[1.0; 4][..]));
        // Colours are a tint then, even black on white.
        assert!(head.parts[0].paint.is_none() && head.parts[0].colors.is_some());
        let other = head.contents.other_paint.as_deref().unwrap();
        assert!(
            other.starts_with("COLOR_0 is black on white, on part "),
            "{other}"
        );
    }
}

#[test]
fn a_mask_may_name_an_attribute() {
    let mut gltf = Gltf::painted([B; 4]);
    let density = gltf.floats("SCALAR", &[0.25, 0.0, 1.0, 1.0]);
    gltf.primitive()["attributes"]["_Fur"] = json!(density);
    for mask in ["_FUR", "fur"] {
        let head = gltf.load_with(&settings(mask)).unwrap();
        assert_eq!(scalp(&head), ("_Fur (--mask)", &[0.25, 0.0, 1.0, 1.0][..]));
    }
    // What is painted here later counts before the mask.
    let model = Model::Embedded(gltf.glb().into());
    let settings = settings("fur");
    let head = gltf.load_with(&settings).unwrap();
    let painted = write::painted(&model, &head, 0, &[1.0, 1.0, 1.0, 0.0], &settings).unwrap();
    let again = Head::from_bytes("a.glb", &painted.glb, &settings).unwrap();
    assert_eq!(scalp(&again).1, [1.0, 1.0, 1.0, 0.0]);
    // Other numbers are no density.
    let broken = gltf.floats("SCALAR", &[0.0, 7.0, 1.0, 1.0]);
    gltf.primitive()["attributes"]["_Fur"] = json!(broken);
    let head = gltf.load_with(&settings).unwrap();
    let advice = head.paint_advice().unwrap();
    assert!(
        advice.contains("--mask \"fur\" covers no vertex"),
        "{advice}"
    );
    assert!(told(&head).contains("_Fur is not a density"));
}

#[test]
fn a_mask_may_name_a_joint_whose_weights_are_density() {
    let mut gltf = Gltf::square();
    let joints = ["spine", "Crown"].map(|name| gltf.root(json!({"name": name})));
    let skin = gltf.push("skins", json!({"joints": joints}));
    gltf.json["nodes"][0]["skin"] = json!(skin);
    let numbers = gltf.ints(U8, "VEC4", &[0, 1, 0, 0].repeat(4));
    gltf.json["accessors"][numbers]["normalized"] = json!(false);
    let pairs = [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.25, 0.75]];
    let weights: Vec<f32> = pairs.iter().flat_map(|[a, b]| [*a, *b, 0.0, 0.0]).collect();
    let weights = gltf.floats("VEC4", &weights);
    gltf.primitive()["attributes"]["JOINTS_0"] = json!(numbers);
    gltf.primitive()["attributes"]["WEIGHTS_0"] = json!(weights);
    let head = gltf.load_with(&settings("crown")).unwrap();
    let why = "the weights of joint \"crown\" (--mask)";
    assert_eq!(scalp(&head), (why, &[0.5, 0.0, 1.0, 0.75][..]));
}

/// Writes a square with texture coordinates and a picture of two columns, black and white.
fn textured(folder: &Path) -> Gltf {
    let mut gltf = Gltf::square();
    let uvs = gltf.floats("VEC2", &[0.5, 0.5, 0.25, 0.5, 0.75, 0.5, -0.25, 3.5]);
    gltf.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    let mut columns = image::RgbaImage::from_pixel(2, 2, image::Rgba([255; 4]));
    (columns[(0, 0)], columns[(0, 1)]) =
        (image::Rgba([0, 0, 0, 255]), image::Rgba([255, 255, 255, 0]));
    let mut file = Cursor::new(Vec::new());
    columns.write_to(&mut file, Png).unwrap();
    fs::write(folder.join("scalp.png"), file.into_inner()).unwrap();
    gltf
}

#[test]
fn a_mask_may_be_a_picture_on_the_face_but_not_on_hair_or_clothes() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = textured(folder.path());
    // Larger parts with the same coordinates.
    for name in ["head_hair", "coat"] {
        gltf.root(json!({"name": name, "mesh": 0, "scale": [3, 3, 3]}));
    }
    gltf.json["meshes"][0]["name"] = json!("mesh");
    let file = folder.path().join("a.glb");
    fs::write(&file, gltf.glb()).unwrap();
    let head = Head::load(&file, &settings("scalp.png")).unwrap();
    let part = &head.parts[head.scalp_part.unwrap()];
    assert_eq!(part.name, "head");
    // Between the columns, black and clear, white, and white in another tile.
    let (why, density) = scalp(&head);
    assert_eq!(why, "picture \"scalp.png\" (--mask)");
    assert_eq!(density, [0.5, 0.0, 1.0, 1.0]);
    assert!(head.files.contains(&folder.path().join("scalp.png")));
    // A style does not take a head into its file without the picture.
    let model = Model::File(file.clone());
    let embed = |mask: &str| model.clone().embedded(&settings(mask), 1 << 20).unwrap();
    assert!(embed("scalp.png").is_none() && embed("").is_some());
    // The picture lies where the surface has it.
    let transform = json!({"KHR_texture_transform": {"offset": [0.25, 0]}});
    gltf.json["materials"] = json!([{"pbrMetallicRoughness":
        {"baseColorTexture": {"index": 0, "extensions": transform}}}]);
    gltf.json["textures"] = json!([{"source": 0}]);
    gltf.json["images"] = json!([{"uri": "scalp.png"}]);
    gltf.primitive()["material"] = json!(0);
    fs::write(&file, gltf.glb()).unwrap();
    let head = Head::load(&file, &settings("scalp.png")).unwrap();
    assert_ne!(scalp(&head).1, [0.5, 0.0, 1.0, 1.0]);
}

#[test]
fn a_picture_is_read_within_the_folder_and_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models");
    fs::create_dir(&models).unwrap();
    let gltf = textured(folder.path());
    let file = models.join("a.glb");
    fs::write(&file, gltf.glb()).unwrap();
    fs::write(models.join("text.png"), "no picture").unwrap();
    fs::write(
        models.join("large.png"),
        picture(Png, 300, 300, W.map(|_| 255)),
    )
    .unwrap();
    let outside = folder.path().join("scalp.png");
    for (mask, problem) in [
        ("../scalp.png", "does not stay inside the model's folder"),
        (
            outside.to_str().unwrap(),
            "does not stay inside the model's folder",
        ),
        ("none.png", "\"none.png\" does not exist"),
        ("text.png", "is not PNG, JPEG, WebP or KTX2"),
        ("large.png", "300 x 300 pixels, more than 1000"),
    ] {
        let mut settings = settings(mask);
        settings.limits.image_pixels = 1000;
        let told = told(&Head::load(&file, &settings).unwrap());
        assert!(told.contains(problem), "{told}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, models.join("link.png")).unwrap();
        let told = told(&Head::load(&file, &settings("link.png")).unwrap());
        assert!(told.contains("a link out of the model's folder"), "{told}");
    }
    // A head in memory has no folder.
    let told = told(&gltf.load_with(&settings("scalp.png")).unwrap());
    assert!(told.contains("in memory"), "{told}");
}

#[test]
fn a_mask_that_names_nothing_lists_what_would_do_and_paint_counts() {
    let mut gltf = Gltf::painted([B; 4]);
    let density = gltf.floats("SCALAR", &[1.0; 4]);
    gltf.primitive()["attributes"]["_GROWTH"] = json!(density);
    for number in 0..9 {
        gltf.root(json!({"name": format!("part {number}"), "mesh": 0}));
    }
    let head = gltf.load_with(&settings("hat")).unwrap();
    let listed = "--mask \"hat\": nothing is called so; there are nodes \"head\", \"part 0\", \"part 1\", \
                  \"part 2\", \"part 3\" and 5 more; attributes \"_GROWTH\"; paint counts instead";
    assert!(told(&head).contains(listed), "{}", told(&head));
    // The file may be another than the mask was meant for.
    assert_eq!(scalp(&head).0, "COLOR_0 is black on white");
    let too_long = settings(&"é".repeat(257)).validate().unwrap_err();
    assert_eq!(too_long.key, "head.mask");
}
