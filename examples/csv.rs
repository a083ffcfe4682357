//! Hair in a scene as CSV: `cargo run --release --example csv -- nod nod.csv`. The scene is a name or
//! a scene file; without the second file, the lines go to the standard output.

use mohawk::embed::Motion;
use mohawk::scene_file::SceneSetup;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let scene = SceneSetup::open(&arguments.next().unwrap_or("nod".into()))?;
    let mut out: Box<dyn Write> = match arguments.next() {
        Some(path) => Box::new(BufWriter::new(File::create(path)?)),
        None => Box::new(BufWriter::new(io::stdout())),
    };

    let settings = [("roots.strands", "100"), ("sim.solver", "ftl")];
    let settings = settings.map(|(key, value)| (key.into(), value.into()));
    let go_on = &mut |_| ControlFlow::Continue(());
    let mut motion = Motion::of_scene(scene, &settings, go_on)?;
    let per_strand = motion.simulation().strand_particles();
    let mut text = String::from("frame,strand,particle,x,y,z\n");
    let mut frame = 0;
    let write = &mut |particles: &[[f32; 4]]| {
        for (i, [x, y, z, _]) in particles.iter().enumerate() {
            let (strand, particle) = (i / per_strand, i % per_strand);
            text += &format!("{frame},{strand},{particle},{x},{y},{z}\n");
        }
        frame += 1;
    };
    motion.play(30, 30.0, write, go_on)?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
