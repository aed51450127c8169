//! Reading notation.

use crate::{
    model::{
        Ball, Cushion, Pin, PinCause, Pocket, Zone,
        notation::{
            AtRestIn, Entry, Names, Precision, Script, Term, Written,
            cursor::{Cursor, Parsed},
        },
    },
    units::TablePoint,
};

pub(super) fn script(text: &str, names: &Names) -> Parsed<Script> {
    let mut cursor = Cursor { text, at: 0, names };
    let mut script = Script::default();
    loop {
        cursor.skip_space();
        if cursor.at_end() {
            return Ok(script);
        }
        if cursor.eat(';') {
            continue;
        }
        script.groups.push(if cursor.eat('{') {
            cursor.group()?
        } else {
            vec![cursor.entry()?]
        });
        cursor.skip_comment()?;
        if !cursor.at_end() && cursor.peek() != Some(';') {
            return cursor.fail("expected ; or the end");
        }
    }
}

impl Cursor<'_> {
    /// Terms up to `}`.
    fn group(&mut self) -> Parsed<Vec<Entry>> {
        let mut entries = Vec::new();
        loop {
            self.skip_space();
            entries.push(self.entry()?);
            self.skip_comment()?;
            if self.eat('}') {
                return Ok(entries);
            }
            if !self.eat(',') {
                return self.fail("expected , or }");
            }
        }
    }

    fn entry(&mut self) -> Parsed<Entry> {
        let term = self.term()?;
        self.skip_space();
        let precision = if self.eat('[') {
            self.precision()?
        } else {
            Precision::default()
        };
        Ok(Entry { term, precision })
    }

    fn term(&mut self) -> Parsed<Term> {
        match () {
            () if self.eat_word("REST") => self.rest_term(),
            () if self.eat_word("CUT") => Ok(Term::Cut),
            () if self.eat_call("OP(interference") => self.interference(),
            () if self.eat_call("OP(") => Ok(Term::Operator {
                text: self.inside()?.to_owned(),
            }),
            () if self.eat_call("CALL(") => {
                let words = self
                    .inside()?
                    .split(',')
                    .map(|w| w.trim().to_owned())
                    .collect();
                Ok(Term::Call { words })
            }
            () if self.eat_call("H(") => {
                let ball = self.ball()?;
                self.expect(')').map(|()| Term::Hand { ball })
            }
            () if self.eat_call("S(") => self.strike(),
            () => self.fact(),
        }
    }

    fn interference(&mut self) -> Parsed<Term> {
        self.skip_space();
        let ball = if self.peek() == Some(')') {
            None
        } else {
            Some(self.ball()?)
        };
        self.expect(')').map(|()| Term::Interference { ball })
    }

    fn strike(&mut self) -> Parsed<Term> {
        let ball = self.ball()?;
        let moving = self.eat('!');
        if moving && !self.eat_word("moving") {
            return self.fail("expected moving");
        }
        self.expect(')').map(|()| Term::Strike { ball, moving })
    }

    /// A term that begins with the name of a ball or of pins.
    fn fact(&mut self) -> Parsed<Term> {
        let at = self.at;
        let name = self.name();
        if name.is_empty() {
            return self.fail("expected a ball, a pin, S( H( OP( CALL( REST or CUT");
        }
        if let Some(ball) = self.names.ball(name) {
            return self.of_ball(ball);
        }
        match Pin::from_name(name) {
            Some(pin) => self.of_pin(pin),
            None => self.fail_at(at, format!("\"{name}\" is neither a ball nor a pin")),
        }
    }

    fn of_ball(&mut self, ball: Ball) -> Parsed<Term> {
        match self.peek() {
            Some('>') => self.contact(ball),
            Some('/' | '|') => {
                self.at += 1;
                self.named("cushion (S N W E)", Cushion::from_name)
                    .map(|cushion| Term::Cushion { ball, cushion })
            }
            Some('@') => {
                self.at += 1;
                self.named("pocket (SW SE MW ME NW NE)", Pocket::from_name)
                    .map(|pocket| Term::Pocketed { ball, pocket })
            }
            Some('^') => {
                self.at += 1;
                Ok(Term::Off { ball })
            }
            Some('-') => self.zone().map(|zone| Term::ZoneExit { ball, zone }),
            Some('+') => self.zone().map(|zone| Term::ZoneEntry { ball, zone }),
            _ => self.fail("expected one of > / @ ^ - + after a ball"),
        }
    }

    fn contact(&mut self, driver: Ball) -> Parsed<Term> {
        self.expect('>')?;
        let at = self.at;
        let name = self.name();
        if self.eat_call("_lying") {
            let pin = Pin::from_name(name).map(|pin| Term::LyingPushed { ball: driver, pin });
            return pin.map_or_else(|| self.fail_at(at, format!("\"{name}\" is no pin")), Ok);
        }
        match self.names.ball(name) {
            Some(other) if other == driver => self.fail_at(at, "a ball cannot touch itself"),
            Some(other) => Ok(Term::Contact { driver, other }),
            None => self.fail_at(at, format!("\"{name}\" is no ball")),
        }
    }

    fn zone(&mut self) -> Parsed<Zone> {
        self.at += 1;
        self.zone_name()
    }

    fn zone_name(&mut self) -> Parsed<Zone> {
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == ':');
        if name.is_empty() {
            self.fail("expected a zone")
        } else {
            Ok(Zone(name.to_owned()))
        }
    }

    fn of_pin(&mut self, pin: Pin) -> Parsed<Term> {
        match self.peek() {
            Some('!') => {
                self.at += 1;
                Ok(Term::Pins {
                    pins: vec![pin],
                    by: PinCause::Unknown,
                })
            }
            Some('~') => {
                self.at += 1;
                Ok(Term::PinMoved { pin })
            }
            Some('_') => {
                self.at += 1;
                Ok(Term::PinOnRail { pin })
            }
            Some('^') => {
                self.at += 1;
                self.ball().map(|on| Term::PinLeaning { pin, on })
            }
            _ => self.toppled(pin),
        }
    }

    /// `n*O`, `n,s,e*O`.
    fn toppled(&mut self, first: Pin) -> Parsed<Term> {
        let mut pins = vec![first];
        while self.eat(',') {
            self.skip_space();
            pins.push(self.named("pin (c n s w e p1 p3)", Pin::from_name)?);
        }
        if !self.eat('*') {
            return self.fail("expected one of * ! ~ ^ _ after a pin");
        }
        let at = self.at;
        let name = self.name();
        let by = self
            .names
            .ball(name)
            .map(PinCause::Ball)
            .or_else(|| PinCause::from_name(name));
        match by {
            Some(by) => Ok(Term::Pins { pins, by }),
            None => self.fail_at(at, format!("\"{name}\" is neither a ball nor a pin")),
        }
    }

    fn rest_term(&mut self) -> Parsed<Term> {
        let (mut places, mut zones) = (Vec::new(), Vec::new());
        loop {
            self.skip_space();
            self.eat(',');
            self.skip_space();
            if self.at_end() || self.peek().is_some_and(|c| ";}([".contains(c)) {
                return Ok(Term::Rest { places, zones });
            }
            self.rest_part(&mut places, &mut zones)?;
        }
    }

    /// `A=1400,700`, `A x=120`, `A,R in Z`, `all in Z`, `A outside`.
    fn rest_part(
        &mut self,
        places: &mut Vec<(Ball, Written)>,
        zones: &mut Vec<AtRestIn>,
    ) -> Parsed<()> {
        let mut balls = Vec::new();
        if !self.eat_word("all") && !self.eat_word("both") {
            let ball = self.ball()?;
            if self.eat('=') {
                let x = self.number()?;
                self.expect(',')?;
                places.push((
                    ball,
                    Written {
                        x,
                        y: Some(self.number()?),
                    },
                ));
                return Ok(());
            }
            balls.push(ball);
            while self.eat(',') {
                balls.push(self.ball()?);
            }
        }
        self.skip_space();
        if let ([ball], true) = (balls.as_slice(), self.eat_call("x=")) {
            places.push((
                *ball,
                Written {
                    x: self.number()?,
                    y: None,
                },
            ));
            return Ok(());
        }
        let inside = self.eat_word("in");
        if !inside && !self.eat_word("outside") {
            return self.fail("expected =X,Y or x=X or in ZONE or outside");
        }
        self.skip_space();
        let named = inside || self.peek().is_some_and(|c| c.is_ascii_alphanumeric());
        let zone = if named { Some(self.zone_name()?) } else { None };
        zones.push(AtRestIn {
            balls,
            inside,
            zone,
        });
        Ok(())
    }

    /// `120ms ±3ms 95% @700,650]`, in any order; `+-` stands for `±`.
    fn precision(&mut self) -> Parsed<Precision> {
        let mut known = Precision::default();
        loop {
            self.skip_space();
            if self.eat(']') {
                return Ok(known);
            }
            if self.eat('@') {
                let x = self.number()?;
                self.expect(',')?;
                known.at = Some(TablePoint::new(x, self.number()?));
                continue;
            }
            let sigma = self.eat('±') || self.eat_call("+-");
            let at = self.at;
            let number = self.number()?;
            match (sigma, self.eat('%'), self.eat_call("ms")) {
                (true, _, true) if number >= 0.0 => known.sigma_ms = Some(number),
                (false, true, _) if (0.0..=100.0).contains(&number) => known.percent = Some(number),
                (false, false, true) => known.ms = Some(number),
                _ => {
                    return self.fail_at(
                        at,
                        "expected a time in ms, ± a time in ms, or a probability in %",
                    );
                }
            }
        }
    }
}
