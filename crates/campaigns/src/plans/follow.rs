//! Following an operated id. Followers are offered the products that it puts.

use base::{Timestamp, UserId};
use foundation::{App, Error, Refusal};
use plans::operated::normalise;
use serde::Serialize;
use store::people::users;
use store::plans::follows::{self, FollowPeriod, OperatedAccount};
use store::{Conn, Page, PageRequest};
use utoipa::ToSchema;

/// Whom the user follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Following {
    pub operated_id: String,
    pub name: String,
    pub since: Timestamp,
}

/// A period of following.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FollowView {
    pub operated_id: String,
    pub name: String,
    pub followed_at: Timestamp,
    /// Null while it is followed.
    pub ended_at: Option<Timestamp>,
}

/// Whom an id belongs to, before it is followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Followable {
    pub operated_id: String,
    pub name: String,
}

/// The user's own operated id, which others may follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct OwnId {
    pub operated_id: String,
    pub name: String,
    /// How many follow it now; their names are not shown.
    pub followers: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assistance {
    pub current: Option<Following>,
    pub own: Option<OwnId>,
    pub records: Page<FollowView>,
}

impl From<FollowPeriod> for Following {
    fn from(follow: FollowPeriod) -> Self {
        Self { operated_id: follow.operated_id, name: follow.name, since: follow.followed_at }
    }
}

impl From<FollowPeriod> for FollowView {
    fn from(follow: FollowPeriod) -> Self {
        let FollowPeriod { operated_id, name, followed_at, ended_at, .. } = follow;
        Self { operated_id, name, followed_at, ended_at }
    }
}

/// The account that the user follows, the user's own operated id, and the history of following, newest first.
pub async fn assistance(app: &App, user: UserId, request: PageRequest) -> Result<Assistance, Error> {
    app.db
        .snapshot(move |conn| {
            let current = follows::current(conn, user)?.map(Following::from);
            let records = follows::records(conn, user, request)?.map(FollowView::from);
            Ok(Assistance { current, own: own(conn, user)?, records })
        })
        .await
}

fn own(conn: &mut Conn, user: UserId) -> Result<Option<OwnId>, Error> {
    let Some(account) = follows::of_user(conn, user)? else { return Ok(None) };
    let followers = follows::followers(conn, &account)?;
    Ok(Some(OwnId { operated_id: account.operated_id, name: account.name, followers }))
}

/// The account that the user would follow, so that they can check the id before they confirm.
///
/// # Errors
/// As [`follow`].
pub async fn followable(app: &App, user: UserId, operated_id: &str) -> Result<Followable, Error> {
    let operated_id = normalise(operated_id).ok_or(Refusal::FollowIdInvalid)?;
    app.db
        .snapshot(move |conn| {
            let found = follows::find(conn, &operated_id)?;
            let account = allowed(found, follows::current(conn, user)?.as_ref(), user)?;
            Ok(Followable { operated_id: account.operated_id, name: account.name })
        })
        .await
}

/// Checks that the account exists, is somebody else's, and is not followed already.
fn allowed(
    found: Option<OperatedAccount>,
    current: Option<&FollowPeriod>,
    user: UserId,
) -> Result<OperatedAccount, Refusal> {
    let followed = |account: &OperatedAccount| current.is_some_and(|now| now.operated_id == account.operated_id);
    found.filter(|account| account.user != user && !followed(account)).ok_or(Refusal::FollowIdInvalid)
}

/// Follows an operated id instead of the previous one. This spends nothing.
///
/// # Errors
/// `follow_id_invalid` for an id that is invalid, not operated, the user's own, or
/// followed already.
pub async fn follow(app: &App, user: UserId, operated_id: &str) -> Result<Following, Error> {
    let operated_id = normalise(operated_id).ok_or(Refusal::FollowIdInvalid)?;
    app.write_and_forget(user, move |tx| {
        // The lock makes the second of two simultaneous calls see the account that the first one follows.
        users::lock_status(tx, user)?.ok_or(Refusal::NotFound)?;
        let current = follows::current(tx, user)?;
        let account = allowed(follows::lock(tx, &operated_id)?, current.as_ref(), user)?;
        follows::begin(tx, user, &account)?;
        Ok(follows::current(tx, user)?.ok_or(Refusal::NotFound)?.into())
    })
    .await
}
