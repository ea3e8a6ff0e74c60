//! Coupons and activities.

use std::collections::BTreeMap;

use auth::Looks;
use base::Timestamp;
use content::{Item, ItemDifference, Mistake, explained, field_changes, tidy};
use coupons::{Definition, Validity};
use foundation::Error;
use money::offers::coupon_staff::looks;
use money::offers::coupon_terms::{CouponTerms, agreed};
use serde_json::{Value as Json, json};
use store::installation::content::{self as rows, Activity};
use store::offers::coupons::{self as coupon_rows, StoredDefinition};
use wallet::RequestKind;

use super::catalogue::{keys, parse_kept};
use super::files;
use super::import::{ContentImport, PendingTerms};

/// The fields that holders of a coupon rely on; they are fixed once a user holds one.
const PROMISED: [&str; 6] = ["kind", "effect", "value", "max_value", "min_amount", "operated_id"];
/// Before all other times, because whether a coupon ends in time is checked later.
const ANY_TIME: Timestamp = Timestamp::from_seconds(0);

pub fn check_coupon(item: &Item) -> Result<Vec<Mistake>, Error> {
    match files::coupon(item)?.check(ANY_TIME) {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|_| Vec::new()),
    }
}

pub fn apply_coupons(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    // Until this transaction ends, nobody is given one of these coupons or approves other terms.
    let known = coupon_rows::lock_named(work.tx, &keys(items))?;
    let mut looks = looks(work.tx)?;
    for item in items {
        apply_coupon(work, &mut looks, item, known.iter().find(|defined| defined.definition.name == item.key))?;
    }
    Ok(())
}

fn apply_coupon(
    work: &mut ContentImport<'_, '_>,
    looks: &mut Looks,
    item: &Item,
    before: Option<&StoredDefinition>,
) -> Result<(), Error> {
    let wanted = files::coupon(item)?.check(ANY_TIME)?;
    work.claimed.insert(wanted.name.clone(), wanted.activity.clone());
    let ends_late = matches!(wanted.validity, Validity::Until(end) if end <= work.tx.now());
    if wanted.lacks_cap(before.and_then(agreed)) {
        work.note_mistake(item, "max_value", explained(item.kind, "max_value", "required"));
    }
    let Some(present) = before else {
        if ends_late {
            work.note_mistake(item, "ends", explained(item.kind, "ends", "invalid"));
            return Ok(());
        }
        if let Some(other) = looks.find(&item.key) {
            work.note_mistake(item, "name", format!("looks like {other}, which is another coupon"));
            return Ok(());
        }
        looks.add(&item.key);
        let defined = coupon_rows::define(work.tx, &wanted)?;
        let deed = ("coupon.define", format!("coupon_definition:{}", defined.id));
        work.note_added(item, deed, &coupon_form(&wanted)?, None);
        work.ask(PendingTerms::Coupon(Box::new((defined, wanted))));
        return Ok(());
    };
    let now = present.definition.changed_by_one_person(&wanted, present.draft);
    let form = coupon_form(&now)?;
    let (now_fields, later) =
        (field_changes(&coupon_form(&present.definition)?, &form), field_changes(&form, &coupon_form(&wanted)?));
    if present.given > 0 {
        for field in PROMISED.into_iter().filter(|field| later.contains_key(*field)) {
            work.note_mistake(item, field, "stays as it is: users hold this coupon; define one of another name");
        }
    }
    if ends_late && later.contains_key("ends") {
        work.note_mistake(item, "ends", explained(item.kind, "ends", "invalid"));
    }
    if !now_fields.is_empty() {
        coupon_rows::redefine(work.tx, present.id, &now, present.draft)?;
    }
    let deed = ("coupon.change", format!("coupon_definition:{}", present.id));
    let differs = ItemDifference { now: now_fields, later, draft: present.draft };
    // The request is based on what was written meanwhile.
    let present = StoredDefinition { definition: now, ..present.clone() };
    work.differs(item, deed, differs, PendingTerms::Coupon(Box::new((present, wanted))));
    Ok(())
}

pub fn coupon_form(definition: &Definition) -> Result<Json, Error> {
    let mut form = serde_json::to_value(CouponTerms::of(definition)).map_err(|e| Error::Internal(e.to_string()))?;
    if let Some(fields) = form.as_object_mut() {
        fields.insert("name".to_owned(), definition.name.as_str().into());
    }
    Ok(tidy(form))
}

pub fn apply_activities(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let names: Vec<String> = items.iter().filter_map(|item| item.text("coupon")).map(|c| c.trim().to_owned()).collect();
    let coupons = coupon_rows::find_definitions(work.tx, &names)?;
    let known: BTreeMap<String, (Activity, StoredDefinition)> =
        rows::activities(work.tx)?.into_iter().map(|kept| (kept.0.name.clone(), kept)).collect();
    for item in items {
        let named = item.text("coupon").map(str::trim);
        let Some(coupon) = coupons.iter().find(|defined| Some(defined.definition.name.as_str()) == named) else {
            work.note_mistake(item, "coupon", "there is no coupon of this name");
            continue;
        };
        // Two people must have approved what users can claim.
        let asked = work.claimed.get(&coupon.definition.name).unwrap_or(&coupon.definition.activity);
        if asked.as_deref() != Some(item.key.as_str()) {
            let problem = format!("is not claimed in this activity: give it activity = {:?}", item.key);
            work.note_mistake(item, "coupon", problem);
            continue;
        }
        let before = known.get(&item.key);
        let wanted = activity(item, before.is_none_or(|(kept, _)| kept.active));
        let retired = before.filter(|(kept, _)| kept.active && !wanted.active);
        let retired = retired.map(|(kept, of)| (Activity { active: false, ..kept.clone() }, of.clone()));
        if let Some((retired, of)) = &retired {
            rows::keep_activity(work.tx, retired, of.id)?;
        }
        let form = |one: Option<&(Activity, StoredDefinition)>| {
            one.map(|(kept, of)| activity_form(kept, of)).transpose().map(Option::unwrap_or_default)
        };
        let forms = [form(before)?, form(retired.as_ref().or(before))?, activity_form(&wanted, coupon)?];
        work.note_published(item, ("activity.change", format!("activity:{}", item.key)), RequestKind::Activity, forms);
    }
    Ok(())
}

fn activity(item: &Item, active: bool) -> Activity {
    Activity {
        name: item.key.clone(),
        title: in_languages(item, "title"),
        rules: in_languages(item, "rules"),
        starts_at: item.moment("starts"),
        ends_at: item.moment("ends"),
        active: item.active().unwrap_or(active),
    }
}

/// The texts by language in stored form.
pub fn in_languages(item: &Item, field: &str) -> String {
    json!(item.languages(field).unwrap_or_default()).to_string()
}

pub fn activity_form(activity: &Activity, coupon: &StoredDefinition) -> Result<Json, Error> {
    let moment = |at: Option<Timestamp>| at.map(|at| at.to_string());
    Ok(tidy(json!({
        "key": activity.name,
        "coupon": coupon.definition.name,
        "title": parse_kept(&activity.title)?,
        "rules": parse_kept(&activity.rules)?,
        "starts": moment(activity.starts_at),
        "ends": moment(activity.ends_at),
        "active": activity.active,
    })))
}
