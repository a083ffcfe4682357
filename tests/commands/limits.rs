//! `--limit`: guards that a person may lift.

use crate::common::gltf_builder::Gltf;
use crate::common::program::*;

#[test]
fn a_guard_names_itself_and_the_flag_lifts_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.glb");
    std::fs::write(&file, Gltf::square().glb()).unwrap();
    let file = file.to_str().unwrap();
    let message = refused(1, &["inspect", file, "--limit", "vertices=3"]);
    assert_mentions(&message, &[file, "`vertices`", "--limit vertices="]);
    assert_eq!(mohawk(&["inspect", file, "--limit", "vertices=4"]).code, 0);
    let units = [
        "inspect",
        file,
        "--limit",
        "vertices=1k",
        "--limit",
        "file-bytes=2G",
    ];
    assert_eq!(mohawk(&units).code, 0);
}

#[test]
fn wrong_limits_are_wrong_usage() {
    for (limit, parts) in [
        ("vertices", &["NAME=VALUE", "file-bytes=4G"][..]),
        ("vertices=", &["whole number"]),
        ("vertices=many", &["whole number"]),
        ("vertices=99999999999999G", &["whole number"]),
        ("vertices=0", &["limit vertices = 0", "3 to"]),
        ("hairs=5", &["hairs", "node-depth"]),
    ] {
        assert_mentions(&refused(2, &["inspect", "--limit", limit]), parts);
    }
}

#[test]
fn the_docs_list_every_limit_with_its_default() {
    let docs = include_str!("../../docs/heads.md");
    for (name, about, default) in mohawk::head::Limits::names() {
        let mut row = docs
            .lines()
            .filter(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row
            .next()
            .unwrap_or_else(|| panic!("docs/heads.md lacks {name}"));
        let written = row.split('|').nth(2).unwrap().trim();
        let value = match written.strip_suffix(['G', 'M']) {
            Some(number) if written.ends_with('G') => number.parse::<u64>().unwrap() << 30,
            Some(number) => number.parse::<u64>().unwrap() << 20,
            None => written.parse().unwrap(),
        };
        assert_eq!(value, default, "{row}");
        assert!(row.contains(about), "{row}");
    }
}
