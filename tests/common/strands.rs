//! Small grooms for tests of motion.

use glam::Vec3;
use mohawk::Groom;
use mohawk::groom::GroomSettings;
use mohawk::roots::Roots;

/// Returns roots on the upper half of a sphere of radius 1.3 dm, along a golden-angle spiral. Only
/// exactly rounded operations are used, so the bits are the same on every machine.
pub fn dome(count: usize) -> Roots {
    // Steps of the golden angle as a rotation: (cos, sin) of 2.39996 radians.
    let (cos, sin) = (-0.737_368_9_f32, 0.675_490_3_f32);
    let (mut x, mut z) = (1.0_f32, 0.0_f32);
    let directions: Vec<Vec3> = (0..count)
        .map(|i| {
            let up = (i as f32 + 0.5) / count as f32;
            (x, z) = (x * cos - z * sin, x * sin + z * cos);
            let around = Vec3::new(x, 0.0, z).normalize() * (1.0 - up * up).sqrt();
            (around + Vec3::Y * up).normalize()
        })
        .collect();
    Roots {
        spacing: 0.1,
        points: Vec::new(),
        positions: directions.iter().map(|&d| d * 1.3).collect(),
        directions: directions.clone(),
        face_normals: directions,
        ranks: (0..count as u32).collect(),
        full_count: count,
        scaled: false,
    }
}

pub fn grown(count: usize) -> Groom {
    Groom::grow(&dome(count), &GroomSettings::default(), 7)
}

/// Returns the FNV-1a hash of the bits of all numbers.
pub fn hash(numbers: impl IntoIterator<Item = f32>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        let bytes = x.to_bits().to_le_bytes();
        bytes.iter().fold(hash, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    })
}

/// Runs work on so many threads. WebAssembly has one.
#[allow(dead_code)]
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    if cfg!(target_family = "wasm") {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a thread pool").install(work)
}

/// Returns a curled groom.
#[allow(dead_code)]
pub fn curled(count: usize) -> Groom {
    let settings = GroomSettings {
        curl_deg: 55.0,
        curl_length: 0.3,
        ..GroomSettings::default()
    };
    Groom::grow(&dome(count), &settings, 7)
}
