//! Accounts that users pay in to. Whoever changes one could divert money, so two people agree on it.

use content::{Item, Mistake, check_pay_in, tidy};
use foundation::Error;
use payee::{BankAccount, Network, PayeeProblem};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use store::installation::content::{self as rows, PayIn};
use wallet::RequestKind;

use super::catalogue::parse_kept;
use super::import::ContentImport;
use super::offers::in_languages;
use super::published::{Texts, texts};

/// The most characters of an account that is neither at a bank nor the address of a wallet.
const LONGEST_NUMBER: usize = 64;

pub fn check(item: &Item) -> Vec<Mistake> {
    let mut wrong = check_pay_in(item);
    match network(item) {
        Ok(network) => wrong.extend(number(item, network).err().map(|problem| item.mistake("account", problem))),
        Err(problem) => wrong.push(item.mistake("network", problem)),
    }
    if bic(item).is_some_and(|bic| !bank::payments::is_bic(&bic)) {
        wrong.push(item.mistake("bic", "must be the 8 or 11 letters and digits of a BIC"));
    }
    wrong
}

fn network(item: &Item) -> Result<Option<Network>, String> {
    let Some(name) = item.text("network") else { return Ok(None) };
    let known = || Network::ALL.map(Network::name).join(", ");
    name.parse().map(Some).map_err(|_| format!("must be one of {}", known()))
}

/// The account's number as it is stored: a bank's number without blanks, the address of a wallet, or any other number
/// as it was written.
fn number(item: &Item, network: Option<Network>) -> Result<String, String> {
    let written = item.text("account").unwrap_or_default().trim();
    if let Some(network) = network {
        return network.address(written).map_err(|problem| problem.to_string());
    }
    match written.parse::<BankAccount>() {
        Ok(account) => Ok(account.number().to_owned()),
        Err(PayeeProblem::NoAccount) => other(written),
        Err(problem) => Err(problem.to_string()),
    }
}

fn other(written: &str) -> Result<String, String> {
    let length = written.chars().count();
    if !(1..=LONGEST_NUMBER).contains(&length) || written.chars().any(char::is_control) {
        return Err(format!("must be 1 to {LONGEST_NUMBER} characters in one line"));
    }
    if Network::ALL.into_iter().any(|network| network.address(written).is_ok()) {
        return Err("is the address of a wallet, which needs its network".to_owned());
    }
    Ok(written.to_owned())
}

fn bic(item: &Item) -> Option<String> {
    item.text("bic").map(|bic| bic.replace(' ', "").to_ascii_uppercase())
}

pub fn apply(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known = rows::pay_ins(work.tx)?;
    for item in items {
        let before = known.iter().find(|pay_in| pay_in.name == item.key);
        let wanted = wanted(item, before)?;
        let retired = before.filter(|pay_in| pay_in.active && !wanted.active);
        let retired = retired.map(|pay_in| PayIn { active: false, ..pay_in.clone() });
        if let Some(retired) = &retired {
            rows::keep_pay_in(work.tx, retired)?;
        }
        let shown = |pay_in: Option<&PayIn>| pay_in.map(form).transpose().map(Option::unwrap_or_default);
        let forms = [shown(before)?, shown(retired.as_ref().or(before))?, form(&wanted)?];
        work.note_published(item, ("pay_in.change", format!("pay_in:{}", item.key)), RequestKind::PayIn, forms);
    }
    Ok(())
}

/// The checked entry as a row.
fn wanted(item: &Item, before: Option<&PayIn>) -> Result<PayIn, Error> {
    let unfit = |problem| Error::Internal(format!("a checked account to pay in to: {problem}"));
    let network = network(item).map_err(unfit)?;
    let trimmed = |field| item.text(field).map(|text| text.trim().to_owned());
    Ok(PayIn {
        name: item.key.clone(),
        label: in_languages(item, "label"),
        beneficiary: trimmed("beneficiary").unwrap_or_default(),
        account: number(item, network).map_err(unfit)?,
        network: network.map(|network| network.name().to_owned()),
        bank: trimmed("bank"),
        bic: bic(item),
        note: in_languages(item, "note"),
        place: item.whole("order").unwrap_or_default(),
        active: item.active().unwrap_or_else(|| before.is_none_or(|pay_in| pay_in.active)),
    })
}

pub fn form(pay_in: &PayIn) -> Result<Json, Error> {
    Ok(tidy(json!({
        "id": pay_in.name,
        "label": parse_kept(&pay_in.label)?,
        "beneficiary": pay_in.beneficiary,
        "account": pay_in.account,
        "network": pay_in.network,
        "bank": pay_in.bank,
        "bic": pay_in.bic,
        "note": Some(parse_kept(&pay_in.note)?).filter(|texts| texts.as_object().is_some_and(|texts| !texts.is_empty())),
        "order": Some(pay_in.place).filter(|place| *place != 0),
        "active": pay_in.active,
    })))
}

/// An account as a request shows it.
#[derive(Deserialize)]
pub struct SeenPayIn {
    entry: String,
    label: Texts,
    beneficiary: String,
    account: String,
    network: Option<String>,
    bank: Option<String>,
    bic: Option<String>,
    note: Option<Texts>,
    order: Option<i32>,
    active: bool,
}

impl SeenPayIn {
    pub fn row(self) -> PayIn {
        PayIn {
            name: self.entry,
            label: texts(Some(self.label)),
            beneficiary: self.beneficiary,
            account: self.account,
            network: self.network,
            bank: self.bank,
            bic: self.bic,
            note: texts(self.note),
            place: self.order.unwrap_or_default(),
            active: self.active,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use content::{Content, Source};

    use super::*;

    /// The account with these fields as it is stored, or the mistakes in them.
    fn read(fields: &str) -> Result<PayIn, Vec<String>> {
        let head = "[[pay_in]]\nid = \"a\"\nlabel = \"Bank\"\nbeneficiary = \" North Ltd \"\n";
        let source = Source { name: "a.toml".into(), text: format!("{head}{fields}"), json: false };
        let read = Content::read(&[source], |item| Ok::<_, Infallible>(check(item))).expect("is read");
        match read.items.first() {
            Some(item) => Ok(wanted(item, None).expect("is checked")),
            None => Err(read.mistakes.into_iter().map(|wrong| format!("{}: {}", wrong.field, wrong.problem)).collect()),
        }
    }

    #[test]
    fn numbers_are_kept_as_banks_write_them() {
        let kept = read("account = \"de02 1203 0000 0000 2020 51\"\nbic = \"byla dem1 001\"").expect("an IBAN");
        assert_eq!((kept.account.as_str(), kept.bic.as_deref()), ("DE02120300000000202051", Some("BYLADEM1001")));
        assert_eq!((kept.beneficiary.as_str(), kept.network), ("North Ltd", None));
        assert_eq!(read("account = \"20-00-00 55779911\"").expect("a number").account, "20000055779911");
        assert_eq!(read("account = \" pay@north.example \"").expect("another").account, "pay@north.example");
        let wallet = read("network = \"trc20\"\naccount = \"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t\"").expect("a wallet");
        assert_eq!(wallet.network.as_deref(), Some("TRC20"));
    }

    #[test]
    fn a_slip_is_refused() {
        let wrong = |fields: &str| read(fields).expect_err("is wrong").join("; ");
        let iban = wrong("account = \"DE02120300000000202052\"\nbic = \"BYLA\"");
        let bic = "pay_in.bic: must be the 8 or 11 letters and digits of a BIC";
        assert_eq!(iban, format!("pay_in.account: the IBAN's check digits do not match; {bic}"));
        let bare = wrong("account = \"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t\"");
        assert_eq!(bare, "pay_in.account: is the address of a wallet, which needs its network");
        let slip = wrong("network = \"TRC20\"\naccount = \"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u\"");
        assert_eq!(slip, "pay_in.account: the address's checksum does not match");
        let network = wrong("network = \"BTC\"\naccount = \"x\"");
        assert_eq!(network, "pay_in.network: must be one of TRC20, ERC20, BEP20, POLYGON, ARBITRUM");
        assert_eq!(
            wrong(&format!("account = \"{}@\"", "x".repeat(64))),
            "pay_in.account: must be 1 to 64 characters in one line"
        );
    }
}
