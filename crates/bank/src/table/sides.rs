//! Whether an amount comes in or goes out, where another column than its own says so.

use base::Money;

use crate::mistakes::{Mistakes, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    In,
    Out,
}

const IN: &str = "c, cr, crdt, credit, h, haben, in, bij, eingang, kredit, кредит, 收, 收入, 贷, 貸, crédito, credito, \
    abono, avere, accredito, alacak, 入金, 입금, +";
const OUT: &str = "d, dr, dbit, debit, s, soll, out, af, ausgang, debet, дебет, 支, 支出, 借, débito, debito, cargo, \
    dare, addebito, borç, 出金, 출금, -";

/// The side that a word says.
pub fn side(word: &str) -> Option<Side> {
    let word = word.trim_end_matches('.').to_lowercase();
    let said = |words: &str| words.split(", ").any(|said| said == word);
    if said(IN) { Some(Side::In) } else { said(OUT).then_some(Side::Out) }
}

/// The side that a kind of payment says. Single letters may be other kinds: `D` may be a deposit.
pub fn side_of_kind(word: &str) -> Option<Side> {
    side(word).filter(|_| word.chars().count() > 3)
}

/// Kinds of payments that go out, where banks mark them by nothing else. What they call a deposit may be either.
const LEAVING: &str = "withdrawal, withdrawals, withdraw, paid out, money out, outgoing payment, outgoing transfer, \
    sent, auszahlung, retrait, retiro, saque, снятие, 取款, 출금";

/// The side of a kind of payment that says it only by its name. Where lines without a sign say nothing, neither is
/// certain: a file of deposits and withdrawals is not one of deposits.
pub fn side_by_name(word: &str) -> Option<Side> {
    let word = word.to_lowercase();
    LEAVING.split(", ").any(|leaving| leaving == word).then_some(Side::Out)
}

/// How the lines of a file mark outgoing money. A negative sign in addition may mean a reversal, so all lines must use
/// one way.
#[derive(Default)]
pub struct Signs {
    /// The first line that goes out without a sign of its own, and with one.
    unsigned: Option<u64>,
    signed: Option<u64>,
    /// The first line without a sign of which no word says where it goes.
    unsaid: Option<u64>,
}

impl Signs {
    /// An amount as its side says.
    ///
    /// # Errors
    /// `OtherSide` if it is said to come in and is negative.
    pub fn of(&mut self, at: u64, amount: Money, side: Option<Side>) -> Result<Money, Problem> {
        match side {
            None => {
                if amount.is_positive() {
                    self.unsaid.get_or_insert(at);
                }
                Ok(amount)
            }
            Some(Side::In) if amount.is_negative() => Err(Problem::OtherSide),
            Some(Side::Out) if amount.is_positive() => {
                self.unsigned.get_or_insert(at);
                amount.negated().map_err(|_| Problem::TooLarge)
            }
            Some(Side::Out) if amount.is_negative() => {
                self.signed.get_or_insert(at);
                Ok(amount)
            }
            Some(_) => Ok(amount),
        }
    }

    /// Whether all lines say it in one way.
    pub fn check(&self, field: &str, mistakes: &mut Mistakes) {
        let other = [self.signed, self.unsaid].into_iter().flatten().min();
        if let Some((one, other)) = self.unsigned.zip(other) {
            mistakes.add(one.max(other), field, Problem::OtherSign { line: one.min(other) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_where_money_goes() {
        for word in ["CREDIT", "Cr.", "C", "Haben", "Bij", "Eingang", "Crédito", "+"] {
            assert_eq!(side(word), Some(Side::In), "{word}");
        }
        for word in ["Debit", "DR", "s", "Af", "Ausgang", "借", "Débito", "-"] {
            assert_eq!(side(word), Some(Side::Out), "{word}");
        }
        for word in ["", "Card Payment", "CHECK", "debits"] {
            assert_eq!(side(word), None, "{word}");
        }
        for (word, expected) in [("DEBIT", Some(Side::Out)), ("Eingang", Some(Side::In)), ("D", None), ("Cr.", None)] {
            assert_eq!(side_of_kind(word), expected, "{word}");
        }
    }

    #[test]
    fn what_is_drawn_out_goes_out() {
        assert_eq!((side_by_name("Withdrawal"), side_by_name("출금")), (Some(Side::Out), Some(Side::Out)));
        assert_eq!((side_by_name("Deposit"), side_by_name("Transfer"), side("Withdrawal")), (None, None, None));
    }

    #[test]
    fn all_lines_say_it_in_one_way() {
        let of = |lines: &[(i64, Option<Side>)]| {
            let (mut signs, mut mistakes) = (Signs::default(), Mistakes::default());
            let minor: Vec<Result<i64, Problem>> = (2..)
                .zip(lines)
                .map(|(at, (minor, side))| signs.of(at, Money::from_minor(*minor), *side).map(Money::minor))
                .collect();
            signs.check("amount", &mut mistakes);
            (minor, mistakes.to_string())
        };
        let (into, out) = (Some(Side::In), Some(Side::Out));
        assert_eq!(of(&[(5, into), (7, out), (0, out)]), (vec![Ok(5), Ok(-7), Ok(0)], String::new()));
        assert_eq!(of(&[(5, into), (-7, out), (3, None)]), (vec![Ok(5), Ok(-7), Ok(3)], String::new()));
        assert_eq!(of(&[(-5, into)]).0[0], Err(Problem::OtherSide));
        let told = "line 3: amount says in another way than line 2 whether it comes in or goes out; neither is certain";
        assert_eq!(of(&[(7, out), (-7, out)]).1, told);
        assert_eq!(of(&[(7, None), (7, out)]).1, told);
    }
}
