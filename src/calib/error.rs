//! Why a calibration was refused.

use thiserror::Error;

/// Why no calibration could be given, and what to do about it.
#[derive(Debug, Error)]
pub enum CalibError {
    /// No picture was given.
    #[error("no picture to find a table in")]
    NoPicture,
    /// The pictures are not all of one size.
    #[error("the pictures differ in size: {first:?} and {other:?} px; give pictures of one source")]
    MixedSizes {
        /// Width and height of the first, px.
        first: [u32; 2],
        /// Width and height of one that differs, px.
        other: [u32; 2],
    },
    /// Too few pixels for a table to be measured in.
    #[error(
        "the picture is only {width} x {height} px; at least 160 x 90 are needed, better 1280 x 720"
    )]
    TooSmall {
        /// Width, px.
        width: u32,
        /// Height, px.
        height: u32,
    },
    /// Nearly black pictures.
    #[error(
        "the picture is too dark (brightest parts {level:.0} of 255): switch the lamps on, open the lens or lengthen the exposure"
    )]
    TooDark {
        /// 95th percentile of the brightness, 0..=255.
        level: f64,
    },
    /// Nothing that looks like a bed of cloth.
    #[error(
        "no billiard table found: {why}; point the camera at the whole bed, lamps on, and keep people off it for a moment"
    )]
    NoTable {
        /// What was looked for and not found.
        why: String,
    },
    /// Part of the bed lies outside the picture.
    #[error(
        "the table is cut off at the {side} of the picture: raise or turn the camera, or zoom out, until all four cushions are in view"
    )]
    CutOff {
        /// `left`, `right`, `top` or `bottom` of the picture; several are joined by `and`.
        side: String,
    },
    /// More than one table.
    #[error(
        "two tables in view, the second around ({x:.0}, {y:.0}) px: turn the camera or cut the picture so that one table is left"
    )]
    TwoTables {
        /// Centre of the second table, px.
        x: f64,
        /// Centre of the second table, px.
        y: f64,
    },
    /// The table lies elsewhere in the picture than the calibration says.
    #[error(
        "the calibration does not fit the picture: the table is seen {off_mm:.0} mm from where it says; the camera was moved or the file is another table's: run marqueur calibrate again, or leave --calibration out (if the file is right after all, add --unchecked)"
    )]
    Moved {
        /// Largest distance of a corner, mm.
        off_mm: f64,
    },
    /// The nose lines' rectangle has another shape than the table that was named.
    #[error(
        "the rectangle of the cushion noses is {found:.3} times as long as wide, but {table} is {expected:.3}: check --table or --table-size{fitting}"
    )]
    WrongSize {
        /// Length over width as found.
        found: f64,
        /// Length over width as told.
        expected: f64,
        /// The table as told.
        table: String,
        /// The known tables of that shape, as the end of the sentence; empty when there is none.
        fitting: String,
    },
    /// A table was found but no camera explains its lines.
    #[error(
        "a table was found, but no camera explains its cushion lines to better than {residual_mm:.1} mm (at most {limit_mm:.1} is accepted): look at the drawn picture; are all four noses in plain sight, and is {table} the right table?"
    )]
    DoesNotFit {
        /// Root mean square left over, mm.
        residual_mm: f64,
        /// What would have been accepted, mm.
        limit_mm: f64,
        /// The table as told.
        table: String,
    },
    /// The near end was named by a side that is no short side.
    #[error(
        "the near end cannot be the {given} of the picture: the table lies {lies}, so its ends are {ends}"
    )]
    NearEnd {
        /// What was asked for.
        given: &'static str,
        /// How the table lies.
        lies: &'static str,
        /// The sides of the picture where its ends are.
        ends: &'static str,
    },
    /// A calibration file that cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A calibration file with missing or absurd contents.
    #[error("{path} is not a usable calibration: {why}; make a new one with `marqueur calibrate`")]
    Nonsense {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The calibration was made for pictures of another shape.
    #[error(
        "the calibration was made for pictures of {expected:?} px, these are {found:?} px and of another shape: calibrate anew"
    )]
    OtherPicture {
        /// Width and height it was made for, px.
        expected: [u32; 2],
        /// Width and height of these, px.
        found: [u32; 2],
    },
}
