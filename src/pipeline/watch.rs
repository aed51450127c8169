//! Frames are read on one thread, looked at in parallel, and told in order.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rayon::{ThreadPool, prelude::*};

use crate::{
    detect::Detector,
    io::{Source, SourceEnd, SourceError},
    model::{Detections, Frame, Picture, TrackedFrame},
    track::Tracker,
};

/// Frames looked at together. The light is followed from batch to batch, so the number is part of the result: it does
/// not depend on the machine.
const BATCH: usize = 16;

/// Reads a source to its end and hands on every moment it shows, in order.
///
/// Detection runs on `workers`, reading on a thread of its own; the result is the same on any number of workers.
/// `moment` is called for each frame in order and returns whether to go on.
///
/// # Errors
/// What the source reports while reading. What was handed on before that stands.
pub fn watch(
    source: Box<dyn Source>,
    detector: &mut Detector,
    tracker: &mut Tracker,
    workers: &ThreadPool,
    mut moment: impl FnMut(&Frame, &Detections, Option<&TrackedFrame>) -> bool,
) -> Result<SourceEnd, SourceError> {
    let (send, frames) = bounded(BATCH);
    let (give_back, returned) = unbounded();
    std::thread::scope(|scope| {
        // Moved in here so that it is gone before the reader is waited for: a reader that cannot send ends.
        let frames = frames;
        let reader = scope.spawn(move || read(source, &send, &returned));
        let mut previous: Option<Frame> = None;
        let mut broken = None;
        while broken.is_none() {
            let batch = batch(&frames, &mut broken);
            if batch.is_empty() {
                break;
            }
            let look = |(i, frame): (usize, &Frame)| {
                let before = i.checked_sub(1).map_or(previous.as_ref(), |b| batch.get(b));
                Detections {
                    repeated: before.is_some_and(|b| detector.repeats(&b.pixels, &frame.pixels)),
                    ..detector.detect(frame)
                }
            };
            let seen: Vec<Detections> =
                workers.install(|| batch.par_iter().enumerate().map(look).collect());
            for (frame, seen) in batch.iter().zip(seen) {
                if !moment(frame, &seen, tracker.push(&seen).as_ref()) {
                    return Ok(SourceEnd::default());
                }
            }
            let mut done = batch;
            let last = done.pop();
            done.extend(std::mem::replace(&mut previous, last));
            for frame in done {
                let _ = give_back.send(frame.pixels);
            }
            if let Some(last) = &previous {
                workers.install(|| detector.follow(&last.pixels));
            }
        }
        drop(frames);
        let end = reader.join().unwrap_or_default();
        broken.map_or(Ok(end), Err)
    })
}

/// Reads until the source ends or nobody listens any more; pictures that came back are used again.
fn read(
    mut source: Box<dyn Source>,
    send: &Sender<Result<Frame, SourceError>>,
    returned: &Receiver<Picture>,
) -> SourceEnd {
    loop {
        for picture in returned.try_iter() {
            source.recycle(picture);
        }
        let next = source.read();
        let last = next.is_err();
        let Some(next) = next.transpose() else { break };
        if send.send(next).is_err() || last {
            break;
        }
    }
    source.end()
}

/// The next frames, as many as make a batch; fewer at the end, or before the error that ends the source.
fn batch(
    frames: &Receiver<Result<Frame, SourceError>>,
    broken: &mut Option<SourceError>,
) -> Vec<Frame> {
    let mut out = Vec::with_capacity(BATCH);
    for next in frames {
        match next {
            Ok(frame) => out.push(frame),
            Err(error) => {
                *broken = Some(error);
                break;
            }
        }
        if out.len() == BATCH {
            break;
        }
    }
    out
}
