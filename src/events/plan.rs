//! The unknowns of a reading: how they lie in one vector, what motion they describe, where to begin.
//!
//! Per ball: place, velocity and acceleration of the first leg at the window's begin (only the place of a ball that
//! lay still). Per contact: velocity and acceleration of each ball's new leg (only the acceleration after a change of
//! friction), and the time. Place is continuous by construction.

use crate::events::{
    path::{LEGS, Leg, Path, dot, normal, unit},
    scene::{Contact, EARLY_S, SLIDE_S, Scene, Touch},
};

/// A reading to be fitted.
pub(super) struct Plan<'a> {
    pub scene: &'a Scene<'a>,
    pub contacts: Vec<Contact>,
    pub base: Vec<usize>,
    /// Per contact: offset of the new leg of the first and of the second ball, and of the time.
    pub slots: Vec<[usize; 3]>,
    pub size: usize,
}

impl<'a> Plan<'a> {
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

    pub(super) fn slot_of(&self, contact: usize, actor: usize) -> usize {
        let [first, second, _] = self.slots[contact];
        if self.contacts[contact].touch.first() == actor {
            first
        } else {
            second
        }
    }

    pub(super) fn path(&self, actor: usize, p: &[f64]) -> Path {
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

    /// The legs of every ball.
    pub(super) fn paths(&self, p: &[f64]) -> Vec<Path> {
        (0..self.scene.actors.len())
            .map(|i| self.path(i, p))
            .collect()
    }

    /// The balls an unknown moves, and whether it is a time.
    pub(super) fn owners(&self, unknown: usize) -> ([Option<usize>; 2], bool) {
        if let Some(first) = self.slots.first().map(|s| s[0])
            && unknown >= first
        {
            let k = self.slots.partition_point(|s| s[0] <= unknown) - 1;
            let ([_, second, time], touch) = (self.slots[k], self.contacts[k].touch);
            return if unknown == time {
                ([Some(touch.first()), touch.second()], true)
            } else if unknown >= second {
                ([touch.second(), None], false)
            } else {
                ([Some(touch.first()), None], false)
            };
        }
        let i = self.base.partition_point(|&b| b <= unknown) - 1;
        ([Some(i), None], false)
    }

    /// First guess: the legs found by cutting, contacts in between by their laws without losses.
    pub(super) fn guess(&self) -> Vec<f64> {
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
                    let v = self
                        .passed(k, actor, &p)
                        .unwrap_or_else(|| self.bounced(k, actor, &p));
                    p[s..s + 2].copy_from_slice(&v);
                }
            }
        }
        p
    }

    /// Velocity of `actor` between contact `k` and its next, from what was seen between: a stretch of the path, or
    /// the places where the known motions before and after end.
    fn passed(&self, k: usize, actor: usize, p: &[f64]) -> Option<[f64; 2]> {
        let who = &self.scene.actors[actor];
        let mut own = self.contacts[k + 1..]
            .iter()
            .filter(|d| d.touch.involves(actor));
        let (here, next) = (self.contacts[k].t, own.next()?.t);
        let middle = 0.5 * (here + next);
        let inner = who
            .chain
            .get(1..who.chain.len().saturating_sub(1))
            .unwrap_or_default();
        let seen = inner
            .iter()
            .find(|l| l.from < l.to && l.from <= middle && middle <= l.to);
        if let Some(link) = seen {
            return Some(link.motion.velocity_at(here).into());
        }
        if own.next().is_some() || next - here < 0.004 {
            return None;
        }
        let path = self.path(actor, p);
        let legs = self.contacts[..k]
            .iter()
            .filter(|d| d.touch.involves(actor))
            .count();
        let (from, to) = (path.legs[legs].at(here), who.after.at(next));
        Some([
            (to.x - from[0]) / (next - here),
            (to.y - from[1]) / (next - here),
        ])
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
    pub(super) fn around(
        &self,
        k: usize,
        actor: usize,
        path: &Path,
    ) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let n = self.contacts[..k]
            .iter()
            .filter(|d| d.touch.involves(actor))
            .count();
        let (old, new) = (&path.legs[n], &path.legs[n + 1]);
        (old.velocity_at(new.t), new.vel, new.pos)
    }

    pub(super) fn limit_times(&self, p: &[f64], q: &mut [f64]) {
        let (from, to) = self.scene.window;
        let reach = 0.5 * (to - from) + 0.004;
        for (s, c) in self.slots.iter().zip(&self.contacts) {
            let t = s[2];
            let smooth = matches!(c.touch, Touch::Kink { .. } | Touch::Stop { .. });
            let (early, late) = if smooth {
                (reach.max(EARLY_S), SLIDE_S)
            } else {
                (reach, reach)
            };
            q[t] = q[t].clamp(p[t] - 0.5 * early, p[t] + 0.5 * late);
            q[t] = q[t].clamp(from - early, to + late);
        }
        self.keep_order(q);
    }

    /// Contacts of one ball keep the reading's order.
    pub(super) fn keep_order(&self, p: &mut [f64]) {
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
}
