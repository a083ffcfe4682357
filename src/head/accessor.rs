//! The checked accessor reader: nothing is trusted, nothing is allocated before
//! the bytes for it are known to be there.

use super::buffers::Buffers;
use super::error::{LoadErrorKind, RE_EXPORT, Result};
use gltf::json;
use gltf::json::accessor::{ComponentType as Component, Type, sparse};
use gltf::json::validation::Checked;
use gltf::json::{Index, buffer};

/// What an accessor may be for one use.
pub struct Wanted {
    /// Lanes: 1 for SCALAR, 2 to 4 for VEC2 to VEC4.
    pub lanes: &'static [usize],
    pub components: &'static [Component],
    /// For the message: "VEC3 or VEC4 of f32, normalised u8 or u16".
    pub text: &'static str,
    /// The way out: "Re-export the colours as bytes or floats."
    pub advice: &'static str,
}

/// Elements lying in a buffer view, in bounds.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

struct SparseValues<'a> {
    indices: Vec<u32>,
    values: Strided<'a>,
}

/// An accessor whose type, stride and bounds have been checked.
pub struct Accessor<'a> {
    /// For messages: `mesh 2 "head", primitive 0: COLOR_0 accessor 11`.
    pub at: String,
    pub count: usize,
    component: Component,
    lanes: usize,
    base: Option<Strided<'a>>,
    sparse: Option<SparseValues<'a>>,
}

impl<'a> Accessor<'a> {
    /// Checks accessor `index`, used as `role` (`COLOR_0`) by `place`
    /// (`mesh 2 "head", primitive 0`), and charges `4 * lanes` bytes for each element.
    pub fn open(
        buffers: &'a Buffers,
        index: Index<json::Accessor>,
        place: &str,
        role: &str,
        wanted: &Wanted,
    ) -> Result<Self> {
        let at = format!("{place}: {role} accessor {index}");
        let document = buffers.document;
        let Some(raw) = document.accessors.get(index.value()) else {
            let problem = format!("there are only {} accessors", document.accessors.len());
            return Err(LoadErrorKind::invalid(&at, problem));
        };
        let fits = match (&raw.component_type, &raw.type_) {
            (Checked::Valid(component), Checked::Valid(shape))
                if wanted.components.contains(&component.0) =>
            {
                lanes(*shape)
                    .filter(|lanes| wanted.lanes.contains(lanes))
                    .map(|lanes| (component.0, lanes))
            }
            _ => None,
        };
        let Some((component, lanes)) = fits else {
            let shape = match raw.type_ {
                Checked::Valid(shape) => shape_name(shape),
                Checked::Invalid => "an unknown type",
            };
            let component = match raw.component_type {
                Checked::Valid(component) => component_name(component.0),
                Checked::Invalid => "an unknown component type",
            };
            return Err(LoadErrorKind::Invalid {
                at,
                problem: format!("is {shape} of {component}; expected {}", wanted.text),
                advice: wanted.advice.to_owned(),
            });
        };
        let count = raw.count.0;
        let offset = raw.byte_offset.unwrap_or_default().0;
        let element = component.size() * lanes;
        let base = match raw.buffer_view {
            Some(view) => {
                Some(strided(buffers, view, offset, count, element).map_err(prefix(&at))?)
            }
            None => None,
        };
        // Without a view there may be no bytes behind the count, so ask before believing it.
        let read = 4 * lanes as u64;
        buffers
            .budget
            .take(count, read, || format!("{at}, with {count} elements,"))?;
        let sparse = match &raw.sparse {
            Some(sparse) => {
                let read = sparse_values(buffers, sparse, count, element);
                Some(read.map_err(prefix(&at))?)
            }
            None => None,
        };
        Ok(Accessor {
            at,
            count: count as usize,
            component,
            lanes,
            base,
            sparse,
        })
    }

    /// The elements as floats; missing lanes are `fill`. Integers are normalised
    /// whether or not `normalized` is set: plain glTF has no other integer floats,
    /// and writers that forget the flag mean it.
    pub fn floats<const N: usize>(&self, fill: f32) -> Vec<[f32; N]> {
        match self.component {
            Component::I8 => self.gather(fill, |[byte]: [u8; 1]| {
                (f32::from(byte as i8) / 127.0).max(-1.0)
            }),
            Component::U8 => self.gather(fill, |[byte]: [u8; 1]| f32::from(byte) / 255.0),
            Component::I16 => self.gather(fill, |two| {
                (f32::from(i16::from_le_bytes(two)) / 32767.0).max(-1.0)
            }),
            Component::U16 => self.gather(fill, |two| f32::from(u16::from_le_bytes(two)) / 65535.0),
            Component::U32 => self.gather(fill, |four| u32::from_le_bytes(four) as f32),
            Component::F32 => self.gather(fill, f32::from_le_bytes),
        }
    }

    /// The elements of an unsigned SCALAR accessor.
    pub fn indices(&self) -> Vec<u32> {
        let scalars: Vec<[u32; 1]> = match self.component {
            Component::I8 | Component::U8 => self.gather(0, |[byte]: [u8; 1]| u32::from(byte)),
            Component::I16 | Component::U16 => {
                self.gather(0, |two| u32::from(u16::from_le_bytes(two)))
            }
            Component::U32 | Component::F32 => self.gather(0, u32::from_le_bytes),
        };
        scalars.into_flattened()
    }

    fn gather<T: Copy + Default, const N: usize, const SIZE: usize>(
        &self,
        fill: T,
        decode: impl Fn([u8; SIZE]) -> T,
    ) -> Vec<[T; N]> {
        let mut blank = [fill; N];
        blank[..self.lanes.min(N)].fill(T::default());
        let mut out = vec![blank; self.count];
        let read = |source: &Strided, index: usize, element: &mut [T; N]| {
            let bytes = source
                .bytes
                .get(index * source.stride..)
                .unwrap_or_default();
            let lanes = element.iter_mut().take(self.lanes);
            for (lane, chunk) in lanes.zip(bytes.as_chunks::<SIZE>().0) {
                *lane = decode(*chunk);
            }
        };
        if let Some(base) = &self.base {
            for (index, element) in out.iter_mut().enumerate() {
                read(base, index, element);
            }
        }
        if let Some(sparse) = &self.sparse {
            for (nth, &index) in sparse.indices.iter().enumerate() {
                if let Some(element) = out.get_mut(index as usize) {
                    read(&sparse.values, nth, element);
                }
            }
        }
        out
    }
}

fn lanes(shape: Type) -> Option<usize> {
    match shape {
        Type::Scalar | Type::Vec2 | Type::Vec3 | Type::Vec4 => Some(shape.multiplicity()),
        Type::Mat2 | Type::Mat3 | Type::Mat4 => None,
    }
}

fn shape_name(shape: Type) -> &'static str {
    match shape {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    }
}

fn component_name(component: Component) -> &'static str {
    match component {
        Component::I8 => "i8",
        Component::U8 => "u8",
        Component::I16 => "i16",
        Component::U16 => "u16",
        Component::U32 => "u32",
        Component::F32 => "f32",
    }
}

/// Puts the accessor before an error about its bytes.
fn prefix(at: &str) -> impl Fn(LoadErrorKind) -> LoadErrorKind + '_ {
    move |error| match error {
        LoadErrorKind::Invalid {
            at: inner,
            problem,
            advice,
        } => {
            let at = if inner.is_empty() {
                at.to_owned()
            } else {
                format!("{at}, {inner}")
            };
            LoadErrorKind::Invalid {
                at,
                problem,
                advice,
            }
        }
        other => other,
    }
}

/// `count` elements of `element` bytes in a buffer view, if they all fit.
fn strided<'a>(
    buffers: &'a Buffers,
    view: Index<buffer::View>,
    offset: u64,
    count: u64,
    element: usize,
) -> Result<Strided<'a>> {
    let fail = |problem: String| LoadErrorKind::advised("", problem, RE_EXPORT);
    let view = buffers.view(view)?;
    let element = element as u64;
    let stride = match view.stride {
        None => element,
        Some(stride) if (4..=252).contains(&stride) && stride >= element => stride,
        // A stride that equals the element is harmless, if needless.
        Some(stride) if stride == element => stride,
        Some(stride) => {
            return Err(fail(format!(
                "its byteStride {stride} is not between {} and 252",
                element.max(4)
            )));
        }
    };
    let end = match count {
        0 => Some(offset),
        _ => (count - 1)
            .checked_mul(stride)
            .and_then(|last| last.checked_add(element)?.checked_add(offset)),
    };
    let has = view.bytes.len() as u64;
    match end.filter(|&end| end <= has) {
        Some(end) => Ok(Strided {
            bytes: &view.bytes[offset as usize..end as usize],
            stride: stride as usize,
        }),
        None => Err(fail(format!(
            "{count} elements of {stride} bytes from byte {} do not fit in its buffer view of {has} bytes",
            offset
        ))),
    }
}

fn sparse_values<'a>(
    buffers: &'a Buffers,
    sparse: &sparse::Sparse,
    count: u64,
    element: usize,
) -> Result<SparseValues<'a>> {
    let fail = |problem: String| LoadErrorKind::advised("sparse", problem, RE_EXPORT);
    let changed = sparse.count.0;
    if changed > count {
        return Err(fail(format!("it changes {changed} of {count} elements")));
    }
    // `gltf` knows only these three here.
    let Checked::Valid(component) = sparse.indices.component_type else {
        let problem = "its indices are of the wrong component type; expected u8, u16 or u32";
        return Err(fail(problem.to_owned()));
    };
    let component = component.0;
    let size = component.size();
    let base = strided(
        buffers,
        sparse.indices.buffer_view,
        sparse.indices.byte_offset.0,
        changed,
        size,
    )
    .map_err(prefix("sparse"))?;
    let values = strided(
        buffers,
        sparse.values.buffer_view,
        sparse.values.byte_offset.0,
        changed,
        element,
    )
    .map_err(prefix("sparse"))?;
    let read = || "sparse indices".to_owned();
    buffers.budget.take(changed, 4, read)?;
    let indices = Accessor {
        at: String::new(),
        count: changed as usize,
        component,
        lanes: 1,
        base: Some(base),
        sparse: None,
    }
    .indices();
    if let Some(bad) = indices.iter().find(|&&index| u64::from(index) >= count) {
        return Err(fail(format!("it changes element {bad} of {count}")));
    }
    if let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
        let [first, then] = [pair[0], pair[1]];
        return Err(fail(format!(
            "its indices do not increase: {then} comes after {first}"
        )));
    }
    Ok(SparseValues { indices, values })
}
