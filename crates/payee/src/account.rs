//! Accounts at banks: IBANs (ISO 13616), and the numbers of banks elsewhere.

use std::str::FromStr;

use base::invisible::is_default_ignorable;
use base::typed::hyphen_in_number;
use base::{digits::plain_digit, refuse_if};
use iban::{BaseIban, Iban, IbanLike, ParseIbanError};
use unicode_normalization::UnicodeNormalization;

use crate::{PayeeProblem, pasted};

/// The number without blanks and separators, and an IBAN in capitals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankAccount {
    number: String,
    iban: bool,
}

/// The shortest, Norway's. What looks like an IBAN and is shorter is one only where its
/// country has any.
const SHORTEST_IBAN: usize = 15;
/// Countries with IBANs that the library does not know, since they are not in SWIFT's
/// registry or were not when it was made, and how long theirs are.
const ALSO: [(&str, usize); 24] = [
    ("AO", 25),
    ("BF", 28),
    ("BJ", 28),
    ("CF", 27),
    ("CG", 27),
    ("CI", 28),
    ("CM", 27),
    ("CV", 25),
    ("DZ", 26),
    ("GA", 27),
    ("GQ", 27),
    ("GW", 25),
    ("HN", 28),
    ("IR", 26),
    ("KM", 27),
    ("MA", 28),
    ("MG", 27),
    ("ML", 28),
    ("MZ", 25),
    ("NE", 28),
    ("PK", 24),
    ("SN", 28),
    ("TD", 27),
    ("TG", 28),
];
/// ISO 20022 has room for 34.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=34;
/// Words of two letters that are said of numbers, and are no part of one.
const SAID: [&str; 6] = ["ac", "cc", "id", "no", "nr", "or"];
/// No IBAN has the check digits 00, 01 or 99.
const CHECK_DIGITS: std::ops::RangeInclusive<u8> = 2..=98;

impl BankAccount {
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Whether it names its bank by itself, and the branch where that matters.
    pub const fn is_iban(&self) -> bool {
        self.iban
    }
}

impl FromStr for BankAccount {
    type Err = PayeeProblem;

    fn from_str(typed: &str) -> Result<Self, PayeeProblem> {
        let number: String = pasted(typed).chars().filter(|c| !is_sign(*c)).collect::<String>().to_ascii_uppercase();
        let (is_called_iban, number) = number.strip_prefix("IBAN").map_or((false, &*number), |rest| (true, rest));
        refuse_if(!number.chars().all(|c| c.is_ascii_alphanumeric()), PayeeProblem::NoAccount)?;
        match iban(number) {
            Some(Err(PayeeProblem::IbanCountry)) if number.len() < SHORTEST_IBAN && !is_called_iban => {
                own_number(number, typed)
            }
            Some(Ok(())) => Ok(Self { number: number.to_owned(), iban: true }),
            Some(Err(problem)) => Err(problem),
            None if is_called_iban || has_letters_for_check_digits(number) => Err(PayeeProblem::IbanForm),
            None => own_number(number, typed),
        }
    }
}

/// Separators that people write between groups of digits.
const fn is_sign(c: char) -> bool {
    matches!(hyphen_in_number(c), '-' | '.' | '/' | ':' | '_')
}

/// Digits, among which some banks have letters. Nobody has the number of zeros, or one that was masked: `XXXX2051`.
fn own_number(number: &str, typed: &str) -> Result<BankAccount, PayeeProblem> {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let mostly_digits = digits * 2 >= number.len();
    let is_somebody = number.bytes().any(|b| b != b'0') && !number.contains("XX");
    let is_alone = !has_word(typed) && !has_ifsc(typed) && !has_note(typed);
    let is_number = is_somebody && is_alone && !was_calculated(typed);
    if LENGTHS.contains(&number.len()) && mostly_digits && is_number {
        return Ok(BankAccount { number: number.to_owned(), iban: false });
    }
    Err(PayeeProblem::NoAccount)
}

/// Whether there is a word beside the number, such as in `Acc 12345678`, `A/C`, `CNAPS` or `12345678 USD`, which would
/// become a part of it. Two letters may belong to the number, unless they are said of numbers as in `Nr 12345678`.
fn has_word(typed: &str) -> bool {
    let plain: String = typed.nfkc().filter(|c| !is_default_ignorable(*c)).collect();
    let is_said = |text: &str| text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_numeric);
    let is_short_word = |word: &str| SAID.iter().any(|said| word.eq_ignore_ascii_case(said));
    let is_word = |word: &str| is_said(word) && (word.chars().count() > 2 || is_short_word(word));
    let is_label = |(label, _): (&str, &str)| is_said(label);
    let is_called = plain.trim_start().get(..3).is_some_and(|head| head.eq_ignore_ascii_case("a/c"));
    is_called || plain.split_whitespace().any(is_word) || plain.split_once([':', '.']).is_some_and(is_label)
}

/// Whether there is an IFSC, the code of an Indian branch, in place of the number or beside it: four letters, a zero, and
/// six more.
fn has_ifsc(typed: &str) -> bool {
    let plain: String = typed.nfkc().filter(|c| !is_default_ignorable(*c)).collect();
    plain.split(|c: char| c.is_whitespace() || is_sign(c)).any(|part| {
        let Some((bank, branch)) = part.split_at_checked(4) else { return false };
        let is_branch =
            branch.len() == 7 && branch.starts_with('0') && branch.bytes().all(|b| b.is_ascii_alphanumeric());
        is_branch && bank.bytes().all(|b| b.is_ascii_alphabetic())
    })
}

/// Whether there is a raised or circled figure, which points to a note: as a plain one, it would become a part of the
/// number.
fn has_note(typed: &str) -> bool {
    typed.chars().map(plain_digit).any(|c| c.is_numeric() && !c.is_ascii_digit())
}

/// Whether a spreadsheet took it for a quantity: `12345678.00`, or `1.2345678E7`, which has other digits.
fn was_calculated(typed: &str) -> bool {
    let plain = pasted(typed);
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.split_once('.').is_some_and(|(whole, rest)| {
        let power = rest.split_once(['E', 'e']);
        let is_whole = are_digits(rest) && rest.bytes().all(|b| b == b'0');
        are_digits(whole) && (is_whole || power.is_some_and(|(part, by)| are_digits(part) && are_digits(by)))
    })
}

/// Whether it is an IBAN but for letters that look like its check digits: `DEO2…`.
fn has_letters_for_check_digits(number: &str) -> bool {
    let meant = |(place, c): (usize, char)| match c {
        'O' if place == 2 || place == 3 => '0',
        'I' | 'L' if place == 2 || place == 3 => '1',
        c => c,
    };
    let meant: String = number.chars().enumerate().map(meant).collect();
    meant != number && matches!(iban(&meant), Some(Ok(()) | Err(PayeeProblem::IbanCheck)))
}

/// Checks an IBAN; `None` if it does not begin like one, with two letters and two digits.
fn iban(number: &str) -> Option<Result<(), PayeeProblem>> {
    let (head, bban) = number.split_at_checked(4)?;
    let (country, check) = head.split_at_checked(2)?;
    if !country.bytes().all(|b| b.is_ascii_alphabetic()) || !check.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // The library says only of those with the right check digits whether their country
    // has such.
    let right = CHECK_DIGITS.map(|check| format!("{country}{check:02}{bban}"));
    let Some(right) = right.filter_map(|text| text.parse::<BaseIban>().ok()).next() else {
        return Some(Err(PayeeProblem::IbanForm));
    };
    let formed = match Iban::try_from(right) {
        Ok(_) => true,
        Err(ParseIbanError::UnknownCountry(_)) => match ALSO.iter().find(|(code, _)| *code == country) {
            Some((_, length)) => *length == number.len(),
            None => return Some(Err(PayeeProblem::IbanCountry)),
        },
        Err(_) => false,
    };
    Some(match formed {
        true if right.electronic_str() == number => Ok(()),
        true => Err(PayeeProblem::IbanCheck),
        false => Err(PayeeProblem::IbanForm),
    })
}
