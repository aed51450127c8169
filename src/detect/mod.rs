//! Pixels to detections: where balls are in one picture, and what hides the bed.
//!
//! Every picture is looked at on its own, so that pictures can be looked at in parallel; what is learned from them
//! (the light) is carried over between batches by [`Detector::follow`], at fixed places of the stream.

mod background;
mod bed;
mod blobs;
mod cloth;
mod colour;
mod disc;
mod learn;
mod outline;
mod scan;
mod streak;
mod window;

use background::Background;
use colour::Colours;
use disc::Disc;
use learn::Learned;
use scan::{Patch, Scan, pixel};
use window::window;

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

/// One of so many levels may change when a picture is repeated.
const SELDOM_CHANGED: usize = 5000;

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
        let Learned {
            background,
            mut colours,
            lay,
        } = learn::learn(pictures, calibration, set)?;
        let brightness = pictures.first().map_or(0.0, |p| brightness(p, &background));
        outline::learn(pictures, &background, &mut colours, &lay);
        Ok(Self {
            calibration: calibration.clone(),
            background,
            colours,
            brightness,
        })
    }

    /// Distance of the coarse grid's points: about four to a ball's radius.
    fn step(&self) -> usize {
        ((self.calibration.middle_ball_radius_px() / 4.0).round() as usize).max(1)
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
        let mut scan = Scan::new(&frame.pixels, &self.background, &self.colours, self.step());
        if scan.other * 2 > scan.on_bed {
            out.blind = true;
            return out;
        }
        let starts: Vec<(Patch, Option<Disc>)> = scan
            .patches()
            .into_iter()
            .map(|p| {
                let start = self.start(&scan, &p);
                tracing::trace!(seq = frame.seq, colour = p.colour, count = p.count, at = ?p.centre, ?start, axes = ?p.axes(), "patch");
                (p, start)
            })
            .collect();
        let discs: Vec<(usize, Disc)> = distinct(&starts);
        for (i, disc) in &discs {
            let rivals: Vec<Disc> = discs.iter().filter(|d| d.0 != *i).map(|d| d.1).collect();
            let patch = &starts[*i].0;
            let streaked = disc.half != [0.0; 2];
            let compact = streaked
                .then(|| densest(&scan, patch, disc.radius))
                .flatten();
            out.balls
                .extend(self.ball(&frame.pixels, patch.colour, *disc, compact, &rivals));
        }
        for (patch, _) in &starts {
            let of_a_ball = out.balls.iter().any(|b| {
                b.confidence > 0.5
                    && b.centre
                        .distance(ImagePoint::new(patch.centre[0], patch.centre[1]))
                        < 1.2 * b.radius_px
            });
            if !of_a_ball {
                scan.demote(patch);
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

    /// Whether a picture only repeats the one before: nothing on the bed changed but for the coder's second thoughts,
    /// which touch few pixels and none of them much. A ball that goes on by a pixel changes its edges by more.
    pub fn repeats(&self, before: &Picture, now: &Picture) -> bool {
        if before.dim() != now.dim() {
            return false;
        }
        let (Some(before), Some(now)) = (before.as_slice(), now.as_slice()) else {
            return false;
        };
        let bed = &self.background.bed;
        let width = 3 * self.calibration.camera.size[0] as usize;
        let allowed = 8 + 3 * bed.area() / 2 / SELDOM_CHANGED;
        let (mut little, mut much) = (0, 0);
        for y in (bed.top()..bed.bottom()).step_by(2) {
            let span = bed.span(y);
            let row = y * width + 3 * span.start..y * width + 3 * span.end;
            for (a, b) in before[row.clone()].chunks(96).zip(now[row].chunks(96)) {
                let changes = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
                // Most of the bed is still; the largest change of many levels is found fast.
                if changes().fold(0, u8::max) > 6 {
                    little += changes().filter(|&c| c > 6).count();
                    much += changes().filter(|&c| c > 20).count();
                }
            }
            if little > allowed || much > 6 {
                return false;
            }
        }
        true
    }

    /// First guess of a ball's outline from a patch: its moments, or the best place for a disc within a patch that is
    /// too large; `None` when the patch is no ball.
    fn start(&self, scan: &Scan, patch: &Patch) -> Option<Disc> {
        let seen = ImagePoint::new(patch.centre[0], patch.centre[1]);
        let radius = self
            .calibration
            .ball_radius_px(self.calibration.ball_on_table(seen)?);
        let radius = radius * self.colours.balls[patch.colour].outline;
        let whole = std::f64::consts::PI * (radius / scan.step as f64).powi(2);
        if (patch.count as f64) < 0.15 * whole {
            return None;
        }
        let (long, short, direction) = patch.axes();
        let still = 0.25 * radius * radius;
        let half = (3.0 * (long - still)).max(0.0).sqrt();
        let streaked = half > 0.35 * radius;
        if short < 1.7 * still && (!streaked || short > 0.3 * still) {
            let half = if streaked { half } else { 0.0 };
            return Some(Disc {
                centre: patch.centre,
                half: [half * direction[0], half * direction[1]],
                radius,
            });
        }
        densest(scan, patch, radius)
    }

    /// Fits a ball's outline and judges it.
    fn ball(
        &self,
        picture: &Picture,
        colour: usize,
        start: Disc,
        compact: Option<Disc>,
        rivals: &[Disc],
    ) -> Option<BallDetection> {
        let window = window(
            picture,
            &self.background,
            &self.colours,
            &start,
            colour,
            rivals,
        );
        let fit = streak::fit_still_or_streaked(&window, start, compact)?;
        tracing::trace!(colour, ?fit, "fitted");
        self.detection(colour, &fit)
    }

    fn detection(&self, colour: usize, fit: &disc::Fit) -> Option<BallDetection> {
        let [cx, cy] = fit.disc.centre;
        if !self.background.bed.holds(cx, cy)
            || fit.visible < 0.25
            || !(0.5..1.6).contains(&fit.filled)
        {
            return None;
        }
        let alone = (1.0 - 2.0 * (fit.ring - 0.1).max(0.0)).clamp(0.0, 1.0);
        let confidence = fit.visible.sqrt() * alone * fit.filled.min(1.0 / fit.filled);
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
            radius_px: fit.disc.radius / self.colours.balls[colour].outline,
            covariance: fit.covariance,
            streak,
            visible: fit.visible,
            confidence,
        })
    }
}

/// The best place for a ball at rest within a patch: much of its colour inside, little around.
fn densest(scan: &Scan, patch: &Patch, radius: f64) -> Option<Disc> {
    let step = scan.step as f64;
    let ring = [radius + 1.5 * step, radius + 3.5 * step];
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

/// The guesses that are different balls: of two at one place the larger patch counts (shaded edges of a white ball
/// look like a darker one).
fn distinct(starts: &[(Patch, Option<Disc>)]) -> Vec<(usize, Disc)> {
    let mut out: Vec<(usize, Disc)> = vec![];
    for (i, (_, disc)) in starts.iter().enumerate() {
        if let Some(disc) = disc {
            let near = |o: &(usize, Disc)| {
                let d = (o.1.centre[0] - disc.centre[0]).hypot(o.1.centre[1] - disc.centre[1]);
                d < 1.2 * disc.radius + 0.5 * o.1.half[0].hypot(o.1.half[1])
            };
            if !out.iter().any(near) {
                out.push((i, *disc));
            }
        }
    }
    out
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
