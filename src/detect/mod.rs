//! Pixels to detections: where balls are in one picture, and what hides the bed.
//!
//! Every picture is looked at on its own, so that pictures can be looked at in parallel; what is learned from them
//! (the light) is carried over between batches by [`Detector::follow`], at fixed places of the stream.

mod background;
mod bed;
mod cloth;
mod colour;
mod disc;
mod learn;
mod scan;

use background::Background;
use colour::{Colours, Shown};
use disc::{Covered, Disc};
use scan::{Patch, Scan, pixel};

use crate::{
    calib::Calibration,
    model::{Ball, BallDetection, BallSet, Detections, Frame, Picture, Streak},
    units::ImagePoint,
};

/// Why nothing can be detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// There was no picture.
    #[error("the source gave no picture to learn the colours from")]
    NoPictures,
    /// The bed has no common colour.
    #[error(
        "the bed shows no even cloth: check the light over the table, and that the calibration belongs to this camera"
    )]
    NoCloth,
    /// No ball was found.
    #[error("no balls on the table: at least one ball must lie in sight in the first seconds")]
    NoBalls,
}

/// Finds balls in pictures of one table under one light.
#[derive(Clone, Debug)]
pub struct Detector {
    calibration: Calibration,
    background: Background,
    colours: Colours,
    /// Mean brightness of the bed when it was learned, levels.
    brightness: f64,
}

impl Detector {
    /// Learns the cloth, the light and the balls from some of the first pictures (a second or so apart is best).
    ///
    /// The balls' names are given by their colours relative to each other; balls of the set that are not in sight
    /// are not looked for later.
    ///
    /// # Errors
    /// When there is no even cloth or no ball in the pictures.
    pub fn learn(
        pictures: &[&Picture],
        calibration: &Calibration,
        set: &BallSet,
    ) -> Result<Self, DetectError> {
        let (background, colours) = learn::learn(pictures, calibration, set)?;
        let brightness = pictures.first().map_or(0.0, |p| brightness(p, &background));
        Ok(Self {
            calibration: calibration.clone(),
            background,
            colours,
            brightness,
        })
    }

    /// The balls that were found, by name.
    pub fn balls(&self) -> Vec<Ball> {
        self.colours.balls.iter().map(|b| b.ball).collect()
    }

    /// Looks at one picture.
    pub fn detect(&self, frame: &Frame) -> Detections {
        let mut out = Detections {
            seq: frame.seq,
            at: frame.at,
            ..Detections::default()
        };
        if brightness(&frame.pixels, &self.background) < 0.25 * self.brightness {
            out.blind = true;
            return out;
        }
        let typical = self.typical_radius();
        let step = ((typical / 4.0).round() as usize).max(1);
        let mut scan = Scan::new(&frame.pixels, &self.background, &self.colours, step);
        if scan.other * 2 > scan.on_bed {
            out.blind = true;
            return out;
        }
        for patch in scan.patches() {
            match self.ball(&frame.pixels, &scan, &patch) {
                Some(ball) => out.balls.push(ball),
                None if patch.count > 3 => scan.demote(&patch),
                None => {}
            }
        }
        out.occluded = scan.occluded();
        out
    }

    /// Follows slow changes of the light. Called between batches, with the last picture of the batch.
    pub fn follow(&mut self, now: &Picture) {
        let bright = brightness(now, &self.background);
        if bright > 0.5 * self.brightness {
            self.background.follow(now, &self.colours);
            self.brightness += (bright - self.brightness) / 8.0;
        }
    }

    fn typical_radius(&self) -> f64 {
        let t = &self.calibration.table;
        self.calibration
            .ball_radius_px(crate::units::TablePoint::new(
                0.5 * t.length_mm,
                0.5 * t.width_mm,
            ))
    }

    /// Judges a patch: a ball at rest or in motion, or a piece of something larger.
    fn ball(&self, picture: &Picture, scan: &Scan, patch: &Patch) -> Option<BallDetection> {
        let seen = ImagePoint::new(patch.centre[0], patch.centre[1]);
        let radius = self
            .calibration
            .ball_radius_px(self.calibration.ball_on_table(seen)?);
        let whole = std::f64::consts::PI * (radius / scan.step as f64).powi(2);
        let share = patch.count as f64 / whole;
        if share < 0.15 {
            return None;
        }
        let start = self.start(scan, patch, radius)?;
        let window = self.window(picture, &start, patch.colour);
        let fit = disc::fit(&window, start)?;
        self.detection(patch.colour, radius, &fit)
    }

    /// First guess of the outline: the patch's moments, or the best place for a disc within a patch that is too large.
    fn start(&self, scan: &Scan, patch: &Patch, radius: f64) -> Option<Disc> {
        let (long, short, direction) = patch.axes();
        let still = 0.25 * radius * radius;
        let half = (3.0 * (long - still)).max(0.0).sqrt();
        let streaked = half > 0.5 * radius;
        if short < 1.7 * still && (!streaked || short > 0.3 * still) {
            let half = if streaked { half } else { 0.0 };
            return Some(Disc {
                centre: patch.centre,
                half: [half * direction[0], half * direction[1]],
                radius,
            });
        }
        let ring = [
            radius + 1.5 * scan.step as f64,
            radius + 3.5 * scan.step as f64,
        ];
        let mut best = (0.35, None);
        for p in &patch.points {
            let at = scan.place(*p);
            let inside = scan
                .share_around(patch.colour, at, [0.0, radius])
                .unwrap_or(0.0);
            let around = scan.share_around(patch.colour, at, ring).unwrap_or(1.0);
            if inside - around > best.0 {
                best = (inside - around, Some(at));
            }
        }
        Some(Disc {
            centre: best.1?,
            half: [0.0; 2],
            radius,
        })
    }

    /// The pixels around a first guess, explained.
    fn window(&self, picture: &Picture, start: &Disc, colour: usize) -> Vec<Covered> {
        let reach = start.radius + 6.0;
        let (rx, ry) = (reach + start.half[0].abs(), reach + start.half[1].abs());
        let bed = &self.background.bed;
        let mut out = Vec::with_capacity((4.0 * rx * ry) as usize + 64);
        let first = (start.centre[1] - ry).max(0.0) as usize;
        for y in first..(start.centre[1] + ry).max(0.0) as usize + 1 {
            let span = bed.span(y);
            let left = ((start.centre[0] - rx).max(0.0) as usize).max(span.start);
            for x in left..((start.centre[0] + rx).max(0.0) as usize + 1).min(span.end) {
                let shown = self
                    .colours
                    .explain(pixel(picture, x, y), self.background.colour(x, y));
                let (share, weight) = match shown {
                    Shown::Cloth | Shown::Shadow => (0.0, 1.0),
                    Shown::Ball(k, share) if usize::from(k) == colour => (share, 1.0),
                    Shown::Ball(_, share) if share < 0.3 => (share, 0.3),
                    Shown::Ball(..) | Shown::Other => (0.0, 0.0),
                };
                out.push(Covered {
                    x: x as f32,
                    y: y as f32,
                    share,
                    weight,
                });
            }
        }
        out
    }

    fn detection(&self, colour: usize, radius: f64, fit: &disc::Fit) -> Option<BallDetection> {
        let [cx, cy] = fit.disc.centre;
        if !self.background.bed.holds(cx, cy) || fit.visible < 0.25 || fit.filled < 0.5 {
            return None;
        }
        let alone = (1.0 - 2.0 * (fit.ring - 0.1).max(0.0)).clamp(0.0, 1.0);
        let confidence = fit.visible.sqrt() * alone * fit.filled.min(1.0);
        if confidence < 0.2 {
            return None;
        }
        let half = ImagePoint::new(fit.disc.half[0], fit.disc.half[1]);
        let streak = (half.x.hypot(half.y) > 0.0).then_some(Streak {
            half,
            sigma_px: fit.half_sigma,
        });
        let likelihood = (0..self.colours.balls.len())
            .map(|k| if k == colour { 1.0 } else { 0.05 })
            .collect();
        Some(BallDetection {
            likelihood,
            colour: self.colours.balls[colour].ball,
            centre: ImagePoint::new(cx, cy),
            radius_px: radius,
            covariance: fit.covariance,
            streak,
            visible: fit.visible,
            confidence,
        })
    }
}

/// Mean brightness of the bed on a sparse grid, levels.
fn brightness(picture: &Picture, background: &Background) -> f64 {
    let bed = &background.bed;
    let (mut sum, mut n) = (0.0, 0.0f64);
    for y in (bed.top()..bed.bottom()).step_by(16) {
        for x in bed.span(y).step_by(16) {
            let p = pixel(picture, x, y);
            sum += f64::from(p[0] + p[1] + p[2]) / 3.0;
            n += 1.0;
        }
    }
    sum / n.max(1.0)
}
