//! Tests of style files that are hostile, or large.

use super::*;
use crate::groom::RestCurves;
use crate::maps::{Layout, Map};
use crate::style::{Curve, Selection};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Returns a zip archive that is compressed.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let method = CompressionMethod::Deflated;
    let options = SimpleFileOptions::default().compression_method(method);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Opens a style of default settings, with these lines of its manifest, and other files.
fn open(manifest: &str, files: &[(&str, &[u8])]) -> Result<Saved, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.mohawk");
    let settings = Config::default().to_toml().unwrap();
    let manifest = format!("version = 1\nsettings = \"settings.toml\"\n{manifest}\n");
    let own = [
        (SETTINGS, settings.as_bytes()),
        (MANIFEST, manifest.as_bytes()),
    ];
    std::fs::write(&path, zip(&[&own, files].concat())).unwrap();
    Saved::open(&path).map_err(|error| error.to_string())
}

fn white(kind: MapKind, width: u32, height: u32) -> Map {
    Map::uniform(Layout::Picture { width, height }, kind, [1.0; 3]).unwrap()
}

/// Returns the file of an array without numbers, with this header.
fn array(header: &str) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], header.as_bytes()].concat()
}

#[test]
fn a_small_file_takes_little_memory() {
    let zeros = vec![0; 300 << 20];
    let map = white(MapKind::Tint, 8192, 8192).to_png().unwrap();
    let header = "{'descr': '<u4', 'fortran_order': False, 'shape': (78643168,)}".to_owned();
    let array = [&array(&header), &zeros[..]].concat();
    let edits = zip(&[("roots_of.npy", &array)]);
    let tint = "[maps]\ntint = \"a.png\"";
    for (manifest, file, told) in [
        (
            "model = \"a.glb\"\nmodel_embedded = true",
            ("a.glb", &zeros[..]),
            "a.glb in it unpacks to more than 4 times its bytes and 32 MiB. Store it without",
        ),
        (
            tint,
            ("a.png", &map),
            "a.png in it takes 403 MB of memory, and 2",
        ),
        (
            tint,
            ("a.png", &zeros),
            "a.png in it takes 315 MB of memory, and 2",
        ),
        (
            "edits = \"a.npz\"",
            ("a.npz", &edits),
            "a.npz in it has an array roots_of that takes 315 MB of memory, and 2",
        ),
    ] {
        let error = open(manifest, &[file]).unwrap_err();
        assert!(
            error.contains("hostile.mohawk: ") && error.contains(told),
            "{error}"
        );
    }
}

#[test]
fn layers_are_within_the_bound_too() {
    let map = white(MapKind::Mask1, 4096, 4096).to_png().unwrap();
    let layer = |i| format!("[[layers.mask1]]\nname = \"{i}\"\nfile = \"a.png\"\n");
    let layers: String = (0..8).map(layer).collect();
    let error = open(
        &format!("[maps]\nmask1 = \"a.png\"\n{layers}"),
        &[("a.png", &map)],
    );
    let error = error.unwrap_err();
    assert!(error.contains("a.png in it takes"), "{error}");
}

#[test]
fn large_styles_of_our_own_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut saved = Saved::default();
    // White compresses to a thousandth.
    let map = white(MapKind::Tint, 8192, 5000);
    saved.style.maps.insert(MapKind::Tint, Arc::new(map));
    // So do strands that are all alike.
    let points = vec![Vec3::ZERO; RestCurves::MOST_POINTS];
    let points: Arc<[Vec3]> = points.into();
    let curve = |strand| {
        let points = points.clone();
        (strand, Curve { points, grown: 1.0 })
    };
    saved.style.edits.curves = (0..1000).map(curve).collect();
    saved.style.edits.selection = Selection::new(vec![0.5; 1000], 0.25);
    for name in ["large.mohawk", "large"] {
        let path = folder.path().join(name);
        saved.save(&path).unwrap();
        assert!(Saved::open(&path).unwrap() == saved, "{name}");
    }
}

#[test]
fn a_model_that_compresses_well_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mohawk");
    let saved = Saved {
        model: Model::Embedded(vec![7; 50 << 20].into()),
        ..Saved::default()
    };
    saved.save(&path).unwrap();
    assert!(Saved::open(&path).unwrap() == saved);
}

#[test]
fn a_damaged_array_is_told_in_one_line() {
    let header = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,, }";
    let edits = zip(&[("roots_of.npy", &array(header))]);
    let error = open("edits = \"a.npz\"", &[("a.npz", &edits)]).unwrap_err();
    let told = "a.npz in it has an array roots_of that is wrong: its header is damaged; save";
    assert!(error.contains(told) && !error.contains('\n'), "{error}");
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (style, other) = (
        folder.path().join("style"),
        folder.path().join("other.toml"),
    );
    Saved::default().save(&style).unwrap();
    let settings = style.join(SETTINGS);
    std::fs::rename(&settings, &other).unwrap();
    std::os::unix::fs::symlink(&other, &settings).unwrap();
    let error = Saved::open(&style).unwrap_err().to_string();
    assert!(
        error.contains("settings.toml in it cannot be read: it is a link out of"),
        "{error}"
    );
    // Within the folder they are.
    std::fs::rename(&other, style.join("own.toml")).unwrap();
    std::fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink("own.toml", &settings).unwrap();
    assert!(Saved::open(&style.join(MANIFEST)).is_ok());
}

#[test]
fn a_folder_is_saved_by_the_name_of_its_manifest_too() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join(MANIFEST);
    Saved::default().save(folder.path()).unwrap();
    let mut saved = Saved::open(&manifest).unwrap();
    saved.style.config.groom.length = 2.0;
    saved.save(&manifest).unwrap();
    assert_eq!(Saved::open(folder.path()).unwrap().style, saved.style);
}

/// What is written must not replace what a style is read from.
#[test]
fn the_files_of_a_folder_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let preset = crate::presets::Preset::find("grass-skirt").unwrap();
    preset.open().unwrap().save(folder.path()).unwrap();
    let known = Saved::files_of(folder.path());
    let mut count = 0;
    for within in [folder.path().to_owned(), folder.path().join("maps")] {
        let entries = std::fs::read_dir(within).unwrap();
        let files = entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file());
        for file in files {
            assert!(known.contains(&file), "{}", file.display());
            count += 1;
        }
    }
    assert!(count > 5, "{count}");
    assert!(Saved::files_of(&folder.path().join("a.mohawk")).is_empty());
}

#[test]
fn scenes_with_strands_of_their_own_are_no_scenes_of_styles() {
    assert!(open("scene = \"gust\"", &[]).is_ok());
    let told = open("scene = \"pendulum\"", &[]).unwrap_err();
    let expected =
        "has the scene pendulum, which is no scene of a style: it has strands of its own";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn files_of_other_kinds_are_no_folders_of_styles() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes"), "mine").unwrap();
    for name in ["notes", "a.npz", "a.ABC", "head.FBX"] {
        let error = Saved::default()
            .save(&folder.path().join(name))
            .unwrap_err();
        let told = error.to_string();
        assert!(
            told.contains("a style is a .mohawk file or a folder"),
            "{told}"
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn long_names_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.mohawk", "n".repeat(240)));
    Saved::default().save(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn hair_far_away_is_opened_again() {
    let far = Vec3::new(3e4, 0.0, 0.0);
    let mut saved = Saved::default();
    saved.roots.insert(0, far);
    saved.style.edits.roots = Some([far].into());
    let points = [Vec3::ZERO, far].into();
    (saved.style.edits.curves).insert(0, Curve { points, grown: 3e4 });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("far.mohawk");
    saved.save(&path).unwrap();
    let again = Saved::open(&path).unwrap();
    assert!(again.style.edits == saved.style.edits && again.roots == saved.roots);
}
