#![no_main]

use mohawk_fuzz::{kinds::Kind, run};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run(Kind::Strands, bytes));
