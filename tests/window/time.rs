//! Time: slow motion, single steps, scenes from their beginning.

use crate::program::Program;

/// What the log tells of time last: steps since the scene began, and what frames took in which time
/// went on, seconds.
fn time(program: &Program, state: &str) -> Option<(u64, f64)> {
    let lines = program.logged(&[state, "at step"]);
    let words: Vec<&str> = lines.last()?.split_whitespace().collect();
    let after = |word| {
        let place = words.iter().position(|w| *w == word)?;
        words.get(place + 1).map(|word| word.trim_end_matches(','))
    };
    Some((after("step")?.parse().ok()?, after("after")?.parse().ok()?))
}

/// Presses a key that pauses, and tells what time it is then.
fn paused(program: &Program, key: &str) -> (u64, f64) {
    let before = program.logged(&["paused at step"]).len();
    program.key(key);
    program.until("time to stand still", |p| {
        (p.logged(&["paused at step"]).len() > before).then_some(())
    });
    time(program, "paused").unwrap()
}

#[test]
fn slow_motion_is_slow_and_a_step_is_one_step() {
    let program = Program::open_in(tempfile::tempdir().unwrap(), &["--scene", "swing"]);
    program.until_logged(&["playing swing"]);
    program.until_shown("head", 800);
    for _ in 0..3 {
        program.key("minus");
    }
    program.until_logged(&["speed 1/10"]);
    let slow = program.until("the time then", |p| time(p, "going"));

    // Long enough to tell a tenth from all of it.
    let (steps, secs) = loop {
        let now = paused(&program, "space");
        if now.0 >= slow.0 + 12 {
            break (now.0 - slow.0, now.1 - slow.1);
        }
        program.key("space");
    };
    let due = 0.1 * 240.0 * secs;
    let apart = (steps as f64 - due).abs();
    assert!(
        apart < 1.01,
        "{steps} steps in {secs} s of frames, {due} due"
    );

    let (before, _) = time(&program, "paused").unwrap();
    let frozen = program.settled();
    for step in 1..=5 {
        assert_eq!(paused(&program, "period").0, before + step);
    }
    assert!(frozen != program.settled(), "the window tells the step");

    // Out of motion a step stops it, too.
    program.key("space");
    program.until("time to go on", |p| {
        let (steps, _) = time(p, "going")?;
        (steps == before + 5).then_some(())
    });
    paused(&program, "period");
    program.settled();

    // From the beginning, by steps.
    program.key("Home");
    for step in 1..=3 {
        assert_eq!(paused(&program, "period").0, step);
    }
}
