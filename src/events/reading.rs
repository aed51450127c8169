//! What a fitted reading says.

use crate::events::scene::Contact;

/// A fitted reading.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The contacts with their fitted times, in the order of the reading.
    pub contacts: Vec<Contact>,
    /// Standard deviation of each time, s.
    pub sigmas: Vec<f64>,
    /// What each contact did: change of velocity of the first ball (mm/s), gap (mm), place of the first ball.
    pub details: Vec<Detail>,
    /// Logarithm of the evidence, comparable between readings of one scene.
    pub evidence: f64,
    /// Chi-square of measurements and laws.
    pub chi2: f64,
    /// Its parts: one per actor, then one per contact.
    pub parts: Vec<f64>,
}

/// What a contact did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Detail {
    /// Change of the first ball's velocity, mm/s.
    pub jump: f64,
    /// Change of the second ball's velocity, mm/s.
    pub jump_other: f64,
    /// Gap at the time, mm.
    pub gap: f64,
    /// The first ball's place, mm.
    pub place: [f64; 2],
    /// Speeds before: first, second ball, mm/s.
    pub speeds: [f64; 2],
    /// Speed of approach along the normal, mm/s.
    pub approach: f64,
}
