//! Products.

use actix_web::{get, post, web};
use base::ProductId;
use campaigns::catalogue::products::{self, Product};
use foundation::{Error, Refusal};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{Body, Paging, Session};

#[utoipa::path(tag = "plans", params(Paging), responses((status = 200, body = List<Product>)))]
#[get("/products")]
pub async fn list(shell: web::Data<Shell>, session: Session, paging: web::Query<Paging>) -> Handled<List<Product>> {
    let mut page = products::products(&shell.app, paging.request()?).await?;
    page.items.iter_mut().for_each(|product| product.tell_in(session.answer_lang()));
    Ok(Reply(page.into()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ProductRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub product_id: String,
}

#[utoipa::path(tag = "plans", request_body = ProductRequest, responses((status = 200, body = Product)))]
#[post("/plan/order/app/detail")]
pub async fn show(shell: web::Data<Shell>, session: Session, body: Body<ProductRequest>) -> Handled<Product> {
    let id: ProductId = body.read()?.product_id.parse().map_err(|_| Error::from(Refusal::NotFound))?;
    let mut product = products::product(&shell.app, id).await?;
    product.tell_in(session.answer_lang());
    Ok(Reply(product))
}
