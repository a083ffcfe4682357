//! The outcome of calls, and the text of the last error.

use mohawk::embed::EmbedError;
use std::any::Any;
use std::cell::RefCell;
use std::error::Error;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The outcome of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MohawkStatus {
    /// The call has done what it says.
    Ok = 0,
    /// An argument cannot be: a null pointer, text that is not UTF-8, a number out of range.
    Argument = 1,
    /// A file, a setting, a mesh or strands cannot be used.
    Input = 2,
    /// A callback has ended the work.
    Cancelled = 3,
    /// An error of the library itself. Free the handles of the call.
    Internal = 4,
}

/// The reason why a call has failed.
pub struct Failure {
    status: MohawkStatus,
    text: String,
}

impl Failure {
    /// Returns the failure of an argument.
    pub fn of_argument(text: impl Into<String>) -> Self {
        Self {
            status: MohawkStatus::Argument,
            text: text.into(),
        }
    }

    /// Returns the failure of what an argument holds.
    pub fn of_input(text: impl Into<String>) -> Self {
        Self {
            status: MohawkStatus::Input,
            text: text.into(),
        }
    }

    /// Returns the failure of what an argument names, with the texts of its causes.
    pub fn of_error(error: impl Error) -> Self {
        Self::of_input(mohawk::embed::with_causes(error))
    }

    fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or(panic.downcast_ref::<String>().map(String::as_str));
        Self {
            status: MohawkStatus::Internal,
            text: format!("an error of mohawk itself: {}", text.unwrap_or("unknown")),
        }
    }
}

impl From<EmbedError> for Failure {
    fn from(error: EmbedError) -> Self {
        let status = match error {
            EmbedError::Cancelled => MohawkStatus::Cancelled,
            EmbedError::Seconds(_) | EmbedError::Fps(_) => MohawkStatus::Argument,
            _ => MohawkStatus::Input,
        };
        Self {
            status,
            ..Self::of_error(error)
        }
    }
}

thread_local! {
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Returns the text of the last call of this thread that failed, UTF-8: it names the thing and says what
/// to do. It is empty if none has, and valid until another call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn mohawk_error() -> *const c_char {
    TEXT.with_borrow(|text| text.as_ptr())
}

/// Returns the version of the library, as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn mohawk_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    CStr::from_bytes_with_nul(VERSION.as_bytes()).map_or(c"".as_ptr(), CStr::as_ptr)
}

/// Does the work of a call. Panics end here.
pub fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> MohawkStatus {
    let done = catch_unwind(AssertUnwindSafe(work));
    let done = done.unwrap_or_else(|panic| Err(Failure::of_panic(&*panic)));
    match done {
        Ok(()) => MohawkStatus::Ok,
        Err(failure) => {
            let text = failure.text.replace('\0', "\u{fffd}");
            TEXT.set(CString::new(text).unwrap_or_default());
            failure.status
        }
    }
}
