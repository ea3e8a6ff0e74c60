//! Compares the terms of plans with those that two people agreed on in the approved requests for their products. The
//! hash of a put covers whatever terms the plan has then. So if somebody edits an offer before the put, or a product
//! for a moment, the plan would pay what nobody agreed to.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use base::{Money, Rate};
use diesel::prelude::*;
use plans::{Pricing, Terms};
use serde_json::{Value, json};
use standing::{level_of, vip};
use wallet::RequestKind;

use super::agreed::{self, AgreedTerms};
use super::faults::{Faults, Law};
use crate::{Conn, Error};
use db::row;

/// How far the clocks of servers may differ.
const SLACK: i64 = 3_600_000;
const FIELDS: [&str; 8] =
    ["pricing", "price", "days", "payout", "attribution_days", "conversions_per_click", "landing_url", "fee_rate"];

/// What was agreed for a product.
struct Agreed {
    /// Since when the agreed terms are known.
    since: i64,
    /// Whether the first request created the product. Otherwise the product is from before terms were requested.
    from_the_start: bool,
    /// Each value of a field, with when it was agreed.
    values: BTreeMap<&'static str, Vec<(i64, Value)>>,
}

impl Agreed {
    fn new(since: i64, from_the_start: bool) -> Self {
        Self { since, from_the_start, values: BTreeMap::new() }
    }

    fn take(&mut self, at: i64, fields: &Value, is_new: bool) {
        for field in FIELDS {
            let Some(change) = fields.get(field) else { continue };
            let end = |name: &str| change.get(name).cloned().unwrap_or_default();
            let before = || if is_new { Vec::new() } else { vec![(i64::MIN, end("from"))] };
            self.values.entry(field).or_insert_with(before).push((at, end("to")));
        }
    }

    /// Whether a fitting value had been agreed by then.
    fn allows(&self, field: &str, at: i64, fits: impl Fn(&Value) -> bool) -> bool {
        match self.values.get(field) {
            Some(values) => values.iter().any(|(since, value)| *since <= at.saturating_add(SLACK) && fits(value)),
            // A request for a new product leaves out fields without a value.
            None => !self.from_the_start || fits(&Value::Null),
        }
    }
}

row! {
    /// Plans with the same terms: the first of them, and when the first one was put or offered.
    struct PlanTerms {
        plan: i64,
        product_id: i64,
        at: i64,
        is_the_products: bool,
        unit_milli: i64,
        pricing: i16,
        price: Money,
        days: i32,
        payout: Money,
        attribution_days: i32,
        conversions_per_click: i32,
        landing_url: Option<String>,
        fee_rate: String,
    }
}

impl PlanTerms {
    /// The first of its terms that nobody had agreed to by then.
    fn wrong(&self, agreed: &Agreed) -> Option<&'static str> {
        if !self.is_the_products {
            return Some("an advertiser");
        }
        let (Ok(pricing), Ok(fee_rate)) = (Pricing::try_from(self.pricing), self.fee_rate.parse::<Rate>()) else {
            return Some("terms");
        };
        let terms = Terms {
            pricing,
            price: self.price,
            days: self.days.into(),
            payout: self.payout,
            attribution_days: self.attribution_days.into(),
            fee_rate,
        };
        if terms.unit_milli() != Ok(self.unit_milli) {
            return Some("a price of an event");
        }
        FIELDS.into_iter().find(|field| !agreed.allows(field, self.at, |value| self.is(field, value)))
    }

    fn is(&self, field: &str, agreed: &Value) -> bool {
        let text = agreed.as_str();
        match field {
            "pricing" => text.and_then(Pricing::from_name).map(Pricing::code) == Some(self.pricing),
            "price" => text.and_then(|text| text.parse().ok()) == Some(self.price),
            "payout" => text.and_then(|text| text.parse().ok()) == Some(self.payout),
            "days" => *agreed == json!(self.days),
            "attribution_days" => *agreed == json!(self.attribution_days),
            "conversions_per_click" => *agreed == json!(self.conversions_per_click),
            "landing_url" => text == self.landing_url.as_deref(),
            _ => text.and_then(|text| text.parse().ok()).is_some_and(|rate| self.is_lowered_from(rate)),
        }
    }

    /// Whether VIP or the shop's level can have lowered the agreed fee to this one.
    fn is_lowered_from(&self, agreed: Rate) -> bool {
        let lowest = vip::agreed_fee_rate(agreed, true, &level_of(Money::from_minor(i64::MAX)));
        let is_between = |fee: Rate| (lowest.decimal()..=agreed.decimal()).contains(&fee.decimal());
        self.fee_rate.parse::<Rate>().is_ok_and(is_between)
    }
}

pub(super) fn check(conn: &mut Conn, faults: &mut Faults) -> Result<(), Error> {
    let agreed = read_agreed(conn)?;
    let found: Vec<PlanTerms> = diesel::sql_query(
        "SELECT MIN(p.id) AS plan, p.product_id, MIN(COALESCE(p.put_at, p.created_at)) AS at, \
         p.advertiser_id = d.advertiser_id AS is_the_products, p.unit_milli, p.pricing, p.price, p.days, p.payout, \
         p.attribution_days, p.conversions_per_click, p.landing_url, p.fee_rate FROM plans p \
         JOIN products d ON d.id = p.product_id GROUP BY p.product_id, p.advertiser_id = d.advertiser_id, p.unit_milli, \
         p.pricing, p.price, p.days, p.payout, p.attribution_days, p.conversions_per_click, p.landing_url, p.fee_rate \
         ORDER BY 1",
    )
    .load(conn)?;
    for terms in found {
        let agreed = agreed.get(&terms.product_id).filter(|agreed| terms.at.saturating_add(SLACK) >= agreed.since);
        if let Some(field) = agreed.and_then(|agreed| terms.wrong(agreed)) {
            let plan = terms.plan;
            faults.add(Law::Rows, || format!("plan {plan} has {field} that nobody had agreed to then"));
        }
    }
    Ok(())
}

/// The agreed terms by product.
fn read_agreed(conn: &mut Conn) -> Result<BTreeMap<i64, Agreed>, Error> {
    let mut changes = Vec::new();
    agreed::each(conn, RequestKind::ProductTerms, |mut terms| {
        if let Some(fields) = terms.fields.as_object_mut() {
            fields.retain(|field, _| FIELDS.contains(&field.as_str()));
        }
        changes.push(terms);
    })?;
    changes.sort_by_key(|terms| (terms.at, terms.request));
    let mut agreed: BTreeMap<i64, Agreed> = BTreeMap::new();
    for AgreedTerms { at, of, fields, .. } in changes {
        match agreed.entry(of) {
            Entry::Occupied(mut known) => known.get_mut().take(at, &fields, false),
            Entry::Vacant(new) => {
                let payout = fields.get("payout");
                let is_new = payout.is_some_and(|payout| payout.get("from").is_none_or(Value::is_null));
                new.insert(Agreed::new(at, is_new)).take(at, &fields, is_new);
            }
        }
    }
    Ok(agreed)
}
