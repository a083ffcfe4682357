//! The files of findings: the smallest of each.

use super::kinds::Kind;
use super::lock;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of the files, and the smallest of each finding so far.
pub struct Findings {
    folder: PathBuf,
    known: Mutex<HashMap<(Kind, String), (usize, PathBuf)>>,
}

impl Findings {
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            known: Mutex::default(),
        }
    }

    /// Saves the file of a finding and returns its path, unless there is a smaller one of the same.
    pub fn keep(&self, kind: Kind, problem: &str, what: &str, bytes: &[u8]) -> Option<String> {
        // Numbers and odd characters differ from case to case.
        let is_same = |c: &char| c.is_ascii_alphabetic() || *c == ' ';
        let start = what.chars().filter(is_same).take(60);
        let same = format!("{problem} {}", start.collect::<String>());
        let mut known = lock(&self.known);
        let before = known.get(&(kind, same.clone()));
        if before.is_some_and(|(size, _)| *size <= bytes.len()) {
            return None;
        }
        if let Some((_, path)) = before {
            // Two files of a finding do no harm.
            std::fs::remove_file(path).unwrap_or_default();
        }
        let path = save(&self.folder, kind, problem, bytes);
        known.insert((kind, same), (bytes.len(), PathBuf::from(&path)));
        Some(path)
    }
}

/// Saves a file and returns its path.
pub fn save(folder: &Path, kind: Kind, problem: &str, bytes: &[u8]) -> String {
    // FNV-1a.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let extension = kind.extension(bytes);
    let path = folder.join(format!("{problem}-{hash:016x}.{extension}"));
    let saved = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
    match saved {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("{} could not be saved: {error}", path.display()),
    }
}
