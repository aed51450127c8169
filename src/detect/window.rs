//! The pixels around a first guess of a ball.

use crate::{
    detect::{
        background::Background,
        colour::{Colours, Shown},
        disc::{Covered, Disc},
        scan::pixel,
    },
    model::Picture,
};

/// The pixels around a first guess: how much of each is covered by something, and whether that can be this ball.
///
/// The outline is that of everything that is not cloth or shadow (a ball's marks, highlights and dark edges belong to
/// it); what does not have the ball's colour counts little, and what lies nearer to a rival not at all.
pub(crate) fn window(
    picture: &Picture,
    background: &Background,
    colours: &Colours,
    start: &Disc,
    colour: usize,
    rivals: &[Disc],
) -> Vec<Covered> {
    let reach = start.radius + 6.0;
    let (rx, ry) = (reach + start.half[0].abs(), reach + start.half[1].abs());
    let bed = &background.bed;
    let mut out = Vec::with_capacity((4.0 * rx * ry) as usize + 64);
    for y in (start.centre[1] - ry).max(0.0) as usize..(start.centre[1] + ry).max(0.0) as usize + 1
    {
        let span = bed.span(y);
        let left = ((start.centre[0] - rx).max(0.0) as usize).max(span.start);
        for x in left..((start.centre[0] + rx).max(0.0) as usize + 1).min(span.end) {
            let (share, mut weight) =
                match colours.explain(pixel(picture, x, y), background.colour(x, y)) {
                    Shown::Cloth | Shown::Shadow => (0.0, 1.0),
                    Shown::Ball(k, share) if usize::from(k) == colour => (share, 1.0),
                    Shown::Ball(_, share) => (share, 0.3),
                    Shown::Other => (1.0, 0.3),
                };
            let own = start.away(x as f64, y as f64);
            if rivals.iter().any(|r| r.away(x as f64, y as f64) < own) {
                weight = 0.0;
            }
            out.push(Covered {
                x: x as f32,
                y: y as f32,
                share,
                weight,
            });
        }
    }
    out
}
