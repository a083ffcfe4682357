//! Valid files of the kinds that are no heads, and their mutations.

#[path = "../../tests/common/other_formats.rs"]
mod other_formats;

use super::kinds::Kind;
use super::mutate::{pick, picture, up_to};
use mohawk::doll::{COUNTS, Doll, DollSettings};
use mohawk::maps::{Layout, Map, MapKind};
use mohawk::strands::{Form, Format, Strands, Values};
use mohawk::{Config, PlyEncoding, Scalp};
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The largest file that is changed further, bytes: more cases find more than larger ones.
const MAX_CHANGED: usize = 1 << 18;

/// Files in an archive, by name.
type Files = Vec<(String, Vec<u8>)>;

macro_rules! preset {
    ($name:literal: $($file:literal),+) => {
        vec![$((
            $file.to_owned(),
            include_bytes!(concat!("../../models/presets/", $name, "/", $file)).to_vec(),
        )),+]
    };
}

const OBJ: &str = "mtllib a.mtl\no one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1/1 3/1/ 4\n\
    usemtl skin\nv 2 0 0\nv 2 1 0\nvn 0 0 1\nvt 0 0\nf 2//1 5//1 6//1 -4//-1\nl 1 2\n";
const POINTS: [&str; 2] = [
    "1,0.5,0\n0.25, 5e-1 ,0\n-1,1,0.01\n",
    "# some\nid,z,y,x,nx,ny,nz\na,0,1,0.5,0,0,1\nb,0,0.5,0.75,0,1,0\nc,0,0.5,0.75,0,1,0\n",
];
const SCENES: [&str; 3] = [
    include_str!("../../models/presets/grass-skirt/hula.toml"),
    "version = 1\nframes = 9\nfps = 60.0\n[[strands]]\nroot = [0.0, 0.0, 0.0]\n\
     direction = [1.0, 0.0, 0.0]\nlength = 1.0\n[[strands]]\n\
     points = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.1, 0.0]]\n[skull]\n\
     center = [0.0, 0.0, 0.0]\nradii = [0.5, 0.5, 0.5]\n[[poses]]\ntime_secs = 0.5\n\
     rotation_deg = [0.0, 90.0, 0.0]\ntranslation = [0.0, 0.0, 0.0]\n[[poses]]\ntime_secs = 1\n\
     [settings]\n\"sim.solver\" = \"ftl\"\n\"sim.forces.wind\" = [0.0, 0.0, -20.0]\n",
    "version = 1\nmotion = \"nod\"\nhead = \"a.glb\"\npivot = [0.0, -0.9, -0.2]\n",
];
const STROKES: [&str; 3] = [
    r#"{"version":1,"size":[800,600],"camera":{"eye":[5,2,7],"target":[0,0.3,0],"up":[0,1,0],"fov_degrees":30},"undo":1,"strokes":[{"tool":"comb","radius":60,
    "strength":0.8,"mirror":true,"falloff":0.5,"tips":0.25,"points":[[0,380,140],[0.1,420,180]]},
    {"tool":"draw","radius":20,"strength":1,"points":[[0,9,9],[1,50,9]]}]}"#,
    r#"{"version":1,"size":[512,512],"strokes":[{"tool":"paint","map":"direction","layer":"a",
    "value":"along","radius":20,"strength":1,"flat":true,"points":[[0,9,9]]},{"tool":"fill",
    "map":"tint","value":[0.5,1,0],"side":"left","radius":20,"strength":1,"points":[[0,9,9]]},
    {"tool":"select","by":"clump","value":0.5,"radius":20,"strength":1,"points":[[0,9,9]]}]}"#,
    r#"{"version":1,"size":[640,640],"strokes":[{"tool":"color","color":[1,0,0.5],"radius":40,
    "strength":1,"points":[[0,320,200],[0.1,330,260]]},{"tool":"clip","clip":"bow","radius":40,
    "strength":1,"points":[[0,320,200]]}]}"#,
];

/// Returns valid files of a kind.
pub fn seeds(kind: Kind) -> Vec<Vec<u8>> {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    match kind {
        Kind::Head => Vec::new(),
        Kind::Other => {
            use other_formats::{DAE, FBX, OBJ, PLY, STL, USDA, USDC, VARIANTS, moving_fbx, usdz};
            let mut seeds: Vec<Vec<u8>> = texts(&[DAE, FBX, OBJ, PLY, STL, USDA, &moving_fbx()]);
            seeds.extend(VARIANTS.map(<[u8]>::to_vec));
            seeds.extend([USDC.to_vec(), usdz(&[("a.usdc", USDC)])]);
            seeds.extend(plies());
            seeds
        }
        Kind::Obj => texts(&[OBJ]),
        Kind::Ply => plies(),
        Kind::Points => [texts(&POINTS), plies()].concat(),
        Kind::Style => styles().iter().map(|files| zipped(files)).collect(),
        Kind::Settings => {
            let mut seeds: Vec<Vec<u8>> = texts(&[
                include_str!("../../models/presets/braids/settings.toml"),
                include_str!("../../models/presets/long/settings.toml"),
                include_str!("../../models/presets/beard/settings.toml"),
            ]);
            let all = Config::default().to_toml();
            seeds.extend(all.ok().map(String::into_bytes));
            seeds
        }
        Kind::Scene => texts(&SCENES),
        Kind::Strokes => texts(&STROKES),
        Kind::Doll => {
            let settings = DollSettings {
                hairs: COUNTS[0],
                ..Default::default()
            };
            let doll = Doll::grown(settings).ok();
            doll.iter().map(|doll| doll.to_json().into()).collect()
        }
        Kind::Map => pictures(),
        Kind::Array => {
            let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n";
            let length = (header.len() as u16).to_le_bytes();
            let start = [b"\x93NUMPY\x01\0", &length[..], header.as_bytes()].concat();
            vec![[start, vec![7; 24]].concat()]
        }
        Kind::Strands => strands(),
    }
}

/// Returns files of strands in all formats, uneven and even.
fn strands() -> Vec<Vec<u8>> {
    let Ok(folder) = tempfile::tempdir() else {
        return Vec::new();
    };
    let mut strands = Strands {
        counts: vec![3, 4],
        points: (0..7).map(|i| [i as f32, 0.5, 2.0]).collect(),
        widths: Values::Strands(vec![0.1, 0.2]),
        opacities: Values::All(0.5),
        colors: Values::Points(vec![[0.1, 0.5, 0.9]; 7]),
        root_uvs: vec![[0.25, 0.75]; 2],
        guides: vec![true, false],
        ..Strands::default()
    };
    let mut files = Vec::new();
    for _ in 0..2 {
        for extension in Format::ALL.iter().flat_map(|format| format.extensions()) {
            let path = folder.path().join("a").with_extension(extension);
            let saved = strands.save(&path, Form::default(), None);
            files.extend(saved.ok().and_then(|()| std::fs::read(&path).ok()));
        }
        strands = strands.resampled(3);
    }
    files
}

fn plies() -> Vec<Vec<u8>> {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0; 3]];
    let positions = positions.map(glam::Vec3::from).to_vec();
    let normals = vec![glam::Vec3::Z; 4];
    let triangles = vec![[0, 1, 2], [1, 3, 2]];
    let scalp = Scalp::new(positions, normals, triangles, vec![1.0; 4]).ok();
    let encodings = [PlyEncoding::Ascii, PlyEncoding::BinaryLittleEndian];
    let plies = scalp
        .iter()
        .flat_map(|scalp| encodings.map(|encoding| scalp.to_ply(encoding)));
    plies.collect()
}

fn pictures() -> Vec<Vec<u8>> {
    let size = [(9, 7, MapKind::Tint), (16, 16, MapKind::Mask1)];
    let picture = |(width, height, kind)| {
        let map = Map::uniform(Layout::Picture { width, height }, kind, [0.5; 3]);
        map.and_then(|map| map.to_png()).ok()
    };
    let mut pictures: Vec<Vec<u8>> = size.into_iter().filter_map(picture).collect();
    let vertices = Map::uniform(Layout::Vertices(100), MapKind::Length, [0.5; 3]);
    pictures.extend(vertices.and_then(|map| map.to_png()).ok());
    for format in [image::ImageFormat::Png, image::ImageFormat::Jpeg] {
        let picture = image::RgbImage::from_fn(12, 10, |x, y| image::Rgb([x as u8, y as u8, 9]));
        let mut file = Cursor::new(Vec::new());
        // Without this picture the others are still useful.
        picture.write_to(&mut file, format).unwrap_or_default();
        pictures.push(file.into_inner());
    }
    pictures
}

/// Returns the files of styles with maps and layers, and with edits and a scene.
fn styles() -> Vec<Files> {
    let mut layered = preset!("buzz": "style.toml", "settings.toml", "maps/density.png");
    let mut layer = Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_pixel(64, 64, image::Rgba([90; 4]));
    let written = picture.write_to(&mut layer, image::ImageFormat::Png);
    layered.push(("a.png".to_owned(), layer.into_inner()));
    layered[0].1 = b"version = 1\nabout = \"a line\"\nsettings = \"settings.toml\"\nscene = \"nod\"\n\
        [maps]\nlength = \"a.png\"\ndensity = \"maps/density.png\"\n[[layers.length]]\nname = \"l\"\n\
        file = \"a.png\"\nopacity = 0.5\non = true\n[[layers.length]]\nname = \"m\"\nfile = \"a.png\"\n"
        .to_vec();
    written.unwrap_or_default();
    let edited = preset!("grass-skirt": "style.toml", "settings.toml", "hula.toml", "edits.npz",
        "maps/direction.png", "thumbnail.png");
    let mut small = edited.clone();
    small[0].1 = b"version = 1\nsettings = \"settings.toml\"\nedits = \"edits.npz\"\n".to_vec();
    small[3].1 = edits();
    small.truncate(4);
    vec![layered, small, edited]
}

/// Returns edits of a few strands.
fn edits() -> Vec<u8> {
    let array = |name: &str, kind: &str, shape: &str, bytes: Vec<u8>| {
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        let length = (header.len() as u16).to_le_bytes();
        let start = [b"\x93NUMPY\x01\0", &length[..], header.as_bytes()].concat();
        (format!("{name}.npy"), [start, bytes].concat())
    };
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let one = 1f32.to_bits();
    zipped(&[
        array("roots_of", "<u4", "2,", words(&[3, 9])),
        array("roots", "<f4", "2, 3", words(&[one; 6])),
        array("planted_of", "<u4", "1,", words(&[9])),
        array("planted", "|u1", "1,", vec![1]),
        array("selection", "<f4", "4,", words(&[one, 0, 0, one])),
        array("strands_2", "<u4", "2,", words(&[3, 9])),
        array("grown_2", "<f4", "2,", words(&[one; 2])),
        array(
            "points_2",
            "<f4",
            "2, 2, 3",
            words(&[0, 0, 0, one, 0, 0, 0, 0, 0, one, one, 0]),
        ),
    ])
}

fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let method = match bytes.len() % 3 {
            0 => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        // A name may be there twice, which is an error.
        if zip.start_file(name.as_str(), options).is_ok() {
            zip.write_all(bytes).unwrap_or_default();
        }
    }
    zip.finish().map_or_else(|_| Vec::new(), Cursor::into_inner)
}

fn unzipped(bytes: &[u8]) -> Files {
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else {
        return Vec::new();
    };
    let count = zip.len();
    let read = |i| {
        let mut file = zip.by_index(i).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some((file.name().ok()?.into_owned(), bytes))
    };
    (0..count).filter_map(read).collect()
}

/// Returns the bytes of a case: a seed of this kind, changed.
pub fn case(seeds: &[Vec<u8>], random: &mut Pcg64Mcg) -> Vec<u8> {
    let mut bytes = pick::<Vec<u8>>(random, seeds).clone();
    for _ in 0..1 + up_to(random, 3) * up_to(random, 4) {
        if bytes.len() <= MAX_CHANGED {
            bytes = changed(bytes, random);
        }
    }
    bytes
}

fn changed(mut bytes: Vec<u8>, random: &mut Pcg64Mcg) -> Vec<u8> {
    let is_zip = bytes.starts_with(b"PK\x03\x04");
    let is_picture = bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\xFF\xD8");
    if is_zip && up_to(random, 10) > 0 {
        let mut files = unzipped(&bytes);
        if !files.is_empty() {
            archive(&mut files, random);
            return zipped(&files);
        }
    } else if is_picture && bytes.len() > 4 && up_to(random, 8) > 0 {
        picture(&mut bytes, random);
        return bytes;
    }
    let is_text = std::str::from_utf8(&bytes).is_ok();
    let has_header = bytes.starts_with(b"\x93NUMPY") || bytes.starts_with(b"ply");
    if (is_text || has_header) && up_to(random, 8) > 0 {
        text(&mut bytes, random);
    } else {
        binary(&mut bytes, random);
    }
    bytes
}

/// Changes a file in an archive, or the list of them.
fn archive(files: &mut Files, random: &mut Pcg64Mcg) {
    let at = up_to(random, files.len());
    match up_to(random, 24) {
        0 => drop(files.remove(at)),
        1 => {
            let other = up_to(random, files.len());
            files[at].1 = files[other].1.clone();
        }
        2 => files[at].0 = (*pick(random, &["../a", "/etc/passwd", "a\0b", "", "x"])).to_owned(),
        // What compresses to almost nothing.
        3 => files[at].1 = vec![up_to(random, 2) as u8; 1 << up_to(random, 27)],
        4 => {
            let side = 1 << (6 + up_to(random, 7));
            let kind = *pick(random, &[MapKind::Tint, MapKind::Density]);
            let (width, height) = (side, side >> up_to(random, 4));
            let map = Map::uniform(Layout::Picture { width, height }, kind, [1.0; 3]);
            files[at].1 = map.and_then(|map| map.to_png()).unwrap_or_default();
        }
        5 => {
            let many = up_to(random, 3000);
            files.extend((0..many).map(|i| (format!("{i}"), Vec::new())));
        }
        _ => {
            let bytes = std::mem::take(&mut files[at].1);
            files[at].1 = changed(bytes, random);
        }
    }
}

const WORDS: [&str; 40] = [
    "1e20",
    "-1e30",
    "1e-40",
    "nan",
    "inf",
    "-inf",
    "0",
    "-0",
    "-1",
    "0.5",
    "1",
    "2",
    "1e9",
    "3e38",
    "4294967295",
    "18446744073709551616",
    "-9223372036854775808",
    "1024",
    "65536",
    "\"\"",
    "''",
    "[]",
    "{}",
    "true",
    "null",
    "()",
    "(3,)",
    "99999999999",
    "\u{1b}[31m",
    "\u{202e}",
    "\0",
    "\"",
    "[[",
    "]]",
    "#",
    "\n",
    ",",
    "\\",
    "e",
    "'''",
];

/// Changes words and lines.
fn text(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let at = up_to(random, bytes.len());
    let word = word_at(bytes, at);
    let line = line_at(bytes, at);
    match up_to(random, 24) {
        0 => drop(bytes.drain(line)),
        1 => {
            let copy = bytes[line.clone()].to_vec();
            let copies = copy.repeat(up_to(random, 1 + MAX_CHANGED / copy.len().max(80)));
            drop(bytes.splice(line.end..line.end, copies));
        }
        2 => {
            let other = line_at(bytes, up_to(random, bytes.len()));
            let copy = bytes[other].to_vec();
            drop(bytes.splice(line, copy));
        }
        3 => {
            let deep = pick::<&str>(random, &["[", "{", "(", "{\"a\":", "[[", "a.", "a={"]);
            drop(bytes.splice(word, deep.repeat(up_to(random, 100_000)).into_bytes()));
        }
        4 => drop(bytes.splice(word, vec![b'x'; up_to(random, 5000)])),
        5 => binary(bytes, random),
        6 => {
            let copy = bytes[word].to_vec();
            let to = word_at(bytes, up_to(random, bytes.len()));
            drop(bytes.splice(to, copy));
        }
        7 => {
            let end = (line.end + 1 + up_to(random, 400)).min(bytes.len());
            let block = bytes[line.start..end].to_vec();
            let blocks = block.repeat(up_to(random, 1 + MAX_CHANGED / block.len().max(400)));
            drop(bytes.splice(line.start..line.start, blocks));
        }
        _ => drop(bytes.splice(word, pick::<&str>(random, &WORDS).bytes())),
    }
}

/// Returns the word or number around a place.
fn word_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let before = bytes[..at].iter().rev().take_while(|byte| is_part(byte));
    let after = bytes[at..].iter().take_while(|byte| is_part(byte));
    at - before.count()..at + after.count()
}

fn line_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_part = |byte: &&u8| **byte != b'\n';
    let before = bytes[..at].iter().rev().take_while(is_part).count();
    let after = bytes[at..].iter().take_while(is_part).count();
    at - before..(at + after + 1).min(bytes.len())
}

/// Changes, removes and adds bytes.
fn binary(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let at = up_to(random, bytes.len());
    let end = (at + 1 + up_to(random, 16)).min(bytes.len());
    match up_to(random, 8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            drop(bytes.splice(at..at, copy));
        }
        3 | 4 if at + 4 <= bytes.len() => {
            const FLOATS: [f32; 6] = [f32::NAN, f32::INFINITY, 1e20, -1e30, 1e-45, 1e9];
            let word = match up_to(random, 3) {
                0 => pick(random, &FLOATS).to_bits(),
                1 => *pick(
                    random,
                    &[u32::MAX, 1 << 31, 0x7FFF_FFFF, 0xFFFF, 1 << 24, 0],
                ),
                _ => random.next_u64() as u32 >> up_to(random, 32),
            };
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = match up_to(random, 2) {
                    0 => up_to(random, 256) as u8,
                    _ => *byte ^ 1 << up_to(random, 8),
                };
            }
        }
    }
}
