//! The camera from marks on the nose lines: Levenberg and Marquardt on ten numbers.

use nalgebra::{DMatrix, DVector, Rotation3, Vector3};

use super::camera::Camera;
use crate::{
    model::{Cushion, TableSpec},
    units::ImagePoint,
};

/// A point of the picture where a cushion's nose is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Whose nose.
    pub cushion: Cushion,
    /// Where, px.
    pub seen: ImagePoint,
    /// How far it may be off across the nose line, px.
    pub sigma_px: f64,
}

/// What is believed about a lens before looking.
///
/// Straight above a table, a longer lens higher up gives the same picture of the nose rectangle: the focal length is
/// then not to be had from it. Believing a wrong one costs little, because balls are placed at nearly the noses'
/// height: 30 % too long or short moves a ball centre 1.4 m from the point below the camera by 0.8 mm under a camera
/// 3 m up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prior {
    /// Focal length over the picture's longer side, and its spread as a factor's logarithm.
    pub(crate) focal: [f64; 2],
    /// Spread of the first distortion coefficient about zero.
    pub(crate) k1: f64,
    /// Spread of the principal point about the middle, over the picture's longer side.
    pub(crate) centre: f64,
    /// Spread of the tilt about straight down, rad.
    pub(crate) tilt: f64,
}

impl Prior {
    /// Cameras above tables: from wide phones (0.7) to television's long lenses (2).
    pub(crate) const ANY_CAMERA: Self = Self {
        focal: [1.0, 0.35],
        k1: 0.15,
        centre: 0.012,
        tilt: 0.35,
    };
}

/// A camera with how well it explains the marks.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    /// The camera.
    pub(crate) camera: Camera,
    /// What the prior says against the camera, in squared sigmas.
    pub(crate) strain: f64,
    /// px per mm at the middle of the noses' rectangle.
    pub(crate) px_per_mm: f64,
    /// Each mark's distance from its nose line, mm, outwards positive.
    pub(crate) residuals: Vec<f64>,
}

/// Numbers that are solved for: turn (3), place of the table's middle (3), log focal length, k1, principal point (2),
/// and, when it is free, the table's width over its given one.
const UNKNOWNS: usize = 10;

/// A least-squares problem about a starting camera.
pub(crate) struct Problem<'a> {
    pub(crate) table: &'a TableSpec,
    pub(crate) prior: Prior,
    pub(crate) start: Camera,
    pub(crate) free_width: bool,
}

impl Problem<'_> {
    /// The camera after a change of its numbers.
    fn camera(&self, p: &DVector<f64>) -> Camera {
        let turn = Rotation3::new(Vector3::new(p[0], p[1], p[2]));
        let table = Vector3::new(
            0.5 * self.table.length_mm,
            0.5 * self.table.width_mm,
            -self.table.nose_height_mm,
        );
        let unit = self.table.length_mm;
        let middle = self.start.rotation * table
            + self.start.translation
            + Vector3::new(p[3], p[4], p[5]) * unit;
        let rotation = turn.matrix() * self.start.rotation;
        let longer = f64::from(self.start.size[0].max(self.start.size[1]));
        Camera {
            size: self.start.size,
            focal_px: self.start.focal_px * p[6].exp(),
            centre: ImagePoint::new(
                self.start.centre.x + p[8] * longer,
                self.start.centre.y + p[9] * longer,
            ),
            distortion: [self.start.distortion[0] + p[7], self.start.distortion[1]],
            rotation,
            translation: middle - rotation * table,
        }
    }

    fn width_mm(&self, p: &DVector<f64>) -> f64 {
        self.table.width_mm * (1.0 + p.get(UNKNOWNS).copied().unwrap_or(0.0))
    }

    /// Numbers that are solved for.
    pub(crate) fn unknowns(&self) -> usize {
        UNKNOWNS + usize::from(self.free_width)
    }

    /// Residuals in their own sigmas: the marks', then what the prior says.
    pub(crate) fn residuals(&self, p: &DVector<f64>, marks: &[Mark], scale: f64) -> DVector<f64> {
        let camera = self.camera(p);
        let width = self.width_mm(p);
        let longer = f64::from(camera.size[0].max(camera.size[1]));
        let middle = [
            0.5 * f64::from(camera.size[0]),
            0.5 * f64::from(camera.size[1]),
        ];
        let prior = [
            (camera.focal_px / longer / self.prior.focal[0]).ln() / self.prior.focal[1],
            camera.distortion[0] / self.prior.k1,
            (camera.centre.x + 0.5 - middle[0]) / longer / self.prior.centre,
            (camera.centre.y + 0.5 - middle[1]) / longer / self.prior.centre,
            camera.rotation[(2, 0)] / self.prior.tilt,
            camera.rotation[(2, 1)] / self.prior.tilt,
            p.get(UNKNOWNS).copied().unwrap_or(0.0) / 0.3,
        ];
        let of_marks = marks
            .iter()
            .map(|m| off_nose(&camera, self.table, width, m) * scale / m.sigma_px);
        DVector::from_iterator(marks.len() + prior.len(), of_marks.chain(prior))
    }

    /// Derivatives of [`Self::residuals`] about `p`.
    pub(crate) fn jacobian(&self, p: &DVector<f64>, marks: &[Mark], scale: f64) -> DMatrix<f64> {
        let at = self.residuals(p, marks, scale);
        let mut j = DMatrix::zeros(at.len(), self.unknowns());
        for k in 0..self.unknowns() {
            let step = 1e-6;
            let mut q = p.clone();
            q[k] += step;
            j.set_column(k, &((self.residuals(&q, marks, scale) - &at) / step));
        }
        j
    }

    /// Solves, `robust` sigmas being where a mark's pull stops to grow (Tukey: where it ends).
    pub(crate) fn solve(&self, marks: &[Mark], robust: Option<f64>) -> Solution {
        let scale = px_per_mm(&self.start, self.table);
        let mut p = DVector::zeros(self.unknowns());
        let mut damping = 1e-3;
        let mut r = self.residuals(&p, marks, scale);
        for _ in 0..40 {
            let w = weights(&r, marks.len(), robust);
            let j = self.jacobian(&p, marks, scale);
            let jw = DMatrix::from_fn(j.nrows(), j.ncols(), |a, b| j[(a, b)] * w[a]);
            let (normal, gradient) = (jw.tr_mul(&j), jw.tr_mul(&r));
            let cost = weighted(&r, &w);
            let mut step_taken = f64::INFINITY;
            for _ in 0..8 {
                let mut damped = normal.clone();
                for k in 0..self.unknowns() {
                    damped[(k, k)] += damping * normal[(k, k)] + 1e-12;
                }
                let Some(step) = damped.cholesky().map(|c| c.solve(&gradient)) else {
                    damping *= 10.0;
                    continue;
                };
                let q = &p - &step;
                let next = self.residuals(&q, marks, scale);
                if weighted(&next, &w) <= cost {
                    step_taken = step.amax();
                    p = q;
                    r = next;
                    damping = (damping * 0.2).max(1e-9);
                    break;
                }
                damping *= 10.0;
            }
            if step_taken < 1e-8 || step_taken.is_infinite() {
                break;
            }
        }
        let camera = self.camera(&p);
        let width_mm = self.width_mm(&p);
        Solution {
            residuals: marks
                .iter()
                .map(|m| off_nose(&camera, self.table, width_mm, m))
                .collect(),
            strain: r.rows_range(marks.len()..).norm_squared(),
            px_per_mm: px_per_mm(&camera, self.table),
            camera,
        }
    }
}

/// A mark's distance from its nose line, mm, outwards positive; a mark that no ray reaches is far off.
fn off_nose(camera: &Camera, table: &TableSpec, width_mm: f64, mark: &Mark) -> f64 {
    let Some(p) = camera.unproject(mark.seen, table.nose_height_mm) else {
        return 1e4;
    };
    match mark.cushion {
        Cushion::S => -p.x,
        Cushion::N => p.x - table.length_mm,
        Cushion::W => 0.5 * (table.width_mm - width_mm) - p.y,
        Cushion::E => p.y - 0.5 * (table.width_mm + width_mm),
    }
}

/// px per mm at the middle of the noses' rectangle.
pub(crate) fn px_per_mm(camera: &Camera, table: &TableSpec) -> f64 {
    let middle = crate::units::TablePoint::new(0.5 * table.length_mm, 0.5 * table.width_mm);
    camera.px_per_mm(middle, table.nose_height_mm)
}

fn weights(r: &DVector<f64>, marks: usize, robust: Option<f64>) -> DVector<f64> {
    DVector::from_fn(r.len(), |i, _| match robust {
        Some(limit) if i < marks => (1.0 - (r[i] / limit).powi(2)).max(0.0).powi(2),
        _ => 1.0,
    })
}

fn weighted(r: &DVector<f64>, w: &DVector<f64>) -> f64 {
    r.iter().zip(w.iter()).map(|(r, w)| r * r * w).sum()
}
