//! Activities. Each user can claim the coupon of an activity once.

use std::collections::BTreeMap;

use base::{Field, Timestamp, UserId, refuse_if};
use calendar::Zone;
use coupons::{Definition, Validity};
use foundation::accounts::restrictions::lock_own;
use foundation::content_cache::in_language;
use foundation::notices::{NoticeKind, notify};
use foundation::people::account_audit;
use foundation::staff::Changes;
use foundation::{App, Currency, Error, Refusal};
use i18n::Lang;
use serde::Serialize;
use store::Conn;
use store::installation::content::{self, Activity as Kept};
use store::offers::coupons::{self as rows, StoredDefinition, UserCoupon};
use utoipa::ToSchema;

use crate::offers::coupon_views::CouponView;

/// The activities that exist without a file, and run once a coupon is approved for them.
/// The texts of all rules are under `server.activities`.
pub const ACTIVITIES: [&str; 1] = ["newcomer"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Activity {
    pub key: String,
    pub title: String,
    /// One rule per line.
    pub rules: String,
    /// The user's own coupon once it is claimed; before that, the coupon as it would be
    /// if claimed now.
    pub coupon: CouponView,
    pub received: bool,
}

/// The running activities, and what the user received in them.
pub async fn activities(app: &App, user: UserId, lang: Lang) -> Result<Vec<Activity>, Error> {
    let now = app.now();
    let found = app.db.read(move |conn| Ok::<_, Error>((load_all(conn)?, rows::find_all_claimed(conn, user)?)));
    let (all, claimed) = found.await?;
    let mut claimed: BTreeMap<String, UserCoupon> = claimed.into_iter().collect();
    let currency = &app.settings.currency;
    let shown = all.into_iter().filter(|activity| activity.shows(now)).filter_map(|activity| {
        let claimed = claimed.remove(&activity.key);
        let open = Some(&activity.coupon).filter(|coupon| is_open(&activity.key, coupon, now));
        let defined = claimed.as_ref().map(|held| &held.defined).or(open)?;
        Some(Activity {
            title: activity.title(lang),
            rules: activity.rules(lang, &defined.definition, currency),
            coupon: match &claimed {
                Some(held) => CouponView::of(held, now),
                None => CouponView::offered(defined.id, &defined.definition, defined.definition.expires_at(now)),
            },
            received: claimed.is_some(),
            key: activity.key,
        })
    });
    Ok(shown.collect())
}

/// An activity with its coupon.
struct ActivityWithCoupon {
    key: String,
    coupon: StoredDefinition,
    /// The stored activity; a built-in one without a file has none.
    kept: Option<Kept>,
}

impl ActivityWithCoupon {
    /// Whether users see it.
    fn shows(&self, now: Timestamp) -> bool {
        self.kept.as_ref().is_none_or(|kept| {
            let begun = kept.starts_at.is_none_or(|starts| starts <= now);
            kept.active && begun && kept.ends_at.is_none_or(|ends| ends > now)
        })
    }

    fn title(&self, lang: Lang) -> String {
        let own = self.kept.as_ref().and_then(|kept| in_language(&kept.title, lang));
        own.unwrap_or_else(|| text(lang, "title", &[]))
    }

    /// The rules of its coupon, then staff's own.
    fn rules(&self, lang: Lang, definition: &Definition, currency: &Currency) -> String {
        let own = self.kept.as_ref().and_then(|kept| in_language(&kept.rules, lang));
        let computed = rules(lang, definition, currency);
        own.map_or_else(|| computed.clone(), |own| format!("{computed}\n{own}"))
    }
}

/// All activities, running or not: built-in ones first, unless staff replaced them, then
/// the others in order of creation.
fn load_all(conn: &mut Conn) -> Result<Vec<ActivityWithCoupon>, Error> {
    let kept = content::activities(conn)?;
    let mut all = Vec::new();
    for key in ACTIVITIES.into_iter().filter(|key| !kept.iter().any(|(kept, _)| kept.name == *key)) {
        if let Some(coupon) = rows::of_activity(conn, key)? {
            all.push(ActivityWithCoupon { key: key.to_owned(), coupon, kept: None });
        }
    }
    all.extend(kept.into_iter().map(|(kept, coupon)| ActivityWithCoupon {
        key: kept.name.clone(),
        coupon,
        kept: Some(kept),
    }));
    Ok(all)
}

/// Whether the coupon can be claimed in this activity: two people have approved that, and some are left. A file alone
/// is not enough.
fn is_open(activity: &str, defined: &StoredDefinition, now: Timestamp) -> bool {
    let here = defined.definition.activity.as_deref() == Some(activity);
    here && defined.is_left() && defined.definition.expires_at(now) > now
}

fn text(lang: Lang, part: &str, params: &[(&str, &str)]) -> String {
    i18n::text(lang, &format!("server.activities.newcomer.{part}"), params)
}

fn rules(lang: Lang, definition: &Definition, currency: &Currency) -> String {
    let rule = |part: &str, params: &[(&str, &str)]| text(lang, part, params);
    let least = definition.min_amount;
    let minimum =
        least.is_positive().then(|| rule("minimum", &[("amount", &currency.shown(lang, &least.to_string()))]));
    let validity = match definition.validity {
        Validity::Days(days) => {
            i18n::counted(lang, "server.activities.newcomer.days", u64::try_from(days).unwrap_or_default(), &[])
        }
        Validity::Until(end) => rule("until", &[("date", &i18n::moment(lang, &end.to_string()))]),
    };
    let first = [rule("worth", &[("name", &definition.name)]), rule("once", &[])];
    let all = first.into_iter().chain(minimum).chain([validity, rule("daily", &[])]);
    all.collect::<Vec<_>>().join("\n")
}

/// Claims an activity's coupon.
///
/// # Errors
/// The field `activity`; `coupon_already_received`; `coupon_daily_limit` if the user
/// received one of the same name today; `not_found` if none can be claimed.
pub async fn receive(app: &App, user: UserId, activity: &str, zone: Zone) -> Result<CouponView, Error> {
    let activity = activity.to_owned();
    app.db
        .write(move |tx| {
            let now = tx.now();
            lock_own(tx, user)?;
            refuse_if(rows::find_claimed(tx, user, &activity)?.is_some(), Refusal::CouponAlreadyReceived)?;
            let found = load_all(tx)?.into_iter().find(|each| each.key == activity);
            Error::field_if(found.is_none() && !ACTIVITIES.contains(&activity.as_str()), Field::Activity, "invalid")?;
            let running = found.filter(|each| each.shows(now) && is_open(&each.key, &each.coupon, now));
            let open = running.ok_or(Refusal::NotFound)?.coupon;
            refuse_if(rows::has_received_within(tx, user, open.id, zone.day_period(now))?, Refusal::CouponDailyLimit)?;
            // Other users may have received the last ones meanwhile.
            let given = rows::give(tx, user, &open, Some(&activity), open.definition.expires_at(now))?;
            let id = given.ok_or(Refusal::NotFound)?;
            notify(tx, user, &NoticeKind::CouponReceived { name: open.definition.name.clone() })?;
            let held = rows::find(tx, user, id)?.ok_or(Refusal::NotFound)?;
            let view = CouponView::of(&held, now);
            let changes = Changes::made(&view).about("user", user.0);
            account_audit::record_on(tx, user, account_audit::COUPON_RECEIVED, format!("coupon:{id}"), changes)?;
            Ok(view)
        })
        .await
}
