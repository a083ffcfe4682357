//! Roots on a head, and how even they are: `cargo run --release --example roots -- head.glb 2000`.
//! Without a file, the head is the one that ships.

use mohawk::embed::OpenHead;
use mohawk::head::Model;
use mohawk::roots::certify;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().map(|path| Model::File(path.into()));
    let strands = arguments.next().unwrap_or("2000".into());

    let head = OpenHead::read(model.unwrap_or_default(), &[])?;
    let settings = [("roots.strands".into(), strands)];
    let roots = head.roots(&settings, &mut |_| ControlFlow::Continue(()))?;
    println!("{} roots on {}", roots.positions.len(), head.head().name);
    println!("spacing: {:.4} dm", roots.spacing);

    let coverage = certify(&head.scalp()?, &roots)?;
    println!("coverage: {:.4} spacings", coverage.ratio_upper_bound);
    println!("room for another root: {}", !coverage.maximal);
    Ok(())
}
