use super::*;

/// Something to undo that takes so many bytes, or a few more.
fn change(bytes: usize) -> Vec<Change> {
    let points = vec![glam::Vec3::ZERO; bytes / size_of::<glam::Vec3>()].into();
    let curve = Curve { points, grown: 1.0 };
    vec![Change::Curves(vec![(0, Some(curve))])]
}

#[test]
fn every_change_is_a_state_of_its_own_and_undo_leads_back_to_it() {
    let (mut history, mut style) = (History::default(), Style::default());
    assert_eq!(history.state(), 0);
    history.push("a", change(0));
    history.push("b", change(0));
    assert_eq!(history.state(), 2);
    history.undo(&mut style);
    assert_eq!(history.state(), 1);
    history.undo(&mut style);
    assert_eq!(history.state(), 0);
    assert!(history.undo(&mut style).is_none());
    assert_eq!(history.state(), 0);
    history.redo(&mut style);
    assert_eq!(history.state(), 1);
    // State 2 is gone; no other is called that.
    history.push("c", change(0));
    assert_eq!(history.state(), 3);
    assert!(history.redo(&mut style).is_none());
    history.undo(&mut style);
    assert_eq!(history.state(), 1);
    history.redo(&mut style);
    assert_eq!(history.state(), 3);
}

#[test]
fn states_outlive_what_is_forgotten() {
    let (mut history, mut style) = (History::default(), Style::default());
    for _ in 0..3 {
        history.push("large", change(MOST_BYTES / 2));
    }
    assert!(history.forgotten() > 0);
    assert_eq!(history.state(), 3);
    while history.undo(&mut style).is_some() {}
    // Not 0: the first state cannot be reached any more.
    assert_eq!(history.state(), history.forgotten() as u64);
    while history.redo(&mut style).is_some() {}
    assert_eq!(history.state(), 3);
}
