//! How a publisher reads its own figures: with an API key, which it claims and which is shown once, to it alone, or
//! through a link that is signed for that key and valid for thirty days. There is no session and no cookie.

use std::net::IpAddr;

use auth::{Permission, PublisherLink, session};
use base::{PublisherId, Timestamp, refuse_if};
use foundation::accounts::{attempts, failures};
use foundation::staff::requests::RequestView;
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Refusal};
use serde::Serialize;
use store::delivery::publisher::{self as rows, PublisherRow};

use crate::catalogue::counterparty_keys::{BesideKey, KeyOffer, KeyOwner, ask};

/// A link to a publisher's page, shown only here.
#[derive(Clone, Debug, Serialize)]
pub struct NewPublisherLink {
    pub publisher_id: PublisherId,
    pub url: String,
    pub until: Timestamp,
}

/// The recorded state of a key: when it was made. Its digest is among the row's protected columns.
fn since(at: Option<Timestamp>) -> Option<String> {
    at.map(|at| at.to_string())
}

/// Requests a publisher's API key, which the publisher claims through a link into the app at `base`. Once another
/// operator has approved it, the previous key and all its links are invalid.
///
/// # Errors
/// `not_found`, `not_permitted`; `cannot_change` for an ad exchange.
pub async fn request_key(app: &App, by: &Staff, id: PublisherId, base: &str) -> Result<RequestView, Error> {
    by.may(Permission::Catalogue)?;
    let (by, secrets, offer) = (by.clone(), app.secrets.clone(), KeyOffer::link(base));
    app.db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            // An ad exchange has a key of another kind, and no slots on pages.
            refuse_if(!row.is_direct(), Refusal::CannotChange)?;
            ask(tx, (&by, &secrets), KeyOwner::Publisher(id), &offer, BesideKey::default())
        })
        .await
}

/// Withdraws a publisher's API key, and with it every link for that key.
///
/// # Errors
/// `not_found`, `not_permitted`; `cannot_change` if it has none.
pub async fn withdraw_key(app: &App, by: &Staff, id: PublisherId) -> Result<(), Error> {
    by.may(Permission::Catalogue)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            refuse_if(row.key_digest.is_none(), Refusal::AlreadySo)?;
            rows::set_key(tx, id, None)?;
            let none: Option<String> = None;
            let details = Changes::default().and("key_since", since(row.key_since), none).details();
            by.record(tx, "publisher.withdraw_key", format!("publisher:{id}"), &details)?;
            Ok(())
        })
        .await
}

/// Makes a link to a publisher's page. `base` is the address of the app. The token is in the fragment, which browsers
/// do not send, so it is in no server's log and no `Referer`.
///
/// # Errors
/// `not_found`, `not_permitted`; `publisher_key_missing` if the publisher has none.
pub async fn make_link(app: &App, by: &Staff, id: PublisherId, base: &str) -> Result<NewPublisherLink, Error> {
    by.may(Permission::Catalogue)?;
    let (by, key) = (by.clone(), app.secrets.publisher_links());
    let (token, until) = app
        .db
        .write(move |tx| {
            let row = rows::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let digest = row.key_digest.ok_or(Refusal::PublisherKeyMissing { publisher: id })?;
            let (token, until) = PublisherLink::sign(&key, id, &digest, tx.now());
            let details = Changes::default().about("until", until.to_string()).details();
            by.record(tx, "publisher.link", format!("publisher:{id}"), &details)?;
            Ok::<_, Error>((token, until))
        })
        .await?;
    let url = format!("{}/#/publisher?link={token}", base.trim_end_matches('/'));
    Ok(NewPublisherLink { publisher_id: id, url, until })
}

/// The publisher that is reading, by its key or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader {
    pub publisher: PublisherId,
    /// When the link expires; `None` for a key.
    pub until: Option<Timestamp>,
}

/// The publisher to whom this key or link belongs.
///
/// # Errors
/// `no_auth` for anything else; `too_many_requests` if an address tried too often.
pub async fn admit(app: &App, shown: &str, address: Option<IpAddr>) -> Result<Reader, Error> {
    let Some(reader) = read(app, shown).await? else {
        attempts::note_failure(app, address, None).await?;
        failures::of_stranger(app, "publisher", Some(shown), address);
        return Err(Error::NotSignedIn);
    };
    Ok(reader)
}

async fn read(app: &App, shown: &str) -> Result<Option<Reader>, Error> {
    if let Some(digest) = session::digest_shown(shown) {
        let digest = auth::hex::encode(&digest);
        let found = app.db.read(move |conn| rows::with_key(conn, &digest)).await?;
        return Ok(found.map(|row| Reader { publisher: row.id, until: None }));
    }
    let Some(link) = PublisherLink::read(shown) else { return Ok(None) };
    let id = link.publisher;
    let digest = app.db.read(move |conn| rows::find(conn, id)).await?.and_then(|row: PublisherRow| row.key_digest);
    let is_good = digest.is_some_and(|digest| link.is_good(&app.secrets.publisher_links(), &digest, app.now()));
    Ok(is_good.then_some(Reader { publisher: id, until: Some(link.until) }))
}
