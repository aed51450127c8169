//! A folder of pictures as a source.

use std::path::{Path, PathBuf};

use ndarray::Array3;

use crate::{
    io::{
        ExportError,
        source::{Source, SourceEnd, SourceError, SourceInfo, name_of},
    },
    model::{Frame, Picture},
    units::Timestamp,
};

const EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp"];

/// Pictures of a folder in the order of their names (numbers inside names count as numbers: `9` before `10`).
pub(crate) struct Pictures {
    info: SourceInfo,
    files: Vec<PathBuf>,
    next: usize,
    fps: f64,
}

impl Pictures {
    pub(crate) fn open(folder: &Path, fps: f64) -> Result<Self, SourceError> {
        let name = name_of(folder);
        let unreadable = |reason| SourceError::Unreadable {
            path: folder.display().to_string(),
            reason,
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if is_picture(&path) {
                files.push(path);
            }
        }
        files.sort_by_cached_key(|p| (natural_key(&name_of(p)), name_of(p)));
        let Some(first) = files.first() else {
            return Err(SourceError::NoPictures { name });
        };
        let (width, height) = image::image_dimensions(first).map_err(|e| bad_picture(first, &e))?;
        Ok(Self {
            info: SourceInfo {
                name,
                size: [width, height],
                nominal_fps: Some(fps),
                frames_hint: Some(files.len() as u64),
            },
            files,
            next: 0,
            fps,
        })
    }
}

impl Source for Pictures {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn read(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(path) = self.files.get(self.next) else {
            return Ok(None);
        };
        let pixels = read_picture(path)?;
        let size = [pixels.dim().1 as u32, pixels.dim().0 as u32];
        if size != self.info.size {
            return Err(SourceError::SizeChanged {
                name: name_of(path),
                from: self.info.size,
                to: size,
            });
        }
        let seq = self.next as u64;
        self.next += 1;
        Ok(Some(Frame {
            seq,
            at: Timestamp::from_secs(seq as f64 / self.fps),
            pixels,
        }))
    }

    fn end(&self) -> SourceEnd {
        SourceEnd {
            frames: self.next as u64,
            complete: self.next == self.files.len(),
            times_filled_in: 0,
            warning: None,
        }
    }
}

/// Reads one picture file, blue-green-red.
///
/// # Errors
/// [`SourceError::BadPicture`] when it cannot be decoded, [`SourceError::Missing`] when it is not there.
pub fn read_picture(path: &Path) -> Result<Picture, SourceError> {
    if !path.exists() {
        return Err(SourceError::Missing {
            path: path.display().to_string(),
        });
    }
    let rgb = image::ImageReader::open(path)
        .and_then(image::ImageReader::with_guessed_format)
        .map_err(|e| bad_picture(path, &e))?
        .decode()
        .map_err(|e| bad_picture(path, &e))?
        .into_rgb8();
    let (width, height) = (rgb.width() as usize, rgb.height() as usize);
    let mut pixels = rgb.into_raw();
    for pixel in pixels.chunks_exact_mut(3) {
        pixel.swap(0, 2);
    }
    Array3::from_shape_vec((height, width, 3), pixels).map_err(|e| bad_picture(path, &e))
}

/// Writes a picture as PNG.
///
/// # Errors
/// [`ExportError::Write`] when the file cannot be written.
pub fn write_picture(path: &Path, picture: &Picture) -> Result<(), ExportError> {
    let (height, width, _) = picture.dim();
    let colour = |x: u32, y: u32| {
        let at = |c| picture[[y as usize, x as usize, c]];
        image::Rgb([at(2), at(1), at(0)])
    };
    let drawn = image::RgbImage::from_fn(width as u32, height as u32, colour);
    drawn.save(path).map_err(|e| ExportError::Write {
        path: path.display().to_string(),
        source: std::io::Error::other(e),
    })
}

fn bad_picture(path: &Path, reason: &dyn std::fmt::Display) -> SourceError {
    SourceError::BadPicture {
        name: name_of(path),
        reason: reason.to_string(),
    }
}

fn is_picture(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    path.is_file() && extension.is_some_and(|e| EXTENSIONS.contains(&e.as_str()))
}

/// Splits a name into texts and numbers, so that numbers are compared as numbers.
fn natural_key(name: &str) -> Vec<(String, u64)> {
    let mut parts = vec![(String::new(), 0_u64)];
    let mut in_number = false;
    for c in name.chars() {
        let digit = c.to_digit(10);
        if digit.is_none() && in_number {
            parts.push((String::new(), 0));
        }
        in_number = digit.is_some();
        if let Some((text, number)) = parts.last_mut() {
            match digit {
                Some(d) => *number = number.saturating_mul(10).saturating_add(u64::from(d)),
                None => text.push(c),
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(folder: &Path, name: &str, size: (u32, u32), rgb: [u8; 3]) {
        image::RgbImage::from_pixel(size.0, size.1, image::Rgb(rgb))
            .save(folder.join(name))
            .unwrap();
    }

    #[test]
    fn pictures_come_in_natural_order_as_blue_green_red() {
        let dir = tempfile::tempdir().unwrap();
        save(dir.path(), "p10.png", (4, 3), [10, 0, 0]);
        save(dir.path(), "p9.png", (4, 3), [9, 1, 2]);
        std::fs::write(dir.path().join("notes.txt"), "no picture").unwrap();
        let mut source = Pictures::open(dir.path(), 50.0).unwrap();
        assert_eq!(source.info().size, [4, 3]);
        let first = source.read().unwrap().unwrap();
        assert_eq!(first.pixels.dim(), (3, 4, 3));
        assert_eq!(
            first.pixels.iter().take(3).copied().collect::<Vec<_>>(),
            [2, 1, 9]
        );
        let second = source.read().unwrap().unwrap();
        assert!((second.at.secs() - 0.02).abs() < 1e-9);
        assert!(source.read().unwrap().is_none());
        assert!(source.end().complete);
    }

    #[test]
    fn a_folder_without_pictures_and_a_broken_picture_are_named() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            Pictures::open(dir.path(), 30.0),
            Err(SourceError::NoPictures { .. })
        ));
        save(dir.path(), "a.png", (4, 3), [0, 0, 0]);
        std::fs::write(dir.path().join("b.png"), "text").unwrap();
        let mut source = Pictures::open(dir.path(), 30.0).unwrap();
        source.read().unwrap();
        let message = source.read().unwrap_err().to_string();
        assert!(message.starts_with("b.png"), "{message}");
        assert!(!source.end().complete);
    }

    #[test]
    fn a_change_of_size_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        save(dir.path(), "a.png", (4, 3), [0, 0, 0]);
        save(dir.path(), "b.png", (5, 3), [0, 0, 0]);
        let mut source = Pictures::open(dir.path(), 30.0).unwrap();
        source.read().unwrap();
        assert!(matches!(
            source.read(),
            Err(SourceError::SizeChanged { .. })
        ));
    }
}
