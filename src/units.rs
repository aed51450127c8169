//! Units as types: a place in the picture is never mistaken for a place on the table.
//!
//! Table frame: mm; origin where the near short cushion's nose meets the left long cushion's nose, `x` towards
//! the far short cushion, `y` towards the right long cushion, as a player at the near end sees it. Places are
//! ball centres (or pin base centres). Image frame: px, pixel centres at integers, `x` right, `y` down.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use serde::{Deserialize, Serialize};

/// Presentation time of a frame, in ns since the first frame of its source.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The first frame's time.
    pub const ZERO: Self = Self(0);

    /// From whole nanoseconds.
    pub const fn from_nanos(ns: i64) -> Self {
        Self(ns)
    }

    /// From seconds, to the nearest nanosecond. NaN gives zero; what does not fit is clamped.
    pub fn from_secs(seconds: f64) -> Self {
        Self((seconds * 1e9).round() as i64)
    }

    /// Nanoseconds since the first frame.
    pub const fn nanos(self) -> i64 {
        self.0
    }

    /// Seconds since the first frame.
    pub fn secs(self) -> f64 {
        self.0 as f64 * 1e-9
    }

    /// Seconds from `earlier` to `self`, negative when `self` comes first.
    pub fn since(self, earlier: Self) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 * 1e-9
    }

    /// `seconds` later (or earlier, when negative).
    #[must_use]
    pub fn plus_secs(self, seconds: f64) -> Self {
        Self(self.0.saturating_add((seconds * 1e9).round() as i64))
    }
}

/// A place in the picture, px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImagePoint {
    /// To the right, px.
    pub x: f64,
    /// Downwards, px.
    pub y: f64,
}

impl ImagePoint {
    /// A place from its coordinates, px.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Distance to `other`, px.
    pub fn distance(self, other: Self) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// A place on the table, mm in the table frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct TablePoint {
    /// From the near short cushion's nose, mm.
    pub x: f64,
    /// From the left long cushion's nose, mm.
    pub y: f64,
}

impl TablePoint {
    /// A place from its coordinates, mm.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Distance to `other`, mm.
    pub fn distance(self, other: Self) -> f64 {
        (self - other).norm()
    }
}

impl From<[f64; 2]> for TablePoint {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<TablePoint> for [f64; 2] {
    fn from(p: TablePoint) -> Self {
        [p.x, p.y]
    }
}

/// A displacement (mm), velocity (mm/s) or acceleration (mm/s^2) in the table frame; names say which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct TableVec {
    /// Towards the far short cushion.
    pub x: f64,
    /// Towards the right long cushion.
    pub y: f64,
}

impl TableVec {
    /// No displacement.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };

    /// From its components.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Length.
    pub fn norm(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// Scalar product.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The same direction with length one; `None` for (nearly) no length or NaN.
    pub fn unit(self) -> Option<Self> {
        let n = self.norm();
        (n > 1e-12).then(|| self * (1.0 / n))
    }
}

impl From<[f64; 2]> for TableVec {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

impl From<TableVec> for [f64; 2] {
    fn from(v: TableVec) -> Self {
        [v.x, v.y]
    }
}

impl Sub for TablePoint {
    type Output = TableVec;
    fn sub(self, other: Self) -> TableVec {
        TableVec::new(self.x - other.x, self.y - other.y)
    }
}

impl Add<TableVec> for TablePoint {
    type Output = Self;
    fn add(self, v: TableVec) -> Self {
        Self::new(self.x + v.x, self.y + v.y)
    }
}

impl Sub<TableVec> for TablePoint {
    type Output = Self;
    fn sub(self, v: TableVec) -> Self {
        Self::new(self.x - v.x, self.y - v.y)
    }
}

impl Add for TableVec {
    type Output = Self;
    fn add(self, v: Self) -> Self {
        Self::new(self.x + v.x, self.y + v.y)
    }
}

impl AddAssign for TableVec {
    fn add_assign(&mut self, v: Self) {
        *self = *self + v;
    }
}

impl Sub for TableVec {
    type Output = Self;
    fn sub(self, v: Self) -> Self {
        Self::new(self.x - v.x, self.y - v.y)
    }
}

impl Neg for TableVec {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<f64> for TableVec {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k)
    }
}

impl Div<f64> for TableVec {
    type Output = Self;
    fn div(self, k: f64) -> Self {
        Self::new(self.x / k, self.y / k)
    }
}
