//! Sentences: kept in message files, found by key, filled with values. Another language is another file.

use std::{borrow::Cow, collections::BTreeMap, sync::OnceLock};

use serde::{Deserialize, Serialize};

use crate::{model::Ball, rules::Player};

/// A value in a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arg {
    /// A count.
    Count(i64),
    /// A ball, named by the message file.
    Ball(Ball),
    /// Balls, named and joined by the message file.
    Balls(Vec<Ball>),
    /// A player.
    Player(Player),
    /// Shown as it is.
    Text(Cow<'static, str>),
}

/// A sentence that is not yet in any language: the key of a message file and its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The key in the message file: a rule's identifier, sometimes with a variant behind a point.
    pub key: Cow<'static, str>,
    /// The values by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<(Cow<'static, str>, Arg)>,
}

impl Message {
    /// The sentence of that key.
    pub const fn new(key: &'static str) -> Self {
        Self {
            key: Cow::Borrowed(key),
            args: Vec::new(),
        }
    }

    /// With a value.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: Arg) -> Self {
        self.args.push((Cow::Borrowed(name), arg));
        self
    }

    /// With a ball named `ball`.
    #[must_use]
    pub fn ball(self, ball: Ball) -> Self {
        self.with("ball", Arg::Ball(ball))
    }

    /// With a player named `player`.
    #[must_use]
    pub fn player(self, player: Player) -> Self {
        self.with("player", Arg::Player(player))
    }

    /// With a count named `n`.
    #[must_use]
    pub fn count(self, n: usize) -> Self {
        self.with("n", Arg::Count(i64::try_from(n).unwrap_or(i64::MAX)))
    }

    fn arg(&self, name: &str) -> Option<&Arg> {
        self.args.iter().find(|(n, _)| n == name).map(|(_, a)| a)
    }
}

/// A language: the lines `"key" = "sentence"` of a message file.
///
/// In a sentence `{name}` stands for a value and `{name|form|form...}` for the form that goes with a count. The
/// line `plural` says how forms are chosen: `one-other` (English) or `one-few-many` (Russian). Lines that begin
/// with `#` are comments. The files are valid TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Messages {
    sentences: BTreeMap<String, String>,
}

impl Messages {
    /// English.
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Messages> = OnceLock::new();
        ENGLISH.get_or_init(|| Self::parse(include_str!("messages/en.toml")))
    }

    /// Reads a message file. Lines that are no message are left out.
    pub fn parse(text: &str) -> Self {
        Self {
            sentences: text.lines().filter_map(entry).collect(),
        }
    }

    /// The keys there are sentences for.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.sentences.keys().map(String::as_str)
    }

    /// A message's sentence; a key without a sentence is shown itself.
    pub fn say(&self, message: &Message) -> String {
        match self.sentences.get(message.key.as_ref()) {
            Some(sentence) => self.fill(sentence, message),
            None => message.key.to_string(),
        }
    }

    fn fill(&self, sentence: &str, message: &Message) -> String {
        let mut out = String::with_capacity(sentence.len() + 16);
        let mut rest = sentence;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((slot, tail)) = after.split_once('}') else {
                break;
            };
            out.push_str(&self.slot(slot, message));
            rest = tail;
        }
        out.push_str(rest);
        out
    }

    fn slot(&self, slot: &str, message: &Message) -> String {
        let mut parts = slot.split('|');
        let name = parts.next().unwrap_or_default();
        let forms: Vec<&str> = parts.collect();
        match message.arg(name) {
            Some(Arg::Count(n)) if !forms.is_empty() => forms
                .get(self.form(*n))
                .or(forms.last())
                .copied()
                .unwrap_or_default()
                .to_owned(),
            Some(arg) => self.value(arg),
            None => format!("{{{name}}}"),
        }
    }

    fn value(&self, arg: &Arg) -> String {
        match arg {
            Arg::Count(n) => n.to_string(),
            Arg::Ball(ball) => self.word("ball", ball.name()),
            Arg::Balls(balls) => {
                let names: Vec<_> = balls.iter().map(|b| self.word("ball", b.name())).collect();
                names.join(&format!(" {} ", self.word("word", "and")))
            }
            Arg::Player(player) => player.name().to_owned(),
            Arg::Text(text) => text.to_string(),
        }
    }

    fn word(&self, kind: &str, name: &str) -> String {
        self.sentences
            .get(&format!("{kind}.{name}"))
            .map_or_else(|| name.to_owned(), Clone::clone)
    }

    /// Which plural form goes with `n`.
    fn form(&self, n: i64) -> usize {
        let slavic = self
            .sentences
            .get("plural")
            .is_some_and(|p| p == "one-few-many");
        let (tens, ones) = (n.rem_euclid(100) / 10, n.rem_euclid(10));
        match (slavic, ones) {
            (false, _) => usize::from(n != 1),
            (true, 1) if tens != 1 => 0,
            (true, 2..=4) if tens != 1 => 1,
            (true, _) => 2,
        }
    }
}

fn entry(line: &str) -> Option<(String, String)> {
    let (key, value) = line.trim().split_once('=')?;
    let key = key.trim().trim_matches('"');
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!key.starts_with('#')).then(|| (key.to_owned(), value.replace("\\\"", "\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_forms_follow_the_file() {
        let english =
            Messages::parse("plural = \"one-other\"\n\"x\" = \"{n} {n|cushion|cushions}\"");
        let russian =
            Messages::parse("plural = \"one-few-many\"\n\"x\" = \"{n} {n|борт|борта|бортов}\"");
        let say = |m: &Messages, n| m.say(&Message::new("x").count(n));
        assert_eq!(say(&english, 1), "1 cushion");
        assert_eq!(say(&english, 0), "0 cushions");
        assert_eq!(
            ["1 борт", "3 борта", "5 бортов", "11 бортов", "21 борт"],
            [1, 3, 5, 11, 21].map(|n| say(&russian, n)).as_slice()
        );
    }

    #[test]
    fn what_is_missing_shows_itself() {
        let m = Messages::parse("\"x\" = \"{ball} and {who}\"");
        assert_eq!(m.say(&Message::new("x").ball(Ball::Red)), "red and {who}");
        assert_eq!(m.say(&Message::new("nothing")), "nothing");
    }

    #[test]
    fn english_is_there() {
        assert!(Messages::english().keys().count() > 20);
    }
}
