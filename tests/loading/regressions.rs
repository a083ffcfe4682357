//! Files that once broke something.

use crate::crowds::grow;
use crate::ends;
use mohawk::head::{Head, HeadSettings};

#[test]
fn files_that_once_broke_something_load_or_fail_cleanly() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/loading/regressions");
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            continue;
        }
        tried += 1;
        ends(|| match Head::load(&path, &HeadSettings::default()) {
            Ok(head) => {
                for part in &head.parts {
                    let mut uvs = part.uvs.iter().flatten();
                    assert!(uvs.all(|uv| uv.is_finite()), "{}", path.display());
                }
                // A head that is too hard to grow hair on is an error, which is fine here.
                drop(grow(&head));
            }
            Err(error) => {
                let start = format!("{}: ", path.display());
                assert!(error.to_string().starts_with(&start), "{error}");
            }
        });
    }
    assert!(tried >= 2, "{tried}");
}
