//! Mutations of a head that respect its structure.

use super::container;
use super::seeds::Seed;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use serde_json::{Map, Value, json};

/// Returns a random number below `end`; 0 if `end` is 0.
pub fn up_to(random: &mut Pcg64Mcg, end: usize) -> usize {
    (random.next_u64() % end.max(1) as u64) as usize
}

/// Returns a random item.
pub fn pick<'a, T>(random: &mut Pcg64Mcg, all: &'a [T]) -> &'a T {
    &all[up_to(random, all.len())]
}

/// Returns the bytes of a case.
pub fn case(seeds: &[Seed], random: &mut Pcg64Mcg) -> Vec<u8> {
    // The last seed, the shipped head with its pictures, is slow.
    let most = if up_to(random, 20) == 0 { 0 } else { 1 };
    let mut seed = pick(random, &seeds[..seeds.len() - most]).clone();
    let changes = 1 + up_to(random, 4) * up_to(random, 3);
    for _ in 0..changes {
        match up_to(random, 10) {
            0..6 => document(&mut seed.json, random),
            6..9 => buffer(&mut seed, random),
            _ => instances(&mut seed.json, random),
        }
    }
    container::assemble(seed, random)
}

/// Returns the JSON pointer and the last key of every value.
fn places(json: &Value) -> Vec<String> {
    let (mut places, mut stack) = (Vec::new(), vec![(String::new(), json)]);
    while let Some((place, value)) = stack.pop() {
        match value {
            Value::Array(list) => {
                // Only the start of long lists.
                let some = list.iter().take(64).enumerate();
                stack.extend(some.map(|(n, value)| (format!("{place}/{n}"), value)));
            }
            Value::Object(map) => {
                let all = map.iter();
                stack.extend(all.map(|(key, value)| (format!("{place}/{key}"), value)));
            }
            _ => {}
        }
        if !place.is_empty() {
            places.push(place);
        }
    }
    places
}

/// Changes one value of a document.
fn document(json: &mut Value, random: &mut Pcg64Mcg) {
    let places = places(json);
    if places.is_empty() {
        return;
    }
    let place = pick::<String>(random, &places);
    let key = place.rsplit('/').find(|key| key.parse::<u32>().is_err());
    let key = key.unwrap_or_default().to_owned();
    let other = json.pointer(pick::<String>(random, &places)).cloned();
    let Some(value) = json.pointer_mut(place) else {
        return;
    };
    match up_to(random, 20) {
        // A value from another place.
        0 | 1 => *value = other.unwrap_or_default(),
        2 => *value = odd(random),
        3 => {
            let (parent, last) = place.rsplit_once('/').unwrap_or_default();
            match json.pointer_mut(parent) {
                Some(Value::Object(map)) => drop(map.remove(last)),
                Some(Value::Array(list)) => {
                    let at = last.parse().unwrap_or(0).min(list.len().saturating_sub(1));
                    list.remove(at);
                }
                _ => {}
            }
        }
        4 => require(json, random),
        _ => match value {
            Value::Number(_) => *value = number(&key, random),
            Value::String(text) => *text = string(&key, random),
            Value::Array(list) => array(list, &key, random),
            Value::Object(map) => object(map, random),
            Value::Bool(yes) => *yes = !*yes,
            Value::Null => *value = odd(random),
        },
    }
}

/// Returns a value of another type.
fn odd(random: &mut Pcg64Mcg) -> Value {
    let deep = |depth| (0..depth).fold(json!([]), |inner, _| json!([inner]));
    match up_to(random, 10) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(""),
        3 => json!("x".repeat(up_to(random, 5000))),
        4 => json!([]),
        5 => json!({}),
        6 => json!(-1),
        7 => json!(0.5),
        8 => deep(up_to(random, 130)),
        _ => json!({"POSITION": 0, "bufferView": 0, "index": 0, "extensions": {}}),
    }
}

const HUGE: [u64; 10] = [
    255,
    256,
    65_535,
    65_536,
    20_000_000,
    i32::MAX as u64,
    u32::MAX as u64,
    1 << 32,
    1 << 40,
    1 << 63,
];

/// Returns a plausible or an invalid number for a key of this name.
fn number(key: &str, random: &mut Pcg64Mcg) -> Value {
    match (key, up_to(random, 4)) {
        (_, 0) => match up_to(random, 8) {
            0 => json!(u64::MAX),
            1 => json!(-1),
            2 => json!(1.5),
            3 => json!(3.4e38),
            4 => json!(-1e300),
            5 => json!(1e-40),
            _ => json!(pick(random, &HUGE)),
        },
        ("componentType", _) => json!(5119 + up_to(random, 9)),
        ("mode", _) => json!(up_to(random, 8)),
        ("byteStride", _) => json!(pick(
            random,
            &[0, 1, 2, 3, 4, 6, 8, 12, 16, 52, 252, 256, 65536]
        )),
        ("count", _) => json!(match up_to(random, 4) {
            0 => up_to(random, 10),
            1 => up_to(random, 1000),
            _ => 1 << up_to(random, 24),
        }),
        ("byteOffset" | "byteLength", _) => json!(up_to(random, 600)),
        ("magFilter" | "wrapS" | "wrapT", _) => {
            json!(pick(random, &[9728, 9729, 10497, 33071, 33648, 1]))
        }
        ("matrix" | "scale" | "rotation" | "translation" | "offset", _) => {
            json!(pick(
                random,
                &[0.0, -1.0, 1e-30, 1e-9, 1e9, 3e38, -3e38, 0.5, 1e19, 1e-45]
            ))
        }
        _ => json!(up_to(random, 12)),
    }
}

const NAMES: [&str; 24] = [
    "POSITION",
    "NORMAL",
    "TANGENT",
    "TEXCOORD_0",
    "TEXCOORD_1",
    "COLOR_0",
    "COLOR_15",
    "COLOR_4294967295",
    "JOINTS_0",
    "extras",
    "extensions",
    "uri",
    "sparse",
    "indices",
    "matrix",
    "children",
    "children",
    "mesh",
    "skin",
    "material",
    "KHR_texture_transform",
    "KHR_draco_mesh_compression",
    "\u{1b}[31m\u{202e}",
    "",
];

fn string(key: &str, random: &mut Pcg64Mcg) -> String {
    const URIS: [&str; 12] = [
        "../a",
        "/dev/zero",
        "file:///dev/zero",
        "http://a",
        "%2e%2e/a",
        "C:\\a",
        "\\\\a\\b",
        "a\0b",
        "data:",
        "data:;base64,",
        "data:;base64,AAAA====",
        "data:application/octet-stream;base64,AAAA",
    ];
    const TYPES: [&str; 8] = [
        "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "vec3",
    ];
    match key {
        "uri" => (*pick(random, &URIS)).to_owned(),
        "type" => (*pick(random, &TYPES)).to_owned(),
        "version" => (*pick(random, &["1.0", "2.0", "2.1", "2", "", "2.x"])).to_owned(),
        "alphaMode" => (*pick(random, &["OPAQUE", "MASK", "BLEND", "X"])).to_owned(),
        _ => pick(random, &NAMES).repeat(1 + up_to(random, 2) * up_to(random, 300)),
    }
}

fn array(list: &mut Vec<Value>, key: &str, random: &mut Pcg64Mcg) {
    let at = up_to(random, list.len());
    match up_to(random, 7) {
        0 => list.clear(),
        1 if !list.is_empty() => drop(list.remove(at)),
        2 if !list.is_empty() => {
            let copy = list[at].clone();
            let most = if copy.to_string().len() > 2000 {
                3
            } else {
                3000
            };
            list.extend(vec![copy; up_to(random, most)]);
        }
        3 if !list.is_empty() => {
            let with = up_to(random, list.len());
            list.swap(at, with);
        }
        4 => list.push(json!([list.clone()])),
        5 if ["matrix", "scale", "rotation", "translation"].contains(&key) => {
            let all = number(key, random);
            list.fill(all);
        }
        _ => list.push(json!(up_to(random, 9))),
    }
}

fn object(map: &mut Map<String, Value>, random: &mut Pcg64Mcg) {
    let keys: Vec<String> = map.keys().cloned().collect();
    let key = keys.get(up_to(random, keys.len())).cloned();
    let new = (*pick(random, &NAMES)).to_owned();
    match (up_to(random, 4), key) {
        (0, Some(key)) => drop(map.remove(&key)),
        (1, Some(key)) => {
            let value = map.remove(&key).unwrap_or_default();
            map.insert(new, value);
        }
        (2, _) => drop(map.insert(new, odd(random))),
        _ => drop(map.insert(new, json!(up_to(random, 9)))),
    }
}

fn require(json: &mut Value, random: &mut Pcg64Mcg) {
    const EXTENSIONS: [&str; 5] = [
        "KHR_draco_mesh_compression",
        "EXT_meshopt_compression",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "ACME_\u{7}",
    ];
    if json.is_object() {
        json["extensionsRequired"] = json!([pick(random, &EXTENSIONS)]);
    }
}

/// Adds nodes of a mesh or a chain of nodes, or uses one accessor for everything.
fn instances(json: &mut Value, random: &mut Pcg64Mcg) {
    let count = json["nodes"].as_array().map_or(0, Vec::len);
    let more = up_to(random, 1500);
    let Some(nodes) = json.get_mut("nodes").and_then(Value::as_array_mut) else {
        return;
    };
    let chain = up_to(random, 2) == 0;
    nodes.extend((0..more).map(|n| match chain {
        true if n + 1 < more => json!({"children": [count + n + 1]}),
        _ => json!({"mesh": 0, "translation": [n, 0, 0]}),
    }));
    if let Some(Value::Array(roots)) = json.pointer_mut("/scenes/0/nodes") {
        let shown = if chain { 1.min(more) } else { more };
        roots.extend((0..shown).map(|n| json!(count + n)));
    }
}

/// Changes bytes of a buffer as floats, words or pictures, depending on the view.
fn buffer(seed: &mut Seed, random: &mut Pcg64Mcg) {
    let views = seed.json["bufferViews"].as_array().map_or(0, Vec::len);
    let view = &seed.json["bufferViews"][up_to(random, views)];
    let number = |key| view[key].as_u64().unwrap_or(0) as usize;
    let (start, length) = (number("byteOffset"), number("byteLength"));
    let end = start.saturating_add(length);
    let Some(bytes) = seed
        .bin
        .get_mut(start..end)
        .filter(|bytes| bytes.len() >= 4)
    else {
        return;
    };
    if bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\xFF\xD8") {
        return picture(bytes, random);
    }
    const FLOATS: [f32; 14] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        1e-45,
        1e30,
        -1e30,
        1e-30,
        1e19,
        0.0,
        -0.0,
        0.5,
        1e6,
    ];
    let many = [1, 1, 3, bytes.len() / 8 + 1];
    let value = pick(random, &FLOATS).to_le_bytes();
    for _ in 0..*pick(random, &many) {
        let word = 4 * up_to(random, bytes.len() / 4);
        let to: [u8; 4] = match up_to(random, 5) {
            0 => pick(random, &FLOATS).to_le_bytes(),
            1 | 2 => value,
            3 => (up_to(random, 1 << 20) as f32 * 1e-6 - 0.5).to_le_bytes(),
            _ => (random.next_u64() as u32 >> up_to(random, 32)).to_le_bytes(),
        };
        bytes[word..word + 4].copy_from_slice(&to);
    }
}

/// Changes bytes of a picture; of a PNG mostly with valid checksums.
pub fn picture(bytes: &mut [u8], random: &mut Pcg64Mcg) {
    for _ in 0..1 + up_to(random, 4) {
        let at = 2 + up_to(random, bytes.len() - 2);
        bytes[at] = match up_to(random, 3) {
            0 => up_to(random, 256) as u8,
            1 => *pick(random, &[0, 1, 0x7F, 0x80, 0xFF, 0xDA, 0xC2]),
            _ => bytes[at] ^ 1 << up_to(random, 8),
        };
    }
    if !bytes.starts_with(b"\x89PNG") || up_to(random, 8) == 0 {
        return;
    }
    if up_to(random, 4) == 0 && bytes.len() > 24 {
        // Enormous, or thin.
        let side = [0, 1, 8, 4096, 65_535, 1 << 20, i32::MAX as usize];
        let at = *pick(random, &[16, 20]);
        let side = *pick(random, &side) as u32;
        bytes[at..at + 4].copy_from_slice(&side.to_be_bytes());
    }
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = length
            .iter()
            .fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        let end = at.saturating_add(8).saturating_add(length);
        if end.checked_add(4).is_none_or(|end| end > bytes.len()) {
            break;
        }
        let sum = checksum(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
}

/// Returns the CRC-32 of PNG.
fn checksum(bytes: &[u8]) -> u32 {
    let sum = bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 }
        })
    });
    !sum
}
