//! `annotated.mp4`: the recording with the balls' paths, contacts and rulings drawn into it.
//!
//! A second pass over the recording, when everything is known; it changes nothing of the result.

use std::path::{Path, PathBuf};

use opencv::{
    core::{Mat, Point, Scalar, Vec3b},
    imgproc,
};

use crate::{
    calib::Calibration,
    cli::{CliError, Progress, recorder::Recorder, sheet},
    io::{OpenOptions, VideoFile, open_all},
    model::{
        Ball, Picture,
        record::{MatchRecord, ShotRecord},
    },
    units::{ImagePoint, TablePoint},
};

/// How long a path stays behind a ball, and a contact stays marked, s.
const TRAIL_S: f64 = 1.5;
const FLASH_S: f64 = 0.7;
/// OpenCV takes sixteenths of a pixel.
const SHIFT: i32 = 4;

/// What is drawn from.
pub struct Annotation<'a> {
    /// The match.
    pub record: &'a MatchRecord,
    /// From the table to the picture.
    pub calibration: &'a Calibration,
    /// Where the balls were.
    pub recorder: &'a Recorder,
}

impl Annotation<'_> {
    /// Reads the sources once more and writes `annotated.mp4` at their mean rate.
    ///
    /// # Errors
    /// [`CliError`] when a source cannot be read again or the video cannot be written.
    pub fn write(
        &self,
        sources: &[String],
        options: &OpenOptions,
        folder: &Path,
    ) -> Result<PathBuf, CliError> {
        let mut source = open_all(sources, options)?;
        let info = source.info().clone();
        let fps = [
            self.record.source.fps,
            info.nominal_fps.unwrap_or(0.0),
            30.0,
        ]
        .into_iter()
        .find(|f| f.is_finite() && *f > 0.0)
        .unwrap_or(30.0);
        let mut file = VideoFile::create(&folder.join("annotated.mp4"), info.size, fps)?;
        let progress = Progress::new(info.frames_hint, true);
        while let Some(mut frame) = source.read()? {
            self.draw(&mut frame.pixels, frame.at.secs())
                .map_err(|e| CliError::Failed(format!("OpenCV cannot draw: {}", e.message)))?;
            file.write(&frame.pixels)?;
            progress.set(frame.seq);
            source.recycle(frame.pixels);
        }
        Ok(file.finish()?)
    }

    fn draw(&self, pixels: &mut Picture, t_s: f64) -> opencv::Result<()> {
        let (height, width, _) = pixels.dim();
        let Some(memory) = pixels.as_slice_mut() else {
            return Ok(());
        };
        let mat = Mat::new_rows_cols_with_bytes_mut::<Vec3b>(height as i32, width as i32, memory)?;
        let mut canvas = Canvas {
            mat,
            scale: height as f64 / 1080.0,
        };
        self.trails(&mut canvas, t_s)?;
        let shot = self.record.shots.iter().rev().find(|s| s.start_s <= t_s);
        if let Some(shot) = shot {
            self.contacts(&mut canvas, shot, t_s)?;
        }
        canvas.caption(&self.caption(shot, t_s), height as f64)
    }

    fn trails(&self, canvas: &mut Canvas<'_>, t_s: f64) -> opencv::Result<()> {
        for (ball, path) in self.recorder.paths(t_s - TRAIL_S, t_s + 1e-4) {
            let colour = colour(ball);
            for pair in path.windows(2) {
                canvas.line(self.seen_at(pair[0].1), self.seen_at(pair[1].1), colour)?;
            }
            let Some((_, here)) = path.last().filter(|p| (p.0 - t_s).abs() < 1e-3) else {
                continue;
            };
            let radius = self.calibration.ball_radius_px(*here);
            canvas.circle(self.seen_at(*here), radius + 3.0 * canvas.scale, colour)?;
        }
        Ok(())
    }

    fn contacts(&self, canvas: &mut Canvas<'_>, shot: &ShotRecord, t_s: f64) -> opencv::Result<()> {
        for (n, event) in shot.events.iter().enumerate() {
            let age = t_s - event.t_s;
            let Some(at) = event.at_mm.filter(|_| (0.0..FLASH_S).contains(&age)) else {
                continue;
            };
            let place = TablePoint::from(at);
            let radius = self.calibration.ball_radius_px(place);
            let white = Scalar::new(255.0, 255.0, 255.0, 0.0);
            let grown = radius * (1.3 + age / FLASH_S);
            canvas.circle(self.seen_at(place), grown, white)?;
            let beside = self.seen_at(TablePoint::new(place.x + 45.0, place.y - 45.0));
            canvas.text(&(n + 1).to_string(), beside, 0.9)?;
        }
        Ok(())
    }

    fn seen_at(&self, place: TablePoint) -> ImagePoint {
        self.calibration.ball_in_picture(place)
    }

    /// The shot's number while it runs, its ruling once it is over, and the score.
    fn caption(&self, shot: Option<&ShotRecord>, t_s: f64) -> String {
        let Some(shot) = shot else {
            return self.record.source.name.clone();
        };
        let score: Vec<String> = self
            .record
            .players
            .iter()
            .map(|p| format!("{} {}", p.name, shot.score.get(&p.id).copied().unwrap_or(0)))
            .collect();
        if t_s < shot.stop_s {
            let ball = shot.struck.map_or("?", Ball::name);
            return format!("shot {}, {}, {ball}", shot.n, shot.player);
        }
        format!("{}   |   {}", sheet::shot_line(shot), score.join("  "))
    }
}

/// A picture being drawn on. Sizes are for 1080 rows and scaled to what there is.
struct Canvas<'a> {
    mat: opencv::boxed_ref::BoxedRefMut<'a, Mat>,
    scale: f64,
}

impl Canvas<'_> {
    fn thickness(&self) -> i32 {
        (2.0 * self.scale).round().max(1.0) as i32
    }

    fn line(&mut self, a: ImagePoint, b: ImagePoint, colour: Scalar) -> opencv::Result<()> {
        let thickness = self.thickness();
        let (a, b) = (fixed(a), fixed(b));
        imgproc::line(
            &mut self.mat,
            a,
            b,
            colour,
            thickness,
            imgproc::LINE_AA,
            SHIFT,
        )
    }

    fn circle(&mut self, centre: ImagePoint, radius: f64, colour: Scalar) -> opencv::Result<()> {
        let radius = (radius.clamp(1.0, 4000.0) * f64::from(1 << SHIFT)) as i32;
        let thickness = self.thickness();
        let centre = fixed(centre);
        imgproc::circle(
            &mut self.mat,
            centre,
            radius,
            colour,
            thickness,
            imgproc::LINE_AA,
            SHIFT,
        )
    }

    /// White on black, so that it is read on any cloth. OpenCV's letters are ASCII.
    fn text(&mut self, text: &str, at: ImagePoint, size: f64) -> opencv::Result<()> {
        let ascii: String = text
            .chars()
            .map(|c| if c.is_ascii() { c } else { '?' })
            .collect();
        let origin = Point::new(at.x.round() as i32, at.y.round() as i32);
        let base = self.thickness();
        for (grey, thickness) in [(0.0, 3 * base), (255.0, base)] {
            imgproc::put_text(
                &mut self.mat,
                &ascii,
                origin,
                imgproc::FONT_HERSHEY_SIMPLEX,
                size * self.scale,
                Scalar::new(grey, grey, grey, 0.0),
                thickness,
                imgproc::LINE_AA,
                false,
            )?;
        }
        Ok(())
    }

    fn caption(&mut self, text: &str, height: f64) -> opencv::Result<()> {
        let margin = 24.0 * self.scale;
        self.text(text, ImagePoint::new(margin, height - margin), 1.0)
    }
}

fn fixed(p: ImagePoint) -> Point {
    let k = f64::from(1 << SHIFT);
    // Places behind the camera are NaN: drawn at the corner rather than nowhere OpenCV could trip over.
    let coordinate = |v: f64| {
        if v.is_finite() {
            (v.clamp(-8000.0, 8000.0) * k).round() as i32
        } else {
            0
        }
    };
    Point::new(coordinate(p.x), coordinate(p.y))
}

/// Blue, green, red.
fn colour(ball: Ball) -> Scalar {
    let [r, g, b] = match ball {
        Ball::White | Ball::Spot | Ball::White1 | Ball::White2 => [255.0, 255.0, 255.0],
        Ball::Yellow => [255.0, 214.0, 40.0],
        Ball::Red | Ball::Red1 | Ball::Red2 => [255.0, 60.0, 50.0],
        Ball::Blue => [80.0, 140.0, 255.0],
        Ball::Green => [60.0, 220.0, 120.0],
        Ball::Orange => [255.0, 150.0, 40.0],
        Ball::Purple => [190.0, 110.0, 255.0],
        Ball::Brown => [190.0, 130.0, 80.0],
        Ball::Pink => [255.0, 150.0, 190.0],
        Ball::Black => [40.0, 40.0, 40.0],
    };
    Scalar::new(b, g, r, 0.0)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;
    use crate::{
        calib::camera::Camera,
        io::{OutFolder, open},
        model::{BallState, TableSpec, TrackedFrame},
        units::{TableVec, Timestamp},
    };

    fn calibration() -> Calibration {
        let table = TableSpec::named("carom-match").unwrap();
        let (centre, place) = (ImagePoint::new(160.0, 90.0), [-1420.0, -710.0, 3000.0]);
        Calibration {
            camera: Camera::new([320, 180], 290.0, centre, [0.0; 2], [0.0; 3], place),
            table,
            residual_mm: 0.0,
            worst_mm: 0.0,
            from: "test".to_owned(),
        }
    }

    fn record() -> MatchRecord {
        serde_json::from_value(serde_json::json!({
            "format": "", "game": "", "variant": null, "options": {},
            "table": {"name": "carom-match", "length_mm": 2840.0, "width_mm": 1420.0},
            "source": {"name": "grey", "frames": 6, "fps": 30.0, "dropped": 0, "duration_s": 0.2},
            "calibration": {"residual_mm": 1.0, "from": ""}, "players": [], "shots": [],
            "result": {"score": {}, "innings": {}, "average": {}, "high_run": {}, "winner": null, "needs_review": []}
        }))
        .unwrap()
    }

    #[test]
    fn every_frame_is_written_and_the_ball_is_circled() {
        let dir = tempfile::tempdir().unwrap();
        let grey = dir.path().join("grey.mp4");
        let mut file = VideoFile::create(&grey, [320, 180], 30.0).unwrap();
        for _ in 0..6 {
            file.write(&Array3::from_elem((180, 320, 3), 90)).unwrap();
        }
        file.finish().unwrap();
        let out = OutFolder::create(dir.path()).unwrap();
        let mut recorder = Recorder::new(&out).unwrap();
        let pos = TablePoint::new(1420.0, 710.0);
        for n in 0..6 {
            let red = BallState {
                id: Ball::Red,
                pos,
                vel: TableVec::ZERO,
                sigma_mm: 0.5,
                seen: None,
                handled: false,
            };
            let at = Timestamp::from_secs(f64::from(n) / 30.0);
            let balls = vec![red];
            recorder
                .frame(&TrackedFrame {
                    at,
                    balls,
                    ..TrackedFrame::default()
                })
                .unwrap();
        }
        let (record, calibration) = (record(), calibration());
        let annotation = Annotation {
            record: &record,
            calibration: &calibration,
            recorder: &recorder,
        };
        let sources = [grey.display().to_string()];
        let path = annotation
            .write(&sources, &OpenOptions::default(), dir.path())
            .unwrap();
        let mut source = open(&path.display().to_string()).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = source.read().unwrap() {
            frames.push(frame.pixels);
        }
        assert_eq!(frames.len(), 6);
        let radius = calibration.ball_radius_px(pos) + 0.5;
        let [row, column] = [90, (160.0 + radius).round() as usize];
        let pixel = |c| i32::from(frames[3][[row, column, c]]);
        assert!(
            pixel(2) > pixel(0) + 40,
            "no red ring: {} {} {}",
            pixel(0),
            pixel(1),
            pixel(2)
        );
        assert!(
            !dir.path().read_dir().unwrap().any(|e| e
                .unwrap()
                .path()
                .to_string_lossy()
                .contains("tmp.mp4"))
        );
    }
}
