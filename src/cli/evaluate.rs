//! `marqueur evaluate`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{
    accuracy::{self, EventScore, FAINT_MM_S, Place, PlaceScore, Quantiles, Report},
    cli::{CliError, print_json, say, sheet::Columns},
    io::{ExportError, PositionRow, read_json, read_match, read_positions},
    model::truth,
};

const EXAMPLES: &str = "Examples:
  marqueur evaluate --truth testdata/clips/demo.truth.json out/demo/match.json
  marqueur evaluate --suite out/suite      (compares every NAME/match.json with NAME.truth.json)";

/// Compares a match file with known truth and prints the accuracy table
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EvaluateArgs {
    /// The truth, as `marqueur synth` writes it
    #[arg(long, value_name = "FILE", requires = "found")]
    truth: Option<PathBuf>,
    /// The match file to judge; positions.csv is read from beside it
    #[arg(value_name = "MATCH.json", requires = "truth")]
    found: Option<PathBuf>,
    /// A folder with pairs NAME.truth.json and NAME/match.json
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "truth",
        required_unless_present = "truth"
    )]
    suite: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`CliError`] when a file cannot be read or the suite is empty.
pub fn run(args: &EvaluateArgs) -> Result<(), CliError> {
    let pairs = match (&args.truth, &args.found, &args.suite) {
        (Some(truth), Some(found), _) => vec![(truth.clone(), found.clone())],
        (_, _, Some(dir)) => suite(dir)?,
        _ => {
            return Err(CliError::Usage(
                "give --truth FILE MATCH.json, or --suite DIR".to_owned(),
            ));
        }
    };
    let reports = pairs
        .iter()
        .map(|(truth, found)| report(truth, found))
        .collect::<Result<Vec<_>, _>>()?;
    let all = accuracy::pool(&reports);
    match (args.json, reports.as_slice()) {
        (true, [one]) => print_json(one),
        (true, _) => print_json(&serde_json::json!({"all": all, "matches": reports})),
        (false, [one]) => {
            say(&text(one));
            Ok(())
        }
        (false, _) => {
            say(&overview(&reports));
            say(&text(&all));
            Ok(())
        }
    }
}

fn suite(dir: &Path) -> Result<Vec<(PathBuf, PathBuf)>, CliError> {
    let listing = std::fs::read_dir(dir).map_err(|e| CliError::file(dir, "cannot be read", e))?;
    let mut pairs: Vec<(PathBuf, PathBuf)> = listing
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let stem = name.strip_suffix(".truth.json")?;
            Some((entry.path(), dir.join(stem).join("match.json")))
        })
        .collect();
    pairs.sort();
    if pairs.is_empty() {
        return Err(CliError::Usage(format!(
            "{}: no NAME.truth.json in this folder",
            dir.display()
        )));
    }
    Ok(pairs)
}

fn report(truth_file: &Path, match_file: &Path) -> Result<Report, CliError> {
    let truth: truth::Truth = read_json(truth_file, truth::FORMAT)?;
    let found = read_match(match_file)?;
    let positions = match_file.with_file_name("positions.csv");
    let places = match read_positions(&positions) {
        Ok(rows) => rows.iter().map(place).collect(),
        Err(ExportError::Read { .. }) => {
            tracing::warn!(
                "{}: not there, so places in motion are not compared",
                positions.display()
            );
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(accuracy::compare(&truth, &found, &places))
}

fn place(row: &PositionRow) -> Place {
    Place {
        t_s: row.t_s,
        ball: row.ball,
        at: row.place,
        seen: row.seen,
    }
}

/// One line per match.
fn overview(reports: &[Report]) -> String {
    let mut table = Columns::new(&[
        "match",
        ">F1",
        ">missed",
        ">invented",
        ">ms",
        ">ms 95 %",
        ">rest mm",
        ">mm 95 %",
        ">shots",
        ">right",
        ">wrong",
        ">asked",
        "score",
    ]);
    for r in reports {
        let number = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.1}"));
        let rest = &r.at_rest.error_mm;
        table.row(vec![
            r.name.clone(),
            format!("{:.4}", r.events.f1()),
            r.events.missed.to_string(),
            r.events.invented.to_string(),
            number(r.time_error_ms.at(0.5)),
            number(r.time_error_ms.at(0.95)),
            number(rest.at(0.5)),
            number(rest.at(0.95)),
            format!("{}/{}", r.shots.found, r.shots.truth),
            r.verdicts.right.to_string(),
            r.verdicts.wrong.to_string(),
            r.verdicts.asked.to_string(),
            score_text(r.score_right).to_owned(),
        ]);
    }
    table.text()
}

fn score_text(right: Option<bool>) -> &'static str {
    match right {
        Some(true) => "right",
        Some(false) => "WRONG",
        None => "not known",
    }
}

fn text(report: &Report) -> String {
    let shots = &report.shots;
    let verdicts = &report.verdicts;
    let mut lines = vec![
        report.name.clone(),
        event_table(report),
        format!(
            "  time error   {}",
            quantiles(&report.time_error_ms, "ms", "contacts")
        ),
        format!("  at rest      {}", places(&report.at_rest, "balls")),
        format!("  in motion    {}", places(&report.in_motion, "places")),
        format!(
            "  shots        {} of {} found, {} with a wrong ball, {} invented",
            shots.found, shots.truth, shots.wrong_ball, shots.invented
        ),
        format!(
            "  verdicts     {} right, {} wrong, {} asked ({} of them with the right one thought likeliest)",
            verdicts.right, verdicts.wrong, verdicts.asked, verdicts.asked_but_right
        ),
        format!("  final score  {}", score_text(report.score_right)),
    ];
    if report.events.faint > 0 {
        lines.push(format!(
            "  left out     {} contacts that change a ball's speed by less than {FAINT_MM_S} mm/s: no camera sees them, \
             so they are neither missed nor invented",
            report.events.faint
        ));
    }
    lines.extend(report.misses.iter().map(|m| format!("    {m}")));
    lines.extend(verdicts.notes.iter().map(|n| format!("    {n}")));
    lines.join("\n")
}

fn event_table(report: &Report) -> String {
    let mut table = Columns::new(&[
        "events",
        ">true",
        ">found",
        ">missed",
        ">invented",
        ">precision",
        ">recall",
        ">F1",
    ]);
    let mut add = |name: &str, s: &EventScore| {
        table.row(vec![
            name.to_owned(),
            (s.found + s.missed).to_string(),
            s.found.to_string(),
            s.missed.to_string(),
            s.invented.to_string(),
            format!("{:.4}", s.precision()),
            format!("{:.4}", s.recall()),
            format!("{:.4}", s.f1()),
        ]);
    };
    for (kind, score) in &report.kinds {
        add(kind, score);
    }
    add("all", &report.events);
    table.text()
}

fn quantiles(errors: &Quantiles, unit: &str, things: &str) -> String {
    let (Some(median), Some(p95), Some(max)) = (errors.at(0.5), errors.at(0.95), errors.at(1.0))
    else {
        return "nothing to compare".to_owned();
    };
    format!(
        "median {median:.2} {unit}, 95 % {p95:.2} {unit}, largest {max:.2} {unit} ({} {things})",
        errors.count()
    )
}

fn places(score: &PlaceScore, things: &str) -> String {
    let mut text = quantiles(&score.error_mm, "mm", things);
    if score.predicted_mm.count() > 0 {
        let unseen = quantiles(&score.predicted_mm, "mm", "predicted");
        text.push_str(&format!("; unseen: {unseen}"));
    }
    if score.missing + score.invented > 0 {
        text.push_str(&format!(
            "; {} missing, {} invented",
            score.missing, score.invented
        ));
    }
    text
}
