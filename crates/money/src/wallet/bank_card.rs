//! The user's payout account.

use auth::Vault;
use auth::username::marks_are_on_letters;
use base::{Field, UserId};
use foundation::accounts::restrictions::{hold_payouts, lock_own, may_set_up};
use foundation::fields::{phone, shown};
use foundation::notices::{NoticeKind, notify};
use foundation::people::account_audit;
use foundation::people::pay_password::Proof;
use foundation::staff::{ANOTHER, BEFORE, Changes};
use foundation::{App, Error, Fields};
use payee::{BankAccount, Network, Networks, PayeeProblem};
use serde::Serialize;
use store::people::pay_passwords;
use store::wallet::bank_cards;
use store::wallet::books::Books;
use store::{Conn, Tx};
use utoipa::ToSchema;

use crate::wallet::destination::{BankCard, Destination};

/// A destination as typed, or as shown: then all but the last four characters of its
/// number are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "method", rename_all = "snake_case")]
#[schema(as = BankCard)]
pub enum CardView {
    BankCard {
        card_name: String,
        user_name: String,
        mobile: String,
        bank_name: String,
        bank_account: String,
        branch_name: String,
        #[serde(default)]
        beneficiary_name: Option<String>,
        #[serde(default)]
        bank_address: Option<String>,
    },
    WalletAddress {
        network: String,
        address: String,
    },
}

/// The bound destination, masked.
pub async fn bank_card(app: &App, user: UserId) -> Result<Option<CardView>, Error> {
    let vault = app.secrets.vault();
    let found = app.db.read(move |conn| find_bound(conn, &vault, user)).await?;
    Ok(found.as_ref().map(masked))
}

/// What the user typed, validated.
#[derive(Clone, Debug)]
pub struct NewBankCard(Destination);

impl NewBankCard {
    /// # Errors
    /// Every wrong field, with `required`, `too_long`, `invalid_phone`, `invalid`,
    /// `network_not_offered`, or what is wrong with a number or an address.
    pub fn read(app: &App, typed: CardView) -> Result<Self, Error> {
        checked(&app.settings.networks, typed).map(Self)
    }
}

/// Who binds: a user who gave the transaction password, or one who has not set any.
#[derive(Debug)]
pub enum Binder {
    Proven(Proof),
    WithoutPassword(UserId),
}

/// Where the user is paid now.
pub(crate) fn find_bound(conn: &mut Conn, vault: &Vault, user: UserId) -> Result<Option<Destination>, Error> {
    let sealed = bank_cards::find(conn, user)?;
    sealed.map(|sealed| Destination::open(vault, bank_cards::place(user), &sealed)).transpose()
}

/// Binds a destination, replacing the previous one, and returns it masked. Earlier
/// withdrawals keep their destination. In a live installation, new withdrawals and
/// exchanges then wait a day, unless it is the first destination and nothing was ever
/// booked for the user: then there is nothing to steal.
///
/// # Errors
/// Those of `Proof::spend`; the field `password`, `required` if one is set and was not
/// given; `pay_setup_on_hold` if none is set; `TooManyRequests` after too many on one day.
pub async fn bind_card(app: &App, binder: Binder, typed: NewBankCard) -> Result<CardView, Error> {
    let (NewBankCard(destination), vault) = (typed, app.secrets.vault());
    match binder {
        Binder::Proven(proof) => {
            let user = proof.user();
            proof.spend(app, move |tx, books| bind(tx, books, &vault, user, &destination)).await
        }
        Binder::WithoutPassword(user) => {
            app.db
                .write(move |tx| {
                    let books = lock_own(tx, user)?;
                    Error::field_if(pay_passwords::hash(tx, user)?.is_some(), Field::Password, "required")?;
                    may_set_up(tx, user)?;
                    bind(tx, &books, &vault, user, &destination)
                })
                .await
        }
    }
}

fn bind(
    tx: &mut Tx<'_>,
    books: &Books,
    vault: &Vault,
    user: UserId,
    destination: &Destination,
) -> Result<CardView, Error> {
    let before = find_bound(tx, vault, user)?;
    // Nothing changes, so nothing is recorded: otherwise staff would be told that the account changed after a
    // withdrawal was requested.
    if before.as_ref() == Some(destination) {
        return Ok(masked(destination));
    }
    account_audit::may_change_again(tx, user, account_audit::PAYOUT_BOUND)?;
    bank_cards::save(tx, user, &destination.seal(vault, bank_cards::place(user))?)?;
    notify(tx, user, &NoticeKind::BankCardChanged { number: number(destination) })?;
    if before.is_some() || !books.never_used() {
        hold_payouts(tx, user)?;
    }
    let had = before.as_ref().map(|_| BEFORE);
    let changes = Changes::default().and("payout_account", had, ANOTHER);
    account_audit::record(tx, user, account_audit::PAYOUT_BOUND, changes)?;
    Ok(masked(destination))
}

const LONGEST: usize = 120;

fn checked(networks: &Networks, typed: CardView) -> Result<Destination, Error> {
    let mut form = CardForm::default();
    let destination = match typed {
        CardView::BankCard {
            card_name,
            user_name,
            mobile,
            bank_name,
            bank_account,
            branch_name,
            beneficiary_name,
            bank_address,
        } => {
            let account = form.payee(Field::BankAccount, &bank_account, str::parse::<BankAccount>);
            // An IBAN names the branch already. That also holds for a mistyped IBAN, which the user is about to
            // correct.
            let slip = [PayeeProblem::IbanForm, PayeeProblem::IbanCheck].map(PayeeProblem::key);
            let is_slip = form.problems.get(&Field::BankAccount).is_some_and(|problem| slip.contains(problem));
            let needs_branch = !is_slip && account.as_ref().is_none_or(|account| !account.is_iban());
            Destination::BankCard(BankCard {
                card_name: form.required(Field::CardName, &card_name),
                user_name: form.required(Field::UserName, &user_name),
                mobile: form.phone(Field::Mobile, &mobile),
                bank_name: form.required(Field::BankName, &bank_name),
                bank_account: account.map(|account| account.number().to_owned()).unwrap_or_default(),
                branch_name: match needs_branch {
                    true => form.required(Field::BranchName, &branch_name),
                    false => form.text(Field::BranchName, &branch_name),
                },
                beneficiary_name: form.text(Field::BeneficiaryName, &beneficiary_name.unwrap_or_default()),
                bank_address: form.text(Field::BankAddress, &bank_address.unwrap_or_default()),
            })
        }
        CardView::WalletAddress { network, address } => {
            let network = form.network(Field::Network, &network, networks);
            let read = |typed: &str| network.map_or_else(|| Ok(String::new()), |network| network.address(typed));
            let address = form.payee(Field::Address, &address, read).unwrap_or_default();
            Destination::WalletAddress { network: network.map(Network::name).unwrap_or_default().to_owned(), address }
        }
    };
    if form.problems.is_empty() { Ok(destination) } else { Err(Error::Fields(form.problems)) }
}

/// The fields that were read, and the problems of all of them.
#[derive(Default)]
struct CardForm {
    problems: Fields,
}

impl CardForm {
    fn text(&mut self, name: Field, typed: &str) -> String {
        let text = shown(typed);
        if text.chars().count() > LONGEST {
            self.problems.insert(name, "too_long");
        } else if text.chars().any(char::is_control) || !marks_are_on_letters(&text) {
            self.problems.insert(name, "invalid");
        }
        text
    }

    fn required(&mut self, name: Field, typed: &str) -> String {
        let text = self.text(name, typed);
        if text.is_empty() {
            self.problems.insert(name, "required");
        }
        text
    }

    fn phone(&mut self, name: Field, typed: &str) -> String {
        let text = self.required(name, typed);
        let plain = phone(&text).map_err(|problem| self.problems.entry(name).or_insert(problem));
        plain.unwrap_or_default()
    }

    fn network(&mut self, name: Field, typed: &str, offered: &Networks) -> Option<Network> {
        let text = self.required(name, typed);
        let found = offered.find(&text);
        if found.is_none() {
            self.problems.entry(name).or_insert("network_not_offered");
        }
        found
    }

    /// Reads a number or an address by its own rule. A masked one that is sent back does not pass.
    fn payee<T>(&mut self, name: Field, typed: &str, read: impl FnOnce(&str) -> Result<T, PayeeProblem>) -> Option<T> {
        self.required(name, typed);
        if self.problems.contains_key(&name) {
            return None;
        }
        read(typed).map_err(|problem| self.problems.insert(name, problem.key())).ok()
    }
}

fn masked(destination: &Destination) -> CardView {
    let present = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    match destination {
        Destination::BankCard(card) => CardView::BankCard {
            card_name: card.card_name.clone(),
            user_name: card.user_name.clone(),
            mobile: card.mobile.clone(),
            bank_name: card.bank_name.clone(),
            bank_account: mask(&card.bank_account),
            branch_name: card.branch_name.clone(),
            beneficiary_name: present(&card.beneficiary_name),
            bank_address: present(&card.bank_address),
        },
        Destination::WalletAddress { network, address } => {
            CardView::WalletAddress { network: network.clone(), address: mask(address) }
        }
    }
}

/// The account number or address that identifies the destination.
fn number(destination: &Destination) -> String {
    match destination {
        Destination::BankCard(card) => mask(&card.bank_account),
        Destination::WalletAddress { address, .. } => mask(address),
    }
}

/// Four asterisks and the last four characters, whatever the length.
pub(super) fn mask(number: &str) -> String {
    let plain: Vec<char> = number.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let shown: String = plain.iter().skip(plain.len().saturating_sub(4)).collect();
    format!("****{shown}")
}

#[cfg(test)]
mod tests {
    use payee::testing::tron_address;

    use super::*;

    fn card(card_name: &str, mobile: &str, bank_name: &str, bank_account: &str) -> CardView {
        CardView::BankCard {
            card_name: card_name.into(),
            user_name: " Ann Lee ".into(),
            mobile: mobile.into(),
            bank_name: bank_name.into(),
            bank_account: bank_account.into(),
            branch_name: "Mitte".into(),
            beneficiary_name: None,
            bank_address: Some("1 Long Road".into()),
        }
    }

    fn address(network: &str, address: &str) -> CardView {
        CardView::WalletAddress { network: network.into(), address: address.into() }
    }

    fn read(typed: CardView) -> Result<Destination, Error> {
        checked(&Networks::default(), typed)
    }

    fn problems(typed: CardView) -> Vec<(&'static str, &'static str)> {
        match read(typed) {
            Err(Error::Fields(fields)) => fields.into_iter().map(|(field, problem)| (field.name(), problem)).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_whole_card_is_taken_and_trimmed() {
        let typed = card("Main", "+49 170 1234567", "Bank", "de02 1203\u{a0}0000 0000 2020 51 ");
        let Ok(Destination::BankCard(kept)) = read(typed) else { panic!("refused") };
        assert_eq!((kept.user_name.as_str(), kept.beneficiary_name.as_str()), ("Ann Lee", ""));
        assert_eq!(kept.bank_account, "DE02120300000000202051");
        let typed = address(" trc20", &format!(" {} ", tron_address("a")));
        let Ok(Destination::WalletAddress { network, address }) = read(typed) else { panic!("refused") };
        assert_eq!((network.as_str(), address), ("TRC20", tron_address("a")));
    }

    #[test]
    fn what_is_pasted_is_kept_as_it_is_shown() {
        let typed = |name: &str, mobile: &str| match card("Main\u{200b}", mobile, "\u{feff}Bank", "123456") {
            CardView::BankCard { card_name, mobile, bank_name, bank_account, branch_name, .. } => CardView::BankCard {
                card_name,
                user_name: name.into(),
                mobile,
                bank_name,
                bank_account,
                branch_name,
                beneficiary_name: Some(" \u{200d}".into()),
                bank_address: None,
            },
            other => other,
        };
        for (mobile, plain) in [
            ("＋４９１５１１２３４５６７８", "+4915112345678"),
            ("\u{202a}+4915112345678\u{202c}", "+4915112345678"),
            ("+49\u{a0}151 12345678", "+49 151 12345678"),
        ] {
            let Ok(Destination::BankCard(kept)) = read(typed("\u{202a}Ann\u{200b} Lee\u{202c}", mobile)) else {
                panic!("{mobile}")
            };
            let names = [kept.card_name, kept.user_name, kept.bank_name, kept.beneficiary_name];
            assert_eq!(
                (names.each_ref().map(String::as_str), kept.mobile.as_str()),
                (["Main", "Ann Lee", "Bank", ""], plain)
            );
        }
        for mobile in ["+0 123456789", "1234567890123456", "12345678901234567890"] {
            assert_eq!(problems(typed("Ann", mobile)), [("mobile", "invalid_phone")], "{mobile}");
        }
        assert_eq!(
            problems(typed("\u{202a}\u{200b}", "\u{200b}")),
            [("mobile", "required"), ("user_name", "required")]
        );
    }

    #[test]
    fn every_wrong_field_is_told_at_once() {
        let expected = [("bank_account", "invalid_account"), ("card_name", "required"), ("mobile", "invalid_phone")];
        assert_eq!(problems(card(" ", "call me", "Bank", "****2051")), expected);
        assert_eq!(problems(address("", "")), [("address", "required"), ("network", "required")]);
        assert_eq!(problems(address("BTC", "T1")), [("network", "network_not_offered")]);
        assert_eq!(problems(address("ERC20", &tron_address("a"))), [("address", "other_network")]);
    }

    #[test]
    fn a_branch_is_needed_where_the_number_does_not_say_it() {
        let without = |number: &str| match card("Main", "+49 170 1234567", "Bank", number) {
            CardView::BankCard { card_name, user_name, mobile, bank_name, bank_account, .. } => CardView::BankCard {
                card_name,
                user_name,
                mobile,
                bank_name,
                bank_account,
                branch_name: " ".into(),
                beneficiary_name: None,
                bank_address: None,
            },
            other => other,
        };
        assert_eq!(problems(without("123456789")), [("branch_name", "required")]);
        assert!(read(without("DE02120300000000202051")).is_ok());
        assert_eq!(problems(without("DE02120300000000202052")), [("bank_account", "iban_check")]);
    }

    #[test]
    fn texts_are_short_and_plain() {
        let wrong = card("a\u{0}b", "+49 170 1234567", &"x".repeat(121), "123456");
        assert_eq!(problems(wrong), [("bank_name", "too_long"), ("card_name", "invalid")]);
        let towering = card(&format!("Z{}", "\u{338}".repeat(5)), "+49 170 1234567", "လွှော့်", "123456");
        assert_eq!(problems(towering), [("card_name", "invalid")]);
    }

    #[test]
    fn only_the_last_four_are_legible() {
        assert_eq!(mask("DE02 1203 0000 0000 2020 51"), "****2051");
        assert_eq!(mask("1234567890"), "****7890");
        assert_eq!(mask("12"), "****12");
    }
}
