//! A user's plans, as they are searched, filtered and sorted.

use base::typed::folded;
use base::{Field, Money, PlanId, ProductId, Timestamp, UserId, named};
use calendar::Zone;
use foundation::{App, Error};
use plans::{Rank, Status};
use serde::Serialize;
use store::Conn;
use store::delivery::plan_steps::{Step, steps};
use store::delivery::rollup::QUARTER_MILLIS;
use store::plans::plan::{
    Place, PlanPlace, PlanRow, PlanSearch, PlansWanted, SortBy, SortedPage, SortedQuery, find_slots, find_sorted,
    product_names, products_named, products_of,
};
use utoipa::ToSchema;

use super::days;
use super::plan_views::{PlanView, views};

named!(
    /// By what a list of plans is sorted.
    Sort as "PlanSort" {
        Newest "newest",
        Profit "profit",
        Roi "roi",
        Consumed "consumed",
        Conversions "conversions",
    }
);

named!(
    SortOrder {
        Ascending "asc",
        Descending "desc",
    }
);

/// Which plans, as a client asks for them.
#[derive(Clone, Debug, Default)]
pub struct PlanQuery {
    pub status: Option<Status>,
    pub product: Option<ProductId>,
    /// A part of a product's name, or the beginning of a plan's number.
    pub search: Option<String>,
    /// The name of a site, an app, a publisher or a slot where they were shown.
    pub site: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub zone: Option<Zone>,
    pub sort: Option<Sort>,
    pub order: Option<SortOrder>,
    pub cursor: Option<String>,
    pub limit: i64,
}

/// A plan in its user's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListedPlan {
    #[serde(flatten)]
    pub plan: PlanView,
    pub conversions: i64,
    /// The profit of each of up to 14 equally long parts of its life, oldest first. They add up to `profit`. Empty if
    /// it was not put.
    pub trend: Vec<Money>,
}

/// What the user's plans can be filtered by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanChoices {
    /// The products of the user's newest plans, at most 100, the newest first.
    pub products: Vec<PlanProduct>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlanProduct {
    pub id: ProductId,
    pub name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PlansPage {
    pub items: Vec<ListedPlan>,
    pub next_cursor: Option<String>,
    /// Only on the first page; null on all others.
    pub choices: Option<PlanChoices>,
}

/// Parts of a plan's life.
const PARTS: i64 = 14;
/// If there are more products, users search for them.
const MOST_CHOICES: usize = 100;
const LONGEST_NAME: usize = 100;

/// # Errors
/// `params` naming `from`, `to`, `search` or `cursor`.
pub async fn list(app: &App, user: UserId, query: PlanQuery) -> Result<PlansPage, Error> {
    let now = app.now();
    let put = days::read(query.from.as_deref(), query.to.as_deref(), query.zone.unwrap_or(Zone::UTC))?;
    let search = query.search.as_deref().map(|text| read_name(text, Field::Search)).transpose()?;
    let site = query.site.as_deref().map(|text| read_name(text, Field::Site)).transpose()?;
    let sort = match query.sort.unwrap_or(Sort::Newest) {
        Sort::Newest => SortBy::Newest,
        Sort::Profit => SortBy::Figure(Rank::Profit),
        Sort::Roi => SortBy::Figure(Rank::ReturnOnSpend),
        Sort::Consumed => SortBy::Figure(Rank::Consumed),
        Sort::Conversions => SortBy::Figure(Rank::Conversions),
    };
    let mut wanted = SortedQuery {
        user,
        wanted: PlansWanted { status: query.status, product: query.product, put, search: None, place: None },
        sort,
        ascending: query.order == Some(SortOrder::Ascending),
        after: query.cursor.as_deref().map(read_place).transpose()?,
        limit: query.limit,
    };
    app.db
        .snapshot(move |conn| {
            let is_first = wanted.after.is_none();
            if let Some(search) = &search {
                wanted.wanted.search = Some(found(search, &product_names(conn)?));
            }
            if let Some(source) = site {
                wanted.wanted.place = Some(PlanPlace { slots: find_slots(conn, &source)?, source });
            }
            let SortedPage { items, next } = find_sorted(conn, &wanted)?;
            let trends = trends(conn, items.iter().map(|(plan, _)| plan), now)?;
            let figures = items.iter().map(|(plan, _)| plan.figures.conversions).zip(trends);
            let plans = views(conn, &items, now)?.into_iter().zip(figures);
            let items = plans.map(|(plan, (conversions, trend))| ListedPlan { plan, conversions, trend }).collect();
            let choices = if is_first { Some(PlanChoices::of(products_of(conn, user)?)) } else { None };
            Ok(PlansPage { items, next_cursor: next.map(write_place), choices })
        })
        .await
}

fn read_name(text: &str, field: Field) -> Result<String, Error> {
    let text = text.trim();
    if text.chars().count() > LONGEST_NAME { Err(Error::field(field, "too_long")) } else { Ok(text.to_owned()) }
}

impl PlanChoices {
    fn of(products: Vec<(ProductId, String)>) -> Self {
        Self { products: products.into_iter().take(MOST_CHOICES).map(|(id, name)| PlanProduct { id, name }).collect() }
    }
}

fn found(search: &str, products: &[(ProductId, String)]) -> PlanSearch {
    let part = folded(search);
    let products = products_named(&part, products);
    let number = part.trim_start_matches('#').to_uppercase();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
    PlanSearch { products, number: is_number.then_some(number) }
}

/// A place in the list, as `next_cursor` has it. Where plans are sorted by their number, it is one.
fn write_place(Place { key, id }: Place) -> String {
    if key == id { id.to_string() } else { format!("{key}.{id}") }
}

fn read_place(text: &str) -> Result<Place, Error> {
    let number = |text: &str| text.parse::<i64>().map_err(|_| Error::field(Field::Cursor, "invalid"));
    match text.split_once('.') {
        Some((key, id)) => Ok(Place { key: number(key)?, id: number(id)? }),
        None => number(text).map(|id| Place { key: id, id }),
    }
}

/// Each plan's profit, divided by parts of its life.
pub(super) fn trends<'a>(
    conn: &mut Conn,
    plans: impl Iterator<Item = &'a PlanRow>,
    now: Timestamp,
) -> Result<Vec<Vec<Money>>, Error> {
    let lives: Vec<(PlanId, Vec<Timestamp>)> = plans.map(|plan| (plan.id, parts_of_life(plan, now))).collect();
    let profit = |step: &Step| step.earned().profit();
    let found = steps(conn, &lives)?;
    Ok(found.iter().map(|steps| steps.iter().map(profit).collect()).collect::<Result<_, _>>()?)
}

/// The ends of parts of a plan's life, on quarter hours: from its put until now, or until it was settled.
fn parts_of_life(plan: &PlanRow, now: Timestamp) -> Vec<Timestamp> {
    let Some(put) = plan.put_at else { return Vec::new() };
    let quarter = |at: Timestamp| at.millis().div_euclid(QUARTER_MILLIS);
    let (first, last) = (quarter(put), quarter(plan.settled_at.unwrap_or(now).max(put)) + 1);
    let parts = PARTS.min(last - first);
    let end = |n: i64| Timestamp::from_millis((first + (last - first) * n / parts) * QUARTER_MILLIS);
    (0..=parts).map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_read_as_wide_as_it_was_typed() {
        let products = [(ProductId(1), "Verde Garden".to_owned()), (ProductId(2), "ＶＥＲＤＥ茶".to_owned())];
        for typed in ["verde", "ＶＥＲＤＥ"] {
            let PlanSearch { products, number } = found(typed, &products);
            assert_eq!((products, number.as_deref()), (vec![ProductId(1), ProductId(2)], Some("VERDE")), "{typed}");
        }
        for typed in ["Verde\u{a0}Garden", "verde  garden\u{200b}", "ｖｅｒｄｅ\u{3000}ｇａｒｄｅｎ"] {
            assert_eq!(found(typed, &products).products, [ProductId(1)], "{typed:?}");
        }
        for typed in ["＃ｐ７ｋｑ", "\u{2068}#P7KQ\u{2069}"] {
            assert_eq!(found(typed, &products).number.as_deref(), Some("P7KQ"), "{typed:?}");
        }
    }

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for place in [Place { key: -250, id: 7 }, Place { key: 7, id: 7 }, Place { key: 0, id: i64::MAX }] {
            assert_eq!(read_place(&write_place(place)).expect("a place"), place);
        }
        for text in ["", "x", "1.", ".1", "1.2.3", "99999999999999999999"] {
            assert!(read_place(text).is_err(), "{text}");
        }
    }
}
