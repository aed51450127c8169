//! The normal distribution, as far as it is needed here.

/// Probability of a standard normal value below `z`. Exact to 1.5e-7.
///
/// # Source
/// Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
pub(super) fn below(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * poly * (-x * x).exp();
    if z < 0.0 { tail } else { 1.0 - tail }
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// Probability that a normal value lies between `low` and `high` (either may be infinite), and its mean when it does.
///
/// `sigma` is positive. With next to no probability the mean is the end of the interval nearest to `mean`.
pub(super) fn between(mean: f64, sigma: f64, low: f64, high: f64) -> (f64, f64) {
    let (a, b) = ((low - mean) / sigma, (high - mean) / sigma);
    let probability = (below(b) - below(a)).max(0.0);
    let inside = mean + sigma * (density(a) - density(b)) / probability;
    let inside = if probability < 1e-6 { mean } else { inside };
    (probability, inside.clamp(low, high.max(low)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert!((below(0.0) - 0.5).abs() < 1e-6);
        assert!((below(1.96) - 0.975_002).abs() < 1e-5);
        assert!((below(-1.0) - 0.158_655).abs() < 1e-5);
    }

    #[test]
    fn half_of_a_bell() {
        let (p, mean) = between(0.0, 2.0, 0.0, f64::INFINITY);
        assert!((p - 0.5).abs() < 1e-6);
        assert!((mean - 2.0 * 0.797_885).abs() < 1e-4);
        let (p, mean) = between(5.0, 1.0, f64::NEG_INFINITY, -20.0);
        assert!(p < 1e-6 && mean == -20.0);
    }
}
