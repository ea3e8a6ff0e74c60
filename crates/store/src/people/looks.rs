//! How users' names look. Each look belongs to one user. A name from before looks were stored may look like another
//! one; then its look is stored together with the user's id, so that no other name has it.

use std::collections::BTreeSet;

use auth::Look;
use base::UserId;
use db::bulk::Statement;
use db::{insert, row};
use diesel::prelude::*;

use crate::schema::user_looks;
use crate::{Conn, Error, Tx};

/// This many users before the newest one with a look are checked again, because servers of the previous version may
/// have added some without.
const AGAIN: i64 = 10_000;
/// The number of users that are read at a time.
const CHUNK: i64 = 2_000;

/// Whether a user's name looks like this.
pub fn is_taken(conn: &mut Conn, look: &Look) -> Result<bool, Error> {
    let alike = user_looks::name_look.eq(&look.small).or(user_looks::shown_look.eq(&look.shown));
    Ok(diesel::select(diesel::dsl::exists(user_looks::table.filter(alike))).get_result(conn)?)
}

/// Stores how a new user's name looks.
pub fn insert(tx: &mut Tx<'_>, user: UserId, name: &str) -> Result<(), Error> {
    let look = Look::of(name);
    let taken = is_taken(tx, &look)?;
    let look = if taken { numbered(look, user.0) } else { look };
    tx.run(diesel::insert_into(user_looks::table).values((
        user_looks::user_id.eq(user),
        user_looks::name_look.eq(look.small),
        user_looks::shown_look.eq(look.shown),
    )))
}

/// Makes a look unique. No look of a name contains a blank.
fn numbered(look: Look, user: i64) -> Look {
    Look { small: format!("{} {user}", look.small), shown: format!("{} {user}", look.shown) }
}

row! {
    struct Named {
        id: i64,
        username: String,
    }
}

#[derive(Queryable)]
struct Taken {
    small: String,
    shown: String,
}

insert! {
    struct Kept, KEEP into "user_looks" {
        user_id: UserId,
        name_look: String,
        shown_look: String,
    } then "ON CONFLICT DO NOTHING"
}

/// The next users without a stored look, after this one; usually there are none.
pub fn without(conn: &mut Conn, above: Option<UserId>) -> Result<Vec<(UserId, String)>, Error> {
    let above = match above {
        Some(above) => above.0,
        None => {
            let newest: Option<i64> = user_looks::table.select(diesel::dsl::max(user_looks::user_id)).first(conn)?;
            newest.map_or(i64::MIN + 1, |newest| newest - AGAIN)
        }
    };
    let sql = format!(
        "SELECT u.id, u.username FROM users u WHERE u.id > {above} AND NOT EXISTS \
         (SELECT 1 FROM user_looks l WHERE l.user_id = u.id) ORDER BY u.id LIMIT {CHUNK}"
    );
    let users: Vec<Named> = diesel::sql_query(sql).load(conn)?;
    Ok(users.into_iter().map(|user| (UserId(user.id), user.username)).collect())
}

/// Stores how these users' names look.
pub fn keep(tx: &mut Tx<'_>, users: &[(UserId, String)]) -> Result<(), Error> {
    let looks: Vec<(i64, Look)> = users.iter().map(|(user, name)| (user.0, Look::of(name))).collect();
    let (mut small, mut shown) = find_taken(tx, &looks)?;
    let looks = looks.into_iter().map(|(user, look)| {
        let first = !small.contains(&look.small) && !shown.contains(&look.shown);
        small.insert(look.small.clone());
        shown.insert(look.shown.clone());
        (user, if first { look } else { numbered(look, user) })
    });
    let kept = looks.map(|(user, look)| Kept { user_id: UserId(user), name_look: look.small, shown_look: look.shown });
    KEEP.execute(tx, &Kept::columns(&kept.collect::<Vec<_>>()))?;
    Ok(())
}

fn find_taken(conn: &mut Conn, looks: &[(i64, Look)]) -> Result<(BTreeSet<String>, BTreeSet<String>), Error> {
    let small: Vec<&String> = looks.iter().map(|(_, look)| &look.small).collect();
    let shown: Vec<&String> = looks.iter().map(|(_, look)| &look.shown).collect();
    let columns = (user_looks::name_look, user_looks::shown_look);
    let mut rows: Vec<Taken> =
        user_looks::table.filter(user_looks::name_look.eq_any(small)).select(columns).load(conn)?;
    rows.extend(user_looks::table.filter(user_looks::shown_look.eq_any(shown)).select(columns).load::<Taken>(conn)?);
    Ok(rows.into_iter().map(|row| (row.small, row.shown)).unzip())
}
