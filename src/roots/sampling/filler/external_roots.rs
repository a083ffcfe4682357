//! Roots of another set, on a scalp beside this one, that keep roots away.

use super::{Filler, GUARD};
use crate::roots::{Roots, SampleError};

impl Filler<'_> {
    /// Keeps roots of another set in mind, before there are any of this one's: at every level, no
    /// root is nearer to them than their own spacing, and what they cover by that is covered.
    pub(crate) fn keep_off(&mut self, others: &Roots) -> Result<(), SampleError> {
        let all = others.positions.iter().zip(&others.face_normals);
        for (&position, &normal) in all {
            self.index.add(position, normal)?;
        }
        self.points = others.points.clone();
        self.external_count = self.points.len();
        let own = f64::from(others.spacing) * (1.0 + GUARD);
        self.radii = vec![own; self.external_count];
        Ok(())
    }
}
