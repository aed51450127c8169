//! `positions.csv`: where every ball was in every frame.

use std::{
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use crate::{
    io::export::{ExportError, OutFolder, draft_of},
    model::{Ball, TrackedFrame},
    units::TablePoint,
};

/// A ball in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionRow {
    /// Frame time, s from the first frame.
    pub t_s: f64,
    /// The ball.
    pub ball: Ball,
    /// Its centre, mm.
    pub place: TablePoint,
    /// Standard deviation of the place, mm.
    pub sigma_mm: f64,
    /// Seen in this frame; otherwise predicted.
    pub seen: bool,
}

const COLUMNS: [&str; 6] = ["t_s", "ball", "x_mm", "y_mm", "sigma_mm", "state"];

/// Writes `positions.csv` as the frames come; the file appears under its name when it is whole.
pub struct PositionsWriter {
    writer: csv::Writer<BufWriter<File>>,
    path: PathBuf,
    finished: bool,
}

impl OutFolder {
    /// Begins `positions.csv`.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn positions(&self) -> Result<PositionsWriter, ExportError> {
        let path = self.path().join("positions.csv");
        let file = File::create(draft_of(&path)).map_err(|e| write_error(&path, e))?;
        let mut writer = csv::Writer::from_writer(BufWriter::new(file));
        writer
            .write_record(COLUMNS)
            .map_err(|e| write_error(&path, e.into()))?;
        Ok(PositionsWriter {
            writer,
            path,
            finished: false,
        })
    }
}

impl PositionsWriter {
    /// Appends a frame's balls.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn frame(&mut self, frame: &TrackedFrame) -> Result<(), ExportError> {
        for ball in &frame.balls {
            let row = [
                format!("{:.6}", frame.at.secs()),
                ball.id.to_string(),
                format!("{:.2}", ball.pos.x),
                format!("{:.2}", ball.pos.y),
                format!("{:.2}", ball.sigma_mm),
                if ball.seen.is_some() {
                    "seen"
                } else {
                    "predicted"
                }
                .to_owned(),
            ];
            self.writer
                .write_record(&row)
                .map_err(|e| write_error(&self.path, e.into()))?;
        }
        Ok(())
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn finish(mut self) -> Result<PathBuf, ExportError> {
        self.writer
            .flush()
            .and_then(|()| fs::rename(draft_of(&self.path), &self.path))
            .map_err(|e| write_error(&self.path, e))?;
        self.finished = true;
        Ok(self.path.clone())
    }
}

impl Drop for PositionsWriter {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(draft_of(&self.path));
        }
    }
}

fn write_error(path: &Path, source: std::io::Error) -> ExportError {
    ExportError::Write {
        path: path.display().to_string(),
        source,
    }
}

/// Reads a `positions.csv`.
///
/// # Errors
/// [`ExportError::Read`] when there is no such file, [`ExportError::Content`] naming the first line that cannot be
/// understood.
pub fn read_positions(path: &Path) -> Result<Vec<PositionRow>, ExportError> {
    let file = File::open(path).map_err(|source| ExportError::Read {
        path: path.display().to_string(),
        source,
    })?;
    let mut rows = Vec::new();
    for (n, record) in csv::Reader::from_reader(file).into_records().enumerate() {
        let row = record.ok().as_ref().and_then(row_of);
        rows.push(row.ok_or_else(|| ExportError::Content {
            path: path.display().to_string(),
            what: format!("line {} is no position", n + 2),
        })?);
    }
    Ok(rows)
}

fn row_of(record: &csv::StringRecord) -> Option<PositionRow> {
    let number = |i: usize| record.get(i)?.parse::<f64>().ok().filter(|x| x.is_finite());
    Some(PositionRow {
        t_s: number(0)?,
        ball: Ball::from_name(record.get(1)?)?,
        place: TablePoint::new(number(2)?, number(3)?),
        sigma_mm: number(4)?,
        seen: match record.get(5)? {
            "seen" => true,
            "predicted" => false,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{BallState, Measurement},
        units::{TableVec, Timestamp},
    };

    fn frame(t: f64, seen: bool) -> TrackedFrame {
        let pos = TablePoint::new(100.123, -0.001);
        TrackedFrame {
            at: Timestamp::from_secs(t),
            balls: vec![BallState {
                id: Ball::White,
                pos,
                vel: TableVec::ZERO,
                sigma_mm: 0.5,
                seen: seen.then_some(Measurement {
                    pos,
                    covariance: [0.25, 0.0, 0.25],
                    streak: None,
                    visible: 1.0,
                }),
                handled: false,
            }],
            ..TrackedFrame::default()
        }
    }

    #[test]
    fn rows_come_back_as_they_went() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::create(dir.path()).unwrap();
        let mut writer = out.positions().unwrap();
        writer.frame(&frame(0.0, true)).unwrap();
        writer.frame(&frame(1.0 / 60.0, false)).unwrap();
        assert!(!dir.path().join("positions.csv").exists());
        let rows = read_positions(&writer.finish().unwrap()).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].seen, rows[1].seen), (true, false));
        assert!((rows[1].t_s - 1.0 / 60.0).abs() < 1e-6);
        assert!((rows[0].place.x - 100.12).abs() < 1e-9);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::create(dir.path()).unwrap();
        drop(out.positions().unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_bad_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("positions.csv");
        let text =
            "t_s,ball,x_mm,y_mm,sigma_mm,state\n0,white,1,2,0.5,seen\n0,white,NaN,2,0.5,seen\n";
        fs::write(&path, text).unwrap();
        let message = read_positions(&path).unwrap_err().to_string();
        assert!(message.contains("line 3"), "{message}");
    }
}
