//! What the struck ball did: which balls it touched, and how many cushions before the second of them.

use crate::{
    model::Ball,
    rules::{
        Arg, GameState, Message, Reason,
        carom::{Case, Discipline},
        reading::Fact,
    },
};

/// The facts a carom is counted from.
pub(super) struct Count<'r, 'a> {
    /// Object balls touched, in order, each with its first contact.
    pub(super) touched: Vec<(Ball, &'r Fact<'a>)>,
    /// Cushions before the second object ball; all of them while there is no second.
    pub(super) cushions: Vec<&'r Fact<'a>>,
}

impl<'r, 'a> Count<'r, 'a> {
    pub(super) fn of(case: &Case<'r, 'a>) -> Self {
        let reading = case.reading;
        let mut touched: Vec<_> = (case.objects().into_iter())
            .filter_map(|ball| Some((ball, reading.first_contact(case.struck, ball)?)))
            .collect();
        touched.sort_by_key(|(_, fact)| (fact.ns, fact.index));
        let second = touched.get(1).map(|(_, fact)| *fact);
        let cushions = reading
            .cushions(case.struck)
            .filter(|c| second.is_none_or(|second| reading.before(c, second)))
            .collect();
        Self { touched, cushions }
    }

    /// The first contact with the second object ball: from here on neither cushions nor balls change the count.
    pub(super) fn second(&self) -> Option<&'r Fact<'a>> {
        self.touched.get(1).map(|(_, fact)| *fact)
    }

    /// Both object balls, and cushions enough before the second.
    pub(super) fn valid(&self, discipline: &Discipline) -> bool {
        self.second().is_some() && self.cushions.len() >= discipline.cushions
    }

    /// The contact with the red, and whether another object ball came clearly before it.
    pub(super) fn red(&self) -> Option<&'r Fact<'a>> {
        self.touched
            .iter()
            .find(|(ball, _)| *ball == GameState::RED)
            .map(|(_, fact)| *fact)
    }

    /// The shot in short: cushions and balls in order, up to the second object ball.
    pub(super) fn story(&self, case: &Case<'_, '_>) -> Vec<Message> {
        let first = self.touched.first().map(|(_, fact)| *fact);
        let early = self
            .cushions
            .iter()
            .filter(|c| first.is_none_or(|first| case.reading.before(c, first)))
            .count();
        let between = self.cushions.len() - early;
        let leg = |cushions: usize, ball: Option<&(Ball, &Fact<'_>)>| match (cushions, ball) {
            (0, None) => None,
            (n, None) => Some(Message::new("story.cushions").count(n)),
            (0, Some((ball, _))) => Some(Message::new("story.ball").ball(*ball)),
            (n, Some((ball, _))) => Some(Message::new("story.before").count(n).ball(*ball)),
        };
        let mut legs = self.touched.iter();
        let story: Vec<_> = [leg(early, legs.next()), leg(between, legs.next())]
            .into_iter()
            .flatten()
            .collect();
        if story.is_empty() {
            vec![Message::new("story.none")]
        } else {
            story
        }
    }

    fn contact_indices(&self) -> Vec<usize> {
        self.touched.iter().map(|(_, fact)| fact.index).collect()
    }

    /// CC-P1 and the discipline's own proof.
    pub(super) fn proof(&self, case: &Case<'_, '_>) -> Vec<Reason> {
        let balls = self.touched.iter().map(|(ball, _)| *ball).collect();
        let carom = Message::new("CC-P1")
            .ball(case.struck)
            .with("balls", Arg::Balls(balls));
        vec![
            Reason::new("CC-P1", carom, self.contact_indices()),
            self.cushion_reason(case.discipline.proof),
        ]
    }

    /// CC-F2, and the discipline's own lack when it was the cushions.
    pub(super) fn lack(&self, case: &Case<'_, '_>) -> Vec<Reason> {
        let message = match self.touched.as_slice() {
            [] => Message::new("CC-F2.none"),
            [(only, _)] => Message::new("CC-F2.one").with("only", Arg::Ball(*only)),
            _ => Message::new("CC-F2.cushions"),
        };
        let mut reasons = vec![Reason::new(
            "CC-F2",
            message.ball(case.struck),
            self.contact_indices(),
        )];
        if self.second().is_some() {
            reasons.push(self.cushion_reason(case.discipline.lack));
        }
        reasons
    }

    fn cushion_reason(&self, rule: &'static str) -> Reason {
        let mut events: Vec<usize> = self.cushions.iter().map(|c| c.index).collect();
        events.extend(self.second().map(|s| s.index));
        Reason::new(rule, Message::new(rule).count(self.cushions.len()), events)
    }
}
