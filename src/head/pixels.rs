//! The pixels of a texture, which need not stay decoded.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// RGBA8 pixels, top row first, in the encoding of the file. Clones share them.
#[derive(Clone)]
pub struct Pixels(Arc<State>);

type Decoded = Arc<Vec<[u8; 4]>>;

struct State {
    decoded: Mutex<Option<Decoded>>,
    /// Decodes them again; `None`: they are not from a picture.
    decode: Option<Box<dyn Fn() -> Vec<[u8; 4]> + Send + Sync>>,
}

impl Pixels {
    /// Returns the same pixels, which `decode` decodes again once they have been dropped.
    pub(super) fn decoded_by(
        self,
        decode: impl Fn() -> Vec<[u8; 4]> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(State {
            decoded: Mutex::new(Some(self.get())),
            decode: Some(Box::new(decode)),
        }))
    }

    /// Returns the pixels. They are decoded again if they were [dropped](Self::drop_decoded).
    pub fn get(&self) -> Arc<Vec<[u8; 4]>> {
        let decoded = self.decoded().clone();
        decoded.unwrap_or_else(|| Arc::new(self.0.decode.as_ref().map_or(Vec::new(), |of| of())))
    }

    /// Drops the decoded pixels of a picture in a file. The picture itself stays.
    pub fn drop_decoded(&self) {
        if self.0.decode.is_some() {
            self.decoded().take();
        }
    }

    fn decoded(&self) -> MutexGuard<'_, Option<Decoded>> {
        let decoded = self.0.decoded.lock();
        decoded.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Pixels that are not from a picture.
impl From<Vec<[u8; 4]>> for Pixels {
    fn from(pixels: Vec<[u8; 4]>) -> Self {
        Self(Arc::new(State {
            decoded: Mutex::new(Some(Arc::new(pixels))),
            decode: None,
        }))
    }
}

impl fmt::Debug for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.decoded().as_ref().map(|pixels| pixels.len());
        f.debug_struct("Pixels").field("decoded", &count).finish()
    }
}
