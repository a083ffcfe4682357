//! Ends the program when a case hangs, with the case saved.

use super::{findings, kinds::Kind, lock};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The interval between checks.
const TICK: Duration = Duration::from_millis(200);

/// The current case of a thread.
struct Case {
    /// How often the case was seen; time asleep does not count.
    ticks: u32,
    kind: Kind,
    seed: u64,
    bytes: Vec<u8>,
}

/// A thread that checks the others repeatedly.
pub struct Watchdog {
    cases: Arc<Vec<Mutex<Option<Case>>>>,
}

impl Watchdog {
    /// Watches `threads` threads. A case may take ten times `limit` seconds of elapsed time, since
    /// it may share the machine.
    pub fn start(threads: u64, limit: f64, folder: &Path) -> Self {
        let cases: Vec<_> = (0..threads).map(|_| Mutex::new(None)).collect();
        let cases = Arc::new(cases);
        let (watched, folder) = (cases.clone(), folder.to_owned());
        std::thread::spawn(move || watch(&watched, 10.0 * limit, &folder));
        Watchdog { cases }
    }

    /// Records the start of a case.
    pub fn enter(&self, thread: u64, kind: Kind, seed: u64, bytes: &[u8]) {
        *lock(&self.cases[thread as usize]) = Some(Case {
            ticks: 0,
            kind,
            seed,
            bytes: bytes.to_vec(),
        });
    }

    /// Records the end of a case.
    pub fn leave(&self, thread: u64) {
        *lock(&self.cases[thread as usize]) = None;
    }
}

fn watch(cases: &[Mutex<Option<Case>>], limit: f64, folder: &Path) {
    loop {
        std::thread::sleep(TICK);
        for case in cases {
            let Some(case) = &mut *lock(case) else {
                continue;
            };
            case.ticks += 1;
            if TICK.as_secs_f64() * f64::from(case.ticks) > limit {
                let name = findings::save(folder, case.kind, "hang", &case.bytes);
                eprintln!("hang: case {}, {limit} s\n    {name}", case.seed);
                println!("a hang was found, in {}", folder.display());
                std::process::exit(1);
            }
        }
    }
}
