//! A user's plans, filtered and sorted.
//!
//! If sorted by a figure, they come from three sources, each of which is sorted: settled plans from their stored
//! results, plans without any activity by their id, and running plans, as many as hold money, from their present
//! figures.

use std::collections::{BTreeSet, HashMap};

use base::typed::folded;
use base::{Period, PlanId, ProductId, SlotId, UserId};
use diesel::dsl::{exists, sql};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use plans::{Rank, Status};

use super::PlanRow;
use crate::like::{lowered, lowered_site};
use crate::plans::product::ProductRow;
use crate::schema::{plan_results as results, plan_slots, plan_sources, plans as table, products, publishers, slots};
use crate::{Conn, Error};

diesel::define_sql_function!(fn lower(text: Text) -> Text);

/// Which of the user's plans to list; a field with `None` allows all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlansWanted {
    pub status: Option<Status>,
    pub product: Option<ProductId>,
    /// When they were put.
    pub put: Option<Period>,
    pub search: Option<PlanSearch>,
    pub place: Option<PlanPlace>,
}

/// Where plans were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanPlace {
    /// Slots with that name.
    pub slots: Vec<SlotId>,
    /// A site or an app of exchanges.
    pub source: String,
}

/// A search for plans by product or by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSearch {
    pub products: Vec<ProductId>,
    /// The beginning of the number, which has only letters and digits.
    pub number: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortBy {
    /// By creation, newest first; within a period of puts, by the time of the put.
    Newest,
    Figure(Rank),
}

/// The position of a plan in the list: the value that it is sorted by, then its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub key: i64,
    pub id: i64,
}

#[derive(Clone, Debug)]
pub struct SortedQuery {
    pub user: UserId,
    pub wanted: PlansWanted,
    pub sort: SortBy,
    pub ascending: bool,
    /// Only plans after this position.
    pub after: Option<Place>,
    pub limit: i64,
}

/// A page of plans, and the position of the last one if another page follows.
#[derive(Debug)]
pub struct SortedPage {
    pub items: Vec<(PlanRow, ProductRow)>,
    pub next: Option<Place>,
}

/// Filters a query by what is wanted. The query selects from `plans`, joined or not; `$put_at` is the time of the put.
macro_rules! wanted {
    ($query:expr, $of:expr) => {
        wanted!($query, $of, table::put_at)
    };
    ($query:expr, $of:expr, $put_at:expr) => {{
        let SortedQuery { wanted, .. } = $of;
        let mut query = $query;
        if let Some(status) = wanted.status {
            query = query.filter(table::status.eq(status));
        }
        if let Some(product) = wanted.product {
            // The unary plus keeps a database from reading all plans on the product, whoever put them.
            query = query.filter(sql::<BigInt>("+plans.product_id").eq(product));
        }
        if let Some(period) = wanted.put {
            query = query.filter($put_at.ge(period.from).and($put_at.lt(period.until)));
        }
        if let Some(search) = &wanted.search {
            let of_product = sql::<BigInt>("+plans.product_id").eq_any(search.products.clone());
            query = match &search.number {
                Some(number) => query.filter(of_product.or(table::plan_no.like(format!("{number}%")))),
                None => query.filter(of_product),
            };
        }
        if let Some(PlanPlace { slots, source }) = &wanted.place {
            let in_slot = plan_slots::plan_id.eq(table::id).and(plan_slots::slot_id.eq_any(slots.clone()));
            let in_slot = exists(plan_slots::table.filter(in_slot.and(plan_slots::impressions.gt(0))));
            let named = lower(plan_sources::source).eq_any(lowered_site(source));
            let on_site = exists(plan_sources::table.filter(plan_sources::plan_id.eq(table::id).and(named)));
            query = query.filter(in_slot.or(on_site));
        }
        query
    }};
}

/// Sorts a query in this order, after the last position. The first comparison bounds the range in the index.
macro_rules! in_order {
    ($query:expr, $of:expr, $key:expr, $id:expr) => {{
        let mut query = $query;
        if let Some(Place { key, id }) = $of.after {
            query = if $of.ascending {
                query.filter($key.ge(key)).filter($key.gt(key).or($id.gt(id)))
            } else {
                query.filter($key.le(key)).filter($key.lt(key).or($id.lt(id)))
            };
        }
        query =
            if $of.ascending { query.order(($key.asc(), $id.asc())) } else { query.order(($key.desc(), $id.desc())) };
        query.limit($of.fetch())
    }};
}

/// More running plans than anybody's budget pays for. If there are more, only the newest ones are sorted by a figure.
const MOST_UNDER_WAY: i64 = 10_000;

/// The number of newest plans whose products are offered as filters.
const MOST_LOOKED_THROUGH: i64 = 1_000;

/// The most products whose names are searched.
const MOST_PRODUCTS: i64 = 100_000;

/// The most slots with one name.
const MOST_SLOTS: i64 = 1_000;

/// A page of the user's plans.
pub fn find_sorted(conn: &mut Conn, query: &SortedQuery) -> Result<SortedPage, Error> {
    let mut places = match query.sort {
        SortBy::Newest => query.newest(conn)?,
        SortBy::Figure(rank) => query.by_figure(conn, rank)?,
    };
    let limit = usize::try_from(query.limit).unwrap_or(0);
    let more = places.len() > limit;
    places.truncate(limit);
    let next = places.last().copied().filter(|_| more);
    Ok(SortedPage { items: rows(conn, &places)?, next })
}

/// The rows of the plans at these positions.
fn rows(conn: &mut Conn, places: &[Place]) -> Result<Vec<(PlanRow, ProductRow)>, Error> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = places.iter().map(|place| place.id).collect();
    let found: Vec<(PlanRow, ProductRow)> = table::table
        .inner_join(products::table)
        .filter(table::id.eq_any(ids))
        .select((PlanRow::as_select(), ProductRow::as_select()))
        .load(conn)?;
    let mut found: HashMap<i64, (PlanRow, ProductRow)> = found.into_iter().map(|row| (row.0.id.0, row)).collect();
    Ok(places.iter().filter_map(|place| found.remove(&place.id)).collect())
}

type Own = diesel::dsl::Filter<table::table, diesel::dsl::Eq<table::user_id, UserId>>;

impl SortedQuery {
    /// One plan more than requested shows whether another page follows.
    const fn fetch(&self) -> i64 {
        self.limit.saturating_add(1)
    }

    fn own(&self) -> Own {
        table::table.filter(table::user_id.eq(self.user))
    }

    fn newest(&self, conn: &mut Conn) -> Result<Vec<Place>, Error> {
        if self.wanted.put.is_some() {
            let put = wanted!(self.own().select((table::put_at.assume_not_null(), table::id)).into_boxed(), self);
            return places(in_order!(put, self, table::put_at, table::id).load(conn)?);
        }
        let made = wanted!(self.own().select((table::id, table::id)).into_boxed(), self);
        places(in_order!(made, self, table::id, table::id).load(conn)?)
    }

    fn by_figure(&self, conn: &mut Conn, rank: Rank) -> Result<Vec<Place>, Error> {
        let mut places = Vec::new();
        if self.allows(Status::Settled) {
            places.extend(self.find_settled(conn, rank)?);
        }
        // On all others nothing has happened.
        let untouched = |status: &Status| !status.is_under_way() && *status != Status::Settled;
        for status in Status::ALL.iter().copied().filter(untouched).filter(|status| self.allows(*status)) {
            places.extend(self.find_untouched(conn, status)?);
        }
        if Status::under_way().any(|status| self.allows(status)) {
            places.extend(self.under_way(conn, rank)?);
        }
        if self.ascending {
            places.sort_unstable()
        } else {
            places.sort_unstable_by(|one, other| other.cmp(one))
        }
        places.truncate(usize::try_from(self.fetch()).unwrap_or(usize::MAX));
        Ok(places)
    }

    fn allows(&self, status: Status) -> bool {
        self.wanted.status.is_none_or(|only| only == status)
    }

    fn find_settled(&self, conn: &mut Conn, rank: Rank) -> Result<Vec<Place>, Error> {
        macro_rules! by {
            ($key:expr) => {{
                let kept = results::table
                    .inner_join(table::table)
                    .filter(results::user_id.eq(self.user))
                    .select(($key, results::plan_id))
                    .into_boxed();
                // Without the unary plus, SQLite would read and sort all plans of the period.
                let kept = wanted!(kept, self, sql::<Nullable<BigInt>>("+plans.put_at"));
                places(in_order!(kept, self, $key, results::plan_id).load(conn)?)
            }};
        }
        match rank {
            Rank::Profit => by!(results::profit),
            Rank::ReturnOnSpend => by!(results::return_millionths),
            Rank::Consumed => by!(results::consumed),
            Rank::Conversions => by!(results::conversions),
        }
    }

    /// Plans without any activity: all their figures are 0.
    fn find_untouched(&self, conn: &mut Conn, status: Status) -> Result<Vec<Place>, Error> {
        let mut query = wanted!(self.own().select(table::id).into_boxed(), self).filter(table::status.eq(status));
        let passed = |key: i64| if self.ascending { key > 0 } else { key < 0 };
        match self.after {
            Some(Place { key, .. }) if passed(key) => return Ok(Vec::new()),
            Some(Place { key: 0, id }) if self.ascending => query = query.filter(table::id.gt(id)),
            Some(Place { key: 0, id }) => query = query.filter(table::id.lt(id)),
            _ => {}
        }
        query = if self.ascending { query.order(table::id.asc()) } else { query.order(table::id.desc()) };
        let ids: Vec<PlanId> = query.limit(self.fetch()).load(conn)?;
        Ok(ids.into_iter().map(|id| Place { key: 0, id: id.0 }).collect())
    }

    fn under_way(&self, conn: &mut Conn, rank: Rank) -> Result<Vec<Place>, Error> {
        let running = wanted!(self.own().select(PlanRow::as_select()).into_boxed(), self);
        // Without the unary plus, SQLite would search for them among all plans of the user.
        let running = running
            .filter(table::status.eq_any(Status::under_way()))
            .order(sql::<BigInt>("+plans.id").desc())
            .limit(MOST_UNDER_WAY);
        let place = |plan: PlanRow| Ok(Place { key: plan.rank_figures()?.of_rank(rank), id: plan.id.0 });
        let places = running.load(conn)?.into_iter().map(place).collect::<Result<Vec<_>, Error>>()?;
        let is_behind =
            |place: &Place| self.after.is_none_or(|after| if self.ascending { *place > after } else { *place < after });
        Ok(places.into_iter().filter(is_behind).collect())
    }
}

fn places(rows: Vec<(i64, i64)>) -> Result<Vec<Place>, Error> {
    Ok(rows.into_iter().map(|(key, id)| Place { key, id }).collect())
}

/// The products of the user's newest plans and their names, the newest first.
pub fn products_of(conn: &mut Conn, user: UserId) -> Result<Vec<(ProductId, String)>, Error> {
    let plans = table::table.filter(table::user_id.eq(user)).order(table::id.desc()).limit(MOST_LOOKED_THROUGH);
    let ids: BTreeSet<ProductId> = plans.select(table::product_id).load(conn)?.into_iter().collect();
    Ok(products::table
        .filter(products::id.eq_any(ids))
        .order(products::id.desc())
        .select((products::id, products::name))
        .load(conn)?)
}

/// Slots with this key, or of publishers of this name.
pub fn find_slots(conn: &mut Conn, name: &str) -> Result<Vec<SlotId>, Error> {
    let named = slots::table.inner_join(publishers::table.on(publishers::id.eq(slots::publisher_id)));
    let named = named
        .filter(lower(slots::key).eq(name.to_lowercase()))
        .or_filter(lower(publishers::name).eq_any(lowered(name)));
    Ok(named.order(slots::id).limit(MOST_SLOTS).select(slots::id).load(conn)?)
}

/// The names of all products. There are few, because staff create each.
pub fn product_names(conn: &mut Conn) -> Result<Vec<(ProductId, String)>, Error> {
    Ok(products::table.limit(MOST_PRODUCTS).select((products::id, products::name)).load(conn)?)
}

/// The products whose names contain a text, which is folded already.
pub fn products_named(part: &str, products: &[(ProductId, String)]) -> Vec<ProductId> {
    products.iter().filter(|(_, name)| folded(name).contains(part)).map(|(id, _)| *id).collect()
}
