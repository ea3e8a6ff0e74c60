//! Coupons and activities.

use std::collections::BTreeMap;

use base::Timestamp;
use coupons::Validity;
use serde_json::{Value as Json, json};
use store::content::{self as rows, Activity};
use store::coupons::{self as coupon_rows, Defined};

use super::catalogue::{kept, keys};
use super::item::{Item, is_key};
use super::problems::explained;
use super::schema::Mistake;
use super::work::{Work, tidy, turns};
use crate::Error;
use crate::coupon_staff::DefinitionView;

/// What users who hold one were promised; it stays as it is once one does.
const PROMISED: [&str; 6] = ["kind", "effect", "value", "max_value", "min_amount", "operated_id"];
/// A moment before all others: whether a coupon ends in time is asked later.
const ANY_TIME: Timestamp = Timestamp::from_seconds(0);
const LONGEST_TITLE: usize = 80;
const LONGEST_RULES: usize = 2_000;

pub fn check_coupon(item: &Item) -> Result<Vec<Mistake>, Error> {
    match item.coupon()?.check(ANY_TIME) {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|_| Vec::new()),
    }
}

pub fn apply_coupons(work: &mut Work<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known = coupon_rows::definitions_named(work.tx, &keys(items))?;
    for item in items {
        apply_coupon(work, item, known.iter().find(|defined| defined.definition.name == item.key))?;
    }
    Ok(())
}

fn apply_coupon(work: &mut Work<'_, '_>, item: &Item, before: Option<&Defined>) -> Result<(), Error> {
    let file = item.coupon()?;
    let definition = file.check(ANY_TIME)?;
    let activity = file.activity.as_deref();
    let ends_late = matches!(definition.validity, Validity::Until(end) if end <= work.tx.now());
    let Some(defined) = before else {
        if ends_late {
            work.wrong(item, "ends", explained(item.kind, "ends", "invalid"));
            return Ok(());
        }
        let defined = coupon_rows::define(work.tx, &definition, activity)?;
        let deed = ("coupon.define", format!("coupon_definition:{}", defined.id));
        work.added(item, deed, &coupon_form(defined)?, None);
        return Ok(());
    };
    let wanted = Defined { definition: definition.clone(), activity: file.activity.clone(), ..defined.clone() };
    let fields = turns(&coupon_form(defined.clone())?, &coupon_form(wanted)?);
    if fields.is_empty() {
        work.unchanged(item);
        return Ok(());
    }
    let promised: Vec<&str> = PROMISED.into_iter().filter(|field| fields.contains_key(*field)).collect();
    let given = !promised.is_empty() && coupon_rows::lock_given(work.tx, defined.id)?;
    for field in promised.iter().filter(|_| given) {
        work.wrong(item, field, "stays as it is: users hold this coupon; define one of another name");
    }
    if ends_late && fields.contains_key("ends") {
        work.wrong(item, "ends", explained(item.kind, "ends", "invalid"));
    }
    coupon_rows::redefine(work.tx, defined.id, &definition, activity)?;
    work.changed(item, ("coupon.change", format!("coupon_definition:{}", defined.id)), fields, None);
    Ok(())
}

pub fn coupon_form(defined: Defined) -> Result<Json, Error> {
    let mut form = serde_json::to_value(DefinitionView::from(defined)).map_err(|e| Error::Internal(e.to_string()))?;
    if let Some(fields) = form.as_object_mut() {
        fields.remove("id");
        fields.remove("created_at");
    }
    Ok(tidy(form))
}

pub fn check_activity(item: &Item) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("key", "must be letters, digits, dashes and underscores, at most 64"));
    }
    for name in ["starts", "ends"] {
        if item.text(name).is_some() && item.moment(name).is_none() {
            wrong.push(item.mistake(name, "must be a moment such as 2027-01-01T00:00:00Z"));
        }
    }
    if let (Some(starts), Some(ends)) = (item.moment("starts"), item.moment("ends"))
        && ends <= starts
    {
        wrong.push(item.mistake("ends", "must be later than starts"));
    }
    wrong.extend(too_long(item, "title", LONGEST_TITLE));
    wrong.extend(too_long(item, "rules", LONGEST_RULES));
    wrong
}

/// The texts of a field that are longer than they may be.
pub fn too_long(item: &Item, field: &str, longest: usize) -> Vec<Mistake> {
    let texts = item.languages(field).unwrap_or_default();
    let long = texts.into_iter().filter(|(_, text)| text.chars().count() > longest);
    long.map(|(lang, _)| item.mistake(&format!("{field}.{lang}"), format!("has more than {longest} characters")))
        .collect()
}

pub fn apply_activities(work: &mut Work<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let names: Vec<String> = items.iter().filter_map(|item| item.text("coupon")).map(|c| c.trim().to_owned()).collect();
    let coupons = coupon_rows::definitions_named(work.tx, &names)?;
    let known: BTreeMap<String, (Activity, Defined)> =
        rows::activities(work.tx)?.into_iter().map(|kept| (kept.0.name.clone(), kept)).collect();
    for item in items {
        let named = item.text("coupon").map(str::trim);
        let Some(coupon) = coupons.iter().find(|defined| Some(defined.definition.name.as_str()) == named) else {
            work.wrong(item, "coupon", "there is no coupon of this name");
            continue;
        };
        let before = known.get(&item.key);
        let wanted = activity(item, before.is_none_or(|(kept, _)| kept.active));
        let after = activity_form(&wanted, coupon)?;
        let subject = format!("activity:{}", item.key);
        let Some((kept, of)) = before else {
            rows::keep_activity(work.tx, &wanted, coupon.id)?;
            work.added(item, ("activity.add", subject), &after, None);
            continue;
        };
        let fields = turns(&activity_form(kept, of)?, &after);
        if fields.is_empty() {
            work.unchanged(item);
        } else {
            rows::keep_activity(work.tx, &wanted, coupon.id)?;
            work.changed(item, ("activity.change", subject), fields, None);
        }
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

/// The texts by language as they are kept.
pub fn in_languages(item: &Item, field: &str) -> String {
    json!(item.languages(field).unwrap_or_default()).to_string()
}

pub fn activity_form(activity: &Activity, coupon: &Defined) -> Result<Json, Error> {
    let moment = |at: Option<Timestamp>| at.map(|at| at.to_string());
    Ok(tidy(json!({
        "key": activity.name,
        "coupon": coupon.definition.name,
        "title": kept(&activity.title)?,
        "rules": kept(&activity.rules)?,
        "starts": moment(activity.starts_at),
        "ends": moment(activity.ends_at),
        "active": activity.active,
    })))
}
