//! Paths and URIs that do not lead to a plain file of the model.

use crate::common::gltf_builder::*;
use crate::ends;
use mohawk::head::{Head, HeadSettings};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn error(path: &Path) -> String {
    let loaded = Head::load(path, &HeadSettings::default());
    loaded.expect_err("this must not load").to_string()
}

/// Returns a folder with `head.gltf`, whose buffer is at `uri`.
fn model(uri: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let gltf = Gltf::square();
    fs::write(folder.path().join("head.gltf"), gltf.external(uri)).unwrap();
    folder
}

#[test]
fn uris_that_lead_out_or_to_devices() {
    let gltf = Gltf::square();
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("model");
    fs::create_dir(&folder).unwrap();
    fs::write(outside.path().join("a.bin"), &gltf.bin).unwrap();
    for uri in [
        "%2e%2e%2fa.bin",
        "%2E%2E/a.bin",
        ".%2e/a.bin",
        "..%5ca.bin",
        "./../a.bin",
        "x/%2e%2e/../a.bin",
        "\\a.bin",
        "%5c%5cserver%5cshare%5ca.bin",
        "\\\\server\\share\\a.bin",
        "//server/share/a.bin",
        "C:a.bin",
        "c%3a/a.bin",
        "FILE:///a.bin",
        "https://example.com/a.bin",
        "ftp://example.com/a.bin",
        "javascript:1",
        "\\\\.\\PhysicalDrive0",
        "a.bin%00.png",
        "NUL",
        "nul.bin",
        "dir/CON.bin",
        "COM1",
        "lpt9.txt",
        "aux .bin",
        "a.bin:stream",
        ".",
        "./",
        "%ff.bin",
    ] {
        fs::write(folder.join("head.gltf"), gltf.external(uri)).unwrap();
        let error = error(&folder.join("head.gltf"));
        assert!(
            error.contains("head.gltf: ") && error.contains("buffer 0: its URI "),
            "{error}"
        );
        assert!(
            error.contains("does not stay inside the model's folder"),
            "{uri}: {error}"
        );
        assert!(error.ends_with("or export one .glb."), "{error}");
    }
    // A doubly escaped URI is a name with escapes; names that merely resemble devices are names.
    for uri in [
        "%252e%252e%252fa.bin",
        "...",
        "console.bin",
        "com10.bin",
        "~/a.bin",
        "$HOME",
    ] {
        fs::write(folder.join("head.gltf"), gltf.external(uri)).unwrap();
        let error = error(&folder.join("head.gltf"));
        assert!(
            error.contains("does not exist. Put it beside the model"),
            "{uri}: {error}"
        );
    }
}

#[test]
fn data_uris_with_wrong_types_and_lengths() {
    let text = "data:application/octet-stream;base64,";
    for (uri, said) in [
        ("data:".to_owned(), "its data URI has no comma"),
        ("data:;base64".to_owned(), "its data URI has no comma"),
        ("data:,AAAA".to_owned(), "its data URI is not base64"),
        (format!("{text}A"), "its data URI is not base64"),
        (format!("{text}AA*A"), "its data URI is not base64"),
        (format!("{text}\u{e4}AAA"), "its data URI is not base64"),
        (format!("{text}%ff%fe"), "its data URI is not text"),
        (format!("{text}====="), "its data URI is not base64"),
        (text.to_owned(), "it claims 60 bytes, but has only 0"),
        (format!("{text}AAAA"), "it claims 60 bytes, but has only 3"),
    ] {
        let folder = model(&uri);
        let error = error(&folder.path().join("head.gltf"));
        assert!(
            error.contains("buffer 0: ") && error.contains(said),
            "{uri}: {error}"
        );
        assert!(
            error.ends_with("again, best as one .glb.") || said.contains("60 bytes"),
            "{error}"
        );
    }
    // Large ones load, also with more bytes than the buffer states.
    ends(|| {
        let gltf = Gltf::square();
        let mut large = gltf.bin.clone();
        large.resize(30 << 20, 0);
        let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &large);
        let json = gltf.external(&format!("data:;base64,{text}"));
        Head::from_bytes("a.gltf", &json, &HeadSettings::default()).unwrap();
    });
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    /// Makes a pipe without a writer; opening it would block.
    fn pipe(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    }

    #[test]
    fn models_that_are_not_plain_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        pipe(&at("pipe.glb"));
        let _socket = UnixListener::bind(at("socket.glb")).unwrap();
        symlink("/dev/zero", at("zero.glb")).unwrap();
        symlink("loop.glb", at("loop.glb")).unwrap();
        symlink("nowhere.glb", at("dangling.glb")).unwrap();
        symlink(".", at("folder.glb")).unwrap();
        ends(|| {
            for (name, said) in [
                (
                    "pipe.glb",
                    "it is not a plain file. Name the file of a head, for instance a .glb.",
                ),
                (
                    "socket.glb",
                    "it is not a plain file. Name the file of a head, for instance a .glb.",
                ),
                (
                    "zero.glb",
                    "it is not a plain file. Name the file of a head, for instance a .glb.",
                ),
                ("loop.glb", ". Check the path."),
                ("dangling.glb", ". Check the path."),
                (
                    "folder.glb",
                    "it is a directory. Name the file of the head in it, for instance a .glb.",
                ),
                ("loop.glb/a.glb", ". Check the path."),
                ("\n", ". Check the path."),
            ] {
                let error = error(&at(name));
                assert!(
                    error.contains("cannot be read: ") && error.ends_with(said),
                    "{error}"
                );
            }
            for device in ["/dev/null", "/dev/zero", "/dev/random", "/dev/stdin"] {
                let error = error(device.as_ref());
                assert!(error.contains("cannot be read: "), "{error}");
            }
        });
        let long = "x".repeat(5000);
        assert!(error(long.as_ref()).ends_with("Check the path."));
        fs::write(at("secret.glb"), Gltf::square().glb()).unwrap();
        fs::set_permissions(at("secret.glb"), fs::Permissions::from_mode(0o000)).unwrap();
        // The superuser can read everything.
        if let Err(error) = Head::load(&at("secret.glb"), &HeadSettings::default()) {
            let error = error.to_string();
            assert!(
                error.contains("cannot be read: Permission denied"),
                "{error}"
            );
            assert!(
                error.ends_with("Check that it may be read, and its size."),
                "{error}"
            );
        }
        symlink("secret.glb", at("link.glb")).unwrap();
        fs::set_permissions(at("secret.glb"), fs::Permissions::from_mode(0o600)).unwrap();
        Head::load(&at("link.glb"), &HeadSettings::default()).unwrap();
    }

    #[test]
    fn buffers_that_are_not_plain_files() {
        let folder = model("a.bin");
        let at = |name: &str| folder.path().join(name);
        let bin = at("a.bin");
        let told = |said: &str| {
            let error = error(&at("head.gltf"));
            assert!(
                error.contains("buffer 0: ") && error.contains("\"a.bin\""),
                "{error}"
            );
            assert!(error.contains(said), "{error}");
        };
        ends(|| {
            pipe(&bin);
            told("is not a plain file. Name the file that holds the data.");
            fs::remove_file(&bin).unwrap();
            let socket = UnixListener::bind(&bin).unwrap();
            told("is not a plain file");
            drop(socket);
            fs::remove_file(&bin).unwrap();
            symlink("a.bin", &bin).unwrap();
            told("cannot be read: ");
            fs::remove_file(&bin).unwrap();
            symlink("gone.bin", &bin).unwrap();
            told("cannot be read: ");
        });
        // Linked folders, one outside the model's folder and one inside.
        fs::remove_file(&bin).unwrap();
        let other = tempfile::tempdir().unwrap();
        let gltf = Gltf::square();
        fs::write(other.path().join("a.bin"), &gltf.bin).unwrap();
        symlink(other.path(), at("out")).unwrap();
        fs::write(at("head.gltf"), gltf.external("out/a.bin")).unwrap();
        let error = error(&at("head.gltf"));
        assert!(
            error.contains("is a link out of the model's folder. Copy the file"),
            "{error}"
        );
        fs::write(at("b.bin"), &gltf.bin).unwrap();
        symlink(".", at("here")).unwrap();
        fs::write(at("head.gltf"), gltf.external("here/b.bin")).unwrap();
        Head::load(&at("head.gltf"), &HeadSettings::default()).unwrap();
    }
}

#[test]
fn a_model_that_is_its_own_buffer() {
    let folder = model("head.gltf");
    // JSON text as positions gives huge numbers or NaN.
    let loaded = Head::load(&folder.path().join("head.gltf"), &HeadSettings::default());
    assert!(loaded.is_err());
}

#[test]
fn files_larger_than_the_limit_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.glb");
    // A sparse file takes no room on the disk.
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    ends(|| {
        let error = error(&path);
        assert!(
            error.contains("it is larger than 1.1 GB (limit `file-bytes`; raise it with --limit"),
            "{error}"
        );
    });
    let folder = model("huge.bin");
    let bin = fs::File::create(folder.path().join("huge.bin")).unwrap();
    bin.set_len(1 << 40).unwrap();
    let path = folder.path().join("head.gltf");
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    json["buffers"][0]["byteLength"] = json!(1_u64 << 40);
    fs::write(&path, json.to_string()).unwrap();
    ends(|| {
        let error = error(&path);
        assert!(
            error.contains("it and the files before it are larger than 1.1 GB"),
            "{error}"
        );
    });
}

/// Each read holds its own bytes, so both count, and not only what the longer one adds. The start
/// that tells pictures apart counts once.
#[test]
fn a_file_that_is_read_with_rising_lengths_counts_each_time() {
    const MAGIC: u64 = 16;
    let folder = model("a.bin");
    let path = folder.path().join("head.gltf");
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    json["buffers"] = json!([
        {"uri": "a.bin", "byteLength": 60},
        {"uri": "a.bin", "byteLength": 1000},
    ]);
    json["bufferViews"][1]["buffer"] = json!(1);
    fs::write(&path, json.to_string()).unwrap();
    let mut bin = Gltf::square().bin;
    bin.resize(1000, 0);
    fs::write(folder.path().join("a.bin"), bin).unwrap();
    let mut settings = HeadSettings::default();
    settings.limits.file_bytes = json.to_string().len() as u64 + 1059 - MAGIC;
    let error = Head::load(&path, &settings).unwrap_err().to_string();
    assert!(
        error.contains("it and the files before it are larger"),
        "{error}"
    );
    settings.limits.file_bytes += 1;
    Head::load(&path, &settings).unwrap();
}

/// Files of size 0 in /proc count as empty, whatever reading them would return.
#[cfg(target_os = "linux")]
#[test]
fn files_of_no_size_are_not_read() {
    assert!(error(Path::new("/proc/self/status")).contains("/proc/self/status: the file is empty"));
}

#[test]
fn huge_files_are_read_only_as_far_as_needed() {
    const HUGE: u64 = 1 << 36; // sparse: it takes no room on the disk
    let mut gltf = Gltf::square();
    gltf.json["images"] = json!([{"uri": "huge.png"}]);
    gltf.json["textures"] = json!([{"source": 0}]);
    let textured = json!({"baseColorTexture": {"index": 0}});
    gltf.json["materials"] = json!([{"pbrMetallicRoughness": textured}]);
    gltf.primitive()["material"] = json!(0);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("head.gltf"), gltf.external("huge.bin")).unwrap();
    fs::write(at("huge.bin"), &gltf.bin).unwrap();
    fs::write(at("huge.png"), b"GIF89a").unwrap();
    for name in ["huge.bin", "huge.png"] {
        let file = fs::OpenOptions::new().append(true).open(at(name)).unwrap();
        file.set_len(HUGE).unwrap();
    }
    let head = Head::load(&at("head.gltf"), &HeadSettings::default()).unwrap();
    assert_eq!(head.parts[0].triangles.len(), 2);
    let warned = |warning: &String| warning.contains("not PNG, JPEG, WebP or KTX2");
    assert!(head.warnings.iter().any(warned), "{:?}", head.warnings);

    // A picture is needed whole, and is too large.
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 64]].concat();
    fs::write(at("huge.png"), png).unwrap();
    let file = fs::OpenOptions::new()
        .append(true)
        .open(at("huge.png"))
        .unwrap();
    file.set_len(HUGE).unwrap();
    let head = Head::load(&at("head.gltf"), &HeadSettings::default()).unwrap();
    let warned = |warning: &String| warning.contains("file-bytes");
    assert!(head.warnings.iter().any(warned), "{:?}", head.warnings);
}
