//! The small steps of reading notation.

use crate::model::{
    Ball,
    notation::{Names, NotationError},
};

pub(super) type Parsed<T> = Result<T, NotationError>;

/// A text while it is read.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    /// Byte offset of what comes next.
    pub(super) at: usize,
    pub(super) names: &'t Names,
}

impl<'t> Cursor<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word)
            && !self.rest()[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c: char| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    pub(super) fn skip_space(&mut self) {
        self.take(char::is_whitespace);
    }

    /// `(any words)` after a term.
    pub(super) fn skip_comment(&mut self) -> Parsed<()> {
        self.skip_space();
        while self.eat('(') {
            self.take(|c| c != ')');
            self.expect(')')?;
            self.skip_space();
        }
        Ok(())
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.at, message)
    }

    pub(super) fn fail_at<T>(&self, at: usize, message: impl Into<String>) -> Parsed<T> {
        let column = self.text.get(..at).unwrap_or_default().chars().count() + 1;
        Err(NotationError {
            column,
            message: message.into(),
        })
    }

    pub(super) fn expect(&mut self, wanted: char) -> Parsed<()> {
        if self.eat(wanted) {
            Ok(())
        } else {
            self.fail(format!("expected {wanted}"))
        }
    }

    pub(super) fn name(&mut self) -> &'t str {
        self.take(|c| c.is_ascii_alphanumeric())
    }

    pub(super) fn ball(&mut self) -> Parsed<Ball> {
        let at = self.at;
        let name = self.name();
        match self.names.ball(name) {
            Some(ball) => Ok(ball),
            None => self.fail_at(at, format!("\"{name}\" is no ball")),
        }
    }

    pub(super) fn named<T>(&mut self, what: &str, find: fn(&str) -> Option<T>) -> Parsed<T> {
        let at = self.at;
        let name = self.name();
        match find(name) {
            Some(found) => Ok(found),
            None => self.fail_at(at, format!("\"{name}\" is no {what}")),
        }
    }

    pub(super) fn eat_call(&mut self, head: &str) -> bool {
        let found = self.rest().starts_with(head);
        if found {
            self.at += head.len();
        }
        found
    }

    pub(super) fn inside(&mut self) -> Parsed<&'t str> {
        let text = self.take(|c| c != ')');
        self.expect(')').map(|()| text.trim())
    }

    pub(super) fn number(&mut self) -> Parsed<f64> {
        let at = self.at;
        let text = self.take(|c| c.is_ascii_digit() || c == '.' || c == '-');
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => self.fail_at(at, "expected a number"),
        }
    }
}
