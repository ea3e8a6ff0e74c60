//! The demonstration's coupons, one in each state.

use base::{CouponId, ProductId, UserId};
use plans::ContentType;
use serde::Deserialize;
use store::PageRequest;
use usecases::coupon_staff::{CouponFile, DefinitionView, coupon_definitions, define_coupon, grant_coupon};
use usecases::coupon_views::{CouponView, coupons};
use usecases::idempotent::Key;
use usecases::put::{On, Put, put};
use usecases::staff::Staff;
use usecases::{App, Error, Refusal};

use super::market;
use super::people::{DEMO, Pair};
use crate::failure::Failure;

const COUPONS: &str = include_str!("../../demo/coupons.toml");
/// What the used coupon was used on: it pays all of it.
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

pub async fn plant(app: &App, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let defined = definitions(app).await?;
    for (state, file) in entries()? {
        if !defined.iter().any(|known| known.name == file.name) {
            define_coupon(app, &staff.first, &file).await?;
        }
        if state != State::Open {
            let coupon = held(app, &staff.first, user, &file.name, state).await?;
            if state == State::Used {
                use_up(app, user, &coupon).await?;
            }
        }
    }
    Ok(())
}

fn entries() -> Result<Vec<(State, CouponFile)>, Error> {
    let wrong = |e: toml::de::Error| Error::Internal(format!("the demonstration's coupons: {e}"));
    let entries: Entries = toml::from_str(COUPONS).map_err(wrong)?;
    entries.coupon.into_iter().map(|entry| Ok((entry.state, entry.table.try_into().map_err(wrong)?))).collect()
}

async fn definitions(app: &App) -> Result<Vec<DefinitionView>, Failure> {
    let mut all = Vec::new();
    let mut page = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };
    loop {
        let found = coupon_definitions(app, page).await?;
        all.extend(found.items);
        match found.next {
            Some(next) => page.before = Some(next),
            None => return Ok(all),
        }
    }
}

/// The user's coupon of this name, given now where there is none.
async fn held(app: &App, by: &Staff, user: UserId, name: &str, state: State) -> Result<CouponView, Failure> {
    let mut page = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };
    loop {
        let found = coupons(app, user, None, page).await?;
        if let Some(coupon) = found.items.into_iter().find(|coupon| coupon.name == name) {
            return Ok(coupon);
        }
        match found.next {
            Some(next) => page.before = Some(next),
            None => break,
        }
    }
    let yesterday = app.now().plus_days(-1);
    let expires = (state == State::Expired).then_some(yesterday);
    Ok(grant_coupon(app, by, DEMO.username, name, expires).await?)
}

async fn use_up(app: &App, user: UserId, coupon: &CouponView) -> Result<(), Failure> {
    let products = market::every_product(app).await?;
    let product = products.get(USED_ON).ok_or(Refusal::NotFound)?;
    let product: ProductId = product.product.id.parse().map_err(|_| Refusal::NotFound)?;
    let coupon: CouponId = coupon.id.parse().map_err(|_| Refusal::NotFound)?;
    let plain = Put::new(On::Product(product), USED_FOR, ContentType::LandingPage);
    put(app, user, Put { coupon: Some(coupon), key: Some(Key::parse(USED_KEY)?), ..plain }).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::*;

    #[test]
    fn there_is_a_sound_coupon_in_each_state() {
        let entries = entries().expect("coupons");
        for (_, file) in &entries {
            assert!(file.check(Timestamp::from_seconds(0)).is_ok(), "{}", file.name);
        }
        for state in [State::Open, State::Unused, State::Used, State::Expired] {
            assert!(entries.iter().any(|(of, _)| *of == state), "{state:?}");
        }
    }
}
