//! Two to four of a user's plans or products side by side, and what one product has come to.

use std::collections::HashMap;
use std::str::FromStr;

use base::{Field, Money, PlanId, ProductId, Timestamp, UserId};
use foundation::{App, Error, Refusal};
use plans::{RatioFigures, Ratios, Status};
use serde::Serialize;
use store::Conn;
use store::plans::plan::{PlanRow, of_user, on_products};
use store::plans::product::{self, ProductRow};
use utoipa::ToSchema;

use super::plan_list::{PlanProduct, trends};
use super::plan_ratios::DeliveryFigures;

/// The plans or products to compare: each once, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Plans(Vec<PlanId>),
    Products(Vec<ProductId>),
}

/// The figures of a plan, or of all plans that the user put on a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Compared {
    pub product: PlanProduct,
    /// Null if all plans on the product are meant.
    pub plan: Option<ComparedPlan>,
    /// The number of plans put.
    pub plans: i64,
    /// As in the plan's detail; the sums if there are several plans.
    pub delivery: DeliveryFigures,
    pub ratios: Ratios,
    /// As in the list of plans; empty for a product.
    pub trend: Vec<Money>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ComparedPlan {
    pub id: PlanId,
    pub plan_no: String,
    pub status: Status,
    pub paused: bool,
}

const FEWEST: usize = 2;
const MOST: usize = 4;

impl Wanted {
    /// Reads `1,2,3`: either plans or products.
    ///
    /// # Errors
    /// `params` naming `ids` or `products`: `required`, `too_few` or `too_many`; or `products` as `not_with_ids`.
    /// `not_found` for what nothing can be called.
    pub fn read(ids: Option<&str>, products: Option<&str>) -> Result<Self, Error> {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        match (given(ids), given(products)) {
            (Some(ids), None) => Ok(Self::Plans(two_to_four(Field::Ids, &ids)?)),
            (None, Some(products)) => Ok(Self::Products(two_to_four(Field::Products, &products)?)),
            (None, None) => Err(Error::field(Field::Ids, "required")),
            (Some(_), Some(_)) => Err(Error::field(Field::Products, "not_with_ids")),
        }
    }
}

/// Parses ids; each occurs once, in the order in which they are named.
fn two_to_four<T: FromStr + PartialEq>(field: Field, text: &str) -> Result<Vec<T>, Error> {
    let mut all: Vec<T> = Vec::new();
    for name in text.split(',') {
        let id = name.parse::<T>().map_err(|_| Refusal::NotFound)?;
        if !all.contains(&id) {
            all.push(id);
        }
        Error::field_if(all.len() > MOST, field, "too_many")?;
    }
    if all.len() < FEWEST { Err(Error::field(field, "too_few")) } else { Ok(all) }
}

/// # Errors
/// `not_found` if one is not the user's plan, or a product on which the user has put nothing.
pub async fn compare(app: &App, user: UserId, wanted: Wanted) -> Result<Vec<Compared>, Error> {
    match wanted {
        Wanted::Plans(ids) => {
            let now = app.now();
            app.db.snapshot(move |conn| plans_of(conn, user, ids, now)).await
        }
        Wanted::Products(ids) => {
            let found = app.db.report(move |conn, _| products_of(conn, user, &ids)).await?;
            if found.iter().any(|of| of.plans == 0) { Err(Refusal::NotFound.into()) } else { Ok(found) }
        }
    }
}

/// The totals of the user's plans on a product so far; all are 0 without such plans.
///
/// # Errors
/// `not_found` if there is no such product.
pub async fn product_results(app: &App, user: UserId, product: ProductId) -> Result<Compared, Error> {
    let found = app.db.report(move |conn, _| products_of(conn, user, &[product])).await?;
    found.into_iter().next().ok_or(Refusal::NotFound.into())
}

fn plans_of(conn: &mut Conn, user: UserId, ids: Vec<PlanId>, now: Timestamp) -> Result<Vec<Compared>, Error> {
    let mut found: HashMap<PlanId, (PlanRow, ProductRow)> =
        of_user(conn, user, ids.clone())?.into_iter().map(|row| (row.0.id, row)).collect();
    let rows: Option<Vec<_>> = ids.iter().map(|id| found.remove(id)).collect();
    let rows = rows.ok_or(Refusal::NotFound)?;
    let trends = trends(conn, rows.iter().map(|(plan, _)| plan), now)?;
    rows.iter().zip(trends).map(|((plan, product), trend)| of_plan(plan, product, trend)).collect()
}

fn of_plan(plan: &PlanRow, product: &ProductRow, trend: Vec<Money>) -> Result<Compared, Error> {
    let shown = ComparedPlan { id: plan.id, plan_no: plan.plan_no.clone(), status: plan.status, paused: plan.paused };
    let product = PlanProduct { id: product.id, name: product.name.clone() };
    let figures = plan.ratio_figures()?;
    Compared::of(product, &figures, plan.figures.filtered).map(|of| Compared {
        plan: Some(shown),
        plans: plan.put_at.is_some().into(),
        trend,
        ..of
    })
}

fn products_of(conn: &mut Conn, user: UserId, ids: &[ProductId]) -> Result<Vec<Compared>, Error> {
    let totals = on_products(conn, user, ids)?;
    let mut names = product::names(conn, ids.iter().copied())?;
    let of = |id: &ProductId| {
        let product = PlanProduct { id: *id, name: names.remove(id).ok_or(Refusal::NotFound)? };
        let totals = totals.get(id).copied().unwrap_or_default();
        Compared::of(product, &totals.ratio_figures(), totals.filtered).map(|of| Compared { plans: totals.plans, ..of })
    };
    ids.iter().map(of).collect()
}

impl Compared {
    fn of(product: PlanProduct, figures: &RatioFigures, filtered: i64) -> Result<Self, Error> {
        let (delivery, ratios) = (DeliveryFigures::of(figures, filtered), figures.ratios()?);
        Ok(Self { product, plan: None, plans: 0, delivery, ratios, trend: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ids: &str, products: &str) -> String {
        match Wanted::read(Some(ids), Some(products)) {
            Ok(Wanted::Plans(ids)) => format!("plans {ids:?}"),
            Ok(Wanted::Products(ids)) => format!("products {ids:?}"),
            Err(Error::Fields(fields)) => fields.iter().map(|(field, problem)| format!("{field} {problem}")).collect(),
            Err(error) => error.key().to_owned(),
        }
    }

    #[test]
    fn two_to_four_plans_or_products_are_compared() {
        assert_eq!(told("3,1", ""), "plans [PlanId(3), PlanId(1)]");
        assert_eq!(told("", "4,3,2,1,4"), "products [ProductId(4), ProductId(3), ProductId(2), ProductId(1)]");
        for (ids, products, refused) in [
            ("", "", "ids required"),
            ("1", "", "ids too_few"),
            ("1,1,1,1,1", "", "ids too_few"),
            ("1,2,3,4,5", "", "ids too_many"),
            ("", "7", "products too_few"),
            ("1,2", "3,4", "products not_with_ids"),
            ("1,x", "", "not_found"),
            ("1,", "", "not_found"),
        ] {
            assert_eq!(told(ids, products), refused, "{ids} {products}");
        }
    }
}
