//! The library for C: its header, its example and its page compile without a warning, and run.

use super::folder;
use std::path::Path;
use std::process::{Command, Output};

/// Compiles a program against the library, and runs it.
fn compiled(compiler: &[&str], source: &Path, arguments: &[&str]) -> Output {
    let built = tempfile::tempdir().expect("a folder");
    let program = built.path().join("program");
    let library = folder().join("libmohawk_c.so");
    assert!(
        library.exists(),
        "{} is missing. `cargo build --profile test --example mohawk_c` builds it",
        library.display()
    );
    let compile = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-Wall", "-Wextra", "-Werror", "-Ic"])
        .arg(source)
        .args(["-xnone".as_ref(), library.as_os_str()])
        .args(["-lm", "-o"])
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}. script/setup --tests", compiler[0]));
    let told = String::from_utf8_lossy(&compile.stderr);
    assert!(compile.status.success(), "{}: {told}", source.display());
    let run = Command::new(program).args(arguments).output();
    run.expect("it has just been compiled")
}

/// Returns what a program prints that succeeds.
fn printed(compiler: &[&str], source: &Path, arguments: &[&str]) -> String {
    let output = compiled(compiler, source, arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

const C: &[&str] = &["cc", "-std=c99"];
const CPP: &[&str] = &["c++", "-xc++", "-std=c++11"];

#[test]
fn the_example_runs_in_c_and_in_cpp() {
    let strands = tempfile::tempdir().expect("a folder");
    let file = strands.path().join("swung.obj");
    let example = Path::new("c/example.c");
    let text = printed(C, example, &[file.to_str().expect("a path in UTF-8")]);
    let lines: Vec<&str> = text.lines().collect();
    let [points, grown, tip, frames, error] = lines[..] else {
        panic!("{text}");
    };
    let number = |line: &str, place: usize| {
        let word = line.split(' ').nth(place);
        let number = word.and_then(|word| word.trim_end_matches(',').parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("{line}"))
    };
    assert!((450.0..550.0).contains(&number(points, 0)), "{points}");
    assert!((0.03..0.05).contains(&number(points, 2)), "{points}");
    assert!(points.ends_with(", 0e+00 from their weights"), "{points}");
    assert!((250.0..350.0).contains(&number(grown, 0)), "{grown}");
    assert!(
        tip.starts_with("after 0.60 s the first tip is at "),
        "{tip}"
    );
    assert_eq!(frames, "10 frames, then no more");
    assert!(error.contains("groom.length = -1"), "{error}");
    let saved = std::fs::read_to_string(file).expect("the example writes it");
    assert_eq!(
        saved.lines().filter(|line| line.starts_with("l ")).count() as f64,
        number(grown, 0)
    );
    // Strands go to a file that cannot be written.
    let output = compiled(CPP, example, &["no-folder/swung.obj"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.as_bytes().starts_with(&output.stdout), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no-folder/swung.obj"), "{told}");
}

#[test]
fn the_page_compiles_and_says_what_it_prints() {
    let page = std::fs::read_to_string("docs/c.md").expect("a page");
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n"))?;
        rest.split_once("```").map(|(block, _)| block)
    };
    let (program, says) = block("c")
        .zip(block("text"))
        .expect("a program, and what it prints");
    let written = tempfile::tempdir().expect("a folder");
    let source = written.path().join("page.c");
    std::fs::write(&source, program).expect("a file");
    assert_eq!(printed(C, &source, &["models/head.glb"]), says);
    let output = compiled(C, &source, &["no-head.glb"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no-head.glb"), "{told}");
}

/// Misuse that a program can find at once is an error, not a crash.
#[test]
fn what_cannot_be_is_refused() {
    let written = tempfile::tempdir().expect("a folder");
    let source = written.path().join("misuse.c");
    let program = r#"
#include "mohawk.h"
#include <math.h>
#include <stdio.h>

#define SHOW(call) do { int status = (int)(call); printf("%d %s\n", status, mohawk_error()); } while (0)

static int take(const float *positions, void *data) { (void)positions; (void)data; return 0; }

int main(void) {
    MohawkRoots *roots = NULL; MohawkHead *head = NULL; MohawkHair *hair = NULL;
    MohawkMotion *motion = NULL;
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const float broken[] = {0, 0, 0, NAN, 0, 0, 0, 1, 0};
    const uint32_t faces[] = {0, 1, 2}, far[] = {0, 1, 9};
    const MohawkMesh mesh = {points, 3, faces, 1, NULL, NULL}, torn = {points, 3, far, 1, NULL, NULL};
    const MohawkMesh nan = {broken, 3, faces, 1, NULL, NULL}, huge = {points, (size_t)-1, faces, 1, NULL, NULL};
    const MohawkMesh none = {NULL, 3, faces, 1, NULL, NULL};
    const char *zero[] = {"roots.strands=0", NULL}, *word[] = {"roots", NULL}, *other[] = {"sim.hold=1", NULL};
    const char bytes[] = {(char)0xff, 0};
    SHOW(mohawk_sample(NULL, NULL, &roots));
    SHOW(mohawk_sample(&mesh, NULL, NULL));
    SHOW(mohawk_sample(&torn, NULL, &roots));
    SHOW(mohawk_sample(&nan, NULL, &roots));
    SHOW(mohawk_sample(&huge, NULL, &roots));
    SHOW(mohawk_sample(&none, NULL, &roots));
    SHOW(mohawk_sample(&mesh, zero, &roots));
    SHOW(mohawk_sample(&mesh, word, &roots));
    SHOW(mohawk_sample(&mesh, other, &roots));
    SHOW(mohawk_head_open(bytes, NULL, &head));
    SHOW(mohawk_head_of_preset("no-preset", NULL, &head));
    SHOW(mohawk_hair_grow(NULL, NULL, NULL, &hair));
    SHOW(mohawk_head_from_file(head, NULL));
    SHOW(mohawk_hair_of_strands(points, 1, 1, &hair));
    SHOW(mohawk_hair_of_strands(points, (size_t)-1, 2, &hair));
    SHOW(mohawk_hair_of_strands(points, 1, 3, &hair));
    SHOW(mohawk_hair_points(hair, 1, NULL));
    SHOW(mohawk_hair_points(hair, 3, NULL));
    SHOW(mohawk_hair_save(hair, "strands.txt"));
    SHOW(mohawk_motion_new(NULL, NULL, NULL, &motion));
    SHOW(mohawk_motion_new(hair, "no-scene", NULL, &motion));
    SHOW(mohawk_motion_new(hair, "no-scene.toml", NULL, &motion));
    SHOW(mohawk_motion_new(hair, NULL, NULL, &motion));
    const float scaled[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
    SHOW(mohawk_motion_step(motion, scaled));
    SHOW(mohawk_motion_advance(motion, -1, NULL));
    SHOW(mohawk_motion_play(motion, 3, 0, take, NULL));
    SHOW(mohawk_motion_play(motion, 3, 30, NULL, NULL));
    SHOW(mohawk_motion_step(NULL, NULL));
    SHOW(mohawk_roots_count(NULL) + mohawk_hair_count(NULL) + mohawk_motion_strands(NULL));
    SHOW(mohawk_motion_positions(NULL) == NULL);
    mohawk_motion_free(motion); mohawk_hair_free(hair); mohawk_head_free(NULL); mohawk_roots_free(NULL);
    return 0;
}
"#;
    std::fs::write(&source, program).expect("a file");
    let text = printed(&["cc", "-std=c99", "-D_GNU_SOURCE"], &source, &[]);
    let expected = [
        "1 mesh: it is NULL",
        "1 the place of the handle: it is NULL",
        "2 mesh: ",
        "2 mesh: ",
        "1 vertices: ",
        "1 vertices: it is NULL",
        "2 roots.strands",
        "2 settings: \"roots\": expected key=value",
        "2 sim.hold = 1: it cannot be set here",
        "1 path: it is not UTF-8",
        "2 ",
        "1 head: it is NULL",
        "1 head: it is NULL",
        "2 ",
        "1 points: ",
        "0 ",
        "1 points_per_strand = 1: expected 2 to 65536",
        "1 numbers: it is NULL",
        "2 strands.txt: ",
        "1 hair and scene: both are NULL",
        "2 no-scene: expected one of still",
        "2 no-scene.toml cannot be read: No such file",
        "0 ",
        "1 pose: its upper left is not a rotation",
        "1 seconds = -1",
        "1 fps = 0: expected 0.1 to 1000",
        "1 take: it is NULL",
        "1 motion: it is NULL",
        "0 ",
        "1 motion: it is NULL",
    ];
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{text}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}, not {expected}\n{text}");
    }
}

#[test]
fn the_header_declares_every_function() {
    let header = std::fs::read_to_string("c/mohawk.h").expect("a header");
    let mut count = 0;
    for file in ["error", "hair", "head", "motion", "roots"] {
        let source = std::fs::read_to_string(format!("c/{file}.rs")).expect("a file");
        let functions = source.split("extern \"C\" fn mohawk_").skip(1);
        for function in functions {
            let name = function.split('(').next().unwrap_or_default();
            assert!(
                header.contains(&format!("mohawk_{name}(")),
                "mohawk_{name}: script/build-c --header"
            );
            count += 1;
        }
    }
    assert_eq!(
        header.matches(");\n").count() - header.matches("(*").count(),
        count
    );
}
