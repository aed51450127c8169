//! From the picture to the table and back: the camera, how it is found, and what that costs in mm.

pub mod camera;
mod cloth;
mod combine;
mod error;
pub mod estimate;
mod file;
mod hypothesis;
mod marks;
mod orient;
mod outline;
pub mod picture;
mod raster;
mod region;
mod segment;
mod solve;
mod strip;

use crate::{
    calib::camera::Camera,
    model::TableSpec,
    units::{ImagePoint, TablePoint},
};

pub use error::CalibError;
pub use estimate::{Found, Options, estimate, find};
pub use orient::Near;
pub use solve::Mark;

/// A camera over a table, with how well it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The camera.
    pub camera: Camera,
    /// The table it looks at.
    pub table: TableSpec,
    /// Root mean square of the nose marks' residuals, mm at nose height.
    pub residual_mm: f64,
    /// Largest of them, mm.
    pub worst_mm: f64,
    /// `automatic`, or the file it was read from.
    pub from: String,
}

impl Calibration {
    /// Places a ball whose centre is seen at `centre`: at its own height, one radius above the cloth.
    ///
    /// Returns `None` when the ray does not meet the table's plane (never for a picture the calibration was made from).
    pub fn ball_on_table(&self, centre: ImagePoint) -> Option<TablePoint> {
        self.camera.unproject(centre, self.table.ball_radius_mm())
    }

    /// Where the centre of a ball at `place` is seen.
    pub fn ball_in_picture(&self, place: TablePoint) -> ImagePoint {
        self.camera.project(place, self.table.ball_radius_mm())
    }

    /// How far the corners of the noses lie from those of another calibration of the same picture, mm, at most. Which
    /// corner is which does not matter.
    pub fn away_from(&self, other: &Self) -> f64 {
        let corners = |c: &Self| {
            let (l, w) = (c.table.length_mm, c.table.width_mm);
            [(0.0, 0.0), (l, 0.0), (l, w), (0.0, w)].map(|(x, y)| {
                c.camera
                    .project(TablePoint::new(x, y), c.table.nose_height_mm)
            })
        };
        let others = corners(other);
        let nearest = |p: ImagePoint| {
            others
                .map(|o| o.distance(p))
                .into_iter()
                .fold(f64::MAX, f64::min)
        };
        let px = corners(self).map(nearest).into_iter().fold(0.0, f64::max);
        px / solve::px_per_mm(&self.camera, &self.table)
    }

    /// Radius of the outline of a ball in the middle of the table, px: typical of the picture.
    pub fn middle_ball_radius_px(&self) -> f64 {
        let middle = TablePoint::new(0.5 * self.table.length_mm, 0.5 * self.table.width_mm);
        self.ball_radius_px(middle)
    }

    /// Radius of the outline of a ball at `place`, px.
    pub fn ball_radius_px(&self, place: TablePoint) -> f64 {
        self.camera.px_per_mm(place, self.table.ball_radius_mm()) * self.table.ball_radius_mm()
    }
}
