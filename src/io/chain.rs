//! Several sources one after another as one.

use crate::{
    io::source::{Source, SourceEnd, SourceError, SourceInfo},
    model::{Frame, Picture},
    units::Timestamp,
};

/// Plays its parts in order; frame numbers and times go on across them.
pub(crate) struct Chain {
    info: SourceInfo,
    parts: Vec<Box<dyn Source>>,
    current: usize,
    next_seq: u64,
    begins_s: f64,
    last_s: f64,
}

impl Chain {
    /// # Errors
    /// [`SourceError::SizeChanged`] when the parts' pictures differ in size.
    pub(crate) fn new(parts: Vec<Box<dyn Source>>) -> Result<Self, SourceError> {
        let infos: Vec<&SourceInfo> = parts.iter().map(|p| p.info()).collect();
        let size = infos.first().map_or([0, 0], |i| i.size);
        if let Some(odd) = infos.iter().find(|i| i.size != size) {
            return Err(SourceError::SizeChanged {
                name: odd.name.clone(),
                from: size,
                to: odd.size,
            });
        }
        let info = SourceInfo {
            name: infos
                .iter()
                .map(|i| i.name.as_str())
                .collect::<Vec<_>>()
                .join(" + "),
            size,
            nominal_fps: infos.first().and_then(|i| i.nominal_fps),
            frames_hint: infos.iter().map(|i| i.frames_hint).sum(),
        };
        Ok(Self {
            info,
            parts,
            current: 0,
            next_seq: 0,
            begins_s: 0.0,
            last_s: 0.0,
        })
    }
}

impl Source for Chain {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn read(&mut self) -> Result<Option<Frame>, SourceError> {
        while let Some(part) = self.parts.get_mut(self.current) {
            if let Some(mut frame) = part.read()? {
                frame.seq = self.next_seq;
                frame.at = Timestamp::from_secs(self.begins_s + frame.at.secs());
                self.next_seq += 1;
                self.last_s = frame.at.secs();
                return Ok(Some(frame));
            }
            let step = 1.0 / part.info().nominal_fps.filter(|f| *f > 0.0).unwrap_or(30.0);
            self.begins_s = self.last_s + step;
            self.current += 1;
        }
        Ok(None)
    }

    fn end(&self) -> SourceEnd {
        let ends: Vec<SourceEnd> = self.parts.iter().map(|p| p.end()).collect();
        let warnings: Vec<String> = ends.iter().filter_map(|e| e.warning.clone()).collect();
        SourceEnd {
            frames: self.next_seq,
            complete: ends.iter().all(|e| e.complete),
            times_filled_in: ends.iter().map(|e| e.times_filled_in).sum(),
            warning: (!warnings.is_empty()).then(|| warnings.join("; ")),
        }
    }

    fn recycle(&mut self, picture: Picture) {
        if let Some(part) = self.parts.get_mut(self.current) {
            part.recycle(picture);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::io::source::{OpenOptions, open_all};

    #[test]
    fn a_second_folder_goes_on_where_the_first_ended() {
        let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        for dir in &dirs {
            for name in ["0.png", "1.png"] {
                image::RgbImage::new(4, 3)
                    .save(dir.path().join(name))
                    .unwrap();
            }
        }
        let names: Vec<String> = dirs
            .iter()
            .map(|d| d.path().display().to_string())
            .collect();
        let options = OpenOptions {
            folder_fps: 10.0,
            ..OpenOptions::default()
        };
        let mut source = open_all(&names, &options).unwrap();
        let mut seen = Vec::new();
        while let Some(frame) = source.read().unwrap() {
            seen.push((frame.seq, (frame.at.secs() * 10.0).round() as i64));
        }
        assert_eq!(seen, [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(source.info().frames_hint, Some(4));
        assert!(source.end().complete);
    }
}
