//! Running totals of users by site, form and kind of device, up to the end of each quarter hour. A period of a part is
//! the difference between two rows, however many events are between them. The wallet's lock covers them.

use std::collections::{BTreeMap, HashMap};

use base::{Money, PlanId, SlotId, UserId};
use delivery::{Choice, EventKind};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt};
use plans::{ContentType, Dimension, PartCounts};

use super::EventGroup;
use crate::delivery::conversion::Origin;
use crate::plans::plan::PlanRow;
use crate::{Conn, Error, Tx};
use db::bulk::{Column, Statement, ascending};
use db::{One, row, statement};

/// When and where an event happened, and on which arm of its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::delivery) struct Place {
    pub quarter: i64,
    pub arm: Option<i16>,
    pub origin: Origin,
}

/// The counts that a group of events adds at its place, if any.
pub(super) fn delivered(group: &EventGroup) -> Option<(Place, PartCounts)> {
    let number = |kind| if group.valid && group.kind == kind { group.number } else { 0 };
    let counts = PartCounts {
        impressions: number(EventKind::Impression),
        clicks: number(EventKind::Click),
        used_milli: group.milli,
        ..PartCounts::default()
    };
    let origin = Origin { slot: group.slot_id.map(SlotId), source: group.source.clone(), device: group.device };
    let place = Place { quarter: group.quarter, arm: group.arm, origin };
    (counts != PartCounts::default()).then_some((place, counts))
}

pub(super) fn converted(conversions: i64, revenue: Money) -> PartCounts {
    PartCounts { conversions, revenue, ..PartCounts::default() }
}

/// The name of a part in its dimension: a slot, followed by the site or app if an exchange names one. Empty if it is
/// unknown, or if there is none, as for a visit by a shared link.
fn part_of(dimension: Dimension, origin: &Origin, form: Option<ContentType>) -> String {
    match dimension {
        Dimension::Placement => match (origin.slot, &origin.source) {
            (Some(slot), Some(source)) => format!("{slot} {source}"),
            (Some(slot), None) => slot.to_string(),
            (None, _) => String::new(),
        },
        Dimension::Form => form.map_or_else(String::new, |form| form.to_string()),
        Dimension::Device => origin.device.map_or_else(String::new, |device| device.to_string()),
        Dimension::Whole => String::new(),
    }
}

// Forms ----------------------------------------------------------------------

row! {
    struct FormOfArm {
        plan_id: PlanId,
        arm: i16,
        content_type: ContentType,
    }
}

statement!(FORMS, each: "SELECT plan_id, arm, content_type FROM plan_arms WHERE plan_id = ANY(?)");

/// The form of each arm that has events.
fn forms(
    tx: &mut Tx<'_>,
    of: &[(&PlanRow, &[(Place, PartCounts)])],
) -> Result<HashMap<(PlanId, i16), ContentType>, Error> {
    let has_arms = |places: &[(Place, PartCounts)]| places.iter().any(|(place, _)| place.arm.is_some());
    let plans = of.iter().filter(|(_, places)| has_arms(places)).map(|(plan, _)| plan.id);
    let rows: Vec<FormOfArm> = FORMS.load(tx, &[ascending(plans).into()])?;
    Ok(rows.into_iter().map(|row| ((row.plan_id, row.arm), row.content_type)).collect())
}

// Writing --------------------------------------------------------------------

statement!(
    BEGIN,
    postgres: "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
         SELECT u.id, u.d, u.part, u.q, COALESCE(p.impressions, 0), COALESCE(p.clicks, 0), COALESCE(p.conversions, 0), \
         COALESCE(p.revenue, 0), COALESCE(p.used_milli, 0) FROM unnest(?, ?, ?, ?) AS u(id, d, part, q) LEFT JOIN LATERAL \
         (SELECT * FROM user_parts s WHERE s.user_id = u.id AND s.dimension = u.d AND s.part = u.part COLLATE \"C\" \
         AND s.quarter < u.q ORDER BY s.quarter DESC LIMIT 1) p ON TRUE \
         ON CONFLICT (user_id, dimension, part, quarter) DO NOTHING",
    sqlite: "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
         SELECT u.id, u.d, u.part, u.q, COALESCE(p.impressions, 0), COALESCE(p.clicks, 0), COALESCE(p.conversions, 0), \
         COALESCE(p.revenue, 0), COALESCE(p.used_milli, 0) FROM (SELECT ? AS id, ? AS d, ? AS part, ? AS q) AS u \
         LEFT JOIN user_parts p ON p.user_id = u.id AND p.dimension = u.d AND p.part = u.part AND p.quarter = \
         (SELECT MAX(s.quarter) FROM user_parts s WHERE s.user_id = u.id AND s.dimension = u.d AND s.part = u.part \
         AND s.quarter < u.q) WHERE NOT EXISTS (SELECT 1 FROM user_parts e WHERE e.user_id = u.id AND e.dimension = u.d \
         AND e.part = u.part AND e.quarter = u.q)",
);
statement!(
    RAISE,
    postgres: "UPDATE user_parts s SET impressions = s.impressions + d.i, clicks = s.clicks + d.c, \
         conversions = s.conversions + d.v, revenue = s.revenue + d.r, used_milli = s.used_milli + d.m \
         FROM (SELECT l.user_id, l.dimension, l.part, l.quarter, CAST(SUM(u.i) AS BIGINT) AS i, CAST(SUM(u.c) AS BIGINT) AS c, \
         CAST(SUM(u.v) AS BIGINT) AS v, CAST(SUM(u.r) AS BIGINT) AS r, CAST(SUM(u.m) AS BIGINT) AS m \
         FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?) AS u(i, c, v, r, m, id, d, part, q) JOIN user_parts l ON l.user_id = u.id \
         AND l.dimension = u.d AND l.part = u.part COLLATE \"C\" AND l.quarter >= u.q GROUP BY 1, 2, 3, 4) d \
         WHERE s.user_id = d.user_id AND s.dimension = d.dimension AND s.part = d.part AND s.quarter = d.quarter",
    sqlite: "UPDATE user_parts SET impressions = impressions + ?, clicks = clicks + ?, conversions = conversions + ?, \
         revenue = revenue + ?, used_milli = used_milli + ? WHERE user_id = ? AND dimension = ? AND part = ? AND quarter >= ?",
);

/// A user's part in a quarter hour.
type Key = (i64, Dimension, String, i64);

/// Adds new figures of plans to their users' parts. The users' wallets are locked.
pub(super) fn add(tx: &mut Tx<'_>, fresh: &[(&PlanRow, &[(Place, PartCounts)])]) -> Result<(), Error> {
    let forms = forms(tx, fresh)?;
    let mut sums = BTreeMap::<Key, PartCounts>::new();
    for (plan, places) in fresh {
        for (place, counts) in *places {
            let arm = place.arm.and_then(|code| forms.get(&(plan.id, Choice::read(code).0)).copied());
            let form = arm.or(plan.content_type);
            for dimension in Dimension::ALL {
                let part = part_of(*dimension, &place.origin, form);
                let sum = sums.entry((plan.user_id.0, *dimension, part, place.quarter)).or_default();
                *sum = sum.plus(*counts).map_err(plan.too_large())?;
            }
        }
    }
    sums.retain(|_, counts| *counts != PartCounts::default());
    let keys = || -> [Column; 4] {
        [
            sums.keys().map(|key| key.0).collect(),
            sums.keys().map(|key| key.1.code()).collect(),
            sums.keys().map(|key| key.2.clone()).collect(),
            sums.keys().map(|key| key.3).collect(),
        ]
    };
    BEGIN.execute(tx, &keys())?;
    let column = |f: fn(&PartCounts) -> i64| -> Column { sums.values().map(f).collect() };
    let [user, dimension, part, quarter] = keys();
    RAISE.execute(
        tx,
        &[
            column(|c| c.impressions),
            column(|c| c.clicks),
            column(|c| c.conversions),
            column(|c| c.revenue.minor()),
            column(|c| c.used_milli),
            user,
            dimension,
            part,
            quarter,
        ],
    )?;
    Ok(())
}

// Counting again --------------------------------------------------------------

fn rebuilt(whose: &str) -> String {
    format!(
        "INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli) \
             SELECT user_id, {whole}, '', quarter, CAST(SUM(impressions) OVER w AS BIGINT), CAST(SUM(clicks) OVER w AS BIGINT), \
             CAST(SUM(conversions) OVER w AS BIGINT), CAST(SUM(revenue) OVER w AS BIGINT), CAST(SUM(used_milli) OVER w AS BIGINT) \
             FROM (SELECT p.user_id, s.quarter, SUM(s.impressions) AS impressions, SUM(s.clicks) AS clicks, \
             SUM(s.conversions) AS conversions, SUM(s.revenue) AS revenue, SUM(s.used_milli) AS used_milli \
             FROM plans p JOIN plan_stats s ON s.plan_id = p.id WHERE p.user_id {whose} GROUP BY 1, 2) q \
             WINDOW w AS (PARTITION BY user_id ORDER BY quarter)",
        whole = Dimension::Whole.code()
    )
}

statement!(CLEAR, each: &format!("DELETE FROM user_parts WHERE dimension = {} AND user_id = ANY(?)", Dimension::Whole.code()));
statement!(REBUILT, postgres: &rebuilt("= ANY(?)"), sqlite: &rebuilt("= ?"));

/// Recomputes the part `Whole` of these users from the quarter hours of their plans. The users' wallets are locked.
pub fn count_again(tx: &mut Tx<'_>, users: impl IntoIterator<Item = UserId>) -> Result<(), Error> {
    let users = ascending(users.into_iter().map(|user| user.0));
    CLEAR.execute(tx, &[users.clone().into()])?;
    REBUILT.execute(tx, &[users.into()])?;
    Ok(())
}

/// The next users with conversions that a server of the previous version has counted.
pub fn behind(conn: &mut Conn, above: Option<UserId>, limit: i64) -> Result<Vec<UserId>, Error> {
    let found: Vec<One<UserId>> = diesel::sql_query(
        "SELECT t.user_id FROM (SELECT user_id, SUM(conversions) AS counted FROM plans WHERE user_id > $1 GROUP BY user_id) t \
         WHERE t.counted <> COALESCE((SELECT w.conversions FROM user_parts w WHERE w.user_id = t.user_id AND w.dimension = $2 \
         AND w.part = '' ORDER BY w.quarter DESC LIMIT 1), 0) ORDER BY t.user_id LIMIT $3",
    )
    .bind::<BigInt, _>(above.map_or(i64::MIN, |user| user.0))
    .bind::<SmallInt, _>(Dimension::Whole)
    .bind::<BigInt, _>(limit)
    .load(conn)?;
    Ok(found.into_iter().map(|row| row.0).collect())
}
