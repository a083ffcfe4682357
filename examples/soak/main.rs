//! Feeds mutated files to their readers and uses what loads, for a given time: heads, on which hair
//! grows, and all other kinds of files.
//!
//!     cargo run --release --example soak -- --seconds 1800
//!     cargo run --release --example soak -- --kind style --kind scene
//!
//! Any byte sequence must give what is read or an error: no panic, no hang, no memory beyond 8 times
//! the file plus 256 MB. Of each finding one file is saved, the smallest, with its kind and a hash in
//! its name. The same seed makes the same cases.

mod check;
mod container;
mod findings;
mod kinds;
mod memory;
mod mutate;
mod plain;
mod seeds;
mod watch;

use check::Outcome;
use clap::{Parser, ValueEnum};
use findings::Findings;
use kinds::Kind;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Mutates files and loads them until the time is up
#[derive(Debug, Parser)]
struct Args {
    /// Duration in seconds
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Seed of the first random case
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kind of file, may be given several times; by default all in turn
    #[arg(long)]
    kind: Vec<Kind>,
    /// Folder for files with findings
    #[arg(long, default_value = "target/soak")]
    findings: PathBuf,
    /// Number of cases at the same time; memory is measured only with one
    #[arg(long, default_value_t = 1)]
    threads: u64,
    /// Longest CPU time of a case in seconds; after ten times as long it counts as a hang
    #[arg(long, default_value_t = 5.0)]
    limit: f64,
    /// Files to check unchanged, instead of making cases: of the first kind
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
    let mut args = Args::parse();
    if args.kind.is_empty() {
        args.kind = Kind::value_variants().to_vec();
    }
    let args = args;
    // Panics are reported as findings, without a trace.
    std::panic::set_hook(Box::new(|_| {}));
    if !args.files.is_empty() {
        return try_files(&args);
    }
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(args.seconds);
    let tally = Mutex::new(Tally::default());
    let findings = Findings::new(&args.findings);
    let watchdog = watch::Watchdog::start(args.threads, args.limit, &args.findings);
    std::thread::scope(|scope| {
        for thread in 0..args.threads {
            let (args, tally, watchdog, findings) = (&args, &tally, &watchdog, &findings);
            let run = move || run(args, thread, end, (tally, findings), watchdog);
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
        println!(
            "{} findings, in {}",
            tally.findings,
            args.findings.display()
        );
        return ExitCode::from(1);
    }
    println!("nothing found");
    ExitCode::SUCCESS
}

/// Runs the cases of one thread until the time is up.
fn run(
    args: &Args,
    thread: u64,
    end: Instant,
    (tally, findings): (&Mutex<Tally>, &Findings),
    watchdog: &watch::Watchdog,
) {
    let heads = seeds::all();
    let others: Vec<_> = args.kind.iter().map(|kind| plain::seeds(*kind)).collect();
    let mut number = thread;
    while Instant::now() < end {
        // Each case has its own generator, so that it can be reproduced alone.
        let seed = args.seed.wrapping_mul(1 << 32).wrapping_add(number);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let nth = (number % args.kind.len() as u64) as usize;
        let kind = args.kind[nth];
        let bytes = match kind {
            Kind::Head => mutate::case(&heads, &mut random),
            _ => plain::case(&others[nth], &mut random),
        };
        watchdog.enter(thread, kind, seed, &bytes);
        let outcome = check::check(kind, &bytes, args.threads == 1, args.limit);
        watchdog.leave(thread);
        lock(tally).add(&outcome, seed);
        for (problem, what) in &outcome.findings {
            if let Some(name) = findings.keep(kind, problem, what, &bytes) {
                eprintln!("{problem}, case {seed}: {what}\n    {name}");
            }
        }
        number += args.threads;
    }
}

fn try_files(args: &Args) -> ExitCode {
    let watchdog = watch::Watchdog::start(1, args.limit, &args.findings);
    let kind = args.kind[0];
    let mut found = false;
    for path in &args.files {
        let Ok(bytes) = std::fs::read(path) else {
            println!("{}: cannot be read", path.display());
            found = true;
            continue;
        };
        watchdog.enter(0, kind, 0, &bytes);
        let outcome = check::check(kind, &bytes, true, args.limit);
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

/// Locks what cases share; a panic cannot leave it inconsistent.
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
