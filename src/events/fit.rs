//! Fits one reading of a scene (which contacts, in which order) and says how well it explains what was seen.
//!
//! The unknowns are the times of the contacts and, per ball, place, velocity and acceleration of each leg between
//! them; place is continuous by construction. The residuals are the measurements, and the laws of each contact with
//! their tolerances. The evidence is Laplace's approximation of the marginal likelihood, so a reading with more
//! freedom has to earn it.

use std::f64::consts::TAU;

use crate::{
    events::{
        scene::{Actor, Contact, SLIDE_S, Scene, Touch},
        solve::Factor,
    },
    model::Cushion,
    units::TablePoint,
};

/// Most legs of a ball in one scene.
const LEGS: usize = 7;
/// Residuals beyond this count less and less; a wrong measurement costs at most twice its square.
const INLIER: f64 = 3.0;

/// A stretch of constant acceleration from `t` on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leg {
    pub t: f64,
    pub pos: [f64; 2],
    pub vel: [f64; 2],
    pub acc: [f64; 2],
}

impl Leg {
    pub(super) fn at(&self, t: f64) -> [f64; 2] {
        let d = t - self.t;
        [0, 1].map(|k| self.pos[k] + d * (self.vel[k] + 0.5 * d * self.acc[k]))
    }

    pub(super) fn velocity_at(&self, t: f64) -> [f64; 2] {
        let d = t - self.t;
        [0, 1].map(|k| self.vel[k] + d * self.acc[k])
    }
}

/// The legs of one ball.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    pub legs: [Leg; LEGS],
    pub count: usize,
}

impl Path {
    /// The leg valid at `t`.
    pub(super) fn leg(&self, t: f64) -> &Leg {
        let mut found = 0;
        for k in 1..self.count {
            if self.legs[k].t <= t {
                found = k;
            }
        }
        &self.legs[found]
    }

    /// Place at `t`.
    pub(super) fn at(&self, t: f64) -> [f64; 2] {
        self.leg(t).at(t)
    }
}

/// A fitted reading.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The contacts with their fitted times, in the order of the reading.
    pub contacts: Vec<Contact>,
    /// Standard deviation of each time, s.
    pub sigmas: Vec<f64>,
    /// What each contact did: change of velocity of the first ball (mm/s), gap (mm), place of the first ball.
    pub details: Vec<Detail>,
    /// Logarithm of the evidence, comparable between readings of one scene.
    pub evidence: f64,
    /// Chi-square of measurements and laws.
    pub chi2: f64,
}

/// What a contact did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Detail {
    /// Change of the first ball's velocity, mm/s.
    pub jump: f64,
    /// Change of the second ball's velocity, mm/s.
    pub jump_other: f64,
    /// Gap at the time, mm.
    pub gap: f64,
    /// The first ball's place, mm.
    pub place: [f64; 2],
    /// Speeds before: first, second ball, mm/s.
    pub speeds: [f64; 2],
    /// Speed of approach along the normal, mm/s.
    pub approach: f64,
}

/// Tolerances of one contact's laws, held fixed during a step.
#[derive(Clone, Copy, Debug, Default)]
struct Laws {
    sigma: [f64; 4],
    /// Of the acceleration of the first and of the second ball's new leg.
    acc: [f64; 2],
}

/// How a ball may be slowed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Friction {
    /// It slides with a spin nobody knows.
    Any,
    /// It was at rest and was pushed through its centre: it slides straight.
    Sliding,
    /// It rolls.
    Rolling,
}

impl Friction {
    /// Expected deceleration against the velocity, mm/s^2. Cloth: sliding 0.2 g, rolling 0.01 g.
    fn deceleration(self) -> f64 {
        match self {
            Self::Any => 0.0,
            Self::Sliding => 1950.0,
            Self::Rolling => 100.0,
        }
    }

    /// Standard deviation of each component, mm/s^2; calibration error bends the path of a fast ball.
    fn spread(self, any: f64, speed_squared: f64) -> f64 {
        match self {
            Self::Any => any,
            Self::Sliding => 400.0,
            Self::Rolling => 100.0 + 3e-5 * speed_squared,
        }
    }
}

pub(super) struct Fitter<'a> {
    scene: &'a Scene<'a>,
    contacts: Vec<Contact>,
    base: Vec<usize>,
    /// Per contact: offset of the new leg of the first and of the second ball, and of the time.
    slots: Vec<[usize; 3]>,
    size: usize,
}

impl<'a> Fitter<'a> {
    pub(super) fn new(scene: &'a Scene<'a>, contacts: &[Contact]) -> Option<Self> {
        let mut size = 0;
        let mut base = Vec::with_capacity(scene.actors.len());
        for (i, actor) in scene.actors.iter().enumerate() {
            base.push(size);
            size += if actor.rest { 2 } else { 6 };
            if contacts.iter().filter(|c| c.touch.involves(i)).count() >= LEGS {
                return None;
            }
        }
        let mut slots = Vec::with_capacity(contacts.len());
        for c in contacts {
            let width = match c.touch {
                Touch::Stop { .. } => 0,
                Touch::Kink { .. } => 2,
                _ => 4,
            };
            let first = size;
            size += width;
            let second = size;
            if c.touch.second().is_some() {
                size += 4;
            }
            slots.push([first, second, size]);
            size += 1;
        }
        Some(Self {
            scene,
            contacts: contacts.to_vec(),
            base,
            slots,
            size,
        })
    }

    fn slot_of(&self, contact: usize, actor: usize) -> usize {
        let [first, second, _] = self.slots[contact];
        if self.contacts[contact].touch.first() == actor {
            first
        } else {
            second
        }
    }

    fn path(&self, actor: usize, p: &[f64]) -> Path {
        let a = &self.scene.actors[actor];
        let b = self.base[actor];
        let mut path = Path {
            count: 1,
            ..Path::default()
        };
        let t = self.scene.window.0;
        path.legs[0] = if a.rest {
            Leg {
                t,
                pos: [p[b], p[b + 1]],
                ..Leg::default()
            }
        } else {
            Leg {
                t,
                pos: [p[b], p[b + 1]],
                vel: [p[b + 2], p[b + 3]],
                acc: [p[b + 4], p[b + 5]],
            }
        };
        for (k, c) in self.contacts.iter().enumerate() {
            if !c.touch.involves(actor) {
                continue;
            }
            let (s, t) = (self.slot_of(k, actor), p[self.slots[k][2]]);
            let last = path.legs[path.count - 1];
            let (vel, acc) = match c.touch {
                Touch::Stop { .. } => ([0.0; 2], [0.0; 2]),
                Touch::Kink { .. } => (last.velocity_at(t), [p[s], p[s + 1]]),
                _ => ([p[s], p[s + 1]], [p[s + 2], p[s + 3]]),
            };
            path.legs[path.count] = Leg {
                t,
                pos: last.at(t),
                vel,
                acc,
            };
            path.count += 1;
        }
        path
    }

    fn paths(&self, p: &[f64]) -> Vec<Path> {
        (0..self.scene.actors.len())
            .map(|i| self.path(i, p))
            .collect()
    }

    /// First guess: the legs found by cutting, contacts in between by their laws without losses.
    fn guess(&self) -> Vec<f64> {
        let mut p = vec![0.0; self.size];
        let t0 = self.scene.window.0;
        for (actor, &b) in self.scene.actors.iter().zip(&self.base) {
            let (pos, vel) = (actor.before.at(t0), actor.before.velocity_at(t0));
            p[b] = pos.x;
            p[b + 1] = pos.y;
            if !actor.rest {
                let acc = actor.before.fit.acc;
                p[b + 2..b + 6].copy_from_slice(&[vel.x, vel.y, acc.x, acc.y]);
            }
        }
        for k in 0..self.contacts.len() {
            let c = self.contacts[k];
            p[self.slots[k][2]] = c.t;
            for actor in [Some(c.touch.first()), c.touch.second()]
                .into_iter()
                .flatten()
            {
                let last = !self.contacts[k + 1..]
                    .iter()
                    .any(|d| d.touch.involves(actor));
                let s = self.slot_of(k, actor);
                let after = &self.scene.actors[actor].after;
                if matches!(c.touch, Touch::Stop { .. }) {
                } else if matches!(c.touch, Touch::Kink { .. }) {
                    p[s..s + 2].copy_from_slice(&<[f64; 2]>::from(after.fit.acc));
                } else if last {
                    p[s..s + 2].copy_from_slice(&<[f64; 2]>::from(after.velocity_at(c.t)));
                    p[s + 2..s + 4].copy_from_slice(&<[f64; 2]>::from(after.fit.acc));
                } else {
                    let v = self.bounced(k, actor, &p);
                    p[s..s + 2].copy_from_slice(&v);
                }
            }
        }
        p
    }

    /// Velocity of `actor` after contact `k` by its law.
    fn bounced(&self, k: usize, actor: usize, p: &[f64]) -> [f64; 2] {
        let c = self.contacts[k];
        let before = |i: usize| {
            let path = self.path(i, p);
            let legs = self.contacts[..k]
                .iter()
                .filter(|d| d.touch.involves(i))
                .count();
            (path.legs[legs].at(c.t), path.legs[legs].velocity_at(c.t))
        };
        let (pos, v) = before(actor);
        match c.touch {
            Touch::Cushion { cushion, .. } => {
                let n = normal(cushion);
                let vn = dot(v, n);
                [v[0] - 1.8 * vn * n[0], v[1] - 1.8 * vn * n[1]]
            }
            Touch::Balls { a, b } => {
                let (other, w) = before(if actor == a { b } else { a });
                let n = unit([other[0] - pos[0], other[1] - pos[1]]);
                let exchange = dot(w, n) - dot(v, n);
                [v[0] + exchange * n[0], v[1] + exchange * n[1]]
            }
            _ => <[f64; 2]>::from(self.scene.actors[actor].after.velocity_at(c.t)),
        }
    }

    /// Velocities around contact `k` of an actor: before, after; and its place.
    fn around(&self, k: usize, actor: usize, path: &Path) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let n = self.contacts[..k]
            .iter()
            .filter(|d| d.touch.involves(actor))
            .count();
        let (old, new) = (&path.legs[n], &path.legs[n + 1]);
        (old.velocity_at(new.t), new.vel, new.pos)
    }

    fn laws(&self, paths: &[Path]) -> Vec<Laws> {
        let options = self.scene.options;
        (0..self.contacts.len())
            .map(|k| {
                let touch = self.contacts[k].touch;
                let a = touch.first();
                let (v, w, _) = self.around(k, a, &paths[a]);
                let jump = (w[0] - v[0]).hypot(w[1] - v[1]);
                let acc = [Some(a), touch.second()].map(|i| {
                    let Some(i) = i else { return 0.0 };
                    let speed = self.around(k, i, &paths[i]).1;
                    self.friction(k, i)
                        .spread(options.acceleration_mm_s2, dot(speed, speed))
                });
                let sigma = match touch {
                    Touch::Kink { .. } => [1.0; 4],
                    Touch::Stop { .. } => [15.0; 4],
                    Touch::Cushion { cushion, .. } => {
                        let vn = dot(v, normal(cushion)).abs();
                        [
                            0.15 * vn + 25.0,
                            0.3 * vn + 25.0,
                            options.cushion_gap_mm,
                            1.0,
                        ]
                    }
                    Touch::Balls { .. } => [
                        0.02 * jump + 8.0,
                        0.05 * jump + 8.0,
                        options.ball_gap_mm,
                        0.04 * jump + 10.0,
                    ],
                    Touch::Jaw { .. } | Touch::Strike { .. } | Touch::Unknown { .. } => [2000.0; 4],
                };
                Laws { sigma, acc }
            })
            .collect()
    }

    fn contact_rows(&self, k: usize, paths: &[Path], laws: &Laws, rows: &mut Vec<f64>) {
        let touch = self.contacts[k].touch;
        let a = touch.first();
        let (v, w, pos) = self.around(k, a, &paths[a]);
        let s = laws.sigma;
        match touch {
            Touch::Kink { .. } => {}
            Touch::Stop { .. } => rows.extend([v[0] / s[0], v[1] / s[0]]),
            Touch::Cushion { cushion, .. } => {
                let n = normal(cushion);
                let side = [-n[1], n[0]];
                rows.push((dot(w, n) + 0.8 * dot(v, n)) / s[0]);
                rows.push((dot(w, side) - dot(v, side)) / s[1]);
                let gap = self.scene.table.cushion_gap(TablePoint::from(pos), cushion);
                rows.push(soft(gap / s[2]));
            }
            Touch::Balls { b, .. } => {
                let (v2, w2, pos2) = self.around(k, b, &paths[b]);
                let apart = [pos2[0] - pos[0], pos2[1] - pos[1]];
                let n = unit(apart);
                let side = [-n[1], n[0]];
                let sum = [0, 1].map(|i| w[i] - v[i] + w2[i] - v2[i]);
                rows.push(sum[0] / s[0]);
                rows.push(sum[1] / s[0]);
                rows.push((dot(w, side) - dot(v, side)) / s[1]);
                let gap = apart[0].hypot(apart[1]) - self.scene.table.ball_diameter_mm;
                rows.push(soft(gap / s[2]));
                let (near, far) = (dot(v, n) - dot(v2, n), dot(w2, n) - dot(w, n));
                rows.push((far - 0.94 * near) / s[3]);
            }
            Touch::Jaw { .. } | Touch::Strike { .. } | Touch::Unknown { .. } => {
                rows.push((w[0] - v[0]) / s[0]);
                rows.push((w[1] - v[1]) / s[0]);
            }
        }
    }

    fn residuals(&self, p: &[f64], laws: &[Laws], rows: &mut Vec<f64>) {
        rows.clear();
        let prior = self.scene.options.acceleration_mm_s2.recip();
        let paths = self.paths(p);
        for (actor, path) in self.scene.actors.iter().zip(&paths) {
            actor_rows(actor, path, rows);
            if !actor.rest {
                rows.push(path.legs[0].acc[0] * prior);
                rows.push(path.legs[0].acc[1] * prior);
            }
        }
        for k in 0..self.contacts.len() {
            let (middle, spread) = self.when(k);
            rows.push((p[self.slots[k][2]] - middle) / spread);
            self.friction_rows(k, &paths, &laws[k], rows);
            self.contact_rows(k, &paths, &laws[k], rows);
        }
    }

    fn friction_rows(&self, k: usize, paths: &[Path], laws: &Laws, rows: &mut Vec<f64>) {
        let touch = self.contacts[k].touch;
        if matches!(touch, Touch::Stop { .. }) {
            return;
        }
        for (i, sigma) in [Some(touch.first()), touch.second()]
            .into_iter()
            .zip(laws.acc)
        {
            let Some(i) = i else { continue };
            let leg = self.leg_after(k, i, &paths[i]);
            let against = unit(leg.vel);
            let slows = self.friction(k, i).deceleration();
            rows.push((leg.acc[0] + slows * against[0]) / sigma);
            rows.push((leg.acc[1] + slows * against[1]) / sigma);
        }
    }

    fn leg_after(&self, k: usize, actor: usize, path: &Path) -> Leg {
        path.legs[1 + self.contacts[..k]
            .iter()
            .filter(|d| d.touch.involves(actor))
            .count()]
    }

    /// What slows an actor after contact `k`.
    fn friction(&self, k: usize, actor: usize) -> Friction {
        let first = !self.contacts[..k].iter().any(|d| d.touch.involves(actor));
        match self.contacts[k].touch {
            Touch::Kink { .. } => Friction::Rolling,
            Touch::Balls { .. } if first && self.scene.actors[actor].rest => Friction::Sliding,
            _ => Friction::Any,
        }
    }

    /// Where in time a contact is looked for: middle and spread, s.
    fn when(&self, k: usize) -> (f64, f64) {
        let (from, to) = self.scene.window;
        match self.contacts[k].touch {
            Touch::Kink { .. } | Touch::Stop { .. } => {
                (0.5 * (from + to + SLIDE_S), 0.5 * (to - from + SLIDE_S))
            }
            _ => (0.5 * (from + to), 0.5 * (to - from) + 0.004),
        }
    }

    /// Gauss-Newton with damping.
    pub(super) fn solve(&self, iterations: usize) -> Option<Reading> {
        let mut p = self.guess();
        self.keep_order(&mut p);
        let mut damping = 1e-4;
        let mut rows = Vec::new();
        let mut laws = self.laws(&self.paths(&p));
        self.residuals(&p, &laws, &mut rows);
        let mut cost = square(&rows);
        let mut normal = self.normal_equations(&p, &laws, &rows);
        for _ in 0..iterations {
            let Some(factor) = Factor::new(&normal.0, self.size, damping) else {
                damping = (damping * 10.0).max(1e-3);
                if damping > 1e6 {
                    return None;
                }
                continue;
            };
            let step = factor.solve(&normal.1);
            let mut q: Vec<f64> = p.iter().zip(&step).map(|(a, b)| a - b).collect();
            self.limit_times(&p, &mut q);
            self.residuals(&q, &laws, &mut rows);
            let new = square(&rows);
            if !new.is_finite() || new > cost {
                damping *= 8.0;
                if damping > 1e5 {
                    break;
                }
                continue;
            }
            let gain = cost - new;
            p = q;
            damping = (damping * 0.2).max(1e-9);
            laws = self.laws(&self.paths(&p));
            self.residuals(&p, &laws, &mut rows);
            cost = square(&rows);
            normal = self.normal_equations(&p, &laws, &rows);
            if gain < 1e-3 {
                break;
            }
        }
        self.reading(&p, &laws, cost, &normal.0)
    }

    fn limit_times(&self, p: &[f64], q: &mut [f64]) {
        let (from, to) = self.scene.window;
        let reach = 0.5 * (to - from) + 0.004;
        for (s, c) in self.slots.iter().zip(&self.contacts) {
            let t = s[2];
            let smooth = matches!(c.touch, Touch::Kink { .. } | Touch::Stop { .. });
            let late = if smooth { SLIDE_S } else { reach };
            q[t] = q[t].clamp(p[t] - 0.5 * reach, p[t] + 0.5 * late);
            q[t] = q[t].clamp(from - reach, to + late);
        }
        self.keep_order(q);
    }

    /// Contacts of one ball keep the reading's order.
    fn keep_order(&self, p: &mut [f64]) {
        for k in 1..self.contacts.len() {
            for j in 0..k {
                let (a, b) = (self.contacts[j].touch, self.contacts[k].touch);
                let shared = a.involves(b.first()) || b.second().is_some_and(|i| a.involves(i));
                let (tj, tk) = (self.slots[j][2], self.slots[k][2]);
                if shared && p[tk] < p[tj] + 1e-4 {
                    p[tk] = p[tj] + 1e-4;
                }
            }
        }
    }

    fn normal_equations(&self, p: &[f64], laws: &[Laws], rows: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.size;
        let mut jacobian = vec![0.0; n * rows.len()];
        let mut moved = Vec::with_capacity(rows.len());
        let mut q = p.to_vec();
        for i in 0..n {
            let h = self.step_of(i);
            q[i] = p[i] + h;
            self.residuals(&q, laws, &mut moved);
            q[i] = p[i];
            for (r, (m, b)) in moved.iter().zip(rows).enumerate() {
                jacobian[r * n + i] = (m - b) / h;
            }
        }
        let mut hessian = vec![0.0; n * n];
        let mut gradient = vec![0.0; n];
        let mut used = Vec::with_capacity(n);
        for (r, value) in rows.iter().enumerate() {
            let line = &jacobian[r * n..(r + 1) * n];
            used.clear();
            used.extend((0..n).filter(|&i| line[i] != 0.0));
            for &i in &used {
                gradient[i] += line[i] * value;
                for &j in used.iter().take_while(|&&j| j <= i) {
                    hessian[i * n + j] += line[i] * line[j];
                }
            }
        }
        (hessian, gradient)
    }

    fn step_of(&self, i: usize) -> f64 {
        if self.slots.iter().any(|s| s[2] == i) {
            1e-6
        } else {
            1e-2
        }
    }

    fn reading(&self, p: &[f64], laws: &[Laws], chi2: f64, hessian: &[f64]) -> Option<Reading> {
        let factor = Factor::new(hessian, self.size, 1e-9)?;
        let paths = self.paths(p);
        let mut contacts = self.contacts.clone();
        let mut sigmas = Vec::with_capacity(contacts.len());
        let mut details = Vec::with_capacity(contacts.len());
        let mut evidence = -0.5 * chi2 - 0.5 * factor.log_det() + 0.5 * self.size as f64 * TAU.ln();
        for (k, c) in contacts.iter_mut().enumerate() {
            c.t = p[self.slots[k][2]];
            sigmas.push(factor.variance(self.slots[k][2]).max(0.0).sqrt());
            let detail = self.detail(k, &paths);
            evidence += self.prior(k, &laws[k], &detail);
            details.push(detail);
        }
        evidence.is_finite().then_some(Reading {
            contacts,
            sigmas,
            details,
            evidence,
            chi2,
        })
    }

    /// Logarithm of the normalizing factors of a contact's laws, and how likely such a contact is at all.
    fn prior(&self, k: usize, laws: &Laws, detail: &Detail) -> f64 {
        let half = 0.5 * TAU.ln();
        let uniform = -self.when(k).1.ln() - half;
        let acc = -2.0 * (laws.acc[0].ln() + half);
        let acc_other = -2.0 * (laws.acc[1].ln() + half);
        let s = laws.sigma;
        let wrong_way = if detail.approach < -15.0 { -20.0 } else { 0.0 };
        match self.contacts[k].touch {
            Touch::Kink { .. } => uniform + acc,
            Touch::Stop { .. } => uniform,
            Touch::Cushion { .. } => {
                let time = detail.approach.max(30.0).ln() - s[2].ln() - half;
                acc + time - s[0].ln() - s[1].ln() - 2.0 * half + wrong_way
            }
            Touch::Balls { .. } => {
                let time = detail.approach.max(30.0).ln() - s[2].ln() - half;
                let jump = -2.0 * s[0].ln() - s[1].ln() - s[3].ln() + 2f64.ln() - 4.0 * half;
                acc + acc_other + time + jump + wrong_way - 0.5
            }
            Touch::Jaw { .. } => uniform + acc - 2.0 * (s[0].ln() + half) - 1.0,
            Touch::Strike { .. } => {
                let first = if self.scene.may_strike { 0.0 } else { -7.0 };
                uniform + acc - 2.0 * (s[0].ln() + half) + first
            }
            Touch::Unknown { .. } => uniform + acc - 2.0 * (s[0].ln() + half) - 9.0,
        }
    }

    fn detail(&self, k: usize, paths: &[Path]) -> Detail {
        let touch = self.contacts[k].touch;
        let a = touch.first();
        let (v, w, place) = self.around(k, a, &paths[a]);
        let mut detail = Detail {
            jump: (w[0] - v[0]).hypot(w[1] - v[1]),
            place,
            speeds: [v[0].hypot(v[1]), 0.0],
            ..Detail::default()
        };
        match touch {
            Touch::Cushion { cushion, .. } => {
                detail.gap = self
                    .scene
                    .table
                    .cushion_gap(TablePoint::from(place), cushion);
                detail.approach = dot(v, normal(cushion));
            }
            Touch::Balls { b, .. } => {
                let (v2, w2, pos2) = self.around(k, b, &paths[b]);
                let apart = [pos2[0] - place[0], pos2[1] - place[1]];
                let n = unit(apart);
                detail.gap = apart[0].hypot(apart[1]) - self.scene.table.ball_diameter_mm;
                detail.speeds[1] = v2[0].hypot(v2[1]);
                detail.jump_other = (w2[0] - v2[0]).hypot(w2[1] - v2[1]);
                detail.approach = dot(v, n) - dot(v2, n);
            }
            _ => {}
        }
        detail
    }
}

fn actor_rows(actor: &Actor, path: &Path, rows: &mut Vec<f64>) {
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
        let k = if size > INLIER {
            INLIER * (2.0 - (INLIER / size).powi(2)).sqrt() / size
        } else {
            1.0
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

/// A residual whose square grows linearly beyond two: gaps may be far off where the calibration is.
fn soft(r: f64) -> f64 {
    if r.abs() <= 2.0 {
        r
    } else {
        r.signum() * (4.0 * r.abs() - 4.0).sqrt()
    }
}

fn square(rows: &[f64]) -> f64 {
    rows.iter().map(|r| r * r).sum()
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn unit(a: [f64; 2]) -> [f64; 2] {
    let n = a[0].hypot(a[1]).max(1e-9);
    [a[0] / n, a[1] / n]
}

/// Direction into the cushion.
pub(super) fn normal(cushion: Cushion) -> [f64; 2] {
    match cushion {
        Cushion::S => [-1.0, 0.0],
        Cushion::N => [1.0, 0.0],
        Cushion::W => [0.0, -1.0],
        Cushion::E => [0.0, 1.0],
    }
}
