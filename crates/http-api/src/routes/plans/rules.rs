//! What a user wants to be told of while a plan runs.

use std::collections::HashSet;

use actix_web::{post, web};
use base::Field;
use campaigns::rules::{self, RuleView};
use foundation::{Refusal, amount};
use plans::{Rule, RuleAction, RuleKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use crate::Shell;
use crate::envelope::{Handled, Reply};
use crate::extract::{Body, FreshSession, Object, given};
use crate::failure::Failure;

#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
#[schema(as = PlanRuleFields)]
pub struct RuleFields {
    #[schema(value_type = RuleKind, required = true)]
    pub kind: String,
    #[schema(value_type = RuleAction, required = true)]
    pub action: String,
    /// The amount that `conversion_cost`, `no_conversion` and `loss` compare with.
    pub amount: Option<String>,
}

impl RuleFields {
    fn read(&self) -> Result<Rule, Failure> {
        let kind = RuleKind::from_name(&self.kind).ok_or(Failure::field(Field::Kind, "invalid"))?;
        let action = RuleAction::from_name(&self.action).ok_or(Failure::field(Field::Action, "invalid"))?;
        let field = match kind {
            RuleKind::ConversionCost => Field::ConversionCost,
            RuleKind::NoConversion => Field::NoConversion,
            RuleKind::Loss => Field::Loss,
            RuleKind::BudgetUsed | RuleKind::NotShown => Field::Amount,
        };
        let typed = given(self.amount.as_deref()).filter(|_| kind.has_amount());
        let amount = typed.map(|text| amount::positive(field, text)).transpose()?;
        Rule::new(kind, action, amount).map_err(|_| Failure::field(field, "required"))
    }
}

#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
pub struct RulesRequest {
    #[validate(length(min = 1, code = "required"))]
    #[serde(default)]
    #[schema(required = true)]
    pub id: String,
    /// All rules of the plan: a kind that is missing here has no rule afterwards.
    // Optional, so that a list that is left out is not read as an empty one.
    #[validate(required(code = "required"), length(max = 5, code = "too_long"))]
    #[schema(required = true, value_type = Vec<RuleFields>)]
    pub rules: Option<Vec<Object<RuleFields>>>,
}

#[derive(Serialize, ToSchema)]
pub struct Rules {
    pub rules: Vec<RuleView>,
}

/// Sets the rules of a plan: what the user is told of while the plan runs, and whether it is paused then. Each rule is
/// checked at once, and later within a minute of the event that makes it true. The user is told once each time a rule
/// becomes true.
#[utoipa::path(tag = "plans", request_body = RulesRequest, responses((status = 200, body = Rules)))]
#[post("/plan/order/rules")]
pub async fn set(shell: web::Data<Shell>, session: FreshSession, body: Body<RulesRequest>) -> Handled<Rules> {
    let RulesRequest { id, rules } = body.read()?;
    let id = id.parse().map_err(|_| Refusal::NotFound)?;
    let wanted = rules.iter().flatten().map(|rule| rule.0.read()).collect::<Result<Vec<_>, _>>()?;
    let kinds: HashSet<RuleKind> = wanted.iter().map(|rule| rule.kind).collect();
    if kinds.len() < wanted.len() {
        return Err(Failure::field(Field::Kind, "invalid"));
    }
    let rules = rules::set(&shell.app, session.user, id, wanted).await?;
    Ok(Reply(Rules { rules }))
}
