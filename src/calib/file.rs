//! Calibrations as files a person can read.

use std::{fmt::Write, fs, path::Path};

use serde::Deserialize;

use super::{CalibError, Calibration, camera::Camera};
use crate::{
    model::TableSpec,
    units::{ImagePoint, TablePoint},
};

/// What the first line of a file must say.
const FORMAT: &str = "marqueur-calibration/1";

#[derive(Deserialize)]
struct File {
    format: String,
    picture_px: [u32; 2],
    table: TableSpec,
    camera: CameraNumbers,
    residual: Residual,
}

#[derive(Deserialize)]
struct CameraNumbers {
    focal_px: f64,
    centre_px: [f64; 2],
    distortion: [f64; 2],
    rotation_rad: [f64; 3],
    translation_mm: [f64; 3],
}

#[derive(Deserialize)]
struct Residual {
    rms_mm: f64,
    worst_mm: f64,
}

impl Calibration {
    /// Reads a calibration file.
    ///
    /// # Errors
    /// [`CalibError::File`] when it cannot be read; [`CalibError::Nonsense`] when numbers are missing or cannot be
    /// those of a camera above a table.
    pub fn load(path: &Path) -> Result<Self, CalibError> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|source| CalibError::File {
            path: name.clone(),
            source,
        })?;
        let nonsense = |why: String| CalibError::Nonsense {
            path: name.clone(),
            why,
        };
        let mut found = Self::from_toml(&text).map_err(nonsense)?;
        found.from = path
            .file_name()
            .map_or_else(|| name.clone(), |n| n.to_string_lossy().into_owned());
        Ok(found)
    }

    /// Writes a calibration file, by way of a neighbouring temporary file: what is there is whole.
    ///
    /// # Errors
    /// [`CalibError::File`] when it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CalibError> {
        let failed = |source| CalibError::File {
            path: path.display().to_string(),
            source,
        };
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let beside = path.with_extension("toml.part");
        fs::write(&beside, self.to_toml()).map_err(failed)?;
        fs::rename(&beside, path).map_err(failed)
    }

    /// The calibration for pictures of another size and the same shape.
    ///
    /// # Errors
    /// [`CalibError::OtherPicture`] when the shape differs: what was cut off or squeezed cannot be told.
    pub fn fits(&self, size: [u32; 2]) -> Result<Self, CalibError> {
        let made_for = self.camera.size;
        if made_for == size {
            return Ok(self.clone());
        }
        let [x, y] = [0, 1].map(|k| f64::from(size[k]) / f64::from(made_for[k]));
        // A pixel more or less by rounding is the same shape.
        let slack = 1.0 / f64::from(size[1].min(made_for[1]).max(1));
        if !(x > 0.0 && y > 0.0 && (x / y - 1.0).abs() <= slack) {
            return Err(CalibError::OtherPicture {
                expected: made_for,
                found: size,
            });
        }
        let mut scaled = self.clone();
        scaled.camera.size = size;
        scaled.camera.focal_px *= x;
        scaled.camera.centre = ImagePoint::new(
            (self.camera.centre.x + 0.5) * x - 0.5,
            (self.camera.centre.y + 0.5) * x - 0.5,
        );
        Ok(scaled)
    }

    /// The file's text. Numbers are written so that they are read back to the last bit (the rotation to 1e-15).
    pub fn to_toml(&self) -> String {
        let (c, t) = (&self.camera, &self.table);
        let [x, y, z] = c.position();
        let mut out = String::new();
        // Writing to a String does not fail.
        let _ = write!(
            out,
            "# How the camera sees the table. Made by marqueur {version}; `marqueur calibrate` makes a new one.
# Table frame: mm; origin where the near short cushion's nose meets the left long cushion's nose, x towards the far
# short cushion, y towards the right long cushion. Picture: px, pixel centres at integers, x right, y down.
format = \"{FORMAT}\"
picture_px = [{width}, {height}]

[table]
name = {name:?}
length_mm = {length:?}
width_mm = {table_width:?}
ball_diameter_mm = {ball:?}
nose_height_mm = {nose:?}
pockets = {pockets}

[residual]
# Distances of the marks on the noses from the noses' lines, at nose height.
rms_mm = {rms:?}
worst_mm = {worst:?}

[camera]
# The lens stands at x {x:.0}, y {y:.0}, {z:.0} mm above the cloth.
focal_px = {focal:?}
centre_px = [{cx:?}, {cy:?}]
# Radial: a direction's distance r from the axis becomes r (1 + k1 r^2 + k2 r^4).
distortion = {distortion:?}
# From the table's (x, y, -z) to the camera's (right, down, into the picture): axis times angle.
rotation_rad = {rotation:?}
translation_mm = {translation:?}
",
            version = env!("CARGO_PKG_VERSION"),
            width = c.size[0],
            height = c.size[1],
            name = t.name,
            length = t.length_mm,
            table_width = t.width_mm,
            ball = t.ball_diameter_mm,
            nose = t.nose_height_mm,
            pockets = t.pockets,
            rms = self.residual_mm,
            worst = self.worst_mm,
            focal = c.focal_px,
            cx = c.centre.x,
            cy = c.centre.y,
            distortion = c.distortion,
            rotation = c.rotation_vector(),
            translation = <[f64; 3]>::from(c.translation),
        );
        out
    }

    /// Reads the file's text; the error says in words what is wrong.
    fn from_toml(text: &str) -> Result<Self, String> {
        let file: File =
            toml::from_str(text).map_err(|e| e.to_string().trim().replace('\n', " "))?;
        if file.format != FORMAT {
            return Err(format!(
                "its format is {:?}, this program reads {FORMAT:?}",
                file.format
            ));
        }
        let c = &file.camera;
        let found = Self {
            camera: Camera::new(
                file.picture_px,
                c.focal_px,
                ImagePoint::new(c.centre_px[0], c.centre_px[1]),
                c.distortion,
                c.rotation_rad,
                c.translation_mm,
            ),
            table: file.table,
            residual_mm: file.residual.rms_mm,
            worst_mm: file.residual.worst_mm,
            from: "file".to_owned(),
        };
        found.checked()
    }

    /// Refuses numbers that no camera above a table has.
    fn checked(self) -> Result<Self, String> {
        let (c, t) = (&self.camera, &self.table);
        let within = |what: &str, value: f64, least: f64, most: f64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(format!(
                "{what} is {value}, which is not between {least} and {most}"
            ))
        };
        let longer = f64::from(c.size[0].max(c.size[1]));
        for side in c.size {
            within("a side of picture_px", f64::from(side), 16.0, 32768.0)?;
        }
        within("length_mm", t.length_mm, 500.0, 5000.0)?;
        within("width_mm", t.width_mm, 250.0, t.length_mm)?;
        within("ball_diameter_mm", t.ball_diameter_mm, 20.0, 100.0)?;
        within("nose_height_mm", t.nose_height_mm, 5.0, 100.0)?;
        within("rms_mm", self.residual_mm, 0.0, 50.0)?;
        within("worst_mm", self.worst_mm, 0.0, 500.0)?;
        within("focal_px", c.focal_px, 0.1 * longer, 100.0 * longer)?;
        within("centre_px x", c.centre.x, -longer, 2.0 * longer)?;
        within("centre_px y", c.centre.y, -longer, 2.0 * longer)?;
        for k in c.distortion {
            within("a distortion", k, -5.0, 5.0)?;
        }
        for n in c.rotation_vector().into_iter().chain(c.position()) {
            within("a camera number", n, -1e6, 1e6)?;
        }
        within(
            "the lens's height above the cloth (mm)",
            c.position()[2],
            200.0,
            1e5,
        )?;
        let middle = c.project(TablePoint::new(0.5 * t.length_mm, 0.5 * t.width_mm), 0.0);
        within(
            "the table's middle in the picture, x",
            middle.x,
            0.0,
            f64::from(c.size[0]),
        )?;
        within(
            "the table's middle in the picture, y",
            middle.y,
            0.0,
            f64::from(c.size[1]),
        )?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Calibration {
        Calibration {
            camera: Camera::new(
                [1920, 1080],
                1500.0,
                ImagePoint::new(955.0, 545.0),
                [-0.12, 0.02],
                [0.08, -0.05, 0.03],
                [-1400.0, -690.0, 3100.0],
            ),
            table: TableSpec::named("carom-match").unwrap(),
            residual_mm: 0.61,
            worst_mm: 1.4,
            from: "automatic".to_owned(),
        }
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("hall/table 3.toml");
        sample().save(&path).unwrap();
        let back = Calibration::load(&path).unwrap();
        assert_eq!(back.from, "table 3.toml");
        assert!((back.camera.rotation - sample().camera.rotation).amax() < 1e-14);
        assert_eq!(back.camera.translation, sample().camera.translation);
        assert_eq!(back.table, sample().table);
        assert_eq!(
            std::fs::read_dir(dir.path().join("hall")).unwrap().count(),
            1
        );
    }

    #[test]
    fn absurd_or_missing_numbers_are_refused_by_name() {
        let good = sample().to_toml();
        for (from, to, word) in [
            ("focal_px = 1500.0", "focal_px = -3.0", "focal_px"),
            ("focal_px = 1500.0", "", "focal_px"),
            ("length_mm = 2840.0", "length_mm = 1400.0", "width_mm"),
            ("width_mm = 1420.0", "width_mm = nan", "width_mm"),
            ("3100.0]", "-3100.0]", "height"),
            ("[-1400.0,", "[14000.0,", "middle"),
            ("calibration/1", "calibration/9", "format"),
            (
                "picture_px = [1920, 1080]",
                "picture_px = [0, 1080]",
                "picture_px",
            ),
        ] {
            assert!(good.contains(from), "{from}");
            let why = Calibration::from_toml(&good.replace(from, to)).unwrap_err();
            assert!(why.contains(word), "{from} -> {to}: {why}");
        }
        assert!(Calibration::from_toml(&good).is_ok());
    }

    #[test]
    fn a_missing_file_is_named() {
        let e = Calibration::load(Path::new("no/such.toml")).unwrap_err();
        assert!(matches!(&e, CalibError::File { path, .. } if path == "no/such.toml"));
    }

    #[test]
    fn another_size_of_the_same_shape_is_scaled() {
        let small = sample().fits([1280, 720]).unwrap();
        let p = TablePoint::new(2000.0, 300.0);
        let (a, b) = (sample().ball_in_picture(p), small.ball_in_picture(p));
        assert!(((a.x + 0.5) / 1.5 - 0.5 - b.x).abs() < 1e-9);
        assert!(((a.y + 0.5) / 1.5 - 0.5 - b.y).abs() < 1e-9);
        assert!(sample().fits([854, 480]).is_ok());
        assert!(matches!(
            sample().fits([1440, 1080]),
            Err(CalibError::OtherPicture { .. })
        ));
        assert!(sample().fits([0, 0]).is_err());
    }
}
