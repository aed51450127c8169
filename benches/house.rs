//! The house: decoding against what `ffmpeg` needs for it, diagrams, evaluation. Run with `make bench`.
#![allow(clippy::expect_used, missing_docs, reason = "a bench may fail loudly")]

fn main() {
    divan::main();
}

mod evaluate {
    use std::collections::BTreeMap;

    use divan::Bencher;
    use marqueur::{
        accuracy::{Place, compare},
        model::{
            Ball, TableSpec,
            record::{MatchRecord, ShotRecord},
            truth::{EventRecord, TrueFrame, TrueShot, Truth},
        },
        units::TablePoint,
    };

    const SHOTS: usize = 100;
    const EVENTS: usize = 12;

    fn events(start_s: f64) -> Vec<EventRecord> {
        let event = |i: usize| EventRecord {
            t_s: start_s + 0.5 * i as f64,
            kind: "ball-cushion".to_owned(),
            ball: Some(Ball::ALL[i % 3]),
            cushion: Some("E".to_owned()),
            at_mm: Some([100.0 * i as f64, 1389.0]),
            ..EventRecord::default()
        };
        (0..EVENTS).map(event).collect()
    }

    fn truth() -> Truth {
        let shot = |i: usize| TrueShot {
            player: None,
            struck: Ball::White,
            start_s: 10.0 * i as f64,
            stop_s: 10.0 * i as f64 + 8.0,
            events: events(10.0 * i as f64),
            before: BTreeMap::new(),
            after: BTreeMap::from([(Ball::White, [1.0, 2.0])]),
            points: Some(1),
        };
        let frame = |i: usize| TrueFrame {
            t_s: i as f64 / 60.0,
            balls: BTreeMap::from([(Ball::White, [i as f64, 700.0])]),
            covered: vec![],
        };
        Truth {
            format: String::new(),
            game: "three-cushion".to_owned(),
            table: TableSpec::named("carom-match").expect("a named table"),
            camera: serde_json::Value::Null,
            fps: 60.0,
            seed: 0,
            shots: (0..SHOTS).map(shot).collect(),
            score: BTreeMap::new(),
            frames: (0..SHOTS * 600).map(frame).collect(),
        }
    }

    pub(super) fn shot(truth: &TrueShot, n: usize) -> ShotRecord {
        ShotRecord {
            n: n as u32 + 1,
            player: "A".to_owned(),
            struck: Some(truth.struck),
            start_s: truth.start_s,
            stop_s: truth.stop_s,
            complete: true,
            before: BTreeMap::from([(Ball::White, [700.0, 700.0]), (Ball::Red, [2130.0, 710.0])]),
            after: truth.after.clone(),
            pins_before: vec![],
            pins_after: vec![],
            events: truth.events.clone(),
            ruling: Default::default(),
            score: BTreeMap::new(),
            notation: String::new(),
            doubts: vec![],
        }
    }

    fn found(truth: &Truth) -> MatchRecord {
        let mut record: MatchRecord = serde_json::from_value(serde_json::json!({
            "format": "", "game": "", "variant": null, "options": {},
            "table": {"name": "", "length_mm": 2840.0, "width_mm": 1420.0},
            "source": {"name": "", "frames": 0, "fps": 60.0, "dropped": 0, "duration_s": 0.0},
            "calibration": {"residual_mm": 1.0, "from": ""}, "players": [], "shots": [],
            "result": {"score": {}, "innings": {}, "average": {}, "high_run": {}, "winner": null, "needs_review": []}
        }))
        .expect("a match");
        record.shots = truth
            .shots
            .iter()
            .enumerate()
            .map(|(n, s)| shot(s, n))
            .collect();
        record
    }

    /// A match of 100 shots and 17 minutes.
    #[divan::bench]
    fn match_of_100_shots(bencher: Bencher<'_, '_>) {
        let truth = truth();
        let found = found(&truth);
        let places: Vec<Place> = truth
            .frames
            .iter()
            .map(|f| Place {
                t_s: f.t_s,
                ball: Ball::White,
                at: TablePoint::new(f.t_s * 60.0, 701.0),
                seen: true,
            })
            .collect();
        bencher.bench(|| compare(&truth, &found, &places));
    }

    /// The diagram of one shot with 480 path points.
    #[divan::bench]
    fn shot_diagram(bencher: Bencher<'_, '_>) {
        let truth = truth();
        let shot = shot(&truth.shots[0], 0);
        let path = (0..480).map(|i| {
            (
                f64::from(i) / 60.0,
                TablePoint::new(700.0 + 3.5 * f64::from(i), 700.0),
            )
        });
        let paths = BTreeMap::from([(Ball::White, path.collect())]);
        bencher.bench(|| marqueur::draw::shot_diagram(&truth.table, &shot, &paths));
    }
}

#[cfg(feature = "vision")]
mod source {
    use std::process::Command;

    use divan::{Bencher, counter::ItemsCount};

    const FRAMES: u32 = 120;

    /// Two seconds of 1080p at about 6 Mb/s, H.264.
    fn clip(dir: &std::path::Path) -> String {
        let path = dir.join("bench.mp4").display().to_string();
        let status = Command::new("ffmpeg")
            .args([
                "-v",
                "error",
                "-y",
                "-f",
                "lavfi",
                "-i",
                "testsrc2=s=1920x1080:r=60",
            ])
            .args([
                "-frames:v",
                &FRAMES.to_string(),
                "-c:v",
                "libx264",
                "-b:v",
                "6M",
                "-pix_fmt",
                "yuv420p",
            ])
            .arg(&path)
            .status()
            .expect("ffmpeg");
        assert!(status.success());
        path
    }

    /// Reading every frame, arrays given back.
    #[divan::bench(sample_count = 5)]
    fn read_1080p(bencher: Bencher<'_, '_>) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = clip(dir.path());
        bencher.counter(ItemsCount::new(FRAMES)).bench(|| {
            let mut source = marqueur::io::open(&path).expect("the clip opens");
            let mut n = 0;
            while let Some(frame) = source.read().expect("the clip is whole") {
                n += frame.seq;
                source.recycle(frame.pixels);
            }
            n
        });
    }

    /// The same clip through the `ffmpeg` program, pictures thrown away: the floor.
    #[divan::bench(sample_count = 5)]
    fn ffmpeg_1080p(bencher: Bencher<'_, '_>) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = clip(dir.path());
        bencher.counter(ItemsCount::new(FRAMES)).bench(|| {
            Command::new("ffmpeg")
                .args(["-v", "error", "-i", &path, "-f", "null", "-"])
                .status()
                .expect("ffmpeg")
        });
    }
}
