//! Errors of reading a PLY file.

/// An error of reading a PLY file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlyError {
    /// The header cannot be understood.
    #[error("line {line} of its header {problem}")]
    Header {
        /// The line, from 1.
        line: usize,
        /// The problem.
        problem: String,
    },
    /// The header claims more rows than the file can hold.
    #[error("its header claims {count} of the element `{element}`, more than its bytes can hold")]
    Claim {
        /// The element's name.
        element: String,
        /// The number of rows it claims.
        count: u64,
    },
    /// The file ends too early.
    #[error("it ends within `{element}` {row}")]
    Ends {
        /// The element's name.
        element: String,
        /// The row, from 0.
        row: u64,
    },
    /// A value is not the number, index or length that it should be.
    #[error("{at} is {found}")]
    Value {
        /// The property and the row.
        at: String,
        /// The value, and what is expected.
        found: String,
    },
    /// There are no vertices with coordinates.
    #[error("it has no element `vertex` with the properties x, y and z")]
    NoVertices,
}
