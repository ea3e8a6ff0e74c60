//! Activities, in which a user claims a coupon once, for ever.

use base::{Timestamp, UserId};
use coupons::{Definition, Validity};
use i18n::Lang;
use serde::{Deserialize, Serialize};
use store::books::Books;
use store::coupons::{self as rows, Defined};
use utoipa::ToSchema;

use crate::coupon_views::CouponView;
use crate::notifications::{Category, notify};
use crate::zone::Zone;
use crate::{App, Currency, Error, Refusal};

/// The activities there are; each has texts below `server.activities`.
pub const ACTIVITIES: [&str; 1] = ["newcomer"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Activity {
    pub key: String,
    pub title: String,
    /// A rule on each line.
    pub rules: String,
    /// What is given: the user's own coupon once it is received, and before
    /// that the coupon as it would be if it were received now.
    pub coupon: CouponView,
    pub received: bool,
}

/// The activities that run, and what the user received in them.
pub async fn activities(app: &App, user: UserId, lang: Lang) -> Result<Vec<Activity>, Error> {
    let now = app.now();
    let found = app.db.read(move |conn| {
        let mut all = Vec::new();
        // There is a handful of activities, and each is a row found by its key.
        for key in ACTIVITIES {
            all.push((key, rows::of_activity(conn, key)?, rows::claimed(conn, user, key)?));
        }
        Ok::<_, Error>(all)
    });
    let found = found.await?;
    let currency = &app.settings.currency;
    let shown = found.into_iter().filter_map(|(key, open, claimed)| {
        let open = open.filter(|open| is_open(open, now));
        let defined = claimed.as_ref().map(|held| &held.defined).or(open.as_ref())?;
        Some(Activity {
            key: key.to_owned(),
            title: text(lang, key, "title", &[]),
            rules: rules(lang, key, &defined.definition, currency),
            coupon: match &claimed {
                Some(held) => CouponView::of(held, now),
                None => CouponView::offered(defined.id, &defined.definition, defined.definition.expires_at(now)),
            },
            received: claimed.is_some(),
        })
    });
    Ok(shown.collect())
}

fn is_open(defined: &Defined, now: Timestamp) -> bool {
    defined.definition.expires_at(now) > now
}

fn text(lang: Lang, key: &str, part: &str, params: &[(&str, &str)]) -> String {
    i18n::text(lang, &format!("server.activities.{key}.{part}"), params)
}

fn rules(lang: Lang, key: &str, definition: &Definition, currency: &Currency) -> String {
    let rule = |part: &str, params: &[(&str, &str)]| text(lang, key, part, params);
    let least = definition.min_amount;
    let minimum =
        least.is_positive().then(|| rule("minimum", &[("amount", &currency.shown(lang, &least.to_string()))]));
    let validity = match definition.validity {
        Validity::Days(days) => {
            i18n::counted(lang, &format!("server.activities.{key}.days"), u64::try_from(days).unwrap_or_default(), &[])
        }
        Validity::Until(end) => rule("until", &[("date", &i18n::date(lang, &end.to_string()))]),
    };
    let first = [rule("worth", &[("name", &definition.name)]), rule("once", &[])];
    let all = first.into_iter().chain(minimum).chain([validity, rule("daily", &[])]);
    all.collect::<Vec<_>>().join("\n")
}

/// Claims an activity's coupon.
///
/// # Errors
/// The field `activity`; `coupon_already_received`; `coupon_daily_limit` where
/// the user was given one of the same name today; `not_found` while none is
/// given.
pub async fn receive(app: &App, user: UserId, activity: &str, zone: Zone) -> Result<CouponView, Error> {
    let Some(activity) = ACTIVITIES.into_iter().find(|known| *known == activity) else {
        return Err(Error::field("activity", "invalid"));
    };
    app.db
        .write(move |tx| {
            let now = tx.now();
            Books::lock_user(tx, user)?;
            if rows::claimed(tx, user, activity)?.is_some() {
                return Err(Refusal::CouponAlreadyReceived.into());
            }
            let open = rows::of_activity(tx, activity)?.filter(|open| is_open(open, now)).ok_or(Refusal::NotFound)?;
            if rows::received_within(tx, user, open.id, zone.day_period(now))? {
                return Err(Refusal::CouponDailyLimit.into());
            }
            let id = rows::give(tx, user, &open, Some(activity), open.definition.expires_at(now))?;
            notify(tx, user, Category::Activity, "coupon_received", &[("name", &open.definition.name)])?;
            let held = rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            Ok(CouponView::of(&held, now))
        })
        .await
}
