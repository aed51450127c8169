//! Reads shots computed by another engine: `marqueur-trajectory/1` files.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use crate::{
    geom::Quadratic,
    model::{Ball, Cushion, EventKind, Pin, PinCause, Pocket, TableSpec},
    synth::{
        path::{Knot, Path, Phase},
        play::{Contact, Play},
    },
    units::{TablePoint, TableVec},
};

/// The format's name and number.
pub const FORMAT: &str = "marqueur-trajectory/1";

/// Why a trajectory file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrajectoryError {
    /// The file cannot be read.
    #[error("cannot read trajectory {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no JSON of that form.
    #[error("{path} is not a trajectory file")]
    Form {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The form is right and the content is not.
    #[error("trajectory {path}: {what}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// A shot of a file, with what the file says about it.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// The shot.
    pub play: Play,
    /// The game it was computed for, as the file names it.
    pub game: String,
    /// The file's own verdict, where it gives one.
    pub three_cushion_point: Option<bool>,
}

#[derive(Deserialize)]
struct File {
    format: String,
    game: String,
    struck: String,
    table: Size,
    ball_radius: f64,
    stop: f64,
    balls: BTreeMap<String, Vec<[f64; 8]>>,
    events: Vec<FileEvent>,
    three_cushion_point: Option<bool>,
}

#[derive(Deserialize)]
struct Size {
    length: f64,
    width: f64,
}

#[derive(Deserialize)]
struct FileEvent {
    t: f64,
    kind: String,
    a: Option<String>,
    b: Option<String>,
    ball: Option<String>,
    cushion: Option<String>,
    pocket: Option<String>,
    pin: Option<String>,
    by: Option<String>,
    #[serde(default)]
    dv: Option<f64>,
}

/// Reads one file.
///
/// # Errors
/// When it cannot be read, is no trajectory, or names balls, phases or events that do not exist.
pub fn read(path: &std::path::Path) -> Result<Trajectory, TrajectoryError> {
    let text = std::fs::read_to_string(path).map_err(|source| TrajectoryError::Read {
        path: path.to_owned(),
        source,
    })?;
    let file: File = serde_json::from_str(&text).map_err(|source| TrajectoryError::Form {
        path: path.to_owned(),
        source,
    })?;
    shot(file).map_err(|what| TrajectoryError::Content {
        path: path.to_owned(),
        what,
    })
}

fn shot(file: File) -> Result<Trajectory, String> {
    if file.format != FORMAT {
        return Err(format!("its format is {}, not {FORMAT}", file.format));
    }
    let struck = ball(&file.struck)?;
    let mut paths = BTreeMap::new();
    for (name, rows) in &file.balls {
        paths.insert(ball(name)?, path(name, rows)?);
    }
    if !paths.contains_key(&struck) {
        return Err(format!("the struck ball {struck} has no knots"));
    }
    let table = table(&file);
    let contacts = file
        .events
        .iter()
        .map(|e| contact(e, &paths, &table))
        .collect::<Result<Vec<_>, _>>()?;
    let stop_s = paths.values().map(Path::rest_from).fold(0.0, f64::max);
    Ok(Trajectory {
        play: Play {
            table,
            struck,
            stop_s: if stop_s.is_finite() {
                stop_s
            } else {
                file.stop
            },
            paths,
            contacts,
        },
        game: game(&file.game),
        three_cushion_point: file.three_cushion_point,
    })
}

/// The table of a file: one there is a name for when the sizes agree.
fn table(file: &File) -> TableSpec {
    let diameter = 2.0 * file.ball_radius;
    let pockets = file.game.starts_with("pocket");
    TableSpec::names()
        .filter_map(TableSpec::named)
        .find(|t| {
            (t.length_mm - file.table.length).abs() < 0.5
                && (t.width_mm - file.table.width).abs() < 0.5
                && (t.ball_diameter_mm - diameter).abs() < 0.2
                && t.pockets == pockets
        })
        .unwrap_or_else(|| {
            TableSpec::custom(file.table.length, file.table.width, diameter, pockets)
        })
}

/// The rule book's name of the game a file was made for.
fn game(name: &str) -> String {
    match name {
        "five-pin" => "five-pins".to_owned(),
        "pocket5" => "five-balls-with-caroms".to_owned(),
        other => other.to_owned(),
    }
}

fn ball(name: &str) -> Result<Ball, String> {
    Ball::from_name(name).ok_or_else(|| format!("there is no ball {name}"))
}

fn path(name: &str, rows: &[[f64; 8]]) -> Result<Path, String> {
    let knots = rows
        .iter()
        .map(|row| knot(name, row))
        .collect::<Result<Vec<_>, _>>()?;
    let (first, later) = knots
        .split_first()
        .ok_or_else(|| format!("{name} has no knots"))?;
    let mut path = Path::new(*first);
    for k in later {
        if k.t < path.last().t {
            return Err(format!("{name}'s knots are not in order at {} s", k.t));
        }
        path.push(*k);
    }
    Ok(path)
}

fn knot(name: &str, row: &[f64; 8]) -> Result<Knot, String> {
    if row.iter().any(|v| !v.is_finite()) {
        return Err(format!("{name} has a knot that is not a number"));
    }
    let [t, x, y, vx, vy, ax, ay, state] = *row;
    let phase = match state as i64 {
        0 => Phase::Rest,
        1 => Phase::Spinning,
        2 => Phase::Sliding,
        3 => Phase::Rolling,
        4 => Phase::Pocketed,
        other => return Err(format!("{name} has a knot of unknown state {other}")),
    };
    let motion = Quadratic {
        pos: TablePoint::new(x, y),
        vel: TableVec::new(vx, vy),
        acc: TableVec::new(ax, ay),
    };
    Ok(Knot { t, motion, phase })
}

fn contact(
    event: &FileEvent,
    paths: &BTreeMap<Ball, Path>,
    table: &TableSpec,
) -> Result<Contact, String> {
    let kind = kind(event, paths, table)?;
    let first = kind.balls().first().copied();
    Ok(Contact {
        t: event.t,
        place: first.and_then(|b| paths.get(&b)).map(|p| p.at(event.t)),
        dv_mm_s: event.dv.unwrap_or(0.0),
        kind,
    })
}

fn kind(
    event: &FileEvent,
    paths: &BTreeMap<Ball, Path>,
    table: &TableSpec,
) -> Result<EventKind, String> {
    let missing = |what: &str| format!("the event at {} s has no {what}", event.t);
    let named = |name: &Option<String>, what: &str| {
        name.as_deref().ok_or_else(|| missing(what)).and_then(ball)
    };
    match event.kind.as_str() {
        "ball-ball" => {
            let (a, b) = (named(&event.a, "a")?, named(&event.b, "b")?);
            let speed = |ball: &Ball| {
                let just_before = event.t - 5e-6;
                paths
                    .get(ball)
                    .map_or(0.0, |p| p.velocity_at(just_before).norm())
            };
            let (driver, other) = if speed(&b) > speed(&a) {
                (b, a)
            } else {
                (a, b)
            };
            Ok(EventKind::BallBall { driver, other })
        }
        "ball-cushion" => {
            let ball = named(&event.ball, "ball")?;
            let name = event.cushion.as_deref().ok_or_else(|| missing("cushion"))?;
            let cushion = Cushion::ALL
                .into_iter()
                .find(|c| c.name() == name)
                .or_else(|| nearest_cushion(paths.get(&ball)?.at(event.t), table))
                .ok_or_else(|| missing("cushion"))?;
            Ok(EventKind::BallCushion { ball, cushion })
        }
        "pocketed" => {
            let name = event.pocket.as_deref().ok_or_else(|| missing("pocket"))?;
            Ok(EventKind::Pocketed {
                ball: named(&event.ball, "ball")?,
                pocket: pocket(name).ok_or_else(|| format!("there is no pocket {name}"))?,
            })
        }
        "pin-down" => {
            let name = event.pin.as_deref().ok_or_else(|| missing("pin"))?;
            let by = event.by.as_deref().and_then(Ball::from_name);
            Ok(EventKind::PinDown {
                pin: pin(name).ok_or_else(|| format!("there is no pin {name}"))?,
                by: by.map_or(PinCause::Unknown, PinCause::Ball),
            })
        }
        other => Err(format!("there is no event {other}")),
    }
}

/// The cushion a jaw belongs to, as near as that can be told: the nearest nose line.
fn nearest_cushion(place: TablePoint, table: &TableSpec) -> Option<Cushion> {
    Cushion::ALL.into_iter().min_by(|a, b| {
        table
            .cushion_gap(place, *a)
            .total_cmp(&table.cushion_gap(place, *b))
    })
}

fn pocket(name: &str) -> Option<Pocket> {
    Pocket::ALL.into_iter().find(|p| p.name() == name)
}

fn pin(name: &str) -> Option<Pin> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}

#[cfg(test)]
mod tests;
