//! Learns from the first pictures how this cloth and these balls look under this light.

use crate::{
    calib::Calibration,
    detect::{
        DetectError,
        background::Background,
        bed::Bed,
        blobs::{Blob, blobs},
        cloth::Cloth,
        colour::{self, BallColour, Bgr, Colours},
        scan::pixel,
    },
    model::{Ball, BallSet, Picture},
};

/// Number of surface colours kept for each ball.
const PALETTE: usize = 10;
/// Colours nearer than this belong to one ball, levels.
const SAME_COLOUR: f32 = 45.0;

/// Learns background and colours.
pub(crate) fn learn(
    pictures: &[&Picture],
    calibration: &Calibration,
    set: &BallSet,
) -> Result<(Background, Colours), DetectError> {
    let first = pictures.first().ok_or(DetectError::NoPictures)?;
    let diameter = calibration.table.ball_diameter_mm;
    let inner = Bed::new(calibration, -0.6 * diameter);
    let cloth = pictures
        .iter()
        .find_map(|p| Cloth::fit(p, &inner))
        .ok_or(DetectError::NoCloth)?;
    let noise = noise(pictures, &inner, first);
    tracing::debug!(noise, spread = cloth.spread, "cloth");
    let margin = if calibration.table.pockets { 0.4 } else { 0.1 } * diameter;
    let bed = Bed::new(calibration, margin);
    let background =
        Background::new(pictures, bed, cloth, noise, calibration).ok_or(DetectError::NoPictures)?;
    let mut found: Vec<(usize, Blob)> = vec![];
    for (i, picture) in pictures.iter().enumerate() {
        let empty = |x, y| background.colour(x, y);
        found.extend(
            blobs(picture, &background.bed, calibration, 2.0 * noise, empty)
                .into_iter()
                .map(|b| (i, b)),
        );
    }
    for (i, b) in &found {
        tracing::debug!(picture = i, at = ?b.centre, colour = ?b.mean, misfit = b.misfit, "looks like a ball");
    }
    let balls = name_clusters(cluster(found), set);
    if balls.is_empty() {
        return Err(DetectError::NoBalls);
    }
    Ok((background, Colours { balls, noise }))
}

/// Distance within which a pixel counts as unchanged cloth: from the changes between pictures of bare cloth, levels.
fn noise(pictures: &[&Picture], bed: &Bed, first: &Picture) -> f32 {
    let mut changes = vec![];
    for other in pictures.iter().skip(1) {
        for y in (bed.top()..bed.bottom()).step_by(7) {
            for x in bed.span(y).step_by(7) {
                let d = colour::sub(pixel(first, x, y), pixel(other, x, y));
                changes.push(colour::dot(d, d).sqrt());
            }
        }
    }
    changes.sort_by(f32::total_cmp);
    // The median: people and light that moves over the bed change less than half of it.
    let typical = changes.get(changes.len() / 2).copied().unwrap_or(4.0);
    (3.2 * typical).clamp(14.0, 40.0)
}

/// A colour seen in several pictures.
struct Cluster {
    mean: Bgr,
    pixels: Vec<Bgr>,
    pictures: Vec<usize>,
    misfit: f64,
}

/// Gathers blobs of one colour; those seen in most pictures, and most like balls, first.
fn cluster(blobs: Vec<(usize, Blob)>) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = vec![];
    for (i, blob) in blobs {
        let near = clusters.iter_mut().find(|c| {
            let d = colour::sub(c.mean, blob.mean);
            colour::dot(d, d).sqrt() < SAME_COLOUR
        });
        match near {
            Some(c) => {
                let n = c.pictures.len() as f32;
                c.mean = std::array::from_fn(|k| (c.mean[k] * n + blob.mean[k]) / (n + 1.0));
                c.misfit += blob.misfit;
                c.pixels.extend(blob.pixels);
                c.pictures.push(i);
            }
            None => {
                clusters.push(Cluster {
                    mean: blob.mean,
                    pixels: blob.pixels,
                    pictures: vec![i],
                    misfit: blob.misfit,
                });
            }
        }
    }
    let value = |c: &Cluster| c.pictures.len() as f64 - 0.5 * c.misfit;
    clusters.sort_by(|a, b| value(b).total_cmp(&value(a)));
    clusters
}

/// Names the best clusters by the balls of the set.
fn name_clusters(mut clusters: Vec<Cluster>, set: &BallSet) -> Vec<BallColour> {
    let most = clusters.first().map_or(0, |c| c.pictures.len());
    clusters.retain(|c| c.pictures.len() * 3 >= most);
    clusters.truncate(set.0.len() + 4);
    let seldom = |c: &Cluster| 1.0 - c.pictures.len() as f32 / most.max(1) as f32;
    let means: Vec<(Bgr, f32)> = clusters.iter().map(|c| (c.mean, seldom(c))).collect();
    let names = colour::name(&means, &set.0);
    tracing::debug!(?means, ?names, set = ?set.0, "colours named");
    set.0
        .iter()
        .zip(names)
        .filter_map(|(&ball, i): (&Ball, Option<usize>)| {
            let cluster = clusters.get_mut(i?)?;
            Some(BallColour {
                ball,
                palette: colour::palette(&mut cluster.pixels, PALETTE),
                outline: 1.0,
            })
        })
        .collect()
}
