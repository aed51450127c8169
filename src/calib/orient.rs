//! Which side of the picture is which end of the table.

use nalgebra::{Rotation3, Vector3};

use super::{camera::Camera, error::CalibError, outline::Side, region::Spot, solve::Prior};
use crate::{
    model::{Cushion, TableSpec},
    units::ImagePoint,
};

/// The side of the picture where the table's near end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Near {
    Left,
    Right,
    Top,
    Bottom,
}

impl Near {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
        }
    }

    /// Into the picture from that side.
    const fn inwards(self) -> Spot {
        match self {
            Self::Left => [1.0, 0.0],
            Self::Right => [-1.0, 0.0],
            Self::Top => [0.0, 1.0],
            Self::Bottom => [0.0, -1.0],
        }
    }
}

impl std::str::FromStr for Near {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        [Self::Left, Self::Right, Self::Top, Self::Bottom]
            .into_iter()
            .find(|n| n.name() == s)
            .ok_or_else(|| format!("`{s}` is none of left, right, top, bottom"))
    }
}

/// Names the sides (clockwise as seen) by cushion. A picture is never a mirror's: clockwise on the table is clockwise
/// in the picture.
///
/// Without a wish the near end is the left end of a table that lies across the picture and the lower end of one that
/// stands upright.
///
/// # Errors
/// The wish names a side where the table has no end.
pub(crate) fn cushions(sides: &[Side; 4], near: Option<Near>) -> Result<[Cushion; 4], CalibError> {
    let long =
        usize::from(sides[0].length() + sides[2].length() < sides[1].length() + sides[3].length());
    let [dx, dy] = sides[long].along();
    let across = dx.abs() >= dy.abs();
    let near = near.unwrap_or(if across { Near::Left } else { Near::Bottom });
    if across != matches!(near, Near::Left | Near::Right) {
        return Err(CalibError::NearEnd {
            given: near.name(),
            lies: if across {
                "across the picture"
            } else {
                "upright"
            },
            ends: if across {
                "left and right"
            } else {
                "top and bottom"
            },
        });
    }
    let n = near.inwards();
    // The near cushion's outward direction points against the way into the picture.
    let against = |i: usize| {
        let o = sides[i].outward();
        o[0] * n[0] + o[1] * n[1]
    };
    let short = [(long + 1) % 4, (long + 3) % 4];
    let first = if against(short[0]) < against(short[1]) {
        short[0]
    } else {
        short[1]
    };
    // Clockwise from the near end: S, W, N, E.
    let order = [Cushion::S, Cushion::W, Cushion::N, Cushion::E];
    Ok([0, 1, 2, 3].map(|i| order[(i + 4 - first) % 4]))
}

/// A camera straight above, with the usual lens, that sees the outline where it is.
pub(crate) fn straight_above(
    sides: &[Side; 4],
    cushions: &[Cushion; 4],
    table: &TableSpec,
    size: [u32; 2],
) -> Camera {
    let of = |c: Cushion| &sides[cushions.iter().position(|k| *k == c).unwrap_or(0)];
    let [x, y] = of(Cushion::W).along();
    let length = 0.5 * (of(Cushion::W).length() + of(Cushion::E).length());
    let width = 0.5 * (of(Cushion::S).length() + of(Cushion::N).length());
    let scale = (length * width / (table.length_mm * table.width_mm)).sqrt();
    let focal = Prior::ANY_CAMERA.focal[0] * f64::from(size[0].max(size[1]));
    let middle = [0, 1].map(|k| sides.iter().map(|s| s.from[k]).sum::<f64>() / 4.0);
    let centre = ImagePoint::new(
        0.5 * (f64::from(size[0]) - 1.0),
        0.5 * (f64::from(size[1]) - 1.0),
    );
    let turn = Rotation3::new(Vector3::new(0.0, 0.0, y.atan2(x)));
    let table_middle = Vector3::new(
        0.5 * table.length_mm,
        0.5 * table.width_mm,
        -table.nose_height_mm,
    );
    let seen = Vector3::new(
        (middle[0] - centre.x) / scale,
        (middle[1] - centre.y) / scale,
        focal / scale,
    );
    Camera {
        size,
        focal_px: focal,
        centre,
        distortion: [0.0; 2],
        rotation: *turn.matrix(),
        translation: seen - turn * table_middle,
    }
}
