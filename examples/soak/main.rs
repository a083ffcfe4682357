//! Feeds mutated heads to the loader and grows hair on those that load, for a given time.
//!
//!     cargo run --release --example soak -- --seconds 1800
//!
//! Any byte sequence must give a head or an error: no panic, no hang, no memory beyond
//! 8 times the file plus 256 MB. A finding is saved with its kind and seed in its name.
//! The same seed makes the same cases.

mod check;
mod container;
mod memory;
mod mutate;
mod seeds;
mod watch;

use check::Outcome;
use clap::Parser;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Mutates heads and loads them until the time is up
#[derive(Debug, Parser)]
struct Args {
    /// Duration in seconds
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Seed of the first random case
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for files with findings
    #[arg(long, default_value = "target/soak")]
    keep: PathBuf,
    /// Number of cases at the same time; memory is measured only with one
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Longest CPU time of a case in seconds; after ten times as long it counts as a hang
    #[arg(long, default_value_t = 5.0)]
    limit: f64,
    /// Files to check unchanged, instead of making cases
    files: Vec<PathBuf>,
}

/// The results so far.
#[derive(Default)]
struct Tally {
    cases: u64,
    loaded: u64,
    grown: u64,
    findings: u64,
    /// The largest fraction of the allowed memory, and its case.
    worst_memory: (f64, u64),
    slowest: (Duration, u64),
}

fn main() -> ExitCode {
    let args = Args::parse();
    // Panics are reported as findings, without a trace.
    std::panic::set_hook(Box::new(|_| {}));
    if !args.files.is_empty() {
        return try_files(&args);
    }
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(args.seconds);
    let tally = Mutex::new(Tally::default());
    let watchdog = watch::Watchdog::start(args.threads, args.limit, &args.keep);
    std::thread::scope(|scope| {
        for thread in 0..args.threads {
            let (args, tally, watchdog) = (&args, &tally, &watchdog);
            let run = move || run(args, thread, end, tally, watchdog);
            // The stack size of a main thread on most systems.
            let thread = std::thread::Builder::new().stack_size(8 << 20);
            if let Err(error) = thread.spawn_scoped(scope, run) {
                eprintln!("no thread: {error}");
            }
        }
        let mut told = start;
        while Instant::now() < end {
            std::thread::sleep(Duration::from_millis(100));
            if told.elapsed() > Duration::from_secs(5) {
                told = Instant::now();
                eprintln!("{}", lock(&tally).line(start.elapsed()));
            }
        }
    });
    let tally = lock(&tally);
    println!("{}", tally.line(start.elapsed()));
    if tally.findings > 0 || tally.cases == 0 {
        println!("{} findings, in {}", tally.findings, args.keep.display());
        return ExitCode::from(1);
    }
    println!("nothing found");
    ExitCode::SUCCESS
}

/// Runs the cases of one thread until the time is up.
fn run(args: &Args, thread: u64, end: Instant, tally: &Mutex<Tally>, watchdog: &watch::Watchdog) {
    let seeds = seeds::all();
    let mut number = thread;
    while Instant::now() < end {
        // Each case has its own generator, so that it can be reproduced alone.
        let seed = args.seed.wrapping_mul(1 << 32).wrapping_add(number);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let bytes = mutate::case(&seeds, &mut random);
        watchdog.enter(thread, seed, &bytes);
        let outcome = check::check(&bytes, args.threads == 1, args.limit);
        watchdog.leave(thread);
        lock(tally).add(&outcome, seed);
        for (kind, what) in &outcome.findings {
            let name = keep(&args.keep, kind, seed, &bytes);
            eprintln!("{kind}: {what}\n    {name}");
        }
        number += args.threads;
    }
}

fn try_files(args: &Args) -> ExitCode {
    let watchdog = watch::Watchdog::start(1, args.limit, &args.keep);
    let mut found = false;
    for path in &args.files {
        let Ok(bytes) = std::fs::read(path) else {
            println!("{}: cannot be read", path.display());
            found = true;
            continue;
        };
        watchdog.enter(0, 0, &bytes);
        let outcome = check::check(&bytes, true, args.limit);
        watchdog.leave(0);
        let (time, memory) = (outcome.time.as_secs_f64(), outcome.memory);
        println!(
            "{}: {time:.3} s, {:.0}% of the memory: {}",
            path.display(),
            memory * 100.0,
            outcome.said
        );
        for (kind, what) in &outcome.findings {
            println!("    {kind}: {what}");
            found = true;
        }
    }
    ExitCode::from(u8::from(found))
}

/// Saves a case and prints its path.
fn keep(folder: &Path, kind: &str, seed: u64, bytes: &[u8]) -> String {
    let path = folder.join(format!("{kind}-{seed}.glb"));
    let saved = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
    match saved {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("{} could not be saved: {error}", path.display()),
    }
}

/// Locks the tally; a panic cannot leave it inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Tally {
    fn add(&mut self, outcome: &Outcome, seed: u64) {
        self.cases += 1;
        self.loaded += u64::from(outcome.loaded);
        self.grown += u64::from(outcome.grown);
        self.findings += outcome.findings.len() as u64;
        if outcome.memory > self.worst_memory.0 {
            self.worst_memory = (outcome.memory, seed);
        }
        if outcome.time > self.slowest.0 {
            self.slowest = (outcome.time, seed);
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64();
        let share = |count: u64| 100.0 * count as f64 / self.cases.max(1) as f64;
        format!(
            "{} cases in {seconds:.0} s ({:.0}/s), {:.1}% load, {:.1}% grow hair; worst memory \
             {:.0}% of what is allowed (case {}), slowest {:.2} s (case {}); {} findings",
            self.cases,
            self.cases as f64 / seconds,
            share(self.loaded),
            share(self.grown),
            100.0 * self.worst_memory.0,
            self.worst_memory.1,
            self.slowest.0.as_secs_f64(),
            self.slowest.1,
            self.findings
        )
    }
}
