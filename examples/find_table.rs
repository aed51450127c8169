//! Finds the table in pictures and prints the camera: `find_table TABLE PICTURE...`
#![allow(clippy::print_stdout, reason = "an example talks to a terminal")]

use std::error::Error;

use marqueur::{
    calib::{Options, camera::Camera, find},
    model::{Picture, TableSpec},
    units::{ImagePoint, TablePoint},
};

fn read(path: &str) -> Result<Picture, Box<dyn Error>> {
    let rgb = image::open(path)?.to_rgb8();
    let (w, h) = rgb.dimensions();
    let mut bgr = rgb.into_raw();
    bgr.chunks_exact_mut(3).for_each(|p| p.swap(0, 2));
    Ok(Picture::from_shape_vec((h as usize, w as usize, 3), bgr)?)
}

fn table(name: &str) -> Result<TableSpec, Box<dyn Error>> {
    if let Some(t) = TableSpec::named(name) {
        return Ok(t);
    }
    let v: Vec<f64> = name.split('x').map(str::parse).collect::<Result<_, _>>()?;
    Ok(TableSpec::custom(v[0], v[1], v[2], v[3] > 0.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let table = table(&args[0])?;
    let frames: Vec<Picture> = args[1..]
        .iter()
        .map(|p| read(p))
        .collect::<Result<_, _>>()?;
    let start = std::time::Instant::now();
    let found = find(&frames, &table, &Options::default())?;
    let spent = start.elapsed();
    let c = &found.calibration;
    println!(
        "{:.2} mm rms, {:.2} mm worst, {} marks, {} rejected, {:.0} ms",
        c.residual_mm,
        c.worst_mm,
        found.marks.len(),
        found.rejected.len(),
        spent.as_secs_f64() * 1e3
    );
    if let Ok(path) = std::env::var("OVERLAY") {
        let drawn = marqueur::calib::picture::overlay(&frames[frames.len() / 2], &found);
        let (h, w, _) = drawn.dim();
        let mut rgb: Vec<u8> = drawn.into_iter().collect();
        rgb.chunks_exact_mut(3).for_each(|p| p.swap(0, 2));
        image::save_buffer(
            path,
            &rgb,
            w as u32,
            h as u32,
            image::ExtendedColorType::Rgb8,
        )?;
    }
    let cam = &c.camera;
    println!(
        "focal {:.0} px, centre {:.1} {:.1}, k1 {:.4}, at {:.0?} mm, turn {:.4?}",
        cam.focal_px,
        cam.centre.x,
        cam.centre.y,
        cam.distortion[0],
        cam.position(),
        cam.rotation_vector()
    );
    for (x, y) in [
        (0.0, 0.0),
        (table.length_mm, 0.0),
        (table.length_mm, table.width_mm),
        (0.0, table.width_mm),
    ] {
        let p = cam.project(TablePoint::new(x, y), table.nose_height_mm);
        println!("corner {:.1} {:.1}", p.x, p.y);
    }
    if let Ok(path) = std::env::var("TRUTH") {
        against(cam, &table, &path)?;
    }
    Ok(())
}

/// Placement errors over the bed against a truth file's camera.
fn against(camera: &Camera, table: &TableSpec, path: &str) -> Result<(), Box<dyn Error>> {
    let truth: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let c = &truth["camera"];
    let list = |k: &str| -> Vec<f64> {
        c[k].as_array()
            .into_iter()
            .flatten()
            .filter_map(|v| v.as_f64())
            .collect()
    };
    let (centre, bend, turn, place) = (
        list("centre"),
        list("distortion"),
        list("rotation_vector"),
        list("translation_mm"),
    );
    let real = Camera::new(
        camera.size,
        c["focal_px"].as_f64().ok_or("no focal length")?,
        ImagePoint::new(centre[0], centre[1]),
        [bend[0], bend[1]],
        [turn[0], turn[1], turn[2]],
        [place[0], place[1], place[2]],
    );
    println!(
        "truth: focal {:.0}, centre {:.1} {:.1}, k1 {:.4}, at {:.0?}, turn {turn:.4?}",
        real.focal_px,
        centre[0],
        centre[1],
        bend[0],
        real.position()
    );
    for (name, z) in [
        ("balls", table.ball_radius_mm()),
        ("noses", table.nose_height_mm),
    ] {
        let mut off = Vec::new();
        let r = table.ball_radius_mm();
        for i in 0..9 {
            for k in 0..5 {
                let p = TablePoint::new(
                    r + (table.length_mm - 2.0 * r) * f64::from(i) / 8.0,
                    r + (table.width_mm - 2.0 * r) * f64::from(k) / 4.0,
                );
                off.push(
                    camera
                        .unproject(real.project(p, z), z)
                        .map_or(f64::NAN, |q| q.distance(p)),
                );
            }
        }
        let rms = (off.iter().map(|o| o * o).sum::<f64>() / off.len() as f64).sqrt();
        println!(
            "{name}: {rms:.2} mm rms, {:.2} mm worst over 9 x 5 places",
            off.iter().fold(0.0, |a: f64, o| a.max(*o))
        );
    }
    Ok(())
}
