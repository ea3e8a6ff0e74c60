//! Staff's work on acceptors: adding them from a file, requesting rates and new codes,
//! suspending them.

use std::collections::BTreeMap;

use auth::{Permission, code};
use base::{AcceptorId, Field, Money, refuse_if};
use foundation::staff::requests::RequestView;
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields, Refusal, random};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use store::wallet::acceptors::{self as rows, Acceptor, NewAcceptor};
use wallet::{AcceptorType, ExchangeLimits, QUOTE_SECONDS};

use crate::wallet::acceptor_changes::{self, AcceptorChange, taken};
use crate::wallet::acceptor_terms;
use crate::wallet::acceptors::{decimals, shown};

/// An acceptor in a TOML or JSON file by staff.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptorFile {
    pub name: String,
    /// `personal` or `enterprise`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The largest order.
    pub limit: String,
    /// The most that one user may exchange in a day.
    pub daily_limit: Option<String>,
    /// How long a rate holds after it was shown.
    pub quote_seconds: i32,
    /// Generated if it is missing.
    pub code: Option<String>,
    /// What is paid for one unit of the platform's currency, by currency.
    pub rates: BTreeMap<String, String>,
}

const LONGEST_NAME: usize = 64;
const SHORTEST_CODE: usize = 8;
const LONGEST_CODE: usize = 32;
const MOST_RATES: usize = 50;

impl AcceptorFile {
    /// Checks every field; the error names the ones that are wrong.
    pub fn check(&self, platform_currency: &str) -> Result<NewAcceptor, Error> {
        let mut wrong = Fields::new();
        let name = self.name.trim().to_owned();
        match name.chars().count() {
            0 => wrong.insert(Field::Name, "required"),
            n if n > LONGEST_NAME => wrong.insert(Field::Name, "too_long"),
            _ => None,
        };
        let kind = AcceptorType::from_name(&self.kind);
        if kind.is_none() {
            wrong.insert(Field::Type, "invalid");
        }
        let per_order = positive(&self.limit);
        if per_order.is_none() {
            wrong.insert(Field::Limit, "invalid_amount");
        }
        let per_day = self.daily_limit.as_deref().map(positive);
        if per_day == Some(None) {
            wrong.insert(Field::DailyLimit, "invalid_amount");
        }
        if !QUOTE_SECONDS.contains(&self.quote_seconds) {
            wrong.insert(Field::QuoteSeconds, "invalid");
        }
        if self.code.as_deref().is_some_and(|code| !is_code(code)) {
            wrong.insert(Field::Code, "invalid");
        }
        let read = |(currency, rate): (&String, &String)| read_rate(currency, rate, platform_currency);
        let rates = self.rates.iter().map(read).collect::<Option<BTreeMap<_, _>>>();
        if rates.as_ref().is_none_or(|rates| !(1..=MOST_RATES).contains(&rates.len())) {
            wrong.insert(Field::Rates, "invalid");
        }
        match (kind, per_order, rates) {
            (Some(kind), Some(per_order), Some(rates)) if wrong.is_empty() => {
                let limits = ExchangeLimits { per_order, per_day: per_day.flatten() };
                Ok(NewAcceptor { name, kind, limits, quote_seconds: self.quote_seconds, rates })
            }
            _ => Err(Error::Fields(wrong)),
        }
    }
}

fn positive(text: &str) -> Option<Money> {
    text.parse().ok().filter(|amount: &Money| amount.is_positive())
}

/// Any text that can be dictated over the telephone and is not trivial to guess.
fn is_code(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    plain && (SHORTEST_CODE..=LONGEST_CODE).contains(&text.len())
}

/// A rate has at most ten decimals and ten digits before them.
fn read_rate(currency: &str, rate: &str, platform_currency: &str) -> Option<(String, Decimal)> {
    decimals(currency).filter(|_| currency != platform_currency)?;
    let plain = rate.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let rate = Decimal::from_str_exact(rate).ok().filter(|_| plain)?.normalize();
    let sane = rate > Decimal::ZERO && rate < Decimal::from(10_000_000_000_i64) && rate.scale() <= 10;
    sane.then(|| (currency.to_owned(), rate))
}

/// An acceptor as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffAcceptor {
    pub id: AcceptorId,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: AcceptorType,
    pub limit: Money,
    pub daily_limit: Option<Money>,
    pub quote_seconds: i32,
    pub active: bool,
    /// Its rates are not quoted until its terms are approved.
    pub draft: bool,
    pub rates: BTreeMap<String, String>,
    /// Shown only when it is issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl StaffAcceptor {
    fn of(acceptor: Acceptor, code: Option<String>) -> Self {
        Self {
            id: acceptor.id,
            name: acceptor.name,
            kind: acceptor.kind,
            limit: acceptor.limits.per_order,
            daily_limit: acceptor.limits.per_day,
            quote_seconds: acceptor.quote_seconds,
            active: acceptor.active,
            draft: acceptor.draft,
            rates: acceptor.rates.into_iter().map(|(currency, rate)| (currency, shown(rate))).collect(),
            code,
        }
    }
}

/// The request, and a new acceptor's code, which is shown only in this answer.
#[derive(Clone, Debug, Serialize)]
pub struct RequestedAcceptor {
    #[serde(flatten)]
    pub request: RequestView,
    pub code: String,
}

/// Inserts an acceptor as a draft and requests its terms.
///
/// # Errors
/// All wrong fields; `not_permitted`, `name_taken`, `limit_exceeded`.
pub async fn add_acceptor(app: &App, by: &Staff, file: &AcceptorFile) -> Result<RequestedAcceptor, Error> {
    by.may(Permission::Catalogue)?;
    let new = file.check(&app.settings.currency.code)?;
    let code = match &file.code {
        Some(code) => code::normalise(code),
        None => code::from_random(&random()?),
    };
    let digest = code::acceptance_digest(&code, &app.secrets);
    let by = by.clone();
    app.db
        .write(move |tx| {
            refuse_if(rows::find_by_name(tx, &new.name)?.is_some(), Refusal::NameTaken)?;
            let id = rows::insert(tx, &new, &digest).map_err(taken)?;
            let made = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let request = acceptor_terms::ask(tx, &by, &made, &new)?.ok_or_else(nothing_asked)?;
            let made = StaffAcceptor::of(made, None);
            by.record(tx, "acceptor.add", format!("acceptor:{id}"), &Changes::made(&made).details())?;
            Ok(RequestedAcceptor { request, code: code.clone() })
        })
        .await
}

fn nothing_asked() -> Error {
    Error::Internal("a new acceptor has no terms to agree on".to_owned())
}

/// All of them with their rates, sorted by name, including inactive ones.
pub async fn list_acceptors(app: &App) -> Result<Vec<StaffAcceptor>, Error> {
    let found = app.db.read(move |conn| rows::list(conn, None, false)).await?;
    Ok(found.into_iter().map(|acceptor| StaffAcceptor::of(acceptor, None)).collect())
}

/// Requests a rate. Once approved, it applies to new quotes; existing quotes remain
/// valid.
///
/// # Errors
/// The fields `currency` and `rate`, `unchanged` if it is the same; `not_permitted`, `not_found`,
/// `limit_exceeded`; `not_approved` for a draft.
pub async fn set_rate(app: &App, by: &Staff, id: AcceptorId, currency: &str, rate: &str) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let (currency, platforms) = (currency.trim().to_ascii_uppercase(), &app.settings.currency.code);
    Error::field_if(decimals(&currency).is_none() || currency == *platforms, Field::Currency, "invalid")?;
    let read = read_rate(&currency, rate.trim(), platforms);
    let (currency, rate) = read.ok_or_else(|| Error::field(Field::Rate, "invalid"))?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            rows::lock(tx, id)?;
            let present = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(present.draft, Refusal::NotApproved)?;
            let mut rates = present.rates.clone();
            rates.insert(currency.clone(), rate);
            Error::field_if(rates.len() > MOST_RATES, Field::Rate, "invalid")?;
            let Acceptor { name, kind, limits, quote_seconds, .. } = present.clone();
            let wanted = NewAcceptor { name, kind, limits, quote_seconds, rates };
            acceptor_terms::ask(tx, &by, &present, &wanted)?.ok_or_else(|| Error::field(Field::Rate, "unchanged"))
        })
        .await
}

/// Requests a new code, which replaces the previous one once it is approved.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn renew_code(app: &App, by: &Staff, id: AcceptorId) -> Result<RequestedAcceptor, Error> {
    let code = code::from_random(&random()?);
    let digest = code::acceptance_digest(&code, &app.secrets);
    let request = request_change(app, by, id, move |present| AcceptorChange {
        code: Some(digest),
        kind: present.kind,
        active: present.active,
    });
    Ok(RequestedAcceptor { request: request.await?, code })
}

/// Requests that it takes orders again.
///
/// # Errors
/// The field `active`, `unchanged` if it does; `not_permitted`, `not_found`.
pub async fn open_acceptor(app: &App, by: &Staff, id: AcceptorId) -> Result<RequestView, Error> {
    request_change(app, by, id, |present| AcceptorChange { code: None, kind: present.kind, active: true }).await
}

async fn request_change(
    app: &App,
    by: &Staff,
    id: AcceptorId,
    wanted: impl Fn(&Acceptor) -> AcceptorChange + Send + 'static,
) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            rows::lock(tx, id)?;
            let present = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let proposal = wanted(&present).of(tx, &present)?;
            acceptor_changes::ask(tx, &by, id, &proposal.ok_or_else(|| Error::field(Field::Active, "unchanged"))?)
        })
        .await
}

/// It takes no more orders from now on. Open orders continue.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn close_acceptor(app: &App, by: &Staff, id: AcceptorId) -> Result<StaffAcceptor, Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let before = StaffAcceptor::of(rows::find(tx, id)?.ok_or(Refusal::NotFound)?, None);
            rows::set_active(tx, id, false)?;
            let after = StaffAcceptor::of(rows::find(tx, id)?.ok_or(Refusal::NotFound)?, None);
            let changes = Changes::between(&before, &after).about("asked", false);
            by.record(tx, "acceptor.close", format!("acceptor:{id}"), &changes.details())?;
            Ok(after)
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> AcceptorFile {
        AcceptorFile {
            name: "Bright Exchange".into(),
            kind: "enterprise".into(),
            limit: "500.00".into(),
            daily_limit: None,
            quote_seconds: 600,
            code: None,
            rates: BTreeMap::from([("EUR".into(), "0.92".into()), ("JPY".into(), "157.4".into())]),
        }
    }

    fn wrong(file: &AcceptorFile) -> Vec<&'static str> {
        match file.check("USD") {
            Err(Error::Fields(fields)) => fields.into_keys().map(Field::name).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_sound_file_is_taken() {
        let new = file().check("USD").expect("sound");
        assert_eq!((new.kind, new.rates.len(), new.limits.per_day), (AcceptorType::Enterprise, 2, None));
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let bad = AcceptorFile {
            name: " ".into(),
            kind: "bank".into(),
            limit: "0".into(),
            daily_limit: Some("-1".into()),
            quote_seconds: 5,
            code: Some("short".into()),
            rates: BTreeMap::new(),
        };
        assert_eq!(wrong(&bad), ["code", "daily_limit", "limit", "name", "quote_seconds", "rates", "type"]);
    }

    #[test]
    fn rates_are_plain_positive_decimals_of_other_currencies() {
        for (currency, rate) in [
            ("USD", "1"),
            ("eur", "1"),
            ("XXX", "1"),
            ("EUR", "0"),
            ("EUR", "-1"),
            ("EUR", "+1"),
            ("EUR", "1e3"),
            ("EUR", "1_0"),
            ("EUR", "0.00000000001"),
            ("EUR", "10000000000"),
            ("EUR", ""),
        ] {
            let file = AcceptorFile { rates: BTreeMap::from([(currency.into(), rate.into())]), ..file() };
            assert_eq!(wrong(&file), ["rates"], "{currency} {rate}");
        }
    }
}
