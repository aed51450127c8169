//! The line of sight of every pixel.

use rayon::prelude::*;

use crate::{
    calib::camera::Camera,
    units::{ImagePoint, TablePoint},
};

/// Lines of sight, tabulated once per scene: the lens stands still.
///
/// Each is kept as its horizontal run per mm of descent, so a point at height z on it is
/// `lens + (lens_z - z) * run`. Between pixel centres runs are interpolated linearly; a lens bends too little within
/// one pixel for that to matter.
#[derive(Clone, Debug)]
pub(super) struct Rays {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The lens: table frame, mm, z up.
    pub(super) lens: [f64; 3],
    runs: Vec<[f32; 2]>,
}

/// Run given to pixels that look at or above the horizon: far outside everything.
const HORIZON: f32 = 1e3;

impl Rays {
    pub(super) fn new(camera: &Camera) -> Self {
        let [width, height] = camera.size.map(|v| v as usize);
        let lens = camera.position();
        let runs = (0..width * height)
            .into_par_iter()
            .map(|i| {
                let seen = ImagePoint::new((i % width) as f64, (i / width) as f64);
                let run = |p: TablePoint| {
                    [
                        ((p.x - lens[0]) / lens[2]) as f32,
                        ((p.y - lens[1]) / lens[2]) as f32,
                    ]
                };
                camera.unproject(seen, 0.0).map_or([HORIZON; 2], run)
            })
            .collect();
        Self {
            width,
            height,
            lens,
            runs,
        }
    }

    /// Run of a pixel's centre.
    pub(super) fn run(&self, x: usize, y: usize) -> [f64; 2] {
        self.runs[y * self.width + x].map(f64::from)
    }

    /// Run at a pixel's centre with its change per pixel to the right and downwards.
    pub(super) fn local(&self, x: usize, y: usize) -> LocalRays {
        let (x0, x1) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        let (y0, y1) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
        let slope = |a: [f64; 2], b: [f64; 2], n: usize| {
            let k = 1.0 / n.max(1) as f64;
            [(b[0] - a[0]) * k, (b[1] - a[1]) * k]
        };
        LocalRays {
            run: self.run(x, y),
            right: slope(self.run(x0, y), self.run(x1, y), x1 - x0),
            down: slope(self.run(x, y0), self.run(x, y1), y1 - y0),
        }
    }
}

/// Lines of sight around one pixel's centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalRays {
    run: [f64; 2],
    right: [f64; 2],
    down: [f64; 2],
}

impl LocalRays {
    /// Run `dx`, `dy` pixels from the centre.
    pub(super) fn at(&self, dx: f64, dy: f64) -> [f64; 2] {
        [
            self.run[0] + dx * self.right[0] + dy * self.down[0],
            self.run[1] + dx * self.right[1] + dy * self.down[1],
        ]
    }
}

/// Where in a pixel's neighbourhood cell `i` of `side` x `side` looks, px: spread by a tent two pixels wide, which is
/// about the blur of a decent lens on a video sensor. All cells together have no bias.
pub(super) fn tent(i: usize, side: usize) -> (f64, f64) {
    let spread = |cell: usize| {
        let u = (cell as f64 + 0.5) / side as f64;
        if u < 0.5 {
            (2.0 * u).sqrt() - 1.0
        } else {
            1.0 - (2.0 - 2.0 * u).sqrt()
        }
    };
    (spread(i % side), spread(i / side % side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tent_has_no_bias_and_the_width_of_a_tent() {
        for side in [2, 4, 7] {
            let n = side * side;
            let sum: f64 = (0..n).map(|i| tent(i, side).0 + tent(i, side).1).sum();
            assert!(sum.abs() < 1e-9);
        }
        let square: f64 = (0..49).map(|i| tent(i, 7).0.powi(2)).sum::<f64>() / 49.0;
        assert!((square - 1.0 / 6.0).abs() < 0.02, "{square}");
    }
}
