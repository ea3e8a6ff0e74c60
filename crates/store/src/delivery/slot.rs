//! Slots: places on publishers' pages where creatives are shown.

use std::collections::HashMap;

use base::{PublisherId, SlotId, Timestamp};
use diesel::prelude::*;

use crate::delivery::publisher;
use crate::schema::{slots, ssps};
use crate::{Conn, Error, Tx, will_change};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = slots)]
pub struct SlotRow {
    pub id: SlotId,
    pub key: String,
    /// JSON: the content types it can show.
    pub content_types: String,
    /// JSON: the audience it reaches.
    pub audience: String,
    pub active: bool,
    pub created_at: Timestamp,
    pub publisher_id: PublisherId,
}

#[derive(Clone, Debug, Insertable, AsChangeset)]
#[diesel(table_name = slots)]
pub struct NewSlot {
    pub key: String,
    pub content_types: String,
    pub audience: String,
    pub active: bool,
    pub publisher_id: PublisherId,
}

pub fn insert(tx: &mut Tx<'_>, slot: &NewSlot) -> Result<SlotRow, Error> {
    tx.notes().changes_catalogue();
    let row: SlotRow = diesel::insert_into(slots::table)
        .values((slot, slots::created_at.eq(tx.now())))
        .returning(slots::all_columns)
        .get_result(tx.conn())?;
    tx.notes().vouches("slots", row.id.0);
    Ok(row)
}

pub fn change(tx: &mut Tx<'_>, id: SlotId, slot: &NewSlot) -> Result<(), Error> {
    will_change(tx, "slots", [id.0])?;
    tx.notes().changes_catalogue();
    tx.run(diesel::update(slots::table.find(id)).set(slot))
}

/// The slots with these keys, active or not.
pub fn find_by_keys(conn: &mut Conn, keys: &[String]) -> Result<Vec<SlotRow>, Error> {
    Ok(slots::table.filter(slots::key.eq_any(keys)).select(SlotRow::as_select()).load(conn)?)
}

/// The id of a slot on a publisher's page, active or not. A slot that only counts the views of an SSP is not found.
pub fn of_page(conn: &mut Conn, key: &str) -> Result<Option<SlotId>, Error> {
    let of_ssps = ssps::table.select(ssps::slot_id);
    let keyed = slots::table.filter(slots::key.eq(key)).filter(slots::id.ne_all(of_ssps));
    Ok(keyed.select(slots::id).first(conn).optional()?)
}

/// An active slot, by the key in its publisher's page.
pub fn find(conn: &mut Conn, key: &str) -> Result<Option<SlotRow>, Error> {
    Ok(slots::table
        .filter(slots::key.eq(key))
        .filter(slots::active.eq(true))
        .select(SlotRow::as_select())
        .first(conn)
        .optional()?)
}

/// A publisher's slots, ordered by id; there are few.
pub fn of_publisher(conn: &mut Conn, publisher: PublisherId) -> Result<Vec<SlotRow>, Error> {
    Ok(slots::table
        .filter(slots::publisher_id.eq(publisher))
        .order(slots::id)
        .limit(1000)
        .select(SlotRow::as_select())
        .load(conn)?)
}

/// All slots on pages, for staff; there are few. Slots that only count the views of an SSP are left out.
pub fn all(conn: &mut Conn) -> Result<Vec<SlotRow>, Error> {
    let of_ssps = ssps::table.select(ssps::slot_id);
    Ok(slots::table
        .filter(slots::id.ne_all(of_ssps))
        .order(slots::id.desc())
        .limit(1000)
        .select(SlotRow::as_select())
        .load(conn)?)
}

/// All of these slots, with the names of their publishers by id.
pub fn all_with_publishers(conn: &mut Conn) -> Result<(Vec<SlotRow>, HashMap<PublisherId, String>), Error> {
    let slots = all(conn)?;
    let owners: Vec<PublisherId> = slots.iter().map(|slot| slot.publisher_id).collect();
    let names = publisher::by_ids(conn, &owners)?.into_iter().map(|owner| (owner.id, owner.name)).collect();
    Ok((slots, names))
}
