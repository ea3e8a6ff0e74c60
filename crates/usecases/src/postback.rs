//! An advertiser's server reports a conversion, or takes one back.

use auth::signature::{BadSignature, Signed, verify};
use base::{AdvertiserId, PlanId, Timestamp, UserId};
use delivery::{Conversion, EventKind, Reason, Verdict};
use plans::Status;
use serde::{Deserialize, Serialize};
use store::books::{Books, Note};
use store::conversion::{NewConversion, Reported};
use store::plan::PlanRow;
use store::{Realm, Tx};
use utoipa::ToSchema;

use crate::{App, Error};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Postback {
    /// The advertiser's own id of it, unique for ever.
    #[serde(default)]
    #[schema(required = true)]
    pub event_id: String,
    /// As it was appended to the product's address.
    #[serde(default)]
    pub click_id: String,
    /// RFC 3339; now where it is missing.
    #[serde(default)]
    pub occurred_at: Option<String>,
    /// Takes the conversion with this id back, before it is settled.
    #[serde(default)]
    pub reverse: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PostbackAnswer {
    pub accepted: bool,
    /// It was reported before; this is what was answered then.
    pub duplicate: bool,
    pub reason: Option<String>,
}

impl PostbackAnswer {
    fn of(verdict: Verdict, duplicate: bool) -> Self {
        let reason = verdict.err().map(|reason| reason.name().to_owned());
        Self { accepted: verdict.is_ok(), duplicate, reason }
    }
}

/// A call as it came in, before anything of it is believed.
#[derive(Clone, Copy, Debug)]
pub struct SignedCall<'a> {
    pub advertiser: &'a str,
    pub timestamp: &'a str,
    pub signature: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

/// Who called, if the signature is theirs. An unknown advertiser and a wrong
/// signature look alike.
pub async fn authenticate(app: &App, call: &SignedCall<'_>) -> Result<Result<AdvertiserId, BadSignature>, Error> {
    let Ok(id) = call.advertiser.parse::<AdvertiserId>() else { return Ok(Err(BadSignature::Wrong)) };
    let Some(row) = app.db.read(move |conn| store::advertiser::find(conn, id)).await? else {
        return Ok(Err(BadSignature::Wrong));
    };
    let key = app.secrets.advertiser_key(row.id, row.key_version);
    let signed = Signed { timestamp: call.timestamp, method: "POST", path: call.path, body: call.body };
    Ok(verify(&key, &signed, call.signature, app.now()).map(|()| id))
}

/// # Errors
/// The fields `event_id`, `click_id` and `occurred_at`.
pub async fn postback(app: &App, advertiser: AdvertiserId, call: Postback) -> Result<PostbackAnswer, Error> {
    check(&call)?;
    let occurred_at = match &call.occurred_at {
        Some(text) => Some(Timestamp::parse(text).ok_or_else(|| Error::field("occurred_at", "invalid"))?),
        None => None,
    };
    let realm = app.realm();
    app.db
        .write(move |tx| {
            if call.reverse {
                return reverse(tx, advertiser, &call.event_id);
            }
            let occurred_at = occurred_at.unwrap_or_else(|| tx.now());
            report(tx, &Report { advertiser, call: &call, occurred_at, realm })
        })
        .await
}

fn check(call: &Postback) -> Result<(), Error> {
    let sound = |text: &str| !text.is_empty() && text.len() <= 128 && text.bytes().all(|b| b.is_ascii_graphic());
    if !sound(&call.event_id) {
        return Err(Error::field("event_id", "invalid"));
    }
    if !call.reverse && !sound(&call.click_id) {
        return Err(Error::field("click_id", "invalid"));
    }
    Ok(())
}

struct Report<'a> {
    advertiser: AdvertiserId,
    call: &'a Postback,
    occurred_at: Timestamp,
    realm: Realm,
}

/// The rows a conversion touches, locked in the order everything locks them.
struct Locked {
    books: Books,
    plan: PlanRow,
    clicked_at: Timestamp,
}

fn report(tx: &mut Tx<'_>, report: &Report<'_>) -> Result<PostbackAnswer, Error> {
    let clicked = store::event::valid_at(tx, &report.call.click_id, EventKind::Click)?;
    let locked = match clicked {
        Some((plan, clicked_at)) => lock(tx, plan, clicked_at)?,
        None => None,
    };
    if let Some(before) = store::conversion::find(tx, report.advertiser, &report.call.event_id)? {
        return Ok(PostbackAnswer::of(before.verdict, true));
    }
    let verdict = judge(tx, report, locked.as_ref())?;
    let payout = match (&locked, verdict) {
        (Some(locked), Ok(())) => locked.plan.terms()?.payout,
        _ => base::Money::ZERO,
    };
    let new = NewConversion {
        advertiser: report.advertiser,
        event_key: &report.call.event_id,
        click_id: &report.call.click_id,
        plan: locked.as_ref().map(|l| l.plan.id()),
        occurred_at: report.occurred_at,
        realm: report.realm,
        verdict,
        payout,
    };
    let Some(id) = store::conversion::insert(tx, &new)? else {
        let before = store::conversion::find(tx, report.advertiser, &report.call.event_id)?;
        return Ok(PostbackAnswer::of(before.map_or(Err(Reason::Duplicate), |b| b.verdict), true));
    };
    if let (Some(mut locked), Ok(())) = (locked, verdict) {
        let advertiser = locked.books.advertiser(report.advertiser)?;
        let postings = wallet::accept_conversion(locked.books.wallet()?, &advertiser, payout)?;
        locked.books.post(tx, &postings, &note(tx, id, &locked.plan, report.occurred_at))?;
        let (plan, user) = (locked.plan.id(), locked.plan.user());
        store::rollup::count_conversion(tx, plan, user, tx.now().millis(), payout, 1)?;
    }
    Ok(PostbackAnswer::of(verdict, false))
}

fn lock(tx: &mut Tx<'_>, plan: PlanId, clicked_at: Timestamp) -> Result<Option<Locked>, Error> {
    let Some((user, advertiser)) = store::plan::owner(tx, plan)? else { return Ok(None) };
    let mut books = Books::lock_user(tx, user)?;
    books.lock_advertiser(tx, advertiser)?;
    let plan = store::plan::lock(tx, plan)?;
    Ok(plan.map(|plan| Locked { books, plan, clicked_at }))
}

fn judge(tx: &Tx<'_>, report: &Report<'_>, locked: Option<&Locked>) -> Result<Verdict, Error> {
    let Some(locked) = locked else { return Ok(Err(Reason::UnknownClick)) };
    let plan = &locked.plan;
    let verdict = delivery::conversion(&Conversion {
        clicked_at: Some(locked.clicked_at),
        own_product: plan.advertiser() == report.advertiser,
        occurred_at: report.occurred_at,
        received_at: tx.now(),
        attribution_days: plan.attribution_days.into(),
        plan_open: takes_conversions(plan, tx.now())?,
    });
    if verdict.is_err() {
        return Ok(verdict);
    }
    let claims = locked.books.advertiser(report.advertiser)?.claims;
    let payout = plan.terms()?.payout;
    Ok(if payout > claims { Err(Reason::AdvertiserFundsExhausted) } else { Ok(()) })
}

fn takes_conversions(plan: &PlanRow, now: Timestamp) -> Result<bool, Error> {
    Ok(match plan.status()? {
        Status::Matching | Status::Putting => true,
        Status::PutFinished | Status::WaitingSettlement => plan.settles_at.is_some_and(|at| now.millis() < at),
        _ => false,
    })
}

fn reverse(tx: &mut Tx<'_>, advertiser: AdvertiserId, event_key: &str) -> Result<PostbackAnswer, Error> {
    let Some((before, plan)) = reported(tx, advertiser, event_key)? else {
        return Ok(PostbackAnswer::of(Err(Reason::UnknownEvent), false));
    };
    let Some(mut locked) = lock(tx, plan, before.received_at)? else {
        return Ok(PostbackAnswer::of(Err(Reason::UnknownEvent), false));
    };
    // Two reversals may have been waiting for the same lock.
    let again = store::conversion::find(tx, advertiser, event_key)?.is_none_or(|now| now.reversed);
    if again {
        return Ok(PostbackAnswer::of(Ok(()), true));
    }
    if locked.plan.status()? == Status::Settled {
        return Ok(PostbackAnswer::of(Err(Reason::Settled), false));
    }
    let holder = locked.books.advertiser(advertiser)?;
    let postings = wallet::reverse_conversion(locked.books.wallet()?, &holder, before.payout)?;
    locked.books.post(tx, &postings, &note(tx, before.id, &locked.plan, tx.now()))?;
    store::conversion::mark_reversed(tx, before.id)?;
    let user: UserId = locked.plan.user();
    store::rollup::count_conversion(tx, plan, user, before.received_at.millis(), before.payout, -1)?;
    Ok(PostbackAnswer::of(Ok(()), false))
}

/// An accepted conversion and its plan.
fn reported(tx: &mut Tx<'_>, advertiser: AdvertiserId, event_key: &str) -> Result<Option<(Reported, PlanId)>, Error> {
    let found = store::conversion::find(tx, advertiser, event_key)?.filter(|before| before.verdict.is_ok());
    Ok(found.and_then(|before| before.plan.map(|plan| (before, plan))))
}

fn note(tx: &Tx<'_>, conversion: i64, plan: &PlanRow, occurred_at: Timestamp) -> Note {
    Note {
        ref_type: "conversion",
        ref_id: conversion,
        event_at: occurred_at.min(tx.now()),
        actor: format!("advertiser:{}", plan.advertiser_id),
        reason: plan.plan_no.clone(),
        idempotency_key: None,
    }
}
