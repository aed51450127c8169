//! Running a case.

use std::collections::BTreeSet;

use crate::rules::{
    self, GameState,
    cases::{Action, Case, Step},
};

/// A case that does not come out as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The case.
    pub id: String,
    /// The line of the shot concerned.
    pub line: usize,
    /// Everything that differs.
    pub differences: Vec<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} (line {}): {}",
            self.id,
            self.line,
            self.differences.join("; ")
        )
    }
}

/// Runs a case. Returns the identifiers it proves: its own, what it says it shows, and the rules it expects as
/// reasons or fouls and finds.
///
/// # Errors
/// At the first step that differs, with all its differences.
pub fn run(case: &Case) -> Result<BTreeSet<String>, Failure> {
    let mut state = case.state.clone();
    for step in &case.steps {
        let (next, differences) = take(&state, step);
        if !differences.is_empty() {
            return Err(Failure {
                id: case.id.clone(),
                line: step.line,
                differences,
            });
        }
        state = next;
    }
    let expected = case.steps.iter().flat_map(|step| step.expect.because());
    Ok(expected
        .chain(&case.shows)
        .chain([&case.id])
        .cloned()
        .collect())
}

fn take(state: &GameState, step: &Step) -> (GameState, Vec<String>) {
    let mut state = state.clone();
    state.said.extend(step.said.iter().cloned());
    match &step.action {
        Action::Shot(sketch) => {
            let ruling = rules::judge(&state, &sketch.shot);
            let next = rules::apply(&state, &ruling);
            let differences = step.expect.differences(&ruling, &next);
            (next, differences)
        }
        Action::Demand(layout) => match rules::respot(&state, layout) {
            Some(granted) => {
                let differences = step
                    .expect
                    .differences_of_demand(&granted.state, &granted.reasons);
                (granted.state, differences)
            }
            None => (
                state,
                vec!["the demand is not granted: the ball is frozen to no other".to_owned()],
            ),
        },
    }
}
