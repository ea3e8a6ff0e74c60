//! Exporting the current content in the format that `apply` takes.

use std::collections::BTreeMap;

use base::AdvertiserId;
use content::{Kind, without_usual};
use foundation::{App, Error};
use serde_json::Value as Json;
use store::delivery::slot;
use store::installation::content::{self as rows, AT_MOST};
use store::offers::coupons::{self as coupon_rows};
use store::plans::{advertiser, product};
use store::wallet::acceptors;
use store::{Conn, PageRequest};

use super::catalogue::{advertiser_form, as_new_slot, parse_kept, product_form, slot_form};
use super::offers::{activity_form, coupon_form};
use super::service::{self, acceptor_form, contact_form, question_form};
use super::{pay_in, publishers};

/// The most entries exported of one kind: as many as can be applied at once.
const MOST: usize = 1_000;

/// The tables of each kind, at most a thousand of each. Applying them again changes
/// nothing. Codes and keys are not included, because only digests are known.
pub async fn export(app: &App, kinds: &[Kind]) -> Result<BTreeMap<Kind, Vec<Json>>, Error> {
    let kinds = kinds.to_vec();
    app.db
        .snapshot(move |conn| {
            let mut all = BTreeMap::new();
            for kind in kinds {
                all.insert(kind, of_kind(conn, kind)?.into_iter().map(without_usual).collect());
            }
            Ok(all)
        })
        .await
}

fn of_kind(conn: &mut Conn, kind: Kind) -> Result<Vec<Json>, Error> {
    match kind {
        Kind::Advertiser => Ok(advertiser::all(conn)?.iter().rev().map(advertiser_form).collect()),
        Kind::Product => products(conn),
        Kind::Publisher => publishers::forms(conn),
        Kind::Slot => slots(conn),
        Kind::Coupon => coupons(conn),
        Kind::Activity => rows::activities(conn)?.iter().map(|(kept, coupon)| activity_form(kept, coupon)).collect(),
        Kind::Acceptor => {
            let all = acceptors::list(conn, None, false)?;
            Ok(all.iter().map(|one| acceptor_form(&service::as_new(one), one.active)).collect())
        }
        Kind::Contact => rows::contacts(conn)?.iter().map(contact_form).collect(),
        Kind::PayIn => rows::pay_ins(conn)?.iter().map(pay_in::form).collect(),
        Kind::Faq => rows::questions(conn)?.iter().map(question_form).collect(),
        Kind::Notification => rows::latest_notices(conn)?.iter().rev().map(|form| parse_kept(form)).collect(),
    }
}

fn slots(conn: &mut Conn) -> Result<Vec<Json>, Error> {
    let (slots, names) = slot::all_with_publishers(conn)?;
    let name = |id| names.get(&id).map_or("", String::as_str);
    slots.iter().rev().map(|row| slot_form(&as_new_slot(row), name(row.publisher_id))).collect()
}

fn products(conn: &mut Conn) -> Result<Vec<Json>, Error> {
    let found = product::all_after(conn, 0, AT_MOST)?;
    let ids: Vec<AdvertiserId> = found.iter().map(|row| row.advertiser_id).collect();
    let owners: BTreeMap<AdvertiserId, String> =
        advertiser::by_ids(conn, &ids)?.into_iter().map(|owner| (owner.id, owner.name)).collect();
    let owner = |id| owners.get(&id).map_or("", String::as_str);
    found.iter().map(|row| product_form(&row.as_new(), owner(row.advertiser_id))).collect()
}

fn coupons(conn: &mut Conn) -> Result<Vec<Json>, Error> {
    let mut forms = Vec::new();
    let mut before = None;
    while forms.len() < MOST {
        let page = coupon_rows::definitions(conn, PageRequest { before, limit: PageRequest::MAX_LIMIT })?;
        for defined in page.items {
            forms.push(coupon_form(&defined.definition)?);
        }
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    forms.reverse();
    Ok(forms)
}
