//! The glTF 2.0 format: from the bytes of a file to checked arrays.
//!
//! | file | contents |
//! |---|---|
//! | `container` | the `.glb` container, other formats recognised by their first bytes |
//! | `document`, `json` | the JSON as serde types; edits of its text |
//! | `extensions` | required extensions |
//! | `media_type`, `uri`, `buffers` | picture formats; bytes behind URIs, buffers and buffer views |
//! | `accessor` | checked reading of accessors |

pub mod accessor;
pub mod buffers;
pub mod container;
pub mod document;
pub mod extensions;
pub mod json;
pub mod media_type;
pub mod uri;
