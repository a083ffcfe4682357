//! `mohawk sample --report`: each format is whole, needs nothing from elsewhere, and says what the
//! figures say.

use crate::common::program::*;
use std::path::Path;

/// The text of an element, without whatever is drawn around it.
#[track_caller]
fn check_self_contained(text: &str) {
    for (at, _) in text.match_indices("http") {
        let before = &text[..at];
        assert!(
            before.ends_with("xmlns=\""),
            "{}",
            &text[at..(at + 60).min(text.len())]
        );
    }
    for element in ["<script", "<link", "<iframe", "@import", "@font-face"] {
        assert!(!text.contains(element), "{element}");
    }
    for (at, _) in text.match_indices("href=\"") {
        assert!(text[at..].starts_with("href=\"data:image/png;base64,"));
    }
}

/// Whether every element ends, in order.
#[track_caller]
fn check_elements(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in xml.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("an element that ends");
        let name = tag.split([' ', '/', '\n']).find(|word| !word.is_empty());
        if tag.starts_with('/') {
            assert_eq!(open.pop(), name);
        } else if !tag.ends_with('/') {
            open.extend(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

const METHODS: [&str; 3] = ["progressive", "maximal", "uniform"];

#[test]
fn a_head_is_reported_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (png, svg, html) = (at("a.png"), at("b.svg"), at("c.html"));
    for file in [&png, &svg, &html] {
        let found = json(&["sample", "--strands", "400", "--json", "--report", file]);
        assert_eq!(&found["report"], file);
    }
    let picture = image::open(&png).unwrap().to_rgb8();
    assert_eq!(picture.width(), 1900);
    assert!(picture.height() > 1200);
    // Paper, ink, and many colours of discs.
    assert_eq!(picture.get_pixel(2, 2).0, [255; 3]);
    let colors: std::collections::HashSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 1000);

    let svg = std::fs::read_to_string(svg).unwrap();
    check_self_contained(&svg);
    check_elements(&svg);
    assert!(svg.matches("<ellipse").count() + svg.matches("<circle").count() > 100);

    let page = std::fs::read_to_string(html).unwrap();
    check_self_contained(&page);
    let panels = "Pair correlation,Nearest distances,Power spectrum,Anisotropy,largest gap";
    for text in panels.split(',').chain(METHODS) {
        assert!(svg.contains(text) && page.contains(text), "{text}");
    }
    assert_mentions(
        &page,
        &[
            "<!DOCTYPE html>",
            "<table>",
            "<title>",
            "mohawk sample --strands 400",
        ],
    );
    let read = at("d.html");
    let as_read = [
        "sample",
        "--strands",
        "100",
        "--up",
        "y",
        "--limit",
        "vertices=1M",
    ];
    json(&[&as_read[..], &["--json", "--report", &read]].concat());
    let again = std::fs::read_to_string(read).unwrap();
    assert_mentions(
        &again,
        &["mohawk sample --up y --limit vertices=1048576 --strands 100"],
    );

    assert_eq!(page.matches("<tr").count(), 1 + 8);
    assert_eq!(page.matches("<td>").count(), 8 * 10);
    for drawing in page.split("<svg xmlns").skip(1) {
        let (drawing, _) = drawing.split_once("</svg>\n</").unwrap_or((drawing, ""));
        assert!(drawing.contains("viewBox"));
    }
}

#[test]
fn few_roots_and_odd_names_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let square = put(
        "a <b> & 'c'.obj",
        "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\n",
    );
    let cards = put("cards.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    for (surface, points) in [
        (&square, "1,1,0\n"),
        (&square, "1,1,0\n1,1,0\n"),
        (&square, "0,0,0\n1,1,0\n2,0,0\n0.5,1.5,0\n2,2,0\n"),
        // Edge-on from everywhere, and a side without a root.
        (&cards, "0.2,0.2,0\n"),
    ] {
        let points = put("points.csv", points);
        for format in ["png", "svg", "html"] {
            let file = folder.path().join("report").with_extension(format);
            let report = file.to_str().unwrap();
            let args = [
                "-q",
                "--surface",
                surface,
                "--points",
                &points,
                "--report",
                report,
            ];
            stdout(&[&["sample"][..], &args].concat());
            if format == "svg" {
                let svg = std::fs::read_to_string(&file).unwrap();
                check_elements(&svg);
                assert!(svg.contains("points.csv"));
                assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{points}");
            }
        }
    }
    let file = folder.path().join("few.svg");
    let report = file.to_str().unwrap();
    for strands in ["1", "5"] {
        stdout(&["sample", "-q", "--strands", strands, "--report", report]);
        check_elements(&std::fs::read_to_string(Path::new(report)).unwrap());
    }
}

#[test]
fn reports_go_to_files_of_their_own() {
    for (args, parts) in [
        (&["--report", "a.pdf"][..], &[".html or .png or .svg"][..]),
        (
            &["--report", "a.svg", "--surface-output", "b.csv"],
            &[".ply"],
        ),
    ] {
        assert_mentions(&refused(2, &[&["sample"][..], args].concat()), parts);
    }
    let message = refused(1, &["sample", "--report", "no/such/folder/a.png"]);
    assert_mentions(&message, &["no/such/folder", "mkdir -p"]);
}
