//! The arms of plans with AI delivery: each creative for each part of the audience, and
//! how often it was shown, clicked and converted. A plan's lock covers its arms.

use std::collections::{BTreeMap, HashMap};

use base::{PlanId, ProductId};
use delivery::{Arm, Choice, Counts, Learner, Prior, Segment};
use diesel::prelude::*;

use crate::schema::plan_arms as table;
use crate::{Conn, Error, Tx};
use db::bulk::{Statement, ascending};
use db::{insert, row, statement, update};

#[derive(Clone, Debug, Queryable, Selectable, PartialEq, Eq)]
#[diesel(table_name = table)]
pub struct ArmRow {
    pub plan_id: i64,
    pub arm: i16,
    pub content_type: i16,
    pub audience: String,
    pub prior: i64,
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
    pub held_impressions: i64,
    pub held_clicks: i64,
    pub held_conversions: i64,
}

impl ArmRow {
    pub fn counted(&self) -> ArmCounts {
        ArmCounts { impressions: self.impressions, clicks: self.clicks, conversions: self.conversions }
    }

    pub fn held(&self) -> ArmCounts {
        ArmCounts { impressions: self.held_impressions, clicks: self.held_clicks, conversions: self.held_conversions }
    }
}

/// The results of showing an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmCounts {
    pub impressions: i64,
    pub clicks: i64,
    pub conversions: i64,
}

impl ArmCounts {
    pub const fn plus(self, other: Self) -> Self {
        Self {
            impressions: self.impressions + other.impressions,
            clicks: self.clicks + other.clicks,
            conversions: self.conversions + other.conversions,
        }
    }
}

/// A plan's arms, by the codes in its events.
pub type ByCode = BTreeMap<i16, ArmCounts>;

/// Sums the codes of each arm: its total, and the held-out part.
pub fn by_arm(codes: &ByCode) -> BTreeMap<i16, (ArmCounts, ArmCounts)> {
    let mut arms = BTreeMap::<i16, (ArmCounts, ArmCounts)>::new();
    for (code, counted) in codes {
        let (arm, held) = Choice::read(*code);
        let (all, part) = arms.entry(arm).or_default();
        *all = all.plus(*counted);
        if held {
            *part = part.plus(*counted);
        }
    }
    arms
}

insert! {
    struct NewArm, BEGIN into "plan_arms" {
        plan_id: PlanId,
        arm: i16,
        content_type: i16,
        audience: String,
        prior: i64,
    }
}

/// A plan and the arms that it learns about.
#[derive(Clone, Debug)]
pub struct PlanArms<'a> {
    pub plan: PlanId,
    pub arms: &'a [(i16, Segment)],
    pub prior: Prior,
}

/// Inserts the arms of new plans.
pub fn begin_all(tx: &mut Tx<'_>, plans: &[PlanArms<'_>]) -> Result<(), Error> {
    let of_plan = |learning: &PlanArms<'_>| {
        let (plan_id, prior) = (learning.plan, learning.prior.per_million());
        let arm = |(arm, (content_type, segment)): (i16, &(i16, Segment))| NewArm {
            plan_id,
            arm,
            content_type: *content_type,
            audience: segment.to_string(),
            prior,
        };
        (0_i16..).zip(learning.arms).map(arm).collect::<Vec<_>>()
    };
    BEGIN.execute(tx, &NewArm::columns(&plans.iter().flat_map(of_plan).collect::<Vec<_>>()))?;
    Ok(())
}

// A product's history is that of its newest plans.
statement!(
    HISTORIES,
    postgres: "SELECT n.id AS product_id, CAST(SUM(h.impressions) AS BIGINT) AS impressions, \
         CAST(SUM(h.clicks) AS BIGINT) AS clicks FROM unnest(?) AS n(id) JOIN LATERAL (SELECT p.impressions, p.clicks \
         FROM plans p WHERE p.product_id = n.id ORDER BY p.id DESC LIMIT 200) h ON TRUE GROUP BY n.id",
    sqlite: "SELECT product_id, SUM(impressions) AS impressions, SUM(clicks) AS clicks FROM (SELECT product_id, impressions, \
         clicks FROM plans WHERE product_id = ? ORDER BY id DESC LIMIT 200) GROUP BY product_id",
);

row! {
    struct ProductHistory {
        product_id: ProductId,
        impressions: i64,
        clicks: i64,
    }
}

/// How often the creatives of products' newest plans were shown and clicked.
pub fn histories(
    conn: &mut Conn,
    products: impl IntoIterator<Item = ProductId>,
) -> Result<HashMap<ProductId, Counts>, Error> {
    let rows: Vec<ProductHistory> = HISTORIES.load(conn, &[ascending(products.into_iter().map(|id| id.0)).into()])?;
    let counts = |row: &ProductHistory| Counts { impressions: row.impressions, clicks: row.clicks };
    Ok(rows.iter().map(|row| (row.product_id, counts(row))).collect())
}

pub fn find(conn: &mut Conn, plan: PlanId, arm: u8) -> Result<Option<ArmRow>, Error> {
    let found = table::table.find((plan.0, i16::from(arm)));
    Ok(found.select(ArmRow::as_select()).first(conn).optional()?)
}

pub fn of_plan(conn: &mut Conn, plan: PlanId) -> Result<Vec<ArmRow>, Error> {
    Ok(table::table.filter(table::plan_id.eq(plan)).order(table::arm).select(ArmRow::as_select()).load(conn)?)
}

/// The arms of several plans, for going through all of them.
pub fn of_plans(conn: &mut Conn, plans: &[i64]) -> Result<Vec<ArmRow>, Error> {
    Ok(table::table
        .filter(table::plan_id.eq_any(plans))
        .order((table::plan_id, table::arm))
        .select(ArmRow::as_select())
        .load(conn)?)
}

// Learning -------------------------------------------------------------------

row! {
    struct Known {
        plan_id: PlanId,
        arm: i16,
        content_type: i16,
        audience: String,
        prior: i64,
        impressions: i64,
        clicks: i64,
        learned: i64,
    }
}

statement!(
    KNOWN,
    each: "SELECT a.plan_id, a.arm, a.content_type, a.audience, a.prior, a.impressions, a.clicks, \
         p.rolled_event_id AS learned FROM plan_arms a JOIN plans p ON p.id = a.plan_id WHERE a.plan_id = ANY(?)",
);

/// What is known about plans' arms, by plan, up to the last event that was rolled up.
pub fn learners(conn: &mut Conn, of: impl IntoIterator<Item = PlanId>) -> Result<HashMap<i64, Learner>, Error> {
    let mut rows: Vec<Known> = KNOWN.load(conn, &[ascending(of.into_iter().map(|plan| plan.0)).into()])?;
    rows.sort_unstable_by_key(|row| (row.plan_id, row.arm));
    let mut learners = HashMap::new();
    for arms in rows.chunk_by(|one, next| one.plan_id == next.plan_id) {
        let Some(first) = arms.first() else { continue };
        let read: Vec<Arm> = arms.iter().map(Known::read).collect::<Result<_, _>>()?;
        let (plan, prior) = (first.plan_id, Prior::of_rate(first.prior));
        learners.insert(plan.0, Learner::new(plan, read, prior, first.learned));
    }
    Ok(learners)
}

impl Known {
    fn read(&self) -> Result<Arm, Error> {
        let segment = Segment::parse(&self.audience);
        Ok(Arm {
            creative: self.content_type,
            segment: segment.ok_or_else(|| Error::Corrupt(format!("audience {}", self.audience)))?,
            counts: Counts { impressions: self.impressions, clicks: self.clicks },
        })
    }
}

// Counting -------------------------------------------------------------------

update! {
    struct MoreInArm, ADD of "plan_arms" {
        impressions += i64,
        clicks += i64,
        conversions += i64,
        held_impressions += i64,
        held_clicks += i64,
        held_conversions += i64,
    } by { plan_id: PlanId, arm: i16 }
}

/// Adds to the arms of locked plans.
pub(crate) fn add(tx: &mut Tx<'_>, changes: &[(PlanId, ByCode)]) -> Result<(), Error> {
    let of_plan = |(plan_id, codes): &(PlanId, ByCode)| {
        let plan_id = *plan_id;
        by_arm(codes).into_iter().map(move |(arm, (all, held))| MoreInArm {
            impressions: all.impressions,
            clicks: all.clicks,
            conversions: all.conversions,
            held_impressions: held.impressions,
            held_clicks: held.clicks,
            held_conversions: held.conversions,
            plan_id,
            arm,
        })
    };
    ADD.execute(tx, &MoreInArm::columns(&changes.iter().flat_map(of_plan).collect::<Vec<_>>()))?;
    Ok(())
}
