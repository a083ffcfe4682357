//! Checked reading of accessors: nothing is trusted, and nothing is allocated before its bytes
//! are known to exist.

use super::buffers::Buffers;
use super::document::{Index, Size, Sparse, SparseView};
use super::draco::Attribute;
use crate::head::error::{LoadErrorKind, Result};
use ::gltf::accessor::DataType;
use ::gltf::json::accessor::VALID_ACCESSOR_TYPES as SHAPES;

/// The number of lanes of each shape; 0 for those that nothing here has.
const LANES: [usize; 7] = [1, 2, 3, 4, 0, 0, 16];

/// Returns the component type of a code.
fn component_type(code: Index) -> Option<DataType> {
    use DataType::{F32, I8, I16, U8, U16, U32};
    let mut all = [I8, U8, I16, U16, U32, F32].into_iter();
    all.find(|component| u64::from(component.as_gl_enum()) == code.0)
}

/// The types that an accessor may have for one use.
pub struct Expected {
    /// 1 for SCALAR, 2 to 4 for VEC2 to VEC4, 16 for MAT4.
    pub lanes: &'static [usize],
    pub components: &'static [DataType],
    /// Further types if the file is quantised (`KHR_mesh_quantization`).
    pub quantized: &'static [DataType],
    /// The types as the message names them: "VEC3 or VEC4 of f32, normalised u8 or u16".
    pub text: &'static str,
    /// Advice on other types, for instance "Re-export the colours as bytes or floats."
    pub advice: &'static str,
}

impl Expected {
    /// Returns the number of lanes and the type of the components, if they are among those that are
    /// expected. `shape` is an index into the names of shapes.
    fn check(
        &self,
        at: &str,
        shape: Option<usize>,
        component: Option<DataType>,
        is_quantized: bool,
    ) -> Result<(usize, DataType)> {
        let lanes = shape.map_or(0, |shape| LANES[shape.min(LANES.len() - 1)]);
        let is_expected = |component: &DataType| {
            self.components.contains(component)
                || is_quantized && self.quantized.contains(component)
        };
        match component.filter(is_expected) {
            Some(component) if self.lanes.contains(&lanes) => Ok((lanes, component)),
            _ => {
                let shape = shape.and_then(|shape| SHAPES.get(shape));
                let shape = shape.unwrap_or(&"an unknown type");
                let component = component.map(|component| format!("{component:?}").to_lowercase());
                let component = component.as_deref().unwrap_or("an unknown component type");
                let problem = format!("is {shape} of {component}; expected {}", self.text);
                Err(LoadErrorKind::advised(at, problem, self.advice))
            }
        }
    }
}

/// Elements in a buffer view, within its bounds.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// An accessor whose type, stride and bounds have been checked.
pub struct Accessor<'a> {
    /// The accessor as messages name it: `mesh 2 "head", primitive 0: COLOR_0 accessor 11`.
    pub at: String,
    pub count: usize,
    component: DataType,
    lanes: usize,
    /// `true` if integers stand for numbers from -1 or 0 to 1.
    is_normalized: bool,
    base: Option<Strided<'a>>,
    /// The elements that differ from the base.
    sparse: Option<(Vec<u32>, Strided<'a>)>,
}

impl<'a> Accessor<'a> {
    /// Checks accessor `index`, used as `role` (`COLOR_0`) by `place`
    /// (`mesh 2 "head", primitive 0`), and charges `4 * lanes` bytes for each element.
    pub fn open(
        buffers: &'a Buffers,
        index: Index,
        place: &str,
        role: &str,
        expected: &Expected,
    ) -> Result<Self> {
        let at = format!("{place}: {role} accessor {}", index.0);
        let accessors = &buffers.document.accessors;
        let Some(raw) = accessors.get(index.index()) else {
            let problem = format!("there are only {} accessors", accessors.len());
            return Err(LoadErrorKind::invalid(&at, problem));
        };
        let shape = SHAPES.iter().position(|shape| *shape == raw.shape);
        let component = component_type(raw.component_type);
        let is_quantized = buffers.document.is_quantized();
        let (lanes, component) = expected.check(&at, shape, component, is_quantized)?;
        let count = raw.count.0;
        let element = component.size() * lanes;
        let base = raw
            .buffer_view
            .map(|view| strided(buffers, view, raw.byte_offset, count, element));
        let base = base.transpose().map_err(|error| error.within(&at))?;
        // Without a view no bytes prove the count.
        let what = format_args!("{at}, with {count} elements,");
        buffers.budget.take(count, 4 * lanes as u64, what)?;
        let sparse = raw.sparse.as_ref();
        let sparse = sparse.map(|sparse| sparse_elements(buffers, sparse, count, element));
        let sparse = sparse.transpose().map_err(|error| error.within(&at))?;
        Ok(Accessor {
            at,
            count: count as usize,
            component,
            lanes,
            // Core glTF has no integers that are not normalised, and some exporters forget the flag.
            is_normalized: raw.normalized == Some(true)
                || !is_quantized
                || expected.quantized.is_empty(),
            base,
            sparse,
        })
    }

    /// Returns an attribute that was compressed with Draco; `index` is its accessor.
    pub fn of_draco(
        buffers: &'a Buffers,
        index: Index,
        attribute: &'a Attribute,
        vertices: usize,
        place: &str,
        role: &str,
        expected: &Expected,
    ) -> Result<Self> {
        let at = format!("{place}: {role} (Draco)");
        let raw = buffers.document.accessors.get(index.index());
        let (shape, component) = (attribute.lanes.checked_sub(1), attribute.component);
        let (lanes, component) = expected.check(&at, shape, Some(component), true)?;
        let what = format_args!("{at}, with {vertices} elements,");
        buffers
            .budget
            .take(vertices as u64, 4 * lanes as u64, what)?;
        let is_normalized = raw.is_some_and(|raw| raw.normalized == Some(true));
        Ok(Accessor {
            at,
            count: vertices,
            component,
            lanes,
            is_normalized: is_normalized || expected.quantized.is_empty(),
            base: Some(Strided {
                bytes: &attribute.bytes,
                stride: lanes * component.size(),
            }),
            sparse: None,
        })
    }

    /// Returns the elements as floats; missing lanes are `fill`.
    pub fn floats<const N: usize>(&self, fill: f32) -> Vec<[f32; N]> {
        let max = |max: f32| if self.is_normalized { max } else { 1.0 };
        let signed = |value: f32, max: f32| match self.is_normalized {
            true => (value / max).max(-1.0),
            false => value,
        };
        match self.component {
            DataType::U8 => {
                let max = max(255.0);
                self.gather(fill, |[byte]: [u8; 1]| f32::from(byte) / max)
            }
            DataType::U16 => {
                let max = max(65535.0);
                self.gather(fill, |two| f32::from(u16::from_le_bytes(two)) / max)
            }
            DataType::I8 => self.gather(fill, |one| signed(i8::from_le_bytes(one).into(), 127.0)),
            DataType::I16 => {
                self.gather(fill, |two| signed(i16::from_le_bytes(two).into(), 32767.0))
            }
            // Nothing else is expected.
            _ => self.gather(fill, f32::from_le_bytes),
        }
    }

    /// Returns the elements of an unsigned SCALAR accessor.
    pub fn indices(&self) -> Vec<u32> {
        self.whole::<1>().into_flattened()
    }

    /// Returns unsigned elements.
    pub fn whole<const N: usize>(&self) -> Vec<[u32; N]> {
        match self.component.size() {
            1 => self.gather(0, |[byte]: [u8; 1]| u32::from(byte)),
            2 => self.gather(0, |two| u32::from(u16::from_le_bytes(two))),
            _ => self.gather(0, u32::from_le_bytes),
        }
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
            let bytes = source.bytes.get(index * source.stride..);
            let lanes = element.iter_mut().take(self.lanes);
            for (lane, chunk) in lanes.zip(bytes.unwrap_or_default().as_chunks::<SIZE>().0) {
                *lane = decode(*chunk);
            }
        };
        if let Some(base) = &self.base {
            for (index, element) in out.iter_mut().enumerate() {
                read(base, index, element);
            }
        }
        if let Some((indices, values)) = &self.sparse {
            for (nth, &index) in indices.iter().enumerate() {
                if let Some(element) = out.get_mut(index as usize) {
                    read(values, nth, element);
                }
            }
        }
        out
    }
}

/// Returns `count` elements of `element` bytes in a buffer view, after checking that they fit.
fn strided<'a>(
    buffers: &'a Buffers,
    view: Index,
    offset: Option<Size>,
    count: u64,
    element: usize,
) -> Result<Strided<'a>> {
    let (bytes, stride) = buffers.view(view)?;
    let (element, offset) = (element as u64, offset.unwrap_or_default().0);
    let stride = stride.unwrap_or(element);
    // A stride that equals the element is harmless where it is below 4.
    if stride != element && !(element.max(4)..=252).contains(&stride) {
        let min = element.max(4);
        let problem = format!("its byteStride {stride} is not between {min} and 252");
        return Err(LoadErrorKind::invalid("", problem));
    }
    let end = match count {
        0 => Some(offset),
        _ => (count - 1)
            .checked_mul(stride)
            .and_then(|last| last.checked_add(element)?.checked_add(offset)),
    };
    let available = bytes.len() as u64;
    let Some(end) = end.filter(|&end| end <= available) else {
        let problem = format!(
            "{count} elements of {stride} bytes from byte {offset} do not fit in its buffer view \
             of {available} bytes"
        );
        return Err(LoadErrorKind::invalid("", problem));
    };
    Ok(Strided {
        bytes: &bytes[offset as usize..end as usize],
        stride: stride as usize,
    })
}

fn sparse_elements<'a>(
    buffers: &'a Buffers,
    sparse: &Sparse,
    count: u64,
    element: usize,
) -> Result<(Vec<u32>, Strided<'a>)> {
    let fail = |problem: String| Err(LoadErrorKind::invalid("sparse", problem));
    let changed = sparse.count.0;
    if changed > count {
        return fail(format!("it changes {changed} of {count} elements"));
    }
    let component = sparse.indices.component_type;
    let component = component.and_then(component_type);
    let Some(component @ (DataType::U8 | DataType::U16 | DataType::U32)) = component else {
        let problem = "its indices are of the wrong component type; expected u8, u16 or u32";
        return fail(problem.to_owned());
    };
    let strided = |view: &SparseView, size| {
        let strided = strided(buffers, view.buffer_view, view.byte_offset, changed, size);
        strided.map_err(|error| error.within("sparse"))
    };
    let base = strided(&sparse.indices, component.size())?;
    let values = strided(&sparse.values, element)?;
    buffers.budget.take(changed, 4, "sparse indices")?;
    let indices = Accessor {
        at: String::new(),
        count: changed as usize,
        component,
        lanes: 1,
        is_normalized: false,
        base: Some(base),
        sparse: None,
    }
    .indices();
    if let Some(bad) = indices.iter().find(|&&index| u64::from(index) >= count) {
        return fail(format!("it changes element {bad} of {count}"));
    }
    if let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
        let (first, then) = (pair[0], pair[1]);
        return fail(format!(
            "its indices do not increase: {then} comes after {first}"
        ));
    }
    Ok((indices, values))
}
