//! Devices to which notices are pushed while the app is not open, and their outbox: a message is written in the
//! transaction of its notice, and removed when a push service has accepted it.

use std::collections::HashMap;

use ::notifications::{PushKind, PushKinds};
use base::{Timestamp, UserId};
use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::notifications::announcements;
use crate::schema::{notifications, push_outbox, push_subscriptions as table, sessions, users};
use crate::{Conn, Error, Tx};
use db::bulk::Statement;
use db::{NumberedQuery, One, insert, row};

/// More devices than a user has sessions.
const MOST_DEVICES: i64 = 20;
/// If this many messages wait for a device, no more are queued: its push service accepts nothing, and each try delays
/// those of others.
const MOST_WAITING: i64 = 100;

/// A browser to register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSubscription {
    pub user: UserId,
    /// The session with which the registration ends.
    pub session: i64,
    pub endpoint: String,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub app_url: String,
    pub kinds: PushKinds,
}

/// A registered browser, as its user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushDevice {
    pub id: i64,
    pub session: i64,
    pub device: String,
    pub kinds: PushKinds,
    pub created_at: Timestamp,
}

/// A message that this server must send before its lease ends.
#[derive(Clone, Debug)]
pub struct DueMessage {
    pub id: i64,
    /// The number of tries, including this one.
    pub tries: i16,
    pub created_at: Timestamp,
    pub subscription: i64,
    pub endpoint: String,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub app_url: String,
    pub notice: i64,
    pub user: UserId,
    pub template: String,
    pub params: String,
    pub lang: String,
}

/// Registers the session's browser, or updates its registration. Messages that wait for it keep waiting.
pub fn subscribe(tx: &mut Tx<'_>, new: &NewSubscription) -> Result<(), Error> {
    let values = (
        table::endpoint.eq(&new.endpoint),
        table::p256dh.eq(&new.p256dh),
        table::auth.eq(&new.auth),
        table::app_url.eq(&new.app_url),
        table::money.eq(new.kinds.money),
        table::sign_in.eq(new.kinds.sign_in),
        table::service.eq(new.kinds.service),
        table::rules.eq(new.kinds.rules),
    );
    let same: Vec<(i64, UserId)> = table::table
        .filter(table::endpoint.eq(&new.endpoint).or(table::session_id.eq(new.session)))
        .select((table::id, table::user_id))
        .order(table::id)
        .load(tx.conn())?;
    let kept = same.iter().find(|(_, user)| *user == new.user).map(|(id, _)| *id);
    // If somebody else signs in on a device, only they receive what is pushed to it from then on.
    let others: Vec<i64> = same.into_iter().map(|(id, _)| id).filter(|id| Some(*id) != kept).collect();
    remove(tx, &others)?;
    let session = table::session_id.eq(new.session);
    match kept {
        Some(id) => tx.run(diesel::update(table::table.find(id)).set((session, values))),
        None => {
            let made = (table::user_id.eq(new.user), session, table::created_at.eq(tx.now()));
            tx.run(diesel::insert_into(table::table).values((made, values)))
        }
    }
}

/// A browser, its user, and which kinds of notices its user wants there.
type AskedRow = (i64, UserId, bool, bool, bool, bool);
type DeviceRow = (i64, i64, String, bool, bool, bool, bool, Timestamp);

/// The user's registered browsers, the newest first.
pub fn devices(conn: &mut Conn, user: UserId) -> Result<Vec<PushDevice>, Error> {
    let rows: Vec<DeviceRow> = table::table
        .inner_join(sessions::table)
        .filter(table::user_id.eq(user).and(sessions::ended_at.is_null()))
        .select((
            table::id,
            table::session_id,
            sessions::device,
            table::money,
            table::sign_in,
            table::service,
            table::rules,
            table::created_at,
        ))
        .order(table::id.desc())
        .limit(MOST_DEVICES)
        .load(conn)?;
    let device = |(id, session, device, money, sign_in, service, rules, created_at)| PushDevice {
        id,
        session,
        device,
        kinds: PushKinds { money, sign_in, service, rules },
        created_at,
    };
    Ok(rows.into_iter().map(device).collect())
}

/// Forgets one of the user's browsers; false if there is no such one.
pub fn unsubscribe(tx: &mut Tx<'_>, user: UserId, id: i64) -> Result<bool, Error> {
    let own = table::table.filter(table::id.eq(id).and(table::user_id.eq(user)));
    let ids: Vec<i64> = own.select(table::id).load(tx.conn())?;
    remove(tx, &ids)?;
    Ok(!ids.is_empty())
}

/// Forgets the browser of a session that ends.
pub fn end_session(tx: &mut Tx<'_>, session: i64) -> Result<(), Error> {
    let ids: Vec<i64> = table::table.filter(table::session_id.eq(session)).select(table::id).load(tx.conn())?;
    remove(tx, &ids)
}

/// Forgets all browsers of a user.
pub fn end_all(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let ids: Vec<i64> = table::table.filter(table::user_id.eq(user)).select(table::id).load(tx.conn())?;
    remove(tx, &ids)
}

/// Forgets a browser whose subscription has expired, unless it has registered again meanwhile.
pub fn forget_gone(tx: &mut Tx<'_>, id: i64, endpoint: &str) -> Result<(), Error> {
    let gone = table::table.filter(table::id.eq(id).and(table::endpoint.eq(endpoint)));
    let ids: Vec<i64> = gone.select(table::id).load(tx.conn())?;
    remove(tx, &ids)
}

/// Forgets browsers with addresses to which nothing is sent any more.
pub fn forget(tx: &mut Tx<'_>, ids: &[i64]) -> Result<(), Error> {
    remove(tx, ids)
}

fn remove(conn: &mut Conn, ids: &[i64]) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    diesel::delete(push_outbox::table.filter(push_outbox::subscription_id.eq_any(ids))).execute(conn)?;
    diesel::delete(table::table.filter(table::id.eq_any(ids))).execute(conn)?;
    Ok(())
}

insert! {
    struct Queued, ENQUEUE into "push_outbox" {
        subscription_id: i64,
        notice_id: i64,
        created_at: Timestamp,
        due_at: Timestamp,
        tries: i16,
    }
}

/// Queues notices for those devices of their users that want their kind.
pub(super) fn enqueue(tx: &mut Tx<'_>, pushed: &[(i64, UserId, PushKind)]) -> Result<(), Error> {
    let now = tx.now();
    let users: Vec<i64> = pushed.iter().map(|(_, user, _)| user.0).collect();
    let asking: Vec<AskedRow> = table::table
        .filter(table::user_id.eq_any(users))
        .select((table::id, table::user_id, table::money, table::sign_in, table::service, table::rules))
        .load(tx.conn())?;
    if asking.is_empty() {
        return Ok(());
    }
    let asks = |(_, user, money, sign_in, service, rules): &AskedRow, of: UserId, kind: PushKind| {
        let kinds = PushKinds { money: *money, sign_in: *sign_in, service: *service, rules: *rules };
        *user == of && kinds.has(kind)
    };
    let mut waiting = waiting_of(tx, asking.iter().map(|device| device.0))?;
    let mut rows = Vec::new();
    for (notice, user, kind) in pushed {
        for device in asking.iter().filter(|device| asks(device, *user, *kind)) {
            let wait = waiting.entry(device.0).or_default();
            if *wait < MOST_WAITING {
                *wait += 1;
                let (subscription_id, notice_id) = (device.0, *notice);
                rows.push(Queued { subscription_id, notice_id, created_at: now, due_at: now, tries: 0 });
            }
        }
    }
    ENQUEUE.execute(tx, &Queued::columns(&rows))?;
    Ok(())
}

/// How many messages wait for each of these devices. Devices without any are left out.
fn waiting_of(conn: &mut Conn, ids: impl Iterator<Item = i64>) -> Result<HashMap<i64, i64>, Error> {
    let counts: Vec<(i64, i64)> = push_outbox::table
        .filter(push_outbox::subscription_id.eq_any(ids.collect::<Vec<_>>()))
        .group_by(push_outbox::subscription_id)
        .select((push_outbox::subscription_id, count_star()))
        .load(conn)?;
    Ok(counts.into_iter().collect())
}

/// Whether anything is to be sent now.
pub fn is_due(conn: &mut Conn, now: Timestamp) -> Result<bool, Error> {
    Ok(diesel::select(diesel::dsl::exists(push_outbox::table.filter(push_outbox::due_at.le(now)))).get_result(conn)?)
}

/// Claims due messages until the lease ends. They are due again then, unless their outcome was stored. Messages that
/// are no longer wanted are removed: those for devices that are gone or whose session has ended, and those that the
/// user has read.
pub fn claim(tx: &mut Tx<'_>, limit: i64, until: Timestamp) -> Result<Vec<DueMessage>, Error> {
    let now = tx.now().millis();
    let conn: &mut Conn = tx;
    // Messages that another server is claiming are skipped.
    let lock = match conn {
        Conn::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        Conn::Sqlite(_) => "",
    };
    let due = "SELECT id FROM push_outbox WHERE due_at <= $2 ORDER BY due_at, id LIMIT $3";
    let claimed: Vec<One<i64>> = diesel::sql_query(format!(
        "UPDATE push_outbox SET due_at = $1, tries = tries + 1 WHERE id IN ({due}{lock}) RETURNING id"
    ))
    .bind::<BigInt, _>(until.millis())
    .bind::<BigInt, _>(now)
    .bind::<BigInt, _>(limit)
    .load(conn)?;
    let ids: Vec<i64> = claimed.iter().map(|claimed| claimed.0).collect();
    let messages = messages(conn, &ids)?;
    let idle: Vec<i64> = ids.into_iter().filter(|id| messages.iter().all(|message| message.id != *id)).collect();
    if !idle.is_empty() {
        diesel::delete(push_outbox::table.filter(push_outbox::id.eq_any(idle))).execute(conn)?;
    }
    Ok(messages)
}

type DueRow = ((i64, i16, Timestamp), (i64, String, Vec<u8>, Vec<u8>, String), (i64, UserId, String, String), String);

fn messages(conn: &mut Conn, ids: &[i64]) -> Result<Vec<DueMessage>, Error> {
    let rows: Vec<DueRow> = push_outbox::table
        .inner_join(table::table.on(table::id.eq(push_outbox::subscription_id)))
        .inner_join(sessions::table.on(sessions::id.eq(table::session_id)))
        .inner_join(notifications::table.on(notifications::id.eq(push_outbox::notice_id)))
        .inner_join(users::table.on(users::id.eq(table::user_id)))
        .filter(push_outbox::id.eq_any(ids))
        .filter(sessions::ended_at.is_null().and(notifications::read_at.is_null()))
        .filter(notifications::user_id.eq(table::user_id))
        .select((
            (push_outbox::id, push_outbox::tries, push_outbox::created_at),
            (table::id, table::endpoint, table::p256dh, table::auth, table::app_url),
            (notifications::id, notifications::user_id, notifications::template, notifications::params),
            users::lang,
        ))
        .order(push_outbox::id)
        .load(conn)?;
    Ok(rows.into_iter().map(message).collect())
}

fn message((queued, device, notice, lang): DueRow) -> DueMessage {
    let ((id, tries, created_at), (subscription, endpoint, p256dh, auth, app_url)) = (queued, device);
    let (notice, user, template, params) = notice;
    DueMessage {
        id,
        tries,
        created_at,
        subscription,
        endpoint,
        p256dh,
        auth,
        app_url,
        notice,
        user,
        template,
        params,
        lang,
    }
}

/// Removes a message that was accepted or never will be.
pub fn remove_message(tx: &mut Tx<'_>, id: i64) -> Result<(), Error> {
    tx.run(diesel::delete(push_outbox::table.find(id)))
}

/// Schedules another try, unless the lease has ended and another server has claimed the message.
pub fn again(tx: &mut Tx<'_>, id: i64, leased_until: Timestamp, at: Timestamp) -> Result<(), Error> {
    let leased = push_outbox::table.filter(push_outbox::id.eq(id).and(push_outbox::due_at.eq(leased_until)));
    tx.run(diesel::update(leased).set(push_outbox::due_at.eq(at)))
}

/// Removes messages from before this time that no service has accepted.
pub fn remove_older(tx: &mut Tx<'_>, before: Timestamp) -> Result<usize, Error> {
    Ok(diesel::delete(push_outbox::table.filter(push_outbox::created_at.lt(before))).execute(tx.conn())?)
}

row! {
    struct UnreadRow {
        user_id: UserId,
        unread: i64,
    }
}

/// How many notifications each of these users has not read, in one statement. Users without any are left out.
pub fn unread_of(conn: &mut Conn, users: &[UserId], now: Timestamp) -> Result<Vec<(UserId, i64)>, Error> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    let among = |query: NumberedQuery| {
        let places = vec!["?"; users.len()].join(", ");
        let query = query.and(" IN (").and(&places).and(")");
        users.iter().fold(query, |query, user| query.bind(user.0))
    };
    let query = among(NumberedQuery::new(
        "SELECT user_id, CAST(SUM(unread) AS BIGINT) AS unread FROM (\
         SELECT n.user_id, COUNT(*) AS unread FROM notifications n WHERE n.read_at IS NULL AND n.user_id",
    ));
    let query =
        among(query.and(" GROUP BY n.user_id UNION ALL SELECT u.id, COUNT(*) FROM ").and(announcements::OF_USERS))
            .and(announcements::SEEN)
            .bind(now.millis())
            .and(announcements::UNREAD)
            .and(" GROUP BY u.id) AS counted GROUP BY user_id");
    let rows: Vec<UnreadRow> = query.load(conn)?;
    Ok(rows.into_iter().map(|row| (row.user_id, row.unread)).collect())
}
