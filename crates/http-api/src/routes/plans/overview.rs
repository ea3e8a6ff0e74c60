//! The ad center's overview.

use actix_web::{get, web};
use base::Field;
use calendar::Zone;
use campaigns::plans::overview::{self, Overview, Span};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{InZone, Session, choice, given};

#[derive(Debug, Deserialize, IntoParams)]
pub struct OverviewQuery {
    /// 1 today (default), 2 the last seven days, 3 the last thirty, 4 all.
    #[serde(rename = "type")]
    #[param(rename = "type", value_type = Option<Span>, inline)]
    pub kind: Option<String>,
    /// A time zone that takes precedence over `X-TZ`.
    pub user_time_zone: Option<String>,
}

#[utoipa::path(tag = "ad center", params(OverviewQuery, InZone), responses((status = 200, body = Overview)))]
#[get("/ad/order/data_statistics/list")]
pub async fn show(
    shell: web::Data<Shell>,
    session: Session,
    zone: InZone,
    query: web::Query<OverviewQuery>,
) -> Handled<Overview> {
    let span = choice(query.kind.as_deref(), Field::Type, Span::from_name)?.unwrap_or(Span::Today);
    let zone = given(query.user_time_zone.as_deref()).and_then(Zone::parse).unwrap_or(zone.0);
    Ok(Reply(overview::overview(&shell.app, session.user, span, zone).await?))
}
