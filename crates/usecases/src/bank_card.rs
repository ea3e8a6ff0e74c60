//! Where the user is paid to.

use std::collections::BTreeMap;

use base::UserId;
use store::bank_cards::{self, BankCard, Destination};
use store::books::Books;

use crate::{App, Error};

/// What was bound, fit to be shown: of the number only the last four
/// characters are legible.
pub async fn bank_card(app: &App, user: UserId) -> Result<Option<Destination>, Error> {
    let found = app.db.read(move |conn| bank_cards::find(conn, user)).await?;
    Ok(found.map(masked))
}

/// Binds a destination in place of the one before, and answers it masked.
/// Withdrawals asked for before go where they were asked to.
///
/// # Errors
/// Every wrong field, with `required`, `too_long`, `invalid_phone` or
/// `invalid`.
pub async fn edit_bank_card(app: &App, user: UserId, typed: Destination) -> Result<Destination, Error> {
    let destination = checked(typed)?;
    app.db.write(move |tx| {
        Books::lock_user(tx, user)?;
        bank_cards::save(tx, user, &destination)?;
        Ok(masked(destination.clone()))
    })
    .await
}

const LONGEST: usize = 120;
const ACCOUNT_LENGTHS: std::ops::RangeInclusive<usize> = 6..=64;
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 5..=20;

fn checked(typed: Destination) -> Result<Destination, Error> {
    let mut form = Form::default();
    let destination = match typed {
        Destination::BankCard(card) => Destination::BankCard(BankCard {
            card_name: form.required("card_name", &card.card_name),
            user_name: form.required("user_name", &card.user_name),
            mobile: form.phone("mobile", &card.mobile),
            bank_name: form.required("bank_name", &card.bank_name),
            bank_account: form.account("bank_account", &card.bank_account),
            branch_name: form.required("branch_name", &card.branch_name),
            beneficiary_name: form.text("beneficiary_name", &card.beneficiary_name),
            bank_address: form.text("bank_address", &card.bank_address),
        }),
        Destination::WalletAddress { network, address } => Destination::WalletAddress {
            network: form.required("network", &network),
            address: form.account("address", &address),
        },
    };
    if form.problems.is_empty() { Ok(destination) } else { Err(Error::Fields(form.problems)) }
}

/// Collects the problems of all fields, so that the user is told once.
#[derive(Default)]
struct Form {
    problems: BTreeMap<&'static str, &'static str>,
}

impl Form {
    fn text(&mut self, name: &'static str, typed: &str) -> String {
        let text = typed.trim();
        if text.chars().count() > LONGEST {
            self.problems.insert(name, "too_long");
        } else if text.chars().any(char::is_control) {
            self.problems.insert(name, "invalid");
        }
        text.to_owned()
    }

    fn required(&mut self, name: &'static str, typed: &str) -> String {
        let text = self.text(name, typed);
        if text.is_empty() {
            self.problems.insert(name, "required");
        }
        text
    }

    fn phone(&mut self, name: &'static str, typed: &str) -> String {
        let text = self.required(name, typed);
        let digits = text.strip_prefix('+').unwrap_or(&text);
        let shaped = digits.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')'));
        let count = digits.chars().filter(char::is_ascii_digit).count();
        if !(shaped && PHONE_DIGITS.contains(&count)) {
            self.problems.entry(name).or_insert("invalid_phone");
        }
        text
    }

    /// Letters, digits, blanks and hyphens: a masked number that was sent back
    /// as it was shown is none.
    fn account(&mut self, name: &'static str, typed: &str) -> String {
        let text = self.required(name, typed);
        let shaped = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | ':' | '_'));
        if !(shaped && ACCOUNT_LENGTHS.contains(&text.len())) {
            self.problems.entry(name).or_insert("invalid");
        }
        text
    }
}

fn masked(destination: Destination) -> Destination {
    match destination {
        Destination::BankCard(card) => {
            let bank_account = mask(&card.bank_account);
            Destination::BankCard(BankCard { bank_account, ..card })
        }
        Destination::WalletAddress { network, address } => Destination::WalletAddress { network, address: mask(&address) },
    }
}

/// Four stars and the last four letters or digits, whatever the length.
fn mask(number: &str) -> String {
    let plain: Vec<char> = number.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let shown: String = plain.iter().skip(plain.len().saturating_sub(4)).collect();
    format!("****{shown}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> BankCard {
        let text = |text: &str| text.to_owned();
        BankCard {
            card_name: text("Main"),
            user_name: text(" Ann Lee "),
            mobile: text("+49 170 1234567"),
            bank_name: text("Bank"),
            bank_account: text("DE02 1203 0000 0000 2020 51"),
            branch_name: text("Mitte"),
            beneficiary_name: String::new(),
            bank_address: String::new(),
        }
    }

    fn problems(destination: Destination) -> Vec<(&'static str, &'static str)> {
        match checked(destination) {
            Err(Error::Fields(fields)) => fields.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_whole_card_is_taken_and_trimmed() {
        let Ok(Destination::BankCard(kept)) = checked(Destination::BankCard(card())) else { panic!("refused") };
        assert_eq!(kept.user_name, "Ann Lee");
        assert!(checked(Destination::WalletAddress { network: "TRC20".into(), address: "TXYZ1234567890".into() }).is_ok());
    }

    #[test]
    fn every_wrong_field_is_told_at_once() {
        let wrong = BankCard { card_name: " ".into(), mobile: "call me".into(), bank_account: "****2051".into(), ..card() };
        let expected = [("bank_account", "invalid"), ("card_name", "required"), ("mobile", "invalid_phone")];
        assert_eq!(problems(Destination::BankCard(wrong)), expected);
        let empty = Destination::WalletAddress { network: String::new(), address: String::new() };
        assert_eq!(problems(empty), [("address", "required"), ("network", "required")]);
    }

    #[test]
    fn texts_are_short_and_plain() {
        let wrong = BankCard { bank_name: "x".repeat(121), bank_address: "a\u{0}b".into(), ..card() };
        assert_eq!(problems(Destination::BankCard(wrong)), [("bank_address", "invalid"), ("bank_name", "too_long")]);
    }

    #[test]
    fn only_the_last_four_are_legible() {
        assert_eq!(mask("DE02 1203 0000 0000 2020 51"), "****2051");
        assert_eq!(mask("1234567890"), "****7890");
        assert_eq!(mask("12"), "****12");
    }
}
