//! The shipped presets, and those of users.

use super::*;
use crate::config::Config;
use crate::files::ShippedFile;
use crate::head::{Head, HeadSettings};
use crate::roots::RootSettings;
use crate::sim::{Pose, Scene};
use crate::style::{Measured, Style, Styler};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use toml::Table;

fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn folder_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("models/presets")
        .join(name)
}

/// Collects the files of a folder by name.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), files),
            false => _ = files.insert(name, fs::read(entry.path()).unwrap()),
        }
    }
}

#[test]
fn the_program_has_all_files_of_the_repository() {
    let mut written = BTreeMap::new();
    collect(&folder_of(""), "", &mut written);
    let files = SHIPPED.iter().flat_map(|(name, files)| {
        let named =
            move |file: &ShippedFile| (format!("{name}/{}", file.name), file.bytes().to_vec());
        files.iter().map(named)
    });
    let compiled: BTreeMap<String, Vec<u8>> = files.collect();
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&compiled), names(&written));
    assert!(compiled == written, "the program was built before a change");
}

#[test]
fn every_shipped_preset_grows_hair() {
    let names: BTreeSet<String> = Preset::shipped_names().map(str::to_lowercase).collect();
    assert_eq!(names.len(), SHIPPED.len(), "names differ");
    assert_eq!(
        Preset::shipped().next().unwrap().open().unwrap().style,
        Style::default()
    );
    let mut heads: Vec<(Model, HeadSettings, Arc<Head>)> = Vec::new();
    // The window samples the roots of bald skin once for all presets of a model.
    let mut sampled: Vec<(Model, RootSettings)> = Vec::new();
    for preset in Preset::shipped() {
        let (name, card, saved) = (
            preset.name(),
            preset.card().unwrap(),
            preset.open().unwrap(),
        );
        assert_eq!(saved.card, card);
        assert!(!card.about.is_empty(), "{name} says nothing about itself");
        let picture = card.picture().unwrap();
        assert_eq!(picture.dimensions(), (Card::SIDE, Card::SIDE), "{name}");
        assert_eq!(preset.model().unwrap(), saved.model);
        // Read from the folder, it is the same, but for where a model lies.
        assert_eq!(Saved::open(&folder_of(name)).unwrap(), saved);

        if saved.style.needs_bald() {
            let known = sampled.iter().find(|(of, _)| *of == saved.model);
            match known {
                Some((_, roots)) => assert_eq!(*roots, saved.style.config.roots, "{name}"),
                None => sampled.push((saved.model.clone(), saved.style.config.roots.clone())),
            }
        }

        let settings = &saved.style.config.head;
        let known = heads
            .iter()
            .find(|(of, with, _)| *of == saved.model && with == settings);
        let head = known.map(|(.., head)| head.clone()).unwrap_or_else(|| {
            let head = Arc::new(saved.model.load(settings).unwrap());
            heads.push((saved.model.clone(), settings.clone(), head.clone()));
            head
        });
        let config = saved.style.config.clone();
        let styler = Styler::open(Measured::new(head, None), saved, config, &mut go_on).unwrap();
        assert!(!styler.groom().is_empty(), "{name} has no hair");
    }
}

#[test]
fn every_shipped_preset_can_be_saved_as_a_users() {
    let folder = tempfile::tempdir().unwrap();
    for (i, preset) in Preset::shipped().enumerate() {
        let saved = preset.open().unwrap();
        let own = Preset::save(&format!("own {i}"), &saved, &folder.path().join("new")).unwrap();
        assert_eq!(own.open().unwrap(), saved, "{}", preset.name());
        assert_eq!(own.card().unwrap(), saved.card);
    }
}

/// Removes the values of a table that another one has too.
fn without(table: Table, default: &Table) -> Table {
    let differing = table.into_iter().filter_map(|(key, value)| {
        Some(match (value, default.get(&key)) {
            (toml::Value::Table(table), Some(toml::Value::Table(default))) => {
                let table = without(table, default);
                (
                    key,
                    toml::Value::Table((!table.is_empty()).then_some(table)?),
                )
            }
            (value, default) if default == Some(&value) => return None,
            (value, _) => (key, value),
        })
    });
    differing.collect()
}

/// With `MOHAWK_BLESS=1` it writes the files anew, without comments.
#[test]
fn settings_of_presets_are_what_differs_from_the_defaults() {
    // As text, numbers have the fewest digits.
    let table = |config: &Config| toml::to_string(config).unwrap().parse::<Table>().unwrap();
    let default = table(&Config::default());
    for preset in Preset::shipped() {
        let path = folder_of(preset.name()).join("settings.toml");
        let written: Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let config = preset.open().unwrap().style.config;
        let mut needed = without(table(&config), &default);
        needed.insert("version".to_owned(), crate::config::VERSION.into());
        if std::env::var_os("MOHAWK_BLESS").is_some() && needed != written {
            fs::write(&path, toml::to_string(&needed).unwrap()).unwrap();
            continue;
        }
        let path = path.display();
        assert_eq!(written, needed, "{path}; MOHAWK_BLESS=1 writes it anew");
    }
}

#[test]
fn presets_of_users_are_the_styles_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(Preset::own(&folder.join("absent")).is_empty());
    let mut saved = Saved::default();
    for (name, length) in [("b", 1.0), (" a ü ", 1.5), ("b", 2.0)] {
        saved.style.config.groom.length = length;
        saved.card = Card::new(&format!("{length} dm"));
        Preset::save(name, &saved, folder).unwrap();
    }
    fs::write(folder.join("broken.mohawk"), "half of it").unwrap();
    fs::write(folder.join("notes.txt"), "").unwrap();
    fs::write(folder.join(".b.mohawk.7.part"), "").unwrap();
    let own = Preset::own(folder);
    let names: Vec<&str> = own.iter().map(Preset::name).collect();
    assert_eq!(names, ["a ü", "b", "broken"]);
    assert_eq!(own[1].open().unwrap(), saved, "the last one that was saved");
    assert_eq!(own[1].card().unwrap().about, "2 dm");
    let error = own[2].card().unwrap_err().to_string();
    assert!(
        error.contains("broken.mohawk") && error.contains("damaged"),
        "{error}"
    );

    for (name, part) in [
        ("", "letters"),
        ("../b", "letters"),
        (".b", "begins"),
        ("a/b", "letters"),
        (&"x".repeat(MAX_NAME + 1), "at most"),
        ("Mohawk", "ships with the program"),
    ] {
        let error = Preset::save(name, &saved, folder).unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
    let error = Preset::save("c", &saved, &folder.join("b.mohawk")).unwrap_err();
    assert!(error.to_string().contains("cannot be created"), "{error}");
}

#[test]
fn broken_cards_and_unknown_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut saved = Saved::default();
    saved
        .card
        .set_picture(&image::RgbaImage::new(4, 4))
        .unwrap();
    saved.save(folder.path()).unwrap();
    assert_eq!(Saved::open(folder.path()).unwrap(), saved);
    let manifest = fs::read_to_string(folder.path().join("style.toml")).unwrap();
    let long = "x".repeat(Card::MAX_ABOUT + 1);
    for (line, part) in [
        (format!("about = {long:?}"), "one line of 200 characters"),
        (r#"about = "a\nb""#.to_owned(), "one line"),
        (
            "model = \"cow.glb\"\nmodel_shipped = true".to_owned(),
            "the model cow.glb, which this program does not have; it has head.glb",
        ),
        ("scene = \"walks\"".to_owned(), "walks in it cannot be read"),
        (
            "scene = \"settings.toml\"".to_owned(),
            "is no scene of a style: ",
        ),
    ] {
        fs::write(
            folder.path().join("style.toml"),
            format!("{line}\n{manifest}"),
        )
        .unwrap();
        let error = Saved::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let shipped = format!("model = \"head.glb\"\nmodel_shipped = true\n{manifest}");
    fs::write(folder.path().join("style.toml"), shipped).unwrap();
    assert_eq!(Saved::open(folder.path()).unwrap(), saved);
    fs::write(folder.path().join("thumbnail.png"), "no picture").unwrap();
    let error = Saved::open(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("thumbnail.png in it is no PNG or WebP"),
        "{error}"
    );
}

#[test]
fn presets_name_the_scenes_that_they_are_shown_with() {
    let scene = |name: &str| Preset::find(name).unwrap().card().unwrap().scene();
    assert!(scene("curls").is_none());
    assert_eq!(scene("prairie").unwrap().scene(), Some(Scene::Still));
    let hips = scene("grass-skirt").unwrap();
    assert_eq!((hips.scene(), hips.period_secs()), (None, 3.2));
    assert_ne!(hips.pose(0.4), Pose::IDENTITY);
}

#[test]
fn only_own_presets_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let own = Preset::save("mine", &Saved::default(), folder.path()).unwrap();
    own.delete().unwrap();
    assert_eq!(Preset::own(folder.path()), []);
    let error = own.delete().unwrap_err().to_string();
    assert!(error.contains("mine.mohawk cannot be deleted"), "{error}");
    let shipped = Preset::shipped().next().unwrap().delete();
    assert!(matches!(shipped, Err(PresetError::Taken(_))));
}

#[test]
fn another_model_gets_the_settings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.glb");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/head.glb");
    fs::copy(&shipped, &copy).unwrap();
    let mapped = Preset::shipped().find(|preset| !preset.open().unwrap().style.maps.is_empty());
    let saved = mapped.unwrap().open().unwrap();
    let (same, left_out) = saved.clone().on_model(Model::File(copy.clone()));
    assert!(
        same.style == saved.style && left_out.is_none(),
        "the same model"
    );

    let mut bytes = fs::read(&shipped).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&copy, bytes).unwrap();
    let (other, left_out) = saved.clone().on_model(Model::File(copy.clone()));
    assert_eq!(other.style.config, saved.style.config);
    assert!(other.style.is_plain() && other.model == Model::File(copy));
    let left_out = left_out.unwrap();
    assert!(
        left_out.contains("density") && left_out.contains("head.glb"),
        "{left_out}"
    );
}
