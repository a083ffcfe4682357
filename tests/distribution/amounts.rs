//! Wanted counts and spacings: met, or refused; progress and cancelling.

use super::brute::check;
use super::meshes::{cards, sphere, square, strip};
use super::{sample, spaced, strands};
use mohawk::roots::{Amount, MAX_STRANDS, Method, RootSettings, Roots, SampleError};
use std::ops::ControlFlow;

#[test]
fn wanted_counts_are_met() {
    for scalp in [strip(), square(3), sphere()] {
        for (wanted, seed) in [(200, 1), (333, 2), (1000, 3), (3000, 4)] {
            let roots = strands(&scalp, wanted, seed);
            let off = roots.positions.len() as f64 / f64::from(wanted) - 1.0;
            assert!(off.abs() <= 0.02, "{wanted} wanted, {:+.1} %", 100.0 * off);
        }
    }
}

/// Their area says nothing of how many roots they take.
#[test]
fn wanted_counts_are_met_on_needles_and_cards() {
    for width in [0.1, 0.01, 0.001] {
        let scalp = cards(200, width);
        for count in [200, 700, 3000] {
            let roots = strands(&scalp, count, 1);
            let off = (roots.positions.len() as f32 / count as f32 - 1.0).abs();
            assert!(
                off <= 0.03,
                "{} of {count}, width {width}",
                roots.positions.len()
            );
        }
    }
}

#[test]
fn tiny_counts_work() {
    let scalp = square(2);
    for wanted in 1..=12 {
        let roots = strands(&scalp, wanted, 9);
        check(&scalp, &roots);
        let off = roots.positions.len() as i64 - i64::from(wanted);
        assert!(off.abs() <= 1, "{wanted} wanted, {off:+}");
    }
    assert_eq!(strands(&scalp, 1, 9).positions.len(), 1);
    // A scalp that turns right round needs one root for each side.
    check(&sphere(), &strands(&sphere(), 1, 9));
}

#[test]
fn a_spacing_beyond_the_scalp_gives_one_root() {
    for spacing in [1.5, 1e6, f32::MAX] {
        let roots = spaced(&square(5), spacing, 1);
        assert_eq!(roots.positions.len(), 1);
        check(&square(5), &roots);
    }
}

#[test]
fn senseless_amounts_are_refused() {
    let scalp = square(1);
    for spacing in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = sample(&scalp, Amount::Spacing(spacing), 1).expect_err("senseless");
        let text = error.to_string();
        assert!(text.starts_with("spacing must be a finite length above 0"));
    }
    for strands in [0, MAX_STRANDS + 1, u32::MAX] {
        let error = sample(&scalp, Amount::Strands(strands), 1).expect_err("senseless");
        assert_eq!(error, SampleError::Strands { strands });
    }
}

#[test]
fn a_spacing_for_too_many_roots_is_refused_with_the_smallest_allowed() {
    let scalp = square(1);
    let error = sample(&scalp, Amount::Spacing(1e-5), 1).expect_err("too many");
    let SampleError::TooMany { spacing, smallest } = error else {
        panic!("{error}");
    };
    assert_eq!(spacing, 1e-5);
    let expected = (0.7010f64 / 2e6).sqrt();
    assert!((f64::from(smallest) / expected - 1.0).abs() < 1e-5);
    // The one it names is accepted (and stopped, as it would take a while).
    let settings = RootSettings {
        amount: Amount::Spacing(smallest),
        seed: 1,
        method: Method::Maximal,
    };
    let stopped = Roots::sample(&scalp, &settings, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.expect_err("stopped"), SampleError::Cancelled);
}

#[test]
fn progress_rises_to_one_and_cancels_anywhere() {
    for amount in [
        Amount::Strands(300),
        Amount::Strands(3000),
        Amount::Spacing(0.02),
    ] {
        let settings = RootSettings {
            amount,
            seed: 1,
            method: Method::Maximal,
        };
        let (mut told, mut calls) = (0.0, 0);
        let roots = Roots::sample(&strip(), &settings, &mut |share| {
            assert!((told..=1.0).contains(&share), "{share} after {told}");
            told = share;
            calls += 1;
            ControlFlow::Continue(())
        });
        assert!(roots.is_ok());
        assert_eq!(told, 1.0);
        assert!(calls > 10);

        for stop in [1, 2, calls / 2, calls] {
            let mut seen = 0;
            let stopped = Roots::sample(&strip(), &settings, &mut |_| {
                seen += 1;
                if seen == stop {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            assert_eq!(stopped.expect_err("stopped"), SampleError::Cancelled);
            assert_eq!(seen, stop, "called again after it said stop");
        }
    }
}
