//! Files that are not glTF, and URIs that leave the model's folder.

use crate::common::gltf_builder::*;
use mohawk::head::{Head, HeadSettings};
use serde_json::json;

pub fn bytes_error(name: &str, bytes: &[u8]) -> String {
    let loaded = Head::from_bytes(name, bytes, &HeadSettings::default());
    loaded.expect_err("this must not load").to_string()
}

fn file_error(path: &std::path::Path) -> String {
    let loaded = Head::load(path, &HeadSettings::default());
    loaded.expect_err("this must not load").to_string()
}

#[test]
fn files_of_other_formats_are_refused_by_name() {
    for (name, bytes, looks) in [
        (
            "a.blend",
            b"BLENDER-v500".as_slice(),
            "looks like a .blend file",
        ),
        ("a.zip", b"PK\x03\x04\0", "looks like a zip archive"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0", "looks like a picture"),
        ("a.html", b"<!DOCTYPE html><html>", "looks like a web page"),
        (
            "a.glb",
            b"version https://git-lfs.github.com/spec/v1\n",
            "looks like a Git LFS pointer",
        ),
        ("a.txt", b"hello", "looks like a text file"),
        ("a.glb", b"", "the file is empty"),
        ("a.glb", b"\x01\x00\x02", "is damaged, or in a format"),
    ] {
        let error = bytes_error(name, bytes);
        assert!(error.starts_with(&format!("{name}: {looks}")), "{error}");
        assert!(
            error.contains(
                "Heads are read from glTF 2.0, COLLADA, FBX, OBJ, PLY, STL and USD. Export"
            ),
            "{error}"
        );
        assert!(error.contains("Vertex Colors"), "{error}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let error = file_error(folder.path());
    assert!(
        error.ends_with("it is a directory. Name the file of the head in it, for instance a .glb."),
        "{error}"
    );
    let missing = folder.path().join("missing.glb");
    let error = file_error(&missing);
    assert!(
        error.starts_with(&format!("{}: cannot be read: ", missing.display())),
        "{error}"
    );
    assert!(error.ends_with("Check the path."), "{error}");
    #[cfg(unix)]
    assert!(file_error("/dev/zero".as_ref()).contains("it is not a plain file"));
}

#[test]
fn buffers_outside_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("model");
    std::fs::create_dir(&folder).unwrap();
    let gltf = Gltf::square();
    std::fs::write(outside.path().join("out.bin"), &gltf.bin).unwrap();
    let path = folder.join("head.gltf");
    let error = |uri: &str| {
        std::fs::write(&path, gltf.external(uri)).unwrap();
        let error = file_error(&path);
        assert!(error.contains("head.gltf: buffer 0: "), "{error}");
        error
    };
    let absolute = outside.path().join("out.bin");
    for uri in [
        "../out.bin",
        "%2e%2e/out.bin",
        "a/../../out.bin",
        "..\\out.bin",
        "/dev/zero",
        "%2Fdev%2Fzero",
        "file:///dev/zero",
        "http://example.com/a.bin",
        "C:\\a.bin",
        "",
        absolute.to_str().unwrap(),
    ] {
        let error = error(uri);
        assert!(
            error.contains("does not stay inside the model's folder"),
            "{uri}: {error}"
        );
        assert!(error.ends_with("or export one .glb."), "{uri}: {error}");
    }
    assert!(
        error("gone.bin").contains("its file \"gone.bin\" does not exist. Put it beside the model")
    );
    std::fs::create_dir(folder.join("dir.bin")).unwrap();
    assert!(error("dir.bin").contains("is not a plain file"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../out.bin", folder.join("link.bin")).unwrap();
        assert!(error("link.bin").contains("is a link out of the model's folder"));
        std::os::unix::fs::symlink("/dev/zero", folder.join("zero.bin")).unwrap();
        assert!(error("zero.bin").contains("is a link out of the model's folder"));
    }
    assert!(error("data:application/octet-stream;base64,%%%").contains("is not base64"));
    assert!(error("data:text/plain,hello").contains("is not base64"));
    let memory = bytes_error("a.gltf", &gltf.external("head.bin"));
    assert!(
        memory.contains("a head in memory cannot name. Export one self-contained .glb"),
        "{memory}"
    );
}

#[test]
fn files_lists_every_file_that_was_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.gltf");
    let mut gltf = Gltf::square();
    let skin = picture(image::ImageFormat::Png, 1, 1, [1, 2, 3]);
    for (n, uri) in [
        "skin%20a.png",
        "gone.png",
        "../out.png",
        "skin a.png",
        "data:image/png;base64,AAAA",
        "50%25.png",
    ]
    .into_iter()
    .enumerate()
    {
        let image = gltf.push("images", json!({"uri": uri}));
        gltf.push("textures", json!({"source": image}));
        let role = json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": n}}});
        let material = gltf.push("materials", role);
        let mut primitive = gltf.primitive().clone();
        primitive["material"] = json!(material);
        let primitives = gltf.json["meshes"][0]["primitives"].as_array_mut();
        primitives.unwrap().push(primitive);
    }
    std::fs::write(folder.path().join("head.bin"), &gltf.bin).unwrap();
    std::fs::write(folder.path().join("skin a.png"), &skin).unwrap();
    // A name with a literal `%25`, which is looked up second.
    std::fs::write(folder.path().join("50%25.png"), &skin).unwrap();
    std::fs::write(&path, gltf.external("./head.bin")).unwrap();
    let head = Head::load(&path, &HeadSettings::default()).unwrap();
    let names = [
        "head.gltf",
        "head.bin",
        "skin a.png",
        "gone.png",
        "50%.png",
        "50%25.png",
    ];
    assert_eq!(head.files, names.map(|name| folder.path().join(name)));
    assert!(Gltf::square().load().unwrap().files.is_empty());
}
