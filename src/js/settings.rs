//! Settings by their keys, as in a settings file.

/// Returns the keys and values of a list that has them by turns.
pub fn pairs(list: Vec<String>) -> Vec<(String, String)> {
    let mut list = list.into_iter();
    let next = || Some((list.next()?, list.next()?));
    std::iter::from_fn(next).collect()
}
