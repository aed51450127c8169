//! The diagram of a shot: where each ball went, what it touched and when, and what the rules say.

use std::collections::BTreeMap;

use crate::{
    draw::{
        badges,
        svg::{Svg, n},
        table::{self, EDGE_MM, Place, disc},
    },
    model::{Ball, TableSpec, record::ShotRecord, truth::EventRecord},
    units::TablePoint,
};

/// Where each ball was, s and mm, in order of time.
pub type Paths = BTreeMap<Ball, Vec<(f64, TablePoint)>>;

const MARGIN: f64 = 70.0;
const TITLE_HEIGHT: f64 = 292.0;
/// A path point closer than this to the one before is not drawn, mm.
const FINEST_STEP_MM: f64 = 3.0;
pub(super) const INK: &str = "#20262b";
pub(super) const FAINT_INK: &str = "#66717a";

/// Draws a shot as an SVG document, one unit per mm: the table with every ball's path, its place before (ring) and
/// after (ball), the contacts numbered in order, and below it what each number is.
///
/// Balls that hardly moved have no path. Without `paths` the contacts are joined by straight lines instead.
pub fn shot_diagram(table: &TableSpec, shot: &ShotRecord, paths: &Paths) -> String {
    let rows = badges::legend_lines(shot) as f64;
    let width = table.length_mm + 2.0 * (EDGE_MM + MARGIN);
    let table_height = table.width_mm + 2.0 * EDGE_MM;
    let legend_top = TITLE_HEIGHT + table_height + 120.0;
    let height = legend_top + rows * badges::LINE_HEIGHT + 30.0;
    let mut svg = Svg::new(width, height);
    let place = Place {
        origin: [MARGIN + EDGE_MM, TITLE_HEIGHT + EDGE_MM],
    };
    svg.element(
        "rect",
        &[("width", "100%"), ("height", "100%"), ("fill", "#fbfaf7")],
    );
    title(&mut svg, shot, width);
    table::draw(&mut svg, place, table);
    let radius = table.ball_radius_mm();
    let starts = shot.before.iter().map(|(b, p)| (*b, TablePoint::from(*p)));
    let moved: Vec<(Ball, Vec<TablePoint>)> = starts
        .map(|(ball, start)| (ball, path_of(ball, start, shot, paths)))
        .filter(|(_, path)| has_moved(path))
        .collect();
    for (ball, path) in &moved {
        draw_path(&mut svg, place, *ball, path);
    }
    for (ball, path) in &moved {
        ring(&mut svg, place, *ball, path[0], radius);
    }
    for (ball, end) in &shot.after {
        draw_ball(&mut svg, place, *ball, TablePoint::from(*end), radius);
    }
    badges::draw(&mut svg, place, shot);
    badges::legend(&mut svg, shot, MARGIN, legend_top, width - 2.0 * MARGIN);
    svg.finish(&format!("Shot {}", shot.n))
}

fn title(svg: &mut Svg, shot: &ShotRecord, width: f64) {
    let ball = shot.struck.map_or("an unseen ball", Ball::name);
    let cut = if shot.complete {
        ""
    } else {
        ", not seen whole"
    };
    let head = format!("Shot {}", shot.n);
    let who = format!(
        "player {} with {ball}, {:.1} s{cut}",
        shot.player,
        shot.stop_s - shot.start_s
    );
    let reasons: Vec<&str> = shot
        .ruling
        .reasons
        .iter()
        .map(|r| r.text.as_str())
        .collect();
    let text = |svg: &mut Svg, x: f64, y: f64, size: &str, fill: &str, content: &str| {
        svg.text(x, y, &[("font-size", size), ("fill", fill)], content);
    };
    let indent = MARGIN + 6.0;
    svg.text(
        indent,
        118.0,
        &[("font-size", "84"), ("font-weight", "700"), ("fill", INK)],
        &head,
    );
    text(
        svg,
        indent + 62.0 * head.len() as f64 * 0.78 + 40.0,
        118.0,
        "56",
        FAINT_INK,
        &who,
    );
    text(
        svg,
        indent,
        202.0,
        "50",
        INK,
        &shortened(&reasons.join("; "), 105),
    );
    verdict(svg, shot, width - MARGIN);
}

/// The verdict in a coloured shape whose right end is at `right`.
fn verdict(svg: &mut Svg, shot: &ShotRecord, right: f64) {
    let points = shot.ruling.points.get(&shot.player).copied().unwrap_or(0);
    let (label, fill) = match shot.ruling.verdict.as_str() {
        "needs-review" => ("needs review".to_owned(), "#b8690b"),
        "foul" => ("foul".to_owned(), "#a52a22"),
        _ if points == 1 => ("1 point".to_owned(), "#2a7d46"),
        _ if points != 0 => (format!("{points} points"), "#2a7d46"),
        _ => ("no point".to_owned(), "#5d6870"),
    };
    let width = 29.0 * label.len() as f64 + 90.0;
    svg.element(
        "rect",
        &[
            ("x", &n(right - width)),
            ("y", "48"),
            ("width", &n(width)),
            ("height", "92"),
            ("rx", "46"),
            ("fill", fill),
        ],
    );
    let style = [
        ("font-size", "54"),
        ("font-weight", "700"),
        ("fill", "#fff"),
        ("text-anchor", "middle"),
    ];
    svg.text(right - 0.5 * width, 113.0, &style, &label);
}

fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit - 1).collect();
    format!("{}…", head.trim_end())
}

/// The ball's path from its place before to its place after, through its contacts: those are known between the
/// frames, where a path of frames alone would cut the corner.
fn path_of(ball: Ball, start: TablePoint, shot: &ShotRecord, paths: &Paths) -> Vec<TablePoint> {
    let own = |e: &&EventRecord| e.ball == Some(ball) || e.a == Some(ball);
    let contacts = shot.events.iter().filter(own);
    let mut timed: Vec<(f64, TablePoint, bool)> = contacts
        .filter_map(|e| Some((e.t_s, TablePoint::from(e.at_mm?), true)))
        .collect();
    let seen = paths.get(&ball).map_or(&[][..], Vec::as_slice);
    timed.extend(seen.iter().map(|(t, p)| (*t, *p, false)));
    timed.retain(|(_, p, _)| p.x.is_finite() && p.y.is_finite());
    timed.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut points = vec![start];
    for (_, p, contact) in timed {
        let far = |q: &TablePoint| q.distance(p) >= FINEST_STEP_MM;
        if contact || points.last().is_none_or(far) {
            points.push(p);
        }
    }
    points.extend(shot.after.get(&ball).map(|p| TablePoint::from(*p)));
    points
}

fn has_moved(path: &[TablePoint]) -> bool {
    let start = path.first().copied().unwrap_or_default();
    path.iter()
        .any(|p| p.distance(start) > 2.0 * FINEST_STEP_MM)
}

fn draw_path(svg: &mut Svg, place: Place, ball: Ball, path: &[TablePoint]) {
    let moved = path
        .iter()
        .any(|p| p.distance(path[0]) > 2.0 * FINEST_STEP_MM);
    if !moved {
        return;
    }
    let points: Vec<String> = path
        .iter()
        .map(|p| {
            let [x, y] = place.of(*p);
            format!("{},{}", n(x), n(y))
        })
        .collect();
    let points = points.join(" ");
    for (colour, width, opacity) in [("#06222f", "17", "0.35"), (path_colour(ball), "9", "0.95")] {
        svg.element(
            "polyline",
            &[
                ("points", &points),
                ("fill", "none"),
                ("stroke", colour),
                ("stroke-width", width),
                ("stroke-opacity", opacity),
                ("stroke-linejoin", "round"),
                ("stroke-linecap", "round"),
            ],
        );
    }
}

/// Where the ball lay before.
fn ring(svg: &mut Svg, place: Place, ball: Ball, at: TablePoint, radius: f64) {
    let [x, y] = place.of(at);
    for (colour, width) in [("#06222f", "13"), (path_colour(ball), "6")] {
        svg.element(
            "circle",
            &[
                ("cx", &n(x)),
                ("cy", &n(y)),
                ("r", &n(radius - 4.0)),
                ("fill", "#06222f"),
                ("fill-opacity", "0.18"),
                ("stroke", colour),
                ("stroke-width", width),
                ("stroke-dasharray", "15 11"),
            ],
        );
    }
}

/// Where the ball lies now.
fn draw_ball(svg: &mut Svg, place: Place, ball: Ball, at: TablePoint, radius: f64) {
    let [x, y] = place.of(at);
    svg.element(
        "ellipse",
        &[
            ("cx", &n(x + 5.0)),
            ("cy", &n(y + 8.0)),
            ("rx", &n(radius + 2.0)),
            ("ry", &n(radius + 2.0)),
            ("fill", "#000"),
            ("fill-opacity", "0.28"),
        ],
    );
    disc(svg, [x, y], radius, colour(ball));
    if matches!(ball, Ball::Spot) {
        for (dx, dy) in [(-0.4, -0.1), (0.35, -0.3), (0.1, 0.45)] {
            disc(
                svg,
                [x + dx * radius, y + dy * radius],
                0.17 * radius,
                "#b3261e",
            );
        }
    }
    disc(svg, [x, y], radius, "url(#shine)");
}

fn colour(ball: Ball) -> &'static str {
    match ball {
        Ball::White | Ball::Spot | Ball::White1 => "#f6f2e6",
        Ball::White2 => "#e3dcc8",
        Ball::Yellow => "#f2bd1d",
        Ball::Red | Ball::Red1 => "#cf2a20",
        Ball::Red2 => "#a81c2c",
        Ball::Blue => "#1f4fb5",
        Ball::Green => "#1c7a45",
        Ball::Orange => "#ef7d1a",
        Ball::Purple => "#6b3a9b",
        Ball::Brown => "#7a4a26",
        Ball::Pink => "#f08fae",
        Ball::Black => "#1b1b1d",
    }
}

/// Lines are thinner than balls: dark colours get lighter so that they stand off the cloth.
fn path_colour(ball: Ball) -> &'static str {
    match ball {
        Ball::Red | Ball::Red1 => "#ff5d4f",
        Ball::Red2 => "#ff7f8f",
        Ball::Blue => "#8fb6ff",
        Ball::Green => "#7fe0a8",
        Ball::Purple => "#c9a3f0",
        Ball::Brown => "#d9a878",
        Ball::Black => "#9aa0a6",
        other => colour(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot() -> ShotRecord {
        serde_json::from_value(serde_json::json!({
            "n": 3, "player": "<B>", "struck": "white", "start_s": 1.0, "stop_s": 4.0, "complete": false,
            "before": {"white": [700.0, 400.0], "red": [2000.0, 700.0]},
            "after": {"white": [1500.0, 900.0], "red": [2000.0, 700.0]},
            "pins_before": [], "pins_after": [],
            "events": [{"t_s": 2.0, "kind": "ball-cushion", "ball": "white", "cushion": "E", "at_mm": [1300.0, 1389.0]}],
            "ruling": {"verdict": "nothing", "points": {}, "fouls": [], "next": null, "placements": [],
                       "reasons": [{"rule": "x", "text": "a < b & c", "events": []}], "confidence": 1.0, "alternatives": []},
            "score": {}, "notation": ""
        }))
        .unwrap()
    }

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn moved_balls_have_a_path_and_resting_ones_none() {
        let table = TableSpec::named("carom-match").unwrap();
        let svg = shot_diagram(&table, &shot(), &Paths::new());
        assert_eq!(count(&svg, "<polyline"), 2, "one path, drawn twice");
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("player &lt;B&gt;"));
        assert!(svg.contains("not seen whole") && svg.contains("cushion E"));
        assert_eq!(count(&svg, "<text"), 4 + 8, "{svg}");
    }

    #[test]
    fn the_seen_path_is_drawn_and_garbage_in_it_is_not() {
        let table = TableSpec::named("carom-match").unwrap();
        let path = vec![
            (1.0, TablePoint::new(700.0, 400.0)),
            (1.5, TablePoint::new(f64::NAN, 0.0)),
            (2.0, TablePoint::new(777.0, 888.0)),
        ];
        let svg = shot_diagram(&table, &shot(), &Paths::from([(Ball::White, path)]));
        let [x, y] = [MARGIN + EDGE_MM + 777.0, TITLE_HEIGHT + EDGE_MM + 888.0];
        assert!(svg.contains(&format!("{},{}", n(x), n(y))));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
