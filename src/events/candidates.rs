//! Which contacts geometry allows in a scene, each with a first guess of its time.

use crate::{
    events::scene::{Actor, Contact, Scene, Touch},
    model::{Cushion, Pocket},
    units::{TablePoint, TableVec},
};

/// A jaw's point may stand so far in front of the nose line (as that is known), mm.
const JAW_GAP_MM: f64 = 8.0;
/// Gaps up to this make a candidate, mm: calibration error, and what a ball runs between the cut and the contact.
const NEAR_MM: f64 = 14.0;
/// Two contacts of one pair are not looked for closer than this, s.
const APART_S: f64 = 0.03;
/// Steps in which the window is looked through.
const STEPS: i32 = 40;

/// All candidates, in no promised order.
pub(super) fn candidates(scene: &Scene) -> Vec<Contact> {
    let mut all = Vec::new();
    for a in 0..scene.actors.len() {
        own_changes(scene, a, &mut all);
        all.extend(Cushion::ALL.into_iter().flat_map(|c| cushion(scene, a, c)));
        all.extend((a + 1..scene.actors.len()).flat_map(|b| balls(scene, a, b)));
    }
    all
}

/// What needs nothing nearby.
fn own_changes(scene: &Scene, a: usize, all: &mut Vec<Contact>) {
    let actor = &scene.actors[a];
    for (number, &t) in actor.cuts.iter().enumerate() {
        if actor.rest {
            if number == 0 {
                all.push(Contact {
                    touch: Touch::Strike { a },
                    t,
                });
                continue;
            }
            all.push(Contact {
                touch: Touch::Kink { a },
                t,
            });
        } else {
            all.push(Contact {
                touch: Touch::Kink { a },
                t,
            });
            all.push(Contact {
                touch: Touch::Unknown { a },
                t,
            });
        }
        if let Some(pocket) = mouth(scene, actor, t) {
            all.push(Contact {
                touch: Touch::Jaw { a, pocket },
                t,
            });
        }
    }
    if let (true, Some(&t)) = (actor.settles, actor.cuts.last()) {
        all.push(Contact {
            touch: Touch::Stop { a },
            t,
        });
    }
}

fn cushion(scene: &Scene, a: usize, cushion: Cushion) -> Vec<Contact> {
    let actor = &scene.actors[a];
    let times = nearest(scene, |t| {
        let gaps = actor
            .motions(t)
            .map(|(p, _)| scene.table.cushion_gap(p, cushion).abs());
        gaps.fold(f64::INFINITY, f64::min)
    });
    let touch = Touch::Cushion { a, cushion };
    times.into_iter().map(|t| Contact { touch, t }).collect()
}

fn balls(scene: &Scene, a: usize, b: usize) -> Vec<Contact> {
    let times = nearest(scene, |t| {
        let mut least = f64::INFINITY;
        for (p, _) in scene.actors[a].motions(t) {
            for (q, _) in scene.actors[b].motions(t) {
                least = least.min((p.distance(q) - scene.table.ball_diameter_mm).abs());
            }
        }
        least
    });
    let touch = Touch::Balls { a, b };
    times.into_iter().map(|t| Contact { touch, t }).collect()
}

impl Actor {
    /// Where the ball may be at `t`, and how it moves there, by each stretch of its path that is not far from `t`.
    fn motions(&self, t: f64) -> impl Iterator<Item = (TablePoint, TableVec)> + '_ {
        let last = self.chain.len().saturating_sub(1);
        self.chain.iter().enumerate().filter_map(move |(i, link)| {
            let begun = i == 0 || t > link.from - self.slack;
            let not_over = i == last || t < link.to + self.slack;
            (begun && not_over).then(|| (link.motion.at(t), link.motion.velocity_at(t)))
        })
    }
}

/// The pocket whose jaws a ball may touch. Jaws begin at the nose lines and lead away from the bed.
fn mouth(scene: &Scene, actor: &Actor, t: f64) -> Option<Pocket> {
    let table = &scene.table;
    if !table.pockets {
        return None;
    }
    let reach = scene.options.mouth_diameters * table.ball_diameter_mm;
    let at_a_nose = |at| {
        Cushion::ALL
            .iter()
            .any(|c| table.cushion_gap(at, *c) < JAW_GAP_MM)
    };
    let near = |p: &Pocket| {
        actor
            .motions(t)
            .any(|(at, _)| at_a_nose(at) && table.pocket_mouth(*p).distance(at) < reach)
    };
    Pocket::ALL.into_iter().find(near)
}

/// Times in the window at which `gap` is least and near; several when they lie more than a moment apart.
fn nearest(scene: &Scene, gap: impl Fn(f64) -> f64) -> Vec<f64> {
    let (from, to) = scene.window;
    let step = (to - from) / f64::from(STEPS);
    let gaps: Vec<f64> = (0..=STEPS)
        .map(|i| gap(from + step * f64::from(i)))
        .collect();
    let mut order: Vec<usize> = (0..gaps.len()).filter(|&i| gaps[i] < NEAR_MM).collect();
    order.sort_by(|&i, &j| gaps[i].total_cmp(&gaps[j]));
    let mut times: Vec<f64> = Vec::new();
    for i in order {
        let lowest =
            (i == 0 || gaps[i - 1] >= gaps[i]) && gaps.get(i + 1).is_none_or(|g| *g >= gaps[i]);
        let t = from + step * i as f64;
        if lowest && times.iter().all(|u| (u - t).abs() > APART_S) {
            times.push(t);
        }
    }
    times.truncate(3);
    times
}
