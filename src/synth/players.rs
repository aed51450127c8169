//! Players at the table: the cue and the arms at the stroke, the hand that carries a ball.

use crate::{
    model::TableSpec,
    synth::{
        look::{Look, Rgb, linear},
        render::Rod,
        script::{Carry, Script, Staged},
    },
};

/// The player comes in so long before the stroke, s.
const COMES_S: f64 = 1.75;
/// Stands ready so long before the stroke.
const READY_S: f64 = 1.15;
/// Begins the last backswing.
const BACKSWING_S: f64 = 0.42;
/// Begins the forward swing.
const SWING_S: f64 = 0.14;
/// Withdraws so long after the stroke.
const LEAVES_S: f64 = 0.30;
/// Is gone so long after the stroke.
const GONE_S: f64 = 0.95;

/// Rods of everybody over or near the table at `t`, lowest first.
pub(super) fn at(script: &Script, look: &Look, t: f64) -> Vec<Rod> {
    let mut rods = Vec::new();
    for (i, staged) in script.shots.iter().enumerate() {
        let who = usize::from(staged.shot.player != "A");
        let since = t - staged.start_s;
        if (-COMES_S..GONE_S).contains(&since) {
            stroke(&mut rods, &script.table, staged, look, who, since, i);
        }
    }
    for carry in &script.carries {
        carrying(&mut rods, &script.table, carry, look, t);
    }
    rods
}

/// Smooth step from 0 to 1 between two times.
fn ease(from: f64, to: f64, t: f64) -> f64 {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// Distance from the tip to the ball's surface before the stroke; negative: follow-through, mm.
fn tip_gap(speed: f64, since: f64) -> f64 {
    let swing = (0.72 * speed).min(4000.0);
    let drawn = 0.5 * swing * SWING_S;
    if since >= 0.0 {
        // After the stroke the cue runs out within 60 ms and always slower than the ball.
        let s = since.min(0.06);
        return -(swing * (s - s * s / 0.12));
    }
    if since > -SWING_S {
        let s = -since;
        return swing * (s - s * s / (2.0 * SWING_S));
    }
    if since > -BACKSWING_S {
        return 12.0 + (drawn - 12.0) * ease(-BACKSWING_S, -SWING_S - 0.02, since);
    }
    // Two aiming strokes that end where the backswing begins.
    let phase = (since + BACKSWING_S) * std::f64::consts::TAU / 0.36;
    12.0 + 28.0 * (1.0 - phase.cos()) * ease(-BACKSWING_S, -BACKSWING_S - 0.2, since)
}

/// Cue, bridge hand, both arms.
fn stroke(
    rods: &mut Vec<Rod>,
    table: &TableSpec,
    staged: &Staged,
    look: &Look,
    who: usize,
    since: f64,
    n: usize,
) {
    let away = (1.0 - ease(-COMES_S, -READY_S, since) + ease(LEAVES_S, GONE_S, since)) * 1700.0;
    let r = table.ball_radius_mm();
    let (d, at) = (staged.direction, staged.at);
    let side = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
    let rise = 0.055 + 0.03 * ((n * 7) % 5) as f64 / 4.0;
    // A point `back` mm behind the ball along the cue and `aside` mm beside it, at height `z`.
    let place = |back: f64, aside: f64, z: f64| {
        [
            at.x - d.x * (back + away) - d.y * aside * side,
            at.y - d.y * (back + away) + d.x * aside * side,
            z,
        ]
    };
    let skin = look.skin[who];
    let bridge = 245.0;
    hand(rods, &place, bridge, skin, r);
    let sleeve = look.sleeve[who];
    rods.push(rod(
        place(bridge + 105.0, 45.0, 45.0),
        place(bridge + 190.0, 75.0, 60.0),
        27.0,
        31.0,
        skin,
    ));
    rods.push(rod(
        place(bridge + 165.0, 68.0, 62.0),
        place(bridge + 480.0, 200.0, 140.0),
        40.0,
        52.0,
        sleeve,
    ));
    rods.push(rod(
        place(bridge + 480.0, 200.0, 140.0),
        place(bridge + 800.0, 230.0, 320.0),
        54.0,
        66.0,
        sleeve,
    ));
    let gap = r + tip_gap(staged.speed, since);
    let on_cue = |back: f64| place(gap + back, 0.0, r + back * rise + 2.0);
    cue(rods, &on_cue);
    rods.push(rod(on_cue(1080.0), on_cue(1180.0), 42.0, 44.0, skin));
    let elbow = place(gap + 1250.0, -120.0, 330.0);
    rods.push(rod(on_cue(1150.0), elbow, 48.0, 58.0, sleeve));
    body(rods, &place, elbow, sleeve, look.hair[who]);
}

/// Upper arm, shoulders, back and head, over the cue's butt.
fn body(
    rods: &mut Vec<Rod>,
    place: &impl Fn(f64, f64, f64) -> [f64; 3],
    elbow: [f64; 3],
    cloth: Rgb,
    hair: Rgb,
) {
    let (left, right) = (place(1060.0, 235.0, 330.0), place(1090.0, -115.0, 350.0));
    rods.push(rod(elbow, right, 58.0, 72.0, cloth));
    let waist = place(1650.0, 130.0, 200.0);
    let back = place(1180.0, 70.0, 340.0);
    rods.push(rod(back, waist, 165.0, 150.0, cloth));
    rods.push(rod(left, right, 80.0, 80.0, cloth));
    rods.push(rod(
        place(960.0, 20.0, 420.0),
        place(1010.0, 28.0, 430.0),
        84.0,
        92.0,
        hair,
    ));
}

/// The bridge: a palm and five fingers around the cue.
fn hand(
    rods: &mut Vec<Rod>,
    place: &impl Fn(f64, f64, f64) -> [f64; 3],
    back: f64,
    skin: Rgb,
    r: f64,
) {
    let low = 0.5 * r;
    for (tip, spread) in [(-52.0, -46.0), (-66.0, -14.0), (-58.0, 22.0), (-30.0, 52.0)] {
        rods.push(rod(
            place(back + tip, spread, low),
            place(back + 25.0, 0.45 * spread + 14.0, low + 12.0),
            8.5,
            11.0,
            skin,
        ));
    }
    rods.push(rod(
        place(back + 28.0, 6.0, low + 10.0),
        place(back + 92.0, 36.0, low + 18.0),
        40.0,
        31.0,
        skin,
    ));
    rods.push(rod(
        place(back - 22.0, -24.0, low + 22.0),
        place(back + 40.0, -20.0, low + 12.0),
        9.5,
        13.0,
        skin,
    ));
}

/// Tip, ferrule, shaft and butt. Cut into pieces, since a lens bends long straight things.
fn cue(rods: &mut Vec<Rod>, on_cue: &impl Fn(f64) -> [f64; 3]) {
    let parts = [
        (0.0, 9.0, linear([60, 110, 160])),
        (9.0, 30.0, linear([236, 232, 220])),
        (30.0, 270.0, linear([222, 188, 138])),
        (270.0, 510.0, linear([222, 188, 138])),
        (510.0, 740.0, linear([218, 182, 132])),
        (740.0, 1000.0, linear([58, 30, 22])),
        (1000.0, 1240.0, linear([28, 24, 26])),
        (1240.0, 1430.0, linear([70, 34, 24])),
    ];
    let radius = |back: f64| 5.8 + 8.6 * back / 1430.0;
    for (from, to, colour) in parts {
        rods.push(Rod {
            gloss: from > 8.0,
            blunt: true,
            ..rod(on_cue(from), on_cue(to), radius(from), radius(to), colour)
        });
    }
}

/// The hand over a carried ball, and its arm from the nearer long side.
fn carrying(rods: &mut Vec<Rod>, table: &TableSpec, carry: &Carry, look: &Look, t: f64) {
    let reach = 0.45 * (carry.end_s - carry.begin_s).min(1.2);
    let (comes, gone) = (carry.begin_s - reach, carry.end_s + reach);
    if !(comes..gone).contains(&t) {
        return;
    }
    let s = ((t - carry.begin_s) / (carry.end_s - carry.begin_s)).clamp(0.0, 1.0);
    let share = if s < 0.5 {
        2.0 * s * s
    } else {
        1.0 - 2.0 * (1.0 - s) * (1.0 - s)
    };
    let over = carry.from + (carry.to - carry.from) * share;
    let right = carry.from.y + carry.to.y > table.width_mm;
    let out = if right { 1.0 } else { -1.0 };
    let away =
        (1.0 - ease(comes, carry.begin_s - 0.05, t) + ease(carry.end_s + 0.05, gone, t)) * 1500.0;
    let z = table.ball_diameter_mm + 12.0 + carry.lift_mm(t);
    let place =
        |aside: f64, back: f64, up: f64| [over.x + aside, over.y + out * (back + away), z + up];
    let (skin, sleeve) = (look.skin[1], look.sleeve[1]);
    for (tip, spread) in [(-48.0, -34.0), (-58.0, -10.0), (-54.0, 16.0), (-30.0, 42.0)] {
        rods.push(rod(
            place(spread, tip, -25.0),
            place(0.6 * spread, 8.0, 0.0),
            9.0,
            11.5,
            skin,
        ));
    }
    rods.push(rod(
        place(0.0, 0.0, 4.0),
        place(6.0, 62.0, 12.0),
        43.0,
        32.0,
        skin,
    ));
    rods.push(rod(
        place(6.0, 70.0, 16.0),
        place(14.0, 150.0, 30.0),
        27.0,
        31.0,
        skin,
    ));
    rods.push(rod(
        place(12.0, 135.0, 30.0),
        place(60.0, 470.0, 140.0),
        40.0,
        53.0,
        sleeve,
    ));
    rods.push(rod(
        place(60.0, 470.0, 140.0),
        place(80.0, 1100.0, 320.0),
        55.0,
        75.0,
        sleeve,
    ));
}

fn rod(a: [f64; 3], b: [f64; 3], ra: f64, rb: f64, colour: Rgb) -> Rod {
    Rod {
        a,
        b,
        ra,
        rb,
        colour,
        gloss: false,
        blunt: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tip_meets_the_ball_at_the_stroke_and_never_overtakes_it() {
        for speed in [800.0, 2500.0, 6000.0] {
            assert!(tip_gap(speed, 0.0).abs() < 1e-9);
            let mut last = tip_gap(speed, -2.0);
            for i in 0..2000 {
                let t = -2.0 + 0.002 * f64::from(i);
                let gap = tip_gap(speed, t);
                assert!(t >= 0.0 || gap >= 0.0, "{speed} {t} {gap}");
                // A ball that slides loses at most 2 m/s each second.
                let ball = speed * t - 1100.0 * t * t;
                assert!(t <= 0.0 || t > 0.06 || -gap < ball, "{speed} {t}");
                assert!(
                    (gap - last).abs() < 60.0,
                    "the cue jumps at {t}: {last} {gap}"
                );
                last = gap;
            }
        }
    }
}
