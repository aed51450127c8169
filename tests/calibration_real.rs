//! Calibration on real footage against its labels; skipped with a notice where the clips are absent.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail and talk"
)]

use std::path::{Path, PathBuf};

use marqueur::{
    calib::{Calibration, Options, estimate},
    model::{Picture, TableSpec},
    units::{ImagePoint, TablePoint},
};

/// The folder of clips, or a notice.
fn clips() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips");
    if dir.is_dir() {
        return Some(dir);
    }
    println!("skipped: no clips in {}", dir.display());
    None
}

fn picture(path: &Path) -> Picture {
    let rgb = image::open(path).unwrap().to_rgb8();
    let (w, h) = rgb.dimensions();
    let mut bgr = rgb.into_raw();
    bgr.chunks_exact_mut(3).for_each(|p| p.swap(0, 2));
    Picture::from_shape_vec((h as usize, w as usize, 3), bgr).unwrap()
}

/// One picture a second of a clip's first seven, by the ffmpeg program; a notice when it is not there.
fn first_seconds(clip: &Path) -> Option<Vec<Picture>> {
    let dir = tempfile::tempdir().unwrap();
    let status = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(clip)
        .args(["-t", "7", "-vf", "fps=1"])
        .arg(dir.path().join("%03d.png"))
        .status();
    if !status.is_ok_and(|s| s.success()) {
        println!("skipped: the ffmpeg program cannot read {}", clip.display());
        return None;
    }
    let mut names: Vec<PathBuf> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    Some(names.iter().map(|n| picture(n)).collect())
}

fn pocket_table() -> TableSpec {
    TableSpec::custom(1881.0, 943.0, 52.3, true)
}

/// Label's corner names with the table's corners when the near end is left.
fn corners(table: &TableSpec) -> [(&'static str, TablePoint); 4] {
    let (l, w) = (table.length_mm, table.width_mm);
    [
        ("TL", TablePoint::new(0.0, 0.0)),
        ("TR", TablePoint::new(l, 0.0)),
        ("BR", TablePoint::new(l, w)),
        ("BL", TablePoint::new(0.0, w)),
    ]
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn point(v: &serde_json::Value) -> ImagePoint {
    ImagePoint::new(v[0].as_f64().unwrap(), v[1].as_f64().unwrap())
}

/// Distances of the four corners from their labels, px, printed.
fn corner_errors(name: &str, c: &Calibration, label: &serde_json::Value) -> Vec<f64> {
    let z = c.table.nose_height_mm;
    corners(&c.table)
        .map(|(corner, place)| {
            let (seen, said) = (c.camera.project(place, z), point(&label["corners"][corner]));
            println!(
                "{name} {corner}: {:.1} {:.1}, label {:.1} {:.1}",
                seen.x, seen.y, said.x, said.y
            );
            seen.distance(said)
        })
        .to_vec()
}

#[test]
fn television_corners_and_nose_samples_are_met() {
    let Some(dir) = clips() else { return };
    let Some(frames) = first_seconds(&dir.join("carom/three_cushion_tv.mp4")) else {
        return;
    };
    let label = json(&dir.join("labels/three_cushion_tv.json"));
    let table = TableSpec::named("carom-match").unwrap();
    let c = estimate(&frames, &table, &Options::default()).unwrap();
    println!("{:.2} mm rms, {:.2} worst", c.residual_mm, c.worst_mm);
    let errors = corner_errors("tv", &c, &label);
    let mut offs = Vec::new();
    for side in ["left", "right", "top", "bottom"] {
        for sample in label["nose_line_samples"][side].as_array().unwrap() {
            let p = c
                .camera
                .unproject(point(sample), table.nose_height_mm)
                .unwrap();
            let off_mm = match side {
                "left" => p.x,
                "right" => p.x - table.length_mm,
                "top" => p.y,
                _ => p.y - table.width_mm,
            };
            let px = off_mm * c.camera.px_per_mm(p, table.nose_height_mm);
            println!("{side} {sample}: {px:.2} px");
            offs.push(px);
        }
    }
    let rms = (offs.iter().map(|o| o * o).sum::<f64>() / offs.len() as f64).sqrt();
    println!("nose samples: {rms:.2} px rms; corners: {errors:.2?} px");
    assert!(rms < 0.7, "nose samples off by {rms} px rms");
    assert!(offs.iter().all(|o| o.abs() < 1.5), "{offs:?}");
    assert!(errors.iter().all(|e| *e < 2.0), "{errors:?}");
}

#[test]
fn pocket_table_clips_are_found() {
    let Some(dir) = clips() else { return };
    // Of pot_then_hand the first pictures are refused today: an arm hides a nose, and the shape found is 3 % too long.
    for name in ["pot_middle", "pot_with_halos", "contact_stops_in_jaws"] {
        let Some(frames) = first_seconds(&dir.join(format!("pocket/{name}.mp4"))) else {
            return;
        };
        let c = estimate(&frames, &pocket_table(), &Options::default()).unwrap();
        let errors = corner_errors(name, &c, &json(&dir.join(format!("labels/{name}.json"))));
        println!(
            "{name}: {:.2} mm rms, corners {errors:.2?} px",
            c.residual_mm
        );
        assert!(errors.iter().all(|e| *e < 5.0), "{errors:?}");
    }
}

#[test]
fn pool_table_on_television_is_found() {
    let Some(dir) = clips() else { return };
    let Some(frames) = first_seconds(&dir.join("eightball/safety_shot.mp4")) else {
        return;
    };
    let table = TableSpec::named("pool-9").unwrap();
    let c = estimate(&frames, &table, &Options::default()).unwrap();
    let errors = corner_errors(
        "safety_shot",
        &c,
        &json(&dir.join("labels/safety_shot.json")),
    );
    println!("{:.2} mm rms, corners {errors:.2?} px", c.residual_mm);
    assert!(errors.iter().all(|e| *e < 2.0), "{errors:?}");
}

#[test]
fn published_ball_places_are_met() {
    let Some(dir) = clips() else { return };
    let table = pocket_table();
    let mut all = Vec::new();
    for still in json(&dir.join("stills/positions.json"))["pictures"]
        .as_array()
        .unwrap()
    {
        let name = still["image"].as_str().unwrap();
        let c = match estimate(
            &[picture(&dir.join("stills").join(name))],
            &table,
            &Options::default(),
        ) {
            Ok(c) => c,
            Err(e) => {
                println!("{name}: {e}");
                continue;
            }
        };
        let mut errors = Vec::new();
        let mut mean = [0.0; 2];
        for ball in still["balls"].as_array().unwrap() {
            let v = |k: &str| ball[k].as_f64().unwrap();
            let Some(p) = c.ball_on_table(ImagePoint::new(v("x_px"), v("y_px"))) else {
                continue;
            };
            let said = TablePoint::new(
                v("x_mm") + 0.5 * table.length_mm,
                0.5 * table.width_mm - v("y_mm"),
            );
            mean = [mean[0] + p.x - said.x, mean[1] + p.y - said.y];
            errors.push((p.distance(said), p.x - said.x, p.y - said.y, said));
        }
        let n = errors.len() as f64;
        for (_, dx, dy, said) in &errors {
            println!("  {:.0} {:.0}: {dx:.1} {dy:.1}", said.x, said.y);
        }
        let rms = (errors.iter().map(|e| e.0 * e.0).sum::<f64>() / n).sqrt();
        println!(
            "{name}: {n} balls, {rms:.2} mm rms, mean {:.2} {:.2}",
            mean[0] / n,
            mean[1] / n
        );
        all.extend(errors.iter().map(|e| e.0));
    }
    all.sort_by(f64::total_cmp);
    println!(
        "median {:.2}, 95 % {:.2} mm",
        all[all.len() / 2],
        all[all.len() * 95 / 100]
    );
}
