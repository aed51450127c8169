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
    /// Gain at code 16, in 1/65536 of a step per unit of the strip, and its fall per code.
    dark: [i16; 2],
    /// Gain per code below white.
    white: i16,
    seed: u64,
}

/// Strongest noise, steps of 255: what sixteen bits of gain hold.
const MOST_NOISE: f32 = 8.0;
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
        let unit = sigma.clamp(0.0, MOST_NOISE) * 65536.0 / UNIT;
        Self {
            strip: (0..STRIP).map(|_| gaussian()).collect(),
            // Relative to mid-grey: 1.35 - 0.6 * level, but never more than 8.1 * (1 - level).
            dark: [(1.35 * unit) as i16, (0.6 / 219.0 * unit) as i16],
            white: (8.1 / 219.0 * unit) as i16,
            seed,
        }
    }

    /// Adds noise to one row of luma: `clean` to `noisy`.
    pub(super) fn luma(&self, clean: &[u8], noisy: &mut [u8], row: u64, frame: u64) {
        let strip = self.strip_for(row, frame, 1, clean.len());
        for ((out, &y), &n) in noisy.iter_mut().zip(clean).zip(strip) {
            *out = add(y, self.gain_at(i16::from(y)), n);
        }
    }

    /// Sixteen bits throughout, and wrapping where nothing can overflow, so that the loop over a row becomes vector
    /// code in spite of the profile's overflow checks.
    fn gain_at(&self, code: i16) -> i16 {
        let below_white = 235i16.wrapping_sub(code).clamp(0, 36);
        let fall = self.dark[1].wrapping_mul(code.wrapping_sub(16));
        self.dark[0]
            .wrapping_sub(fall)
            .min(self.white.wrapping_mul(below_white))
    }

    /// Adds noise to one row of chroma; cameras smooth chroma, so it is half as strong.
    pub(super) fn chroma(&self, clean: &[u8], noisy: &mut [u8], row: u64, frame: u64, plane: u64) {
        let strip = self.strip_for(row, frame, 1 + plane, clean.len());
        let gain = self.gain_at(126) / 2;
        for ((out, &c), &n) in noisy.iter_mut().zip(clean).zip(strip) {
            *out = add(c, gain, n);
        }
    }

    fn strip_for(&self, row: u64, frame: u64, plane: u64, len: usize) -> &[i8] {
        let mix = self.seed ^ frame.wrapping_mul(8) ^ plane;
        let place = lattice(row as i64, mix as i64, self.seed);
        let begin = (f64::from(place) * (STRIP - len.min(STRIP)) as f64) as usize;
        &self.strip[begin..(begin + len).min(STRIP)]
    }
}

/// A code with noise.
fn add(code: u8, gain: i16, n: i8) -> u8 {
    let noise = i32::from(gain)
        .wrapping_mul(i32::from(n))
        .wrapping_add(32768)
        >> 16;
    i16::from(code).wrapping_add(noise as i16).clamp(0, 255) as u8
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
