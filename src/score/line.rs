//! A shot in one line, for people who watch.

use std::borrow::Cow;

use crate::{
    model::Ball,
    rules::{Arg, Message, Messages, Ruling, Verdict},
};

/// A shot in one line, such as `shot 3, B, white: 4 cushions before yellow, then red: 1 point`.
///
/// `n`: number of the shot, from 1. `struck`: the ball struck, where it was seen.
pub fn line(n: u32, struck: Option<Ball>, ruling: &Ruling, messages: &Messages) -> String {
    let ball = match struck {
        Some(ball) => Arg::Ball(ball),
        None => Arg::Text(messages.say(&Message::new("line.unseen")).into()),
    };
    let head = Message::new("line.head")
        .count(n as usize)
        .player(ruling.shooter)
        .with("ball", ball);
    let then = messages.say(&Message::new("line.then"));
    let story: Vec<String> = ruling.story.iter().map(|part| messages.say(part)).collect();
    let parts = [
        messages.say(&head),
        story.join(&then),
        outcome(ruling, messages),
    ];
    parts
        .into_iter()
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(": ")
}

/// What came of a shot, in a few words.
pub(super) fn outcome(ruling: &Ruling, messages: &Messages) -> String {
    let points = Message::new("line.points").with("n", Arg::Count(ruling.points[ruling.shooter]));
    let mut text = match (ruling.fouls.is_empty(), ruling.points[ruling.shooter]) {
        (false, _) => {
            let fouls = Arg::Text(Cow::Owned(ruling.fouls.join(", ")));
            messages.say(&Message::new("line.foul").with("fouls", fouls))
        }
        (true, 0) => messages.say(&Message::new("line.none")),
        (true, _) => messages.say(&points),
    };
    if ruling.verdict == Verdict::NeedsReview {
        let percent =
            Message::new("line.review").count((ruling.confidence * 100.0).floor() as usize);
        text.push_str(&messages.say(&percent));
    }
    text
}
