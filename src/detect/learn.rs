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
    model::{BallSet, Picture},
};

/// Number of surface colours kept for each ball.
const PALETTE: usize = 10;
/// Colours nearer than this belong to one ball, levels.
const SAME_COLOUR: f32 = 45.0;

/// What was learned.
pub(crate) struct Learned {
    pub(crate) background: Background,
    pub(crate) colours: Colours,
    /// Where balls lay still: index of the picture, index of the colour, and the ball.
    pub(crate) lay: Vec<(usize, usize, Blob)>,
}

/// Learns background and colours.
pub(crate) fn learn(
    pictures: &[&Picture],
    calibration: &Calibration,
    set: &BallSet,
) -> Result<Learned, DetectError> {
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
    let (balls, lay) = name_clusters(cluster(found), set);
    if balls.is_empty() {
        return Err(DetectError::NoBalls);
    }
    Ok(Learned {
        background,
        colours: Colours { balls, noise },
        lay,
    })
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
    blobs: Vec<(usize, Blob)>,
}

impl Cluster {
    /// Seen often and like a ball.
    fn value(&self) -> f64 {
        let misfit: f64 = self.blobs.iter().map(|b| b.1.misfit).sum();
        self.blobs.len() as f64 - 0.5 * misfit
    }
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
                let n = c.blobs.len() as f32;
                c.mean = std::array::from_fn(|k| (c.mean[k] * n + blob.mean[k]) / (n + 1.0));
                c.blobs.push((i, blob));
            }
            None => clusters.push(Cluster {
                mean: blob.mean,
                blobs: vec![(i, blob)],
            }),
        }
    }
    clusters.sort_by(|a, b| b.value().total_cmp(&a.value()));
    clusters
}

/// Names the best clusters by the balls of the set; says where balls of each lay.
fn name_clusters(
    mut clusters: Vec<Cluster>,
    set: &BallSet,
) -> (Vec<BallColour>, Vec<(usize, usize, Blob)>) {
    let most = clusters.first().map_or(0, |c| c.blobs.len());
    clusters.retain(|c| c.blobs.len() * 3 >= most);
    clusters.truncate(set.0.len() + 4);
    let seldom = |c: &Cluster| 1.0 - c.blobs.len() as f32 / most.max(1) as f32;
    let means: Vec<(Bgr, f32)> = clusters.iter().map(|c| (c.mean, seldom(c))).collect();
    let names = colour::name(&means, &set.0);
    tracing::debug!(?means, ?names, set = ?set.0, "colours named");
    let (mut balls, mut lay) = (vec![], vec![]);
    for (&ball, name) in set.0.iter().zip(names) {
        let Some(cluster) = name.and_then(|i| clusters.get_mut(i)) else {
            continue;
        };
        let found = std::mem::take(&mut cluster.blobs);
        let mut pixels: Vec<Bgr> = found.iter().flat_map(|b| b.1.pixels.clone()).collect();
        lay.extend(
            found
                .into_iter()
                .filter(|b| b.1.round)
                .map(|(picture, blob)| (picture, balls.len(), blob)),
        );
        balls.push(BallColour {
            ball,
            palette: colour::palette(&mut pixels, PALETTE),
            outline: 1.0,
        });
    }
    (balls, lay)
}
