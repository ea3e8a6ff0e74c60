//! Postbacks: an advertiser's server reports a conversion, or reverses one, or sends a list of these.

mod list;
pub(crate) mod reversal;

pub use auth::signature::BadSignature;
use auth::signature::SignedRequest;
use base::{AdvertiserId, Field, Timestamp};
pub use delivery::Postback;
use delivery::{Nonce, Reason, Verdict};
use serde::Serialize;
use utoipa::ToSchema;

use foundation::figures::FAILED;
use foundation::{App, Error};

use crate::AdServer;
pub use crate::catalogue::advertiser_keys::PostbackSignature;
use crate::catalogue::advertiser_keys::{self, PostbackKey};
use crate::catalogue::counterparty_keys;
use crate::delivery::report::{Report, Reports};
use crate::delivery::senders::SenderKeys;

pub(crate) use list::ListTurns;
pub use list::{ListedAnswer, MOST, WrongFields, postbacks};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PostbackAnswer {
    pub accepted: bool,
    /// Whether it was reported before. Then this repeats the earlier answer.
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

/// Why a call is not accepted as an advertiser's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAuthentic {
    Bad(BadSignature),
    /// It is signed with a key that a second person has not confirmed yet.
    KeyWaits,
}

impl NotAuthentic {
    const WRONG: Self = Self::Bad(BadSignature::Wrong);

    /// The name of this outcome in the metrics.
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
    // A signature that fits no cached key may fit one that was claimed or confirmed since.
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

/// A parsed postback.
#[derive(Clone, Debug)]
struct Call {
    event_id: String,
    click_id: String,
    occurred_at: Option<Timestamp>,
    reverse: bool,
}

impl Call {
    fn of(postback: Postback) -> Result<Self, Field> {
        let occurred_at = postback.check()?;
        let Postback { event_id, click_id, reverse, .. } = postback;
        let click_id = Nonce::sent_back(&click_id).map_or(click_id, Nonce::text);
        Ok(Self { event_id, click_id, occurred_at, reverse })
    }
}

/// # Errors
/// The fields `event_id`, `click_id` and `occurred_at`.
pub async fn postback(app: &App, advertiser: AdvertiserId, postback: Postback) -> Result<PostbackAnswer, Error> {
    let call = Call::of(postback).map_err(|field| {
        app.figures.count_postback(INVALID);
        Error::field(field, "invalid")
    })?;
    let answers = match call {
        Call { reverse: true, .. } => reversal::take_back_all(app, advertiser, vec![call]).await,
        _ => report(app, advertiser, vec![call]).await,
    };
    count(app, &answers, 1);
    answers?.pop().ok_or_else(|| Error::Internal("a postback was not answered".into()))
}

/// Reports conversions, in order.
async fn report(app: &App, advertiser: AdvertiserId, calls: Vec<Call>) -> Result<Vec<PostbackAnswer>, Error> {
    let realm = app.realm();
    let report =
        |Call { event_id, click_id, occurred_at, .. }| Report { advertiser, event_id, click_id, occurred_at, realm };
    let verdicts = app.db.batch(Reports(calls.into_iter().map(report).collect())).await?;
    Ok(verdicts.into_iter().map(|(verdict, duplicate)| PostbackAnswer::of(verdict, duplicate)).collect())
}

/// Counts each answer in the metrics, or the calls that were not answered.
fn count(app: &App, answers: &Result<Vec<PostbackAnswer>, Error>, of: usize) {
    match answers {
        Ok(answers) => answers.iter().for_each(|answer| app.figures.count_postback(outcome(answer))),
        Err(_) => (0..of).for_each(|_| app.figures.count_postback(FAILED)),
    }
}

/// The name of an answer in the metrics.
const fn outcome(answer: &PostbackAnswer) -> &'static str {
    match answer {
        PostbackAnswer { duplicate: true, .. } => "duplicate",
        PostbackAnswer { reason: Some(reason), .. } => reason.name(),
        PostbackAnswer { .. } => "accepted",
    }
}

/// The name of an unreadable postback in the metrics.
const INVALID: &str = "invalid";
