//! Notices about plans. All steps of plans are taken here, so that none is taken without
//! a notice.

use base::Money;
use foundation::Error;
use foundation::notices::{Notice, NoticeKind, notify, notify_all};
use plans::{Cause, Status, Step};
use store::Tx;
use store::plans::follows::{FollowedPut, FollowerOffer};
use store::plans::plan::PlanRow;
use store::plans::product::{self, ProductRow};

/// Takes a step of each of several plans, and notifies their users with one statement. Settlements are notified by
/// [`notify_settled`], with their figures.
pub(crate) fn take_all(tx: &mut Tx<'_>, steps: &[(&PlanRow, Step)]) -> Result<(), Error> {
    store::plans::plan::apply_all(tx, steps)?;
    let names = product::names(tx, steps.iter().map(|(plan, _)| plan.product_id))?;
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
    let (user, plan, product) = (plan.user_id, plan.plan_no.clone(), product.to_owned());
    let kind = match (step.to, step.cause) {
        (Status::Putting, _) => NoticeKind::PlanPutting { plan, product },
        (Status::PutFailed | Status::PutFinished, Cause::Rejected) => NoticeKind::PlanRejected { plan, product },
        (Status::PutFailed, _) => NoticeKind::PlanFailed { plan, product },
        (Status::PutFinished, _) => NoticeKind::PlanFinished { plan, product },
        (Status::WaitingSettlement, _) => NoticeKind::PlanWaitingSettlement { plan, product },
        (Status::WaitingToPut | Status::Matching | Status::Settled, _) => return None,
    };
    Some(Notice::of(user, &kind))
}

/// Notifies a user that the plan's earnings were paid, less the fee.
pub(crate) fn notify_settled(tx: &mut Tx<'_>, plan: &PlanRow, earned: Money, fee: Money) -> Result<(), Error> {
    let names = product::names(tx, [plan.product_id])?;
    let product = names.get(&plan.product_id).cloned().unwrap_or_default();
    notify(tx, plan.user_id, &NoticeKind::PlanSettled { plan: plan.plan_no.clone(), product, earned, fee })
}

/// Notifies a user that the provider offers a plan.
pub(crate) fn notify_offered(tx: &mut Tx<'_>, plan: &PlanRow, product: &ProductRow) -> Result<(), Error> {
    let (number, product) = (plan.plan_no.clone(), product.name.clone());
    notify(tx, plan.user_id, &NoticeKind::PlanOffered { plan: number, product })
}

/// Notifies followers that the account that they follow has put a plan on the product.
pub(crate) fn notify_followers(
    tx: &mut Tx<'_>,
    put: &FollowedPut,
    product: &ProductRow,
    made: &[FollowerOffer],
) -> Result<(), Error> {
    let told = made.iter().map(|plan| {
        let kind = NoticeKind::PlanFollowed {
            plan: plan.plan_no.clone(),
            product: product.name.clone(),
            followed: put.operated_id.clone(),
            name: put.name.clone(),
        };
        Notice::of(plan.user_id, &kind)
    });
    notify_all(tx, &told.collect::<Vec<_>>())
}
