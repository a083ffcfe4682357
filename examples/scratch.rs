//! scratch
use mohawk::render::*;
use mohawk::sim::{Pose, Scene, SimSettings};
use mohawk::*;
use std::ops::ControlFlow;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(6000);
    let look = Look::named(args.get(2).map_or("studio", |s| s)).unwrap();
    let (w, h): (u32, u32) = (1000, 800);
    let t0 = std::time::Instant::now();
    let head = Head::shipped(&Default::default()).unwrap();
    eprintln!("load {:?} {:?}", t0.elapsed(), head.units);
    let scalp = Scalp::of_head(&head).unwrap();
    let t0 = std::time::Instant::now();
    let roots = Roots::sample(&scalp, &roots::RootSettings { amount: roots::Amount::Strands(n), ..Default::default() }, &mut |_| ControlFlow::Continue(())).unwrap();
    eprintln!("sample {:?} {} spacing {} area {}", t0.elapsed(), roots.positions.len(), roots.spacing, scalp.area());
    let groom = Groom::grow(&roots, &Default::default(), 1);
    let mut sim = Simulation::new(&groom, SimSettings::default(), Pose::IDENTITY);
    let t0 = std::time::Instant::now();
    let off = Offscreen::new().unwrap();
    eprintln!("context {:?} {:?}", t0.elapsed(), renderer_name(off.context()));
    let mut stage = off.stage(&look);
    stage.set_head(&head);
    stage.set_groom(&groom);
    let mut tips = Vec::new();
    let mut shots = vec![];
    for (view, _) in CameraView::ALL { let _ = view;; }
    shots.push((CameraView::ThreeQuarter, 0.0));
    shots.push((CameraView::Front, 0.5));
    shots.push((CameraView::Side, 1.4));
    let mut sheet = image::RgbaImage::new(w * 3, h * 1);
    let mut t = 0.0;
    for (i, (view, at)) in shots.iter().enumerate() {
        if *at > t { 
            while t < *at { sim.advance(1.0 / 60.0, &mut |t| Scene::Swing.pose(t)); t += 1.0/60.0; }
        }
        sim.write_drawn_tips(&mut tips);
        stage.set_tips(&tips);
        let t0 = std::time::Instant::now();
        let shot = Shot { camera: OrbitCamera::named(*view), world_from_head: sim.drawn_pose().to_mat4(), background: true };
        let pic = off.render(&mut stage, &shot, w, h).unwrap();
        eprintln!("{view:?} {:?}", t0.elapsed());
        image::imageops::overlay(&mut sheet, &pic, ((i as u32 % 3) * w).into(), ((i as u32 / 3) * h).into());
    }
    sheet.save("/tmp/sheet.png").unwrap();
}
