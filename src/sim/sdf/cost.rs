//! What baking and asking cost, printed: `docs/field.md`.

use super::super::simd::dispatch::dispatch;
use super::tests::{Ask, AskEight, beside, go_on, shipped, skin_of};
use super::tree::Corners;
use super::*;

#[test]
#[ignore = "prints what baking costs: run with --release --ignored --nocapture"]
fn cost() {
    let head = shipped();
    for cell in [0.04, 0.025, 0.02, 0.016] {
        let bake = |closing: f32| {
            let settings = FieldSettings {
                cell,
                closing,
                ..Default::default()
            };
            let start = std::time::Instant::now();
            let field = Field::bake(&head, &settings, &mut go_on).unwrap();
            (field, start.elapsed())
        };
        let (_, closed) = bake(FieldSettings::default().closing);
        let (field, took) = bake(0.0);
        let skin = skin_of(&head);
        let mut errors: Vec<f64> = beside(&skin, 1000, 0.3)
            .iter()
            .map(|p| {
                let found = f64::from(field.distance(p.as_vec3().to_array())).abs();
                (found - shapes::distance(&skin, *p)).abs()
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        let [half, most, worst] = [500, 990, 999].map(|i| errors[i]);
        println!(
            "cell {:.4}: {:?} nodes, {:.1} MB, {took:.2?}, closed {closed:.2?}; bound {:.4}; errors {half:.5}, {most:.4}, {worst:.4}",
            field.cell(),
            field.nodes(),
            field.bytes() as f64 / 1e6,
            field.error_bound(),
        );
        // As in a simulation: neighbours one after the other, again and again.
        let above = |t: &Corners| (t[0] + (t[1] - t[0]).cross(t[2] - t[0]) * 20.0).to_array();
        let points: Vec<[f32; 3]> = skin.iter().map(above).collect();
        let points = points.repeat(20);
        let eights: Vec<[[f32; 3]; 8]> = points
            .chunks_exact(8)
            .map(|eight| eight.try_into().unwrap())
            .collect();
        let start = std::time::Instant::now();
        let one = dispatch(Ask(&field, &points)).len();
        let each = start.elapsed().as_secs_f64() / one as f64;
        let start = std::time::Instant::now();
        let eight = dispatch(AskEight(&field, &eights)).len() * 8;
        let by_lanes = start.elapsed().as_secs_f64() / eight as f64;
        println!(
            "  {:.1} ns a sample, {:.1} by lanes",
            each * 1e9,
            by_lanes * 1e9
        );
    }
}
