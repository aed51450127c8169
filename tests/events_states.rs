//! Where shots begin and end: recordings that start or stop in mid-shot, hands between shots, blind moments, balls
//! that touch at the stroke, nonsense.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test"
)]

mod events_bench;
use events_bench::{
    camera::{Camera, Dice},
    score::three_cushions,
    thin::{brush, frozen},
    trajectory::{Trajectory, load},
};
use marqueur::{
    events::{Options, Recognizer, State},
    model::{Ball, BallSet, BallState, EventKind, Measurement, Shot, TableSpec, TrackedFrame},
    units::{TablePoint, TableVec, Timestamp},
};
use proptest::prelude::*;

fn camera() -> Camera {
    Camera::usual(60.0, 0.5)
}

fn recognize(table: &TableSpec, set: &[Ball], frames: &[TrackedFrame]) -> Vec<Shot> {
    let mut recognizer = Recognizer::new(table, &BallSet(set.to_vec()), Options::default());
    let mut shots: Vec<Shot> = frames.iter().flat_map(|f| recognizer.push(f)).collect();
    shots.extend(recognizer.finish());
    for s in &shots {
        println!(
            "{:?} {:.3}..{:.3} complete {}",
            s.struck,
            s.start.secs(),
            s.stop.secs(),
            s.complete
        );
        s.events
            .iter()
            .for_each(|e| println!("   {:.3} {:?} {:.3}", e.at.secs(), e.kind, e.confidence));
        s.doubts.iter().for_each(|d| println!("   {d}"));
    }
    shots
}

fn shot() -> Trajectory {
    load("three-cushion_001").remove(0)
}

/// The contacts of the truth after `from` seconds, that are clear enough to be asked for.
fn contacts_after(shot: &Trajectory, from: f64) -> usize {
    shot.events
        .iter()
        .filter(|e| e.t > from && e.dv.is_none_or(|dv| dv > 60.0))
        .count()
}

#[test]
fn a_recording_that_begins_in_mid_shot() {
    let shot = shot();
    let (frames, stroke) = camera().watch(&shot, 3);
    let cut: Vec<TrackedFrame> = frames
        .into_iter()
        .filter(|f| f.at.secs() > stroke + 0.6)
        .collect();
    let shots = recognize(&shot.spec(), &shot.set(), &cut);
    assert_eq!(shots.len(), 1);
    assert_eq!((shots[0].struck, shots[0].complete), (None, false));
    assert!(shots[0].events.len() >= contacts_after(&shot, 0.65));
}

#[test]
fn a_recording_that_ends_before_rest() {
    let shot = shot();
    let (frames, stroke) = camera().watch(&shot, 3);
    let cut: Vec<TrackedFrame> = frames
        .into_iter()
        .filter(|f| f.at.secs() < stroke + 3.0)
        .collect();
    let shots = recognize(&shot.spec(), &shot.set(), &cut);
    assert_eq!(shots.len(), 1);
    assert_eq!(
        (shots[0].struck, shots[0].complete),
        (Some(shot.set()[usize::from(shot.struck != "white")]), false)
    );
    assert_eq!(shots[0].stop, cut.last().unwrap().at);
}

/// Frames of a recording moved to a later time and numbered on.
fn later(frames: Vec<TrackedFrame>, by: f64) -> impl Iterator<Item = TrackedFrame> {
    frames.into_iter().map(move |f| TrackedFrame {
        at: f.at.plus_secs(by),
        ..f
    })
}

/// A still table with that layout, a hand over one ball for a while if `hand`.
fn still(
    balls: &[(Ball, TablePoint)],
    hand: Option<Ball>,
    from: f64,
    seconds: f64,
    dice: &mut Dice,
) -> Vec<TrackedFrame> {
    let count = (seconds * 60.0) as usize;
    (0..count)
        .map(|i| TrackedFrame {
            seq: 0,
            at: Timestamp::from_secs(from + i as f64 / 60.0),
            balls: balls
                .iter()
                .map(|&(b, p)| state(b, p, hand == Some(b), dice))
                .collect(),
            blind: false,
        })
        .collect()
}

fn state(id: Ball, place: TablePoint, handled: bool, dice: &mut Dice) -> BallState {
    let pos = TablePoint::new(place.x + 0.5 * dice.gauss(), place.y + 0.5 * dice.gauss());
    let seen = Measurement {
        pos,
        covariance: [0.25, 0.0, 0.25],
        streak: None,
        visible: 1.0,
    };
    BallState {
        id,
        pos,
        vel: TableVec::ZERO,
        sigma_mm: 0.5,
        seen: Some(seen),
        handled,
    }
}

#[test]
fn two_shots_and_a_hand_between_them() {
    let all = load("three-cushion_00");
    let (a, b) = (&all[1], &all[2]);
    let (first, _) = camera().watch(a, 5);
    let end = first.last().unwrap().at.secs();
    let (second, stroke) = camera().watch(b, 6);
    // Between them, hands put the balls from where they lay to where the second shot wants them: each is hidden.
    let gap = 1.5;
    let mut frames = first;
    for i in 1..(gap * 60.0) as usize {
        let at = Timestamp::from_secs(end + i as f64 / 60.0);
        frames.push(TrackedFrame {
            seq: 0,
            at,
            balls: Vec::new(),
            blind: false,
        });
    }
    frames.extend(later(second, end + gap));
    let shots = recognize(&a.spec(), &a.set(), &frames);
    assert_eq!(shots.len(), 2);
    assert!(shots.iter().all(|s| s.complete));
    assert!((shots[1].start.secs() - end - gap - stroke).abs() < 0.01);
    for (shot, truth) in shots.iter().zip([a, b]) {
        let kinds: Vec<EventKind> = shot.events.iter().map(|e| e.kind.clone()).collect();
        let cue = Ball::from_name(&truth.struck).unwrap();
        assert_eq!(
            three_cushions(&kinds, cue),
            truth.three_cushion_point.unwrap()
        );
        for (ball, place) in &shot.before {
            let (true_place, _) = truth.at(ball.name(), 0.0).unwrap();
            assert!(
                place.distance(true_place.into()) < 4.0,
                "{ball} before the shot"
            );
        }
    }
}

#[test]
fn a_ball_carried_in_sight_is_no_shot() {
    let mut dice = Dice::new(4);
    let (white, red, yellow) = (
        TablePoint::new(700.0, 500.0),
        TablePoint::new(2000.0, 700.0),
        TablePoint::new(500.0, 900.0),
    );
    let balls = |w: TablePoint| [(Ball::White, w), (Ball::Yellow, yellow), (Ball::Red, red)];
    let mut frames = still(&balls(white), None, 0.0, 1.0, &mut dice);
    // A wandering path, under a hand that takes a moment to get going.
    for i in 0..150 {
        let s = f64::from(i) / 60.0;
        let s = s * s / (s + 0.3);
        let place = TablePoint::new(
            700.0 + 300.0 * s + 40.0 * (5.0 * s).sin(),
            500.0 + 120.0 * (2.2 * s).sin(),
        );
        let at = Timestamp::from_secs(1.0 + s);
        let seen = balls(place).map(|(b, p)| state(b, p, b == Ball::White, &mut dice));
        frames.push(TrackedFrame {
            seq: 0,
            at,
            balls: seen.to_vec(),
            blind: false,
        });
    }
    let end = frames.last().unwrap().balls[0].pos;
    frames.extend(still(&balls(end), None, 3.5, 1.0, &mut dice));
    let table = TableSpec::named("carom-match").unwrap();
    assert_eq!(
        recognize(&table, &[Ball::White, Ball::Yellow, Ball::Red], &frames),
        vec![]
    );
}

#[test]
fn a_slow_stroke_under_the_hand_is_a_shot() {
    let (shot, _) = brush(400.0, -20.0, "slow".into());
    let (mut frames, stroke) = Camera {
        scale: 0.0,
        ..camera()
    }
    .watch(&shot, 3);
    for f in &mut frames {
        let near = (f.at.secs() - stroke).abs() < 1.2;
        f.balls
            .iter_mut()
            .filter(|b| b.id == Ball::White)
            .for_each(|b| b.handled = near);
    }
    let shots = recognize(&shot.spec(), &shot.set(), &frames);
    assert_eq!(shots.len(), 1);
    assert_eq!(shots[0].struck, Some(Ball::White));
}

#[test]
fn a_ball_taken_and_put_down_elsewhere_is_no_shot() {
    let mut dice = Dice::new(4);
    let balls = |w: TablePoint| {
        [
            (Ball::White, w),
            (Ball::Red, TablePoint::new(2000.0, 700.0)),
        ]
    };
    let mut frames = still(
        &balls(TablePoint::new(700.0, 500.0)),
        None,
        0.0,
        1.0,
        &mut dice,
    );
    frames.extend(still(
        &balls(TablePoint::ZERO_PLACE)[1..],
        None,
        1.0,
        0.8,
        &mut dice,
    ));
    frames.extend(still(
        &balls(TablePoint::new(1300.0, 300.0)),
        Some(Ball::White),
        1.8,
        0.3,
        &mut dice,
    ));
    frames.extend(still(
        &balls(TablePoint::new(1300.0, 300.0)),
        None,
        2.1,
        1.0,
        &mut dice,
    ));
    let table = TableSpec::named("carom-match").unwrap();
    assert_eq!(
        recognize(&table, &[Ball::White, Ball::Red], &frames),
        vec![]
    );
}

trait Zero {
    const ZERO_PLACE: TablePoint;
}

impl Zero for TablePoint {
    const ZERO_PLACE: TablePoint = TablePoint::new(0.0, 0.0);
}

#[test]
fn a_still_table_is_no_shot() {
    let mut dice = Dice::new(9);
    let balls = [
        (Ball::White, TablePoint::new(700.0, 500.0)),
        (Ball::Red, TablePoint::new(2000.0, 700.0)),
    ];
    let frames = still(&balls, None, 0.0, 20.0, &mut dice);
    let table = TableSpec::named("carom-match").unwrap();
    let mut recognizer = Recognizer::new(
        &table,
        &BallSet(vec![Ball::White, Ball::Red]),
        Options::default(),
    );
    assert!(frames.iter().all(|f| recognizer.push(f).is_empty()));
    assert!(recognizer.finish().is_empty());
    assert_eq!(recognizer.state(), State::AtRest);
    let states: Vec<State> = recognizer.timeline().iter().map(|s| s.1).collect();
    assert!(
        !states.contains(&State::Running) && !states.contains(&State::Struck),
        "{states:?}"
    );
}

#[test]
fn every_moment_of_a_shot_has_its_name() {
    let shot = shot();
    let (frames, stroke) = camera().watch(&shot, 3);
    let mut r = Recognizer::new(&shot.spec(), &BallSet(shot.set()), Options::default());
    let shots: Vec<Shot> = frames.iter().flat_map(|f| r.push(f)).collect();
    assert_eq!(shots.len(), 1);
    let mut names: Vec<State> = r.timeline().iter().map(|s| s.1).collect();
    let began = r
        .timeline()
        .iter()
        .find(|s| s.1 == State::Struck)
        .unwrap()
        .0;
    assert!(
        (began.secs() - stroke) < 0.1,
        "told {:.3} s after the stroke",
        began.secs() - stroke
    );
    // A slow ball may seem to settle more than once.
    let settled = names.iter().position(|s| *s == State::Settling).unwrap();
    if names.first() == Some(&State::Opening) {
        names.remove(0);
    }
    let order = [
        State::Settling,
        State::AtRest,
        State::Struck,
        State::Running,
        State::Settling,
        State::AtRest,
    ];
    let mut at = 0;
    for s in &names {
        at += usize::from(order.get(at) == Some(s));
    }
    assert_eq!(at, order.len(), "{names:?}, first settled at {settled}");
}

#[test]
fn a_motion_without_end_is_given_up() {
    let mut dice = Dice::new(2);
    let table = TableSpec::named("carom-match").unwrap();
    let options = Options {
        longest_s: 5.0,
        ..Options::default()
    };
    let mut r = Recognizer::new(&table, &BallSet(vec![Ball::White]), options);
    let mut shots = Vec::new();
    for i in 0..1800 {
        let t = f64::from(i) / 60.0;
        let place = TablePoint::new(1000.0 + 300.0 * t.sin(), 700.0 + 300.0 * t.cos());
        let at = Timestamp::from_secs(t);
        let balls = vec![state(Ball::White, place, false, &mut dice)];
        shots.extend(r.push(&TrackedFrame {
            seq: 0,
            at,
            balls,
            blind: false,
        }));
    }
    assert!(
        shots.len() >= 4 && shots.iter().all(|s| !s.complete),
        "{} shots",
        shots.len()
    );
}

#[test]
fn blind_and_lost_moments_within_a_shot() {
    let shot = shot();
    let (mut frames, stroke) = camera().watch(&shot, 3);
    for f in &mut frames {
        let t = f.at.secs() - stroke;
        if (1.0..1.3).contains(&t) {
            f.blind = true;
            f.balls.clear();
        }
    }
    frames.retain(|f| !(2.0..2.2).contains(&(f.at.secs() - stroke)));
    let shots = recognize(&shot.spec(), &shot.set(), &frames);
    assert_eq!(shots.len(), 1);
    assert!(shots[0].complete);
    let wanted = contacts_after(&shot, 0.0);
    assert!(
        shots[0].events.len().abs_diff(wanted) <= 1,
        "{} of {wanted}",
        shots[0].events.len()
    );
}

#[test]
fn a_ball_hidden_at_the_contact_is_still_told_to_be_hit() {
    let (shot, _) = brush(1500.0, -30.0, "hidden".into());
    let (mut frames, stroke) = Camera {
        scale: 0.0,
        ..camera()
    }
    .watch(&shot, 3);
    let contact = stroke + shot.events[0].t;
    for f in &mut frames {
        if (f.at.secs() - contact).abs() < 0.07 {
            f.balls.iter_mut().for_each(|b| b.seen = None);
        }
    }
    let shots = recognize(&shot.spec(), &shot.set(), &frames);
    assert_eq!(shots.len(), 1);
    let hit = shots[0]
        .events
        .iter()
        .find(|e| matches!(e.kind, EventKind::BallBall { .. }))
        .unwrap();
    assert!((hit.at.secs() - contact).abs() < 0.01);
}

#[test]
fn balls_that_touch_at_the_stroke_do_not_meet() {
    for seed in 0..5 {
        let shot = frozen(1800.0);
        let (frames, stroke) = camera().watch(&shot, seed);
        let shots = recognize(&shot.spec(), &shot.set(), &frames);
        assert_eq!(shots.len(), 1);
        assert_eq!(shots[0].struck, Some(Ball::White));
        assert!((shots[0].start.secs() - stroke).abs() < 0.005);
        let met = shots[0]
            .events
            .iter()
            .any(|e| matches!(e.kind, EventKind::BallBall { .. }));
        assert!(
            !met,
            "rule book EV-4: a contact that existed when the stroke began is none"
        );
    }
}

#[test]
fn shifting_time_changes_only_times() {
    let shot = shot();
    let (frames, _) = camera().watch(&shot, 8);
    let moved: Vec<TrackedFrame> = later(frames.clone(), 1000.0).collect();
    let (a, b) = (
        recognize(&shot.spec(), &shot.set(), &frames),
        recognize(&shot.spec(), &shot.set(), &moved),
    );
    assert_eq!(a.len(), b.len());
    for (x, y) in a[0].events.iter().zip(&b[0].events) {
        assert_eq!(x.kind, y.kind);
        assert!((y.at.since(x.at) - 1000.0).abs() < 1e-6);
    }
    assert_eq!(a[0].events.len(), b[0].events.len());
}

#[test]
fn same_frames_same_shots() {
    let shot = shot();
    let (frames, _) = camera().watch(&shot, 8);
    assert_eq!(
        recognize(&shot.spec(), &shot.set(), &frames),
        recognize(&shot.spec(), &shot.set(), &frames)
    );
}

prop_compose! {
    fn number()(kind in 0..20, v in -500.0..3500.0f64) -> f64 {
        match kind {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1e300,
            _ => v,
        }
    }
}

prop_compose! {
    fn any_state(id: Ball)(x in number(), y in number(), c in number(), seen in 0..4, handled: bool) -> Option<BallState> {
        let pos = TablePoint::new(x, y);
        let m = Measurement { pos, covariance: [c, c, c], streak: None, visible: x };
        let seen_now = (seen > 0).then_some(m);
        (seen < 3).then_some(BallState { id, pos, vel: TableVec::ZERO, sigma_mm: c, seen: seen_now, handled })
    }
}

prop_compose! {
    fn any_frame()(step in -2i64..60_000_000, white in any_state(Ball::White), red in any_state(Ball::Red), blind in 0..20) -> (i64, Vec<BallState>, bool) {
        (step, white.into_iter().chain(red).collect(), blind == 0)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn no_input_is_too_bad(steps in prop::collection::vec(any_frame(), 0..120)) {
        let mut at = 0;
        let frames: Vec<TrackedFrame> = steps
            .into_iter()
            .map(|(step, balls, blind)| {
                at += step;
                TrackedFrame { seq: 0, at: Timestamp::from_nanos(at), balls, blind }
            })
            .collect();
        for table in ["carom-match", "pool-9"] {
            let table = TableSpec::named(table).unwrap();
            let mut r = Recognizer::new(&table, &BallSet(vec![Ball::White, Ball::Red]), Options::default());
            let mut shots: Vec<Shot> = frames.iter().flat_map(|f| r.push(f)).collect();
            shots.extend(r.finish());
            for e in shots.iter().flat_map(|s| &s.events) {
                prop_assert!((0.0..=1.0).contains(&e.confidence) && e.sigma_s >= 0.0);
            }
        }
    }
}
