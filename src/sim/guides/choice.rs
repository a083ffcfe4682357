//! The choice of guides.

use crate::random::Random;
use crate::sim::hair::order;
use glam::Vec3;

/// The seed of the random choice of guides.
const SEED: u64 = 0x6775_6964_6573_2121;
/// Fewer guides are the first strands, however those are spread.
const LEAST_EVEN: usize = 16;

/// Returns the indices of guides that are evenly spread over the roots, ascending.
///
/// Strands are in the order of their roots' ranks, of which every prefix is even; but hair on bald
/// skin comes after all painted hair, and other programs have orders of their own.
pub(super) fn even(roots: &[Vec3], wanted: usize) -> Vec<u32> {
    let first: Vec<u32> = (0..wanted as u32).collect();
    if wanted < LEAST_EVEN {
        return first;
    }
    let along = order::along_curve(roots);
    let count = roots.len() as u64;
    let at = |i: usize| along[((2 * i as u64 + 1) * count / (2 * wanted as u64)) as usize];
    let mut spread: Vec<u32> = (0..wanted).map(at).collect();
    spread.sort_unstable();
    // An even set has guides in nearly all cells of this size.
    let cells = wanted / 8;
    let [occupied, possible] = [&first, &spread].map(|all| order::occupied(roots, all, cells));
    match 10 * occupied >= 9 * possible {
        true => first,
        false => spread,
    }
}

/// Returns the indices of random guides, ascending. `faces` are the triangles of the roots, or empty.
///
/// Random guides are chosen per face, as published, in proportion to the strands of the face.
/// Fractions are rounded at random, so that all faces together give the wanted number.
pub(super) fn random(count: usize, faces: &[u32], wanted: usize) -> Vec<u32> {
    let mut random = Random::new(SEED);
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let face = |&i: &u32| faces.get(i as usize).copied().unwrap_or(0);
    numbers.sort_by_key(face);
    // Within a face, the first strands after a Fisher-Yates shuffle are taken: of the first n
    // strands of all faces, floor((n wanted + offset) / count).
    let offset = random.below(count) as u128;
    let taken = |strands: usize| (strands as u128 * wanted as u128 + offset) / count as u128;
    let (mut chosen, mut done) = (Vec::with_capacity(wanted), 0);
    for strands in numbers.chunk_by_mut(|a, b| face(a) == face(b)) {
        let take = (taken(done + strands.len()) - taken(done)) as usize;
        for i in 0..take {
            strands.swap(i, i + random.below(strands.len() - i));
        }
        chosen.extend_from_slice(&strands[..take]);
        done += strands.len();
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_are_chosen_and_none_twice() {
        let roots: Vec<Vec3> = (0..1000).map(|i| Vec3::X * i as f32).collect();
        for chosen in [even(&roots, 130), random(1000, &[], 130)] {
            assert_eq!(chosen.len(), 130);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[129] < 1000);
        }
        let chosen = random(1000, &[], 130);
        let mean = chosen.iter().sum::<u32>() / 130;
        assert!((400..600).contains(&mean), "{mean}");
    }

    #[test]
    fn even_guides_are_on_all_skin() {
        // Two squares of roots in an order of which every prefix is even; one comes after the other.
        let square = |x: f32| {
            (0..4096_u32).map(move |i| {
                let digits =
                    |first: u32| (0..6).map(move |b| (i >> (2 * b + first) & 1) << (5 - b));
                let [across, up] = [0, 1].map(|first| digits(first).sum::<u32>() as f32);
                Vec3::new(x + across, up, 0.0)
            })
        };
        let first: Vec<Vec3> = square(0.0).collect();
        assert_eq!(even(&first, 400), (0..400).collect::<Vec<u32>>());
        let both: Vec<Vec3> = square(0.0).chain(square(80.0)).collect();
        let chosen = even(&both, 400);
        let later = chosen.iter().filter(|&&strand| strand >= 4096).count();
        assert!((180..220).contains(&later), "{later}");
    }

    #[test]
    fn every_face_has_its_share_of_those_chosen_at_random() {
        // Faces of 1 to 40 strands, which are not in the order of their faces.
        let mut faces: Vec<u32> = (1..=40).flat_map(|n| vec![n; n as usize]).collect();
        let count = faces.len();
        for i in 0..count {
            faces.swap(i, i * 7919 % count);
        }
        for wanted in [1, 40, 123, 400, 819] {
            let chosen = random(count, &faces, wanted);
            assert_eq!(chosen.len(), wanted);
            for n in 1..=40_u32 {
                let of_face = chosen.iter().filter(|&&i| faces[i as usize] == n).count();
                let share = f64::from(n) * wanted as f64 / count as f64;
                let error = (of_face as f64 - share).abs();
                assert!(error < 1.0, "{of_face} for {share}");
            }
        }
        let chosen = random(count, &faces, 123);
        let leave_out = chosen.windows(2).any(|pair| pair[1] - pair[0] > 1);
        assert!(leave_out, "not the first ones");
    }
}
