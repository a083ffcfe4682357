//! The library for C: few functions on opaque handles, without a window. `script/build-c` builds it
//! and writes `mohawk.h` from the comments here; `docs/c.md` explains it.
//!
//! Here are borders only: pointers and numbers in, handles out. A call that can fail returns a
//! [`MohawkStatus`], and its text is that of [`mohawk_error`](error::mohawk_error).

// Functions of C take pointers. What a caller must keep to is in `docs/c.md`: handles are those that
// this library has returned and not freed, and arrays are as long as the numbers beside them say.
#![allow(unsafe_code, clippy::missing_safety_doc)]

mod error;
mod hair;
mod head;
mod input;
mod motion;
mod roots;

pub use error::MohawkStatus;
pub use hair::MohawkHair;
pub use head::MohawkHead;
pub use motion::{MohawkFrame, MohawkMotion};
pub use roots::{MohawkMesh, MohawkRoots};

/// Several threads may read heads, hair and points, and simulations may go from one to another.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    const fn sent<T: Send>() {}
    shared::<MohawkHead>();
    shared::<MohawkHair>();
    shared::<MohawkRoots>();
    sent::<MohawkMotion>();
};
