//! Offering the products of operated accounts to their followers, in the background
//! and in batches. Each follower is offered a product once, even if a run is
//! interrupted, and nothing is spent.

use base::{PlanId, UserId};
use foundation::{App, Error, random};
use futures_util::future::try_join_all;
use store::Tx;
use store::plans::{follows, product};

use crate::delivery::plan_notices;
use crate::plans::put::plan_number;

/// Plans in one round, and followers per transaction.
const PLANS: i64 = 20;
const FOLLOWERS: i64 = 200;

/// Offers every queued plan to its next followers.
pub(crate) async fn offer_all(app: &App) -> Result<(), Error> {
    let queued = app.db.read(|conn| follows::find_queued(conn, PLANS)).await?;
    try_join_all(queued.into_iter().map(|plan| app.db.write(move |tx| offer_next(tx, plan)))).await?;
    Ok(())
}

fn offer_next(tx: &mut Tx<'_>, plan: PlanId) -> Result<(), Error> {
    // The holder of the lock handles this batch; whoever waited gets the next one.
    let Some(put) = follows::lock_queued(tx, plan)? else { return Ok(()) };
    let product = product::find(tx, put.product)?.filter(product::ProductRow::is_offered);
    let followers = follows::followers_after(tx, &put, FOLLOWERS)?;
    let (Some(product), Some((last, _))) = (product, followers.last().copied()) else {
        return Ok(follows::finish(tx, plan)?);
    };
    let to = followers.into_iter().map(|(_, user)| Ok((user, plan_number(random()?))));
    let to = to.collect::<Result<Vec<(UserId, String)>, Error>>()?;
    let made = follows::offer(tx, &put.operated_id, &product, to)?;
    plan_notices::notify_followers(tx, &put, &product, &made)?;
    Ok(follows::note_offered(tx, plan, last)?)
}
