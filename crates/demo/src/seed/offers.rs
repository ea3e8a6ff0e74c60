//! The demonstration's coupons, one in each state.

use std::collections::BTreeMap;

use ::content::Source;
use auth::PayPassword;
use base::{CouponId, Field, UserId};
use campaigns::plans::put::{Put, PutTarget, put};
use desk::installation::content::{self, ImportError};
use desk::requests::approve;
use foundation::amount::invested;
use foundation::idempotent::Key;
use foundation::people::pay_password;
use foundation::staff::requests::RequestKind;
use foundation::{App, Error, Refusal};
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::CouponFile;
use money::offers::coupon_views::{CouponView, coupons};
use plans::ContentType;
use serde::Deserialize;

use super::people::{DEMO, Pair, approve_named};
use super::{every, market};
use crate::Failure;
use campaigns::AdServer;

const COUPONS: &str = include_str!("../../content/coupons.toml");
/// The product on which the used coupon was used; the coupon pays the whole amount.
const USED_ON: &str = "Verde Garden";
const USED_FOR: &str = "20.00";
/// The put is made once, whatever becomes of the plan.
const USED_KEY: &str = "demonstration-coupon";

#[derive(Debug, Deserialize)]
struct Entries {
    coupon: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    state: State,
    #[serde(flatten)]
    table: toml::Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Users claim it themselves.
    Open,
    Unused,
    Used,
    Expired,
}

pub async fn plant(app: &AdServer, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let entries = entries()?;
    agree(app, staff, &entries).await?;
    for (state, table) in entries {
        let file = coupon(&table)?;
        if state != State::Open {
            let coupon = hold_coupon(app, staff, user, &file.name, state).await?;
            if state == State::Used {
                use_up(app, user, &coupon).await?;
            }
        }
    }
    Ok(())
}

/// The coupons that can be had, and the one that is used at once.
pub async fn plant_first(app: &AdServer, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let entries = entries()?;
    agree(app, staff, &entries).await?;
    for (_, table) in entries.iter().filter(|(state, _)| *state == State::Used) {
        let coupon = hold_coupon(app, staff, user, &coupon(table)?.name, State::Used).await?;
        use_up(app, user, &coupon).await?;
    }
    Ok(())
}

/// The first person applies them as content, which requests what is not approved yet; the
/// second approves, now or after an interrupted run.
async fn agree(app: &App, staff: &Pair, entries: &[(State, toml::Table)]) -> Result<(), Failure> {
    let coupons: Vec<&toml::Table> = entries.iter().map(|(_, table)| table).collect();
    let text = toml::to_string(&BTreeMap::from([("coupon", coupons)])).map_err(|e| Error::Internal(e.to_string()))?;
    let source = Source { name: "the demonstration's coupons".to_owned(), text, json: false };
    content::apply(app, &staff.first, &[source]).await.map_err(|halt| match halt {
        ImportError::Failed(error) => error,
        ImportError::Wrong(mistakes) => Error::Internal(format!("the demonstration's coupons: {mistakes:?}")),
    })?;
    for (_, table) in entries {
        approve_named(app, staff, RequestKind::CouponTerms, &coupon(table)?.name).await?;
    }
    Ok(())
}

fn entries() -> Result<Vec<(State, toml::Table)>, Error> {
    let entries: Entries = toml::from_str(COUPONS).map_err(wrong)?;
    Ok(entries.coupon.into_iter().map(|entry| (entry.state, entry.table)).collect())
}

fn coupon(table: &toml::Table) -> Result<CouponFile, Error> {
    table.clone().try_into().map_err(wrong)
}

fn wrong(error: toml::de::Error) -> Error {
    Error::Internal(format!("the demonstration's coupons: {error}"))
}

/// The user's coupon with this name, given now if there is none.
async fn hold_coupon(app: &App, staff: &Pair, user: UserId, name: &str, state: State) -> Result<CouponView, Failure> {
    if let Some(coupon) = find_held(app, user, name).await? {
        return Ok(coupon);
    }
    let yesterday = app.now().plus_days(-1);
    let expires = (state == State::Expired).then_some(yesterday);
    let asked = grant_coupon(app, &staff.first, DEMO.username, name, expires).await?;
    approve(app, &staff.second, asked.id.into()).await?;
    Ok(find_held(app, user, name).await?.ok_or(Refusal::NotFound)?)
}

async fn find_held(app: &App, user: UserId, name: &str) -> Result<Option<CouponView>, Failure> {
    let held = every(|page| coupons(app, user, None, page)).await?;
    Ok(held.into_iter().find(|coupon| coupon.name == name))
}

/// Uses the coupon, unless somebody has set another transaction password since: then the account is in use.
async fn use_up(app: &AdServer, user: UserId, coupon: &CouponView) -> Result<(), Failure> {
    if coupon.used_at.is_some() {
        return Ok(());
    }
    let proof = match pay_password::verify(app, user, &PayPassword::from_digits(DEMO.pay_password)).await {
        Err(Error::Refused(_)) => return Ok(()),
        proof => proof?,
    };
    let products = market::every_product(app).await?;
    let product = products.get(USED_ON).ok_or(Refusal::NotFound)?;
    let product = product.product.id;
    let coupon: CouponId = coupon.id.parse().map_err(|_| Refusal::NotFound)?;
    let plain = Put::new(PutTarget::Product(product), invested(Field::Amount, USED_FOR)?, ContentType::LandingPage);
    put(app, proof, Put { coupon: Some(coupon), key: Some(Key::parse(USED_KEY)?), ..plain }).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    #[test]
    fn there_is_a_sound_coupon_in_each_state() {
        let entries = entries().expect("coupons");
        for (_, table) in &entries {
            let file = coupon(table).expect("a coupon");
            assert!(file.check(Timestamp::from_seconds(0)).is_ok(), "{}", file.name);
        }
        for state in [State::Open, State::Unused, State::Used, State::Expired] {
            assert!(entries.iter().any(|(of, _)| *of == state), "{state:?}");
        }
    }
}
