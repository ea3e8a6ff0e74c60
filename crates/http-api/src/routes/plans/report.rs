//! Reports, shown and as files.

use actix_web::{HttpRequest, HttpResponse, Responder, get, web};
use base::Field;
use calendar::Zone;
use campaigns::plans::report::{self, Report, ReportBy, ReportFormat, ReportQuery};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shell;
use crate::envelope::{Reply, attachment};
use crate::extract::{InZone, Session, choice, given};
use crate::failure::Failure;

#[derive(Debug, Deserialize, IntoParams)]
pub struct ReportParams {
    /// The first day: `2026-01-31` in the zone of `X-TZ`.
    #[param(required = true)]
    from: Option<String>,
    /// The last day, at most 365 days later.
    #[param(required = true)]
    to: Option<String>,
    /// `day` by default.
    #[param(value_type = Option<ReportBy>, inline)]
    by: Option<String>,
    /// `json` by default.
    #[param(value_type = Option<ReportFormat>, inline)]
    format: Option<String>,
    /// A time zone that takes precedence over `X-TZ`.
    user_time_zone: Option<String>,
}

/// The figures of some days by day, plan, product, place, form, device or region, and those of as many days before to
/// compare them with.
#[utoipa::path(tag = "plans", params(ReportParams, InZone), responses(
    (status = 200, description = "The report, or the file; a refusal is an envelope", content(
        (Report = "application/json"), (String = "text/csv"), (Vec<u8> = "application/pdf")))))]
#[get("/report")]
pub async fn show(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    request: HttpRequest,
    params: web::Query<ReportParams>,
) -> Result<HttpResponse, Failure> {
    let ReportParams { from, to, by, format, user_time_zone } = params.into_inner();
    let query = ReportQuery {
        from: given(from),
        to: given(to),
        by: choice(by, Field::By, ReportBy::from_name)?.unwrap_or(ReportBy::Day),
        zone: given(user_time_zone).and_then(|named| Zone::parse(&named)).unwrap_or(zone.0),
        lang: session.answer_lang(),
    };
    let format = choice(format, Field::Format, ReportFormat::from_name)?.unwrap_or(ReportFormat::Json);
    if format == ReportFormat::Json {
        let report = report::report(&shell.app, session.user, query).await?;
        return Ok(Reply(report).respond_to(&request));
    }
    let file = report::file(&shell.app, session.user, query).await?;
    let mut response = attachment(format_args!("{}.{format}", file.name()));
    Ok(match format {
        ReportFormat::Pdf => response.content_type("application/pdf").body(file.pdf().await?),
        _ => response.content_type("text/csv; charset=utf-8").body(file.csv()?),
    })
}
