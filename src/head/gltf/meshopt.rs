//! Buffer views that are compressed with `EXT_meshopt_compression` or `KHR_meshopt_compression`.

use super::document::{Index, Size, View};
use super::parser::extension;
use crate::head::error::{LoadErrorKind, Result};
use crate::head::limits::Budget;
use crate::told::short;
use meshoptimizer_rs::codec::{
    Filter, Mode, decode_filter_color, decode_filter_exp, decode_filter_oct, decode_filter_quat,
    decode_index_buffer, decode_index_sequence, decode_vertex_buffer,
};
use meshoptimizer_rs::{Error, Limits, Workspace};
use serde::Deserialize;
use std::panic::{self, AssertUnwindSafe};

/// The properties of either extension of a buffer view.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compressed {
    pub buffer: Index,
    pub byte_offset: Option<Size>,
    pub byte_length: Size,
    byte_stride: Size,
    count: Size,
    mode: String,
    filter: Option<String>,
}

impl Compressed {
    /// Returns how a view is compressed; `None` if it is not.
    pub fn of(view: &View) -> Result<Option<Self>> {
        let raw = view.extensions.as_ref();
        let raw = raw.and_then(|all| all.meshopt.as_ref().or(all.khr_meshopt.as_ref()));
        let parsed = raw.map(|raw| extension(raw)).transpose();
        parsed.map_err(fail)
    }

    /// Returns the bytes that the view stands for, charged to the budget.
    pub fn decode(&self, source: &[u8], wanted: u64, budget: &Budget) -> Result<Vec<u8>> {
        let size = self.count.0.checked_mul(self.byte_stride.0);
        let Some(size) = size.filter(|&size| size >= wanted) else {
            let (count, stride) = (self.count.0, self.byte_stride.0);
            return Err(fail(format!(
                "{count} elements of {stride} bytes are not the {wanted} bytes of the view"
            )));
        };
        let (count, stride) = (self.count.0 as usize, self.byte_stride.0 as usize);
        budget.take(size, 1, "decompressed data (meshopt)")?;
        let mut workspace = Workspace::new(Limits {
            max_bytes: usize::try_from(size.saturating_add(budget.left())).unwrap_or(usize::MAX),
            ..Limits::default()
        });
        let mut decode = || -> std::result::Result<Vec<u8>, Error> {
            let workspace = &mut workspace;
            let mut bytes = match Mode::parse(&self.mode)? {
                Mode::Attributes => decode_vertex_buffer(count, stride, source, workspace)?,
                Mode::Triangles => decode_index_buffer(count, stride, source, workspace)?,
                Mode::Indices => decode_index_sequence(count, stride, source, workspace)?,
            };
            match self.filter.as_deref() {
                Some("COLOR") => decode_filter_color(&mut bytes, count, stride, workspace)?,
                filter => match Filter::parse(filter.unwrap_or("NONE"))? {
                    Filter::None => {}
                    Filter::Octahedral => decode_filter_oct(&mut bytes, count, stride, workspace)?,
                    Filter::Quaternion => decode_filter_quat(&mut bytes, count, stride, workspace)?,
                    Filter::Exponential => decode_filter_exp(&mut bytes, count, stride, workspace)?,
                },
            }
            Ok(bytes)
        };
        let decoded = panic::catch_unwind(AssertUnwindSafe(&mut decode));
        match decoded {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(error)) => Err(fail(error)),
            Err(_) => Err(fail("its decoder fails")),
        }
    }
}

fn fail(problem: impl std::fmt::Display) -> LoadErrorKind {
    let advice = "Export it again, or without compression (gltfpack: leave out -c and -cc).";
    LoadErrorKind::advised(
        "",
        format!(
            "its meshopt data is broken: {}",
            short(&problem.to_string())
        ),
        advice,
    )
}
