//! Files that are whole or not there.

use std::{fs, io, path::Path};

/// Writes beside the target, then renames: whatever fails, the target is whole or as it was.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        fs::remove_file(&part).ok();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.png");
        for text in ["old", "new"] {
            write_whole(&target, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("taken.png");
        fs::create_dir(&target).unwrap(); // A folder cannot be replaced by a file.
        fs::write(target.join("keep"), "").unwrap();
        write_whole(&target, b"picture").unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
