//! A pinhole camera with radial distortion, in the table frame.

use nalgebra::{Matrix3, Rotation3, Vector3};

use crate::units::{ImagePoint, TablePoint};

/// A pinhole camera with two radial distortion coefficients and square pixels.
///
/// A point of the table frame (x, y, z up, mm) is first written as (x, y, -z), which is right-handed like the
/// camera's own frame (x right, y down, z into the picture); then `rotation` and `translation` carry it into
/// the camera, the distortion scales its direction by 1 + k1 r^2 + k2 r^4, and the focal length makes pixels of it.
///
/// # Units
/// `focal_px`, `centre`: px. `translation`: mm. Rotation: rows are the camera's axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Width and height of the pictures it was calibrated for, px.
    pub size: [u32; 2],
    /// Focal length, px.
    pub focal_px: f64,
    /// Principal point, px.
    pub centre: ImagePoint,
    /// Radial distortion k1, k2.
    pub distortion: [f64; 2],
    /// From the (x, y, -z) table frame to the camera frame.
    pub rotation: Matrix3<f64>,
    /// Place of the table frame's origin in the camera frame, mm.
    pub translation: Vector3<f64>,
}

impl Camera {
    /// A camera from a rotation vector (axis times angle, rad), as solvers and files write it.
    pub fn new(
        size: [u32; 2],
        focal_px: f64,
        centre: ImagePoint,
        distortion: [f64; 2],
        rotation_vector: [f64; 3],
        translation_mm: [f64; 3],
    ) -> Self {
        Self {
            size,
            focal_px,
            centre,
            distortion,
            rotation: *Rotation3::new(Vector3::from(rotation_vector)).matrix(),
            translation: Vector3::from(translation_mm),
        }
    }

    /// The rotation as axis times angle, rad.
    pub fn rotation_vector(&self) -> [f64; 3] {
        Rotation3::from_matrix_unchecked(self.rotation)
            .scaled_axis()
            .into()
    }

    /// Where the lens stands: table frame, mm, z up.
    pub fn position(&self) -> [f64; 3] {
        let c = -(self.rotation.transpose() * self.translation);
        [c.x, c.y, -c.z]
    }

    /// Where a point `height_mm` above the cloth is seen, px. Points behind the camera give NaN.
    pub fn project(&self, place: TablePoint, height_mm: f64) -> ImagePoint {
        let p = self.rotation * Vector3::new(place.x, place.y, -height_mm) + self.translation;
        if p.z <= 0.0 {
            return ImagePoint::new(f64::NAN, f64::NAN);
        }
        let (x, y) = (p.x / p.z, p.y / p.z);
        let r2 = x * x + y * y;
        let k = self.focal_px * (1.0 + r2 * (self.distortion[0] + r2 * self.distortion[1]));
        ImagePoint::new(self.centre.x + k * x, self.centre.y + k * y)
    }

    /// Direction of the ray through a pixel, camera frame, z = 1: the distortion is undone by Newton's method,
    /// to better than a thousandth of a pixel for any lens whose mapping does not fold.
    fn ray(&self, seen: ImagePoint) -> Vector3<f64> {
        let (xd, yd) = (
            (seen.x - self.centre.x) / self.focal_px,
            (seen.y - self.centre.y) / self.focal_px,
        );
        let rd = xd.hypot(yd);
        if rd < 1e-12 {
            return Vector3::new(xd, yd, 1.0);
        }
        let [k1, k2] = self.distortion;
        let mut r = rd;
        for _ in 0..12 {
            let r2 = r * r;
            let slope = 1.0 + r2 * (3.0 * k1 + 5.0 * r2 * k2);
            if slope.abs() < 1e-6 {
                break;
            }
            let step = (r * (1.0 + r2 * (k1 + r2 * k2)) - rd) / slope;
            r -= step;
            if step.abs() < 1e-12 {
                break;
            }
        }
        Vector3::new(xd * r / rd, yd * r / rd, 1.0)
    }

    /// The point `height_mm` above the cloth that is seen at `seen`, mm.
    ///
    /// Returns `None` when the ray runs along the plane or meets it behind the camera.
    pub fn unproject(&self, seen: ImagePoint, height_mm: f64) -> Option<TablePoint> {
        let direction = self.rotation.transpose() * self.ray(seen);
        let origin = -(self.rotation.transpose() * self.translation);
        let t = (-height_mm - origin.z) / direction.z;
        let p = origin + direction * t;
        (t.is_finite() && t > 0.0 && p.x.is_finite()).then(|| TablePoint::new(p.x, p.y))
    }

    /// Scale of the picture at a place: px per mm, geometric mean over directions.
    pub fn px_per_mm(&self, place: TablePoint, height_mm: f64) -> f64 {
        let [[a, b], [c, d]] = self.jacobian(place, height_mm);
        (a * d - b * c).abs().sqrt()
    }

    /// Derivative of the projection: d(px)/d(mm), rows image x and y, columns table x and y.
    pub fn jacobian(&self, place: TablePoint, height_mm: f64) -> [[f64; 2]; 2] {
        let h = 0.5;
        let east = self.project(TablePoint::new(place.x + h, place.y), height_mm);
        let west = self.project(TablePoint::new(place.x - h, place.y), height_mm);
        let south = self.project(TablePoint::new(place.x, place.y + h), height_mm);
        let north = self.project(TablePoint::new(place.x, place.y - h), height_mm);
        let k = 0.5 / h;
        [
            [(east.x - west.x) * k, (south.x - north.x) * k],
            [(east.y - west.y) * k, (south.y - north.y) * k],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilted() -> Camera {
        Camera::new(
            [1920, 1080],
            1500.0,
            ImagePoint::new(955.0, 545.0),
            [-0.12, 0.02],
            [0.08, -0.05, 0.03],
            [-1400.0, -690.0, 3100.0],
        )
    }

    #[test]
    fn unprojecting_a_projected_point_returns_it() {
        let camera = tilted();
        for (x, y, z) in [
            (0.0, 0.0, 37.0),
            (2840.0, 1420.0, 30.75),
            (1000.0, 300.0, 0.0),
        ] {
            let p = TablePoint::new(x, y);
            let back = camera.unproject(camera.project(p, z), z).unwrap();
            assert!(back.distance(p) < 1e-6, "{p:?} came back as {back:?}");
        }
    }

    #[test]
    fn higher_points_are_seen_further_from_the_point_below_the_camera() {
        let camera = tilted();
        let [x, y, z] = camera.position();
        assert!(z > 2500.0);
        let below = camera.project(TablePoint::new(x, y), 0.0);
        let p = TablePoint::new(x + 1000.0, y);
        assert!(
            camera.project(p, 60.0).distance(below) > camera.project(p, 0.0).distance(below) + 5.0
        );
    }

    #[test]
    fn table_axes_run_right_and_down_in_the_picture() {
        let camera = tilted();
        let [[a, _], [_, d]] = camera.jacobian(TablePoint::new(1420.0, 710.0), 0.0);
        assert!(a > 0.3 && d > 0.3);
    }
}
