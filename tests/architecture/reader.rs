//! Reads Rust source as far as the plan needs it: paths, braces, functions. No parser: rustfmt has been over it.

/// A file of `src`, with comments, texts and test modules blanked out.
pub(crate) struct Source {
    /// Path below `src`.
    pub(crate) name: String,
    lines: usize,
    test_modules: Vec<String>,
    tokens: Vec<Token>,
}

/// A name, or one other character; with its line, from 1.
#[derive(Clone, Debug, PartialEq)]
struct Token {
    line: usize,
    text: String,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let mut tokens = tokens_of(&without_comments_and_texts(text));
        let test_modules = take_test_modules(&mut tokens);
        Self {
            name: name.to_owned(),
            lines: text.lines().count(),
            test_modules,
            tokens,
        }
    }

    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// The room the file belongs to; `None` for `lib.rs` and `main.rs`, which are the door.
    pub(crate) fn room(&self) -> Option<String> {
        let first = self.name.split('/').next()?;
        let room = first.strip_suffix(".rs").unwrap_or(first);
        (room != "lib" && room != "main").then(|| room.to_owned())
    }

    /// Files that only tests use: `#[cfg(test)] mod name;`.
    pub(crate) fn test_files(&self) -> Vec<String> {
        let stem = self.name.strip_suffix(".rs").unwrap_or(&self.name);
        let folder = stem.strip_suffix("/mod").unwrap_or(stem);
        let names = self.test_modules.iter();
        names.map(|m| format!("{folder}/{m}.rs")).collect()
    }

    /// How deep the file's module lies: `units.rs` and `io/mod.rs` 1, `io/video.rs` 2.
    fn depth(&self) -> usize {
        let parts = self.name.split('/').count();
        if self.name.ends_with("/mod.rs") {
            parts - 1
        } else {
            parts
        }
    }

    /// Every room named by a path from the crate's root, with its line. `*` and an unreadable path are named too.
    pub(crate) fn rooms_used(&self) -> Vec<(usize, String)> {
        let mut used = Vec::new();
        let mut i = 0;
        while i < self.tokens.len() {
            let supers = self.count_supers(i);
            let after = if self.text(i) == "crate" && self.is_path(i + 1) {
                Some(i + 3)
            } else if supers > 0 && supers >= self.depth() {
                Some(i + 3 * supers)
            } else {
                None
            };
            match after {
                Some(next) => {
                    self.first_names(next, &mut used);
                    i = next;
                }
                None => i += 1 + 3 * supers.saturating_sub(1),
            }
        }
        used
    }

    /// Words and `std::...` paths of the list that occur in the code.
    pub(crate) fn words(&self, list: &[&'static str]) -> Vec<(usize, &'static str)> {
        let mut found = Vec::new();
        for (i, token) in self.tokens.iter().enumerate() {
            if token.text == "std" && self.is_path(i + 1) {
                let mut names = Vec::new();
                self.first_names(i + 3, &mut names);
                for (line, name) in names {
                    let path = format!("std::{name}");
                    found.extend(list.iter().filter(|w| **w == path).map(|w| (line, *w)));
                }
            }
            found.extend(
                list.iter()
                    .filter(|w| **w == token.text)
                    .map(|w| (token.line, *w)),
            );
        }
        found
    }

    /// Every function with a body: line, name, lines from `fn` to the closing brace.
    pub(crate) fn functions(&self) -> Vec<(usize, String, usize)> {
        let mut found = Vec::new();
        for (i, token) in self.tokens.iter().enumerate() {
            let named = self
                .text(i + 1)
                .starts_with(|c: char| c.is_alphabetic() || c == '_');
            if token.text != "fn" || !named {
                continue;
            }
            let Some(open) = self.body_of(i) else {
                continue;
            };
            let close = closing(&self.tokens, open);
            let last = self.tokens.get(close).map_or(self.lines, |t| t.line);
            found.push((
                token.line,
                self.text(i + 1).to_owned(),
                last - token.line + 1,
            ));
        }
        found
    }

    /// Where a function's body opens; `None` when it is only declared.
    fn body_of(&self, start: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for (i, token) in self.tokens.iter().enumerate().skip(start) {
            match token.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" if depth == 0 => return Some(i),
                ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The names a path goes on with after `::`, one, or each of a group.
    fn first_names(&self, at: usize, into: &mut Vec<(usize, String)>) {
        let Some(token) = self.tokens.get(at) else {
            return;
        };
        if token.text != "{" {
            into.push((token.line, token.text.clone()));
            return;
        }
        let mut depth = 0;
        let mut expects_name = true;
        for token in &self.tokens[at..=closing(&self.tokens, at).min(self.tokens.len() - 1)] {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "," if depth == 1 => expects_name = true,
                _ if depth == 1 && expects_name => {
                    into.push((token.line, token.text.clone()));
                    expects_name = false;
                }
                _ => {}
            }
        }
    }

    fn count_supers(&self, mut i: usize) -> usize {
        let mut n = 0;
        while self.text(i) == "super" && self.is_path(i + 1) {
            n += 1;
            i += 3;
        }
        n
    }

    fn is_path(&self, i: usize) -> bool {
        self.text(i) == ":" && self.text(i + 1) == ":"
    }

    fn text(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text.as_str())
    }
}

/// The index of the brace that closes the one at `open`, or the end.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_i32;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len()
}

/// Removes `#[cfg(test)] mod name { ... }` and returns the names of `#[cfg(test)] mod name;`.
fn take_test_modules(tokens: &mut Vec<Token>) -> Vec<String> {
    const MARK: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let mut names = Vec::new();
    let mut i = 0;
    while i + MARK.len() + 1 < tokens.len() {
        let here = MARK.iter().zip(&tokens[i..]).all(|(m, t)| *m == t.text);
        if !here {
            i += 1;
            continue;
        }
        let name = i + MARK.len();
        if tokens[name + 1].text == "{" {
            let end = closing(tokens, name + 1);
            tokens.drain(i..(end + 1).min(tokens.len()));
        } else {
            names.push(tokens[name].text.clone());
            i = name;
        }
    }
    names
}

fn tokens_of(code: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut in_name = false;
    for (n, line) in code.lines().enumerate() {
        for c in line.chars() {
            let part_of_name = c.is_alphanumeric() || c == '_';
            match tokens.last_mut() {
                Some(token) if in_name && part_of_name => token.text.push(c),
                _ if c.is_whitespace() => {}
                _ => tokens.push(Token {
                    line: n + 1,
                    text: c.to_string(),
                }),
            }
            in_name = part_of_name;
        }
        in_name = false;
    }
    tokens
}

/// Blanks comments, texts and characters out; lines stay where they are.
fn without_comments_and_texts(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let end = skipped(&chars, i);
        if end == i {
            code.push(chars[i]);
            i += 1;
            continue;
        }
        code.push(' ');
        code.extend(chars[i..end].iter().filter(|c| **c == '\n'));
        i = end;
    }
    code
}

/// Where the comment, text or character that begins at `i` ends; `i` when none begins there.
fn skipped(chars: &[char], i: usize) -> usize {
    let at = |k: usize| chars.get(k).copied().unwrap_or('\0');
    let begins_word = i == 0 || !(at(i - 1).is_alphanumeric() || at(i - 1) == '_');
    match (at(i), at(i + 1)) {
        ('/', '/') => (i..chars.len())
            .find(|k| at(*k) == '\n')
            .unwrap_or(chars.len()),
        ('/', '*') => end_of_block_comment(chars, i),
        ('r', '"' | '#') if begins_word => end_of_raw_text(chars, i).unwrap_or(i),
        ('"', _) => end_of_text(chars, i + 1, '"'),
        ('\'', '\\') => end_of_text(chars, i + 1, '\''),
        ('\'', _) if at(i + 2) == '\'' => i + 3,
        _ => i,
    }
}

fn end_of_text(chars: &[char], mut i: usize, quote: char) -> usize {
    while i < chars.len() && chars[i] != quote {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    (i + 1).min(chars.len())
}

fn end_of_block_comment(chars: &[char], mut i: usize) -> usize {
    let mut depth = 0;
    while i + 1 < chars.len() {
        match (chars[i], chars[i + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            return i;
        }
    }
    chars.len()
}

/// `None` when it is a raw identifier, not a raw text.
fn end_of_raw_text(chars: &[char], i: usize) -> Option<usize> {
    let hashes = chars[i + 1..].iter().take_while(|c| **c == '#').count();
    if chars.get(i + 1 + hashes) != Some(&'"') {
        return None;
    }
    let mut k = i + 2 + hashes;
    while k < chars.len() {
        let closes = chars[k] == '"'
            && chars[k + 1..]
                .iter()
                .take(hashes)
                .filter(|c| **c == '#')
                .count()
                == hashes;
        if closes {
            return Some(k + 1 + hashes);
        }
        k += 1;
    }
    Some(chars.len())
}
