//! An advertiser's server reports a conversion, or reverses one.

use auth::signature::{BadSignature, SignedRequest, verify};
use base::{AdvertiserId, PlanId};
pub use delivery::Postback;
use delivery::{Reason, Verdict};
use plans::Status;
use serde::Serialize;
use store::Tx;
use store::delivery::conversion::ReportedConversion;
use store::plans::plan::PlanRow;
use store::wallet::books::{Books, Note};
use utoipa::ToSchema;
use wallet::Document;

use crate::delivery::report::Report;
use crate::plans::advertiser_keys;
use crate::{App, Error};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PostbackAnswer {
    pub accepted: bool,
    /// It was reported before; this repeats the earlier answer.
    pub duplicate: bool,
    pub reason: Option<Reason>,
}

impl PostbackAnswer {
    fn of(verdict: Verdict, duplicate: bool) -> Self {
        Self { accepted: verdict.is_ok(), duplicate, reason: verdict.err() }
    }
}

/// A call as received, before it is verified.
#[derive(Clone, Copy, Debug)]
pub struct SignedCall<'a> {
    pub advertiser: &'a str,
    pub timestamp: &'a str,
    pub signature: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

/// The calling advertiser, if the signature is right. An unknown advertiser and a wrong
/// signature give the same result.
pub async fn authenticate(app: &App, call: &SignedCall<'_>) -> Result<Result<AdvertiserId, BadSignature>, Error> {
    let signed = signed_by(app, call).await?;
    if signed.is_err() {
        app.figures.count_postback("bad_signature");
    }
    Ok(signed)
}

async fn signed_by(app: &App, call: &SignedCall<'_>) -> Result<Result<AdvertiserId, BadSignature>, Error> {
    let Ok(id) = call.advertiser.parse::<AdvertiserId>() else { return Ok(Err(BadSignature::Wrong)) };
    let key = match app.senders.key(id) {
        Some(key) => key,
        None => {
            let Some(row) = app.db.read(move |conn| store::plans::advertiser::find(conn, id)).await? else {
                return Ok(Err(BadSignature::Wrong));
            };
            app.senders.remember(id, advertiser_keys::of(&app.secrets, &row)?)
        }
    };
    let signed = SignedRequest { timestamp: call.timestamp, method: "POST", path: call.path, body: call.body };
    Ok(verify(&key, &signed, call.signature, app.now()).map(|()| id))
}

/// # Errors
/// The fields `event_id`, `click_id` and `occurred_at`.
pub async fn postback(app: &App, advertiser: AdvertiserId, call: Postback) -> Result<PostbackAnswer, Error> {
    let answer = reported_by(app, advertiser, call).await;
    app.figures.postback(&answer);
    answer
}

async fn reported_by(app: &App, advertiser: AdvertiserId, call: Postback) -> Result<PostbackAnswer, Error> {
    let occurred_at = call.check().map_err(|field| Error::field(field, "invalid"))?;
    if call.reverse {
        return app.db.write(move |tx| reverse(tx, advertiser, &call.event_id)).await;
    }
    let Postback { event_id, click_id, .. } = call;
    let report = Report { advertiser, event_id, click_id, occurred_at, realm: app.realm() };
    let (verdict, duplicate) = app.db.batch(report).await?;
    Ok(PostbackAnswer::of(verdict, duplicate))
}

fn reverse(tx: &mut Tx<'_>, advertiser: AdvertiserId, event_key: &str) -> Result<PostbackAnswer, Error> {
    let Some((before, plan)) = reported(tx, advertiser, event_key)? else {
        return Ok(PostbackAnswer::of(Err(Reason::UnknownEvent), false));
    };
    let Some((mut books, plan)) = lock(tx, plan)? else {
        return Ok(PostbackAnswer::of(Err(Reason::UnknownEvent), false));
    };
    // Another reversal may have been waiting for the same lock.
    let again = store::delivery::conversion::find(tx, advertiser, event_key)?.is_none_or(|now| now.reversed);
    if again {
        return Ok(PostbackAnswer::of(Ok(()), true));
    }
    if plan.status()? == Status::Settled {
        return Ok(PostbackAnswer::of(Err(Reason::Settled), false));
    }
    let holder = books.advertiser(advertiser)?;
    let postings = wallet::reverse_conversion(books.wallet()?, &holder, before.payout)?;
    books.claimed_day(advertiser)?.give_back(before.received_at, before.payout)?;
    books.post(tx, &postings, &note(tx, before.id, &plan))?;
    store::delivery::conversion::mark_reversed(tx, before.id)?;
    // If it is not counted yet, it never will be.
    if before.id <= plan.figures.rolled_conversion_id {
        store::delivery::rollup::uncount(tx, &plan, &before)?;
    }
    Ok(PostbackAnswer::of(Ok(()), false))
}

/// An accepted conversion and its plan.
fn reported(
    tx: &mut Tx<'_>,
    advertiser: AdvertiserId,
    event_key: &str,
) -> Result<Option<(ReportedConversion, PlanId)>, Error> {
    let found = store::delivery::conversion::find(tx, advertiser, event_key)?.filter(|before| before.verdict.is_ok());
    Ok(found.and_then(|before| before.plan.map(|plan| (before, plan))))
}

/// The plan with the books of its user and advertiser, locked in the usual order.
fn lock(tx: &mut Tx<'_>, plan: PlanId) -> Result<Option<(Books, PlanRow)>, Error> {
    let Some((user, advertiser)) = store::plans::plan::owner(tx, plan)? else { return Ok(None) };
    let mut books = Books::lock_user(tx, user)?;
    books.lock_advertiser(tx, advertiser)?;
    let plan = store::plans::plan::lock(tx, plan)?;
    Ok(plan.map(|plan| (books, plan)))
}

fn note(tx: &Tx<'_>, conversion: i64, plan: &PlanRow) -> Note {
    Note {
        document: Document::Conversion(conversion),
        event_at: tx.now(),
        actor: format!("advertiser:{}", plan.advertiser_id),
        reason: plan.plan_no.clone(),
        idempotency_key: None,
    }
}
