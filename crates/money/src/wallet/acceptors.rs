//! Acceptors as users see them: the list, and the rates behind a code.

use base::{AcceptorId, Field, Money, QuoteId, Timestamp, UserId};
use calendar::Zone;
use foundation::{App, Error};
use rust_decimal::Decimal;
use serde::Serialize;
use store::Tx;
use store::wallet::acceptors::{self as rows, Acceptor};
use store::wallet::exchange::{self, Quote};
use utoipa::ToSchema;
use wallet::AcceptorType;

use crate::wallet::acceptance;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Acceptor)]
pub struct AcceptorView {
    pub id: AcceptorId,
    pub name: String,
    /// `personal` or `enterprise`.
    #[serde(rename = "type")]
    pub kind: AcceptorType,
    /// The largest order, a decimal in the platform's currency.
    pub limit: Money,
    /// The most that one user may exchange in a day, if that is limited.
    pub daily_limit: Option<Money>,
    /// Codes of ISO 4217.
    pub currencies: Vec<String>,
}

impl From<&Acceptor> for AcceptorView {
    fn from(acceptor: &Acceptor) -> Self {
        Self {
            id: acceptor.id,
            name: acceptor.name.clone(),
            kind: acceptor.kind,
            limit: acceptor.limits.per_order,
            daily_limit: acceptor.limits.per_day,
            currencies: acceptor.rates.keys().cloned().collect(),
        }
    }
}

/// A rate that holds until it expires, for an order that names its quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = AcceptorRate)]
pub struct RateView {
    pub quote_id: QuoteId,
    pub currency: String,
    /// How much of `currency` is paid for one unit of the platform's.
    pub rate: String,
    /// Decimals of `currency`; what is received is rounded down to them.
    pub decimals: u32,
    pub expires_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AcceptorDetail {
    #[serde(flatten)]
    pub acceptor: AcceptorView,
    /// How much the user may still exchange with this acceptor today, if that is limited.
    pub left_today: Option<Money>,
    pub rates: Vec<RateView>,
}

/// Acceptors that take orders, sorted by name; of one type if given.
///
/// # Errors
/// The field `type`.
pub async fn acceptors(app: &App, kind: Option<&str>) -> Result<Vec<AcceptorView>, Error> {
    let kind = kind.map(read_kind).transpose()?;
    let found = app.db.read(move |conn| rows::list(conn, kind, true)).await?;
    Ok(found.iter().map(AcceptorView::from).collect())
}

pub(crate) fn read_kind(text: &str) -> Result<AcceptorType, Error> {
    AcceptorType::from_name(text).ok_or_else(|| Error::field(Field::Type, "invalid"))
}

/// The acceptor with this code, and the rates shown to the user now.
///
/// # Errors
/// The field `type`; `acceptance_code_wrong`, `acceptance_code_locked`.
pub async fn acceptor_detail(
    app: &App,
    user: UserId,
    kind: &str,
    code: &str,
    zone: Zone,
) -> Result<AcceptorDetail, Error> {
    let kind = read_kind(kind)?;
    let acceptor = acceptance::accept(app, user, code, move |acceptor| acceptor.kind == kind).await?;
    app.db
        .write(move |tx| {
            let quotes = quote_rates(tx, user, &acceptor)?;
            let day = zone.day_period(tx.now());
            let today = exchange::day_with(tx, user, acceptor.id, day)?;
            let left = acceptor.limits.per_day.map(|limit| limit.minus(today.used)).transpose()?;
            Ok(AcceptorDetail {
                acceptor: (&acceptor).into(),
                left_today: left.map(|left| left.max(Money::ZERO)),
                rates: quotes.iter().map(RateView::from).collect(),
            })
        })
        .await
}

/// A quote for each of the acceptor's currencies. An earlier one is shown again while
/// half of its time is left and the rate is the same.
fn quote_rates(tx: &mut Tx<'_>, user: UserId, acceptor: &Acceptor) -> Result<Vec<Quote>, Error> {
    exchange::forget_expired(tx, user)?;
    let known = exchange::quotes(tx, user, acceptor.id)?;
    let holds_millis = i64::from(acceptor.quote_seconds).saturating_mul(1000);
    let lasting = tx.now().plus_millis(holds_millis / 2);
    let until = tx.now().plus_millis(holds_millis);
    let mut quotes = Vec::with_capacity(acceptor.rates.len());
    for (currency, rate) in &acceptor.rates {
        let newest = known.iter().find(|quote| quote.currency == *currency);
        quotes.push(match newest.filter(|quote| quote.rate == *rate && quote.expires_at >= lasting) {
            Some(quote) => quote.clone(),
            None => exchange::insert_quote(tx, user, acceptor.id, (currency, *rate), until)?,
        });
    }
    Ok(quotes)
}

impl From<&Quote> for RateView {
    fn from(quote: &Quote) -> Self {
        Self {
            quote_id: quote.id,
            currency: quote.currency.clone(),
            rate: shown(quote.rate),
            decimals: decimals(&quote.currency).unwrap_or_default(),
            expires_at: quote.expires_at,
        }
    }
}

/// A rate without trailing zeros.
pub fn shown(rate: Decimal) -> String {
    rate.normalize().to_string()
}

/// The number of decimals of a currency in ISO 4217; `None` if it is not a currency, or
/// nobody is paid in it.
pub(crate) fn decimals(currency: &str) -> Option<u32> {
    let plain = currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase());
    let known = iso_currency::Currency::from_code(currency).filter(|_| plain)?;
    known.exponent().map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_have_the_decimals_of_iso_4217() {
        for (code, expected) in [("EUR", Some(2)), ("JPY", Some(0)), ("KWD", Some(3)), ("VND", Some(0))] {
            assert_eq!(decimals(code), expected, "{code}");
        }
        for code in ["", "eur", "EURO", "XXX", "USDT", "QQQ"] {
            assert_eq!(decimals(code), None, "{code}");
        }
    }

    #[test]
    fn a_rate_is_shown_plainly() {
        let rate = |text: &str| shown(Decimal::from_str_exact(text).expect("a decimal"));
        assert_eq!((rate("0.9200"), rate("100"), rate("25000.0")), ("0.92".into(), "100".into(), "25000".into()));
    }
}
