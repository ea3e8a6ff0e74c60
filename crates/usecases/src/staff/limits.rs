//! How much money operators may request and approve: limits per action and per day, by
//! role.

use auth::{ExceededLimit, Limits, Permission, Role};
use base::Money;
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::staff::{limits as rows, operators};

use crate::staff::Staff;
use crate::{App, Error, Refusal};

const DAY_SECONDS: i64 = 86_400;

/// A role's limits, as decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LimitView {
    pub role: String,
    /// For one request, or for one approval.
    pub each: String,
    /// For everything that one operator requests and approves in a day (UTC).
    pub daily: String,
}

impl LimitView {
    fn of(role: Role, limits: Option<Limits>) -> Self {
        let Limits { each, daily } = limits.unwrap_or(Limits { each: Money::ZERO, daily: Money::ZERO });
        Self { role: role.name().to_owned(), each: each.to_string(), daily: daily.to_string() }
    }
}

/// Those of every role.
pub async fn limits(app: &App) -> Result<Vec<LimitView>, Error> {
    app.db
        .read(|conn| {
            let of = |role| Ok(LimitView::of(role, rows::of(conn, role)?));
            Role::ALL.into_iter().map(of).collect()
        })
        .await
}

/// Sets a role's limits.
///
/// # Errors
/// The fields `each`, and `daily` if it is smaller than `each`; `not_permitted`.
pub async fn set_limit(app: &App, by: &Staff, role: Role, each: &str, daily: &str) -> Result<LimitView, Error> {
    by.may(Permission::Operators)?;
    let amount = |name, text: &str| text.parse().map_err(|_| Error::field(name, "invalid_amount"));
    let to = Limits { each: amount("each", each)?, daily: amount("daily", daily)? };
    if !to.sound() {
        return Err(Error::field("daily", "invalid"));
    }
    let by = by.clone();
    app.db
        .write(move |tx| {
            operators::lock_all(tx)?;
            by.still_may(tx, Permission::Operators)?;
            let from = rows::of(tx, role)?.ok_or_else(|| Error::field("role", "invalid"))?;
            rows::set(tx, role, to)?;
            let details = json!({
                "role": role.name(),
                "each": { "from": from.each.to_string(), "to": to.each.to_string() },
                "daily": { "from": from.daily.to_string(), "to": to.daily.to_string() },
            });
            by.record(tx, "operator.limit", format!("role:{}", role.name()), &details)?;
            Ok(LimitView::of(role, Some(to)))
        })
        .await
}

/// Counts an amount that the operator is about to approve or request.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn count(tx: &mut Tx<'_>, by: &Staff, amount: Money) -> Result<(), Error> {
    count_as(tx, by, Permission::Money, amount)
}

/// The same with a permission other than that for money. It locks the operator, after the
/// money's owner: two actions of one operator see each other, and a revoked operator does
/// nothing more.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub(crate) fn count_as(tx: &mut Tx<'_>, by: &Staff, permission: Permission, amount: Money) -> Result<(), Error> {
    let operator = operators::lock(tx, by.id())?.filter(|operator| !operator.revoked && operator.role.may(permission));
    let role = operator.ok_or(Refusal::NotPermitted)?.role;
    let limits = rows::of(tx, role)?.ok_or(Refusal::NotPermitted)?;
    let day = tx.now().seconds().div_euclid(DAY_SECONDS);
    let moved = rows::moved(tx, by.id(), day)?;
    let total = limits
        .allow(amount, moved.unwrap_or(Money::ZERO))
        .map_err(|ExceededLimit { limit }| Refusal::LimitExceeded { limit })?;
    Ok(rows::set_moved(tx, by.id(), day, total, moved.is_some())?)
}
