//! Simulated shots with exact answers (testdata/trajectories, or ../shared where that is absent).

use std::{collections::BTreeMap, path::PathBuf};

use marqueur::model::{Ball, TableSpec};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Trajectory {
    #[serde(skip)]
    pub name: String,
    pub game: String,
    pub struck: String,
    pub table: Bed,
    pub ball_radius: f64,
    pub stop: f64,
    pub balls: BTreeMap<String, Vec<[f64; 8]>>,
    pub events: Vec<TrueEvent>,
    pub three_cushion_point: Option<bool>,
}

#[derive(Deserialize)]
pub struct Bed {
    pub length: f64,
    pub width: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct TrueEvent {
    pub t: f64,
    pub kind: String,
    pub a: Option<String>,
    pub b: Option<String>,
    pub ball: Option<String>,
    pub cushion: Option<String>,
    pub pocket: Option<String>,
    pub dv: Option<f64>,
}

impl Trajectory {
    pub fn spec(&self) -> TableSpec {
        let pockets = self.game == "pocket5";
        TableSpec::custom(
            self.table.length,
            self.table.width,
            2.0 * self.ball_radius,
            pockets,
        )
    }

    pub fn set(&self) -> Vec<Ball> {
        let mut set: Vec<Ball> = self.balls.keys().map(|n| ball(n)).collect();
        set.sort();
        set
    }

    /// Place and speed of a ball at `t`; `None` once it has fallen.
    pub fn at(&self, name: &str, t: f64) -> Option<([f64; 2], f64)> {
        let knots = &self.balls[name];
        let k = knots.partition_point(|k| k[0] <= t).saturating_sub(1);
        let [t0, x, y, vx, vy, ax, ay, state] = knots[k];
        if state == 4.0 {
            return None;
        }
        let d = (t - t0).max(0.0);
        if t < 0.0 {
            return Some(([x, y], 0.0));
        }
        let v = (vx + ax * d).hypot(vy + ay * d);
        Some((
            [x + d * (vx + 0.5 * ax * d), y + d * (vy + 0.5 * ay * d)],
            v,
        ))
    }
}

pub fn ball(name: &str) -> Ball {
    Ball::from_name(name).unwrap_or_else(|| panic!("no ball is called {name}"))
}

/// All trajectories whose file name begins with `prefix`, in order of name.
pub fn load(prefix: &str) -> Vec<Trajectory> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/trajectories");
    let own = root.join("testdata/trajectories");
    let folder = if shared.is_dir() { shared } else { own };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|f| f.unwrap().path())
        .filter(|p| {
            let name = p
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.starts_with(prefix) && name.ends_with(".json")
        })
        .collect();
    files.sort();
    files
        .iter()
        .map(|p| {
            let text = std::fs::read_to_string(p).unwrap();
            let mut t: Trajectory = serde_json::from_str(&text).unwrap();
            t.name = p.file_stem().unwrap().to_string_lossy().into_owned();
            t
        })
        .collect()
}
