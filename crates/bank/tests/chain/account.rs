//! An account's history in memory.

use std::collections::BTreeMap;

use bank::{Day, Extent, Gap, Line, Misplaced, Span, Statement, Stored, day_within, gaps, place};
use base::{Money, Timestamp};

pub fn day(n: usize) -> Day {
    Day::of(Timestamp::from_seconds(i64::try_from(20_000 + n).expect("small") * 86_400))
}

pub fn line(on: usize, minor: i64, reference: &str) -> Line {
    Line {
        id: String::new(),
        booked_on: day(on),
        amount: Money::from_minor(minor),
        references: vec![reference.into()],
        counterparty: String::new(),
        description: String::new(),
        reversal: false,
    }
}

pub fn file(opening: i64, lines: &[Line]) -> Statement {
    let days = || lines.iter().map(|line| line.booked_on);
    let closing = opening + lines.iter().map(|line| line.amount.minor()).sum::<i64>();
    Statement {
        account: "A".into(),
        currency: "USD".into(),
        number: String::new(),
        from: days().min().unwrap_or_default(),
        to: days().max().unwrap_or_default(),
        opening: Some(Money::from_minor(opening)),
        closing: Some(Money::from_minor(closing)),
        lines: lines.to_vec(),
        left_out: 0,
        passed_over: Vec::new(),
    }
}

/// An account as a database keeps it.
#[derive(Clone, Default)]
pub struct Account {
    pub spans: BTreeMap<i64, Extent>,
    parts: Vec<(i64, Extent)>,
    pub lines: Vec<(i64, Stored)>,
    /// The first day of the statement that each line is of.
    firsts: BTreeMap<i64, Day>,
    next: i64,
}

impl Account {
    pub fn import(&mut self, file: &Statement, told: Option<usize>) -> Result<(usize, usize), Misplaced> {
        let earliest = file.lines.iter().map(|line| line.booked_on).fold(file.from, Day::min);
        let begins = |extent: &Extent| if extent.balances.is_some() { file.from } else { earliest };
        let meets = |extent: &Extent| extent.from <= file.to && extent.to >= begins(extent);
        let span = |(id, extent): (&i64, &Extent)| {
            let own: Vec<&Stored> = self.lines.iter().filter(|(span, _)| span == id).map(|(_, kept)| kept).collect();
            let is_before = |kept: &&&Stored| kept.line.booked_on.max(self.firsts[&kept.id]) < file.from;
            let before = own.iter().filter(is_before).map(|kept| kept.line.amount);
            let seen = |kept: &&Stored| {
                let (booked_on, first) = (kept.line.booked_on, self.firsts[&kept.id]);
                let booked_on = match extent.balances.is_some() {
                    true => day_within(booked_on, first, file)?,
                    false => booked_on,
                };
                Some(Stored { line: Line { booked_on, ..kept.line.clone() }, ..**kept })
            };
            Span {
                id: *id,
                extent: *extent,
                parts: self.parts.iter().filter(|(span, _)| span == id).map(|(_, part)| *part).collect(),
                before: Money::sum(before).expect("a sum"),
                lines: own.iter().filter_map(seen).collect(),
            }
        };
        let spans: Vec<Span> = self.spans.iter().filter(|(_, extent)| meets(extent)).map(span).collect();
        let found = place(file, &spans, told)?;
        self.next += 1;
        let id = self.next;
        self.lines.iter_mut().filter(|(span, _)| found.joined.contains(span)).for_each(|(span, _)| *span = id);
        self.parts.iter_mut().filter(|(span, _)| found.joined.contains(span)).for_each(|(span, _)| *span = id);
        let joined = self.spans.iter().filter(|(span, _)| found.joined.contains(span));
        self.parts.extend(joined.map(|(_, extent)| (id, *extent)));
        self.lines.iter_mut().filter(|(_, kept)| found.proven.contains(&kept.id)).for_each(|(span, _)| *span = id);
        self.spans.retain(|span, _| !found.joined.contains(span));
        for (span, extent) in &found.left {
            self.spans.remove(span);
            self.spans.extend(extent.map(|extent| (*span, extent)));
        }
        self.spans.insert(id, found.extent);
        for at in &found.new {
            self.next += 1;
            self.firsts.insert(self.next, file.from);
            let (line, numbered) = (file.lines[*at].clone(), !file.number.is_empty());
            self.lines.push((id, Stored { id: self.next, line, numbered }));
        }
        Ok((found.new.len(), found.known))
    }

    pub fn gaps(&self) -> Vec<Gap> {
        gaps(&self.spans.values().copied().collect::<Vec<_>>())
    }

    pub fn stored(&self) -> Vec<(Day, i64, String)> {
        essence(self.lines.iter().map(|(_, kept)| &kept.line))
    }
}

pub fn essence<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<(Day, i64, String)> {
    let mut all: Vec<_> = lines.map(|line| (line.booked_on, line.amount.minor(), line.references.concat())).collect();
    all.sort();
    all
}
