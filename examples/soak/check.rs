//! The properties that must hold for any bytes.

use super::kinds::Kind;
use super::memory;
use glam::Vec3;
use mohawk::groom::GroomSettings;
use mohawk::head::{Head, HeadSettings, Part};
use mohawk::roots::{Amount, RootSettings};
use mohawk::scene_file::SceneSetup;
use mohawk::sim::{STEP_SECS, SimSettings, SkinMotion};
use mohawk::{Groom, Roots, Scalp, Simulation};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The number of strands that are grown on a head.
const STRANDS: u32 = 50;
/// The memory in bytes that each byte of a file adds.
const MEMORY: f64 = 8.0;

/// The outcome of a case.
pub struct Outcome {
    pub loaded: bool,
    pub grown: bool,
    pub time: Duration,
    /// Peak memory as a fraction of the allowed memory; 0 if it is not measured.
    pub memory: f64,
    /// The error, or a summary of the head.
    pub said: String,
    /// The kinds and descriptions of broken properties.
    pub findings: Vec<(&'static str, String)>,
}

/// Loads bytes as a file of a kind, and uses what loads: grows hair on the head.
pub fn check(kind: Kind, bytes: &[u8], measure_memory: bool, limit: f64) -> Outcome {
    let (start, held) = (clock(), memory::start());
    let mut outcome = Outcome {
        loaded: false,
        grown: false,
        time: Duration::ZERO,
        memory: 0.0,
        said: String::new(),
        findings: Vec::new(),
    };
    let grown = catch_unwind(AssertUnwindSafe(|| kind.read(bytes, &mut outcome)));
    if let Err(panic) = grown {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("without a text").to_owned();
        outcome.findings.push(("panic", text));
    }
    outcome.time = clock().saturating_sub(start);
    if outcome.time.as_secs_f64() > limit {
        let what = format!("{:.1} s", outcome.time.as_secs_f64());
        outcome.findings.push(("slow", what));
    }
    if measure_memory {
        let allowed = kind.free_memory() + MEMORY * bytes.len() as f64;
        // The file is held in memory beside the load.
        let peak = memory::peak_since(held) + bytes.len();
        outcome.memory = peak as f64 / allowed;
        if outcome.memory > 1.0 {
            let what = format!("{peak} bytes for a file of {}", bytes.len());
            outcome.findings.push(("memory", what));
        }
    }
    outcome
}

/// Returns the CPU time of this thread, so that a busy machine makes no case slow; on systems
/// that do not report it, the elapsed time.
fn clock() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|told| told.split(' ').next()?.parse().ok());
    match told {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => START.elapsed(),
    }
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Checks the text of an error: it is short and printable.
pub fn check_text(outcome: &mut Outcome) {
    let said = &outcome.said;
    if said.len() > 2000 || said.contains(|c: char| c.is_control() && c != '\n') {
        let what = said.chars().take(3000).collect();
        outcome.findings.push(("text", what));
    }
}

/// A material of the shipped head: the scalp of some heads is the part that has it.
const MASK: &str = "skin";

/// Loads a head and grows hair on it.
pub fn grow(bytes: &[u8], outcome: &mut Outcome) {
    let mask = match bytes.len() % 4 {
        0 => MASK,
        _ => "",
    };
    let settings = HeadSettings {
        mask: mask.to_owned(),
        ..HeadSettings::default()
    };
    let head = match Head::from_bytes("soak.glb", bytes, &settings) {
        Ok(head) => head,
        Err(error) => {
            outcome.said = error.to_string();
            check_text(outcome);
            let is_named = outcome.said.starts_with("soak.glb: ");
            if !is_named || outcome.said.contains('\n') {
                let what = outcome.said.chars().take(3000).collect();
                outcome.findings.push(("text", what));
            }
            return;
        }
    };
    outcome.loaded = true;
    let triangles: usize = head.parts.iter().map(|part| part.triangles.len()).sum();
    outcome.said = format!("{} parts, {triangles} triangles", head.parts.len());
    if let Err(what) = head_holds(&head) {
        outcome.findings.push(("head", what));
    }
    let scalp = Scalp::of_head(&head);
    match head.rig {
        Some(_) => play(&head, outcome),
        None => drop(head),
    }
    if let Some(scalp) = scalp {
        grow_on(&scalp, outcome);
    }
}

/// Plays the first animation of a head under hair.
fn play(head: &Head, outcome: &mut Outcome) {
    let (Some(rig), Some(setup)) = (&head.rig, SceneSetup::of_animation(head, 0)) else {
        return;
    };
    let strand = Groom::parallel(vec![Vec3::ZERO], Vec3::Y, 0.3);
    let mut sim = Simulation::new(&strand, SimSettings::default(), setup.pose(0.0));
    sim.set_skin(SkinMotion::new(head, 0, &strand));
    for _ in 0..8 {
        sim.advance(STEP_SECS, &mut |secs| setup.pose(secs));
    }
    let shapes = rig.shapes(0, sim.skin_secs());
    let fits = (head.parts.iter().zip(&shapes))
        .all(|(part, shape)| part.positions.len() == shape.positions.len());
    if !fits || shapes.len() != head.parts.len() {
        let what = "an animation changes the number of vertices".to_owned();
        outcome.findings.push(("head", what));
    }
}

/// Grows hair on a scalp.
pub fn grow_on(scalp: &Scalp, outcome: &mut Outcome) {
    let settings = RootSettings {
        amount: Amount::Strands(STRANDS),
        seed: 1,
        ..Default::default()
    };
    let roots = Roots::sample(scalp, &settings, &mut |_| ControlFlow::Continue(()));
    let roots = match roots {
        Ok(roots) => roots,
        Err(error) => {
            outcome.said = format!("{}; {error}", outcome.said);
            return;
        }
    };
    let groom = Groom::grow(&roots, &GroomSettings::default(), 1);
    outcome.grown = true;
    outcome.said = format!("{}, {} strands", outcome.said, groom.len());
    if let Err(what) = groom_holds(&groom) {
        outcome.findings.push(("groom", what));
    }
}

fn holds(condition: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what()) }
}

fn head_holds(head: &Head) -> Result<(), String> {
    holds(!head.parts.is_empty(), || "no parts".to_owned())?;
    for part in &head.parts {
        part_holds(part, head).map_err(|what| format!("{}: {what}", part.name))?;
    }
    for material in &head.materials {
        let textures = [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.normal_texture,
            material.emissive_texture,
            material.sheen_texture,
        ];
        let mut textures = textures.into_iter().flatten();
        holds(
            textures.all(|texture| texture < head.textures.len()),
            || format!("{}: a texture out of range", material.name),
        )?;
        let numbers = [material.metallic, material.roughness, material.normal_scale];
        let mut numbers = numbers.iter().chain(&material.base_color);
        holds(numbers.all(|number| number.is_finite()), || {
            format!("{}: not finite", material.name)
        })?;
    }
    for texture in &head.textures {
        let pixels = u64::from(texture.width) * u64::from(texture.height);
        let fits = pixels > 0 && texture.pixels.get().len() as u64 == pixels;
        holds(fits && texture.width.max(texture.height) <= 4096, || {
            format!("{}: {} x {}", texture.name, texture.width, texture.height)
        })?;
    }
    let scalp = head.scalp_part.and_then(|part| head.parts.get(part));
    let painted = scalp.is_some_and(|part| part.paint.is_some());
    holds(head.scalp_part.is_none() || painted, || {
        "no paint on the scalp".to_owned()
    })
}

fn part_holds(part: &Part, head: &Head) -> Result<(), String> {
    let count = part.positions.len();
    let lists = [
        Some(part.normals.len()),
        part.tangents.as_ref().map(Vec::len),
        part.uvs.as_ref().map(Vec::len),
        part.colors.as_ref().map(Vec::len),
        part.paint.as_ref().map(|paint| paint.density.len()),
    ];
    holds(lists.into_iter().flatten().all(|len| len == count), || {
        format!("{lists:?} for {count} positions")
    })?;
    let mut corners = part.triangles.iter().flatten();
    holds(corners.all(|&corner| (corner as usize) < count), || {
        "a corner out of range".to_owned()
    })?;
    holds(part.material < head.materials.len(), || {
        "no material".to_owned()
    })?;
    holds(part.positions.iter().all(|p| p.is_finite()), || {
        "a position that is not finite".to_owned()
    })?;
    let unit = |length: f32| (length - 1.0).abs() < 1e-3;
    holds(part.normals.iter().all(|n| unit(n.length())), || {
        "a normal that is not a unit vector".to_owned()
    })?;
    let mut tangents = part.tangents.iter().flatten();
    holds(
        tangents.all(|t| unit(t.truncate().length()) && t.w.abs() == 1.0),
        || "a broken tangent".to_owned(),
    )?;
    let mut uvs = part.uvs.iter().flatten();
    holds(uvs.all(|uv| uv.is_finite()), || "a broken uv".to_owned())?;
    let mut colors = part.colors.iter().flatten();
    holds(colors.all(|c| c.is_finite()), || {
        "a broken colour".to_owned()
    })?;
    let mut density = part.paint.iter().flat_map(|paint| &paint.density);
    holds(density.all(|d| (0.0..=1.0).contains(d)), || {
        "a density out of range".to_owned()
    })
}

fn groom_holds(groom: &Groom) -> Result<(), String> {
    holds(!groom.is_empty(), || "no strands".to_owned())?;
    for (i, direction) in groom.directions.iter().enumerate() {
        let unit = |v: glam::Vec3| (v.length() - 1.0).abs() < 1e-3;
        holds(
            groom.roots[i].is_finite()
                && unit(*direction)
                && unit(groom.normals[i])
                && groom.lengths[i].is_finite()
                && groom.lengths[i] >= 0.0,
            || format!("strand {i} is broken"),
        )?;
    }
    Ok(())
}
