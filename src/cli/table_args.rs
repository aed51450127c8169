//! The options that say which table is seen and how it lies.

use clap::{Args, ValueEnum};

use crate::{cli::CliError, model::TableSpec};

/// Which end of the picture is the near end (`S`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum Near {
    Left,
    Right,
    Top,
    Bottom,
}

impl From<Near> for crate::calib::Near {
    fn from(near: Near) -> Self {
        match near {
            Near::Left => Self::Left,
            Near::Right => Self::Right,
            Near::Top => Self::Top,
            Near::Bottom => Self::Bottom,
        }
    }
}

/// Which table.
#[derive(Clone, Debug, Default, Args)]
pub struct TableArgs {
    /// Table by name: carom-match, carom-small, carom-230, pyramid-12, kaisa-10, snooker-12, pool-9, pool-8, pool-7
    #[arg(long, value_name = "NAME", conflicts_with_all = ["table_size"])]
    pub table: Option<String>,
    /// Table by size, nose to nose, mm
    #[arg(long, value_name = "LxW")]
    pub table_size: Option<String>,
    /// Pockets of a table given by size: 0 or 6
    #[arg(long, value_name = "N", requires = "table_size")]
    pub pockets: Option<u8>,
    /// Ball diameter, mm
    #[arg(long, value_name = "MM")]
    pub ball_diameter: Option<f64>,
    /// End of the picture where the near short cushion lies [default: left, or bottom when the table stands upright]
    #[arg(long, value_enum)]
    pub near: Option<Near>,
}

/// Ball diameter of a table given by size, mm: carom balls, and pool balls where there are pockets.
const CAROM_BALL_MM: f64 = 61.5;
const POOL_BALL_MM: f64 = 57.15;

impl TableArgs {
    /// The table asked for; `None` when nothing was said and the game decides.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an unknown name or impossible measures.
    pub fn spec(&self) -> Result<Option<TableSpec>, CliError> {
        let mut spec = match (&self.table, &self.table_size) {
            (Some(name), _) => TableSpec::named(name).ok_or_else(|| unknown_table(name))?,
            (None, Some(size)) => self.custom(size)?,
            (None, None) if self.ball_diameter.is_some() => {
                return Err(CliError::Usage(
                    "--ball-diameter needs --table or --table-size".to_owned(),
                ));
            }
            (None, None) => return Ok(None),
        };
        if let Some(diameter) = self.ball_diameter {
            check_measure("--ball-diameter", diameter, 30.0..=100.0)?;
            spec.nose_height_mm *= diameter / spec.ball_diameter_mm;
            spec.ball_diameter_mm = diameter;
        }
        Ok(Some(spec))
    }

    fn custom(&self, size: &str) -> Result<TableSpec, CliError> {
        let sides: Vec<f64> = size
            .split(['x', 'X', '×'])
            .filter_map(|s| s.trim().parse().ok())
            .collect();
        let &[a, b] = sides.as_slice() else {
            return Err(CliError::Usage(format!(
                "--table-size {size}: give length and width in mm, for example 2540x1270"
            )));
        };
        let (length, width) = (a.max(b), a.min(b));
        check_measure("--table-size", length, 500.0..=5000.0)?;
        check_measure("--table-size", width, 250.0..=2500.0)?;
        let pockets = match self.pockets {
            None | Some(0) => false,
            Some(6) => true,
            Some(n) => {
                return Err(CliError::Usage(format!(
                    "--pockets {n}: a table has 0 or 6"
                )));
            }
        };
        let ball = if pockets { POOL_BALL_MM } else { CAROM_BALL_MM };
        Ok(TableSpec::custom(length, width, ball, pockets))
    }
}

fn check_measure(
    option: &str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
) -> Result<(), CliError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(CliError::Usage(format!(
        "{option}: {value} mm is not between {} and {} mm",
        range.start(),
        range.end()
    )))
}

fn unknown_table(name: &str) -> CliError {
    let known: Vec<&str> = TableSpec::names().collect();
    CliError::Usage(format!(
        "--table {name}: no such table; there are {} (or use --table-size)",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sized(size: &str, pockets: Option<u8>) -> Result<Option<TableSpec>, CliError> {
        TableArgs {
            table_size: Some(size.to_owned()),
            pockets,
            ball_diameter: Some(52.3),
            ..TableArgs::default()
        }
        .spec()
    }

    #[test]
    fn a_table_by_size_keeps_its_ball() {
        let spec = sized("1881x943", Some(6)).unwrap().unwrap();
        assert_eq!((spec.length_mm, spec.width_mm), (1881.0, 943.0));
        assert!(spec.pockets && (spec.ball_diameter_mm - 52.3).abs() < 1e-9);
        assert!((spec.nose_height_mm - 52.3 * 0.635).abs() < 1e-9);
    }

    #[test]
    fn nonsense_is_wrong_usage() {
        for bad in [
            sized("big", None),
            sized("1x1", None),
            sized("1881x943", Some(4)),
        ] {
            assert_eq!(bad.unwrap_err().code(), 2);
        }
        let named = TableArgs {
            table: Some("carom-mach".to_owned()),
            ..TableArgs::default()
        };
        assert!(
            named
                .spec()
                .unwrap_err()
                .to_string()
                .contains("carom-match")
        );
        assert_eq!(TableArgs::default().spec().unwrap(), None);
    }
}
