//! The places of some vertices of a part at a moment.

use super::{Moment, Rig, morphed};
use glam::{DMat3, DMat4, Vec3};
use rayon::prelude::*;

impl Rig {
    /// Returns the positions of some vertices of a part at a time of an animation, as in
    /// [`shapes`](Self::shapes).
    ///
    /// # Panics
    /// If there is no such part or vertex.
    pub fn vertices(&self, animation: usize, secs: f64, part: usize, which: &[u32]) -> Vec<Vec3> {
        let moment = self.moment(animation, secs);
        self.moved(&moment, part, which, |_, position| position)
    }

    /// Returns the positions of some vertices of a part as [`vertices`](Self::vertices), with the maps by
    /// which nodes and joints turn the mesh there. `None`: as the file has them at rest.
    ///
    /// # Panics
    /// If there is no such part or vertex.
    pub(crate) fn turned_vertices(
        &self,
        at: Option<(usize, f64)>,
        part: usize,
        which: &[u32],
    ) -> Vec<(Vec3, DMat3)> {
        // No animation has this number.
        let (animation, secs) = at.unwrap_or((usize::MAX, 0.0));
        let moment = self.moment(animation, secs);
        let turned = |matrix: &DMat4, position: Vec3| (position, DMat3::from_mat4(*matrix));
        self.moved(&moment, part, which, turned)
    }

    fn moved<T: Send>(
        &self,
        moment: &Moment,
        part: usize,
        which: &[u32],
        of: impl Fn(&DMat4, Vec3) -> T + Sync,
    ) -> Vec<T> {
        let (back, limb) = (self.back(moment), &self.limbs[part]);
        let whole = back * moment.of_node(limb.node);
        let joints = limb.influences.as_ref().map(|influences| {
            let joints = moment.of_joints(&self.skins, influences.skin, back);
            (influences, joints)
        });
        let weights = moment.weights_of(limb);
        let mut targets = limb.targets.iter().zip(weights);
        let is_morphed = targets.any(|(_, &weight)| weight != 0.0);
        let place = |&vertex: &u32| {
            let vertex = vertex as usize;
            let mut modelled = limb.vectors.positions[vertex];
            if is_morphed {
                modelled += morphed(&limb.targets, weights, vertex);
            }
            let matrix = match &joints {
                Some((influences, joints)) => influences.blend(vertex, joints),
                None => whole,
            };
            let position = matrix.transform_point3(modelled.as_dvec3());
            of(&matrix, position.as_vec3())
        };
        which.par_iter().map(place).collect()
    }
}
