//! Tables: sizes, cushions, pockets, spots.

use serde::{Deserialize, Serialize};

use crate::units::TablePoint;

/// A cushion by the rule book's compass: `S` near, `N` far, `W` left, `E` right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Cushion {
    S,
    N,
    W,
    E,
}

impl Cushion {
    /// All four.
    pub const ALL: [Self; 4] = [Self::S, Self::N, Self::W, Self::E];

    /// Its letter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::W => "W",
            Self::E => "E",
        }
    }
}

/// A pocket: near and far corners, middles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Pocket {
    SW,
    SE,
    MW,
    ME,
    NW,
    NE,
}

impl Pocket {
    /// All six.
    pub const ALL: [Self; 6] = [Self::SW, Self::SE, Self::MW, Self::ME, Self::NW, Self::NE];

    /// Its letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SW => "SW",
            Self::SE => "SE",
            Self::MW => "MW",
            Self::ME => "ME",
            Self::NW => "NW",
            Self::NE => "NE",
        }
    }
}

/// A table's measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSpec {
    /// Its name, or `custom`.
    pub name: String,
    /// From the near nose to the far nose, mm.
    pub length_mm: f64,
    /// From the left nose to the right nose, mm.
    pub width_mm: f64,
    /// Ball diameter, mm.
    pub ball_diameter_mm: f64,
    /// Height of the cushion noses above the cloth, mm.
    pub nose_height_mm: f64,
    /// Has six pockets.
    pub pockets: bool,
}

impl TableSpec {
    /// The tables there are names for: name, length, width, ball diameter, nose height (mm), pockets.
    ///
    /// # Source
    /// Rule book 2.1 and 2.2; nose height 37 mm by the carom federation's equipment rules, 0.635 of the ball's
    /// diameter on pocket tables.
    const NAMED: [(&'static str, f64, f64, f64, f64, bool); 9] = [
        ("carom-match", 2840.0, 1420.0, 61.5, 37.0, false),
        ("carom-small", 2100.0, 1050.0, 61.5, 37.0, false),
        ("carom-230", 2300.0, 1150.0, 61.5, 37.0, false),
        ("pyramid-12", 3550.0, 1775.0, 68.0, 43.0, true),
        ("kaisa-10", 2840.0, 1420.0, 68.0, 43.0, true),
        ("snooker-12", 3569.0, 1778.0, 52.5, 33.0, true),
        ("pool-9", 2540.0, 1270.0, 57.15, 36.3, true),
        ("pool-8", 2240.0, 1120.0, 57.15, 36.3, true),
        ("pool-7", 1981.0, 991.0, 57.15, 36.3, true),
    ];

    /// The names [`TableSpec::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMED.iter().map(|t| t.0)
    }

    /// The table of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|t| t.0 == name).map(|t| Self {
            name: t.0.to_owned(),
            length_mm: t.1,
            width_mm: t.2,
            ball_diameter_mm: t.3,
            nose_height_mm: t.4,
            pockets: t.5,
        })
    }

    /// A table of any size; noses stand at 0.6 of the ball's diameter, as on carom tables (37 of 61.5 mm).
    pub fn custom(length_mm: f64, width_mm: f64, ball_diameter_mm: f64, pockets: bool) -> Self {
        let nose_height_mm = ball_diameter_mm * if pockets { 0.635 } else { 0.6 };
        Self {
            name: "custom".to_owned(),
            length_mm,
            width_mm,
            ball_diameter_mm,
            nose_height_mm,
            pockets,
        }
    }

    /// Ball radius, mm.
    pub fn ball_radius_mm(&self) -> f64 {
        0.5 * self.ball_diameter_mm
    }

    /// Signed distance from a ball's surface to a cushion's nose line, mm: zero in contact, negative beyond.
    pub fn cushion_gap(&self, centre: TablePoint, cushion: Cushion) -> f64 {
        let from_nose = match cushion {
            Cushion::S => centre.x,
            Cushion::N => self.length_mm - centre.x,
            Cushion::W => centre.y,
            Cushion::E => self.width_mm - centre.y,
        };
        from_nose - self.ball_radius_mm()
    }

    /// Where a pocket's mouth is: the crossing of the nose lines, or the middle of the long nose line.
    pub fn pocket_mouth(&self, pocket: Pocket) -> TablePoint {
        let (l, w) = (self.length_mm, self.width_mm);
        match pocket {
            Pocket::SW => TablePoint::new(0.0, 0.0),
            Pocket::SE => TablePoint::new(0.0, w),
            Pocket::MW => TablePoint::new(0.5 * l, 0.0),
            Pocket::ME => TablePoint::new(0.5 * l, w),
            Pocket::NW => TablePoint::new(l, 0.0),
            Pocket::NE => TablePoint::new(l, w),
        }
    }
}
