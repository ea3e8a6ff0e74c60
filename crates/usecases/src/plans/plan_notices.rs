//! Notices about plans. All steps of plans are taken here, so that none is taken
//! without a notice.

use base::{Money, UserId};
use plans::{Cause, Status, Step};
use store::Tx;
use store::plans::follows::{Offered, Put};
use store::plans::plan::PlanRow;
use store::plans::product::{self, ProductRow};

use crate::Error;
use crate::notifications::{Category, Notice, notice, notify, notify_all};

/// Takes a step of each of several plans, and tells their users with one
/// statement. Of a settlement they are told by [`settled`], with its figures.
pub(crate) fn take_all(tx: &mut Tx<'_>, steps: &[(&PlanRow, Step)]) -> Result<(), Error> {
    store::plans::plan::apply_all(tx, steps)?;
    let names = product::names(tx, steps.iter().map(|(plan, _)| plan.product()))?;
    let told: Vec<Notice> = steps
        .iter()
        .filter_map(|(plan, step)| {
            let product = names.get(&plan.product_id).map_or("", String::as_str);
            of_step(plan, step, product)
        })
        .collect();
    notify_all(tx, &told)
}

pub(crate) fn take(tx: &mut Tx<'_>, plan: &PlanRow, step: &Step) -> Result<(), Error> {
    take_all(tx, &[(plan, *step)])
}

fn of_step(plan: &PlanRow, step: &Step, product: &str) -> Option<Notice> {
    let template = match (step.to, step.cause) {
        (Status::Putting, _) => "plan_putting",
        (Status::PutFailed | Status::PutFinished, Cause::Rejected) => "plan_rejected",
        (Status::PutFailed, _) => "plan_failed",
        (Status::PutFinished, _) => "plan_finished",
        (Status::WaitingSettlement, _) => "plan_waiting_settlement",
        (Status::WaitingToPut | Status::Matching | Status::Settled, _) => return None,
    };
    let amount = Money::from_minor(plan.put_amount).to_string();
    let params = [("plan", plan.plan_no.as_str()), ("product", product), ("amount", amount.as_str())];
    Some(notice(plan.user(), Category::Activity, template, &params))
}

/// What the plan earned was paid out, less the fee.
pub(crate) fn settled(tx: &mut Tx<'_>, plan: &PlanRow, earned: Money, fee: Money) -> Result<(), Error> {
    let names = product::names(tx, [plan.product()])?;
    let product = names.get(&plan.product_id).map_or("", String::as_str);
    let (earned, fee) = (earned.to_string(), fee.to_string());
    let params = [("plan", plan.plan_no.as_str()), ("product", product), ("earned", &earned), ("fee", &fee)];
    notify(tx, plan.user(), Category::Activity, "plan_settled", &params)
}

/// The provider offers a plan.
pub(crate) fn offered(tx: &mut Tx<'_>, plan: &PlanRow, product: &ProductRow) -> Result<(), Error> {
    let params = [("plan", plan.plan_no.as_str()), ("product", product.name.as_str())];
    notify(tx, plan.user(), Category::Activity, "plan_offered", &params)
}

/// Whom they follow has put a plan on the product.
pub(crate) fn followed(tx: &mut Tx<'_>, put: &Put, product: &ProductRow, made: &[Offered]) -> Result<(), Error> {
    let told = made.iter().map(|plan| {
        let params = [
            ("plan", plan.plan_no.as_str()),
            ("product", product.name.as_str()),
            ("followed", put.operated_id.as_str()),
            ("name", put.name.as_str()),
        ];
        notice(UserId(plan.user_id), Category::Activity, "plan_followed", &params)
    });
    notify_all(tx, &told.collect::<Vec<_>>())
}
