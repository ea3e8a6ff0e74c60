//! Push notices to devices on which the app is not open: which devices a user has registered, and what is sent to their
//! push services. The app's server does the sending; this module decides what is sent to whom, and stores the outcome.

use std::collections::BTreeSet;

use ::notifications::PushKinds;
use ::push::{DeviceKeys, Endpoint, Entropy, Message, Outcome, ServerKey, seal};
use base::{Field, Timestamp, UserId, hex, keyed_hash};
use i18n::Lang;
use serde::Serialize;
use store::notifications::push::{self as rows, DueMessage, NewSubscription, PushDevice};
use store::notifications::{Category, NoticeId, NoticeText, Notification};
use store::people::{sessions, users};
use utoipa::ToSchema;

use crate::app::PushSettings;
use crate::notifications::view;
use crate::people::sessions::Caller;
use crate::{App, Error, Refusal, random};

/// How long a message may take on its way, with several tries.
const GOOD_FOR_SECONDS: i64 = 24 * 3_600;
/// How long a server's lease on a message is: longer than one try takes.
const LEASE_SECONDS: i64 = 15;
/// Longer than the address of any host.
const LONGEST_URL: usize = 300;
/// Phones that sleep are woken for it: money has moved, or somebody is in the account.
const URGENCY: &str = "high";

/// A device that is sent notices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PushDevice)]
pub struct PushDeviceView {
    pub id: String,
    /// The user agent with which its user signed in.
    pub device: String,
    /// Whether it is the one that made the request.
    pub current: bool,
    /// Whether it is sent notices about money.
    pub money: bool,
    /// Whether it is sent notices that somebody signed in on a new device.
    pub sign_in: bool,
    /// Whether it is sent answers of customer service.
    pub service: bool,
    /// Whether it is sent notices that a rule of a plan has become true.
    pub rules: bool,
    pub created_at: Timestamp,
}

impl PushDeviceView {
    /// `current` is the session that asks, if one does.
    pub fn of(device: PushDevice, current: Option<i64>) -> Self {
        let PushKinds { money, sign_in, service, rules } = device.kinds;
        Self {
            id: device.id.to_string(),
            current: Some(device.session) == current,
            device: device.device,
            money,
            sign_in,
            service,
            rules,
            created_at: device.created_at,
        }
    }
}

/// What a browser says of itself when it is registered, or registered for other kinds.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub endpoint: String,
    pub p256dh: String,
    pub auth: String,
    pub kinds: PushKinds,
    /// Where the app is open.
    pub app_url: String,
}

/// The public key that browsers register with; `None` if no device is offered anything.
pub fn public_key(app: &App) -> Option<String> {
    app.settings.push.as_ref()?;
    Some(server_key(app)?.public())
}

fn server_key(app: &App) -> Option<ServerKey> {
    ServerKey::derive(&app.secrets.push())
}

/// The devices that the user has registered.
pub async fn devices(app: &App, caller: &Caller) -> Result<Vec<PushDeviceView>, Error> {
    let (user, session) = (caller.user, caller.session);
    let found = app.db.read(move |conn| rows::devices(conn, user)).await?;
    Ok(found.into_iter().map(|device| PushDeviceView::of(device, Some(session))).collect())
}

/// Registers the device of this session, or changes which notices it is sent.
///
/// # Errors
/// `not_found` where nothing is offered; the fields `endpoint`, for an address that is not sent to, and `key`.
pub async fn subscribe(app: &App, caller: &Caller, command: Subscribe) -> Result<Vec<PushDeviceView>, Error> {
    let settings = app.settings.push.as_ref().ok_or(Refusal::NotFound)?;
    let endpoint = Endpoint::parse(&command.endpoint, settings.test_service.as_ref());
    let endpoint = endpoint.ok_or_else(|| Error::field(Field::Endpoint, "invalid"))?;
    let keys = DeviceKeys::parse(&command.p256dh, &command.auth).ok_or_else(|| Error::field(Field::Key, "invalid"))?;
    let (user, session) = (caller.user, caller.session);
    let new = NewSubscription {
        user,
        session,
        endpoint: endpoint.as_str().to_owned(),
        p256dh: keys.p256dh(),
        auth: keys.auth().to_vec(),
        app_url: command.app_url.chars().take(LONGEST_URL).collect(),
        kinds: command.kinds,
    };
    let written = app.db.write(move |tx| {
        // A session that ends meanwhile waits for this, and ends the registration too.
        users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
        sessions::standing(tx, session)?.ok_or(Error::SessionExpired)?;
        rows::subscribe(tx, &new)?;
        Ok::<_, Error>(rows::devices(tx, user)?)
    });
    Ok(written.await?.into_iter().map(|device| PushDeviceView::of(device, Some(session))).collect())
}

/// Sends nothing more to one of the user's devices.
///
/// # Errors
/// `not_found` if the user has no such device.
pub async fn unsubscribe(app: &App, caller: &Caller, id: i64) -> Result<Vec<PushDeviceView>, Error> {
    let (user, session) = (caller.user, caller.session);
    let written = app.db.write(move |tx| {
        if !rows::unsubscribe(tx, user, id)? {
            return Err(Error::from(Refusal::NotFound));
        }
        Ok(rows::devices(tx, user)?)
    });
    Ok(written.await?.into_iter().map(|device| PushDeviceView::of(device, Some(session))).collect())
}

/// A message that this process has to itself until its lease ends.
#[derive(Debug)]
pub struct Delivery {
    id: i64,
    subscription: i64,
    created_at: Timestamp,
    leased_until: Timestamp,
    pub tries: i16,
    pub endpoint: Endpoint,
    /// The headers of the request, besides its length.
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// Takes up to so many messages that are due, each ready to be sent.
///
/// # Errors
/// Those of the database; what was taken is due again when its lease ends.
pub async fn claim(app: &App, at_most: usize) -> Result<Vec<Delivery>, Error> {
    let (Some(settings), Some(key)) = (&app.settings.push, server_key(app)) else { return Ok(Vec::new()) };
    let now = app.now();
    let limit = i64::try_from(at_most).unwrap_or(0);
    if limit == 0 || !app.db.read(move |conn| rows::is_due(conn, now)).await? {
        return Ok(Vec::new());
    }
    let leased_until = now.plus_seconds(LEASE_SECONDS);
    let due = app.db.write(move |tx| rows::claim(tx, limit, leased_until)).await?;
    let users: BTreeSet<UserId> = due.iter().map(|message| message.user).collect();
    let users: Vec<UserId> = users.into_iter().collect();
    let unread = app.db.read(move |conn| rows::unread_of(conn, &users, now)).await?;
    let (mut ready, mut unfit) = (Vec::new(), Vec::new());
    for message in due {
        let count = unread.iter().find(|(user, _)| *user == message.user).map_or(0, |(_, count)| *count);
        match delivery(app, settings, &key, (&message, count), leased_until)? {
            Some(delivery) => ready.push(delivery),
            None => unfit.push(message.subscription),
        }
    }
    if !unfit.is_empty() {
        // These addresses were allowed when they were registered, but no longer are.
        app.db.write(move |tx| rows::forget(tx, &unfit)).await?;
    }
    Ok(ready)
}

fn delivery(
    app: &App,
    settings: &PushSettings,
    key: &ServerKey,
    (due, unread): (&DueMessage, i64),
    leased_until: Timestamp,
) -> Result<Option<Delivery>, Error> {
    let endpoint = Endpoint::parse(&due.endpoint, settings.test_service.as_ref());
    let (Some(endpoint), Some(keys)) = (endpoint, DeviceKeys::of(&due.p256dh, &due.auth)) else { return Ok(None) };
    let random = Entropy { ephemeral: random()?, salt: random()? };
    let Some(body) = seal(text(app, due, unread).as_bytes(), &keys, &random) else { return Ok(None) };
    let now = app.now();
    let left = due.created_at.plus_seconds(GOOD_FOR_SECONDS).since(now) / 1_000;
    let headers = vec![
        ("Authorization", key.authorization(&endpoint, &settings.subject, now)),
        ("Content-Encoding", "aes128gcm".to_owned()),
        ("Content-Type", "application/octet-stream".to_owned()),
        ("TTL", left.max(0).to_string()),
        ("Topic", topic(app, due)),
        ("Urgency", URGENCY.to_owned()),
    ];
    let (id, subscription, created_at, tries) = (due.id, due.subscription, due.created_at, due.tries);
    Ok(Some(Delivery { id, subscription, created_at, leased_until, tries, endpoint, headers, body }))
}

/// The topic of a message (RFC 8030). It is the same for every try, so that a push service that still has the message
/// replaces it. It does not reveal the notice's number.
fn topic(app: &App, due: &DueMessage) -> String {
    let whole = keyed_hash(&app.secrets.push(), &[b"topic|", &due.notice.to_be_bytes()]);
    hex::encode(whole.get(..16).unwrap_or_default())
}

/// The text that the device shows, in its user's language.
fn text(app: &App, due: &DueMessage, unread: i64) -> String {
    let id = NoticeId::Own(due.notice);
    let words = NoticeText::Template { template: due.template.clone(), params: due.params.clone() };
    let notice = Notification { id, category: Category::Activity, words, created_at: due.created_at, read: false };
    let lang = Lang::parse(&due.lang).unwrap_or_default();
    let shown = view(notice, lang, &app.settings.currency);
    Message {
        title: &shown.title,
        body: &shown.body,
        lang: lang.code(),
        navigate: &format!("{}/#/notification?id={id}", due.app_url),
        tag: &shown.id,
        unread,
    }
    .text()
}

/// Stores what became of a message.
///
/// # Errors
/// Those of the database; then it is sent again when its lease ends.
pub async fn settle(app: &App, delivery: &Delivery, outcome: Outcome) -> Result<(), Error> {
    let (id, subscription, leased_until) = (delivery.id, delivery.subscription, delivery.leased_until);
    let ends = delivery.created_at.plus_seconds(GOOD_FOR_SECONDS);
    let endpoint = delivery.endpoint.as_str().to_owned();
    let written = app.db.write(move |tx| match outcome {
        Outcome::Again(at) if at < ends => rows::again(tx, id, leased_until, at),
        Outcome::Gone => rows::forget_gone(tx, subscription, &endpoint).and_then(|()| rows::remove_message(tx, id)),
        Outcome::Delivered | Outcome::Refused | Outcome::Again(_) => rows::remove_message(tx, id),
    });
    Ok(written.await?)
}

/// Removes what nobody has taken for a day, also where nothing is sent any more.
///
/// # Errors
/// Those of the database.
pub async fn remove_old(app: &App) -> Result<usize, Error> {
    let before = app.now().plus_seconds(-GOOD_FOR_SECONDS);
    Ok(app.db.write(move |tx| rows::remove_older(tx, before)).await?)
}
