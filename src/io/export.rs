//! What an analysis leaves behind: `match.json`, `events.csv`, `positions.csv` and the shot diagrams.
//!
//! Every file is written beside its place and renamed into it, so that a reader never sees half a file and a full
//! disk never destroys an older result.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    io::layout,
    model::{
        record::{MatchRecord, ShotRecord},
        truth::EventRecord,
    },
};

/// Why a result cannot be written or read back.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder cannot be made or is not writable.
    #[error("{path}: no results can be written to this folder; choose another with --out")]
    Folder {
        /// As given.
        path: String,
        /// By the operating system.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{path}: cannot be written; is the disk full?")]
    Write {
        /// The file.
        path: String,
        /// By the operating system.
        source: std::io::Error,
    },
    /// A file cannot be read.
    #[error("{path}: cannot be read")]
    Read {
        /// The file.
        path: String,
        /// By the operating system.
        source: std::io::Error,
    },
    /// A file holds something else.
    #[error("{path}: {what}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

/// A folder that results go to.
#[derive(Clone, Debug)]
pub struct OutFolder {
    path: PathBuf,
}

impl OutFolder {
    /// Makes the folder and tries to write to it, so that a long analysis does not end in vain.
    ///
    /// # Errors
    /// [`ExportError::Folder`] when it cannot be made or is not writable.
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        let failed = |source| ExportError::Folder {
            path: path.display().to_string(),
            source,
        };
        fs::create_dir_all(path.join("shots")).map_err(failed)?;
        let probe = path.join(format!(".marqueur-{}.tmp", std::process::id()));
        fs::write(&probe, b"probe").map_err(failed)?;
        fs::remove_file(&probe).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes `match.json` and `events.csv`. Returns the path of the former.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn write_match(&self, record: &MatchRecord) -> Result<PathBuf, ExportError> {
        let path = self.path.join("match.json");
        let mut text = match_json(record).to_string_pretty();
        text.push('\n');
        write_atomically(&path, text.as_bytes())?;
        write_atomically(&self.path.join("events.csv"), &events_csv(record))?;
        Ok(path)
    }

    /// Writes the diagrams, `shots/001.svg` and so on, and removes those an earlier run left beyond the last.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn write_diagrams(
        &self,
        diagrams: impl IntoIterator<Item = (u32, String)>,
    ) -> Result<PathBuf, ExportError> {
        let folder = self.path.join("shots");
        let mut written = Vec::new();
        for (n, svg) in diagrams {
            let name = format!("{n:03}.svg");
            write_atomically(&folder.join(&name), svg.as_bytes())?;
            written.push(name);
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = name
                .strip_suffix(".svg")
                .is_some_and(|n| n.parse::<u32>().is_ok());
            if ours && !written.contains(&name) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(folder)
    }
}

/// Writes a file as a whole or not at all.
///
/// # Errors
/// [`ExportError::Write`]; what was there before is still there then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    let draft = draft_of(path);
    let done = fs::File::create(&draft)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&draft, path));
    done.map_err(|source| {
        let _ = fs::remove_file(&draft);
        ExportError::Write {
            path: path.display().to_string(),
            source,
        }
    })
}

/// The name a file has until it is whole.
pub(crate) fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Reads a `match.json`.
///
/// # Errors
/// [`ExportError::Read`] and [`ExportError::Content`], which tells what is not as it should be.
pub fn read_match(path: &Path) -> Result<MatchRecord, ExportError> {
    read_json(path, crate::model::record::FORMAT)
}

/// Reads a JSON file of the given format.
///
/// # Errors
/// As [`read_match`].
pub fn read_json<T: serde::de::DeserializeOwned>(
    path: &Path,
    format: &str,
) -> Result<T, ExportError> {
    let text = fs::read_to_string(path).map_err(|source| ExportError::Read {
        path: path.display().to_string(),
        source,
    })?;
    let content = |what: String| ExportError::Content {
        path: path.display().to_string(),
        what,
    };
    let value: Value =
        serde_json::from_str(&text).map_err(|e| content(format!("not JSON: {e}")))?;
    let found = value.get("format").and_then(Value::as_str);
    if found != Some(format) {
        return Err(content(format!(
            "the format is {} where {format} is wanted",
            found.unwrap_or("not told")
        )));
    }
    serde_json::from_value(value).map_err(|e| content(format!("not a {format}: {e}")))
}

/// A record as JSON with sensible decimals.
pub struct MatchJson(Value);

impl MatchJson {
    /// The text, indented; whatever fits a line (an event, a layout, a score) stays on one.
    pub fn to_string_pretty(&self) -> String {
        let mut text = String::new();
        layout::write(&self.0, 0, &mut text);
        text
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }
}

/// The record as it is written: times to 0.1 ms, places to 0.1 mm, probabilities to four decimals.
pub fn match_json(record: &MatchRecord) -> MatchJson {
    let mut value = serde_json::to_value(record).unwrap_or(json!({}));
    round(&mut value, None);
    MatchJson(value)
}

/// Rounds every number by the name it stands under; numbers under other names stay as they are.
fn round(value: &mut Value, decimals: Option<i32>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                round(inner, decimals_of(key).or(decimals));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|i| round(i, decimals)),
        Value::Number(number) => {
            if let (Some(d), true, Some(x)) = (decimals, number.is_f64(), number.as_f64()) {
                let k = 10_f64.powi(d);
                // Adding zero turns -0.0 into 0.0.
                *value = json!((x * k).round() / k + 0.0);
            }
        }
        _ => {}
    }
}

fn decimals_of(key: &str) -> Option<i32> {
    match key {
        "before" | "after" => Some(1),
        "residual_mm" | "length_mm" | "width_mm" => Some(2),
        "confidence" | "probability" => Some(4),
        "fps" | "average" | "duration_s" => Some(3),
        _ if key.ends_with("_mm") || key.ends_with("_mm_s") => Some(1),
        _ if key.ends_with("_s") => Some(4),
        _ => None,
    }
}

const EVENT_COLUMNS: [&str; 16] = [
    "shot",
    "player",
    "t_s",
    "sigma_s",
    "kind",
    "a",
    "b",
    "ball",
    "cushion",
    "pocket",
    "pin",
    "by",
    "zone",
    "x_mm",
    "y_mm",
    "confidence",
];

fn events_csv(record: &MatchRecord) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let _ = writer.write_record(EVENT_COLUMNS);
    for shot in &record.shots {
        for event in &shot.events {
            let _ = writer.write_record(event_row(shot, event));
        }
    }
    writer.into_inner().unwrap_or_default()
}

fn event_row(shot: &ShotRecord, event: &EventRecord) -> [String; 16] {
    let text = |t: &Option<String>| t.clone().unwrap_or_default();
    let ball = |b: Option<crate::model::Ball>| b.map_or(String::new(), |b| b.to_string());
    let number = |x: Option<f64>, d: usize| x.map_or(String::new(), |x| format!("{x:.d$}"));
    [
        shot.n.to_string(),
        shot.player.clone(),
        format!("{:.4}", event.t_s),
        number(event.sigma_s, 4),
        event.kind.clone(),
        ball(event.a),
        ball(event.b),
        ball(event.ball),
        text(&event.cushion),
        text(&event.pocket),
        text(&event.pin),
        text(&event.by),
        text(&event.zone),
        number(event.at_mm.map(|p| p[0]), 1),
        number(event.at_mm.map(|p| p[1]), 1),
        number(event.confidence, 4),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Ball;

    /// The smallest match that shows every kind of number.
    fn record() -> MatchRecord {
        serde_json::from_value(json!({
            "format": crate::model::record::FORMAT,
            "game": "three-cushion", "variant": null, "options": {},
            "table": {"name": "carom-match", "length_mm": 2840.0, "width_mm": 1420.0},
            "source": {"name": "a.mp4", "frames": 10, "fps": 29.970_029_97, "dropped": 0, "duration_s": 1.0},
            "calibration": {"residual_mm": 0.912_34, "from": "automatic"},
            "players": [],
            "shots": [{
                "n": 1, "player": "A", "struck": "white", "start_s": 1.234_567, "stop_s": 2.0, "complete": true,
                "before": {"white": [100.123_4, -0.001]}, "after": {},
                "pins_before": [], "pins_after": [],
                "events": [{"t_s": 1.987_654, "kind": "ball-cushion", "ball": "white", "cushion": "E",
                            "at_mm": [1.25, 2.349], "confidence": 0.999_96}],
                "ruling": {"verdict": "nothing", "points": {"A": 0}, "fouls": [], "next": "B", "placements": [],
                           "reasons": [{"rule": "3C-1", "text": "a, \"b\"", "events": [0]}],
                           "confidence": 0.998_765, "alternatives": []},
                "score": {"A": 0}, "notation": ""
            }],
            "result": {"score": {}, "innings": {}, "average": {}, "high_run": {}, "winner": null, "needs_review": []}
        }))
        .unwrap()
    }

    #[test]
    fn numbers_are_rounded_by_what_they_are() {
        let json = match_json(&record());
        let shot = &json.value()["shots"][0];
        assert_eq!(shot["start_s"], json!(1.2346));
        assert_eq!(shot["before"]["white"], json!([100.1, 0.0]));
        assert_eq!(shot["events"][0]["at_mm"], json!([1.3, 2.3]));
        assert_eq!(shot["events"][0]["t_s"], json!(1.9877));
        assert_eq!(shot["ruling"]["confidence"], json!(0.9988));
        assert_eq!(json.value()["source"]["fps"], json!(29.97));
        assert_eq!(shot["ruling"]["reasons"][0]["events"], json!([0]));
    }

    #[test]
    fn a_match_comes_back_from_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::create(&dir.path().join("new/deep")).unwrap();
        let path = out.write_match(&record()).unwrap();
        let back = read_match(&path).unwrap();
        assert_eq!(back.shots[0].struck, Some(Ball::White));
        let events = fs::read_to_string(out.path().join("events.csv")).unwrap();
        let row = events.lines().nth(1).unwrap();
        assert_eq!(row, "1,A,1.9877,,ball-cushion,,,white,E,,,,,1.2,2.3,1.0000");
        assert_eq!(out.write_match(&record()).unwrap(), path);
    }

    #[test]
    fn diagrams_of_an_earlier_longer_match_go() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::create(dir.path()).unwrap();
        let svgs = |n: u32| (1..=n).map(|i| (i, "<svg/>".to_owned()));
        let folder = out.write_diagrams(svgs(3)).unwrap();
        fs::write(folder.join("mine.svg"), "").unwrap();
        out.write_diagrams(svgs(1)).unwrap();
        let mut left: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["001.svg", "mine.svg"]);
    }

    #[test]
    fn a_folder_that_is_a_file_and_a_file_of_another_format_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("taken");
        fs::write(&file, "{\"format\": \"marqueur-truth/1\"}").unwrap();
        let message = OutFolder::create(&file).unwrap_err().to_string();
        assert!(message.contains("--out"), "{message}");
        let message = read_match(&file).unwrap_err().to_string();
        assert!(message.contains("marqueur-truth/1"), "{message}");
    }
}
