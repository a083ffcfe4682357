//! Tests of the files of dolls and strokes.

use super::*;

fn opened(text: &str) -> Result<Doll, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lily.doll");
    std::fs::write(&path, text).unwrap();
    Doll::open(&path).map_err(|error| error.to_string())
}

/// Replays a stroke file.
fn play(session: &mut DollSession, size: [u32; 2], strokes: &str, undo: u32) {
    let text =
        format!(r#"{{"version": 1, "size": {size:?}, "undo": {undo}, "strokes": [{strokes}]}}"#);
    session.play(&DollStrokes::from_json(&text).unwrap(), &mut |_| {});
}

fn styled() -> Doll {
    let settings = DollSettings {
        hairs: 400,
        profile: LengthProfile::Custom([80.0; STATIONS]),
        ..DollSettings::default()
    };
    let mut session = DollSession::new(Doll::grown(settings).unwrap());
    let strokes = r#"
        {"tool": "comb", "points": [[0, 300, 200], [1, 500, 300]]},
        {"tool": "clip", "clip": "flower", "radius": 40, "points": [[0, 330, 260]]},
        {"tool": "colour", "colour": [1, 0, 0.5], "points": [[0, 400, 180]]},
        {"tool": "cut", "points": [[0, 480, 300]]}"#;
    play(&mut session, PAGE, strokes, 0);
    assert_eq!(session.history().len(), 4);
    session.doll().clone()
}

#[test]
fn a_saved_doll_is_the_same_to_the_bit() {
    let doll = styled();
    let again = opened(&doll.to_json()).unwrap();
    assert!(again == doll);
    assert_eq!(again.to_json(), doll.to_json());
}

#[test]
fn damaged_dolls_are_refused_with_the_reason() {
    let text = styled().to_json();
    let cases = r#"
        "version": 1 => "version": 7 => it has "version": 7, and this program reads version 1
        [800, 600] => [80, 60] => its page is 80 x 60, and this program's is 800 x 600
        "hairs":400 => "hairs":401 => it has 400 hairs, and its settings say 401
        "hairs":400 => "hairs":4000000000 => hairs = 4000000000: expected 100 to 5000
        [80.0, => [-80.0, => profile = -80: expected lengths of 0 to 500 (pixels)
        "profile":[80.0, => "profile":[ => "profile" must be "figure" or 9 lengths
        "girl" => "dog" => unknown variant `dog`, expected one of `girl`
        "number":1 => "number":2 => there is no clip 1 to hold it
        "radius":40 => "radius":-40 => clip 1: "radius" must be above 0
        {"from":[ => {"from":[1e300, => line
        {"from":[ => {"from":[1e300],"x":[ => line
        "length": => "lenght":1,"length": => unknown field `lenght`
        "mid":[ => "mid":[-2e9, => line"#;
    for case in cases.trim().lines() {
        let parts: Vec<&str> = case.trim().split(" => ").collect();
        assert!(text.contains(parts[0]), "{case}");
        let error = opened(&text.replacen(parts[0], parts[1], 1)).unwrap_err();
        assert!(error.contains(parts[2]), "{error}");
        let file = "lily.doll is not a doll that can be opened";
        assert!(error.contains(file), "{error}");
    }
    assert!(opened("").is_err() && opened("[]").is_err() && opened(&text[..900]).is_err());
}

#[test]
fn hair_beyond_its_length_is_pulled_back() {
    let doll = grown(100).doll().clone();
    let length = format!("\"length\":{:?}", doll.hairs[0].length);
    let text = doll.to_json().replacen(&length, "\"length\":10", 1);
    let curve = opened(&text).unwrap().hairs[0].curve;
    assert!((curve.from.distance(curve.to) - 10.0).abs() < 1e-9);
    assert!(curve.arc() <= 10.0 * MAX_STRETCH);
}

#[test]
fn strokes_are_in_pixels_of_their_picture() {
    let comb = |size: [u32; 2], brush: &str| {
        let mut session = grown(1200);
        let stroke = format!(r#"{{"tool": "comb", {brush}}}"#);
        play(&mut session, size, &stroke, 0);
        session.doll().clone()
    };
    let small = r#""radius": 30, "points": [[0, 300, 300], [1, 500, 320]]"#;
    let page = comb(PAGE, small);
    assert_ne!(&page, grown(1200).doll());
    // Twice as large, with margins at the sides.
    let twice = r#""radius": 60, "points": [[0, 800, 600], [1, 1200, 640]]"#;
    let large = comb([2000, 1200], twice);
    for (a, b) in page.hairs.iter().zip(&large.hairs) {
        assert!(a.curve.to.distance(b.curve.to) < 1e-9);
    }
}

#[test]
fn undo_undoes_the_last_strokes_of_the_file() {
    // The second stroke does not touch hair.
    let strokes = r#"
        {"tool": "comb", "points": [[0, 300, 300], [1, 500, 300]]},
        {"tool": "comb", "points": [[0, 10, 10], [1, 50, 10]]},
        {"tool": "cut", "points": [[0, 300, 300], [1, 500, 300]]}"#;
    let left = |undo| {
        let mut session = grown(1200);
        play(&mut session, PAGE, strokes, undo);
        session.history().len()
    };
    assert_eq!([0, 1, 2, 3, 9].map(left), [2, 1, 1, 0, 0]);
}

#[test]
fn wrong_strokes_are_refused_with_their_number() {
    let error = |text: &str| DollStrokes::from_json(text).unwrap_err().to_string();
    let of_stroke = |stroke: &str| {
        error(&format!(
            r#"{{"version": 1, "size": [800, 600], "strokes": [{{"tool": {stroke}}}]}}"#
        ))
    };
    let cases = r#"
        "comb", "points": [] => stroke 1: "points" is empty
        "comb", "radius": 0, "points": [[0, 1, 1]] => stroke 1: "radius" must be above 0
        "comb", "strength": 2, "points": [[0, 1, 1]] => stroke 1: "strength" must be 0 to 1, not 2
        "comb", "points": [[0, 1e9, 1]] => stroke 1: point 1 is not finite, or farther away
        "color", "points": [[0, 1, 1]] => stroke 1: "color" is missing
        "comb", "color": [1, 1, 1], "points": [[0, 1, 1]] => stroke 1: "comb" takes no "color"
        "cut", "clip": "bow", "points": [[0, 1, 1]] => stroke 1: "cut" takes no "clip"
        "color", "color": [1, 2, 1], "points": [[0, 1, 1]] => each 0 to 1
        "brush", "points": [[0, 1, 1]] => unknown variant `brush`, expected one of `comb`"#;
    for case in cases.trim().lines() {
        let (stroke, expected) = case.trim().split_once(" => ").unwrap();
        let error = of_stroke(stroke);
        assert!(error.contains(expected), "{error}");
    }
    assert!(error(r#"{"version": 2}"#).contains("this program reads version 1"));
    let nothing = r#"{"version": 1, "size": [0, 600], "strokes": []}"#;
    assert!(error(nothing).starts_with("\"size\": each side must be 1 to"));
    let points = "[0, 0, 0], [0, 60000, 0], ".repeat(150);
    let long = of_stroke(&format!("\"comb\", \"points\": [{points}[0, 0, 0]]"));
    let steps = "steps of 4 pixels long; at most 1000000 are taken";
    assert!(long.contains(steps), "{long}");
}
