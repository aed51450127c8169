//! Video out: H.264 in an mp4 file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use opencv::{
    core::{Mat, Size, Vec3b},
    prelude::*,
    videoio::{self, VideoWriter},
};

use crate::{io::export::ExportError, model::Picture};

/// A video file that is being written; it appears under its name when it is whole.
pub struct VideoFile {
    writer: VideoWriter,
    path: PathBuf,
    draft: PathBuf,
    size: [u32; 2],
    finished: bool,
}

impl VideoFile {
    /// Begins a file of constant rate.
    ///
    /// # Errors
    /// [`ExportError::Write`] when there is no encoder or the file cannot be made.
    pub fn create(path: &Path, size: [u32; 2], fps: f64) -> Result<Self, ExportError> {
        // The container is chosen by the ending, so the draft keeps it.
        let draft = path.with_extension(format!("{}.tmp.mp4", std::process::id()));
        let failed = |e: opencv::Error| write_error(path, e.message);
        let code = VideoWriter::fourcc('a', 'v', 'c', '1').map_err(failed)?;
        let [width, height] = size.map(|n| n as i32);
        let writer = VideoWriter::new_with_backend(
            &draft,
            videoio::CAP_FFMPEG,
            code,
            fps,
            Size::new(width, height),
            true,
        )
        .map_err(failed)?;
        if !writer.is_opened().unwrap_or(false) {
            return Err(write_error(
                path,
                "no H.264 encoder, or the folder is not writable".to_owned(),
            ));
        }
        Ok(Self {
            writer,
            path: path.to_owned(),
            draft,
            size,
            finished: false,
        })
    }

    /// Appends a picture of the file's size.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn write(&mut self, pixels: &Picture) -> Result<(), ExportError> {
        let [width, height] = self.size.map(|n| n as usize);
        let memory = pixels
            .as_slice()
            .filter(|_| pixels.dim() == (height, width, 3));
        let Some(memory) = memory else {
            return Err(write_error(
                &self.path,
                "a picture of another size".to_owned(),
            ));
        };
        Mat::new_rows_cols_with_bytes::<Vec3b>(height as i32, width as i32, memory)
            .and_then(|mat| self.writer.write(&mat))
            .map_err(|e| write_error(&self.path, e.message))
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// [`ExportError::Write`].
    pub fn finish(mut self) -> Result<PathBuf, ExportError> {
        self.writer
            .release()
            .map_err(|e| write_error(&self.path, e.message))?;
        fs::rename(&self.draft, &self.path).map_err(|source| ExportError::Write {
            path: self.path.display().to_string(),
            source,
        })?;
        self.finished = true;
        Ok(self.path.clone())
    }
}

impl Drop for VideoFile {
    fn drop(&mut self) {
        if !self.finished {
            let _ = self.writer.release();
            let _ = fs::remove_file(&self.draft);
        }
    }
}

fn write_error(path: &Path, reason: String) -> ExportError {
    ExportError::Write {
        path: path.display().to_string(),
        source: std::io::Error::other(reason),
    }
}
