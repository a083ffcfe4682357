//! What a brush does on one side it does on the other.

use super::*;

fn flip(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

/// Hair of which each strand has a twin on the other half of the head, and how many have.
fn twins() -> (Styler, usize) {
    let mut styler = styler(400, 1.2);
    let (count, per) = (styler.strands().len(), styler.strands().per_strand());
    let strands = &mut styler.grown.strands;
    for twin in 0..count {
        strands.follicles.push((count + twin) as u32);
        strands.roots.push(flip(strands.roots[twin]));
        strands.normals.push(flip(strands.normals[twin]));
        for i in 0..per {
            strands.points.push(flip(strands.points[twin * per + i]));
        }
    }
    styler.lengths = crate::style::brush::Lengths::of(&styler.grown.strands);
    styler.field = None; // the head itself is not quite symmetric
    (styler, count)
}

#[test]
fn mirrored_strokes_are_symmetric() {
    let view = View::new(&Camera::default(), [800, 600]).unwrap();
    for tool in Tool::ALL {
        if matches!(tool, Tool::Add | Tool::Delete) {
            continue; // follicles have no twins
        }
        let (mut styler, count) = twins();
        let brush = Brush {
            tool,
            radius: 60.0,
            mirror: true,
            ..Brush::default()
        };
        styler.begin(brush, view, &mut go_on).unwrap();
        let at = |x: f32, y: f32| glam::Vec2::new(x, y);
        let old = styler.strands().clone();
        for i in 0..20 {
            let from = at(430.0 + 4.0 * i as f32, 170.0);
            styler.step(Move {
                from,
                to: from + at(4.0, 0.0),
            });
        }
        let strands = styler.strands();
        let per = strands.per_strand();
        let mut farthest = 0.0_f32;
        for i in 0..count * per {
            let (point, twin) = (strands.points[i], strands.points[count * per + i]);
            let apart = point.distance(flip(twin));
            assert!(apart < 2e-5, "{}: {point} {twin}", tool.name());
            farthest = farthest.max(point.distance(old.points[i]));
        }
        assert!(farthest > 0.004, "{}: {farthest}", tool.name());
    }
}
