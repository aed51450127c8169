//! Cuts a small picture into regions of even colour.

use std::collections::BTreeMap;

use super::combine::Small;

/// Which region each small pixel belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    /// Index of the region, row by row.
    pub(crate) label: Vec<u32>,
    /// Number of regions.
    pub(crate) count: usize,
}

/// Joined pixels with the largest step inside each region.
struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
    inner: Vec<f32>,
}

impl Forest {
    fn new(n: usize) -> Self {
        Self {
            parent: (0..n as u32).collect(),
            size: vec![1; n],
            inner: vec![0.0; n],
        }
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        i
    }

    fn join(&mut self, a: u32, b: u32, step: f32) {
        let (big, little) = if self.size[a as usize] >= self.size[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        self.parent[little as usize] = big;
        self.size[big as usize] += self.size[little as usize];
        self.inner[big as usize] = step;
    }
}

/// Cuts the picture into regions: two neighbours are joined while the step between them is not much larger than the
/// largest step inside either region, so a bed under uneven light stays one region and a nose's shadow ends it.
///
/// `looseness` is the step (levels times pixels) that small regions may bridge: larger gives larger regions.
///
/// # Source
/// P. Felzenszwalb, D. Huttenlocher, Efficient Graph-Based Image Segmentation, IJCV 59 (2004).
pub(crate) fn segments(small: &Small, looseness: f32) -> Segments {
    let (w, h) = (small.width, small.height);
    let smooth = blurred(small);
    let mut edges = Vec::with_capacity(2 * w * h);
    for y in 0..h {
        for x in 0..w {
            let i = y * w + x;
            if x + 1 < w {
                edges.push((difference(smooth[i], smooth[i + 1]), i as u32, i as u32 + 1));
            }
            if y + 1 < h {
                edges.push((
                    difference(smooth[i], smooth[i + w]),
                    i as u32,
                    (i + w) as u32,
                ));
            }
        }
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut forest = Forest::new(w * h);
    for (step, a, b) in edges {
        let (a, b) = (forest.root(a), forest.root(b));
        if a == b {
            continue;
        }
        let limit =
            |f: &Forest, r: u32| f.inner[r as usize] + looseness / f.size[r as usize] as f32;
        if step <= limit(&forest, a).min(limit(&forest, b)) {
            forest.join(a, b, step);
        }
    }
    numbered(&mut forest)
}

fn numbered(forest: &mut Forest) -> Segments {
    let n = forest.parent.len();
    let mut name = vec![u32::MAX; n];
    let mut count = 0;
    let label = (0..n as u32)
        .map(|i| {
            let r = forest.root(i) as usize;
            if name[r] == u32::MAX {
                name[r] = count;
                count += 1;
            }
            name[r]
        })
        .collect();
    Segments {
        label,
        count: count as usize,
    }
}

/// How far apart two regions may lie to be joined over a thin line, small px.
const BRIDGE: usize = 4;

/// Joins large regions that go on in the same colour behind a thin line: balk lines, cues, a projector's lines.
pub(crate) fn bridged(small: &Small, cut: &Segments) -> Segments {
    let (w, h) = (small.width, small.height);
    let mut size = vec![0usize; cut.count];
    for l in &cut.label {
        size[*l as usize] += 1;
    }
    let least = w * h * 15 / 1000;
    let mut between: BTreeMap<(u32, u32), (usize, f32)> = BTreeMap::new();
    let mut look = |i: usize, k: usize| {
        let (a, b) = (cut.label[i], cut.label[k]);
        if a != b && size[a as usize] > least && size[b as usize] > least {
            let pair = between.entry((a.min(b), a.max(b))).or_insert((0, 0.0));
            pair.0 += 1;
            pair.1 += difference(small.pixels[i], small.pixels[k]);
        }
    };
    for y in 0..h {
        for x in 0..w {
            let i = y * w + x;
            if x + BRIDGE < w {
                look(i, i + BRIDGE);
            }
            if y + BRIDGE < h {
                look(i, i + BRIDGE * w);
            }
        }
    }
    let mut forest = Forest::new(cut.count);
    for ((a, b), (n, sum)) in between {
        let long = n as f32 > 1.5 * (size[a as usize].min(size[b as usize]) as f32).sqrt();
        if long && sum / (n as f32) < 10.0 {
            let (a, b) = (forest.root(a), forest.root(b));
            if a != b {
                forest.join(a, b, 0.0);
            }
        }
    }
    let names = numbered(&mut forest);
    Segments {
        label: cut.label.iter().map(|l| names.label[*l as usize]).collect(),
        count: names.count,
    }
}

/// Largest difference over the three colours.
fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] - b[0])
        .abs()
        .max((a[1] - b[1]).abs())
        .max((a[2] - b[2]).abs())
}

/// Mean of the 3 x 3 neighbourhood.
fn blurred(small: &Small) -> Vec<[f32; 3]> {
    let (w, h) = (small.width as isize, small.height as isize);
    let mut out = Vec::with_capacity(small.pixels.len());
    for y in 0..h {
        for x in 0..w {
            let mut sum = [0.0; 3];
            let mut n = 0.0;
            for yy in (y - 1).max(0)..(y + 2).min(h) {
                for xx in (x - 1).max(0)..(x + 2).min(w) {
                    let p = small.pixels[(yy * w + xx) as usize];
                    for c in 0..3 {
                        sum[c] += p[c];
                    }
                    n += 1.0;
                }
            }
            out.push(sum.map(|s| s / n));
        }
    }
    out
}
