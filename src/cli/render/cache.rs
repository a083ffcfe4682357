//! A cache of hair in motion: baked once, then drawn in parts by any number of runs.
//!
//! ```text
//! magic                       8 bytes
//! size, what was baked        u32, JSON
//! moments                     bytes, then their CRC-32; one after the other
//! places of the moments       u64 each
//! their number, their place   u64 each
//! magic                       a file without it was not baked to its end
//! ```

use super::frames::Timing;
use super::player::Player;
use crate::cli::pipeline::SceneHair;
use crate::ribbons;
use anyhow::{Context, Result, anyhow, bail};
use glam::{Mat4, Vec3};
use indicatif::ProgressBar;
use mohawk::files::{Output, write_whole_with};
use mohawk::render::Ring;
use mohawk::{Config, Simulation, settings::ListItem, sim::Tie};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"MOHAWKC4";
/// The largest size of the JSON.
const MAX_HEADER: u32 = 1 << 16;
/// The bytes of a moment without points and rings.
const MOMENT_BYTES: usize = 8 + 8 + 8 + 4 + 64 + 4 + 4;
const RING_BYTES: usize = 4 * 7;
const POINT_BYTES: usize = 4 * 3;

/// The hair and the motion that were baked. A run that draws them must have the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baked {
    scene: String,
    strands: usize,
    /// The CRC-32 of the strands at rest.
    hair: u32,
    /// The CRC-32 of the settings of motion.
    motion: u32,
    /// The CRC-32 of the poses of the head at the pictures.
    poses: u32,
    fps: f64,
    start_secs: f64,
    shutter: f64,
    /// The pictures of the clip, and the moments of each.
    pub pictures: u32,
    moments: u32,
}

impl Baked {
    pub fn of(cast: &SceneHair, timing: &Timing, config: &Config) -> Result<Self> {
        let mut crc = crc32fast::Hasher::new();
        let mut points = [Vec3::ZERO; 8];
        for strand in 0..cast.groom.len() {
            cast.groom.write_rest(strand, &mut points);
            let numbers = points.iter().flat_map(|point| point.to_array());
            numbers.for_each(|number| crc.update(&number.to_le_bytes()));
        }
        let skull = cast.setup.skull.iter();
        let skull = skull.flat_map(|skull| [skull.center, skull.radii]);
        let numbers = skull.flat_map(|vector| vector.to_array());
        let numbers = numbers.chain(cast.groom.stiffness.iter().copied());
        numbers.for_each(|number| crc.update(&number.to_le_bytes()));
        let mut poses = crc32fast::Hasher::new();
        for picture in 0..timing.total {
            let matrix = cast.setup.pose(timing.secs(picture)).to_mat4();
            let numbers = matrix.to_cols_array();
            (numbers.iter()).for_each(|number| poses.update(&number.to_le_bytes()));
        }
        Ok(Self {
            // Files may lie elsewhere; what they say is in the sums of hair, motion and poses.
            scene: match &cast.setup.file {
                Some(file) => file.file_name().unwrap_or_default().display().to_string(),
                None => cast.setup.to_string(),
            },
            strands: cast.groom.len(),
            hair: crc.finalize(),
            motion: crc32fast::hash(&serde_json::to_vec(&config.sim)?),
            poses: poses.finalize(),
            fps: timing.fps,
            start_secs: timing.start_secs,
            shutter: timing.shutter,
            pictures: timing.total,
            moments: timing.moments(),
        })
    }

    /// Returns what differs, as a flag or setting of the command.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            (self.scene != other.scene, "another --scene"),
            (self.strands != other.strands, "another number of strands"),
            (self.hair != other.hair, "other hair"),
            (
                self.motion != other.motion,
                "another --solver or other settings in [sim]",
            ),
            (self.fps != other.fps, "another --fps"),
            (self.start_secs != other.start_secs, "another --at"),
            (self.shutter != other.shutter, "another --motion-blur"),
            (
                self.pictures != other.pictures,
                "another number of --frames",
            ),
            (self.moments != other.moments, "other --samples"),
            (self.poses != other.poses, "another motion of the head"),
        ];
        let difference = differs.iter().find(|(differs, _)| *differs);
        difference.map(|(_, what)| *what)
    }
}

/// Hair as it is drawn at a moment.
#[derive(Debug, Default, PartialEq)]
pub struct Moment {
    pub time_secs: f64,
    /// The times of the animation at which the skin is, and to which it has carried the strands.
    pub skin_secs: f64,
    pub carried_secs: Option<f64>,
    pub wetness: f32,
    pub world_from_head: Mat4,
    /// The points of each strand, as [`Simulation::drawn_particles`].
    pub per: usize,
    pub rings: Vec<Ring>,
    pub points: Vec<[f32; 4]>,
}

impl Moment {
    /// Takes what a simulation shows.
    pub fn take(&mut self, sim: &Simulation) {
        sim.write_drawn(&mut self.points);
        self.per = sim.drawn_particles();
        self.rings = ribbons::rings(sim, &self.points);
        self.wetness = sim.wetness();
        self.time_secs = sim.time_secs();
        self.skin_secs = sim.skin_secs();
        self.carried_secs = sim.carried_secs();
        self.world_from_head = sim.drawn_pose().to_mat4();
    }

    fn to_bytes(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        let carried = self.carried_secs.unwrap_or(f64::NAN);
        for secs in [self.time_secs, self.skin_secs, carried] {
            bytes.extend(secs.to_le_bytes());
        }
        bytes.extend(self.wetness.to_le_bytes());
        let matrix = self.world_from_head.to_cols_array();
        bytes.extend(matrix.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend((self.per as u32).to_le_bytes());
        bytes.extend((self.rings.len() as u32).to_le_bytes());
        for Ring {
            place,
            axis,
            radius,
        } in &self.rings
        {
            let numbers = [place.to_array(), axis.to_array()].concat();
            let numbers = numbers.iter().chain([radius]);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        let points = self.points.iter().flat_map(|point| &point[..3]);
        bytes.extend(points.flat_map(|number| number.to_le_bytes()));
    }

    /// Takes what [`to_bytes`](Self::to_bytes) wrote of so many strands; else changes nothing.
    fn take_bytes(&mut self, bytes: &[u8], strands: usize) -> Option<()> {
        let (start, rest) = bytes.split_at_checked(MOMENT_BYTES)?;
        let number = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|i| start[at + i]));
        let count = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| start[at + i])) as usize;
        // A tie has one ring at most.
        let rings = Some(count(96)).filter(|&rings| rings <= Tie::MAX)?;
        let (rings, points) = rest.split_at_checked(rings * RING_BYTES)?;
        let size = strands.checked_mul(count(92))?.checked_mul(POINT_BYTES);
        size.filter(|&size| size == points.len())?;
        let [time, skin, carried, ..] = start.as_chunks::<8>().0 else {
            return None;
        };
        [self.time_secs, self.skin_secs] = [time, skin].map(|secs| f64::from_le_bytes(*secs));
        let carried = f64::from_le_bytes(*carried);
        self.carried_secs = (!carried.is_nan()).then_some(carried);
        self.wetness = number(24);
        let matrix: [f32; 16] = std::array::from_fn(|i| number(28 + 4 * i));
        self.world_from_head = Mat4::from_cols_array(&matrix);
        self.per = count(92);
        let float = |bytes: &[u8], i: usize| {
            f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * i + byte]))
        };
        let vector =
            |bytes: &[u8], i: usize| Vec3::from_array([0, 1, 2].map(|k| float(bytes, i + k)));
        let ring = |bytes: &[u8]| Ring {
            place: vector(bytes, 0),
            axis: vector(bytes, 3),
            radius: float(bytes, 6),
        };
        self.rings = rings.chunks_exact(RING_BYTES).map(ring).collect();
        self.points.clear();
        let point = |bytes: &[u8]| [float(bytes, 0), float(bytes, 1), float(bytes, 2), 0.0];
        self.points
            .extend(points.chunks_exact(POINT_BYTES).map(point));
        Some(())
    }
}

/// Plays all moments of a clip and writes them, one after the other.
pub fn bake(path: &Path, baked: &Baked, player: &mut Player, bar: &ProgressBar) -> Result<u64> {
    let mut size = 0;
    let written = write_whole_with(path, |file| {
        let mut out = BufWriter::new(file);
        let out: &mut dyn Output = &mut out;
        let header = serde_json::to_vec(baked)?;
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        let (mut places, mut place) = (Vec::new(), 12 + header.len() as u64);
        let (mut moment, mut bytes) = (Moment::default(), Vec::new());
        for picture in 0..baked.pictures {
            for nth in 0..baked.moments {
                let share = f64::from(nth) / f64::from(baked.moments);
                moment.take(player.during(picture, share));
                moment.to_bytes(&mut bytes);
                places.push(place);
                out.write_all(&bytes)?;
                out.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
                place += bytes.len() as u64 + 4;
            }
            bar.inc(1);
        }
        let count = places.len() as u64;
        for number in places.into_iter().chain([count, place]) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(MAGIC)?;
        size = out.stream_position()?;
        out.flush()
    });
    written.with_context(|| format!("{} could not be written", path.display()))?;
    Ok(size)
}

/// A cache that is open for drawing.
pub struct Cache {
    path: PathBuf,
    file: File,
    /// The start of each moment, and the end of the last.
    places: Vec<u64>,
    baked: Baked,
    bytes: Vec<u8>,
    moment: Moment,
    /// The first problem of reading a moment.
    problem: Option<String>,
}

impl Cache {
    /// Opens a cache of the same hair in the same motion.
    pub fn open(path: &Path, wanted: &Baked) -> Result<Self> {
        let name = path.display();
        let opened = File::open(path).map_err(|error| anyhow!("{name} cannot be read: {error}"))?;
        let damaged = "it is damaged, or was not baked to its end; bake it again with --bake";
        let (file, baked, places) =
            contents(opened).map_err(|_| anyhow!("{name} is no cache: {damaged}"))?;
        if let Some(difference) = baked.difference(wanted) {
            bail!(
                "{name} was baked with {difference}: draw it with the arguments that it was baked \
                 with, or bake it again"
            );
        }
        let count = u64::from(baked.pictures) * u64::from(baked.moments);
        if places.len() as u64 != count + 1 {
            bail!("{name} is no cache: {damaged}");
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            places,
            baked,
            bytes: Vec::new(),
            moment: Moment::default(),
            problem: None,
        })
    }

    /// Returns a moment of a picture, or the one before if it cannot be read.
    pub fn during(&mut self, picture: u32, share: f64) -> &Moment {
        let nth = super::frames::moment(picture, share, self.baked.moments) as usize;
        if let Err(problem) = self.read(nth) {
            let name = self.path.display();
            let told = format!("{name}: picture {picture} {problem}; bake it again with --bake");
            self.problem.get_or_insert(told);
        }
        &self.moment
    }

    /// Returns the first problem of reading, once.
    pub fn check(&mut self) -> Result<()> {
        let problem = self.problem.take();
        problem.map_or(Ok(()), |problem| Err(anyhow!(problem)))
    }

    fn read(&mut self, nth: usize) -> Result<(), String> {
        let size = self.places[nth + 1] - self.places[nth];
        self.bytes.resize(size as usize, 0);
        let read = self.file.seek(SeekFrom::Start(self.places[nth]));
        read.and_then(|_| self.file.read_exact(&mut self.bytes))
            .map_err(|error| format!("cannot be read: {error}"))?;
        let damaged = || "is damaged".to_owned();
        let (bytes, crc) = self.bytes.split_last_chunk().ok_or_else(damaged)?;
        match u32::from_le_bytes(*crc) == crc32fast::hash(bytes) {
            true => (self.moment.take_bytes(bytes, self.baked.strands)).ok_or_else(damaged),
            false => Err(damaged()),
        }
    }
}

/// Returns what was baked and the places of the moments, which ascend within the file.
fn contents(mut file: File) -> io::Result<(File, Baked, Vec<u64>)> {
    let wrong = || io::Error::other("it is no cache");
    let length = file.metadata()?.len();
    let number = |file: &mut File| -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    };
    let mut start = [0; 12];
    file.read_exact(&mut start)?;
    let header = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
    if start[..8] != MAGIC[..] || header > MAX_HEADER {
        return Err(wrong());
    }
    let mut text = vec![0; header as usize];
    file.read_exact(&mut text)?;
    let baked: Baked = serde_json::from_slice(&text)?;
    file.seek(SeekFrom::End(-24))?;
    let [count, end] = [number(&mut file)?, number(&mut file)?];
    let mut last = [0; 8];
    file.read_exact(&mut last)?;
    let index = count.checked_mul(8).and_then(|size| size.checked_add(end));
    if last != *MAGIC || index.and_then(|index| index.checked_add(24)) != Some(length) {
        return Err(wrong());
    }
    file.seek(SeekFrom::Start(end))?;
    let mut bytes = vec![0; count as usize * 8];
    file.read_exact(&mut bytes)?;
    let places = bytes.as_chunks().0.iter().copied().map(u64::from_le_bytes);
    let places: Vec<u64> = places.chain([end]).collect();
    let ascends = places.windows(2).all(|pair| pair[0] < pair[1]);
    match ascends && places[0] >= 12 {
        true => Ok((file, baked, places)),
        false => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(seed: u32) -> Moment {
        let float = |n: u32| (seed * 7 + n) as f32 * 0.25;
        Moment {
            time_secs: f64::from(seed) + 0.1,
            skin_secs: 0.7,
            carried_secs: (seed > 3).then_some(0.6),
            wetness: float(1),
            world_from_head: Mat4::from_translation(Vec3::splat(float(2))),
            per: 2,
            rings: vec![Ring {
                place: Vec3::splat(float(3)),
                axis: Vec3::Y,
                radius: float(4),
            }],
            points: (0..6)
                .map(|i| [float(i), float(i + 1), float(i + 2), 0.0])
                .collect(),
        }
    }

    #[test]
    fn moments_come_back_and_damage_is_found() {
        let (mut bytes, mut read) = (Vec::new(), Moment::default());
        for seed in [4, 3] {
            moment(seed).to_bytes(&mut bytes);
            assert_eq!(bytes.len(), MOMENT_BYTES + RING_BYTES + 6 * POINT_BYTES);
            read.take_bytes(&bytes, 3).unwrap();
            assert_eq!(read, moment(seed));
        }
        assert!((0..MOMENT_BYTES).all(|end| read.take_bytes(&bytes[..end], 3).is_none()));
        // Drawing would take memory for what a moment claims.
        bytes[92] += 1;
        assert!(read.take_bytes(&bytes, 3).is_none());
        let mut many = moment(4);
        many.rings.resize(Tie::MAX + 1, many.rings[0]);
        many.to_bytes(&mut bytes);
        assert!(read.take_bytes(&bytes, 3).is_none());
        assert_eq!(read, moment(3));
    }
}
