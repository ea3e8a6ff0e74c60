//! Accounts that can be followed, their followers, and the plans that followers have yet
//! to be offered.

use auth::AccountStatus;
use base::{PlanId, ProductId, Timestamp, UserId};
use diesel::prelude::*;
use plans::{Cause, Status};

use crate::plans::product::ProductRow;
use crate::schema::{followed_puts, follows, operated_accounts as operated, users};
use crate::{Conn, Error, Page, PageRequest, Tx, will_change};
use db::bulk::Statement;
use db::{row, statement};

/// An account that others can follow, or could earlier.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct OperatedAccount {
    pub id: i64,
    /// What followers enter.
    pub operated_id: String,
    pub user: UserId,
    pub name: String,
    pub added_at: Timestamp,
    pub removed_at: Option<Timestamp>,
}

/// # Errors
/// A unique violation if the id was ever given, or the user has one; the transaction
/// cannot continue after it.
pub fn add(tx: &mut Tx<'_>, operated_id: &str, user: UserId, name: &str) -> Result<OperatedAccount, Error> {
    let added: OperatedAccount = diesel::insert_into(operated::table)
        .values((
            operated::operated_id.eq(operated_id),
            operated::user_id.eq(user),
            operated::name.eq(name),
            operated::added_at.eq(tx.now()),
        ))
        .returning(operated::all_columns)
        .get_result(tx.conn())?;
    tx.notes().vouches("operated_accounts", added.id);
    Ok(added)
}

/// Whether an id belongs or belonged to anybody.
pub fn was_given(conn: &mut Conn, operated_id: &str) -> Result<bool, Error> {
    let given = operated::table.filter(operated::operated_id.eq(operated_id));
    Ok(diesel::select(diesel::dsl::exists(given)).get_result(conn)?)
}

/// An account that can be followed now.
pub fn find(conn: &mut Conn, operated_id: &str) -> Result<Option<OperatedAccount>, Error> {
    let found = operated::table.filter(operated::operated_id.eq(operated_id).and(operated::removed_at.is_null()));
    Ok(found.first(conn).optional()?)
}

/// An account that can be followed now, locked against removal.
pub fn lock(tx: &mut Tx<'_>, operated_id: &str) -> Result<Option<OperatedAccount>, Error> {
    let found = operated::table.filter(operated::operated_id.eq(operated_id).and(operated::removed_at.is_null()));
    // An update that changes nothing locks the row on both databases.
    Ok(diesel::update(found)
        .set(operated::removed_at.eq(operated::removed_at))
        .returning(operated::all_columns)
        .get_result(tx.conn())
        .optional()?)
}

/// The user's own operated account, if others can follow them.
pub fn of_user(conn: &mut Conn, user: UserId) -> Result<Option<OperatedAccount>, Error> {
    let found = operated::table.filter(operated::user_id.eq(user).and(operated::removed_at.is_null()));
    Ok(found.first(conn).optional()?)
}

/// The number of current followers of an account.
pub fn followers(conn: &mut Conn, account: &OperatedAccount) -> Result<i64, Error> {
    let now = follows::table.filter(follows::operated_account.eq(account.id).and(follows::ended_at.is_null()));
    Ok(now.count().get_result(conn)?)
}

/// All accounts, including removed ones, with their users' names, newest first.
pub fn page(conn: &mut Conn, request: PageRequest) -> Result<Page<(OperatedAccount, String)>, Error> {
    let found = operated::table
        .inner_join(users::table)
        .filter(operated::id.lt(request.below()))
        .select((operated::all_columns, users::username))
        .order(operated::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    Ok(Page::cut(found, request, |(account, _): &(OperatedAccount, String)| account.id))
}

/// Removes an account and ends all following of it; returns the number of followers.
pub fn remove(tx: &mut Tx<'_>, id: i64) -> Result<usize, Error> {
    will_change(tx, "operated_accounts", [id])?;
    let now = tx.now();
    let conn: &mut Conn = tx;
    diesel::update(operated::table.find(id)).set(operated::removed_at.eq(now)).execute(conn)?;
    diesel::delete(followed_puts::table.filter(followed_puts::operated_account.eq(id))).execute(conn)?;
    let followers = follows::table.filter(follows::operated_account.eq(id).and(follows::ended_at.is_null()));
    let of_followers = users::table.filter(users::id.eq_any(followers.select(follows::user_id)));
    diesel::update(of_followers).set(users::operated_id.eq(None::<String>)).execute(conn)?;
    Ok(diesel::update(followers).set(follows::ended_at.eq(now)).execute(conn)?)
}

/// A period of following.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct FollowPeriod {
    pub id: i64,
    pub operated_id: String,
    pub name: String,
    pub followed_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

const FOLLOW: (follows::id, operated::operated_id, operated::name, follows::followed_at, follows::ended_at) =
    (follows::id, operated::operated_id, operated::name, follows::followed_at, follows::ended_at);

/// Whom the user follows now.
pub fn current(conn: &mut Conn, user: UserId) -> Result<Option<FollowPeriod>, Error> {
    Ok(follows::table
        .inner_join(operated::table)
        .filter(follows::user_id.eq(user).and(follows::ended_at.is_null()))
        .select(FOLLOW)
        .first(conn)
        .optional()?)
}

/// The user's history of following, newest first.
pub fn records(conn: &mut Conn, user: UserId, request: PageRequest) -> Result<Page<FollowPeriod>, Error> {
    let found = follows::table
        .inner_join(operated::table)
        .filter(follows::user_id.eq(user).and(follows::id.lt(request.below())))
        .select(FOLLOW)
        .order(follows::id.desc())
        .limit(request.fetch())
        .load(conn)?;
    Ok(Page::cut(found, request, |follow: &FollowPeriod| follow.id))
}

/// Ends the user's following, if there is any.
pub fn end(tx: &mut Tx<'_>, user: UserId) -> Result<(), Error> {
    let current = follows::table.filter(follows::user_id.eq(user).and(follows::ended_at.is_null()));
    tx.run(diesel::update(current).set(follows::ended_at.eq(tx.now())))?;
    tx.run(diesel::update(users::table.find(user)).set(users::operated_id.eq(None::<String>)))
}

/// Follows an account in place of any other. The caller has locked the user.
pub fn begin(tx: &mut Tx<'_>, user: UserId, account: &OperatedAccount) -> Result<(), Error> {
    end(tx, user)?;
    let now = tx.now();
    let set = users::operated_id.eq(Some(&account.operated_id));
    tx.run(diesel::update(users::table.find(user)).set(set))?;
    tx.run(diesel::insert_into(follows::table).values((
        follows::user_id.eq(user),
        follows::operated_account.eq(account.id),
        follows::followed_at.eq(now),
    )))
}

/// A plan put by an operated account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedPut {
    pub plan: PlanId,
    pub account: i64,
    pub operated_id: String,
    pub name: String,
    pub product: ProductId,
    pub put_at: Timestamp,
    /// The id of the last follow record whose user was offered the plan.
    pub offered_to: i64,
}

statement!(
    QUEUE,
    each: "INSERT INTO followed_puts (plan_id, operated_account, product_id, put_at, offered_to) \
         SELECT n.plan, o.id, n.product, n.at, 0 FROM unnest(?, ?, ?, ?) AS n(plan, us, product, at) \
         JOIN operated_accounts o ON o.user_id = n.us AND o.removed_at IS NULL \
         WHERE EXISTS (SELECT 1 FROM follows f WHERE f.operated_account = o.id AND f.ended_at IS NULL)",
);

/// Queues those of these plans that were put by operated accounts with followers.
pub fn queue_all(tx: &mut Tx<'_>, puts: &[(PlanId, UserId, ProductId)]) -> Result<(), Error> {
    let columns = [
        puts.iter().map(|(plan, ..)| plan.0).collect::<Vec<_>>().into(),
        puts.iter().map(|(_, user, _)| user.0).collect::<Vec<_>>().into(),
        puts.iter().map(|(.., product)| product.0).collect::<Vec<_>>().into(),
        vec![tx.now().millis(); puts.len()].into(),
    ];
    QUEUE.execute(tx, &columns)?;
    Ok(())
}

/// Plans that followers have yet to be offered, oldest first.
pub fn find_queued(conn: &mut Conn, limit: i64) -> Result<Vec<PlanId>, Error> {
    let queued = followed_puts::table.select(followed_puts::plan_id).order(followed_puts::plan_id);
    Ok(queued.limit(limit).load(conn)?)
}

/// Locks a queued plan; `None` once all followers were offered it.
pub fn lock_queued(tx: &mut Tx<'_>, plan: PlanId) -> Result<Option<FollowedPut>, Error> {
    // An update that changes nothing locks the row on both databases.
    let row: Option<(i64, ProductId, Timestamp, i64)> = diesel::update(followed_puts::table.find(plan))
        .set(followed_puts::offered_to.eq(followed_puts::offered_to))
        .returning((
            followed_puts::operated_account,
            followed_puts::product_id,
            followed_puts::put_at,
            followed_puts::offered_to,
        ))
        .get_result(tx.conn())
        .optional()?;
    let Some((account, product, put_at, offered_to)) = row else { return Ok(None) };
    let (operated_id, name): (String, String) =
        operated::table.find(account).select((operated::operated_id, operated::name)).first(tx.conn())?;
    Ok(Some(FollowedPut { plan, account, operated_id, name, product, put_at, offered_to }))
}

/// The next users, by record, who followed the account when it put the plan and still do.
pub fn followers_after(conn: &mut Conn, put: &FollowedPut, limit: i64) -> Result<Vec<(i64, UserId)>, Error> {
    Ok(follows::table
        .filter(follows::operated_account.eq(put.account).and(follows::ended_at.is_null()))
        .filter(follows::id.gt(put.offered_to).and(follows::followed_at.le(put.put_at)))
        .select((follows::id, follows::user_id))
        .order(follows::id)
        .limit(limit)
        .load(conn)?)
}

/// Stores up to which follow record the plan was offered.
pub fn note_offered(tx: &mut Tx<'_>, plan: PlanId, to: i64) -> Result<(), Error> {
    tx.run(diesel::update(followed_puts::table.find(plan)).set(followed_puts::offered_to.eq(to)))
}

/// Removes a plan from the queue, because all followers were offered it.
pub fn finish(tx: &mut Tx<'_>, plan: PlanId) -> Result<(), Error> {
    tx.run(diesel::delete(followed_puts::table.find(plan)))
}

row! {
    /// An offer of a plan to a follower.
    #[derive(Clone, Debug)]
    pub struct FollowerOffer {
        pub id: PlanId,
        pub user_id: UserId,
        pub plan_no: String,
    }
}

statement!(
    OFFER,
    each: &format!(
        "INSERT INTO plans (plan_no, user_id, product_id, advertiser_id, status, reason, official, followed_id, \
         unit_milli, pricing, price, days, payout, attribution_days, fee_rate, conversions_per_click, landing_url, \
         created_at, changed_at) \
         SELECT n.no, n.us, p.id, p.advertiser_id, n.st, n.re, FALSE, n.fo, n.un, p.pricing, p.price, p.days, \
         p.payout, p.attribution_days, p.fee_rate, p.conversions_per_click, p.landing_url, n.at, n.at \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?) AS n(no, us, st, re, fo, un, at, pr) JOIN products p ON p.id = n.pr \
         JOIN users u ON u.id = n.us AND u.status = {active} AND u.store_opened \
         WHERE TRUE ON CONFLICT DO NOTHING RETURNING id, user_id, plan_no",
        active = AccountStatus::Active.code()
    ),
);

/// Offers the product to users, each with a plan number. Users who are inactive, or who have an open offer of it, are
/// skipped.
pub fn offer(
    tx: &mut Tx<'_>,
    operated_id: &str,
    product: &ProductRow,
    to: Vec<(UserId, String)>,
) -> Result<Vec<FollowerOffer>, Error> {
    let (now, rows) = (tx.now(), to.len());
    let unit_milli = product.terms().unit_milli().map_err(|e| Error::Corrupt(e.to_string()))?;
    let (users, numbers): (Vec<UserId>, Vec<String>) = to.into_iter().unzip();
    let columns = [
        numbers.into(),
        users.into(),
        vec![Status::WaitingToPut; rows].into(),
        vec![Cause::Offered; rows].into(),
        vec![operated_id; rows].into(),
        vec![unit_milli; rows].into(),
        vec![now; rows].into(),
        vec![product.id; rows].into(),
    ];
    let made: Vec<FollowerOffer> = OFFER.load(tx, &columns)?;
    crate::plans::plan::record_offers(tx, made.iter().map(|plan| plan.id).collect())?;
    Ok(made)
}
