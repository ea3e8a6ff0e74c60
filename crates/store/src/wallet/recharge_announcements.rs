//! Payments that users announce.

use base::{Money, RechargeAnnouncementId, Timestamp, UserId};
use diesel::prelude::*;
use wallet::{Announced, AnnouncementOutcome};

use crate::schema::{pay_in_accounts, recharge_announcements as table, users};
use crate::{Conn, Error, Page, PageRequest, Tx};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub id: RechargeAnnouncementId,
    pub user: UserId,
    pub username: String,
    pub amount: Money,
    /// The key and the label, by language in JSON, of the account that was paid in to.
    pub account: String,
    pub label: String,
    pub announced: Announced,
    pub closed_at: Option<Timestamp>,
}

type Row = (
    RechargeAnnouncementId,
    UserId,
    String,
    Money,
    String,
    String,
    Timestamp,
    Option<Timestamp>,
    Option<AnnouncementOutcome>,
);

#[diesel::dsl::auto_type]
fn columns() -> _ {
    (
        table::id,
        table::user_id,
        users::username,
        table::amount,
        pay_in_accounts::name,
        pay_in_accounts::label,
        table::announced_at,
        table::closed_at,
        table::outcome,
    )
}

fn announcement((id, user, username, amount, account, label, at, closed_at, outcome): Row) -> Announcement {
    Announcement { id, user, username, amount, account, label, announced: Announced { at, outcome }, closed_at }
}

/// Inserts an announcement. The user's wallet is locked.
pub fn insert(
    tx: &mut Tx<'_>,
    user: UserId,
    pay_in_account: i64,
    amount: Money,
) -> Result<RechargeAnnouncementId, Error> {
    Ok(diesel::insert_into(table::table)
        .values((
            table::user_id.eq(user),
            table::pay_in_account_id.eq(pay_in_account),
            table::amount.eq(amount),
            table::announced_at.eq(tx.now()),
        ))
        .returning(table::id)
        .get_result(tx.conn())?)
}

/// An announcement by its id; `None` if it is not the user's.
pub fn find(conn: &mut Conn, user: UserId, id: RechargeAnnouncementId) -> Result<Option<Announcement>, Error> {
    let one = table::table
        .inner_join(users::table)
        .inner_join(pay_in_accounts::table)
        .filter(table::id.eq(id).and(table::user_id.eq(user)));
    let row: Option<Row> = one.select(columns()).first(conn).optional()?;
    Ok(row.map(announcement))
}

/// Which announcements to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnnouncementFilter {
    pub user: Option<UserId>,
    /// Only those that are open at this moment.
    pub open_at: Option<Timestamp>,
}

/// Newest first.
pub fn page(conn: &mut Conn, filter: AnnouncementFilter, request: PageRequest) -> Result<Page<Announcement>, Error> {
    let mut query = table::table
        .inner_join(users::table)
        .inner_join(pay_in_accounts::table)
        .filter(table::id.lt(request.below()))
        .select(columns())
        .into_boxed();
    if let Some(user) = filter.user {
        query = query.filter(table::user_id.eq(user));
    }
    if let Some(now) = filter.open_at {
        let since = Announced::lapsed_before(now);
        query = query.filter(table::outcome.is_null().and(table::announced_at.gt(since)));
    }
    let rows: Vec<Row> = query.order(table::id.desc()).limit(request.fetch()).load(conn)?;
    Ok(Page::cut(rows.into_iter().map(announcement).collect(), request, |announcement| announcement.id.0))
}

/// When a user made announcements since a moment, oldest first.
pub fn find_times_since(conn: &mut Conn, user: UserId, since: Timestamp, limit: i64) -> Result<Vec<Timestamp>, Error> {
    let recent = table::table.filter(table::user_id.eq(user).and(table::announced_at.gt(since)));
    Ok(recent.order(table::id).limit(limit).select(table::announced_at).load(conn)?)
}

/// The oldest open announcement of exactly this amount.
pub fn oldest_open(tx: &mut Tx<'_>, user: UserId, amount: Money) -> Result<Option<RechargeAnnouncementId>, Error> {
    let since = Announced::lapsed_before(tx.now());
    let open = table::user_id.eq(user).and(table::outcome.is_null()).and(table::announced_at.gt(since));
    let same = table::table.filter(open.and(table::amount.eq(amount))).order(table::id);
    Ok(same.select(table::id).first(tx.conn()).optional()?)
}

/// Closes an announcement. The user's wallet is locked.
pub fn close(tx: &mut Tx<'_>, id: RechargeAnnouncementId, outcome: AnnouncementOutcome) -> Result<(), Error> {
    tx.run(diesel::update(table::table.find(id)).set((table::closed_at.eq(tx.now()), table::outcome.eq(outcome))))
}
