//! Rule cases: games, shots and what must come of them, in a form a player can read. See docs/CASES.md.

mod expect;
mod parse;
mod run;

use crate::{
    model::{Layout, notation::Sketch},
    rules::{GameState, Said},
};

pub use expect::{Ending, Expect};
pub use run::{Failure, run};

/// A case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its identifier.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// Its first line in the file, from 1.
    pub line: usize,
    /// How the game stands before it.
    pub state: GameState,
    /// The shots, one after another.
    pub steps: Vec<Step>,
    /// Rules it shows besides those its rulings name.
    pub shows: Vec<String>,
}

/// A shot (or a demand) and what is expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What the operator says.
    pub said: Vec<Said>,
    /// What happens.
    pub action: Action,
    /// What must come of it.
    pub expect: Expect,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A shot.
    Shot(Box<Sketch>),
    /// The shooter demands that frozen balls be spotted.
    Demand(Layout),
}

/// A file that holds no readable cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for CaseError {}

/// Reads a file of cases.
///
/// # Errors
/// Names the first line that is not understood; a file without any case is an error too.
pub fn parse(text: &str) -> Result<Vec<Case>, CaseError> {
    parse::file(text)
}
