//! Fits one reading of a scene (which contacts, in which order) and says how well it explains what was seen.
//!
//! The residuals are the measurements, and the laws of each contact with their tolerances. The evidence is Laplace's
//! approximation of the marginal likelihood, so a reading with more freedom has to earn it.

use std::f64::consts::TAU;

use crate::events::{
    laws::Laws, path::Path, plan::Plan, reading::Reading, scene::Actor, solve::Factor,
};

/// Residuals beyond this count linearly while the fit is on its way, and less and less at the end: a wrong
/// measurement then costs at most twice this square.
const INLIER: f64 = 3.0;
/// Price of a sample taken out, in units of chi-square.
const OUTLIER: f64 = 2.0 * INLIER * INLIER;
/// A reading this much behind the best (in units of evidence) is not worth more steps.
const HOPELESS: f64 = 60.0;

/// One point of the search: the unknowns, the motion, the residuals in blocks (one per ball, then one per contact).
struct Point {
    soft: bool,
    p: Vec<f64>,
    paths: Vec<Path>,
    laws: Vec<Laws>,
    rows: Vec<f64>,
    ends: Vec<usize>,
}

impl Point {
    fn cost(&self) -> f64 {
        self.rows.iter().map(|r| r * r).sum()
    }
}

/// Fits a reading by damped Gauss-Newton steps.
///
/// `bar`: evidence of the best reading so far; a reading that stays far behind is given up early and returned as it
/// is. `None` when the reading has too many legs or cannot be fitted.
pub(super) fn fit(plan: &Plan, iterations: usize, bar: f64) -> Option<Reading> {
    let mut p = plan.guess();
    plan.keep_order(&mut p);
    let paths = plan.paths(&p);
    let laws = plan.laws(&p, &paths);
    let (here, _) = descend(plan, point(plan, p, laws, false), iterations, bar)?;
    let here = point(plan, here.p, here.laws, true);
    let (here, hessian) = descend(plan, here, 5, bar)?;
    reading(plan, &here, here.cost(), &hessian)
}

/// Steps down from a point; returns where it ends, and the Hessian there.
fn descend(plan: &Plan, mut here: Point, iterations: usize, bar: f64) -> Option<(Point, Vec<f64>)> {
    let mut cost = here.cost();
    let mut normal = normal_equations(plan, &here);
    let mut damping = 1e-4;
    for round in 0..iterations {
        let Some(factor) = Factor::new(&normal.0, plan.size, damping) else {
            damping = (damping * 10.0).max(1e-3);
            continue;
        };
        let step = factor.solve(&normal.1);
        let mut q: Vec<f64> = here.p.iter().zip(&step).map(|(a, b)| a - b).collect();
        plan.limit_times(&here.p, &mut q);
        let next = point(plan, q, here.laws.clone(), here.soft);
        let new = next.cost();
        if !new.is_finite() || new > cost {
            damping *= 8.0;
            if damping > 1e5 {
                break;
            }
            continue;
        }
        let gain = cost - new;
        damping = (damping * 0.2).max(1e-9);
        let laws = plan.laws(&next.p, &next.paths);
        here = point(plan, next.p, laws, here.soft);
        cost = here.cost();
        normal = normal_equations(plan, &here);
        let stuck = here.soft || (round >= 6 && gain < 0.1 * cost);
        let hopeless = stuck && -0.5 * cost < bar - HOPELESS;
        if gain < 1e-2 || hopeless {
            break;
        }
    }
    cost.is_finite().then_some((here, normal.0))
}

fn point(plan: &Plan, p: Vec<f64>, laws: Vec<Laws>, soft: bool) -> Point {
    let paths = plan.paths(&p);
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    for (i, path) in paths.iter().enumerate() {
        actor_rows(plan, i, path, soft, &mut rows);
        ends.push(rows.len());
    }
    for (k, law) in laws.iter().enumerate() {
        plan.contact_rows(k, &p, &paths, law, &mut rows);
        ends.push(rows.len());
    }
    Point {
        soft,
        p,
        paths,
        laws,
        rows,
        ends,
    }
}

/// Hessian (lower half) and gradient. Derivatives are differences; an unknown touches only its own balls' blocks.
fn normal_equations(plan: &Plan, here: &Point) -> (Vec<f64>, Vec<f64>) {
    let n = plan.size;
    let mut jacobian = vec![0.0; n * here.rows.len()];
    let mut q = here.p.clone();
    let mut paths = here.paths.clone();
    let mut moved = Vec::new();
    for i in 0..n {
        let (owners, is_time) = plan.owners(i);
        let h = if is_time { 1e-6 } else { 1e-2 };
        q[i] = here.p[i] + h;
        for a in owners.into_iter().flatten() {
            paths[a] = plan.path(a, &q);
        }
        let mut differ = |block: usize, moved: &[f64]| {
            let from = if block == 0 { 0 } else { here.ends[block - 1] };
            for (r, m) in moved.iter().enumerate() {
                jacobian[(from + r) * n + i] = (m - here.rows[from + r]) / h;
            }
        };
        for a in owners.into_iter().flatten() {
            moved.clear();
            actor_rows(plan, a, &paths[a], here.soft, &mut moved);
            differ(a, &moved);
        }
        for (k, c) in plan.contacts.iter().enumerate() {
            if owners.into_iter().flatten().any(|a| c.touch.involves(a)) {
                moved.clear();
                plan.contact_rows(k, &q, &paths, &here.laws[k], &mut moved);
                differ(paths.len() + k, &moved);
            }
        }
        q[i] = here.p[i];
        for a in owners.into_iter().flatten() {
            paths[a] = here.paths[a];
        }
    }
    accumulate(n, &jacobian, &here.rows)
}

fn accumulate(n: usize, jacobian: &[f64], rows: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut hessian = vec![0.0; n * n];
    let mut gradient = vec![0.0; n];
    let mut used = Vec::with_capacity(n);
    for (line, value) in jacobian.chunks_exact(n.max(1)).zip(rows) {
        used.clear();
        used.extend((0..n).filter(|&i| line[i] != 0.0));
        for (count, &i) in used.iter().enumerate() {
            gradient[i] += line[i] * value;
            for &j in &used[..=count] {
                hessian[i * n + j] += line[i] * line[j];
            }
        }
    }
    (hessian, gradient)
}

fn reading(plan: &Plan, here: &Point, chi2: f64, hessian: &[f64]) -> Option<Reading> {
    let factor = Factor::new(hessian, plan.size, 1e-9)?;
    let begins = std::iter::once(0).chain(here.ends.iter().copied());
    let parts = begins
        .zip(&here.ends)
        .map(|(i, &j)| here.rows[i..j].iter().map(|r| r * r).sum())
        .collect();
    let mut contacts = plan.contacts.clone();
    let mut sigmas = Vec::with_capacity(contacts.len());
    let mut details = Vec::with_capacity(contacts.len());
    let chi2 = chi2 + OUTLIER * plan.scene.dropped as f64;
    let mut evidence = -0.5 * chi2 - 0.5 * factor.log_det() + 0.5 * plan.size as f64 * TAU.ln();
    for (k, c) in contacts.iter_mut().enumerate() {
        let time = plan.slots[k][2];
        c.t = here.p[time];
        sigmas.push(factor.variance(time).max(0.0).sqrt());
        let detail = plan.detail(k, &here.paths);
        evidence += plan.prior(k, &here.laws[k], &detail);
        details.push(detail);
    }
    evidence -= 0.5 * plan.penetration(&here.paths);
    evidence.is_finite().then_some(Reading {
        contacts,
        sigmas,
        details,
        evidence,
        chi2,
        parts,
    })
}

/// What was measured of one ball, and the prior on its first leg.
fn actor_rows(plan: &Plan, i: usize, path: &Path, soft: bool, rows: &mut Vec<f64>) {
    let actor: &Actor = &plan.scene.actors[i];
    if !actor.rest {
        rows.extend(plan.first_friction(i, &path.legs[0]));
    }
    for s in &actor.near {
        if s.outlier {
            continue;
        }
        let at = path.at(s.t);
        let d = [at[0] - s.pos[0], at[1] - s.pos[1]];
        let [xx, xy, yy] = s.info;
        let root = xx.sqrt();
        let low = xy / root;
        let r = [
            root * d[0] + low * d[1],
            (yy - low * low).max(0.0).sqrt() * d[1],
        ];
        let size = r[0].hypot(r[1]);
        let k = if size <= INLIER {
            1.0
        } else if soft {
            INLIER * (2.0 - (INLIER / size).powi(2)).sqrt() / size
        } else {
            (INLIER * (2.0 * size - INLIER)).sqrt() / size
        };
        rows.push(r[0] * k);
        rows.push(r[1] * k);
    }
    if let Some(block) = &actor.head {
        let leg = &path.legs[0];
        let (p, v) = (leg.at(block.origin), leg.velocity_at(block.origin));
        if actor.rest {
            block_rows(
                &block.root,
                &[p[0] - block.best[0], p[1] - block.best[1]],
                rows,
            );
        } else {
            block_rows(
                &block.root,
                &offset(block.best.as_slice(), p, v, leg.acc),
                rows,
            );
        }
    }
    if let Some(block) = &actor.tail {
        let leg = &path.legs[path.count - 1];
        let (p, v) = (leg.at(block.origin), leg.velocity_at(block.origin));
        block_rows(
            &block.root,
            &offset(block.best.as_slice(), p, v, leg.acc),
            rows,
        );
    }
}

fn offset(best: &[f64], p: [f64; 2], v: [f64; 2], a: [f64; 2]) -> [f64; 6] {
    let full = [p[0], v[0], a[0], p[1], v[1], a[1]];
    let mut d = [0.0; 6];
    for ((d, f), b) in d.iter_mut().zip(full).zip(best) {
        *d = f - b;
    }
    d
}

fn block_rows(root: &[f64], d: &[f64], rows: &mut Vec<f64>) {
    let n = d.len();
    for i in 0..n {
        rows.push((i..n).map(|j| root[i * n + j] * d[j]).sum());
    }
}
