//! Content from staff's files that belongs to no other area: contacts, accounts to pay in
//! to, questions, activities, and which notices were sent. There are only a few of each.

use base::{CouponDefinitionId, Timestamp};
use diesel::prelude::*;

use crate::offers::coupons::{DefinitionRow, StoredDefinition};
use crate::schema::{
    activities, contacts, content_version, coupon_definitions, pay_in_accounts, questions, sent_notices,
};
use crate::{Conn, Error, Tx, will_change};

/// Larger than any of these tables will be.
pub const AT_MOST: i64 = 1_000;

/// Serialises changes of content: the lock is held until the end of the transaction,
/// which gets a new version.
pub fn lock(tx: &mut Tx<'_>) -> Result<i64, Error> {
    Ok(diesel::update(content_version::table)
        .set(content_version::version.eq(content_version::version + 1))
        .returning(content_version::version)
        .get_result(tx.conn())?)
}

pub fn version(conn: &mut Conn) -> Result<i64, Error> {
    Ok(content_version::table.select(content_version::version).first(conn)?)
}

/// Updates the row with the same name, or inserts one.
macro_rules! keep {
    ($tx:ident, $table:ident, $row:ident) => {{
        let now = $tx.now().millis();
        let conn: &mut Conn = $tx;
        let same = $table::table.filter($table::name.eq(&$row.name));
        let known: Option<i64> = same.select($table::id).first(conn).optional()?;
        if let Some(id) = known {
            will_change($tx, stringify!($table), [id])?;
            let conn: &mut Conn = $tx;
            diesel::update($table::table.find(id)).set($row).execute(conn)?;
        } else {
            let id = diesel::insert_into($table::table)
                .values(($row, $table::created_at.eq(now)))
                .returning($table::id)
                .get_result(conn)?;
            $tx.notes().vouches(stringify!($table), id);
        }
        Ok(())
    }};
}

/// A contact for users; its label by language is JSON.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = contacts)]
pub struct Contact {
    pub name: String,
    pub list: i16,
    pub kind: i64,
    pub url: String,
    pub label: String,
    pub place: i32,
    pub active: bool,
}

/// All contacts, including retired ones, in the order in which users see them.
pub fn contacts(conn: &mut Conn) -> Result<Vec<Contact>, Error> {
    let all = contacts::table.order((contacts::list, contacts::place, contacts::id)).limit(AT_MOST);
    Ok(all.select(Contact::as_select()).load(conn)?)
}

pub fn keep_contact(tx: &mut Tx<'_>, contact: &Contact) -> Result<(), Error> {
    keep!(tx, contacts, contact)
}

/// An account that users pay in to; its label and note by language are JSON.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = pay_in_accounts, treat_none_as_null = true)]
pub struct PayIn {
    pub name: String,
    pub label: String,
    pub beneficiary: String,
    pub account: String,
    pub network: Option<String>,
    pub bank: Option<String>,
    pub bic: Option<String>,
    pub note: String,
    pub place: i32,
    pub active: bool,
}

/// All accounts, including retired ones, in the order in which users see them.
pub fn pay_ins(conn: &mut Conn) -> Result<Vec<PayIn>, Error> {
    let all = pay_in_accounts::table.order((pay_in_accounts::place, pay_in_accounts::id)).limit(AT_MOST);
    Ok(all.select(PayIn::as_select()).load(conn)?)
}

/// The id of a pay-in account that is not retired.
pub fn active_pay_in(conn: &mut Conn, name: &str) -> Result<Option<i64>, Error> {
    let one = pay_in_accounts::table.filter(pay_in_accounts::name.eq(name).and(pay_in_accounts::active));
    Ok(one.select(pay_in_accounts::id).first(conn).optional()?)
}

pub fn keep_pay_in(tx: &mut Tx<'_>, pay_in: &PayIn) -> Result<(), Error> {
    keep!(tx, pay_in_accounts, pay_in)
}

/// A question and its answer, by language in JSON. A row without texts belongs to a built-in question and keeps its
/// texts.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = questions, treat_none_as_null = true)]
pub struct Question {
    pub name: String,
    pub question: String,
    pub answer: String,
    pub place: Option<i32>,
    pub active: bool,
}

/// In order of creation, hidden ones included.
pub fn questions(conn: &mut Conn) -> Result<Vec<Question>, Error> {
    Ok(questions::table.order(questions::id).limit(AT_MOST).select(Question::as_select()).load(conn)?)
}

pub fn keep_question(tx: &mut Tx<'_>, question: &Question) -> Result<(), Error> {
    keep!(tx, questions, question)
}

/// An activity; its texts by language are JSON.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = activities, treat_none_as_null = true)]
pub struct Activity {
    pub name: String,
    pub title: String,
    pub rules: String,
    pub starts_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    pub active: bool,
}

/// In order of creation, each with its coupon, retired ones included.
pub fn activities(conn: &mut Conn) -> Result<Vec<(Activity, StoredDefinition)>, Error> {
    let rows: Vec<(Activity, DefinitionRow)> = activities::table
        .inner_join(coupon_definitions::table)
        .order(activities::id)
        .limit(AT_MOST)
        .select((Activity::as_select(), DefinitionRow::as_select()))
        .load(conn)?;
    rows.into_iter().map(|(activity, definition)| Ok((activity, definition.try_into()?))).collect()
}

pub fn keep_activity(tx: &mut Tx<'_>, activity: &Activity, coupon: CouponDefinitionId) -> Result<(), Error> {
    let values = (activity, activities::definition_id.eq(coupon));
    let same = activities::table.filter(activities::name.eq(&activity.name));
    let known: Option<i64> = same.select(activities::id).first(tx.conn()).optional()?;
    if let Some(id) = known {
        will_change(tx, "activities", [id])?;
        tx.run(diesel::update(activities::table.find(id)).set(values))?;
    } else {
        let id = diesel::insert_into(activities::table)
            .values((values, activities::created_at.eq(tx.now())))
            .returning(activities::id)
            .get_result(tx.conn())?;
        tx.notes().vouches("activities", id);
    }
    Ok(())
}

/// The named notices that were sent, with their content at that time.
pub fn find_sent_notices(conn: &mut Conn, names: &[String]) -> Result<Vec<(String, String)>, Error> {
    let named = sent_notices::table.filter(sent_notices::name.eq_any(names));
    Ok(named.select((sent_notices::name, sent_notices::form)).load(conn)?)
}

/// Newest first.
pub fn latest_notices(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let newest = sent_notices::table.order(sent_notices::id.desc()).limit(AT_MOST);
    Ok(newest.select(sent_notices::form).load(conn)?)
}

pub fn keep_notice(tx: &mut Tx<'_>, name: &str, form: &str) -> Result<(), Error> {
    let values = (sent_notices::name.eq(name), sent_notices::form.eq(form), sent_notices::created_at.eq(tx.now()));
    tx.run(diesel::insert_into(sent_notices::table).values(values))
}
