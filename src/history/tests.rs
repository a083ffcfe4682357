use super::*;

/// The old value of a byte string.
struct Was(Vec<u8>);

impl Change for Was {
    type Of = Vec<u8>;

    fn swap(&mut self, of: &mut Vec<u8>) {
        std::mem::swap(&mut self.0, of);
    }

    fn bytes(&self) -> usize {
        self.0.len()
    }
}

fn change(bytes: usize) -> Vec<Was> {
    vec![Was(vec![0; bytes])]
}

#[test]
fn every_change_is_a_state_of_its_own_and_undo_leads_back_to_it() {
    let (mut history, mut of) = (History::default(), vec![2]);
    assert_eq!(history.state(), 0);
    history.push("a", vec![Was(vec![0])]);
    history.push("b", vec![Was(vec![1])]);
    assert_eq!(history.state(), 2);
    assert_eq!(history.step(&mut of, false).as_deref(), Some("b"));
    assert_eq!((history.state(), &of[..]), (1, &[1][..]));
    assert_eq!(history.step(&mut of, false).as_deref(), Some("a"));
    assert_eq!((history.state(), &of[..]), (0, &[0][..]));
    assert!(history.step(&mut of, false).is_none());
    assert_eq!(history.state(), 0);
    history.step(&mut of, true);
    assert_eq!((history.state(), &of[..]), (1, &[1][..]));
    // State 2 is gone; no other is called that.
    history.push("c", change(0));
    assert_eq!(history.state(), 3);
    assert!(history.step(&mut of, true).is_none());
    history.step(&mut of, false);
    assert_eq!(history.state(), 1);
    history.step(&mut of, true);
    assert_eq!(history.state(), 3);
}

#[test]
fn states_outlive_what_is_forgotten() {
    let (mut history, mut of) = (History::default(), Vec::new());
    for _ in 0..3 {
        history.push("large", change(MAX_BYTES / 2));
    }
    let forgotten = 3 - history.len() as u64;
    assert!(forgotten > 0);
    assert_eq!(history.state(), 3);
    while history.step(&mut of, false).is_some() {}
    // Not 0: the first state cannot be reached any more.
    assert_eq!(history.state(), forgotten);
    while history.step(&mut of, true).is_some() {}
    assert_eq!(history.state(), 3);
}
