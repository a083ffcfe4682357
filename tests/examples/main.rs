//! The examples for users of the library, which `cargo test` builds, do what their first lines say.

#[cfg(target_os = "linux")]
mod c;

use std::path::PathBuf;
use std::process::{Command, Output};

/// Returns the folder of examples.
fn folder() -> PathBuf {
    let this = std::env::current_exe().expect("tests are files");
    let built = this.ancestors().nth(2).expect("a build folder");
    built.join("examples")
}

/// Runs an example.
fn run(name: &str, arguments: &[&str]) -> Output {
    let program = folder().join(name);
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let output = Command::new(&program).args(arguments).output();
    output.unwrap_or_else(|error| {
        panic!(
            "{}: {error}. `cargo build --profile test --example {name}` builds it",
            program.display()
        )
    })
}

/// Runs an example that succeeds, and returns what it prints.
fn printed(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {told}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the path of a new file in a folder.
fn file(folder: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.to_str().expect("a path in UTF-8").to_owned();
    (path, text)
}

#[test]
fn roots_measures_the_roots_of_a_head() {
    let text = printed("roots", &["models/head.glb", "500"]);
    let number = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        let number = line.and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("{key} in {text}"))
    };
    let count = text.split(' ').next().and_then(|word| word.parse().ok());
    assert!((450..=550).contains(&count.unwrap_or(0)), "{text}");
    assert!((0.02..0.04).contains(&number("spacing: ")), "{text}");
    assert!((0.9..=1.001).contains(&number("coverage: ")), "{text}");
    assert!(text.ends_with("room for another root: false\n"), "{text}");

    let output = run("roots", &["no-head.glb"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-head.glb"));
}

#[test]
fn csv_has_every_particle_of_every_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, text) = file(&folder, "swing.csv");
    assert_eq!(printed("csv", &["swing", &text]), "");
    let csv = std::fs::read_to_string(path).expect("the example writes it");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("frame,strand,particle,x,y,z"));
    let rows: Vec<[f64; 6]> = lines
        .map(|line| {
            let numbers = line.split(',').map(|number| number.parse().expect(line));
            let numbers: Vec<f64> = numbers.collect();
            numbers.try_into().expect(line)
        })
        .collect();
    let [last_frame, last_strand, last_particle, ..] = rows[rows.len() - 1];
    let count = |last: f64| last as usize + 1;
    let per_frame = count(last_strand) * count(last_particle);
    assert_eq!(last_frame, 29.0);
    assert_eq!(rows.len(), 30 * per_frame);
    assert!(count(last_strand) > 90, "{last_strand}");
    let gap = |a: [f64; 6], b: [f64; 6]| {
        let squares = (3..6).map(|axis| (a[axis] - b[axis]).powi(2));
        squares.sum::<f64>().sqrt()
    };
    // Strands move, and keep their length.
    let tip = count(last_particle) - 1;
    assert!(gap(rows[tip], rows[29 * per_frame + tip]) > 0.05);
    for (i, pair) in rows
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[1][2] > 0.0)
    {
        let at_start = i % per_frame;
        let (now, start) = (
            gap(pair[0], pair[1]),
            gap(rows[at_start], rows[at_start + 1]),
        );
        assert!(
            (now - start).abs() < 0.01 * start,
            "{:?}: {now}, not {start}",
            pair[0]
        );
    }

    let output = run("csv", &["no-scene"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("no-scene") && told.contains("pendulum"),
        "{told}"
    );
}

#[test]
fn solver_moves_hair_with_a_solver_of_its_own() {
    let text = printed("solver", &[]);
    let numbers = text.strip_prefix("stiff moved the first tip to [");
    let numbers = numbers.unwrap_or_else(|| panic!("{text}"));
    let x = numbers
        .split(',')
        .next()
        .and_then(|x| x.parse::<f64>().ok());
    assert!(x.is_some_and(|x| x.abs() > 0.1), "{text}");
}

#[cfg(feature = "render")]
#[test]
fn scene_has_a_ball_head_and_hair_in_one_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, text) = file(&folder, "scene.png");
    printed("scene", &[&text]);
    let picture = image::open(path).expect("the example writes it").to_rgb8();
    assert_eq!(picture.dimensions(), (640, 480));
    let count = |like: fn([i32; 3]) -> bool| {
        let pixels = picture.pixels();
        pixels.filter(|pixel| like(pixel.0.map(i32::from))).count()
    };
    let gold = count(|[r, g, b]| r > g + 20 && g > 2 * b);
    let pink = count(|[r, g, b]| r > 2 * g && b > g);
    let sky = count(|[r, g, b]| b > g && g > r);
    assert!((1000..20_000).contains(&gold), "{gold}");
    assert!((1000..40_000).contains(&pink), "{pink}");
    assert!(sky > 100_000, "{sky}");
}
