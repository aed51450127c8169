//! Where the balls went, kept for the files of a result.

use std::collections::BTreeMap;

use crate::{
    draw,
    io::{ExportError, OutFolder, PositionsWriter},
    model::{
        Ball, TableSpec, TrackedFrame,
        record::{MatchRecord, ShotRecord},
    },
    units::TablePoint,
};

/// Keeps where the balls went: on disk for the user, in memory for the diagrams (24 bytes per ball and frame).
pub struct Recorder {
    writer: Option<PositionsWriter>,
    paths: BTreeMap<Ball, Vec<(f64, TablePoint)>>,
}

impl Recorder {
    /// Begins with `positions.csv` in a folder.
    ///
    /// # Errors
    /// [`ExportError`] when it cannot be made.
    pub fn new(out: &OutFolder) -> Result<Self, ExportError> {
        Ok(Self {
            writer: Some(out.positions()?),
            paths: BTreeMap::new(),
        })
    }

    /// Takes a frame's balls.
    ///
    /// # Errors
    /// [`ExportError`] when the disk does not take them.
    pub fn frame(&mut self, frame: &TrackedFrame) -> Result<(), ExportError> {
        for ball in &frame.balls {
            let path = self.paths.entry(ball.id).or_default();
            path.push((frame.at.secs(), ball.pos));
        }
        match &mut self.writer {
            Some(writer) => writer.frame(frame),
            None => Ok(()),
        }
    }

    /// Where the balls went between two times, s.
    pub fn paths(&self, start_s: f64, stop_s: f64) -> BTreeMap<Ball, Vec<(f64, TablePoint)>> {
        let within = |path: &Vec<(f64, TablePoint)>| {
            let from = path.partition_point(|p| p.0 < start_s);
            let to = path.partition_point(|p| p.0 <= stop_s).max(from);
            path[from..to].to_vec()
        };
        self.paths.iter().map(|(b, p)| (*b, within(p))).collect()
    }

    /// Ends `positions.csv` and writes the diagrams.
    ///
    /// # Errors
    /// [`ExportError`] when the disk does not take them.
    pub fn finish(
        &mut self,
        out: &OutFolder,
        record: &MatchRecord,
        table: &TableSpec,
    ) -> Result<(), ExportError> {
        let diagram = |shot: &ShotRecord| {
            let paths = self.paths(shot.start_s, shot.stop_s);
            (shot.n, draw::shot_diagram(table, shot, &paths))
        };
        out.write_diagrams(record.shots.iter().map(diagram))?;
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::BallState,
        units::{TableVec, Timestamp},
    };

    #[test]
    fn a_shot_gets_the_frames_between_its_times() {
        let dir = tempfile::tempdir().unwrap();
        let out = OutFolder::create(dir.path()).unwrap();
        let mut recorder = Recorder::new(&out).unwrap();
        for n in 0..10 {
            let white = BallState {
                id: Ball::White,
                pos: TablePoint::new(f64::from(n), 0.0),
                vel: TableVec::ZERO,
                sigma_mm: 0.5,
                seen: None,
                handled: false,
            };
            let frame = TrackedFrame {
                at: Timestamp::from_secs(f64::from(n)),
                balls: vec![white],
                ..TrackedFrame::default()
            };
            recorder.frame(&frame).unwrap();
        }
        let xs = |a, b| -> Vec<f64> {
            recorder.paths(a, b)[&Ball::White]
                .iter()
                .map(|p| p.1.x)
                .collect()
        };
        assert_eq!(xs(3.0, 5.5), [3.0, 4.0, 5.0]);
        assert_eq!(xs(5.0, 2.0), [0.0; 0]);
    }
}
