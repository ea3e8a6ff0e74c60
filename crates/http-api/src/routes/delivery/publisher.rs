//! What a publisher reads of itself. `Authorization: Bearer` has its API key, or the token of a
//! link to its page.

use actix_web::{HttpRequest, HttpResponse, get, web};
use base::Field;
use campaigns::delivery::publisher_report::{self, FiguresRequest, PublisherFigures, PublisherInfo, PublisherSlot};
use money::wallet::publishers::statement::{self, StatementView};
use money::wallet::statement_file::StatementFormat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::Shell;
use crate::edge::language;
use crate::envelope::{Handled, Reply, attachment};
use crate::extract::{PublisherReader, given, required, required_choice};
use crate::failure::Failure;

/// The publisher and its money.
#[utoipa::path(tag = "publisher", responses((status = 200, body = PublisherInfo)))]
#[get("/publisher/info")]
pub async fn show(shell: web::Data<Shell>, reader: PublisherReader) -> Handled<PublisherInfo> {
    Ok(Reply(publisher_report::info(&shell.app, *reader).await?))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PublisherSlots {
    pub items: Vec<PublisherSlot>,
}

/// The publisher's slots, with the tags for its pages.
#[utoipa::path(tag = "publisher", responses((status = 200, body = PublisherSlots)))]
#[get("/publisher/slots")]
pub async fn list_slots(
    shell: web::Data<Shell>,
    reader: PublisherReader,
    request: HttpRequest,
) -> Handled<PublisherSlots> {
    let base = shell.base_url(&request);
    Ok(Reply(PublisherSlots { items: publisher_report::slots(&shell.app, *reader, &base).await? }))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct FiguresQuery {
    /// The first day (UTC), such as 2026-01-05; thirty days up to the last one if it is missing.
    pub from: Option<String>,
    /// The last day (UTC); today if it is missing.
    pub until: Option<String>,
    /// The key of one slot; all of them if it is missing.
    pub slot: Option<String>,
}

/// The publisher's figures by day and slot, for at most 93 days.
#[utoipa::path(tag = "publisher", params(FiguresQuery), responses((status = 200, body = PublisherFigures)))]
#[get("/publisher/figures")]
pub async fn show_figures(
    shell: web::Data<Shell>,
    reader: PublisherReader,
    query: web::Query<FiguresQuery>,
) -> Handled<PublisherFigures> {
    let FiguresQuery { from, until, slot } = query.into_inner();
    Ok(Reply(publisher_report::figures(&shell.app, *reader, FiguresRequest { from, until, slot }).await?))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PublisherMonths {
    /// Newest first, each such as `2026-01` (UTC).
    pub items: Vec<String>,
}

/// The months that have a statement.
#[utoipa::path(tag = "publisher", responses((status = 200, body = PublisherMonths)))]
#[get("/publisher/months")]
pub async fn list_months(shell: web::Data<Shell>, reader: PublisherReader) -> Handled<PublisherMonths> {
    Ok(Reply(PublisherMonths { items: publisher_report::months(&shell.app, *reader).await? }))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct MonthQuery {
    /// Such as 2026-01 (UTC); this month so far if it is missing.
    pub month: Option<String>,
}

/// The statement of a month.
#[utoipa::path(tag = "publisher", params(MonthQuery), responses((status = 200, body = StatementView)))]
#[get("/publisher/statement")]
pub async fn show_statement(
    shell: web::Data<Shell>,
    reader: PublisherReader,
    query: web::Query<MonthQuery>,
) -> Handled<StatementView> {
    let month = given(query.into_inner().month);
    Ok(Reply(statement::statement(&shell.app, reader.publisher, month.as_deref()).await?.view()?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct FileQuery {
    /// Such as 2026-01 (UTC).
    #[param(required = true)]
    pub month: Option<String>,
    /// `csv` or `pdf`.
    #[param(required = true, value_type = StatementFormat, inline)]
    pub format: Option<String>,
}

/// The statement of a month as a file, in the language of `Accept-Language`.
#[utoipa::path(tag = "publisher", params(FileQuery), responses(
    (status = 200, description = "The file; a refusal is an envelope", content(
        (String = "text/csv"), (Vec<u8> = "application/pdf")))))]
#[get("/publisher/statement/export")]
pub async fn export_statement(
    shell: web::Data<Shell>,
    reader: PublisherReader,
    query: web::Query<FileQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, Failure> {
    let FileQuery { month, format } = query.into_inner();
    let month = required(month, Field::Month)?;
    let format = required_choice(format, Field::Format, StatementFormat::from_name)?;
    let statement = statement::statement(&shell.app, reader.publisher, Some(&month)).await?;
    let lang = language(&request);
    let (kind, file) = match format {
        StatementFormat::Csv => ("text/csv; charset=utf-8", statement.csv(lang)?),
        StatementFormat::Pdf => ("application/pdf", statement.pdf(lang).await?),
    };
    // The month was read as one, so it has no odd characters.
    let mut response = attachment(format_args!("publisher-{}-{month}.{format}", reader.publisher));
    Ok(response.content_type(kind).body(file))
}
