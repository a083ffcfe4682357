//! Tests of the files of dolls and strokes.

use super::*;

fn opened(text: &str) -> Result<Doll, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lily.doll");
    std::fs::write(&path, text).unwrap();
    Doll::open(&path).map_err(|error| error.to_string())
}

fn styled() -> DollSession {
    let settings = DollSettings {
        hairs: 400,
        profile: LengthProfile::Custom([80.0; STATIONS]),
        ..DollSettings::default()
    };
    let mut session = DollSession::new(Doll::grown(settings).unwrap());
    let strokes = r#"{"version": 1, "size": [800, 600], "strokes": [
        {"tool": "comb", "points": [[0, 300, 200], [1, 500, 300]]},
        {"tool": "clip", "clip": "flower", "radius": 40, "points": [[0, 330, 260]]},
        {"tool": "colour", "colour": [1, 0, 0.5], "points": [[0, 400, 180]]},
        {"tool": "cut", "points": [[0, 480, 300]]}]}"#;
    session.play(&DollStrokes::from_json(strokes).unwrap(), &mut |_| {});
    assert_eq!(session.history().len(), 4);
    session
}

#[test]
fn a_saved_doll_is_the_same_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lily.doll");
    let doll = styled().doll().clone();
    doll.save(&path).unwrap();
    let again = Doll::open(&path).unwrap();
    assert!(again == doll);
    assert_eq!(again.to_json(), doll.to_json());
}

#[test]
fn damaged_dolls_are_refused_with_what_is_wrong() {
    let text = styled().doll().to_json();
    assert!(opened(&text).is_ok());
    let change = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        opened(&text.replacen(from, to, 1)).unwrap_err()
    };
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
        {"from":[ => {"from":[1e300],"x":[ => line"#;
    for case in cases.trim().lines() {
        let parts: Vec<&str> = case.trim().split(" => ").collect();
        let error = change(parts[0], parts[1]);
        assert!(error.contains(parts[2]), "{error}");
        let file = "lily.doll is not a doll that can be opened";
        assert!(error.contains(file), "{error}");
    }
    let far = text.replacen("\"mid\":[", "\"mid\":[-2e9,", 1);
    assert!(opened(&far).is_err());
    assert!(opened("").is_err() && opened("[]").is_err() && opened(&text[..900]).is_err());
    let missing = Doll::open(std::path::Path::new("no/such.doll")).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("no/such.doll cannot be read")
    );
}

#[test]
fn hair_beyond_its_length_is_pulled_back() {
    let doll = Doll::grown(DollSettings {
        hairs: 100,
        ..DollSettings::default()
    })
    .unwrap();
    let length = doll.hairs[0].length;
    let text = doll.to_json();
    let told = format!("\"length\":{length:?}");
    let hair = opened(&text.replacen(&told, "\"length\":10", 1))
        .unwrap()
        .hairs[0]
        .clone();
    assert!((hair.curve.from.distance(hair.curve.to) - 10.0).abs() < 1e-9);
    assert!(hair.curve.arc() <= 10.0 * MAX_STRETCH);
}

#[test]
fn strokes_are_in_pixels_of_their_picture() {
    let play = |size: [u32; 2], at: [f64; 4], radius: f64| {
        let mut session = grown();
        let text = format!(
            r#"{{"version": 1, "size": {size:?}, "strokes": [{{"tool": "comb", "radius": {radius},
            "points": [[0, {}, {}], [1, {}, {}]]}}]}}"#,
            at[0], at[1], at[2], at[3]
        );
        session.play(&DollStrokes::from_json(&text).unwrap(), &mut |_| {});
        session.doll().clone()
    };
    let page = play([800, 600], [300.0, 300.0, 500.0, 320.0], 30.0);
    assert_ne!(page, Doll::grown(DollSettings::default()).unwrap());
    // Twice as large, with margins at the sides.
    let large = play([2000, 1200], [800.0, 600.0, 1200.0, 640.0], 60.0);
    for (a, b) in page.hairs.iter().zip(&large.hairs) {
        assert!(a.curve.to.distance(b.curve.to) < 1e-9);
    }
}

#[test]
fn undo_undoes_the_last_strokes_of_the_file() {
    let text = |undo: u32| {
        format!(
            r#"{{"version": 1, "size": [800, 600], "undo": {undo}, "strokes": [
            {{"tool": "comb", "points": [[0, 300, 300], [1, 500, 300]]}},
            {{"tool": "comb", "points": [[0, 10, 10], [1, 50, 10]]}},
            {{"tool": "cut", "points": [[0, 300, 300], [1, 500, 300]]}}]}}"#
        )
    };
    let play = |undo| {
        let mut session = grown();
        session.play(&DollStrokes::from_json(&text(undo)).unwrap(), &mut |_| {});
        session.history().len()
    };
    // The second stroke does not touch hair.
    assert_eq!([0, 1, 2, 3, 9].map(play), [2, 1, 1, 0, 0]);
}

#[test]
fn wrong_strokes_are_refused_with_their_number() {
    let wrong = |stroke: &str| {
        let text = format!(r#"{{"version": 1, "size": [800, 600], "strokes": [{stroke}]}}"#);
        DollStrokes::from_json(&text).unwrap_err().to_string()
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
        let error = wrong(&format!("{{\"tool\": {stroke}}}"));
        assert!(error.contains(expected), "{error}");
    }
    let error = |text: &str| DollStrokes::from_json(text).unwrap_err().to_string();
    assert!(error(r#"{"version": 2}"#).contains("this program reads version 1"));
    let nothing = r#"{"version": 1, "size": [0, 600], "strokes": []}"#;
    assert!(error(nothing).starts_with("\"size\": each side must be 1 to"));
    let points: Vec<String> = (0..300)
        .map(|i| format!("[0, {}, 0]", 60_000 * (i % 2)))
        .collect();
    let long = format!(
        r#"{{"version": 1, "size": [800, 600], "strokes": [{{"tool": "comb", "points": [{}]}}]}}"#,
        points.join(",")
    );
    assert!(
        error(&long).contains("steps of 4 pixels long; at most 1000000 are taken"),
        "{}",
        error(&long)
    );
}
