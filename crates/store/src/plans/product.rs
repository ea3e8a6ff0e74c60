//! Products: what advertisers offer, and their terms.

use std::collections::HashMap;

use base::{AdvertiserId, Money, ProductId, Rate, Timestamp};
use diesel::prelude::*;
use plans::{Pricing, Terms};

use crate::schema::products;
use crate::{Conn, Error, Page, PageRequest, Tx, columns, will_change};
use db::bulk::{Statement, ascending};
use db::statement;

#[derive(Clone, Debug, Queryable, QueryableByName, Selectable, PartialEq, Eq)]
#[diesel(table_name = products)]
pub struct ProductRow {
    pub id: ProductId,
    pub advertiser_id: AdvertiserId,
    pub name: String,
    pub summary: String,
    pub image: String,
    pub min_put: Money,
    pub max_put: Money,
    pub pricing: Pricing,
    pub price: Money,
    pub days: i32,
    pub payout: Money,
    pub attribution_days: i32,
    pub fee_rate: Rate,
    /// JSON: the creative of each content type.
    pub content: String,
    /// JSON: the audience that the advertiser wants.
    pub targeting: String,
    /// Where a click leads; `None` for the hosted page.
    pub landing_url: Option<String>,
    /// Whether it is offered once its terms are approved.
    pub active: bool,
    pub created_at: Timestamp,
    /// Nobody has approved its terms yet.
    pub draft: bool,
    pub conversions_per_click: i32,
    /// JSON: the product's description for exchanges.
    pub openrtb: Option<String>,
}

/// A product to be written.
#[derive(Clone, Debug, Insertable, AsChangeset)]
#[diesel(table_name = products, treat_none_as_null = true)]
pub struct NewProduct {
    pub advertiser_id: AdvertiserId,
    pub name: String,
    pub summary: String,
    pub image: String,
    pub min_put: Money,
    pub max_put: Money,
    pub pricing: Pricing,
    pub price: Money,
    pub days: i32,
    pub payout: Money,
    pub attribution_days: i32,
    pub fee_rate: Rate,
    pub content: String,
    pub targeting: String,
    pub landing_url: Option<String>,
    pub active: bool,
    pub draft: bool,
    pub conversions_per_click: i32,
    /// JSON: what exchanges are told of it.
    pub openrtb: Option<String>,
}

impl ProductRow {
    /// Whether users may put amounts on it.
    pub const fn is_offered(&self) -> bool {
        self.active && !self.draft
    }

    /// Its columns as a [`NewProduct`], to be written again after a change.
    pub fn as_new(&self) -> NewProduct {
        NewProduct {
            advertiser_id: self.advertiser_id,
            name: self.name.clone(),
            summary: self.summary.clone(),
            image: self.image.clone(),
            min_put: self.min_put,
            max_put: self.max_put,
            pricing: self.pricing,
            price: self.price,
            days: self.days,
            payout: self.payout,
            attribution_days: self.attribution_days,
            fee_rate: self.fee_rate,
            content: self.content.clone(),
            targeting: self.targeting.clone(),
            landing_url: self.landing_url.clone(),
            active: self.active,
            draft: self.draft,
            conversions_per_click: self.conversions_per_click,
            openrtb: self.openrtb.clone(),
        }
    }

    pub fn terms(&self) -> Terms {
        Terms {
            pricing: self.pricing,
            price: self.price,
            days: self.days.into(),
            payout: self.payout,
            attribution_days: self.attribution_days.into(),
            fee_rate: self.fee_rate,
        }
    }
}

pub fn insert(tx: &mut Tx<'_>, product: &NewProduct) -> Result<ProductRow, Error> {
    tx.notes().changes_catalogue();
    let row: ProductRow = diesel::insert_into(products::table)
        .values((product, products::created_at.eq(tx.now())))
        .returning(products::all_columns)
        .get_result(tx.conn())?;
    tx.notes().vouches("products", row.id.0);
    Ok(row)
}

/// Changes a product. Existing plans keep their terms.
pub fn change(tx: &mut Tx<'_>, id: ProductId, product: &NewProduct) -> Result<(), Error> {
    will_change(tx, "products", [id.0])?;
    tx.notes().changes_catalogue();
    tx.run(diesel::update(products::table.find(id)).set(product))
}

pub fn find(conn: &mut Conn, id: ProductId) -> Result<Option<ProductRow>, Error> {
    Ok(products::table.find(id).select(ProductRow::as_select()).first(conn).optional()?)
}

statement!(FIND, each: &format!(
    "SELECT {} FROM products WHERE id = ANY(?)",
    columns::listed(&products::table.select(ProductRow::as_select()), "")
));

/// The existing products with these ids.
pub fn find_all(conn: &mut Conn, ids: impl IntoIterator<Item = ProductId>) -> Result<Vec<ProductRow>, Error> {
    FIND.load(conn, &[ascending(ids).into()])
}

/// The names of these products, by id.
pub fn names(conn: &mut Conn, ids: impl IntoIterator<Item = ProductId>) -> Result<HashMap<ProductId, String>, Error> {
    let ids = ascending(ids);
    let rows: Vec<(ProductId, String)> =
        products::table.filter(products::id.eq_any(ids)).select((products::id, products::name)).load(conn)?;
    Ok(rows.into_iter().collect())
}

pub fn find_by_name(conn: &mut Conn, name: &str) -> Result<Option<ProductRow>, Error> {
    Ok(products::table.filter(products::name.eq(name)).select(ProductRow::as_select()).first(conn).optional()?)
}

/// The products with these names, active or not, locked until the transaction ends.
/// Locking several at once requires the lock on all content.
pub fn lock_named(tx: &mut Tx<'_>, names: &[String]) -> Result<Vec<ProductRow>, Error> {
    let named = || products::table.filter(products::name.eq_any(names));
    tx.run(diesel::update(named()).set(products::active.eq(products::active)))?;
    Ok(named().select(ProductRow::as_select()).load(tx.conn())?)
}

/// A page of all products in the order they were added, after an id.
pub fn all_after(conn: &mut Conn, id: i64, at_most: i64) -> Result<Vec<ProductRow>, Error> {
    let next = products::table.filter(products::id.gt(id)).order(products::id).limit(at_most);
    Ok(next.select(ProductRow::as_select()).load(conn)?)
}

/// Newest first: those that are offered, or all.
pub fn page(conn: &mut Conn, offered: bool, request: PageRequest) -> Result<Page<ProductRow>, Error> {
    let mut query = products::table.filter(products::id.lt(request.below())).into_boxed();
    if offered {
        query = query.filter(products::active.eq(true).and(products::draft.eq(false)));
    }
    let newest = query.order(products::id.desc()).limit(request.fetch());
    let rows = newest.select(ProductRow::as_select()).load(conn)?;
    Ok(Page::cut(rows, request, |row: &ProductRow| row.id.0))
}

/// The largest amount that can be put on any product at once.
pub fn largest_put(conn: &mut Conn) -> Result<Money, Error> {
    let largest = products::table.filter(products::draft.eq(false)).select(diesel::dsl::max(products::max_put));
    Ok(largest.first::<Option<Money>>(conn)?.unwrap_or_default())
}

/// Locks it against changes until the transaction ends.
pub fn lock(tx: &mut Tx<'_>, id: ProductId) -> Result<(), Error> {
    tx.run(diesel::update(products::table.find(id)).set(products::active.eq(products::active)))
}
