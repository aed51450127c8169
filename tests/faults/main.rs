//! Bad input, through the built program: never a panic, always a message that names the file, always the promised
//! exit code.
#![cfg(feature = "vision")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod scene;

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use scene::Scene;

/// Exit codes of FORMATS.
const USAGE: i32 = 2;
const SOURCE: i32 = 3;
const CALIBRATION: i32 = 4;
const NOTHING: i32 = 5;
const REVIEW: i32 = 6;

/// A folder for one test, with the files it makes.
struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A video of one colour.
    fn video(&self, name: &str, frames: u32, colour: &str) -> PathBuf {
        let path = self.path(name);
        let picture = format!("color=c={colour}:s=320x180:r=30");
        let status = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-f", "lavfi", "-i", &picture])
            .args(["-frames:v", &frames.to_string(), "-pix_fmt", "yuv420p"])
            .arg(&path)
            .status()
            .unwrap();
        assert!(status.success());
        path
    }

    /// `marqueur analyze SOURCE --game three-cushion` with further arguments.
    fn analyze(&self, source: &Path, more: &[&str]) -> Ended {
        let out = self.path("out");
        let mut arguments = vec!["analyze", source.to_str().unwrap()];
        arguments.extend(["--game", "three-cushion", "--out", out.to_str().unwrap()]);
        arguments.extend(more);
        run(&arguments)
    }
}

/// How a run of the program ended.
#[derive(Debug)]
struct Ended {
    code: i32,
    says: String,
    prints: String,
}

impl Ended {
    /// The exit code is as promised and the message holds all of `words`, once and without a panic.
    #[track_caller]
    fn expect(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        for word in words {
            assert!(self.says.contains(word), "no `{word}` in {}", self.says);
        }
        assert!(!self.says.contains("panicked"), "{}", self.says);
        assert_eq!(
            self.says.matches("marqueur: ").count(),
            usize::from(code != 0),
            "{}",
            self.says
        );
    }
}

fn run(arguments: &[&str]) -> Ended {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    Ended {
        code: status.code().unwrap_or(-1),
        says: String::from_utf8_lossy(&stderr).into_owned(),
        prints: String::from_utf8_lossy(&stdout).into_owned(),
    }
}

#[test]
fn a_missing_file() {
    let bench = Bench::new();
    let ended = bench.analyze(&bench.path("gone.mp4"), &[]);
    ended.expect(SOURCE, &["gone.mp4", "no such file"]);
    assert!(
        !bench.path("out").exists(),
        "nothing is written for nothing"
    );
}

#[test]
fn a_second_missing_file_is_told_before_the_first_is_read() {
    let bench = Bench::new();
    let first = bench.video("first.mp4", 10, "green");
    let gone = bench.path("gone.mp4");
    bench
        .analyze(&first, &[gone.to_str().unwrap()])
        .expect(SOURCE, &["gone.mp4"]);
}

#[test]
fn a_text_named_mp4() {
    let bench = Bench::new();
    let text = bench.write("letter.mp4", "Dear umpire,\n".repeat(99).as_bytes());
    bench
        .analyze(&text, &[])
        .expect(SOURCE, &["letter.mp4", "not a video", "text"]);
}

#[test]
fn an_empty_file() {
    let bench = Bench::new();
    let empty = bench.write("empty.mp4", b"");
    bench
        .analyze(&empty, &[])
        .expect(SOURCE, &["empty.mp4", "empty"]);
}

#[test]
fn a_cut_off_mp4() {
    let bench = Bench::new();
    let whole = std::fs::read(bench.video("whole.mp4", 60, "green")).unwrap();
    for share in [3, 50, 95] {
        let name = format!("cut{share}.mp4");
        let cut = bench.write(&name, &whole[..whole.len() * share / 100]);
        bench.analyze(&cut, &[]).expect(SOURCE, &[&name, "cut off"]);
    }
}

#[test]
fn noise_instead_of_video() {
    let bench = Bench::new();
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(20_000)
    .collect();
    let path = bench.write("noise.mp4", &noise);
    bench.analyze(&path, &[]).expect(SOURCE, &["noise.mp4"]);
}

#[test]
fn a_folder_without_pictures_and_one_with_a_broken_picture() {
    let bench = Bench::new();
    let folder = bench.path("stills");
    std::fs::create_dir(&folder).unwrap();
    bench
        .analyze(&folder, &[])
        .expect(SOURCE, &["stills", "no pictures"]);
    std::fs::write(folder.join("a.png"), b"no picture").unwrap();
    bench
        .analyze(&folder, &[])
        .expect(SOURCE, &["a.png", "cannot be decoded"]);
}

#[test]
fn a_stream_nobody_sends() {
    let bench = Bench::new();
    let address = Path::new("rtsp://me:secret@127.0.0.1:9/none");
    let ended = bench.analyze(address, &[]);
    ended.expect(SOURCE, &["rtsp://127.0.0.1:9/none", "does not answer"]);
    let ours: Vec<&str> = ended
        .says
        .lines()
        .filter(|l| l.starts_with("marqueur: "))
        .collect();
    assert!(!ours.join("").contains("secret"), "{ours:?}");
}

#[test]
fn results_that_cannot_be_written() {
    let bench = Bench::new();
    let video = bench.video("a.mp4", 5, "green");
    bench.write("out", b"a file stands here");
    bench.analyze(&video, &[]).expect(1, &["out", "--out"]);
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    let video = bench.video("a.mp4", 5, "green");
    for (more, word) in [
        (vec!["--table", "carom-mach"], "carom-match"),
        (vec!["--table-size", "big"], "2540x1270"),
        (vec!["--table-size", "1881x943", "--pockets", "4"], "0 or 6"),
        (vec!["--ball-diameter", "61"], "--table"),
    ] {
        bench.analyze(&video, &more).expect(USAGE, &[word]);
    }
    assert_eq!(run(&["analyze"]).code, USAGE);
    assert_eq!(run(&["no-such-command"]).code, USAGE);
}

#[test]
fn the_doctor_finds_this_machine_fit() {
    let ended = run(&[
        "doctor",
        "--json",
        "--out",
        std::env::temp_dir().to_str().unwrap(),
    ]);
    ended.expect(0, &[]);
    let report: serde_json::Value = serde_json::from_str(&ended.prints).unwrap();
    assert_eq!(report["ok"], true);
    let names: Vec<&str> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|c| c["name"].as_str())
        .collect();
    assert!(names.contains(&"H.264 decoding"), "{names:?}");
}

#[test]
fn evaluate_names_what_it_cannot_read() {
    let bench = Bench::new();
    let other = bench.write("other.json", br#"{"format": "something/9"}"#);
    let other = other.to_str().unwrap();
    run(&["evaluate", "--truth", other, other])
        .expect(1, &["other.json", "something/9", "marqueur-truth/1"]);
    run(&["evaluate", "--suite", bench.dir.path().to_str().unwrap()])
        .expect(USAGE, &["truth.json"]);
    assert_eq!(run(&["evaluate", other]).code, USAGE);
}

#[test]
fn black_frames() {
    let bench = Bench::new();
    let black = bench.video("black.mp4", 60, "black");
    bench.analyze(&black, &[]).expect(NOTHING, &["dark"]);
}

#[test]
fn a_picture_without_a_table() {
    let bench = Bench::new();
    let wall = scene::wall(&bench.path("wall"), 20);
    bench
        .analyze(&wall, &[])
        .expect(NOTHING, &["no billiard table"]);
}

#[test]
fn a_table_without_balls() {
    let bench = Bench::new();
    let empty = Scene {
        balls: vec![],
        ..Scene::whole()
    };
    let folder = empty.write(&bench.path("empty"), 20);
    bench.analyze(&folder, &[]).expect(NOTHING, &["no balls"]);
}

#[test]
fn a_table_cut_off_by_the_edge() {
    let bench = Bench::new();
    let cut = Scene {
        camera: scene::camera([2300.0, 690.0], 3500.0),
        ..Scene::whole()
    };
    let folder = cut.write(&bench.path("cut"), 20);
    bench
        .analyze(&folder, &[])
        .expect(CALIBRATION, &["cut off", "left"]);
}

#[test]
fn the_wrong_table_size() {
    let bench = Bench::new();
    let folder = Scene::whole().write(&bench.path("table"), 20);
    bench
        .analyze(&folder, &["--table-size", "2840x1150"])
        .expect(CALIBRATION, &["--table"]);
}

#[test]
fn two_tables_in_view() {
    let bench = Bench::new();
    let two = Scene {
        camera: scene::camera([1450.0, 1650.0], 6500.0),
        neighbour: Some([0.0, 2000.0]),
        ..Scene::whole()
    };
    let folder = two.write(&bench.path("two"), 20);
    bench
        .analyze(&folder, &[])
        .expect(CALIBRATION, &["two tables"]);
}

/// The match file of an analysis that ended well.
fn record(bench: &Bench, ended: &Ended) -> serde_json::Value {
    ended.expect(0, &[]);
    let text = std::fs::read_to_string(bench.path("out/match.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn balls_at_rest_are_no_shot() {
    let bench = Bench::new();
    let folder = Scene::whole().write(&bench.path("rest"), 45);
    let ended = bench.analyze(&folder, &[]);
    let record = record(&bench, &ended);
    assert_eq!(record["shots"], serde_json::json!([]));
    assert_eq!(record["source"]["frames"], 45);
    assert!(bench.path("out/positions.csv").is_file());
}

/// White rolls all the time: the clip begins in mid-shot and ends before rest.
fn rolling() -> Scene {
    let mut scene = Scene::whole();
    scene.balls[0] = scene::white([300.0, 700.0], [22.0, 1.0]);
    scene
}

#[test]
fn a_clip_that_begins_in_mid_shot_and_ends_before_rest_is_judged_and_marked() {
    let bench = Bench::new();
    let folder = rolling().write(&bench.path("rolling"), 60);
    let ended = bench.analyze(&folder, &[]);
    let record = record(&bench, &ended);
    let shots = record["shots"].as_array().unwrap();
    assert_eq!(shots.len(), 1, "{shots:#?}");
    assert_eq!(shots[0]["complete"], false);
    assert_eq!(record["result"]["score"]["A"], 0, "no point is invented");
    assert!(ended.prints.contains("not seen whole"), "{}", ended.prints);
}

#[test]
fn strict_ends_with_its_own_code_when_a_person_is_needed() {
    let bench = Bench::new();
    let folder = rolling().write(&bench.path("rolling"), 60);
    let ended = bench.analyze(&folder, &["--strict"]);
    let text = std::fs::read_to_string(bench.path("out/match.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let asked = record["result"]["needs_review"].as_array().unwrap();
    let code = if asked.is_empty() { 0 } else { REVIEW };
    ended.expect(code, &[]);
}

#[test]
fn one_worker_and_many_write_the_same_bytes() {
    let bench = Bench::new();
    let folder = rolling().write(&bench.path("rolling"), 60);
    let mut files = Vec::new();
    for workers in ["1", "5"] {
        bench
            .analyze(&folder, &["--workers", workers])
            .expect(0, &[]);
        let read = |name: &str| std::fs::read(bench.path("out").join(name)).unwrap();
        files.push(["match.json", "events.csv", "positions.csv", "shots/001.svg"].map(read));
    }
    assert!(files[0] == files[1]);
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_marqueur"))
        .args(["games", "three-cushion"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
