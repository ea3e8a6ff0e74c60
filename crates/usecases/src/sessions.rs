//! Sessions: begun by signing in, checked on every call, ended by their user.

use std::time::Duration;

use auth::{Entry, Token, session};
use base::{Money, UserId};
use i18n::Lang;
use serde::{Deserialize, Serialize};
use store::{Tx, sessions, users};
use utoipa::ToSchema;

use crate::user_info::{self, UserView};
use crate::{App, Error, Refusal, random};

/// Seen again within this long, a session's row is left alone.
const SEEN_EVERY_MILLIS: i64 = 60_000;
const SEEN_AT_MOST: Duration = Duration::from_millis(200);
const LONGEST_DEVICE: usize = 100;

/// Who calls, as their token says.
#[derive(Clone, Debug)]
pub struct Caller {
    pub user: UserId,
    pub username: String,
    pub lang: Lang,
    pub entry: Entry,
    pub store_opened: bool,
    pub session: i64,
}

/// The answer to registering and signing in. The token is shown this once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SignedIn {
    pub token: String,
    pub user: UserView,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    pub id: String,
    pub created_at: String,
    pub last_seen: String,
    pub device: String,
    /// Whether it is the session that asks.
    pub current: bool,
}

/// Which sessions to end.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    One(i64),
    All,
}

/// A session about to be begun, with what the transaction must write.
#[derive(Clone, Debug)]
pub(crate) struct Begin {
    pub token: Token,
    pub entry: Entry,
    pub device: String,
}

impl Begin {
    pub fn new(entry: Entry, device: &str) -> Result<Self, Error> {
        let device = device.chars().take(LONGEST_DEVICE).collect();
        Ok(Self { token: Token::new(&random()?), entry, device })
    }

    /// Writes the session of an account that may act, and ends those used
    /// longest ago where there are too many.
    pub fn write(&self, tx: &mut Tx<'_>, user: UserId) -> Result<(users::User, Money), Error> {
        // Locked, so that of several at once each sees the others.
        users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?.may_act()?;
        sessions::insert(tx, user, &self.token.digest(), self.entry, &self.device)?;
        for surplus in sessions::open_of(tx, user)?.iter().skip(session::AT_MOST) {
            sessions::end(tx, user, surplus.id)?;
        }
        user_info::load(tx, user)
    }

    pub fn answer(&self, app: &App, (user, deposit): (users::User, Money)) -> SignedIn {
        SignedIn { token: self.token.text().to_owned(), user: user_info::view(app, user, deposit, Some(self.entry)) }
    }
}

/// # Errors
/// `SessionExpired` for a token that is none of ours or has ended; `Barred`
/// where the account may not act.
pub async fn authenticate(app: &App, token: &str) -> Result<Caller, Error> {
    let digest = session::digest_shown(token).ok_or(Error::SessionExpired)?;
    let holder = app.db.read(move |conn| sessions::find(conn, &digest)).await?.ok_or(Error::SessionExpired)?;
    let (found, now) = (holder.session, app.now());
    if !session::alive(found.created_at, found.last_seen, found.ended, now) {
        return Err(Error::SessionExpired);
    }
    holder.status.may_act()?;
    if now.since(found.last_seen) > SEEN_EVERY_MILLIS {
        let seen = app.db.write(move |tx| sessions::seen(tx, found.id));
        // It is written all the same, only later: a slow writer must not keep readers waiting.
        let _ = tokio::time::timeout(SEEN_AT_MOST, seen).await;
    }
    Ok(Caller {
        user: found.user,
        username: holder.username,
        lang: Lang::parse(&holder.lang).unwrap_or_default(),
        entry: found.entry,
        store_opened: holder.store_opened,
        session: found.id,
    })
}

/// The language of a token's user, whatever may be wrong with the account.
pub async fn language_of(app: &App, token: &str) -> Option<Lang> {
    let digest = session::digest_shown(token)?;
    let holder = app.db.read(move |conn| sessions::find(conn, &digest)).await.ok()??;
    Lang::parse(&holder.lang)
}

pub async fn list_sessions(app: &App, user: UserId, current: Option<i64>) -> Result<Vec<SessionView>, Error> {
    let open = app.db.read(move |conn| sessions::open_of(conn, user)).await?;
    let now = app.now();
    let alive = open.into_iter().filter(|s| session::alive(s.created_at, s.last_seen, s.ended, now));
    Ok(alive
        .map(|s| SessionView {
            id: s.id.to_string(),
            created_at: s.created_at.to_string(),
            last_seen: s.last_seen.to_string(),
            device: s.device,
            current: Some(s.id) == current,
        })
        .collect())
}

/// # Errors
/// `not_found` where the user has no such session.
pub async fn end_sessions(app: &App, user: UserId, which: Which) -> Result<(), Error> {
    app.db
        .write(move |tx| match which {
            Which::All => Ok(sessions::end_all(tx, user).map(|_| ())?),
            Which::One(id) if sessions::end(tx, user, id)? => Ok(()),
            Which::One(_) => Err(Refusal::NotFound.into()),
        })
        .await
}

/// Ends the session of a token, if there is one: signing out cannot fail.
pub async fn log_out(app: &App, token: &str) -> Result<(), Error> {
    let Some(digest) = session::digest_shown(token) else { return Ok(()) };
    app.db
        .write(move |tx| {
            if let Some(holder) = sessions::find(tx, &digest)? {
                sessions::end(tx, holder.session.user, holder.session.id)?;
            }
            Ok(())
        })
        .await
}
