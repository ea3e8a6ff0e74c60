//! A user's plans side by side, and those on a product together.

use std::collections::HashMap;

use base::{Money, PlanId, ProductId, UserId};
use diesel::prelude::*;
use plans::{Earned, RatioFigures};

use super::PlanRow;
use crate::plans::product::ProductRow;
use crate::reckoned::{fee_on, fee_rate};
use crate::schema::{plans as table, products};
use crate::{Conn, Error};
use db::{NumberedQuery, row};

/// The plans among these that are the user's, in no particular order.
pub fn of_user(conn: &mut Conn, user: UserId, ids: Vec<PlanId>) -> Result<Vec<(PlanRow, ProductRow)>, Error> {
    Ok(table::table
        .inner_join(products::table)
        .filter(table::id.eq_any(ids))
        .filter(table::user_id.eq(user))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .load(conn)?)
}

row! {
    /// The totals of all plans that a user put on a product.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct ProductTotals {
        pub plans: i64,
        impressions: i64,
        viewable: i64,
        clicks: i64,
        pub filtered: i64,
        conversions: i64,
        revenue: Money,
        fee: Money,
        used: Money,
        platform_used: Money,
    }
}

row! {
    struct Found {
        product_id: ProductId,
        #[diesel(embed)]
        totals: ProductTotals,
    }
}

impl ProductTotals {
    /// The figures that rates and costs are computed from, as for one plan.
    pub const fn ratio_figures(&self) -> RatioFigures {
        RatioFigures {
            impressions: self.impressions,
            viewable: self.viewable,
            clicks: self.clicks,
            conversions: self.conversions,
            earned: Earned { revenue: self.revenue, fee: self.fee, used: self.used, platform_used: self.platform_used },
        }
    }
}

// SQL that does what `PlanRow::earned` does for each plan: fee and use are rounded down, and coupon and credit are used
// first. The unary plus keeps a database from reading all plans on the product, whoever put them.
const TOTALS: &str = concat!(
    "SELECT d.product_id, COUNT(*) AS plans, CAST(SUM(d.impressions) AS BIGINT) AS impressions, \
     CAST(SUM(d.viewable) AS BIGINT) AS viewable, CAST(SUM(d.clicks) AS BIGINT) AS clicks, \
     CAST(SUM(d.filtered) AS BIGINT) AS filtered, CAST(SUM(d.conversions) AS BIGINT) AS conversions, \
     CAST(SUM(d.revenue) AS BIGINT) AS revenue, CAST(SUM(",
    fee_on!("d.revenue", "d.rate"),
    ") AS BIGINT) AS fee, CAST(SUM(d.used) AS BIGINT) AS used, \
     CAST(SUM(CASE WHEN d.used < d.given THEN d.used ELSE d.given END) AS BIGINT) AS platform_used FROM \
     (SELECT p.product_id, p.impressions, p.viewable, p.clicks, p.filtered, p.conversions, p.revenue, \
     p.rolled_milli / 1000 - p.refunded AS used, p.put_amount - p.paid_amount - p.refunded_given AS given, ",
    fee_rate!("p.fee_rate"),
    " AS rate FROM plans p WHERE p.user_id = ? AND p.put_at IS NOT NULL AND +p.product_id IN ("
);

/// The totals of the user's plans on these products, by product. Products without such plans are left out.
pub fn on_products(
    conn: &mut Conn,
    user: UserId,
    products: &[ProductId],
) -> Result<HashMap<ProductId, ProductTotals>, Error> {
    let places = vec!["?"; products.len()].join(", ");
    let mut query = NumberedQuery::new(TOTALS).and(&places).and(")) d GROUP BY d.product_id").bind(user.0);
    for product in products {
        query = query.bind(product.0);
    }
    let found: Vec<Found> = if products.is_empty() { Vec::new() } else { query.load(conn)? };
    Ok(found.into_iter().map(|Found { product_id, totals }| (product_id, totals)).collect())
}
