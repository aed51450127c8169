//! What holds for every shot and every match.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use marqueur::{
    model::{
        Ball, Cushion, Event, EventKind, Evidence, Layout, Pin, PinCause, Pocket, Shot, Zone,
        notation::{Names, Script, of_shot},
        truth::EventRecord,
    },
    rules::{self, Game, GameState, Messages, Options, Player, Ruling, Said, Verdict},
    score::{Match, MatchBuilder},
    units::{TablePoint, Timestamp},
};
use proptest::{collection::vec, prelude::*, sample::select};

const CAROM: [Ball; 3] = [Ball::White, Ball::Yellow, Ball::Red];

fn any_ball() -> impl Strategy<Value = Ball> {
    prop_oneof![8 => select(&CAROM[..]), 1 => select(&Ball::ALL[..])]
}

/// Contacts of carom balls: what decides.
fn contact() -> impl Strategy<Value = EventKind> {
    prop_oneof![
        (select(&CAROM[..]), select(&Cushion::ALL[..]))
            .prop_map(|(ball, cushion)| EventKind::BallCushion { ball, cushion }),
        (select(&CAROM[..]), select(&CAROM[..]))
            .prop_map(|(driver, other)| EventKind::BallBall { driver, other }),
    ]
}

/// Anything an event can be, sensible or not.
fn any_kind() -> impl Strategy<Value = EventKind> {
    let zone = || Zone("Z".to_owned());
    prop_oneof![
        12 => contact(),
        1 => (any_ball(), any::<bool>()).prop_map(|(ball, moving)| EventKind::Struck { ball, moving }),
        1 => any_ball().prop_map(|ball| EventKind::OffTable { ball }),
        1 => any_ball().prop_map(|ball| EventKind::Placed { ball }),
        1 => prop::option::of(any_ball()).prop_map(|ball| EventKind::Interference { ball }),
        1 => (any_ball(), select(&Pocket::ALL[..])).prop_map(|(ball, pocket)| EventKind::Pocketed { ball, pocket }),
        1 => any_ball().prop_map(move |ball| EventKind::ZoneExit { ball, zone: zone() }),
        1 => select(&Pin::ALL[..]).prop_map(|pin| EventKind::PinDown { pin, by: PinCause::Unknown }),
    ]
}

fn event(kind: impl Strategy<Value = EventKind>) -> impl Strategy<Value = Event> {
    let wild = prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(-1.0),
        Just(0.0),
        0.0..0.02
    ];
    let sigma = prop_oneof![4 => Just(0.0), 2 => 0.0..0.01, 1 => wild];
    let odd = prop_oneof![Just(f64::NAN), Just(-0.5), Just(2.0), Just(0.0)];
    let confidence = prop_oneof![4 => Just(1.0), 2 => 0.0..=1.0, 1 => odd];
    let time = prop_oneof![10 => -200_000_000_i64..5_000_000_000, 1 => Just(i64::MIN), 1 => Just(i64::MAX)];
    (kind, time, sigma, confidence).prop_map(|(kind, ns, sigma_s, confidence)| Event {
        at: Timestamp::from_nanos(ns),
        sigma_s,
        kind,
        place: None,
        confidence,
        evidence: Evidence::default(),
    })
}

fn layout() -> impl Strategy<Value = Layout> {
    let place = (0.0..2840.0, 0.0..1420.0).prop_map(|(x, y)| TablePoint::new(x, y));
    vec((select(&CAROM[..]), place), 0..4).prop_map(|balls| balls.into_iter().collect())
}

fn shot_of(kind: impl Strategy<Value = EventKind>) -> impl Strategy<Value = Shot> {
    (
        prop::option::weighted(0.9, any_ball()),
        vec(event(kind), 0..14),
        layout(),
        layout(),
        any::<bool>(),
    )
        .prop_map(|(struck, mut events, before, after, complete)| {
            events.sort_by_key(|e| e.at);
            let stop = Timestamp::from_secs(6.0);
            Shot {
                struck,
                start: Timestamp::ZERO,
                stop,
                events,
                before,
                after,
                complete,
                doubts: vec!["dust".to_owned()],
            }
        })
}

/// A clean shot of contacts, certain and to the nanosecond, in whole ms.
fn clean_shot() -> impl Strategy<Value = Shot> {
    (select(&CAROM[..2]), vec((contact(), 1_i64..3000), 0..12)).prop_map(|(struck, events)| {
        let event = |(kind, ms): (EventKind, i64)| Event {
            at: Timestamp::from_nanos(ms * 1_000_000),
            sigma_s: 0.0,
            kind,
            place: None,
            confidence: 1.0,
            evidence: Evidence::default(),
        };
        let mut events: Vec<Event> = events.into_iter().map(event).collect();
        events.sort_by_key(|e| e.at);
        Shot {
            struck: Some(struck),
            start: Timestamp::ZERO,
            stop: Timestamp::from_secs(4.0),
            events,
            before: Layout::new(),
            after: Layout::new(),
            complete: true,
            doubts: Vec::new(),
        }
    })
}

/// Any state a game can be in: some options, and some shots played.
fn state() -> impl Strategy<Value = GameState> {
    let options = (0_i64..4, 1_i64..3, any::<[bool; 5]>());
    (options, vec(clean_shot(), 0..8)).prop_map(|((target, sets, flags), shots)| {
        let mut options = Options::new(Game::ThreeCushion);
        options.set_target(target).unwrap();
        let [opening, umb, touching, lag, half] = flags;
        options.set("three.sets", &sets.to_string()).unwrap();
        options.set("start.opening", &opening.to_string()).unwrap();
        options
            .set("start.lag", &(lag && opening).to_string())
            .unwrap();
        options
            .set("three.off", if umb { "umb" } else { "seed" })
            .unwrap();
        options
            .set(
                "three.frozen",
                if touching { "only_touching" } else { "initial" },
            )
            .unwrap();
        options
            .set("three.drawn_set", if half { "half" } else { "none" })
            .unwrap();
        shots.iter().fold(rules::start(&options), |state, shot| {
            rules::apply(&state, &rules::judge(&state, shot))
        })
    })
}

fn said() -> impl Strategy<Value = Vec<Said>> {
    let words = [
        Said::Foot,
        Said::Touch,
        Said::NoFoul,
        Said::Respot,
        Said::Conduct,
        Said::Forfeit(Player::B),
    ];
    prop_oneof![3 => Just(Vec::new()), 1 => vec(select(words.to_vec()), 0..3)]
}

fn sane(ruling: &Ruling) -> Result<(), TestCaseError> {
    prop_assert!(
        (0.0..=1.0 + 1e-9).contains(&ruling.confidence),
        "confidence {}",
        ruling.confidence
    );
    prop_assert!(ruling.points.a >= 0 && ruling.points.b >= 0);
    prop_assert_eq!(ruling.next.is_none(), ruling.game_end);
    let total: f64 = ruling.alternatives.iter().map(|a| a.probability).sum();
    prop_assert!(total <= 1.0 + 1e-9);
    if ruling.verdict == Verdict::NeedsReview {
        prop_assert_eq!(&ruling.alternatives[0].ruling.points, &ruling.points);
    } else {
        prop_assert!(ruling.alternatives.is_empty());
        prop_assert_eq!(
            ruling.verdict == Verdict::Awarded,
            ruling.points.a + ruling.points.b > 0
        );
        prop_assert_eq!(ruling.verdict == Verdict::Foul, !ruling.fouls.is_empty());
    }
    for reason in &ruling.reasons {
        let text = Messages::english().say(&reason.message);
        prop_assert!(
            !text.contains('{') && text != reason.message.key,
            "{}: {text}",
            reason.rule
        );
    }
    for message in ruling.needs_operator.iter().chain(&ruling.story) {
        let text = Messages::english().say(message);
        prop_assert!(!text.contains('{') && text != message.key, "{text}");
    }
    Ok(())
}

fn mirrored(shot: &Shot) -> Shot {
    let turn = |cushion| match cushion {
        Cushion::S => Cushion::N,
        Cushion::N => Cushion::S,
        Cushion::W => Cushion::E,
        Cushion::E => Cushion::W,
    };
    let mut shot = shot.clone();
    for event in &mut shot.events {
        if let EventKind::BallCushion { cushion, .. } = &mut event.kind {
            *cushion = turn(*cushion);
        }
    }
    shot
}

fn shifted(shot: &Shot, ns: i64) -> Shot {
    let later = |t: Timestamp| Timestamp::from_nanos(t.nanos().saturating_add(ns));
    let mut shot = shot.clone();
    (shot.start, shot.stop) = (later(shot.start), later(shot.stop));
    shot.events.iter_mut().for_each(|e| e.at = later(e.at));
    shot
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_shot_gets_a_ruling(state in state(), said in said(), shot in shot_of(any_kind())) {
        let state = GameState { said, ..state };
        let ruling = rules::judge(&state, &shot);
        sane(&ruling)?;
        for alternative in &ruling.alternatives {
            sane(&alternative.ruling)?;
        }
        let next = rules::apply(&state, &ruling);
        prop_assert!(next.said.is_empty() || state.over());
        ruling.record(Messages::english());
        of_shot(&shot);
        rules::respot(&state, &shot.after);
    }

    #[test]
    fn a_mirrored_table_gives_equal_points(state in state(), shot in shot_of(contact())) {
        let state = GameState { due: if state.due == rules::Due::Lag { rules::Due::Play } else { state.due }, ..state };
        let shot = Shot { before: Layout::new(), ..shot };
        let (one, other) = (rules::judge(&state, &shot), rules::judge(&state, &mirrored(&shot)));
        prop_assert_eq!(one.points, other.points);
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.next, other.next);
    }

    #[test]
    fn a_later_clock_changes_nothing(state in state(), shot in clean_shot(), ns in -1_000_000_000_000_i64..1_000_000_000_000) {
        prop_assert_eq!(rules::judge(&state, &shot), rules::judge(&state, &shifted(&shot, ns)));
    }

    #[test]
    fn a_kiss_of_the_object_balls_changes_no_count(state in state(), shot in clean_shot(), ms in 1_i64..3000) {
        let struck = shot.struck.unwrap();
        let objects: Vec<Ball> = CAROM.into_iter().filter(|b| *b != struck).collect();
        let state = GameState { due: if state.due == rules::Due::Lag { rules::Due::Play } else { state.due }, ..state };
        let mut kissed = shot.clone();
        kissed.events.push(Event {
            at: Timestamp::from_nanos(ms * 1_000_000),
            sigma_s: 0.0,
            kind: EventKind::BallBall { driver: objects[0], other: objects[1] },
            place: None,
            confidence: 1.0,
            evidence: Evidence::default(),
        });
        kissed.events.sort_by_key(|e| e.at);
        prop_assert_eq!(rules::judge(&state, &shot).points, rules::judge(&state, &kissed).points);
    }

    #[test]
    fn a_score_replays_from_its_rulings(shots in vec(prop_oneof![3 => clean_shot(), 1 => shot_of(contact())], 0..30)) {
        let mut options = Options::new(Game::ThreeCushion);
        options.set_target(3).unwrap();
        let start = rules::start(&options);
        let mut game = Match::new(start.clone());
        let mut rulings = Vec::new();
        for shot in &shots {
            let ruling = rules::judge(game.state(), shot);
            game.add(&ruling);
            // A journal holds text: what comes back from it must be the same.
            let text = serde_json::to_string(&ruling).unwrap();
            rulings.push(serde_json::from_str::<Ruling>(&text).unwrap());
            let state = serde_json::to_string(game.state()).unwrap();
            prop_assert_eq!(&serde_json::from_str::<GameState>(&state).unwrap(), game.state());
        }
        prop_assert_eq!(Match::replay(start, &rulings).result(), game.result());
    }

    #[test]
    fn a_match_of_any_shots_is_kept(shots in vec(shot_of(any_kind()), 0..20)) {
        let mut builder = MatchBuilder::new(&Options::new(Game::ThreeCushion));
        for shot in &shots {
            let (_, line) = builder.add(shot);
            prop_assert!(line.starts_with("shot "));
        }
        let (records, result) = builder.finish();
        prop_assert_eq!(records.len(), shots.len());
        let asked = records.iter().filter(|r| r.ruling.verdict == "needs-review").map(|r| r.n);
        prop_assert!(result.needs_review.iter().copied().all(|n| asked.clone().any(|m| m == n)));
    }

    #[test]
    fn certain_events_leave_no_doubt(state in state(), shot in clean_shot()) {
        let ruling = rules::judge(&state, &shot);
        prop_assert!(ruling.verdict != Verdict::NeedsReview);
        prop_assert_eq!(ruling.confidence, 1.0);
    }

    #[test]
    fn notation_tells_the_whole_count(shot in clean_shot()) {
        // Times are lost in notation, order and simultaneity within 8 ms are not; so only well-spaced shots compare.
        let mut shot = shot;
        for (n, event) in shot.events.iter_mut().enumerate() {
            event.at = Timestamp::from_nanos(100_000_000 * (n as i64 + 1));
        }
        shot.events.retain(|e| !matches!(e.kind, EventKind::BallBall { driver, other } if driver == other));
        let read = Script::parse(&of_shot(&shot), &Names::full()).unwrap().sketch().shot;
        let state = rules::start(&Options::new(Game::ThreeCushion));
        prop_assert_eq!(rules::judge(&state, &shot), rules::judge(&state, &read));
    }

    #[test]
    fn events_come_back_from_files(event in event(any_kind())) {
        let record = EventRecord::from(&event);
        let back = Event::try_from(&record).unwrap();
        prop_assert_eq!(&back.kind, &event.kind);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[A-Zn{}();,>/@^*!_~+ 0-9=-]{0,40}") {
        let names = Names::carom(Ball::White, Ball::Yellow);
        if let Ok(script) = Script::parse(&text, &names) {
            let written = script.format(&names);
            prop_assert_eq!(Script::parse(&written, &names), Ok(script));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in ".{0,60}") {
        let _ = Script::parse(&text, &Names::full());
        let _ = rules::cases::parse(&text);
        let _ = Messages::parse(&text);
    }
}
