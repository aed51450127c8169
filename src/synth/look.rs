//! What a scene looks like: cloth, wood, balls, lamps, and how the camera answers to light.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::model::{Ball, TableSpec};

/// Linear light or reflectance: red, green, blue.
pub type Rgb = [f32; 3];

/// A round lamp above the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Centre, mm in the table frame, z up from the cloth.
    pub at: [f64; 3],
    /// Radius, mm: the larger, the softer the shadows.
    pub radius: f64,
    /// Light on a white sheet facing it from 2 m.
    pub power: f32,
}

/// The colours a cloth can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cloth {
    /// Tournament blue.
    Blue,
    /// Dark green.
    Green,
    /// The yellowish green of television tables.
    BrightGreen,
    /// Red.
    Red,
    /// Wine.
    Wine,
    /// Grey.
    Grey,
    /// Greyish blue.
    GreyBlue,
}

impl Cloth {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Blue,
        Self::Green,
        Self::BrightGreen,
        Self::Red,
        Self::Wine,
        Self::Grey,
        Self::GreyBlue,
    ];

    /// Reflectance of the cloth, as an sRGB picture of it in even light would show it.
    fn colour(self) -> Rgb {
        linear(match self {
            Self::Blue => [28, 98, 168],
            Self::Green => [26, 112, 72],
            Self::BrightGreen => [92, 170, 60],
            Self::Red => [158, 42, 46],
            Self::Wine => [112, 34, 54],
            Self::Grey => [118, 122, 124],
            Self::GreyBlue => [84, 116, 142],
        })
    }
}

/// The look of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Cloth of bed and cushions.
    pub cloth: Rgb,
    /// Wood of the frame.
    pub wood: Rgb,
    /// The frame's outer edge.
    pub trim: Rgb,
    /// Floor around the table.
    pub floor: Rgb,
    /// Sleeve of the players.
    pub sleeve: [Rgb; 2],
    /// Skin of the players.
    pub skin: [Rgb; 2],
    /// Hair of the players.
    pub hair: [Rgb; 2],
    /// Balls.
    pub balls: BTreeMap<Ball, Rgb>,
    /// Balls carry dots that turn with them.
    pub dots: bool,
    /// Lamps.
    pub lamps: Vec<Lamp>,
    /// Light from everywhere, on the scale of [`Lamp::power`].
    pub ambient: f32,
    /// Unevenness of the cloth, as a share of its colour.
    pub texture: f32,
    /// Darkening towards the picture's corners, as a share.
    pub vignette: f32,
    /// White balance and exposure: factor on linear light for each channel.
    pub gain: Rgb,
    /// Standard deviation of the sensor's noise in mid-grey, in steps of 255.
    pub noise: f32,
    /// Boards and other things on the floor.
    pub clutter: usize,
    /// Seed of textures and clutter.
    pub seed: u64,
}

const WOODS: [[u8; 3]; 5] = [
    [74, 40, 28],
    [52, 38, 34],
    [96, 78, 70],
    [34, 32, 34],
    [112, 70, 40],
];
const FLOORS: [[u8; 3]; 6] = [
    [92, 90, 92],
    [128, 112, 96],
    [52, 96, 66],
    [150, 146, 140],
    [58, 62, 74],
    [116, 52, 54],
];
const SLEEVES: [[u8; 3]; 6] = [
    [26, 28, 44],
    [24, 24, 26],
    [92, 26, 38],
    [180, 182, 186],
    [52, 60, 58],
    [40, 70, 120],
];
const SKINS: [[u8; 3]; 4] = [
    [214, 160, 130],
    [188, 132, 100],
    [122, 82, 60],
    [226, 178, 152],
];
const HAIR: [[u8; 3]; 5] = [
    [30, 24, 22],
    [70, 48, 34],
    [150, 146, 142],
    [120, 90, 56],
    [20, 20, 22],
];

/// Linear reflectance of an sRGB colour.
pub(super) fn linear(srgb: [u8; 3]) -> Rgb {
    srgb.map(|v| {
        let v = f32::from(v) / 255.0;
        if v <= 0.04045 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn ball_colour(ball: Ball) -> Rgb {
    linear(match ball {
        Ball::White | Ball::White1 | Ball::White2 | Ball::Spot => [238, 230, 208],
        Ball::Yellow => [236, 178, 30],
        Ball::Red | Ball::Red1 | Ball::Red2 => [178, 18, 24],
        Ball::Blue => [20, 50, 150],
        Ball::Green => [10, 100, 60],
        Ball::Orange => [230, 100, 20],
        Ball::Purple => [90, 40, 120],
        Ball::Brown => [110, 60, 30],
        Ball::Pink => [230, 120, 140],
        Ball::Black => [20, 20, 22],
    })
}

impl Look {
    /// A look drawn from a seed; the cloth can be chosen.
    pub fn random(table: &TableSpec, balls: &[Ball], cloth: Option<Cloth>, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let any = Cloth::ALL[rng.random_range(0..Cloth::ALL.len())];
        let shade = rng.random_range(0.85..1.15);
        let warmth = rng.random_range(-0.06f32..0.06);
        let mut pick = |from: &[[u8; 3]]| linear(from[rng.random_range(0..from.len())]);
        let (wood, floor) = (pick(&WOODS), pick(&FLOORS));
        let (sleeve, skin) = (
            [pick(&SLEEVES), pick(&SLEEVES)],
            [pick(&SKINS), pick(&SKINS)],
        );
        let hair = [pick(&HAIR), pick(&HAIR)];
        let white_trim = rng.random_bool(0.3);
        let mut look = Self {
            cloth: cloth.unwrap_or(any).colour().map(|c| c * shade),
            wood,
            trim: if white_trim {
                [0.7; 3]
            } else {
                wood.map(|c| c * 0.5)
            },
            floor,
            sleeve,
            skin,
            hair,
            balls: balls.iter().map(|&b| (b, ball_colour(b))).collect(),
            dots: rng.random_bool(0.5),
            lamps: lamps(table, &mut rng),
            ambient: rng.random_range(0.30..0.55),
            texture: rng.random_range(0.01..0.035),
            vignette: rng.random_range(0.0..0.18),
            gain: [1.0 + warmth, 1.0, 1.0 - warmth],
            noise: rng.random_range(0.6..2.2),
            clutter: rng.random_range(2..9),
            seed: rng.random(),
        };
        look.expose(table, rng.random_range(0.65..1.0));
        look
    }

    /// Sets the exposure so that a white sheet in the middle of the bed reads `white` of full scale.
    pub(super) fn expose(&mut self, table: &TableSpec, white: f32) {
        let middle = [0.5 * table.length_mm, 0.5 * table.width_mm, 0.0];
        let direct: f32 = self
            .lamps
            .iter()
            .map(|lamp| lamp.on(middle, [0.0, 0.0, 1.0]))
            .sum();
        let scale = white / (direct + self.ambient).max(1e-6);
        self.gain = self.gain.map(|g| g * scale);
    }
}

impl Lamp {
    /// Light on a surface at `p` with normal `n` that sees the lamp.
    pub(super) fn on(&self, p: [f64; 3], n: [f64; 3]) -> f32 {
        let d = [self.at[0] - p[0], self.at[1] - p[1], self.at[2] - p[2]];
        let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let cosine = (d[0] * n[0] + d[1] * n[1] + d[2] * n[2]) / square.sqrt();
        self.power * (cosine.max(0.0) * 4e6 / square) as f32
    }
}

/// A row of lamps along the table, or two rows beside it; some hang a little off.
fn lamps(table: &TableSpec, rng: &mut ChaCha8Rng) -> Vec<Lamp> {
    let (l, w) = (table.length_mm, table.width_mm);
    let rows: &[f64] = if rng.random_bool(0.5) {
        &[0.5]
    } else {
        &[-0.25, 1.25]
    };
    let columns = rng.random_range(2..4);
    let height = rng.random_range(1300.0..2400.0);
    let radius = rng.random_range(60.0..240.0);
    let mut lamps = Vec::new();
    for row in rows {
        for column in 0..columns {
            let x = l * (f64::from(column) + 0.5) / f64::from(columns);
            lamps.push(Lamp {
                at: [
                    x + rng.random_range(-60.0..60.0),
                    row * w + rng.random_range(-60.0..60.0),
                    height + rng.random_range(-80.0..80.0),
                ],
                radius,
                power: rng.random_range(0.8..1.1) / (f64::from(columns) * rows.len() as f64) as f32,
            });
        }
    }
    lamps
}
