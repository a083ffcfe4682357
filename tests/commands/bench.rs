//! `mohawk bench`: its form; the figures are for people with a quiet machine.

use crate::common::program::*;

#[test]
fn every_row_says_what_it_measures() {
    let rows = json(&[
        "bench",
        "--json",
        "--quiet",
        "--kernel",
        "spring,load",
        "--strands",
        "400",
    ]);
    let rows = rows.as_array().unwrap();
    let threads = std::thread::available_parallelism().unwrap().get();
    let of = |kernel: &'static str| rows.iter().filter(move |row| row["kernel"] == kernel);
    let expected = if threads > 1 {
        vec![1, threads]
    } else {
        vec![1]
    };
    let found: Vec<usize> = of("spring")
        .map(|row| row["threads"].as_u64().unwrap() as usize)
        .collect();
    assert_eq!(found, expected);
    for row in of("spring") {
        assert_eq!(
            (&row["strands"], &row["particles"]),
            (&400.into(), &1.into())
        );
        for key in [
            "ns_per_element",
            "naive_ns_per_element",
            "memory_ns_per_element",
        ] {
            assert!(row[key].as_f64().unwrap() > 0.0, "{row}");
        }
    }
    assert_eq!(of("load").count(), 1);
    for row in rows {
        assert!(!row["measures"].as_str().unwrap().is_empty());
        assert!(row["ns_per_element"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn senseless_numbers_are_refused() {
    assert_mentions(
        &refused(2, &["bench", "--strands", "0"]),
        &["--strands", "1..=2000000"],
    );
    let message = refused(2, &["bench", "--kernel", "hair"]);
    assert_mentions(&message, &["hair", "spring", "draw"]);
}

/// Before a minute has gone into measuring.
#[test]
fn a_chart_that_cannot_be_written_is_said_at_once() {
    let message = refused(2, &["bench", "--growth", "growth.txt"]);
    assert!(message.contains("must end in .svg or .png"), "{message}");
    let message = refused(1, &["bench", "--growth", "no/such/folder/growth.svg"]);
    assert!(
        message.contains("there is no folder no/such/folder"),
        "{message}"
    );
}
