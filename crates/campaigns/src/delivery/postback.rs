//! An advertiser's server reports a conversion, or reverses one.

pub use auth::signature::BadSignature;
use auth::signature::SignedRequest;
use base::{AdvertiserId, PlanId, Timestamp};
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

use foundation::figures::FAILED;
use foundation::{App, Error};

use crate::AdServer;
pub use crate::catalogue::advertiser_keys::PostbackSignature;
use crate::catalogue::advertiser_keys::{self, PostbackKey};
use crate::catalogue::counterparty_keys;
use crate::delivery::report::Report;
use crate::delivery::senders::SenderKeys;

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
    pub signature: PostbackSignature<'a>,
    pub path: &'a str,
    pub body: &'a [u8],
}

/// Why a call is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAuthentic {
    Bad(BadSignature),
    /// It is signed, with a key that counts once a second person has confirmed it.
    KeyWaits,
}

impl NotAuthentic {
    const WRONG: Self = Self::Bad(BadSignature::Wrong);

    /// In the figures.
    const fn outcome(self) -> &'static str {
        match self {
            Self::Bad(BadSignature::Wrong) => "bad_signature",
            Self::Bad(BadSignature::Stale | BadSignature::NoTimestamp) => "signature_expired",
            Self::KeyWaits => "key_waits",
        }
    }
}

/// The calling advertiser, if the signature is right. An unknown advertiser and a wrong
/// signature give the same result.
pub async fn authenticate(app: &AdServer, call: &SignedCall<'_>) -> Result<Result<AdvertiserId, NotAuthentic>, Error> {
    let signed = verify_signature(app, call).await?;
    if let Err(why) = signed {
        app.figures.count_postback(why.outcome());
    }
    Ok(signed)
}

async fn verify_signature(app: &AdServer, call: &SignedCall<'_>) -> Result<Result<AdvertiserId, NotAuthentic>, Error> {
    let Ok(id) = call.advertiser.parse::<AdvertiserId>() else { return Ok(Err(NotAuthentic::WRONG)) };
    if let Some(keys) = app.senders.keys(id)
        && check_signature(&keys, call, app.now()).is_ok()
    {
        return Ok(Ok(id));
    }
    // What fits no known key may be signed with one that was claimed or confirmed since.
    let Some(keys) = keys(app, id).await? else { return Ok(Err(NotAuthentic::WRONG)) };
    Ok(check_signature(&app.senders.remember(id, keys), call, app.now()).map(|()| id))
}

fn check_signature(keys: &SenderKeys, call: &SignedCall<'_>, now: Timestamp) -> Result<(), NotAuthentic> {
    let signed = SignedRequest { timestamp: call.timestamp, method: "POST", path: call.path, body: call.body };
    let fits = |key: &PostbackKey| key.verify(&signed, call.signature, now);
    let Some(why) = keys.counts.as_ref().map_or(Err(BadSignature::Wrong), fits).err() else { return Ok(()) };
    let waits = keys.waiting.iter().any(|key| fits(key).is_ok());
    Err(if waits { NotAuthentic::KeyWaits } else { NotAuthentic::Bad(why) })
}

/// An advertiser's keys, from the database.
async fn keys(app: &App, id: AdvertiserId) -> Result<Option<SenderKeys>, Error> {
    let (secrets, now) = (app.secrets.clone(), app.now());
    app.db
        .snapshot(move |conn| {
            let Some(row) = store::plans::advertiser::find(conn, id)? else { return Ok(None) };
            let counts = advertiser_keys::counting(&secrets, &row)?;
            Ok(Some(SenderKeys { counts, waiting: counterparty_keys::waiting(conn, &secrets, id, now)? }))
        })
        .await
}

/// # Errors
/// The fields `event_id`, `click_id` and `occurred_at`.
pub async fn postback(app: &App, advertiser: AdvertiserId, call: Postback) -> Result<PostbackAnswer, Error> {
    let answer = report_for(app, advertiser, call).await;
    app.figures.count_postback(outcome(&answer));
    answer
}

async fn report_for(app: &App, advertiser: AdvertiserId, call: Postback) -> Result<PostbackAnswer, Error> {
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
    let Some((before, plan)) = find_reported(tx, advertiser, event_key)? else {
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
    if plan.status == Status::Settled {
        return Ok(PostbackAnswer::of(Err(Reason::Settled), false));
    }
    let holder = books.advertiser(advertiser)?;
    let postings = wallet::reverse_conversion(books.wallet()?, &holder, before.payout)?;
    books.claimed_day(advertiser)?.give_back(before.received_at, before.payout)?;
    books.post(tx, &postings, &note(tx, before.id, &plan))?;
    store::delivery::conversion::mark_reversed(tx, &[before.id])?;
    // If it is not counted yet, it never will be.
    if before.id <= plan.figures.rolled_conversion_id {
        store::delivery::rollup::uncount(tx, &[(&plan, vec![&before])])?;
    }
    Ok(PostbackAnswer::of(Ok(()), false))
}

/// An accepted conversion and its plan.
fn find_reported(
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

/// What the counts call an answer.
fn outcome(answer: &Result<PostbackAnswer, Error>) -> &'static str {
    match answer {
        Ok(PostbackAnswer { duplicate: true, .. }) => "duplicate",
        Ok(PostbackAnswer { reason: Some(reason), .. }) => reason.name(),
        Ok(_) => "accepted",
        Err(Error::Fields(_)) => "invalid",
        Err(_) => FAILED,
    }
}
