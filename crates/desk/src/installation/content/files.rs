//! Entries as the files of the use cases that check their values.

use campaigns::catalogue::products::ProductFile;
use campaigns::delivery::publishers::PublisherFile;
use campaigns::delivery::slots::SlotFile;
use content::{Item, Kind, Mistake, check_activity, check_contact, check_question};
use foundation::Error;
use money::offers::coupon_staff::CouponFile;
use money::wallet::acceptor_admin::AcceptorFile;
use serde_json::Value as Json;

use super::{catalogue, notices, offers, pay_in, publishers, service};
use crate::installation::basic_config::BUILT_IN;

/// The mistakes in an entry that can be found without the database.
pub fn checked(item: &Item, currency: &str) -> Result<Vec<Mistake>, Error> {
    Ok(match item.kind {
        Kind::Advertiser => catalogue::check_advertiser(item),
        Kind::Product => catalogue::check_product(item)?,
        Kind::Publisher => publishers::check(item)?,
        Kind::Slot => catalogue::check_slot(item)?,
        Kind::Coupon => offers::check_coupon(item)?,
        Kind::Activity => check_activity(item),
        Kind::Acceptor => service::check_acceptor(item, currency)?,
        Kind::Contact => check_contact(item),
        Kind::PayIn => pay_in::check(item),
        Kind::Faq => check_question(item, BUILT_IN.contains(&item.key.as_str())),
        Kind::Notification => notices::check(item),
    })
}

/// The advertiser is looked up later, by name or id.
pub fn product(item: &Item) -> Result<ProductFile, Error> {
    let mut fields = item.fields.clone();
    fields.remove("active");
    let id = item.fields.get("advertiser").and_then(Json::as_i64).unwrap_or_default();
    fields.insert("advertiser".to_owned(), id.into());
    Ok(item.file_of(fields)?)
}

pub fn publisher(item: &Item) -> Result<PublisherFile, Error> {
    Ok(item.file_without(&["active"])?)
}

pub fn slot(item: &Item) -> Result<SlotFile, Error> {
    Ok(item.file_without(&["active"])?)
}

pub fn coupon(item: &Item) -> Result<CouponFile, Error> {
    Ok(item.file()?)
}

pub fn acceptor(item: &Item) -> Result<AcceptorFile, Error> {
    Ok(item.file_without(&["active"])?)
}
