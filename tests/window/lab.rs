//! The laboratory: overlays, and a strand's tip written to a file.

use crate::picture::{Picture, is_hair};
use crate::program::{HEAD, Program, scene};

/// The scene without the legend, and without what messages cover.
fn beside_the_legend(picture: &Picture) -> Picture {
    scene(picture).part(300..960, 0..690)
}

#[test]
fn every_overlay_is_switched_on_and_off_by_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        "sim.hold=0.4",
        "sim.hair.friction=1.0",
        "sim.guides.share=0.1",
        "sim.forces.wind=[2.0, 0.0, 0.0]",
    ];
    let mut args = vec!["--solver", "ftl"];
    args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    let program = Program::at_rest_in(folder, &args);

    // Time stands still in mid-swing: hair moves, and only overlays change the picture.
    let still = beside_the_legend(&program.picture());
    program.pull("1", HEAD, (80, 0));
    program.until_seen("the head tilt", |seen| {
        still.difference(&beside_the_legend(seen)) > 1.0
    });
    program.key("space");
    program.release("1");
    let plain = beside_the_legend(&program.settled());
    for key in ["p", "a", "r", "b", "t", "v", "w", "f", "g"] {
        let key = format!("shift+{key}");
        program.key(&key);
        program.until_seen(&key, |seen| {
            plain.difference(&beside_the_legend(seen)) > 0.05
        });
        // It is drawn once, and then rests.
        let shown = beside_the_legend(&program.settled());
        assert!(plain.difference(&shown) > 0.05, "{key}");
        let back = beside_the_legend(&program.after_key(&key));
        let difference = plain.difference(&back);
        assert!(difference < 0.02, "{key} leaves {difference}");
    }
}

#[test]
fn what_has_nothing_to_show_says_why() {
    let program = Program::at_rest();
    program.key("shift+g");
    program.until_logged(&["Grid density", "hair friction and hair repulsion are 0"]);
    program.key("shift+b");
    program.until_logged(&["Basis hairs", "every strand is simulated"]);
}

#[test]
fn the_tip_of_a_strand_is_recorded_step_by_step() {
    let mut program = Program::at_rest();
    let front = program.after_key("1");
    let (x, y) = scene(&front).center(is_hair);
    program.point((x as i32, y as i32));
    program.key("shift+s");
    program.until_seen("the legend of the strand", |seen| {
        let legend = |seen: &Picture| seen.part(16..240, 16..56);
        legend(seen).difference(&legend(&front)) > 10.0
    });
    program.key("shift+c");
    program.until_logged(&["Recording the tip of strand", "mohawk-0001.csv"]);
    program.pull("1", HEAD, (100, 0));
    program.settled();
    program.release("1");
    program.key("shift+c");
    program.until_logged(&["Saved", "mohawk-0001.csv", "rows"]);

    let path = program.folder.path().join("mohawk-0001.csv");
    let mut csv = csv::Reader::from_path(path).unwrap();
    let columns = csv.headers().unwrap().clone();
    let column = |name: &str| columns.iter().position(|column| column == name).unwrap();
    let rows: Vec<Vec<f64>> = (csv.records())
        .map(|row| {
            row.unwrap()
                .iter()
                .map(|cell| cell.parse().unwrap())
                .collect()
        })
        .collect();
    assert!(rows.len() > 100, "{} rows", rows.len());
    let time = column("time_s");
    for pair in rows.windows(2) {
        assert!((pair[1][time] - pair[0][time] - 1.0 / 240.0).abs() < 1e-6);
    }
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let moved = last[column("tip_x_dm")] - first[column("tip_x_dm")];
    assert!(moved > 0.2, "the tip goes with the head: {moved}");
    assert!(last[column("head_tilt_deg")] > 10.0);

    // Whoever quits keeps what has been recorded.
    program.key("shift+c");
    program.until_logged(&["Recording the tip of strand", "mohawk-0002.csv"]);
    program.key("Escape");
    assert_eq!(program.until_ended().code(), Some(0));
    let text = std::fs::read_to_string(program.folder.path().join("mohawk-0002.csv")).unwrap();
    assert!(text.starts_with("time_s,strand,"), "{text}");
}
