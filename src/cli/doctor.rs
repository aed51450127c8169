//! `marqueur doctor`.

use std::{path::PathBuf, process::Command};

use clap::Args;
use serde::Serialize;

use crate::cli::{CliError, print_json, say};

const EXAMPLES: &str = "Example:
  marqueur doctor";

/// Checks the machine and says what is missing and how to get it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DoctorArgs {
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Folder that results will be written to
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

/// One thing looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    /// Nothing works without it.
    needed: bool,
    found: String,
    /// What to do when it is not ok.
    remedy: &'static str,
}

const INSTALL: &str = "run scripts/install-packages.sh (Debian, Ubuntu), then build again";

/// Runs the command.
///
/// # Errors
/// [`CliError::Failed`] when something needed is missing.
pub fn run(args: &DoctorArgs) -> Result<(), CliError> {
    let mut checks = vision::checks();
    checks.extend([cores(), ffmpeg(), cameras(), writable(&args.out)]);
    let missing = checks.iter().filter(|c| c.needed && !c.ok).count();
    if args.json {
        print_json(&serde_json::json!({"ok": missing == 0, "checks": checks}))?;
    } else {
        for check in &checks {
            say(&text(check));
        }
    }
    match missing {
        0 => Ok(()),
        n => Err(CliError::Failed(format!(
            "{n} of the things marqueur needs are missing"
        ))),
    }
}

fn text(check: &Check) -> String {
    let mark = match (check.ok, check.needed) {
        (true, _) => "ok     ",
        (false, true) => "MISSING",
        (false, false) => "absent ",
    };
    let mut line = format!("{mark}  {:18} {}", check.name, check.found);
    if !check.ok {
        line.push_str(&format!("\n         {:18} -> {}", "", check.remedy));
    }
    line
}

fn cores() -> Check {
    let n = std::thread::available_parallelism().map_or(1, usize::from);
    Check {
        name: "processor cores",
        ok: n >= 2,
        needed: false,
        found: n.to_string(),
        remedy: "analysis works on one core but takes longer than the recording",
    }
}

fn ffmpeg() -> Check {
    let output = Command::new("ffmpeg").arg("-version").output();
    let version = output.ok().filter(|o| o.status.success()).map(|o| {
        let text = String::from_utf8_lossy(&o.stdout).into_owned();
        text.lines().next().unwrap_or_default().to_owned()
    });
    Check {
        name: "ffmpeg program",
        ok: version.is_some(),
        needed: false,
        found: version.unwrap_or_else(|| "not found".to_owned()),
        remedy: "apt-get install ffmpeg (only tests and benches use it)",
    }
}

fn cameras() -> Check {
    let devices = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let mut names: Vec<String> = devices
        .map(|d| d.file_name().to_string_lossy().into_owned())
        .filter(|n| n.starts_with("video"))
        .map(|n| format!("/dev/{n}"))
        .collect();
    names.sort();
    Check {
        name: "cameras",
        ok: !names.is_empty(),
        needed: false,
        found: if names.is_empty() {
            "none at this machine".to_owned()
        } else {
            names.join(", ")
        },
        remedy: "recordings need none; a USB camera shows as /dev/video0, a network camera has an address",
    }
}

fn writable(folder: &std::path::Path) -> Check {
    let probe = folder.join(format!(".marqueur-doctor-{}", std::process::id()));
    let written = std::fs::write(&probe, b"probe").and_then(|()| std::fs::remove_file(&probe));
    Check {
        name: "results folder",
        ok: written.is_ok(),
        needed: true,
        found: match written {
            Ok(()) => format!("{} is writable", folder.display()),
            Err(e) => format!("{}: {e}", folder.display()),
        },
        remedy: "run marqueur in a folder of your own, or choose another with --out",
    }
}

#[cfg(not(feature = "vision"))]
mod vision {
    use super::{Check, INSTALL};

    pub(super) fn checks() -> Vec<Check> {
        vec![Check {
            name: "OpenCV",
            ok: false,
            needed: true,
            found: "this marqueur was built without it".to_owned(),
            remedy: INSTALL,
        }]
    }
}

#[cfg(feature = "vision")]
mod vision {
    use opencv::{
        core::{Mat, Scalar, Size},
        prelude::*,
        videoio::{self, VideoWriter},
    };

    use super::{Check, INSTALL};

    /// Five frames of H.264: what most cameras record.
    const CLIP: &[u8] = include_bytes!("doctor.h264.mp4");
    const CLIP_FRAMES: usize = 5;

    pub(super) fn checks() -> Vec<Check> {
        vec![version(), backends(), decoding(), encoding()]
    }

    fn version() -> Check {
        let version = opencv::core::get_version_string();
        Check {
            name: "OpenCV",
            ok: version.is_ok(),
            needed: true,
            found: version.unwrap_or_else(|e| e.message),
            remedy: INSTALL,
        }
    }

    fn backends() -> Check {
        let known = opencv::videoio::get_backends();
        let mut names: Vec<String> = Vec::new();
        for backend in known.iter().flatten() {
            names.extend(opencv::videoio::get_backend_name(backend));
        }
        Check {
            name: "video backends",
            ok: names.iter().any(|n| n == "FFMPEG"),
            needed: true,
            found: names.join(", "),
            remedy: "this OpenCV was built without FFmpeg: install Debian's or Ubuntu's libopencv-dev",
        }
    }

    fn decoding() -> Check {
        let result = in_temp_file("decode", |path| {
            std::fs::write(path, CLIP).map_err(|e| e.to_string())?;
            let read = count_frames(path)?;
            if read == CLIP_FRAMES {
                return Ok(format!("{read} of {CLIP_FRAMES} test pictures read"));
            }
            Err(format!("{read} of {CLIP_FRAMES} test pictures read"))
        });
        check("H.264 decoding", true, result)
    }

    fn encoding() -> Check {
        let result = in_temp_file("encode", |path| {
            write_video(path).map_err(|e| e.message)?;
            match count_frames(path)? {
                3 => Ok("3 of 3 test pictures written and read back".to_owned()),
                n => Err(format!("{n} of 3 test pictures came back")),
            }
        });
        check("H.264 encoding", false, result)
    }

    fn check(name: &'static str, needed: bool, result: Result<String, String>) -> Check {
        Check {
            name,
            ok: result.is_ok(),
            needed,
            found: result.unwrap_or_else(|reason| reason),
            remedy: "install the full FFmpeg libraries: apt-get install libavcodec-extra",
        }
    }

    fn count_frames(path: &std::path::Path) -> Result<usize, String> {
        let text = path.display().to_string();
        let mut source = crate::io::open(&text).map_err(|e| e.to_string())?;
        let mut n = 0;
        while source.read().map_err(|e| e.to_string())?.is_some() {
            n += 1;
        }
        Ok(n)
    }

    fn write_video(path: &std::path::Path) -> opencv::Result<()> {
        let h264 = VideoWriter::fourcc('a', 'v', 'c', '1')?;
        let size = Size::new(64, 48);
        let mut writer =
            VideoWriter::new_with_backend(path, videoio::CAP_FFMPEG, h264, 25.0, size, true)?;
        let grey = Scalar::all(90.0);
        let picture = Mat::new_size_with_default(size, opencv::core::CV_8UC3, grey)?;
        for _ in 0..3 {
            writer.write(&picture)?;
        }
        writer.release()
    }

    fn in_temp_file(
        what: &str,
        job: impl FnOnce(&std::path::Path) -> Result<String, String>,
    ) -> Result<String, String> {
        let name = format!("marqueur-doctor-{}-{what}.mp4", std::process::id());
        let path = std::env::temp_dir().join(name);
        let result = job(&path);
        let _ = std::fs::remove_file(&path);
        result
    }
}
