use marqueur::{
    calib::{Calibration, camera::Camera},
    detect::Detector,
    io,
    model::{BallSet, TableSpec},
    pipeline,
    track::Tracker,
    units::{ImagePoint, TablePoint},
};
fn main() {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let a: Vec<String> = std::env::args().collect();
    let table = match a[2].as_str() {
        "tv" => TableSpec::named("carom-match").unwrap(),
        _ => TableSpec::custom(1881., 943., 52.3, true),
    };
    // corners TL TR BR BL
    let c: [[f64; 2]; 4] = if a[2] == "tv" {
        [
            [376.2, 187.3],
            [1536.2, 187.3],
            [1536.2, 768.],
            [371.6, 767.5],
        ]
    } else {
        [[59., 78.5], [1182.9, 81.4], [1181.6, 635.4], [66.9, 648.6]]
    };
    let cx = (c[0][0] + c[1][0] + c[2][0] + c[3][0]) / 4.;
    let cy = (c[0][1] + c[1][1] + c[2][1] + c[3][1]) / 4.;
    let k = ((c[1][0] - c[0][0]) + (c[2][0] - c[3][0])) / 2. / table.length_mm;
    let f = 2500.;
    let z = f / k;
    let size = if a[2] == "tv" {
        [1920, 1080]
    } else {
        [1280, 720]
    };
    let camera = Camera::new(
        size,
        f,
        ImagePoint::new(cx, cy),
        [0.; 2],
        [0.; 3],
        [
            -table.length_mm / 2.,
            -table.width_mm / 2.,
            z + table.nose_height_mm,
        ],
    );
    println!(
        "TL {:?}",
        camera.project(TablePoint::new(0., 0.), table.nose_height_mm)
    );
    let cal = Calibration {
        camera,
        table,
        residual_mm: 0.,
        worst_mm: 0.,
        from: "dev".into(),
    };
    let mut s = io::open(&a[1]).unwrap();
    let mut pics = vec![];
    let mut n = 0;
    while let Some(f) = s.read().unwrap() {
        if n % 8 == 0 {
            pics.push(f.pixels);
        }
        n += 1;
        if n > 60 {
            break;
        }
    }
    let t = std::time::Instant::now();
    let set = BallSet::carom();
    let refs: Vec<_> = pics.iter().collect();
    let mut d = Detector::learn(&refs, &cal, &set).unwrap();
    println!("learned {:?} in {:?}", d.balls(), t.elapsed());
    let mut tr = Tracker::new(&cal, d.balls());
    let t = std::time::Instant::now();
    let src = io::open(&a[1]).unwrap();
    let mut k = 0;
    pipeline::watch(src, &mut d, &mut tr, |fr, det, tf| {
        k += 1;
        print!(
            "{} {:.4}{} |",
            fr.seq,
            fr.at.secs(),
            if det.repeated { "R" } else { "" }
        );
        for b in &det.balls {
            print!(
                " {}({:.2},{:.2} s{:.2} c{:.2} v{:.2}{})",
                b.colour,
                b.centre.x,
                b.centre.y,
                b.covariance[0].sqrt(),
                b.confidence,
                b.visible,
                b.streak
                    .map(|s| format!(" h{:.1},{:.1}", s.half.x, s.half.y))
                    .unwrap_or_default()
            );
        }
        print!(" occ{} |", det.occluded.len());
        if let Some(tf) = tf {
            for b in &tf.balls {
                print!(
                    " {}:{:.1},{:.1}{}{}",
                    b.id,
                    b.pos.x,
                    b.pos.y,
                    if b.seen.is_none() { "?" } else { "" },
                    if b.handled { "!" } else { "" }
                );
            }
        } else {
            print!(" -")
        }
        println!();
    })
    .unwrap();
    println!("{} frames in {:?}", k, t.elapsed());
}
