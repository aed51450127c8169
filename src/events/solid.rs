//! Nothing passes through anything: what a reading without a contact must not do.

use crate::{
    events::{
        path::{Path, dot, normal},
        plan::Plan,
        scene::Touch,
    },
    model::Cushion,
    units::TablePoint,
};

/// Moments of the window that are looked at.
const STEPS: i32 = 12;
/// Most that one penetration counts, in units of chi-square: calibration may be worse than thought.
const MOST: f64 = 25.0;

impl Plan<'_> {
    /// Chi-square of the depth to which balls run into each other or into cushions they are not said to touch.
    pub(super) fn penetration(&self, paths: &[Path]) -> f64 {
        let mut sum = 0.0;
        let options = self.scene.options;
        for (a, path) in paths.iter().enumerate() {
            for cushion in Cushion::ALL {
                if !self.says(|t| {
                    t == Touch::Cushion { a, cushion }
                        || matches!(t, Touch::Jaw { a: i, .. } if i == a)
                }) {
                    sum += cost(self.depth(path, cushion), options.cushion_gap_mm);
                }
            }
            for (b, other) in paths.iter().enumerate().skip(a + 1) {
                if !self.says(|t| t == Touch::Balls { a, b }) {
                    sum += cost(self.overlap(path, other), options.ball_gap_mm);
                }
            }
        }
        sum
    }

    fn says(&self, what: impl Fn(Touch) -> bool) -> bool {
        self.contacts.iter().any(|c| what(c.touch))
    }

    fn times(&self) -> impl Iterator<Item = f64> {
        let (from, to) = self.scene.window;
        (0..=STEPS).map(move |i| from + (to - from) * f64::from(i) / f64::from(STEPS))
    }

    /// How far the ball runs beyond the nose while still moving towards it; pocket mouths are open.
    fn depth(&self, path: &Path, cushion: Cushion) -> f64 {
        let table = self.scene.table;
        let reach = self.scene.options.mouth_diameters * table.ball_diameter_mm;
        let mut deepest: f64 = 0.0;
        for t in self.times() {
            let at = TablePoint::from(path.at(t));
            let open = table.pockets
                && crate::model::Pocket::ALL
                    .iter()
                    .any(|p| table.pocket_mouth(*p).distance(at) < reach);
            if !open && dot(path.leg(t).velocity_at(t), normal(cushion)) > 0.0 {
                deepest = deepest.max(-table.cushion_gap(at, cushion));
            }
        }
        deepest
    }

    fn overlap(&self, a: &Path, b: &Path) -> f64 {
        let mut deepest: f64 = 0.0;
        for t in self.times() {
            let (p, q) = (a.at(t), b.at(t));
            deepest =
                deepest.max(self.scene.table.ball_diameter_mm - (p[0] - q[0]).hypot(p[1] - q[1]));
        }
        deepest
    }
}

fn cost(depth: f64, sigma: f64) -> f64 {
    (depth / sigma).powi(2).min(MOST)
}
