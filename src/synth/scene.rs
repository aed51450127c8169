//! A scene from script to files: a video and its truth.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::json;

use crate::{
    calib::camera::Camera,
    model::{
        Ball,
        truth::{FORMAT, TrueFrame, Truth},
    },
    synth::{
        encode::{Coding, EncodeError, Encoder, rational},
        look::{Cloth, Look},
        render::{Frame, Renderer, Shutter},
        script::{Script, rounded},
        view::{self, ViewLimits},
    },
};

/// Why a scene could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The size cannot be coded.
    #[error("a picture of {0} x {1} cannot be coded: both must be even and at least 64")]
    Size(u32, u32),
    /// The video.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The truth file.
    #[error("cannot write {path}")]
    Truth {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// What can be chosen about a scene; the rest is drawn from the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOptions {
    /// Picture size, px.
    pub size: [u32; 2],
    /// Frames per second.
    pub fps: f64,
    /// Exposure, s.
    pub exposure_s: f64,
    /// Cloth, when it matters.
    pub cloth: Option<Cloth>,
    /// Sensor noise, steps of 255, when it matters.
    pub noise: Option<f32>,
    /// Limits of the camera's place.
    pub view: ViewLimits,
    /// How it is coded.
    pub coding: Coding,
    /// Seed of camera and look.
    pub seed: u64,
}

/// A scene ready to be rendered.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What happens.
    pub script: Script,
    /// What it looks like.
    pub look: Look,
    /// Seen by.
    pub camera: Camera,
    /// Cushions and frame.
    pub frame: Frame,
    /// Its options.
    pub options: SceneOptions,
}

impl Scene {
    /// Draws camera and look for a script.
    ///
    /// # Errors
    /// When the picture size cannot be coded.
    pub fn new(script: Script, options: SceneOptions) -> Result<Self, SceneError> {
        let [w, h] = options.size;
        if w % 2 != 0 || h % 2 != 0 || w < 64 || h < 64 {
            return Err(SceneError::Size(w, h));
        }
        let frame = Frame::default();
        let balls: Vec<Ball> = script.paths.keys().copied().collect();
        let mut look = Look::random(&script.table, &balls, options.cloth, options.seed);
        if let Some(noise) = options.noise {
            look.noise = noise;
        }
        Ok(Self {
            camera: view::random(
                &script.table,
                options.size,
                frame.width(),
                &options.view,
                options.seed ^ 0xCA3E,
            ),
            script,
            look,
            frame,
            options,
        })
    }

    /// Frames of the scene.
    pub fn frames(&self) -> u64 {
        (self.script.duration_s * self.rate()).ceil() as u64
    }

    /// Exact frames per second.
    fn rate(&self) -> f64 {
        let (num, den) = rational(self.options.fps);
        num as f64 / den as f64
    }

    /// Renders the scene into a video file. `progress` is told the frames done and the frames there are.
    ///
    /// Returns the truth. A frame's time is its presentation time, and its exposure is centred on that time: so event
    /// times and ball places agree without an offset.
    ///
    /// # Errors
    /// When the video cannot be written.
    pub fn film(
        &self,
        video: &Path,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Truth, SceneError> {
        let shutter = Shutter {
            fps: self.rate(),
            exposure_s: self.options.exposure_s,
        };
        let mut encoder = Encoder::new(
            video,
            self.options.size,
            rational(self.options.fps),
            &self.options.coding,
        )?;
        let mut renderer =
            Renderer::new(&self.script, &self.look, &self.camera, self.frame, shutter);
        let mut truth = self.truth();
        for i in 0..self.frames() {
            let t = renderer.time();
            let (planes, covered) = renderer.next_frame();
            encoder.push(planes)?;
            truth.frames.push(TrueFrame {
                t_s: crate::synth::play::round(t, 1e6),
                balls: rounded(&self.script.layout_at(t)),
                covered,
            });
            progress(i + 1, self.frames());
        }
        encoder.finish()?;
        Ok(truth)
    }

    /// The truth without its frames.
    fn truth(&self) -> Truth {
        let c = &self.camera;
        Truth {
            format: FORMAT.to_owned(),
            game: self.script.game.clone(),
            table: self.script.table.clone(),
            camera: json!({
                "size": c.size, "focal_px": c.focal_px, "centre": [c.centre.x, c.centre.y],
                "distortion": c.distortion, "rotation_vector": c.rotation_vector(),
                "translation_mm": [c.translation.x, c.translation.y, c.translation.z],
                "position_mm": c.position(), "exposure_s": self.options.exposure_s,
                "exposure": "centred on t_s",
            }),
            fps: self.rate(),
            seed: self.options.seed,
            shots: self.script.true_shots(),
            score: self.script.score(),
            frames: Vec::new(),
        }
    }
}

/// Writes a truth file: one line per event and frame, so that people can read it and changes show.
///
/// # Errors
/// When the file cannot be written.
pub fn write_truth(truth: &Truth, path: &Path) -> Result<(), SceneError> {
    let file = |source| SceneError::Truth {
        path: path.to_owned(),
        source,
    };
    let mut out = BufWriter::new(File::create(path).map_err(file)?);
    lines(truth, &mut out).map_err(file)?;
    out.flush().map_err(file)
}

fn lines(truth: &Truth, out: &mut impl Write) -> std::io::Result<()> {
    let head = Truth {
        shots: Vec::new(),
        frames: Vec::new(),
        ..truth.clone()
    };
    let text = serde_json::to_value(&head)?;
    writeln!(out, "{{")?;
    if let Some(fields) = text.as_object() {
        let plain = fields
            .iter()
            .filter(|(k, _)| !matches!(k.as_str(), "shots" | "frames"));
        for (key, value) in plain {
            writeln!(out, "{}: {},", json!(key), serde_json::to_string(value)?)?;
        }
    }
    list(out, "shots", &truth.shots, ",")?;
    list(out, "frames", &truth.frames, "")?;
    writeln!(out, "}}")
}

fn list<T: Serialize>(
    out: &mut impl Write,
    key: &str,
    items: &[T],
    end: &str,
) -> std::io::Result<()> {
    writeln!(out, "{}: [", json!(key))?;
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        writeln!(out, "{}{comma}", serde_json::to_string(item)?)?;
    }
    writeln!(out, "]{end}")
}
