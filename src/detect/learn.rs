//! Learns from the first pictures how this cloth and these balls look under this light.

use crate::{
    calib::Calibration,
    detect::{
        DetectError,
        background::Background,
        bed::Bed,
        cloth::Cloth,
        colour::{self, BallColour, Bgr, Colours, distance_from_shaded},
        scan::pixel,
    },
    model::{Ball, BallSet, Picture},
    units::ImagePoint,
};

/// Number of surface colours kept for each ball.
const PALETTE: usize = 10;
/// Colours nearer than this belong to one ball, levels.
const SAME_COLOUR: f32 = 45.0;

/// A patch that has a ball's size and roundness.
#[derive(Clone, Debug)]
struct Blob {
    mean: Bgr,
    pixels: Vec<Bgr>,
    /// Departure from a ball's size and roundness, 0 for a perfect one.
    misfit: f64,
}

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
    let margin = if calibration.table.pockets { 0.4 } else { 0.1 } * diameter;
    let background = Background::new(pictures, Bed::new(calibration, margin), &cloth, noise)
        .ok_or(DetectError::NoPictures)?;
    let mut blobs: Vec<(usize, Blob)> = vec![];
    for (i, picture) in pictures.iter().enumerate() {
        blobs.extend(
            blobs_of(picture, &background, calibration, noise)
                .into_iter()
                .map(|b| (i, b)),
        );
    }
    let balls = name_clusters(cluster(blobs), set);
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
    let typical = changes.get(changes.len() * 9 / 10).copied().unwrap_or(6.0);
    (2.0 * typical).clamp(14.0, 40.0)
}

/// The ball-like patches of one picture.
fn blobs_of(
    picture: &Picture,
    background: &Background,
    calibration: &Calibration,
    noise: f32,
) -> Vec<Blob> {
    let (h, w, _) = picture.dim();
    let bed = &background.bed;
    let threshold = 2.0 * noise;
    let mut mask = vec![false; h * w];
    for y in bed.top()..bed.bottom() {
        for x in bed.span(y) {
            mask[y * w + x] =
                distance_from_shaded(pixel(picture, x, y), background.colour(x, y)) > threshold;
        }
    }
    let mut out = vec![];
    for y in bed.top()..bed.bottom() {
        for x in bed.span(y) {
            if mask[y * w + x] {
                let points = flood(&mut mask, [w, h], [x, y]);
                out.extend(ball_like(&points, picture, calibration));
            }
        }
    }
    out
}

/// Takes one connected patch out of the mask.
fn flood(mask: &mut [bool], [w, h]: [usize; 2], start: [usize; 2]) -> Vec<[usize; 2]> {
    let mut stack = vec![start];
    let mut points = vec![];
    mask[start[1] * w + start[0]] = false;
    while let Some([x, y]) = stack.pop() {
        points.push([x, y]);
        for (nx, ny) in [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, y.wrapping_sub(1)),
            (x, y + 1),
        ] {
            if nx < w && ny < h && mask[ny * w + nx] {
                mask[ny * w + nx] = false;
                stack.push([nx, ny]);
            }
        }
    }
    points
}

/// Judges size and roundness against a ball at that place.
fn ball_like(points: &[[usize; 2]], picture: &Picture, calibration: &Calibration) -> Option<Blob> {
    let n = points.len() as f64;
    let cx = points.iter().map(|p| p[0] as f64).sum::<f64>() / n;
    let cy = points.iter().map(|p| p[1] as f64).sum::<f64>() / n;
    let place = calibration.ball_on_table(ImagePoint::new(cx, cy))?;
    let radius = calibration.ball_radius_px(place);
    let size = n / (std::f64::consts::PI * radius * radius);
    if !(0.55..1.6).contains(&size) {
        return None;
    }
    let far = |p: &[usize; 2]| (p[0] as f64 - cx).hypot(p[1] as f64 - cy);
    let spread = points.iter().map(|p| far(p).powi(2)).sum::<f64>() / n;
    let round = spread / (0.5 * radius * radius);
    if !(0.5..1.7).contains(&round) {
        return None;
    }
    let pixels: Vec<Bgr> = points
        .iter()
        .filter(|p| far(p) < 0.85 * radius)
        .map(|p| pixel(picture, p[0], p[1]))
        .collect();
    if (pixels.len() as f64) < 0.5 * std::f64::consts::PI * (0.85 * radius).powi(2) {
        return None;
    }
    let sum = pixels
        .iter()
        .fold([0.0; 3], |s, p| [s[0] + p[0], s[1] + p[1], s[2] + p[2]]);
    let mean = colour::scale(sum, 1.0 / pixels.len() as f32);
    Some(Blob {
        mean,
        pixels,
        misfit: (size - 1.0).abs() + (round - 1.0).abs(),
    })
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
    clusters.truncate(set.0.len());
    let means: Vec<Bgr> = clusters.iter().map(|c| c.mean).collect();
    let names = colour::name(&means, &set.0);
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
