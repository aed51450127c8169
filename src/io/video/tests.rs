use std::{path::Path, process::Command};

use super::*;
use crate::io::open;

/// Frames of a 64 x 48 picture: top left quarter red, the rest grey that grows with the number.
fn write_video(path: &Path, fourcc: [char; 4], frames: usize) {
    let code = videoio::VideoWriter::fourcc(fourcc[0], fourcc[1], fourcc[2], fourcc[3]).unwrap();
    let size = opencv::core::Size::new(64, 48);
    let mut writer =
        videoio::VideoWriter::new_with_backend(path, videoio::CAP_FFMPEG, code, 25.0, size, true)
            .unwrap();
    assert!(writer.is_opened().unwrap());
    for n in 0..frames {
        let mut pixels = Array3::<u8>::from_elem((48, 64, 3), 40 + 2 * n as u8);
        pixels
            .slice_mut(ndarray::s![..24, ..32, ..])
            .assign(&ndarray::arr1(&[0, 0, 255]));
        let bytes = pixels.as_slice_mut().unwrap();
        let mat = Mat::new_rows_cols_with_bytes_mut::<Vec3b>(48, 64, bytes).unwrap();
        writer.write(&mat).unwrap();
    }
    writer.release().unwrap();
}

fn read_all(path: &Path) -> (Vec<Frame>, SourceEnd, SourceInfo) {
    let mut source = open(&path.display().to_string()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = source.read().unwrap() {
        frames.push(frame);
    }
    (frames, source.end(), source.info().clone())
}

fn is_red(pixels: &Picture, row: usize, column: usize) -> bool {
    pixels[[row, column, 2]] > 180 && pixels[[row, column, 0]] < 80
}

fn ffmpeg(arguments: &[&str]) {
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-y"])
        .args(arguments)
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn every_picture_comes_with_its_time_and_colours() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    write_video(&path, ['a', 'v', 'c', '1'], 40);
    let (frames, end, info) = read_all(&path);
    assert_eq!(info.size, [64, 48]);
    assert_eq!(info.frames_hint, Some(40));
    assert_eq!((frames.len(), end.complete, end.warning), (40, true, None));
    for (n, frame) in frames.iter().enumerate() {
        assert_eq!(frame.seq, n as u64);
        assert!((frame.at.secs() - n as f64 * 0.04).abs() < 1e-3);
        assert!(is_red(&frame.pixels, 10, 10) && !is_red(&frame.pixels, 40, 50));
        assert!((i32::from(frame.pixels[[40, 50, 1]]) - 40 - 2 * n as i32).abs() < 8);
    }
}

#[test]
fn a_recycled_picture_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.avi");
    write_video(&path, ['M', 'J', 'P', 'G'], 3);
    let mut source = open(&path.display().to_string()).unwrap();
    let first = source.read().unwrap().unwrap().pixels;
    let memory = first.as_ptr();
    source.recycle(first);
    assert_eq!(source.read().unwrap().unwrap().pixels.as_ptr(), memory);
}

#[test]
fn orientation_flags_are_honoured() {
    let dir = tempfile::tempdir().unwrap();
    let flat = dir.path().join("flat.mp4");
    write_video(&flat, ['a', 'v', 'c', '1'], 3);
    for (degrees, size) in [("90", [48, 64]), ("180", [64, 48]), ("270", [48, 64])] {
        let path = dir.path().join(format!("turned{degrees}.mp4"));
        ffmpeg(&[
            "-i",
            &flat.display().to_string(),
            "-c",
            "copy",
            "-metadata:s:v:0",
            &format!("rotate={degrees}"),
            &path.display().to_string(),
        ]);
        // What ffmpeg itself makes of the flag is the truth.
        let upright = dir.path().join("upright.mp4");
        ffmpeg(&[
            "-i",
            &path.display().to_string(),
            &upright.display().to_string(),
        ]);
        let (turned, _, info) = read_all(&path);
        assert_eq!(info.size, size, "{degrees}");
        let corners = red_corners(&turned[1].pixels);
        assert_eq!(corners.iter().filter(|r| **r).count(), 1, "{degrees}");
        let (truth, _, _) = read_all(&upright);
        assert_eq!(corners, red_corners(&truth[1].pixels), "{degrees}");
        assert_ne!(corners, [true, false, false, false], "{degrees}");
    }
}

/// Which corners are red: top left, top right, bottom left, bottom right.
fn red_corners(pixels: &Picture) -> [bool; 4] {
    let (h, w, _) = pixels.dim();
    [(8, 8), (8, w - 8), (h - 8, 8), (h - 8, w - 8)].map(|(y, x)| is_red(pixels, y, x))
}

#[test]
fn a_variable_rate_is_read_from_the_stream() {
    let dir = tempfile::tempdir().unwrap();
    let (even, uneven) = (dir.path().join("even.mp4"), dir.path().join("uneven.mkv"));
    write_video(&even, ['a', 'v', 'c', '1'], 20);
    ffmpeg(&[
        "-i",
        &even.display().to_string(),
        "-vf",
        "select='not(between(n,5,11))'",
        "-vsync",
        "vfr",
        &uneven.display().to_string(),
    ]);
    let (frames, end, _) = read_all(&uneven);
    let times: Vec<i64> = frames
        .iter()
        .map(|f| (f.at.secs() * 25.0).round() as i64)
        .collect();
    assert_eq!(times, [0, 1, 2, 3, 4, 12, 13, 14, 15, 16, 17, 18, 19]);
    assert!(end.complete, "{end:?}");
}

#[test]
fn what_is_no_video_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text.mp4");
    std::fs::write(&text, "Dear umpire, ü".repeat(60)).unwrap();
    let empty = dir.path().join("empty.mp4");
    std::fs::write(&empty, "").unwrap();
    let whole = dir.path().join("whole.mp4");
    write_video(&whole, ['a', 'v', 'c', '1'], 40);
    let bytes = std::fs::read(&whole).unwrap();
    let cut = dir.path().join("cut.mp4");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let message = |p: &Path| {
        open(&p.display().to_string())
            .err()
            .map(|e| e.to_string())
            .unwrap()
    };
    assert!(message(&text).contains("it holds text"));
    assert!(message(&empty).contains("empty"));
    assert!(message(&cut).contains("cut off"), "{}", message(&cut));
}

#[test]
fn a_cut_file_that_still_opens_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.mp4");
    write_video(&whole, ['a', 'v', 'c', '1'], 100);
    let mkv = dir.path().join("whole.mkv");
    ffmpeg(&[
        "-i",
        &whole.display().to_string(),
        "-c",
        "copy",
        &mkv.display().to_string(),
    ]);
    let bytes = std::fs::read(&mkv).unwrap();
    let cut = dir.path().join("cut.mkv");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let (frames, end, _) = read_all(&cut);
    assert!(frames.len() < 95);
    assert!(!end.complete);
    assert!(end.warning.unwrap().contains("cut off"));
    assert!(read_all(&mkv).1.complete);
}
