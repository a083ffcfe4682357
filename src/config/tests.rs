use super::*;
use crate::sim::{SolverKind, Tie};
use proptest::prelude::*;

fn read(text: &str) -> Config {
    Config::from_toml("hair.toml", text).unwrap()
}

#[test]
fn written_settings_are_read_back() {
    assert_eq!(read("version = 1"), Config::default());
    let mut config = Config::default();
    config.head.scale = Some(0.1);
    config.roots.amount = Amount::Spacing(0.033);
    config.roots.seed = 77;
    config.groom.length = 1.0 / 3.0;
    config.sim.spring.damping = 0.7;
    config.look = Look::named("classic").unwrap();
    for config in [Config::default(), config] {
        assert_eq!(read(&config.to_toml().unwrap()), config);
    }
}

#[test]
fn saved_files_load_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hair.toml");
    Config::default().save(&file).unwrap();
    assert_eq!(Config::load(&file).unwrap(), Config::default());
    let nowhere = folder.path().join("no/hair.toml");
    let message = Config::default().save(&nowhere).unwrap_err().to_string();
    assert!(message.ends_with("no/hair.toml could not be written"));
}

#[test]
fn named_looks_are_a_base_that_other_keys_override() {
    let text = "version = 1\n[look]\nname = 'classic'\n[look.hair]\ntip_color = [0, 0, 1]";
    let mut expected = Look::named("classic").unwrap();
    expected.hair.tip_color = [0.0, 0.0, 1.0];
    assert_eq!(read(text).look, expected);
}

fn error(text: &str) -> String {
    let error = Config::from_toml("hair.toml", text);
    error.unwrap_err().to_string()
}

#[test]
fn errors_name_file_key_and_what_is_known() {
    for (text, told) in [
        (
            "",
            "hair.toml has no `version`: write `version = 1` as its first line",
        ),
        (
            "version = 2",
            "hair.toml has version = 2, and this program reads version = 1",
        ),
        (
            "version = 1\n[groom]\nlength = 11",
            "hair.toml: groom.length = 11: expected 0.01 to 10 (decimetres)",
        ),
        (
            "version = 1\n[look]\nname = 'noir'",
            "hair.toml: look.name = \"noir\": expected one of studio, classic, kajiya-kay",
        ),
    ] {
        assert_eq!(error(text), told);
    }
    for (text, told) in [
        (
            "version = 1\n[groom]\nlenght = 0.5",
            &["hair.toml", "line 3", "`lenght`", "`length_variation`"][..],
        ),
        (
            "version = 1\n[hair]\nlength = 0.5",
            &["hair.toml", "line 2", "`hair`", "`groom`"],
        ),
        (
            "version = 1\n[groom]\nlength = 'long'",
            &[
                "hair.toml",
                "line 3",
                "length = 'long'",
                "expected a number",
            ],
        ),
        (
            "version = 1\n[sim.spring]\nstiffness = nan",
            &["sim.spring.stiffness = NaN"],
        ),
        ("version = 1\n[head]\nscale = inf", &["head.scale"]),
        ("version = 1\nlook = 3", &["look = 3"]),
    ] {
        let error = error(text);
        for part in told {
            assert!(error.contains(part), "{part} is not in: {error}");
        }
    }
}

#[test]
fn values_of_every_kind_are_set() {
    let mut config = Config::default();
    for (key, value) in [
        ("sim.solver", "ftl"),
        ("sim.ftl.damping", "3"),
        ("sim.forces.wind", "[0, 0, -20.5]"),
        ("sim.angular.field", "false"),
        ("roots.spacing", "0.05"),
        ("head.scale", "2"),
        ("head.animation", "2"),
        ("head.mask", "\"true\""),
        (
            "sim.colliders",
            "[{ from = [0, 1, 0], radius = 0.5 }, { from = [0, 1, 0], to = [1, 1, 0], radius = 2 }]",
        ),
        (
            "sim.ties",
            "[{ place = [0, 0.5, -1.1], reach = 0.8, radius = 0.1 }, { place = [0, 1, 0] }]",
        ),
        ("sim.wet.wetness", "0.5"),
        ("sim.wet.drying_secs", "20"),
    ] {
        config.set(key, value).unwrap();
    }
    // A look sets all of its values, and its spring.
    config.set("look.name", "classic").unwrap();
    assert_eq!(config.look, Look::named("classic").unwrap());
    assert_eq!(config.sim.spring, SpringSettings::REFERENCE);
    let error = config.set("look.name", "noir").unwrap_err().to_string();
    assert!(error.contains("expected one of studio, classic"), "{error}");
    assert_eq!(config.sim.ties[1], Tie::at([0.0, 1.0, 0.0]));
    assert_eq!(config.sim.wet.drying_secs, 20.0);
    assert_eq!(config.sim.solver, SolverKind::Ftl);
    assert_eq!(config.sim.ftl.damping, 3.0);
    assert_eq!(config.sim.forces.wind, [0.0, 0.0, -20.5]);
    assert!(!config.sim.angular.field);
    assert_eq!(config.roots.amount, Amount::Spacing(0.05));
    assert_eq!(config.head.scale, Some(2.0));
    assert_eq!(config.head.animation.as_deref(), Some("2"));
    assert_eq!(config.head.mask, "true");
    assert_eq!(config.sim.colliders[1].to, Some([1.0, 1.0, 0.0]));
    assert_eq!(read(&config.to_toml().unwrap()), config);
}

#[test]
fn wrong_keys_and_values_are_named() {
    let mut config = Config::default();
    for (key, value, told) in [
        ("sim.ftl.dampin", "2", "unknown field `dampin`"),
        ("sim.rope.damping", "2", "no such section"),
        (
            "sim.colliders",
            "[{ from = [0, 1, 0], radius = 0 }]",
            "sim.colliders.radius (number 1) = 0: expected 0.001 to 100",
        ),
        (
            "sim.ties",
            "[{ place = [0, 1, 0] }, { place = [0, 1, 0], reach = -1 }]",
            "sim.ties.reach (number 2) = -1: expected 0.001 to 100 (decimetres)",
        ),
        ("sim.ties", "[{ place = [0, 1] }]", "invalid length 2"),
        (
            "sim.ties",
            "[{ plaice = [0, 1, 0] }]",
            "unknown field `plaice`",
        ),
        (
            "sim.wet.wetness",
            "2",
            "sim.wet.wetness = 2: expected 0 to 1",
        ),
        ("hold", "1", "expected a key such as sim.hold"),
        ("sim.solver", "magic", "unknown variant `magic`"),
        ("sim.hold", "high", "invalid type: string"),
        (
            "sim.strand_particles",
            "-3",
            "expected a whole number from 0",
        ),
    ] {
        let error = config.set(key, value).unwrap_err().to_string();
        assert!(error.contains(told), "{key} = {value}: {error}");
    }
    let error = config.set("sim.hold", "2").unwrap_err().to_string();
    assert_eq!(error, "sim.hold = 2: expected 0 to 1");
    assert_eq!(config, Config::default());
}

fn merged(base: &Config, current: &Config, new: &Config) -> Config {
    Config::merged(base, current, new).unwrap()
}

/// Returns settings that differ in keys of every kind: pair, number, colour, optional, flag.
fn any_config() -> impl Strategy<Value = Config> {
    let amount = prop_oneof![
        (1..4u32).prop_map(Amount::Strands),
        (1..4u8).prop_map(|n| Amount::Spacing(f32::from(n) / 7.0)),
    ];
    let scale = proptest::option::of((1..4u8).prop_map(f32::from));
    (amount, 0..3u64, 0..3u8, 0..3u8, scale, any::<bool>()).prop_map(
        |(amount, seed, length, blue, scale, classic)| {
            let mut config = Config::default();
            if classic {
                config.look = Look::named("classic").unwrap();
            }
            config.roots.amount = amount;
            config.roots.seed = seed;
            config.groom.length = 0.1 + f32::from(length) / 3.0;
            config.look.hair.tip_color[2] = f32::from(blue) / 3.0;
            config.head.scale = scale;
            config
        },
    )
}

proptest! {
    #[test]
    fn a_change_on_one_side_is_kept(
        base in any_config(), current in any_config(), new in any_config(),
    ) {
        prop_assert_eq!(&merged(&base, &base, &new), &new);
        prop_assert_eq!(&merged(&base, &current, &base), &current);
        prop_assert_eq!(&merged(&base, &current, &current), &current);
        let got = merged(&base, &current, &new);
        macro_rules! check {
            ($($key:ident).+) => {
                let changed = current.$($key).+ != base.$($key).+;
                let wanted = if changed { &current } else { &new };
                prop_assert_eq!(&got.$($key).+, &wanted.$($key).+);
            };
        }
        check!(roots.amount);
        check!(roots.seed);
        check!(groom.length);
        check!(look.hair.tip_color);
        check!(look.hair.lit);
        check!(look.sky);
        check!(head.scale);
    }
}

#[test]
fn strands_and_spacing_exclude_each_other() {
    let of = |amount| {
        let mut config = Config::default();
        config.roots.amount = amount;
        config
    };
    let (few, many) = (of(Amount::Strands(5)), of(Amount::Strands(9)));
    let apart = of(Amount::Spacing(0.5));
    assert_eq!(merged(&few, &few, &apart), apart);
    assert_eq!(merged(&few, &apart, &many), apart);
    assert_eq!(merged(&apart, &many, &few), many);
    assert_eq!(merged(&apart, &apart, &few), few);
}

/// The classic look comes with the spring of the original. A spring that was changed stays.
#[test]
fn looks_bring_their_springs() {
    let reference = SpringSettings::REFERENCE;
    let mut config = Config::default();
    config.set_look("classic");
    assert_eq!(config.sim.spring, reference);
    config.set_look("noir");
    assert_eq!(config.sim.spring, reference);
    config.set_look("studio");
    assert_eq!(config, Config::default());
    config.sim.spring.stiffness = 7.0;
    config.set_look("classic");
    assert_eq!(config.sim.spring.stiffness, 7.0);

    let spring = |text: &str| {
        let text = format!("version = 1\n[look]\nname = 'classic'\n{text}");
        Config::from_toml("hair.toml", &text).unwrap().sim.spring
    };
    assert_eq!(spring(""), reference);
    let written = spring("[sim.spring]\nstiffness = 100.0\n");
    assert_eq!(written, SpringSettings::default());
}

#[test]
fn a_file_overrides_the_keys_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hair.toml");
    let over = |base: &Config, text: &str| {
        std::fs::write(&path, format!("version = 1\n{text}")).unwrap();
        base.overridden_by(&path)
    };
    let mut base = Config::default();
    base.roots.amount = Amount::Spacing(0.03);
    (base.groom.length, base.groom.curl_deg) = (2.0, 40.0);
    base.look.hair.gloss = 0.25;
    assert_eq!(over(&base, "").unwrap(), base);

    // A value counts even if it is the default.
    let length = Config::default().groom.length;
    let text = format!("[groom]\nlength = {length}\n[roots]\nstrands = 70");
    let now = over(&base, &text).unwrap();
    assert_eq!((now.groom.length, now.groom.curl_deg), (length, 40.0));
    assert_eq!(now.roots.amount, Amount::Strands(70));
    assert_eq!(now.look, base.look);

    let now = over(
        &base,
        "[look]\nname = \"classic\"\n[look.hair]\nradius = 0.01",
    )
    .unwrap();
    assert_eq!(now.sim.spring, SpringSettings::REFERENCE);
    let mut classic = Look::named("classic").unwrap();
    classic.hair.radius = 0.01;
    assert_eq!((now.look, now.groom), (classic, base.groom.clone()));

    base.sim.spring.stiffness = 30.0;
    let text = "[look]\nname = \"classic\"\n[sim.spring]\ndamping = 3";
    let spring = over(&base, text).unwrap().sim.spring;
    assert_eq!((spring.stiffness, spring.damping), (30.0, 3.0));

    let error = over(&base, "[groom]\nlength = -1").unwrap_err().to_string();
    assert!(error.contains("hair.toml: groom.length = -1"), "{error}");
}

#[test]
fn differences_are_set_again() {
    let mut config = Config::default();
    config.roots.amount = Amount::Spacing(0.033);
    config.groom.length = 1.0 / 3.0;
    config.sim.solver = SolverKind::Rod;
    config.look = Look::named("classic").unwrap();
    let found = config.differences(&Config::default()).unwrap();
    assert!(
        found.contains(&("sim.solver".to_owned(), "rod".to_owned())),
        "{found:?}"
    );
    let mut set = Config::default();
    for (key, value) in &found {
        set.set(key, value).unwrap();
    }
    assert_eq!(set, config);
    assert_eq!(config.differences(&config).unwrap(), []);
}
