//! The glTF 2.0 format: from the bytes of a file to checked arrays.
//!
//! | file | contents |
//! |---|---|
//! | `container` | the `.glb` container, version and required extensions; other formats recognised |
//! | `document` | the JSON as serde types |
//! | `uri`, `buffers` | bytes behind URIs, buffers and buffer views |
//! | `accessor` | checked reading of accessors |

pub mod accessor;
pub mod buffers;
pub mod container;
pub mod document;
pub mod uri;
