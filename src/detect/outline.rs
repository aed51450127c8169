//! How much of a ball's outline can be told from the cloth.

use crate::{
    detect::{
        background::Background,
        blobs::Blob,
        colour::Colours,
        disc::{self, Disc},
        window::window,
    },
    model::Picture,
};

/// Radii tried, from 0.80 to 1.12 of the true one.
const OUTLINES: usize = 9;

fn share(k: usize) -> f64 {
    0.80 + 0.04 * k as f64
}

/// Learns how much of each ball's outline can be told from the cloth: the median of the radii that explain best
/// the balls that lay there.
pub(crate) fn learn(
    pictures: &[&Picture],
    background: &Background,
    colours: &mut Colours,
    lay: &[(usize, usize, Blob)],
) {
    let mut votes = vec![vec![]; colours.balls.len()];
    for (picture, colour, blob) in lay {
        let start = Disc {
            centre: blob.centre,
            half: [0.0; 2],
            radius: blob.radius,
        };
        let window = window(
            pictures[*picture],
            background,
            colours,
            &start,
            *colour,
            &[],
        );
        let try_radius = |k| {
            let radius = start.radius * share(k);
            Some((k, disc::fit(&window, Disc { radius, ..start })?))
        };
        let best = (0..OUTLINES)
            .filter_map(try_radius)
            .min_by(|a, b| a.1.variance.total_cmp(&b.1.variance));
        if let Some((k, fit)) = best
            && fit.visible > 0.8
            && fit.ring < 0.2
            && (0.8..1.2).contains(&fit.filled)
        {
            votes[*colour].push(k);
        }
    }
    for (ball, votes) in colours.balls.iter_mut().zip(&mut votes) {
        votes.sort_unstable();
        if let Some(&k) = votes.get(votes.len() / 2) {
            ball.outline = share(k);
        }
        tracing::debug!(ball = ball.ball.name(), ?votes, "outline");
    }
}
