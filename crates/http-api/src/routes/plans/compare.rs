//! A user's plans or products side by side.

use actix_web::{get, web};
use base::Field;
use campaigns::plans::compare::{Compared, Wanted, compare, product_results};
use foundation::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Session, required};

/// Either `ids` or `products`.
#[derive(Debug, Deserialize, IntoParams)]
pub struct CompareQuery {
    /// Two to four of the user's plans: `1,2,3`.
    ids: Option<String>,
    /// Two to four products on which the user has put plans, by their ids: `1,2`.
    products: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Comparison {
    /// In the order in which they are named.
    pub items: Vec<Compared>,
}

/// The figures of two to four plans, or of all the user's plans on two to four products, to compare them.
#[utoipa::path(tag = "plans", params(CompareQuery), responses((status = 200, body = Comparison)))]
#[get("/plan/compare")]
pub async fn list(shell: web::Data<Shell>, session: Session, query: web::Query<CompareQuery>) -> Handled<Comparison> {
    let wanted = Wanted::read(query.ids.as_deref(), query.products.as_deref())?;
    Ok(Reply(Comparison { items: compare(&shell.app, session.user, wanted).await? }))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct ResultsQuery {
    #[param(required = true)]
    product_id: Option<String>,
}

/// The figures of all the user's plans on a product so far.
#[utoipa::path(tag = "plans", params(ResultsQuery), responses((status = 200, body = Compared)))]
#[get("/plan/product/results")]
pub async fn show_product(
    shell: web::Data<Shell>,
    session: Session,
    query: web::Query<ResultsQuery>,
) -> Handled<Compared> {
    let product = required(query.product_id.as_deref(), Field::ProductId)?.parse().map_err(|_| Refusal::NotFound)?;
    Ok(Reply(product_results(&shell.app, session.user, product).await?))
}
