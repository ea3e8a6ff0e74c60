//! Feedback from users.

use actix_web::{post, web};
use foundation::notifications::feedback::{self, FeedbackReceipt};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession};

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(default)]
pub struct FeedbackRequest {
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true, max_length = 100)]
    pub topic: String,
    #[validate(length(min = 1, code = "required"))]
    #[schema(required = true, max_length = 2000)]
    pub content: String,
    /// Ids of files that the user uploaded.
    #[schema(max_items = 6)]
    pub images: Vec<String>,
}

#[utoipa::path(tag = "feedback", request_body = FeedbackRequest, responses((status = 200, body = FeedbackReceipt)))]
#[post("/feedback")]
pub async fn send(
    shell: web::Data<Shell>,
    session: FreshSession,
    body: Body<FeedbackRequest>,
) -> Handled<FeedbackReceipt> {
    let FeedbackRequest { topic, content, images } = body.read()?;
    Ok(Reply(feedback::send(&shell.app, session.user, feedback::Send { topic, content, images }).await?))
}
