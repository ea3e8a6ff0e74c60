//! The balance that a bank writes on each line: it shows where the lines begin and end, and that none is missing.

use base::{Money, refuse_if};

use super::Form;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::Line;

/// A line of the file, and the balance after it, if it has one.
pub struct Moved {
    pub at: u64,
    pub amount: Money,
    pub balance: Option<Money>,
}

/// The balances before and after all lines.
type Ends = (Money, Money);

/// The balances before and after, or none if the file has none. The newest line may be the first or the last.
pub fn ends(moved: &[Moved], lines: &[Line], form: &Form, field: &str, mistakes: &mut Mistakes) -> Option<Ends> {
    if moved.iter().all(|each| each.balance.is_none()) {
        return None;
    }
    let rises = |up: bool| {
        let mut pairs = lines.iter().zip(lines.iter().skip(1));
        pairs.all(|(one, next)| if up { one.booked_on <= next.booked_on } else { one.booked_on >= next.booked_on })
    };
    let (up, down) = (rises(true), rises(false));
    let newest_last = || through(moved.iter());
    let newest_first = || through(moved.iter().rev());
    let found = match (up, down) {
        (true, false) => newest_last(),
        (false, true) => newest_first(),
        _ => match (newest_last(), newest_first()) {
            (Ok(last), Ok(first)) if last != first => among([last, first], form).ok_or((1, Problem::NewestUnclear)),
            (Err(_), Ok(ends)) | (Ok(ends), _) => Ok(ends),
            (Err(told), Err(_)) => Err(told),
        },
    };
    as_named(found, form, field, mistakes)
}

/// The one that whoever imports the file has named.
fn among(both: [Ends; 2], form: &Form) -> Option<Ends> {
    let is_named = |(opening, closing): &Ends| {
        form.closing.is_some_and(|named| named == *closing) && form.opening.is_none_or(|named| named == *opening)
    };
    let mut named = both.into_iter().filter(is_named);
    named.next().filter(|_| named.next().is_none())
}

fn as_named(found: Result<Ends, (u64, Problem)>, form: &Form, field: &str, mistakes: &mut Mistakes) -> Option<Ends> {
    let (opening, closing) = found.map_err(|(at, problem)| mistakes.add(at, field, problem)).ok()?;
    for (name, named, balance) in [("--opening", form.opening, opening), ("--closing", form.closing, closing)] {
        if let Some(named) = named.filter(|named| *named != balance) {
            mistakes.add(1, name, Problem::OtherBalance { named });
        }
    }
    Some((opening, closing))
}

/// From the oldest line to the newest.
fn through<'a>(moved: impl Iterator<Item = &'a Moved>) -> Result<Ends, (u64, Problem)> {
    let (mut opening, mut sum, mut without) = (None, Money::ZERO, None);
    for Moved { at, amount, balance } in moved {
        let large = |_| (*at, Problem::TooLarge);
        sum = sum.plus(*amount).map_err(large)?;
        let Some(balance) = *balance else {
            without = Some(*at);
            continue;
        };
        without = None;
        let begins = match opening {
            Some(begins) => begins,
            None => balance.minus(sum).map_err(large)?,
        };
        opening = Some(begins);
        let made = begins.plus(sum).map_err(large)?;
        refuse_if(made != balance, (*at, Problem::OtherSum { balance, made }))?;
    }
    // Some banks list lines that are not booked yet, and give no balance for these.
    let newest = without.map(|at| (at, Problem::NewestWithout));
    match (opening, newest) {
        (_, Some(problem)) => Err(problem),
        (None, None) => Err((1, Problem::Missing)),
        (Some(opening), None) => Ok((opening, opening.plus(sum).map_err(|_| (1, Problem::TooLarge))?)),
    }
}
