//! Everything that moves, during one exposure.

use crate::{
    calib::camera::Camera,
    model::Ball,
    synth::{
        look::Rgb,
        render::{
            Rod,
            ball::{Paint, Turn},
            figure::{Seen, Shadow, shadows},
            light::{Light, Sphere},
        },
    },
    units::TablePoint,
};

/// Box in the picture, px: `[x0, y0, x1, y1]`.
pub(super) type Box4 = [f64; 4];

/// A ball during one exposure.
#[derive(Clone, Debug)]
pub(super) struct BallMoment {
    pub(super) name: Ball,
    /// Its places, evenly spaced over the exposure: one when it stands still.
    pub(super) places: Vec<Sphere>,
    pub(super) paint: Paint,
    pub(super) turn: Turn,
    /// Light that the cloth throws back at it.
    pub(super) below: Rgb,
    /// Where it is seen.
    pub(super) outline: Box4,
    /// Where its shadow is seen.
    pub(super) shadow: Box4,
    /// Where the shadow is sharp: around its foot.
    pub(super) foot: Box4,
    /// Changes with anything that changes its picture.
    pub(super) signature: u64,
}

/// Rods during one exposure: as many sets as the fastest of them needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    pub(super) seen: Vec<Vec<Seen>>,
    pub(super) shadows: Vec<Shadow>,
    pub(super) signature: u64,
}

/// One exposure.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    pub(super) balls: Vec<BallMoment>,
    pub(super) figures: Figures,
}

pub(super) fn join(a: Box4, b: Box4) -> Box4 {
    [
        a[0].min(b[0]),
        a[1].min(b[1]),
        a[2].max(b[2]),
        a[3].max(b[3]),
    ]
}

pub(super) fn overlap(a: Box4, b: Box4) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// A running hash of numbers (FNV-1a over their bits).
pub(super) fn hash(seed: u64, numbers: impl IntoIterator<Item = f64>) -> u64 {
    numbers.into_iter().fold(seed | 1, |h, v| {
        (h ^ v.to_bits())
            .wrapping_mul(0x0000_0100_0000_01B3)
            .rotate_left(23)
    })
}

/// Box around the outline of a sphere.
pub(super) fn outline(camera: &Camera, ball: &Sphere) -> Box4 {
    let place = TablePoint::new(ball.at[0], ball.at[1]);
    let centre = camera.project(place, ball.at[2]);
    let r = camera.px_per_mm(place, ball.at[2]) * ball.r * 1.04 + 2.0;
    [centre.x - r, centre.y - r, centre.x + r, centre.y + r]
}

/// Box around the shadow of a sphere on the bed, with the darkness around its foot.
pub(super) fn shadow_box(camera: &Camera, light: &Light, ball: &Sphere) -> Box4 {
    let reach = 4.0 * ball.r;
    let [x, y, z] = ball.at;
    let mut area = [x - reach, y - reach, x + reach, y + reach];
    for lamp in &light.lamps {
        let share = z / (lamp.at[2] - z).max(1.0);
        let (cx, cy) = (x + (x - lamp.at[0]) * share, y + (y - lamp.at[1]) * share);
        let r = ball.r * (1.0 + share) * 1.3 + lamp.radius * share;
        area = join(area, [cx - r, cy - r, cx + r, cy + r]);
    }
    seen_box(camera, area)
}

/// Box in the picture around a box on the bed.
fn seen_box(camera: &Camera, area: Box4) -> Box4 {
    let corners = [(0, 1), (0, 3), (2, 1), (2, 3)];
    corners
        .into_iter()
        .map(|(i, j)| camera.project(TablePoint::new(area[i], area[j]), 0.0))
        .fold(
            [
                f64::INFINITY,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
            ],
            |b, p| join(b, [p.x - 2.0, p.y - 2.0, p.x + 2.0, p.y + 2.0]),
        )
}

impl Figures {
    /// Prepares rods for rendering. `sets`: the rods at moments evenly spread over the exposure; the middle one
    /// throws the shadows.
    pub(super) fn new(sets: &[Vec<Rod>], camera: &Camera, light: &Light) -> Self {
        let mut signature = 0;
        for rod in sets.iter().flatten() {
            signature = hash(signature, rod.a.into_iter().chain(rod.b));
        }
        let seen = sets
            .iter()
            .map(|rods| {
                rods.iter()
                    .filter_map(|r| Seen::new(r, camera, light))
                    .collect()
            })
            .collect();
        let middle = sets.get(sets.len() / 2).map_or(&[][..], Vec::as_slice);
        let shadows: Vec<Shadow> = middle
            .iter()
            .flat_map(|r| shadows(r, camera, light))
            .collect();
        Self {
            seen,
            shadows,
            signature,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.seen.iter().all(Vec::is_empty)
    }

    /// Share of a disc in the picture that is covered.
    pub(super) fn cover(&self, centre: [f64; 2], r: f64) -> f64 {
        let Some(rods) = self.seen.get(self.seen.len() / 2) else {
            return 0.0;
        };
        let (mut inside, mut covered) = (0, 0);
        for i in -4..=4 {
            for j in -4..=4 {
                let (dx, dy) = (f64::from(i) / 4.0, f64::from(j) / 4.0);
                if dx.hypot(dy) > 1.0 {
                    continue;
                }
                inside += 1;
                let p = [centre[0] + dx * r, centre[1] + dy * r];
                covered += i32::from(rods.iter().any(|s| s.at(p).is_some_and(|(c, _)| c > 0.5)));
            }
        }
        f64::from(covered) / f64::from(inside)
    }
}
