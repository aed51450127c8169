//! Unevenness without a pattern: smooth noise for surfaces, and the sensor's noise.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A number in 0..=1 for a lattice point: the same for the same point and seed.
pub(super) fn lattice(x: i64, y: i64, seed: u64) -> f32 {
    let mut h = seed ^ (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^= (y as u64).wrapping_mul(0x94D0_49BB_1331_11EB);
    h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^= h >> 32;
    (h >> 40) as f32 / (1u64 << 24) as f32
}

/// Smooth noise in -1..=1 with features about one unit wide.
pub(super) fn smooth(x: f64, y: f64, seed: u64) -> f32 {
    let (i, j) = (x.floor(), y.floor());
    let ease = |t: f64| (t * t * (3.0 - 2.0 * t)) as f32;
    let (u, v) = (ease(x - i), ease(y - j));
    let (i, j) = (i as i64, j as i64);
    let row = |j: i64| lattice(i, j, seed) * (1.0 - u) + lattice(i + 1, j, seed) * u;
    2.0 * (row(j) * (1.0 - v) + row(j + 1) * v) - 1.0
}

/// Length of the strip of sensor noise; rows start at random places of it.
const STRIP: usize = 1 << 20;

/// The sensor's noise: a long strip of Gaussian numbers, read from a different place for every row and frame.
#[derive(Clone, Debug)]
pub(super) struct SensorNoise {
    strip: Vec<i8>,
    /// Gain of the noise against luma code: the lower of two lines, `[at zero, fall per code]`, in 1/4096 of a step
    /// per unit of the strip.
    gain: [[i32; 2]; 2],
    seed: u64,
}

/// Units of the strip per standard deviation.
const UNIT: f32 = 24.0;

impl SensorNoise {
    /// `sigma`: standard deviation in mid-grey, steps of 255. Shot noise grows with the root of light and shrinks
    /// with the slope of the gamma, so dark parts are noisier by up to half and white is cleaner.
    pub(super) fn new(sigma: f32, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut gaussian = || {
            let sum: f32 = (0..12).map(|_| rng.random::<f32>()).sum();
            ((sum - 6.0) * UNIT).clamp(-127.0, 127.0) as i8
        };
        // Relative to mid-grey: 1.35 - 0.6 * level below white, then down to nothing at white.
        let line = |at_black: f32, fall: f32| {
            let unit = sigma * 4096.0 / UNIT;
            let per_code = fall / 219.0;
            [at_black + 16.0 * per_code, per_code].map(|v| (v * unit).round() as i32)
        };
        Self {
            strip: (0..STRIP).map(|_| gaussian()).collect(),
            gain: [line(1.35, 0.6), line(8.1, 8.1)],
            seed,
        }
    }

    /// Adds noise to one row of luma: `clean` to `noisy`.
    pub(super) fn luma(&self, clean: &[u8], noisy: &mut [u8], row: u64, frame: u64) {
        let strip = self.strip_for(row, frame, 1, clean.len());
        for ((out, &y), &n) in noisy.iter_mut().zip(clean).zip(strip) {
            let v = i32::from(y) + ((self.gain_at(i32::from(y)) * i32::from(n) + 2048) >> 12);
            *out = v.clamp(0, 255) as u8;
        }
    }

    fn gain_at(&self, code: i32) -> i32 {
        let [a, b] = self.gain.map(|[at_zero, fall]| at_zero - fall * code);
        a.min(b).max(0)
    }

    /// Adds noise to one row of chroma; cameras smooth chroma, so it is half as strong.
    pub(super) fn chroma(&self, clean: &[u8], noisy: &mut [u8], row: u64, frame: u64, plane: u64) {
        let strip = self.strip_for(row, frame, 1 + plane, clean.len());
        let gain = self.gain_at(126) / 2;
        for ((out, &c), &n) in noisy.iter_mut().zip(clean).zip(strip) {
            *out = (i32::from(c) + ((gain * i32::from(n) + 2048) >> 12)).clamp(0, 255) as u8;
        }
    }

    fn strip_for(&self, row: u64, frame: u64, plane: u64, len: usize) -> &[i8] {
        let mix = self.seed ^ frame.wrapping_mul(8) ^ plane;
        let place = lattice(row as i64, mix as i64, self.seed);
        let begin = (f64::from(place) * (STRIP - len.min(STRIP)) as f64) as usize;
        &self.strip[begin..(begin + len).min(STRIP)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_wanted_size_and_no_bias() {
        let noise = SensorNoise::new(2.0, 5);
        let clean = vec![126u8; 100_000];
        let mut noisy = vec![0u8; clean.len()];
        noise.luma(&clean, &mut noisy, 3, 7);
        let n = clean.len() as f64;
        let mean = noisy.iter().map(|&v| f64::from(v)).sum::<f64>() / n - 126.0;
        let square = noisy
            .iter()
            .map(|&v| (f64::from(v) - 126.0).powi(2))
            .sum::<f64>()
            / n;
        assert!(mean.abs() < 0.1, "{mean}");
        assert!((square.sqrt() - 2.0).abs() < 0.3, "{square}");
    }

    #[test]
    fn frames_differ_and_repeat_exactly() {
        let noise = SensorNoise::new(2.0, 5);
        let clean = vec![126u8; 1000];
        let row = |frame| {
            let mut out = vec![0u8; 1000];
            noise.luma(&clean, &mut out, 3, frame);
            out
        };
        assert_eq!(row(1), row(1));
        assert_ne!(row(1), row(2));
    }
}
