//! Bad input, through the built program: never a panic, always a message that names the file, always the promised
//! exit code.
#![cfg(feature = "vision")]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Exit codes of FORMATS.
const USAGE: i32 = 2;
const SOURCE: i32 = 3;

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
