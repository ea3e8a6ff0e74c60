//! A plan's amounts and counts. They are columns of `plans`, but the schema lists them as a
//! table of their own.

use base::{Money, Timestamp};
use diesel::backend::Backend;
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::schedule::{self, PlanSchedule, ScheduleSql};
use crate::schema::plan_figures;

#[derive(Clone, Debug, Queryable, QueryableByName, PartialEq, Eq)]
#[diesel(table_name = plan_figures)]
pub struct PlanFigures {
    pub put_amount: Money,
    pub paid_amount: Money,
    /// The part of `put_amount` and `paid_amount` that was added after the put.
    pub added_amount: Money,
    pub reserved_milli: i64,
    pub booked_milli: i64,
    pub rolled_milli: i64,
    pub rolled_event_id: i64,
    pub rolled_conversion_id: i64,
    pub rolled_at: Timestamp,
    pub impressions: i64,
    pub clicks: i64,
    /// Views that were in view for long enough.
    pub viewable: i64,
    pub filtered: i64,
    pub conversions: i64,
    pub billed: Money,
    pub returned: Money,
    pub revenue: Money,
    pub fee: Money,
    /// The totals for which its quarter hours have fee and use.
    pub reckoned_milli: i64,
    pub reckoned_revenue: Money,
    /// The part of the bills that was refunded.
    pub refunded: Money,
    /// The part of the refunds that a coupon or credit had paid.
    pub refunded_given: Money,
    /// The most that it may spend on a day.
    pub daily_cap: Option<Money>,
    /// The time zone of its days.
    pub zone: String,
    /// The day whose cost is counted.
    pub day_begins_at: Timestamp,
    pub day_ends_at: Timestamp,
    /// What events of that day have cost.
    pub day_used_milli: i64,
    #[diesel(embed)]
    pub schedule: PlanSchedule,
}

#[rustfmt::skip]
type Figures = (
    BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt,
    BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, BigInt, Nullable<BigInt>, Text, BigInt, BigInt, BigInt,
    ScheduleSql,
);

/// The columns in the order of the fields.
const COLUMNS: &str = "plans.put_amount, plans.paid_amount, plans.added_amount, plans.reserved_milli, plans.booked_milli, \
             plans.rolled_milli, plans.rolled_event_id, plans.rolled_conversion_id, plans.rolled_at, \
             plans.impressions, plans.clicks, plans.viewable, plans.filtered, plans.conversions, plans.billed, \
             plans.returned, plans.revenue, plans.fee, plans.reckoned_milli, plans.reckoned_revenue, plans.refunded, plans.refunded_given, \
             plans.daily_cap, plans.zone, plans.day_begins_at, plans.day_ends_at, plans.day_used_milli";

/// Written out, because a query of `plans` cannot select another table's columns.
impl<DB: Backend> Selectable<DB> for PlanFigures {
    type SelectExpression = SqlLiteral<Figures>;

    fn construct_selection() -> Self::SelectExpression {
        sql(&format!("{COLUMNS}, {}", schedule::COLUMNS))
    }
}
