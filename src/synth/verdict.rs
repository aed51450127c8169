//! What a known shot is worth: the rule in its shortest form, for truth only.
//!
//! Written apart from the rules that are tested with it, so that one mistake cannot hide in both.

use crate::{
    model::{Ball, EventKind},
    synth::play::Contact,
};

/// Times that decide a three-cushion shot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// First touch of the first object ball, s.
    pub first: Option<f64>,
    /// First touch of the second object ball, s.
    pub second: Option<f64>,
    /// Third cushion of the struck ball, s.
    pub third_cushion: Option<f64>,
    /// The first object ball.
    pub first_ball: Option<Ball>,
    /// Cushions of the struck ball before the first object ball.
    pub cushions_before_first: usize,
}

/// Reads a shot's contacts for the struck ball.
pub fn course(struck: Ball, contacts: &[Contact]) -> Course {
    let mut touched: Vec<(Ball, f64)> = Vec::new();
    let mut cushions: Vec<f64> = Vec::new();
    for c in contacts {
        match c.kind {
            EventKind::BallBall { driver, other } if driver == struck || other == struck => {
                let partner = if driver == struck { other } else { driver };
                if touched.iter().all(|(b, _)| *b != partner) {
                    touched.push((partner, c.t));
                }
            }
            EventKind::BallCushion { ball, .. } if ball == struck => cushions.push(c.t),
            _ => {}
        }
    }
    let first = touched.first().map(|t| t.1);
    Course {
        first,
        second: touched.get(1).map(|t| t.1),
        third_cushion: cushions.get(2).copied(),
        first_ball: touched.first().map(|t| t.0),
        cushions_before_first: first.map_or(cushions.len(), |t| {
            cushions.iter().filter(|&&c| c < t).count()
        }),
    }
}

/// The struck ball touched both others, and three cushions before the second of them.
///
/// # Source
/// Rule book 10.1.
pub fn three_cushion_point(struck: Ball, contacts: &[Contact]) -> bool {
    let course = course(struck, contacts);
    matches!((course.second, course.third_cushion), (Some(second), Some(third)) if third < second)
}

/// A shot from the initial position counts only when it goes straight to the red (rule book CC-ST4, CC-ST5).
pub fn opening_is_legal(struck: Ball, contacts: &[Contact]) -> bool {
    let course = course(struck, contacts);
    course.first_ball == Some(Ball::Red) && course.cushions_before_first == 0
}
