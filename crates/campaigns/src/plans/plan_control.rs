//! Offering, pausing, stopping and rejecting plans.

use auth::Permission;
use base::{PlanId, ProductId, UserId};
use foundation::idempotent::{Changed, Key, fingerprint, once};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Refusal, random};
use money::offers::level_and_credit::{FactSource, record_fact};
use plans::{Status, Step};
use serde_json::Value;
use standing::Fact;
use store::Tx;
use store::plans::plan::PlanRow;
use store::wallet::books::Books;

use crate::delivery::plan_notices;
use crate::delivery::roll_up::{bill_fresh, system_note};
use crate::plans::plan_views::{PlanView, within};

/// Offers a plan to a user; nothing is spent until the user puts an amount.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn offer(app: &App, by: &Staff, user: UserId, product: ProductId) -> Result<PlanView, Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    let number = crate::plans::put::plan_number(random()?);
    app.db
        .write(move |tx| {
            let product = store::plans::product::find(tx, product)?
                .filter(store::plans::product::ProductRow::is_offered)
                .ok_or(Refusal::NotFound)?;
            let plan = store::plans::plan::offer(tx, &number, user, &product)?;
            plan_notices::notify_offered(tx, &plan, &product)?;
            let view = within(tx, &plan, &product)?;
            let changes = Changes::default().and("status", Value::Null, view.status.name());
            let changes =
                changes.about("user", user.0).about("product", product.id.0).about("plan_no", number.as_str());
            by.record(tx, "plan.offer", format!("plan:{}", plan.id), &changes.details())?;
            Ok(view)
        })
        .await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanCommand {
    Pause,
    Resume,
    Stop,
}

/// # Errors
/// `not_found` for somebody else's plan, `plan_not_puttable` if the plan is not running.
pub async fn control(app: &App, user: UserId, id: PlanId, control: PlanCommand) -> Result<PlanView, Error> {
    control_once(app, user, id, control, None).await
}

/// The same, but a stop that is repeated with its key does nothing.
///
/// # Errors
/// Those of [`control`]; `idempotency_key_reused`.
pub async fn control_once(
    app: &App,
    user: UserId,
    id: PlanId,
    control: PlanCommand,
    key: Option<Key>,
) -> Result<PlanView, Error> {
    let request = fingerprint("plan_stop", &[&id.to_string()]);
    app.db
        .write(move |tx| {
            let (_, product) = store::plans::plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            match control {
                PlanCommand::Pause => {
                    locked(tx, id)?.life().may_pause()?;
                    store::plans::plan::set_paused(tx, &[id], true)?;
                }
                PlanCommand::Resume => {
                    locked(tx, id)?.life().may_pause()?;
                    store::plans::plan::set_paused(tx, &[id], false)?;
                    store::plans::rules::restart(tx, id)?;
                }
                PlanCommand::Stop => {
                    let mut books = Books::lock_user(tx, user)?;
                    once(tx, user, key.as_ref(), &request, |tx| stop(tx, &mut books, id))?;
                }
            }
            let (plan, _) = store::plans::plan::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            within(tx, &plan, &product)
        })
        .await
}

fn locked(tx: &mut Tx<'_>, id: PlanId) -> Result<PlanRow, Error> {
    Ok(store::plans::plan::lock(tx, id)?.ok_or(Refusal::NotFound)?)
}

fn stop(tx: &mut Tx<'_>, books: &mut Books, id: PlanId) -> Result<Changed, Error> {
    // A plan that no longer runs is billed at once, not at the end of the day.
    let plan = locked(tx, id)?;
    bill_fresh(tx, books, &[plan])?;
    let plan = locked(tx, id)?;
    plan_notices::take(tx, &plan, &plan.life().stop(tx.now())?)?;
    Ok(Changed {})
}

/// Rejects a plan that has not delivered; everything is returned. If its link was used,
/// what it earned is settled later.
///
/// # Errors
/// `not_permitted`, `not_found`; `plan_not_puttable` once it delivers.
pub async fn reject(app: &App, by: &Staff, plan_no: &str) -> Result<PlanView, Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    let plan_no = plan_no.to_owned();
    app.db
        .write(move |tx| {
            let (found, product) = foundation::accounts::finding::plan(tx, &plan_no)?;
            let mut books = Books::lock_user(tx, found.user_id)?;
            let plan = store::plans::plan::lock(tx, found.id)?.ok_or(Refusal::NotFound)?;
            // Whether its link was used is decided on figures that are up to date.
            bill_fresh(tx, &mut books, &[plan])?;
            let plan = store::plans::plan::lock(tx, found.id)?.ok_or(Refusal::NotFound)?;
            let before = within(tx, &plan, &product)?;
            let step = plan.life().reject(tx.now())?;
            match step.to {
                Status::PutFailed => fail(tx, &mut books, &plan, &step)?,
                _ => plan_notices::take(tx, &plan, &step)?,
            }
            // An offer without an amount is not the user's doing.
            if plan.put_at.is_some() {
                record_fact(tx, plan.user_id, &Fact::PlanRejected, FactSource { kind: "plan", id: plan.id.0 })?;
            }
            let (plan, _) = store::plans::plan::find_by_number(tx, &plan.plan_no)?.ok_or(Refusal::NotFound)?;
            let after = within(tx, &plan, &product)?;
            let changes = Changes::default().and("status", before.status.name(), after.status.name()).and(
                "returned",
                before.returned.to_string(),
                after.returned.to_string(),
            );
            let changes = changes.about("plan_no", plan.plan_no.as_str()).about("user", plan.user_id.0);
            by.record(tx, "plan.reject", format!("plan:{}", plan.id), &changes.details())?;
            Ok(after)
        })
        .await
}

/// Ends a failed plan: its whole hold is returned, and its coupon can be used again.
pub(crate) fn fail(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow, step: &Step) -> Result<(), Error> {
    return_unspent(tx, books, plan)?;
    if let Some(coupon) = plan.coupon_id {
        store::offers::coupons::give_back(tx, coupon, plan.id)?;
    }
    plan_notices::take(tx, plan, step)
}

/// Returns what is left of a plan's hold to where it came from.
pub(crate) fn return_unspent(tx: &mut Tx<'_>, books: &mut Books, plan: &PlanRow) -> Result<(), Error> {
    let hold = books.load_hold(tx, plan.id)?;
    let left = hold.total()?;
    if left.is_zero() {
        return Ok(());
    }
    let postings = wallet::release(&hold)?;
    books.post(tx, &postings, &system_note(tx, plan))?;
    Ok(store::plans::plan::add_returned(tx, plan.id, left)?)
}
