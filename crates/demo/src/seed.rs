//! The demonstration: everything for somebody who wants to look around. Each thing is
//! looked up before it is created, so a second run adds nothing, and an interrupted run
//! is completed by the next.

mod acceptors;
mod exchange;
mod history;
mod market;
mod offers;
mod people;
mod published;
mod reach;

use base::{PublisherId, refuse_if};
use campaigns::catalogue::advertisers;
use campaigns::delivery::{publishers, slots};
use desk::installation::simulated;
use desk::installation::upgrade::bring_up_to_date;
use foundation::Error;
use serde::Serialize;
use store::staff::operators::Operator;
use store::{Page, PageRequest, Realm};

use crate::{Failure, Progress};
use campaigns::AdServer;

/// How many days of a past there can be.
pub const PAST_DAYS: i64 = history::DAYS;
const TOO_LATE: &str = "--history: this installation has been used; a past can only be made before anything else";

/// The printed data; it has the same names whether it is new or not.
#[derive(Debug, Serialize)]
pub struct Demonstration {
    user: DemoUser,
    operators: Vec<DemoOperator>,
    /// Unused authorization codes.
    codes: Vec<String>,
    acceptors: Vec<acceptors::DemoAcceptor>,
    operated_ids: Vec<String>,
    advertisers: Vec<market::DemoAdvertiser>,
    publishers: Vec<DemoPublisher>,
    slots: Vec<String>,
    exchange: exchange::DemoExchange,
}

#[derive(Debug, Serialize)]
struct DemoPublisher {
    id: PublisherId,
    name: String,
}

#[derive(Debug, Serialize)]
struct DemoUser {
    username: &'static str,
    password: &'static str,
    pay_password: &'static str,
}

#[derive(Debug, Serialize)]
struct DemoOperator {
    operator: &'static str,
    /// Only if it is new, because keys are not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// All pages of a list.
async fn every<T, F>(mut page: impl FnMut(PageRequest) -> F) -> Result<Vec<T>, Error>
where
    F: Future<Output = Result<Page<T>, Error>>,
{
    let (mut all, mut before) = (Vec::new(), None);
    loop {
        let found = page(PageRequest { before, limit: PageRequest::MAX_LIMIT }).await?;
        all.extend(found.items);
        before = found.next;
        if before.is_none() {
            return Ok(all);
        }
    }
}

/// Seeds the demonstration. With `past`, it gets a past first, if nothing has happened yet. `by` adds the operators if
/// there are others already.
///
/// # Errors
/// `Live` in a live installation; `Usage` if it is too late for a past.
pub async fn plant(
    app: &AdServer,
    by: Option<Operator>,
    past: Option<&dyn Progress>,
) -> Result<Demonstration, Failure> {
    refuse_if(app.realm() == Realm::Live, Failure::Live)?;
    let before = advertisers::list(app).await?;
    let begun = match past {
        Some(progress) if simulated::is_untouched(app).await? => Some(history::make(app, progress).await?),
        Some(_) if !people::exists(app).await? => return Err(Failure::Usage(TOO_LATE.to_owned())),
        _ => None,
    };
    bring_up_to_date(app).await?;
    let (staff, operators) = people::operators(app, by).await?;
    let user = people::user(app, &staff).await?;
    market::plant(app, &staff, user).await?;
    let acceptors = acceptors::plant(app, &staff).await?;
    published::plant(app, &staff).await?;
    offers::plant(app, &staff, user).await?;
    people::recharge(app, &staff, user).await?;
    reach::announcements(app, &staff, user).await?;
    reach::feedback(app, user).await?;
    let operated_ids = reach::operated_ids(app, &staff).await?;
    let codes = people::unused_codes(app).await?;
    let exchange = exchange::plant(app, &staff).await?;
    let advertisers = market::advertisers_of(app, &before).await?;
    let publishers = publishers::list(app).await?.into_iter().rev();
    let publishers = publishers.map(|of| DemoPublisher { id: of.publisher.id, name: of.publisher.name }).collect();
    let mut slots: Vec<String> = slots::list(app).await?.into_iter().map(|slot| slot.key).collect();
    slots.sort();
    // Keys are known only where the operators were added.
    let operators = begun.unwrap_or(operators);
    Ok(Demonstration {
        user: people::DEMO,
        operators,
        codes,
        acceptors,
        operated_ids,
        advertisers,
        publishers,
        slots,
        exchange,
    })
}
