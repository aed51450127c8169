//! When a smooth function of time first falls to zero.

/// Value of the polynomial with coefficients `c` (lowest power first).
fn value(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, k| sum * t + k)
}

fn derivative(c: &[f64]) -> Vec<f64> {
    c.iter()
        .enumerate()
        .skip(1)
        .map(|(power, k)| k * power as f64)
        .collect()
}

/// The root in an interval at whose ends the signs differ: bisection down to neighbouring numbers.
fn bisect(c: &[f64], mut lo: f64, mut hi: f64) -> f64 {
    let rising = value(c, lo) < 0.0;
    for _ in 0..200 {
        let mid = 0.5 * (lo + hi);
        if mid <= lo || mid >= hi {
            break;
        }
        if (value(c, mid) < 0.0) == rising {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    0.5 * (lo + hi)
}

/// Places in `lo..hi` where the polynomial changes its sign, ascending.
fn sign_changes(c: &[f64], lo: f64, hi: f64) -> Vec<f64> {
    if c.len() < 2 {
        return Vec::new();
    }
    let mut ends = vec![lo];
    if c.len() > 2 {
        ends.extend(sign_changes(&derivative(c), lo, hi));
    }
    ends.push(hi);
    ends.windows(2)
        .filter(|w| (value(c, w[0]) < 0.0) != (value(c, w[1]) < 0.0))
        .map(|w| bisect(c, w[0], w[1]))
        .collect()
}

/// First time in `0..=until` at which the polynomial `c` (lowest power first), a gap, falls to zero.
///
/// Between extremes a polynomial is monotone, so its zeros are bracketed by those of its derivative and found by
/// bisection: slower than a formula for the quartic, but never wrong by cancellation.
///
/// Returns zero when the gap is not positive at the start and shrinks; `None` when it never closes.
pub(super) fn first_closing(c: &[f64], until: f64) -> Option<f64> {
    let slope = c.get(1).copied().unwrap_or(0.0);
    if value(c, 0.0) <= 0.0 && slope < 0.0 {
        return Some(0.0);
    }
    sign_changes(c, 0.0, until)
        .into_iter()
        .find(|&t| value(&derivative(c), t) < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_falling_root_is_found() {
        // (t - 1)(t - 2)(t - 3)(t - 4): falls through zero at 1 and 3.
        let c = [24.0, -50.0, 35.0, -10.0, 1.0];
        assert!((first_closing(&c, 10.0).unwrap() - 1.0).abs() < 1e-12);
        let from_two_and_a_half = {
            // The same, seen from t = 1.5: next fall at 3, 1.5 later.
            let s = 1.5;
            let shifted: Vec<f64> = (0..5)
                .map(|n| {
                    let mut d = c.to_vec();
                    let mut factorial = 1.0;
                    for k in 0..n {
                        d = derivative(&d);
                        factorial *= (k + 1) as f64;
                    }
                    value(&d, s) / factorial
                })
                .collect();
            first_closing(&shifted, 10.0).unwrap()
        };
        assert!((from_two_and_a_half - 1.5).abs() < 1e-9);
        assert_eq!(first_closing(&c, 0.5), None);
    }

    #[test]
    fn a_gap_that_opens_or_never_closes_gives_nothing() {
        assert_eq!(first_closing(&[0.0, 1.0], 5.0), None);
        assert_eq!(first_closing(&[1.0, -2.0, 2.0], 5.0), None);
        assert_eq!(first_closing(&[0.0, -1.0], 5.0), Some(0.0));
        assert_eq!(first_closing(&[], 5.0), None);
    }
}
