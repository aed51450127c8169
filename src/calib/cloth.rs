//! The cloth's colour over the picture, and all that has it.

use super::combine::Small;

/// Half the side of the square whose mean says what colour the cloth has around a place, small px.
const AROUND: usize = 10;
/// Largest difference from that mean, levels: cloth's texture and light stay below, shadows under noses do not.
const ALIKE: f32 = 13.0;

/// Grows a region to all connected pixels that have the colour it has near them; gaps of up to four small pixels
/// (balk lines, cues, projected lines) are closed. The colour may drift over the bed, as the light does.
///
/// Returns one flag per small pixel.
pub(crate) fn grown(small: &Small, seed: &[bool]) -> Vec<bool> {
    let mut inside = seed.to_vec();
    let mut size = 0;
    for _ in 0..25 {
        let around = Around::of(small, &inside);
        let alike: Vec<bool> = (0..inside.len())
            .map(|i| around.off(small, i).is_some_and(|off| off < ALIKE))
            .collect();
        let closed = shrunk(small, &spread(small, &alike, 2), 2);
        inside = connected(small, &closed, seed);
        let now = inside.iter().filter(|i| **i).count();
        if now.abs_diff(size) * 1000 < now {
            break;
        }
        size = now;
    }
    inside
}

/// Sums over the marked pixels of every upper left rectangle: count, then blue, green, red.
struct Around(Vec<[f32; 4]>);

impl Around {
    fn of(small: &Small, marked: &[bool]) -> Self {
        let w = small.width + 1;
        let mut sums = vec![[0.0f32; 4]; w * (small.height + 1)];
        for y in 0..small.height {
            let mut row = [0.0f32; 4];
            for x in 0..small.width {
                let i = y * small.width + x;
                if marked[i] {
                    let [b, g, r] = small.pixels[i];
                    for (s, v) in row.iter_mut().zip([1.0, b, g, r]) {
                        *s += v;
                    }
                }
                let above = sums[y * w + x + 1];
                sums[(y + 1) * w + x + 1] = [0, 1, 2, 3].map(|c| above[c] + row[c]);
            }
        }
        Self(sums)
    }

    /// Largest difference over the channels between a pixel and the marked ones around it; `None` where there are few.
    fn off(&self, small: &Small, i: usize) -> Option<f32> {
        let w = small.width + 1;
        let (x, y) = (i % small.width, i / small.width);
        let (x0, x1) = (x.saturating_sub(AROUND), (x + AROUND + 1).min(small.width));
        let (y0, y1) = (y.saturating_sub(AROUND), (y + AROUND + 1).min(small.height));
        let at = |x: usize, y: usize, c: usize| self.0[y * w + x][c];
        let sum = |c: usize| at(x1, y1, c) - at(x0, y1, c) - at(x1, y0, c) + at(x0, y0, c);
        let n = sum(0);
        (n > 20.0).then(|| {
            (0..3)
                .map(|c| (small.pixels[i][c] - sum(c + 1) / n).abs())
                .fold(0.0, f32::max)
        })
    }
}

/// Every pixel with a marked one within `by` rows and columns.
fn spread(small: &Small, marked: &[bool], by: usize) -> Vec<bool> {
    let pass = |from: &[bool], stride: usize, length: usize| -> Vec<bool> {
        let mut out = from.to_vec();
        for i in (0..from.len()).filter(|i| from[*i]) {
            let at = i / stride % length;
            for d in 1..=by {
                if at >= d {
                    out[i - d * stride] = true;
                }
                if at + d < length {
                    out[i + d * stride] = true;
                }
            }
        }
        out
    };
    let rows = pass(marked, 1, small.width);
    pass(&rows, small.width, small.height)
}

/// The opposite of [`spread`]; beyond the picture's edges all counts as marked.
fn shrunk(small: &Small, marked: &[bool], by: usize) -> Vec<bool> {
    let not: Vec<bool> = marked.iter().map(|m| !m).collect();
    spread(small, &not, by).iter().map(|m| !m).collect()
}

/// The marked pixels connected to the largest part of the seed.
fn connected(small: &Small, marked: &[bool], seed: &[bool]) -> Vec<bool> {
    let mut part = vec![0u32; marked.len()];
    let mut best = (0usize, 0u32);
    let mut next = 0;
    let mut todo = Vec::new();
    for start in 0..marked.len() {
        if !marked[start] || part[start] != 0 {
            continue;
        }
        next += 1;
        let mut shared = 0;
        part[start] = next;
        todo.push(start);
        while let Some(i) = todo.pop() {
            shared += usize::from(seed[i]);
            let (x, y) = (i % small.width, i / small.width);
            let around = [
                (x > 0).then(|| i - 1),
                (x + 1 < small.width).then_some(i + 1),
                (y > 0).then(|| i - small.width),
                (y + 1 < small.height).then_some(i + small.width),
            ];
            for k in around.into_iter().flatten() {
                if marked[k] && part[k] == 0 {
                    part[k] = next;
                    todo.push(k);
                }
            }
        }
        if shared > best.0 {
            best = (shared, next);
        }
    }
    part.iter().map(|p| *p != 0 && *p == best.1).collect()
}
