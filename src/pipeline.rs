//! The six names joined: frames are read on one thread, looked at in parallel, and told in order.

use crossbeam_channel::{Receiver, bounded};
use rayon::prelude::*;

use crate::{
    detect::Detector,
    io::{Source, SourceEnd, SourceError},
    model::{Detections, Frame, TrackedFrame},
    track::Tracker,
};

/// Frames looked at together. The light is followed from batch to batch, so the number is part of the result: it does
/// not depend on the machine.
const BATCH: usize = 16;

/// Reads a source to its end and hands on every moment it shows, in order.
///
/// Detection runs on the rayon pool of the caller (`ThreadPool::install`), reading on a thread of its own; the result
/// is the same on any number of workers.
///
/// # Errors
/// What the source reports while reading. What was handed on before that stands.
pub fn watch(
    mut source: Box<dyn Source>,
    detector: &mut Detector,
    tracker: &mut Tracker,
    mut moment: impl FnMut(&Frame, &Detections, Option<&TrackedFrame>),
) -> Result<SourceEnd, SourceError> {
    let (send, frames) = bounded::<Result<Frame, SourceError>>(BATCH);
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            loop {
                match source.read() {
                    Ok(Some(frame)) => {
                        if send.send(Ok(frame)).is_err() {
                            break;
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        let _ = send.send(Err(error));
                        break;
                    }
                }
            }
            drop(send);
            source.end()
        });
        let mut previous: Option<Frame> = None;
        loop {
            let batch = batch(&frames)?;
            if batch.is_empty() {
                break;
            }
            let mut seen: Vec<Detections> = batch.par_iter().map(|f| detector.detect(f)).collect();
            for i in 0..batch.len() {
                let before = if i == 0 {
                    previous.as_ref()
                } else {
                    batch.get(i - 1)
                };
                seen[i].repeated =
                    before.is_some_and(|b| detector.repeats(&b.pixels, &batch[i].pixels));
                moment(&batch[i], &seen[i], tracker.push(&seen[i]).as_ref());
            }
            previous = batch.into_iter().next_back();
            if let Some(last) = &previous {
                detector.follow(&last.pixels);
            }
        }
        Ok(reader.join().unwrap_or_default())
    })
}

/// The next frames, as many as make a batch; fewer at the end.
fn batch(frames: &Receiver<Result<Frame, SourceError>>) -> Result<Vec<Frame>, SourceError> {
    frames.iter().take(BATCH).collect()
}
