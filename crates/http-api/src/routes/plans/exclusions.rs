//! Where a user's plans are not shown.

use actix_web::{post, web};
use base::{Field, PlanId};
use campaigns::plans::exclusions::{ExclusionView, NamedPlace, Shown, set};
use foundation::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, given};
use crate::failure::Failure;

/// One of `slot`, `site` and `exchange`.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct PlaceRequest {
    /// The plan; without one, all plans of the user.
    pub id: Option<String>,
    /// The key of a publisher's slot.
    pub slot: Option<String>,
    /// A site's domain or an app's name, as its exchange names it.
    #[validate(length(max = 255, code = "too_long"))]
    pub site: Option<String>,
    /// An exchange with all its sites and apps, by its name.
    pub exchange: Option<String>,
}

impl PlaceRequest {
    fn plan(&self) -> Result<Option<PlanId>, Failure> {
        let id = given(self.id.as_deref()).map(str::parse).transpose();
        id.map_err(|_| Refusal::NotFound.into())
    }

    fn place(&self) -> Result<NamedPlace, Failure> {
        let named = [&self.slot, &self.site, &self.exchange].map(|name| given(name.as_deref()).map(str::to_owned));
        match named {
            [Some(key), None, None] => Ok(NamedPlace::Slot(key)),
            [None, Some(site), None] => Ok(NamedPlace::Site(site)),
            [None, None, Some(name)] => Ok(NamedPlace::Exchange(name)),
            [None, None, None] => Err(Failure::field(Field::Site, "required")),
            _ => Err(Failure::field(Field::Site, "invalid")),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct Exclusions {
    /// The places that are excluded for the plan or for all plans, the latest first. If no plan was named, only those
    /// for all plans.
    pub exclusions: Vec<ExclusionView>,
}

async fn change(shell: &Shell, session: &FreshSession, body: Body<PlaceRequest>, shown: Shown) -> Handled<Exclusions> {
    let request = body.read()?;
    let exclusions = set(&shell.app, session.user, request.plan()?, request.place()?, shown).await?;
    Ok(Reply(Exclusions { exclusions }))
}

/// Stops showing a plan, or all plans of the user, in a place. What was sent there before may still be seen, and
/// counts.
#[utoipa::path(tag = "plans", request_body = PlaceRequest, responses((status = 200, body = Exclusions)))]
#[post("/plan/placement/exclude")]
pub async fn exclude(shell: web::Data<Shell>, session: FreshSession, body: Body<PlaceRequest>) -> Handled<Exclusions> {
    change(&shell, &session, body, Shown::Not).await
}

/// Shows a plan, or all plans of the user, in a place again. A place that is excluded for all plans can only be
/// included for all of them.
#[utoipa::path(tag = "plans", request_body = PlaceRequest, responses((status = 200, body = Exclusions)))]
#[post("/plan/placement/include")]
pub async fn include(shell: web::Data<Shell>, session: FreshSession, body: Body<PlaceRequest>) -> Handled<Exclusions> {
    change(&shell, &session, body, Shown::Again).await
}
