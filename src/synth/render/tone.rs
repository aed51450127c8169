//! From linear light to the codes of a video picture.

use crate::synth::look::Rgb;

/// Light above which the camera's shoulder sets in.
const KNEE: f32 = 0.8;
/// Largest light the table of codes covers.
const MOST: f32 = 3.0;
/// Entries of the table, spaced evenly in the square root of light.
const ENTRIES: usize = 4096;

/// A camera's response: sRGB with a soft shoulder, then BT.709 luma and chroma in limited range.
#[derive(Clone, Debug)]
pub(super) struct Tone {
    codes: Vec<f32>,
}

impl Tone {
    pub(super) fn new() -> Self {
        let codes = (0..=ENTRIES)
            .map(|i| {
                let root = i as f32 / ENTRIES as f32 * MOST.sqrt();
                encode(shoulder(root * root))
            })
            .collect();
        Self { codes }
    }

    /// Gamma-coded value, 0..=1, of a linear one.
    fn code(&self, light: f32) -> f32 {
        let at = (light.clamp(0.0, MOST) / MOST).sqrt() * ENTRIES as f32;
        let i = (at as usize).min(ENTRIES - 1);
        let f = at - i as f32;
        self.codes[i] * (1.0 - f) + self.codes[i + 1] * f
    }

    /// Luma (16..=235) and chroma (16..=240, 128 is neutral) of linear light, not rounded.
    pub(super) fn yuv(&self, light: Rgb) -> [f32; 3] {
        let [r, g, b] = light.map(|v| self.code(v));
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        [
            16.0 + 219.0 * y,
            128.0 + 224.0 * (b - y) / 1.8556,
            128.0 + 224.0 * (r - y) / 1.5748,
        ]
    }
}

fn shoulder(x: f32) -> f32 {
    let room = 1.0 - KNEE;
    if x < KNEE {
        x
    } else {
        KNEE + room * (1.0 - (-(x - KNEE) / room).exp())
    }
}

fn encode(x: f32) -> f32 {
    if x <= 0.003_130_8 {
        12.92 * x
    } else {
        1.055 * x.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_grey_and_white_have_no_colour() {
        let tone = Tone::new();
        assert_eq!(tone.yuv([0.0; 3]), [16.0, 128.0, 128.0]);
        let [y, u, v] = tone.yuv([0.2140; 3]);
        assert!((y - (16.0 + 219.0 * 0.5)).abs() < 0.5, "{y}");
        assert!((u - 128.0).abs() < 1e-3 && (v - 128.0).abs() < 1e-3);
        assert!((tone.yuv([3.0; 3])[0] - 235.0).abs() < 0.5);
    }

    #[test]
    fn more_light_is_never_darker() {
        let tone = Tone::new();
        let mut last = 0.0;
        for i in 0..3000 {
            let y = tone.yuv([i as f32 / 1000.0; 3])[0];
            assert!(y > last - 1e-3, "{last} then {y}");
            last = y;
        }
    }
}
