//! Exchanges with acceptors.

use actix_web::{get, post, web};
use base::Field;
use foundation::{Refusal, amount};
use money::wallet::acceptors::{AcceptorDetail, AcceptorView};
use money::wallet::exchange::{OrderView, Orders, PutExchange};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use validator::{Validate, ValidationError, ValidationErrors};
use wallet::AcceptorType;

use crate::Shell;
use crate::envelope::{Handled, List, Reply};
use crate::extract::{Body, FreshSession, Idempotency, InZone, Paging, Session, given};
use crate::routes::wallet::{read_optional_text, read_text, verify_password};

#[derive(Debug, Deserialize, IntoParams)]
pub struct AcceptorQuery {
    /// `personal` or `enterprise`; both by default.
    #[serde(rename = "type")]
    #[param(value_type = Option<AcceptorType>, inline)]
    pub kind: Option<String>,
}

/// Acceptors that take orders, sorted by name.
#[utoipa::path(tag = "exchange", params(AcceptorQuery), responses((status = 200, body = Vec<AcceptorView>)))]
#[get("/acceptor/list")]
pub async fn list_acceptors(
    shell: web::Data<Shell>,
    _session: Session,
    query: web::Query<AcceptorQuery>,
) -> Handled<Vec<AcceptorView>> {
    Ok(Reply(money::wallet::acceptors::acceptors(&shell.app, given(query.kind.as_deref())).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct AcceptorRequest {
    /// `personal` or `enterprise`.
    #[serde(rename = "type")]
    #[schema(required = true, value_type = AcceptorType)]
    pub kind: String,
    /// The acceptance code.
    #[schema(required = true)]
    pub code: String,
}

/// By hand, since the derived one would name `type` as the field is named here.
impl Validate for AcceptorRequest {
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut wrong = ValidationErrors::new();
        for (field, text) in [(Field::Type, &self.kind), (Field::Code, &self.code)] {
            if text.is_empty() {
                wrong.add(field.name(), ValidationError::new("required"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// The acceptor with this code, with rates that hold until they expire.
#[utoipa::path(tag = "exchange", params(InZone), request_body = AcceptorRequest,
    responses((status = 200, body = AcceptorDetail)))]
#[post("/acceptor/detail")]
pub async fn show_acceptor(
    shell: web::Data<Shell>,
    session: FreshSession,
    zone: InZone,
    body: Body<AcceptorRequest>,
) -> Handled<AcceptorDetail> {
    let AcceptorRequest { kind, code } = body.read()?;
    session.with_store()?;
    Ok(Reply(money::wallet::acceptors::acceptor_detail(&shell.app, session.user, &kind, &code, zone.0).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ExchangeRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub acceptor_id: String,
    /// The acceptance code.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub code: String,
    /// A decimal in the platform's currency, above zero.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    #[serde(deserialize_with = "read_text")]
    pub amount: String,
    /// The currency to be paid in.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub currency: String,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
    /// The quote that was shown; the newest for the currency by default.
    #[serde(deserialize_with = "read_optional_text")]
    pub quote_id: Option<String>,
    /// The rate that was shown; a different one is refused with `quote_expired`.
    #[serde(deserialize_with = "read_optional_text")]
    pub rate: Option<String>,
}

/// Exchanges at the rate that was shown. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "exchange", params(InZone, Idempotency), request_body = ExchangeRequest,
    responses((status = 200, body = OrderView)))]
#[post("/acceptor/order/put")]
pub async fn put(
    shell: web::Data<Shell>,
    session: FreshSession,
    zone: InZone,
    key: Idempotency,
    body: Body<ExchangeRequest>,
) -> Handled<OrderView> {
    let ExchangeRequest { acceptor_id, code, amount, currency, password, quote_id, rate } = body.read()?;
    // A request that cannot be granted uses no password attempt.
    let amount = amount::positive(Field::Amount, &amount)?;
    session.with_store()?;
    let proof = verify_password(&shell, &session, &password).await?;
    let (zone, key, currency) = (zone.0, key.0, currency.trim().to_ascii_uppercase());
    let command = PutExchange { acceptor: acceptor_id, code, amount, currency, quote: quote_id, rate, zone, key };
    Ok(Reply(money::wallet::exchange::put_exchange(&shell.app, proof, command).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct OrderRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
}

/// Cancels an order that has not been accepted yet. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "exchange", params(Idempotency), request_body = OrderRequest,
    responses((status = 200, body = OrderView)))]
#[post("/acceptor/order/cancel")]
pub async fn cancel(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<OrderRequest>,
) -> Handled<OrderView> {
    let id = body.read()?.id.parse().map_err(|_| Refusal::NotFound)?;
    Ok(Reply(money::wallet::exchange::cancel_exchange(&shell.app, session.user, id, key.0).await?))
}

#[derive(Serialize, ToSchema)]
pub struct OrderPage {
    /// The open order.
    pub current: Option<OrderView>,
    /// All orders, newest first.
    pub items: Vec<OrderView>,
    pub next_cursor: Option<String>,
}

impl From<Orders> for OrderPage {
    fn from(Orders { current, page }: Orders) -> Self {
        let List { items, next_cursor } = page.into();
        Self { current, items, next_cursor }
    }
}

#[utoipa::path(tag = "exchange", params(Paging), responses((status = 200, body = OrderPage)))]
#[get("/acceptor/order/list")]
pub async fn list(shell: web::Data<Shell>, session: Session, paging: web::Query<Paging>) -> Handled<OrderPage> {
    Ok(Reply(money::wallet::exchange::orders(&shell.app, session.user, paging.request()?).await?.into()))
}
