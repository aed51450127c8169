//! Small dense symmetric systems.

/// A symmetric positive definite matrix, factored with its diagonal scaled to one.
pub(super) struct Factor {
    n: usize,
    lower: Vec<f64>,
    scale: Vec<f64>,
}

impl Factor {
    /// Factors `matrix` (row by row, `n` x `n`, lower half read) after multiplying its diagonal by `1 + damping`.
    /// Returns `None` when it is not positive definite or not finite.
    pub(super) fn new(matrix: &[f64], n: usize, damping: f64) -> Option<Self> {
        let scale: Vec<f64> = (0..n)
            .map(|i| matrix[i * n + i].max(1e-300).sqrt().recip())
            .collect();
        if !matrix.iter().all(|v| v.is_finite()) {
            return None;
        }
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = matrix[i * n + j] * scale[i] * scale[j];
                if i == j {
                    sum = 1.0 + damping;
                }
                for k in 0..j {
                    sum -= lower[i * n + k] * lower[j * n + k];
                }
                if i != j {
                    lower[i * n + j] = sum / lower[j * n + j];
                } else if sum > 1e-14 && sum.is_finite() {
                    lower[i * n + i] = sum.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Self { n, lower, scale })
    }

    /// Solves for one right-hand side.
    pub(super) fn solve(&self, rhs: &[f64]) -> Vec<f64> {
        let n = self.n;
        let mut x: Vec<f64> = rhs.iter().zip(&self.scale).map(|(r, s)| r * s).collect();
        for i in 0..n {
            for k in 0..i {
                x[i] -= self.lower[i * n + k] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= self.lower[k * n + i] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        x.iter_mut().zip(&self.scale).for_each(|(v, s)| *v *= s);
        x
    }

    /// Logarithm of the determinant.
    pub(super) fn log_det(&self) -> f64 {
        let n = self.n;
        (0..n)
            .map(|i| 2.0 * (self.lower[i * n + i].ln() - self.scale[i].ln()))
            .sum()
    }

    /// Diagonal element `i` of the inverse.
    pub(super) fn variance(&self, i: usize) -> f64 {
        let mut unit = vec![0.0; self.n];
        unit[i] = 1.0;
        self.solve(&unit)[i]
    }

    /// Upper root of the factored matrix, row by row: `root^T root` is the matrix.
    pub(super) fn root(&self) -> Vec<f64> {
        let n = self.n;
        let mut root = vec![0.0; n * n];
        for i in 0..n {
            for j in i..n {
                root[i * n + j] = self.lower[j * n + i] / self.scale[j];
            }
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_inverts_a_badly_scaled_system() {
        let m = [4.0e6, 1.0e3, 1.0e3, 2.0];
        let f = Factor::new(&m, 2, 0.0).unwrap();
        let x = f.solve(&[1.0, 2.0]);
        assert!((m[0] * x[0] + m[1] * x[1] - 1.0).abs() < 1e-9);
        assert!((m[2] * x[0] + m[3] * x[1] - 2.0).abs() < 1e-9);
        assert!((f.log_det() - (8.0e6f64 - 1.0e6).ln()).abs() < 1e-9);
        assert!((f.variance(0) - 2.0 / 7.0e6).abs() < 1e-15);
        let r = f.root();
        assert!((r[0] * r[0] - 4.0e6).abs() < 1e-6 && (r[0] * r[1] - 1.0e3).abs() < 1e-6);
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        assert!(Factor::new(&[1.0, 2.0, 2.0, 1.0], 2, 0.0).is_none());
        assert!(Factor::new(&[f64::NAN], 1, 0.0).is_none());
    }
}
