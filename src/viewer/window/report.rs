//! The report of a window, for other programs.

use crate::viewer::app::App;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// The report of a window, made when it is closed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the last head; `None`: none was shown.
    pub head: Option<String>,
    /// The number of its triangles.
    pub triangles: usize,
    /// The number of its strands.
    pub strands: usize,
    /// The name of the graphics driver.
    pub renderer: String,
    /// The number of pictures drawn.
    pub pictures: u64,
    /// The time from the GL context to the first picture of a head with its hair on the screen.
    pub first_picture_seconds: Option<f64>,
    /// The picture that was asked for.
    pub screenshot: Option<PathBuf>,
}

/// Counts what the window shows.
pub(crate) struct Pictures {
    since: Instant,
    count: u64,
    first_secs: Option<f64>,
    /// The file of the picture that was asked for.
    pub(crate) saved: Option<PathBuf>,
}

impl Pictures {
    /// Starts to count. Call this as soon as there is a GL context.
    pub(crate) fn from_now() -> Self {
        Self {
            since: Instant::now(),
            count: 0,
            first_secs: None,
            saved: None,
        }
    }

    /// Counts a picture on the screen. Returns true for the first with a head.
    pub(crate) fn count(&mut self, with_head: bool) -> bool {
        self.count += 1;
        let first = with_head && self.first_secs.is_none();
        if first {
            let elapsed = self.since.elapsed();
            let ms = elapsed.as_millis();
            tracing::debug!("first picture {ms} ms after the GL context");
            self.first_secs = Some(elapsed.as_secs_f64());
        }
        first
    }

    pub(crate) fn report(self, app: &App) -> Report {
        Report {
            head: app.subject.head.as_ref().map(|head| head.name.clone()),
            triangles: app.subject.triangles(),
            strands: app.subject.strands(),
            renderer: app.statistics.renderer.clone(),
            pictures: self.count,
            first_picture_seconds: self.first_secs,
            screenshot: self.saved,
        }
    }
}
