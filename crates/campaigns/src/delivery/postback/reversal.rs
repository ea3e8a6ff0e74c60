//! Reverses conversions before they are settled.

use std::collections::{BTreeMap, HashMap, HashSet};

use base::{AdvertiserId, PlanId};
use delivery::Reason;
use foundation::{App, Error};
use plans::Status;
use store::Tx;
use store::delivery::conversion::{self, ReportedConversion};
use store::plans::plan::{self, PlanRow};
use store::wallet::books::{Books, Note};
use wallet::Document;

use super::{Call, PostbackAnswer};
use crate::rules;

pub(super) async fn take_back_all(
    app: &App,
    advertiser: AdvertiserId,
    calls: Vec<Call>,
) -> Result<Vec<PostbackAnswer>, Error> {
    let keys: Vec<String> = calls.into_iter().map(|call| call.event_id).collect();
    app.db.write(move |tx| decide(tx, advertiser, &keys)).await
}

/// An advertiser's accepted conversions, by its event ids.
type Reported = HashMap<String, ReportedConversion>;

fn find_reported(tx: &mut Tx<'_>, advertiser: AdvertiserId, keys: &[String]) -> Result<Reported, Error> {
    let mut found = conversion::find(tx, advertiser, keys)?;
    found.retain(|_, before| before.verdict.is_ok() && before.plan.is_some());
    Ok(found)
}

/// Reverses each conversion that can be, in order, and saves all with one statement per table.
fn decide(tx: &mut Tx<'_>, advertiser: AdvertiserId, keys: &[String]) -> Result<Vec<PostbackAnswer>, Error> {
    let plans: Vec<PlanId> = find_reported(tx, advertiser, keys)?.values().filter_map(|before| before.plan).collect();
    if plans.is_empty() {
        return Ok(keys.iter().map(|_| PostbackAnswer::of(Err(Reason::UnknownEvent), false)).collect());
    }
    // The owners are locked in the usual order.
    let users = plan::owners(tx, plans.iter().copied())?;
    let mut books = Books::lock(tx, users.into_values(), [advertiser])?;
    let plans: HashMap<PlanId, PlanRow> = plan::lock_all(tx, plans)?.into_iter().map(|plan| (plan.id, plan)).collect();
    // Other reversals may have waited for the same locks, so it is read again.
    let found = find_reported(tx, advertiser, keys)?;
    let mut taken = HashSet::new();
    let mut uncounted = BTreeMap::<PlanId, Vec<&ReportedConversion>>::new();
    let mut answers = Vec::with_capacity(keys.len());
    for key in keys {
        let before = found.get(key).and_then(|before| Some((before, plans.get(&before.plan?)?)));
        let Some((before, plan)) = before else {
            answers.push(PostbackAnswer::of(Err(Reason::UnknownEvent), false));
            continue;
        };
        let again = before.reversed || taken.contains(&before.id);
        if !again && plan.status == Status::Settled {
            answers.push(PostbackAnswer::of(Err(Reason::Settled), false));
            continue;
        }
        if !again {
            take_back(tx, &mut books, plan, (advertiser, before))?;
            taken.insert(before.id);
            // A conversion that is not counted yet never will be.
            if before.id <= plan.figures.rolled_conversion_id {
                uncounted.entry(plan.id).or_default().push(before);
            }
        }
        answers.push(PostbackAnswer::of(Ok(()), again));
    }
    books.flush(tx)?;
    conversion::mark_reversed(tx, &taken.into_iter().collect::<Vec<_>>())?;
    let changed: Vec<PlanId> = uncounted.keys().copied().collect();
    let of_plan = |(id, uncounted)| Some((plans.get(&id)?, uncounted));
    store::delivery::rollup::uncount(tx, &uncounted.into_iter().filter_map(of_plan).collect::<Vec<_>>())?;
    // No event may follow that would check the rules, and reversals raise the cost of a plan's conversions.
    rules::check(tx, &changed, |_| false)?;
    Ok(answers)
}

/// Books the reversal of a conversion of a plan that is not settled.
///
/// # Errors
/// Only internal faults: the caller has locked the books and the plan.
pub(crate) fn take_back(
    tx: &Tx<'_>,
    books: &mut Books,
    plan: &PlanRow,
    (advertiser, before): (AdvertiserId, &ReportedConversion),
) -> Result<(), Error> {
    let holder = books.advertiser(advertiser)?;
    let postings = wallet::reverse_conversion(books.wallet_of(plan.user_id)?, &holder, before.payout)?;
    books.claimed_day(advertiser)?.give_back(before.received_at, before.payout)?;
    let note = Note {
        document: Document::Conversion(before.id),
        event_at: tx.now(),
        actor: format!("advertiser:{advertiser}"),
        reason: plan.plan_no.clone(),
        idempotency_key: None,
    };
    books.enter(&postings, note)?;
    Ok(())
}
