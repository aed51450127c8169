//! The score sheet as text.

use crate::model::record::{MatchRecord, PlayerRecord, ShotRecord};

/// Columns of text, padded to their widest cell.
pub struct Columns {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// A table with these headings; `>` in front of one sets its column to the right.
    pub fn new(headings: &[&str]) -> Self {
        let right = headings.iter().map(|h| h.starts_with('>')).collect();
        let first = headings
            .iter()
            .map(|h| h.trim_start_matches('>').to_owned())
            .collect();
        Self {
            right,
            rows: vec![first],
        }
    }

    /// Appends a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The text, each line indented by two spaces and without trailing ones.
    pub fn text(&self) -> String {
        let width = |n: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(n));
            cells.map(|c| c.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .zip(&self.right)
                .map(|((cell, w), right)| {
                    let space = " ".repeat(w.saturating_sub(cell.chars().count()));
                    if *right {
                        space + cell
                    } else {
                        cell.clone() + &space
                    }
                })
                .collect();
            text.push_str(format!("  {}", cells.join("  ")).trim_end());
            text.push('\n');
        }
        text
    }
}

/// The whole sheet: shot by shot, then the players.
pub fn score_sheet(record: &MatchRecord) -> String {
    let source = &record.source;
    let calibration = &record.calibration;
    format!(
        "{game} on {table}, {name}: {duration:.1} s, {frames} frames, calibration {from}, residual {residual:.1} mm\n\n{shots}\n{players}{end}",
        game = record.game,
        table = record.table.name,
        name = source.name,
        duration = source.duration_s,
        frames = source.frames,
        from = calibration.from,
        residual = calibration.residual_mm,
        shots = shots(record),
        players = players(record),
        end = ending(record),
    )
}

fn shots(record: &MatchRecord) -> String {
    let mut headings = vec![">shot", ">at", "player", "ball", ">points"];
    let scores: Vec<String> = record
        .players
        .iter()
        .map(|p| format!(">{}", p.id))
        .collect();
    headings.extend(scores.iter().map(String::as_str));
    headings.push("why");
    let mut table = Columns::new(&headings);
    for shot in &record.shots {
        let mut row = vec![
            shot.n.to_string(),
            clock(shot.start_s),
            name_of(record, &shot.player),
            shot.struck.map_or("unseen".to_owned(), |b| b.to_string()),
            points_text(shot),
        ];
        let after = record.players.iter().map(|p| score_of(shot, p));
        row.extend(after);
        row.push(why(shot));
        table.row(row);
    }
    table.text()
}

fn score_of(shot: &ShotRecord, player: &PlayerRecord) -> String {
    shot.score.get(&player.id).copied().unwrap_or(0).to_string()
}

fn players(record: &MatchRecord) -> String {
    let result = &record.result;
    let mut table = Columns::new(&[
        "player",
        "ball",
        ">points",
        ">innings",
        ">average",
        ">high run",
    ]);
    for player in &record.players {
        let id = &player.id;
        table.row(vec![
            player.name.clone(),
            player.ball.map_or(String::new(), |b| b.to_string()),
            result.score.get(id).copied().unwrap_or(0).to_string(),
            result.innings.get(id).copied().unwrap_or(0).to_string(),
            format!("{:.3}", result.average.get(id).copied().unwrap_or(0.0)),
            result.high_run.get(id).copied().unwrap_or(0).to_string(),
        ]);
    }
    table.text()
}

fn ending(record: &MatchRecord) -> String {
    let mut text = String::new();
    if let Some(winner) = &record.result.winner {
        text.push_str(&format!("\n  winner: {}\n", name_of(record, winner)));
    }
    let review: Vec<String> = record
        .result
        .needs_review
        .iter()
        .map(u32::to_string)
        .collect();
    if !review.is_empty() {
        text.push_str(&format!(
            "\n  ? a person should look at shot {}: the score counts the likeliest ruling\n",
            review.join(", ")
        ));
    }
    text
}

/// `shot 3, B, white: 4 cushions before yellow, then red: 1 point`.
pub fn shot_line(shot: &ShotRecord) -> String {
    let ball = shot
        .struck
        .map_or("ball unseen".to_owned(), |b| b.to_string());
    let given = shot.ruling.points.get(&shot.player).copied().unwrap_or(0);
    let points = match given {
        0 => "no point".to_owned(),
        1 => "1 point".to_owned(),
        n => format!("{n} points"),
    };
    format!(
        "shot {}, {}, {ball}: {}: {points}",
        shot.n,
        shot.player,
        why(shot)
    )
}

fn why(shot: &ShotRecord) -> String {
    let ruling = &shot.ruling;
    let mut parts: Vec<String> = ruling.reasons.iter().map(|r| r.text.clone()).collect();
    if parts.is_empty() {
        parts.extend(ruling.fouls.iter().map(|f| format!("foul {f}")));
    }
    if parts.is_empty() {
        parts.push(ruling.verdict.clone());
    }
    if ruling.verdict == "needs-review" {
        parts.insert(0, "? needs review".to_owned());
    }
    if !shot.complete {
        parts.push("(not seen whole)".to_owned());
    }
    parts.join("; ").replace("; (", " (")
}

fn points_text(shot: &ShotRecord) -> String {
    let given = shot.ruling.points.get(&shot.player).copied().unwrap_or(0);
    let mark = if shot.ruling.verdict == "needs-review" {
        "?"
    } else {
        ""
    };
    format!("{given}{mark}")
}

fn name_of(record: &MatchRecord, id: &str) -> String {
    let player = record.players.iter().find(|p| p.id == id);
    player.map_or_else(|| id.to_owned(), |p| p.name.clone())
}

/// `1:02.3`.
fn clock(t_s: f64) -> String {
    let tenths = (t_s * 10.0).round() as i64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_characters() {
        let mut table = Columns::new(&["name", ">n"]);
        table.row(vec!["Жан".to_owned(), "1".to_owned()]);
        table.row(vec!["Li".to_owned(), "23".to_owned()]);
        assert_eq!(table.text(), "  name   n\n  Жан    1\n  Li    23\n");
    }

    #[test]
    fn times_are_minutes_seconds_and_tenths() {
        assert_eq!(clock(62.349), "1:02.3");
        assert_eq!(clock(59.96), "1:00.0");
    }
}
