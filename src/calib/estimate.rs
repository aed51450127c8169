//! From pictures to a calibration, step by step.

use super::{
    Calibration,
    combine::{Small, median, size},
    error::CalibError,
    hypothesis::{self, Choice, Seen},
    marks::{self, Slope},
    orient::{self, Near},
    outline::{self, Side},
    region::{self, Region},
    solve::{Mark, Prior, Problem, Solution, px_per_mm},
    strip::Strip,
};
use crate::model::{Cushion, Picture, TableSpec};

/// What the caller may wish.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where the near end is; by itself the left or lower end.
    pub near: Option<Near>,
}

/// A calibration with everything it was made from, for drawing and reports.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub calibration: Calibration,
    /// Every nose mark with its distance from the nose line, mm, outwards positive; those that were not believed
    /// (hands, balls, damage) are left out.
    pub marks: Vec<(Mark, f64)>,
    /// Marks that were seen but not believed.
    pub rejected: Vec<Mark>,
    /// Corners of the outline of the bed from which the search began, px.
    pub outline: [[f64; 2]; 4],
}

/// Longest side of the small picture on which the bed is looked for, px.
const SMALL: usize = 400;
/// How far to both sides of the bed's outline noses are looked for, mm.
const REACH_MM: f64 = 130.0;
/// Stations per long side, in the end and while choices are compared.
const STATIONS: usize = 240;
const QUICK: usize = 60;
/// Choices whose marks are looked at.
const VERIFIED: usize = 6;
/// Largest residual that is accepted, rms, as a share of the table's length: 4.3 mm on a match table.
const LIMIT: f64 = 0.0015;

/// Finds the table in pictures of one fixed camera (best: five to seven, a second apart) and solves for the camera.
///
/// Assumes a pinhole with radial distortion and square pixels, the principal point within about 1 % of the picture's
/// middle, and noses that form the rectangle of `table`. What cannot be known from straight above: the focal length
/// (see the cost in `solve`), and the table's absolute size, because nearly all tables are twice as long as wide.
///
/// # Errors
/// Each variant of [`CalibError`] that speaks of pictures: too dark, no table, cut off, two tables, wrong size, no fit.
pub fn estimate(
    frames: &[Picture],
    table: &TableSpec,
    options: &Options,
) -> Result<Calibration, CalibError> {
    find(frames, table, options).map(|f| f.calibration)
}

/// As [`estimate`], with all that was found on the way.
///
/// # Errors
/// As [`estimate`].
pub fn find(frames: &[Picture], table: &TableSpec, options: &Options) -> Result<Found, CalibError> {
    let picture = median(frames)?;
    let [width, height] = size(&picture);
    if width.max(height) < 160 || width.min(height) < 90 {
        return Err(CalibError::TooSmall { width, height });
    }
    let small = Small::of(&picture, SMALL);
    let level = small.brightness(0.95);
    if level < 28.0 {
        return Err(CalibError::TooDark { level });
    }
    let beds = region::beds(&small)?;
    if let Some(side) = region::cut_off(&beds[0]) {
        return Err(CalibError::CutOff { side });
    }
    let (seen, choice) =
        choose(&picture, &small, &beds, table, options).map_err(|e| cut_off_after_all(e, &beds))?;
    let (solution, marks) = refine(&picture, &seen, &choice, table, false)?;
    let outline = [0, 1, 2, 3].map(|i| seen[i].side.from);
    judged(solution, marks, outline, table)
}

/// A bed that runs out of the picture shows no four cushions: then it is said what to do about that.
fn cut_off_after_all(error: CalibError, beds: &[Region]) -> CalibError {
    match (error, beds.iter().find_map(region::cut_off)) {
        (CalibError::NoTable { .. }, Some(side)) => CalibError::CutOff { side },
        (error, _) => error,
    }
}

/// All that was looked at on the way to a choice.
#[derive(Default)]
struct Search {
    /// One entry per outline.
    seen: Vec<[Seen; 4]>,
    /// Choices with the table as told, each with the index of its outline.
    told: Vec<(usize, Choice)>,
    /// The best choice with the table's shape free.
    free: Option<Choice>,
    /// A wish about the near end that no outline could follow.
    wish: Option<CalibError>,
}

impl Search {
    /// Looks along the sides of an outline.
    fn look(&mut self, picture: &Picture, sides: &[Side; 4], table: &TableSpec, options: &Options) {
        let seen = match look_along(picture, sides, table, options) {
            Ok(seen) => seen,
            Err(e) => {
                self.wish.get_or_insert(e);
                return;
            }
        };
        let [told, free] = [false, true]
            .map(|f| hypothesis::best(&seen, table, size(picture), f).unwrap_or_default());
        let free = free.into_iter().next();
        tracing::debug!(told = ?told.first(), ?free, corners = ?sides.map(|s| s.from.map(f64::round)), "outline");
        // What fits best with the table's shape free, and then has that shape, is a choice for the table as told.
        let expected = table.length_mm / table.width_mm;
        let fits = |f: &Choice| (f.aspect / expected - 1.0).abs() < SAME_SHAPE;
        let index = self.seen.len();
        self.told
            .extend(free.clone().filter(fits).map(|f| (index, f)));
        if let Some(f) = free.filter(|f| self.free.as_ref().is_none_or(|b| f.score > b.score)) {
            self.free = Some(f);
        }
        self.told.extend(told.into_iter().map(|c| (index, c)));
        self.seen.push(seen);
    }

    fn best_score(&self) -> f64 {
        self.told
            .iter()
            .map(|t| t.1.score)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// Looks at the marks of the likeliest choices and puts the likeliest first.
    fn verify(&mut self, picture: &Picture, table: &TableSpec) {
        self.told.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
        self.told.truncate(VERIFIED);
        for (i, choice) in &mut self.told {
            let rest = refine(picture, &self.seen[*i], choice, table, true)
                .map_or(1e3, |r| evidence_against(&r));
            choice.score = choice.structure - rest;
            tracing::debug!(?choice, rest, "verified");
        }
        self.told.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
    }
}

/// Shapes that differ by less (a share of length over width) are one.
const SAME_SHAPE: f64 = 0.008;
/// A score above which the noses are surely found, and one below which another table is likelier than bad luck.
const SURE: f64 = 26.0;
const POOR: f64 = 14.0;

/// Looks along the sides of every outline and keeps the likeliest noses; refuses when another shape of table fits
/// far better.
fn choose(
    picture: &Picture,
    small: &Small,
    beds: &[Region],
    table: &TableSpec,
    options: &Options,
) -> Result<([Seen; 4], Choice), CalibError> {
    let mut search = Search::default();
    let outlines: Vec<[Side; 4]> = beds.iter().map(|b| outline::sides(small, b)).collect();
    for sides in &outlines {
        search.look(picture, sides, table, options);
    }
    let expected = table.length_mm / table.width_mm;
    if search.best_score() < SURE {
        for sides in outlines
            .iter()
            .take(2)
            .flat_map(|s| outline::stretched(s, expected))
        {
            search.look(picture, &sides, table, options);
        }
    }
    search.verify(picture, table);
    let Search {
        mut seen,
        told,
        free,
        wish,
    } = search;
    let (Some((i, told)), Some(free)) = (told.into_iter().next(), free) else {
        return Err(wish.unwrap_or_else(|| CalibError::NoTable {
            why: "the edges of the cloth do not run along four cushions".to_owned(),
        }));
    };
    let off = (free.aspect / expected - 1.0).abs();
    let better = free.score - told.score;
    tracing::debug!(
        told = told.score,
        free = free.score,
        aspect = free.aspect,
        "shape"
    );
    if (better > 10.0 && off > 0.03) || (told.score < POOR && better > 8.0 && off > SAME_SHAPE) {
        return Err(wrong_size(free.aspect, table));
    }
    Ok((seen.swap_remove(i), told))
}

/// What the fit of the marks says against a choice, in nats: ten independent marks a side, each up to three
/// sigmas (0.6 px, and what tables are built to), and how unusual the camera is.
fn evidence_against((solution, marks): &(Solution, Vec<Mark>)) -> f64 {
    let sigma_mm = (0.6 / solution.px_per_mm).hypot(hypothesis::BUILT_MM);
    let far: Vec<f64> = solution
        .residuals
        .iter()
        .map(|r| (r / sigma_mm).abs().min(3.0).powi(2))
        .collect();
    0.5 * solution.strain + 0.5 * 40.0 * far.iter().sum::<f64>() / marks.len().max(1) as f64
}

/// Reads the strips along the sides and names the sides.
fn look_along(
    picture: &Picture,
    sides: &[Side; 4],
    table: &TableSpec,
    options: &Options,
) -> Result<[Seen; 4], CalibError> {
    let cushions = orient::cushions(sides, options.near)?;
    Ok([0, 1, 2, 3].map(|i| {
        let side = sides[i];
        let scale = side.length() / marks::nose_length(table, cushions[i]);
        let reach = (REACH_MM * scale).clamp(12.0, 400.0) as usize;
        let strip = Strip::read(picture, &side, reach);
        let lines = strip.lines();
        let looks = hypothesis::looks(&strip, &lines, scale);
        for (line, look) in lines.iter().zip(&looks) {
            tracing::trace!(
                cushion = cushions[i].name(),
                mm = line.a / scale,
                px = line.a,
                b = line.b,
                c = line.c,
                strength = line.strength(),
                cover = line.cover,
                rises = line.rises(),
                look,
                "line"
            );
        }
        Seen {
            side,
            cushion: cushions[i],
            scale,
            lines,
            looks,
        }
    }))
}

fn wrong_size(found: f64, table: &TableSpec) -> CalibError {
    let names: Vec<&str> = TableSpec::names()
        .filter(|n| {
            TableSpec::named(n)
                .is_some_and(|t| (t.length_mm / t.width_mm / found - 1.0).abs() < 0.012)
        })
        .collect();
    CalibError::WrongSize {
        found,
        expected: table.length_mm / table.width_mm,
        table: format!(
            "{} ({} x {} mm)",
            table.name, table.length_mm, table.width_mm
        ),
        fitting: if names.is_empty() {
            String::new()
        } else {
            format!("; of that shape are {}", names.join(", "))
        },
    }
}

/// From the chosen lines to marks between pixels and the final camera.
fn refine(
    picture: &Picture,
    seen: &[Seen; 4],
    choice: &Choice,
    table: &TableSpec,
    quick: bool,
) -> Result<(Solution, Vec<Mark>), CalibError> {
    let sides = [0, 1, 2, 3].map(|i| seen[i].side);
    let cushions = [0, 1, 2, 3].map(|i| seen[i].cushion);
    let chosen = [0, 1, 2, 3].map(|i| &seen[i].lines[choice.lines[i]]);
    let slopes: Vec<(Cushion, Slope)> = (0..4).map(|i| (cushions[i], chosen[i].slope)).collect();
    let rough: Vec<Mark> = (0..4)
        .flat_map(|i| hypothesis::marks(&seen[i], chosen[i]))
        .collect();
    let mut problem = Problem {
        table,
        prior: Prior::ANY_CAMERA,
        start: orient::straight_above(&sides, &cushions, table, size(picture)),
        free_width: false,
    };
    let mut solution = problem.solve(&rough, None);
    let mut marks = Vec::new();
    for (reach, robust) in [(5.0, 8.0), (3.5, 5.0), (2.5, 4.0), (2.0, 4.0)] {
        problem.start = solution.camera;
        let stations = if quick { QUICK } else { STATIONS };
        marks = marks::marks(picture, &problem.start, table, &slopes, (stations, reach));
        share_out(&mut marks);
        if marks.len() < stations / 5 {
            return Err(CalibError::NoTable {
                why: "too little of the cushion noses is visible".to_owned(),
            });
        }
        solution = problem.solve(&marks, Some(robust));
    }
    Ok((solution, marks))
}

/// Neighbouring marks err together: a side counts for at most twenty independent ones.
fn share_out(marks: &mut [Mark]) {
    for cushion in Cushion::ALL {
        let n = marks.iter().filter(|m| m.cushion == cushion).count() as f64;
        for m in marks.iter_mut().filter(|m| m.cushion == cushion) {
            m.sigma_px = 0.6 * (n / 20.0).sqrt().max(1.0);
        }
    }
}

/// The verdict: residuals of the marks that are believed, against what is accepted.
fn judged(
    solution: Solution,
    marks: Vec<Mark>,
    outline: [[f64; 2]; 4],
    table: &TableSpec,
) -> Result<Found, CalibError> {
    let scale = px_per_mm(&solution.camera, table);
    let mut off: Vec<f64> = solution.residuals.iter().map(|r| r.abs()).collect();
    off.sort_by(f64::total_cmp);
    let usual = off.get(off.len() / 2).copied().unwrap_or(0.0);
    let limit = (5.0 * usual).max(0.8 / scale);
    let (kept, rejected): (Vec<_>, Vec<_>) = marks
        .into_iter()
        .zip(solution.residuals)
        .partition(|(_, r)| r.abs() <= limit);
    let residual_mm =
        (kept.iter().map(|(_, r)| r * r).sum::<f64>() / kept.len().max(1) as f64).sqrt();
    let worst_mm = kept.iter().map(|(_, r)| r.abs()).fold(0.0, f64::max);
    let limit_mm = (LIMIT * table.length_mm).max(1.2 / scale);
    if residual_mm > limit_mm {
        return Err(CalibError::DoesNotFit {
            residual_mm,
            limit_mm,
            table: table.name.clone(),
        });
    }
    Ok(Found {
        calibration: Calibration {
            camera: solution.camera,
            table: table.clone(),
            residual_mm,
            worst_mm,
            from: "automatic".to_owned(),
        },
        marks: kept,
        rejected: rejected.into_iter().map(|(m, _)| m).collect(),
        outline,
    })
}
