//! The wallet: figures, statement, start-up funds, deposit and withdrawals.

pub mod announcements;
pub mod cards;
pub mod exchange;
pub mod public_log;

use actix_web::{HttpResponse, get, post, web};
use base::Field;
use calendar::Zone;
use foundation::people::pay_password::{self, Proof};
use foundation::{PageRequest, Refusal, fields};
use futures_util::stream;
use money::wallet::deposit::{DepositView, MoveDeposit};
use money::wallet::flow_days::{DaysPage, DaysQuery, Direction, flow_days};
use money::wallet::flow_list::{FlowMonth, FlowQuery, FlowSum, FlowView, Statement, flow_list};
use money::wallet::property::Property;
use money::wallet::public_log::{ProofPosition, proof_file};
use money::wallet::recharges::{RechargeView, RequestStatus, recharges};
use money::wallet::startup_loan::{RepayStartupLoan, StartupLoanView};
use money::wallet::statement_file::{CsvPosition, StatementFormat, StatementRequest};
use money::wallet::withdraw::Withdraw;
use money::wallet::withdrawals::{self, Pace, WithdrawalView};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use validator::Validate;
use wallet::FlowKind;

use crate::Shell;
use crate::envelope::{Handled, List, Reply, attachment};
use crate::extract::{
    Body, FreshSession, Idempotency, InZone, Paging, Session, choice, given, required, required_choice,
};
use crate::failure::Failure;

#[utoipa::path(tag = "wallet", responses((status = 200, body = Property)))]
#[get("/user/property")]
pub async fn show_property(shell: web::Data<Shell>, session: Session) -> Handled<Property> {
    Ok(Reply(money::wallet::property::property(&shell.app, session.user).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct StatementQuery {
    /// `2026-01`, in the zone of `X-TZ`; every month by default.
    pub month: Option<String>,
    /// Instead of `month`, with `until`: only lines recorded from this moment on.
    pub from: Option<String>,
    /// Only lines recorded before this moment, at most 366 days after `from`.
    pub until: Option<String>,
    /// One kind of line; all by default.
    #[param(value_type = Option<FlowKind>, inline)]
    pub kind: Option<String>,
    /// One of the user's plans: lines on its hold, lines whose document it is, and what came back for its events.
    pub plan_id: Option<String>,
}

impl StatementQuery {
    fn read(self, zone: Zone, page: PageRequest) -> Result<FlowQuery, Failure> {
        let plan = given(self.plan_id).map(|id| id.parse()).transpose().map_err(|_| Refusal::NotFound)?;
        let Self { month, from, until, kind, .. } = self;
        let (month, kind) = (given(month), given(kind));
        Ok(FlowQuery { month, from: given(from), until: given(until), kind, plan, zone, page })
    }
}

#[derive(Serialize, ToSchema)]
pub struct StatementPage {
    pub items: Vec<FlowView>,
    pub next_cursor: Option<String>,
    /// The totals of every month on this page, newest first, for all kinds.
    pub months: Vec<FlowMonth>,
    /// The totals of all lines that match the filter. They are only on the first page, and only for one plan or for
    /// `from` and `until` at most 31 days apart. Null otherwise, and for more than 200,000 lines.
    pub sum: Option<FlowSum>,
}

impl From<Statement> for StatementPage {
    fn from(Statement { lines, months, sum }: Statement) -> Self {
        let List { items, next_cursor } = lines.into();
        Self { items, next_cursor, months, sum }
    }
}

#[utoipa::path(tag = "wallet", params(Paging, StatementQuery, InZone), responses((status = 200, body = StatementPage)))]
#[get("/transaction_flow/list")]
pub async fn list_statement(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    paging: web::Query<Paging>,
    query: web::Query<StatementQuery>,
) -> Handled<StatementPage> {
    let query = query.into_inner().read(zone.0, paging.request()?)?;
    Ok(Reply(flow_list(&shell.app, session.user, query).await?.into()))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct DaysFilter {
    /// Instead of `kind`: only what came to the available balance or left it. A refund is in neither:
    /// it returns what left before.
    #[param(value_type = Option<Direction>, inline)]
    pub direction: Option<String>,
    /// An amount in any notation, or a part of a reference, a plan's number or a product's name.
    #[param(max_length = 100)]
    pub search: Option<String>,
}

/// The statement for reading: what was billed to a plan on a day is one row. Rows stay in their place
/// while further bills arrive.
#[utoipa::path(tag = "wallet", params(Paging, StatementQuery, DaysFilter, InZone),
    responses((status = 200, body = DaysPage)))]
#[get("/transaction_flow/by_day")]
pub async fn list_days(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    paging: web::Query<Paging>,
    query: web::Query<StatementQuery>,
    filter: web::Query<DaysFilter>,
) -> Handled<DaysPage> {
    let limit = usize::try_from(paging.limit()?).unwrap_or_default();
    let FlowQuery { month, from, until, kind, plan, zone, .. } =
        query.into_inner().read(zone.0, PageRequest::default())?;
    let DaysFilter { direction, search } = filter.into_inner();
    let (direction, search, cursor) = (given(direction), given(search), paging.text());
    let wanted = DaysQuery { month, from, until, kind, direction, plan, search, zone, cursor, limit };
    Ok(Reply(flow_days(&shell.app, session.user, wanted).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct ExportQuery {
    /// `2026-01`, in the zone of `X-TZ`.
    #[param(required = true)]
    pub month: Option<String>,
    /// `csv` or `pdf`.
    #[param(required = true, value_type = StatementFormat, inline)]
    pub format: Option<String>,
}

/// A month's statement as a file: CSV with every line, or PDF for reading, where a plan's bills are
/// one line a day.
#[utoipa::path(tag = "wallet", params(ExportQuery, InZone), responses(
    (status = 200, description = "The file; a refusal is an envelope", content(
        (String = "text/csv"), (Vec<u8> = "application/pdf")))))]
#[get("/transaction_flow/export")]
pub async fn export_statement(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    query: web::Query<ExportQuery>,
) -> Result<HttpResponse, Failure> {
    let ExportQuery { month, format } = query.into_inner();
    let month = required(month, Field::Month)?;
    let format = required_choice(format, Field::Format, StatementFormat::from_name)?;
    let wanted = StatementRequest { month: Some(month), zone: zone.0, lang: session.answer_lang() };
    let export = money::wallet::statement_file::export(&shell.app, session.user, wanted).await?;
    let mut response = attachment(format_args!("{}.{format}", export.name()));
    if format == StatementFormat::Pdf {
        return Ok(response.content_type("application/pdf").body(export.pdf().await?));
    }
    // A later failure breaks the connection, so that a partial statement is not mistaken for a
    // complete one.
    let parts = stream::try_unfold((export, CsvPosition::Head), |(export, place)| async move {
        let part = export.csv(place).await?;
        Ok::<_, foundation::Error>(part.map(|(bytes, place)| (web::Bytes::from(bytes), (export, place))))
    });
    let parts = session.while_it_lasts(&shell, parts);
    Ok(response.content_type("text/csv; charset=utf-8").streaming(Box::pin(parts)))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct ProofQuery {
    /// `2026-01`, in UTC.
    #[param(required = true)]
    pub month: Option<String>,
}

/// The user's book of a month as it was hashed, and the proof that it is in the public log: a file that anybody can verify
/// with the log's key alone.
#[utoipa::path(tag = "wallet", params(ProofQuery), responses(
    (status = 200, description = "The file; a refusal is an envelope", body = String, content_type = "text/plain")))]
#[get("/transaction_flow/proof")]
pub async fn show_proof(
    shell: web::Data<Shell>,
    session: Session,
    query: web::Query<ProofQuery>,
) -> Result<HttpResponse, Failure> {
    let month = required(query.into_inner().month, Field::Month)?;
    let file = proof_file(&shell.app, session.user, &month).await?;
    let mut response = attachment(file.name());
    // A later failure breaks the connection; a part of the file proves nothing.
    let parts = stream::try_unfold((file, ProofPosition::Head), |(file, place)| async move {
        let part = file.part(place).await?;
        Ok::<_, foundation::Error>(part.map(|(bytes, place)| (web::Bytes::from(bytes), (file, place))))
    });
    let parts = session.while_it_lasts(&shell, parts);
    Ok(response.content_type("text/plain; charset=utf-8").streaming(Box::pin(parts)))
}

/// An amount as written. A value of another type is kept as written too, and is then refused as a
/// malformed amount.
pub(crate) fn read_text<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(value)? {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => format!("not a text: {other}"),
    })
}

pub(crate) fn read_optional_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    read_text(value).map(|text| (!text.is_empty()).then_some(text))
}

/// Verifies the caller's transaction password.
pub(crate) async fn verify_password(shell: &Shell, session: &FreshSession, password: &str) -> Result<Proof, Failure> {
    let password = fields::pay_password(password).map_err(|problem| Failure::field(Field::Password, problem))?;
    Ok(pay_password::verify_in_session(&shell.app, session, &password).await?)
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct WithdrawRequest {
    /// A decimal in the platform's currency, above zero.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    #[serde(deserialize_with = "read_text")]
    pub amount: String,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Requests a withdrawal. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = WithdrawRequest,
    responses((status = 200, body = WithdrawalView)))]
#[post("/user/withdraw")]
pub async fn withdraw(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<WithdrawRequest>,
) -> Handled<WithdrawalView> {
    let WithdrawRequest { amount, password } = body.read()?;
    // A request that cannot be granted uses no password attempt.
    let command = Withdraw::read(&amount, key.0)?;
    session.with_store()?;
    let proof = verify_password(&shell, &session, &password).await?;
    Ok(Reply(money::wallet::withdraw::withdraw(&shell.app, proof, command).await?))
}

#[utoipa::path(tag = "wallet", params(Paging), responses((status = 200, body = List<WithdrawalView>)))]
#[get("/withdrawals")]
pub async fn list_withdrawals(
    shell: web::Data<Shell>,
    session: Session,
    paging: web::Query<Paging>,
) -> Handled<List<WithdrawalView>> {
    Ok(Reply(withdrawals::withdrawals(&shell.app, session.user, paging.request()?).await?.into()))
}

/// How long withdrawals took lately.
#[utoipa::path(tag = "wallet", responses((status = 200, body = Pace)))]
#[get("/withdrawals/pace")]
pub async fn show_pace(shell: web::Data<Shell>, _: Session) -> Handled<Pace> {
    Ok(Reply(withdrawals::pace(&shell.app).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct WithdrawalRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub id: String,
}

/// Takes back a withdrawal that nobody has approved yet. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = WithdrawalRequest,
    responses((status = 200, body = WithdrawalView)))]
#[post("/user/withdraw/cancel")]
pub async fn cancel_withdrawal(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<WithdrawalRequest>,
) -> Handled<WithdrawalView> {
    let id = body.read()?.id.parse().map_err(|_| Refusal::NotFound)?;
    Ok(Reply(withdrawals::cancel_withdrawal(&shell.app, session.user, id, key.0).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct RechargeQuery {
    /// One status; all by default.
    #[param(value_type = Option<RequestStatus>, inline)]
    pub status: Option<String>,
}

/// The user's recharges, newest first: `requested` until a second operator has approved them.
#[utoipa::path(tag = "wallet", params(Paging, RechargeQuery), responses((status = 200, body = List<RechargeView>)))]
#[get("/user/recharges")]
pub async fn list_recharges(
    shell: web::Data<Shell>,
    session: Session,
    paging: web::Query<Paging>,
    query: web::Query<RechargeQuery>,
) -> Handled<List<RechargeView>> {
    let status = choice(query.status.as_deref(), Field::Status, RequestStatus::from_name)?;
    Ok(Reply(recharges(&shell.app, session.user, status, paging.request()?).await?.into()))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct ReturnRequest {
    /// Everything outstanding by default.
    #[serde(deserialize_with = "read_optional_text")]
    pub amount: Option<String>,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Returns start-up funds. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = ReturnRequest,
    responses((status = 200, body = StartupLoanView)))]
#[post("/user/startup/return")]
pub async fn return_startup(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<ReturnRequest>,
) -> Handled<StartupLoanView> {
    let ReturnRequest { amount, password } = body.read()?;
    let command = RepayStartupLoan::read(amount.as_deref(), key.0)?;
    let proof = verify_password(&shell, &session, &password).await?;
    Ok(Reply(money::wallet::startup_loan::repay_startup_loan(&shell.app, proof, command).await?))
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct DepositRequest {
    /// A decimal in the platform's currency, above zero.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    #[serde(deserialize_with = "read_text")]
    pub amount: String,
    /// The transaction password's MD5, in lower-case hex.
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true)]
    pub password: String,
}

/// Pays into the deposit. Send an `Idempotency-Key` to repeat it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = DepositRequest,
    responses((status = 200, body = DepositView)))]
#[post("/user/deposit/pay")]
pub async fn pay_deposit(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<DepositRequest>,
) -> Handled<DepositView> {
    let (proof, command) = deposit(&shell, &session, key, &body).await?;
    Ok(Reply(money::wallet::deposit::pay_deposit(&shell.app, proof, command).await?))
}

/// Takes back part of the deposit, while no plan is under way. Send an `Idempotency-Key` to repeat
/// it safely.
#[utoipa::path(tag = "wallet", params(Idempotency), request_body = DepositRequest,
    responses((status = 200, body = DepositView)))]
#[post("/user/deposit/return")]
pub async fn return_deposit(
    shell: web::Data<Shell>,
    session: FreshSession,
    key: Idempotency,
    body: Body<DepositRequest>,
) -> Handled<DepositView> {
    let (proof, command) = deposit(&shell, &session, key, &body).await?;
    Ok(Reply(money::wallet::deposit::return_deposit(&shell.app, proof, command).await?))
}

async fn deposit(
    shell: &Shell,
    session: &FreshSession,
    key: Idempotency,
    body: &Body<DepositRequest>,
) -> Result<(Proof, MoveDeposit), Failure> {
    let DepositRequest { amount, password } = body.read()?;
    let command = MoveDeposit::read(&amount, key.0)?;
    session.with_store()?;
    Ok((verify_password(shell, session, &password).await?, command))
}
