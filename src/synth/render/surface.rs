//! The table's body: what a line of sight meets first.

use crate::model::{Cushion, TableSpec};

/// Measures of cushion and frame outside the nose lines, mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Nose to wood.
    pub cushion: f64,
    /// Wood, without the trim.
    pub wood: f64,
    /// Trim at the outer edge.
    pub trim: f64,
    /// How far the cushion recedes under the nose.
    pub undercut: f64,
    /// Height of the wood above the nose.
    pub rise: f64,
    /// Radius of the diamonds.
    pub diamond: f64,
    /// Floor below the cloth.
    pub floor: f64,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            cushion: 52.0,
            wood: 88.0,
            trim: 14.0,
            undercut: 13.0,
            rise: 3.0,
            diamond: 5.5,
            floor: -790.0,
        }
    }
}

impl Frame {
    /// All of it, mm outside the noses.
    pub fn width(&self) -> f64 {
        self.cushion + self.wood + self.trim
    }
}

/// What is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Matter {
    Bed,
    CushionTop(Cushion),
    CushionFace(Cushion),
    Wood { along_x: bool },
    Diamond,
    Trim,
    Pocket,
    Floor,
}

/// A point met by a line of sight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) at: [f64; 3],
    pub(super) matter: Matter,
}

/// The table as a solid.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) l: f64,
    pub(super) w: f64,
    pub(super) nose: f64,
    pub(super) frame: Frame,
    pockets: bool,
    pocket_radius: f64,
}

impl Surface {
    pub(super) fn new(table: &TableSpec, frame: Frame) -> Self {
        Self {
            l: table.length_mm,
            w: table.width_mm,
            nose: table.nose_height_mm,
            frame,
            pockets: table.pockets,
            pocket_radius: 1.05 * table.ball_diameter_mm,
        }
    }

    /// Signed distance outside a nose line, mm.
    pub(super) fn outside(&self, p: [f64; 2], cushion: Cushion) -> f64 {
        match cushion {
            Cushion::S => -p[0],
            Cushion::N => p[0] - self.l,
            Cushion::W => -p[1],
            Cushion::E => p[1] - self.w,
        }
    }

    /// How far inside the nearest nose line a place is, mm.
    pub(super) fn inset(&self, p: [f64; 2]) -> f64 {
        p[0].min(self.l - p[0]).min(p[1]).min(self.w - p[1])
    }

    /// Largest distance outside any nose line, mm; negative over the bed.
    fn outermost(&self, p: [f64; 2]) -> (f64, Cushion) {
        Cushion::ALL
            .into_iter()
            .map(|c| (self.outside(p, c), c))
            .fold((f64::NEG_INFINITY, Cushion::S), |best, next| {
                if next.0 > best.0 { next } else { best }
            })
    }

    /// The first thing on a line of sight: `lens`, and its horizontal `run` per mm of descent.
    ///
    /// The lens is taken to be above the table, so the frame's outer side is never seen.
    pub(super) fn hit(&self, lens: [f64; 3], run: [f64; 2]) -> Hit {
        let at = |z: f64| {
            let down = lens[2] - z;
            [lens[0] + down * run[0], lens[1] + down * run[1]]
        };
        let top = self.nose + self.frame.rise;
        let over = at(top);
        if self.pockets && self.in_pocket(over) {
            return hit(over, top, Matter::Pocket);
        }
        let (out, _) = self.outermost(over);
        if out > self.frame.cushion {
            return self.frame_hit(over, top, out, at(self.frame.floor));
        }
        let level = at(self.nose);
        let (out, cushion) = self.outermost(level);
        if out > 0.0 {
            let z = self.nose + self.frame.rise * out / self.frame.cushion;
            let p = at(z);
            return hit(p, z, Matter::CushionTop(cushion));
        }
        let bed = at(0.0);
        let (out, cushion) = self.outermost(bed);
        if out <= 0.0 {
            return hit(bed, 0.0, Matter::Bed);
        }
        self.face_hit(level, bed, cushion)
    }

    /// Over the mouth or the drop of a pocket: a round hole a little behind the noses' crossing.
    fn in_pocket(&self, p: [f64; 2]) -> bool {
        let r = self.pocket_radius;
        let beyond = |v: f64, end: f64| (v + 0.45 * r).abs().min((v - end - 0.45 * r).abs());
        let corner = beyond(p[0], self.l).hypot(beyond(p[1], self.w));
        let side = (p[1] + 0.9 * r).abs().min((p[1] - self.w - 0.9 * r).abs());
        let middle = (p[0] - 0.5 * self.l).hypot(side);
        corner < r || middle < 0.95 * r
    }

    /// Under the nose: the face recedes from the nose to `undercut` outside it at the bed.
    fn face_hit(&self, level: [f64; 2], bed: [f64; 2], cushion: Cushion) -> Hit {
        let (top, low) = (self.outside(level, cushion), self.outside(bed, cushion));
        // Outside distance falls linearly from `low` at the bed to `top` at the nose; the face from `undercut` to 0.
        let gap_low = self.frame.undercut - low;
        let gap_top = -top;
        if gap_low >= 0.0 {
            return hit(bed, 0.0, Matter::Bed);
        }
        let s = gap_low / (gap_low - gap_top);
        let p = [
            bed[0] + (level[0] - bed[0]) * s,
            bed[1] + (level[1] - bed[1]) * s,
        ];
        hit(p, self.nose * s, Matter::CushionFace(cushion))
    }

    fn frame_hit(&self, p: [f64; 2], z: f64, out: f64, floor: [f64; 2]) -> Hit {
        let wood_end = self.frame.cushion + self.frame.wood;
        if out > self.frame.width() {
            return hit(floor, self.frame.floor, Matter::Floor);
        }
        if out > wood_end {
            return hit(p, z, Matter::Trim);
        }
        let row = self.frame.cushion + 0.45 * self.frame.wood;
        let near_mark = |v: f64, end: f64, parts: f64| {
            let step = end / parts;
            (
                v - (v / step).round() * step,
                (-0.5..parts + 0.5).contains(&(v / step)),
            )
        };
        let (dx, on_long) = near_mark(p[0], self.l, 8.0);
        let (dy, on_short) = near_mark(p[1], self.w, 4.0);
        let from_long = (-p[1] - row).abs().min((p[1] - self.w - row).abs());
        let from_short = (-p[0] - row).abs().min((p[0] - self.l - row).abs());
        let r = self.frame.diamond;
        if (on_long && dx.hypot(from_long) < r) || (on_short && dy.hypot(from_short) < r) {
            return hit(p, z, Matter::Diamond);
        }
        let beyond_x = (-p[0]).max(p[0] - self.l);
        let beyond_y = (-p[1]).max(p[1] - self.w);
        hit(
            p,
            z,
            Matter::Wood {
                along_x: beyond_y > beyond_x,
            },
        )
    }
}

fn hit(p: [f64; 2], z: f64, matter: Matter) -> Hit {
    Hit {
        at: [p[0], p[1], z],
        matter,
    }
}

impl Surface {
    /// Distance outside the frame's outer edge, mm; negative under the table.
    pub(super) fn floor_distance(&self, x: f64, y: f64) -> f64 {
        self.outermost([x, y]).0 - self.frame.width()
    }
}
