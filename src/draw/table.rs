//! The table itself: wood, diamonds, cushions, cloth.

use crate::{
    draw::svg::{Svg, n},
    model::{Pocket, TableSpec},
    units::TablePoint,
};

/// Width of the cushion's rubber and of the wood around it, mm.
const CUSHION_MM: f64 = 50.0;
const WOOD_MM: f64 = 95.0;
/// From the nose to the line of the diamonds, mm.
const DIAMOND_MM: f64 = CUSHION_MM + 0.5 * WOOD_MM;

/// From the outer edge of the wood to the nose, mm.
pub(super) const EDGE_MM: f64 = CUSHION_MM + WOOD_MM;

/// Where the table lies in the drawing: near end left, left long cushion at the top, one unit per mm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Where the corner of the noses (`x = y = 0`) is drawn.
    pub(super) origin: [f64; 2],
}

impl Place {
    /// Where a point of the table is drawn.
    pub(super) fn of(self, p: TablePoint) -> [f64; 2] {
        [self.origin[0] + p.x, self.origin[1] + p.y]
    }
}

/// Draws the table.
pub(super) fn draw(svg: &mut Svg, place: Place, table: &TableSpec) {
    let (l, w) = (table.length_mm, table.width_mm);
    svg.raw(DEFINITIONS);
    rectangle(svg, place, l, w, EDGE_MM, 60.0, "url(#wood)");
    rectangle(svg, place, l, w, CUSHION_MM + 6.0, 10.0, "#1d120b");
    rectangle(svg, place, l, w, CUSHION_MM, 4.0, "#14506b");
    cushions(svg, place, table);
    rectangle(svg, place, l, w, 0.0, 0.0, "url(#cloth)");
    spots(svg, place, table);
    diamonds(svg, place, table);
    if table.pockets {
        pockets(svg, place, table);
    }
    compass(svg, place, table);
}

/// The cushions' letters, outside the wood.
fn compass(svg: &mut Svg, place: Place, table: &TableSpec) {
    let (l, w) = (table.length_mm, table.width_mm);
    let out = EDGE_MM + 34.0;
    let letters = [
        ("S", -out, 0.5 * w),
        ("N", l + out, 0.5 * w),
        ("W", 0.5 * l, -out),
        ("E", 0.5 * l, w + out),
    ];
    let style = [
        ("font-size", "38"),
        ("font-weight", "700"),
        ("fill", "#9aa3aa"),
        ("text-anchor", "middle"),
    ];
    for (letter, x, y) in letters {
        let [x, y] = place.of(TablePoint::new(x, y));
        svg.text(x, y + 13.0, &style, letter);
    }
}

const DEFINITIONS: &str = r##"<defs>
<linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#5b3a24"/><stop offset="0.5" stop-color="#4a2d1a"/><stop offset="1" stop-color="#3a2213"/></linearGradient>
<radialGradient id="cloth" cx="0.5" cy="0.5" r="0.75"><stop offset="0" stop-color="#2b86ac"/><stop offset="1" stop-color="#1f6c8e"/></radialGradient>
<radialGradient id="shine" cx="0.35" cy="0.3" r="0.75"><stop offset="0" stop-color="#fff" stop-opacity="0.75"/><stop offset="0.35" stop-color="#fff" stop-opacity="0.12"/><stop offset="1" stop-color="#000" stop-opacity="0.32"/></radialGradient>
</defs>"##;

/// A rectangle that stands `around` mm outside the noses.
fn rectangle(svg: &mut Svg, place: Place, l: f64, w: f64, around: f64, corner: f64, fill: &str) {
    svg.element(
        "rect",
        &[
            ("x", &n(place.origin[0] - around)),
            ("y", &n(place.origin[1] - around)),
            ("width", &n(l + 2.0 * around)),
            ("height", &n(w + 2.0 * around)),
            ("rx", &n(corner)),
            ("fill", fill),
        ],
    );
}

/// The rubber falls off from the nose: two sides in the light, two in the shade, mitred at the corners.
fn cushions(svg: &mut Svg, place: Place, table: &TableSpec) {
    let (l, w, c) = (table.length_mm, table.width_mm, CUSHION_MM);
    let sides = [
        ([(-c, -c), (l + c, -c), (l, 0.0), (0.0, 0.0)], "#155471"),
        ([(-c, w + c), (l + c, w + c), (l, w), (0.0, w)], "#1a6283"),
        ([(-c, -c), (0.0, 0.0), (0.0, w), (-c, w + c)], "#175a79"),
        ([(l + c, -c), (l, 0.0), (l, w), (l + c, w + c)], "#175a79"),
    ];
    for (corners, fill) in sides {
        let points: Vec<String> = corners
            .iter()
            .map(|(x, y)| {
                let [px, py] = place.of(TablePoint::new(*x, *y));
                format!("{},{}", n(px), n(py))
            })
            .collect();
        svg.element("polygon", &[("points", &points.join(" ")), ("fill", fill)]);
    }
}

/// The spots on the long axis at the quarters.
fn spots(svg: &mut Svg, place: Place, table: &TableSpec) {
    for quarter in [0.25, 0.5, 0.75] {
        let p = TablePoint::new(quarter * table.length_mm, 0.5 * table.width_mm);
        let [x, y] = place.of(p);
        disc(svg, [x, y], 5.0, "#0f4058");
    }
}

fn diamonds(svg: &mut Svg, place: Place, table: &TableSpec) {
    let (l, w, d) = (table.length_mm, table.width_mm, DIAMOND_MM);
    let mut marks = Vec::new();
    for i in 0..=8 {
        let x = l * f64::from(i) / 8.0;
        marks.extend([(x, -d), (x, w + d)]);
    }
    for i in 0..=4 {
        let y = w * f64::from(i) / 4.0;
        marks.extend([(-d, y), (l + d, y)]);
    }
    for (x, y) in marks {
        let at = place.of(TablePoint::new(x, y));
        disc(svg, at, 9.0, "#f1e6d2");
    }
}

fn pockets(svg: &mut Svg, place: Place, table: &TableSpec) {
    let mouth = 1.05 * table.ball_diameter_mm;
    for pocket in Pocket::ALL {
        let p = table.pocket_mouth(pocket);
        let out = |v: f64, size: f64| match v {
            v if v <= 0.0 => -0.4 * mouth,
            v if v >= size => 0.4 * mouth,
            _ => 0.0,
        };
        let behind = TablePoint::new(
            p.x + out(p.x, table.length_mm),
            p.y + out(p.y, table.width_mm),
        );
        disc(svg, place.of(behind), mouth, "#0b0a09");
    }
}

/// A filled circle.
pub(super) fn disc(svg: &mut Svg, at: [f64; 2], radius: f64, fill: &str) {
    svg.element(
        "circle",
        &[
            ("cx", &n(at[0])),
            ("cy", &n(at[1])),
            ("r", &n(radius)),
            ("fill", fill),
        ],
    );
}
