//! The shop's level and the credit score, with everything they are computed from.

use base::{Money, Timestamp, UserId};
use foundation::{App, Error, Refusal};
use i18n::Lang;
use serde::Serialize;
use standing::{AGE_DAYS, AGE_MOST, HIGHEST, LEVELS, LOWEST, Level, Reason, START, level_of};
use store::offers::credit::{self, CreditEvent};
use store::people::users;
use store::{Page, PageRequest};
use utoipa::ToSchema;

use super::vip::lower_fee;
use crate::FlowRef;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Level)]
pub struct LevelView {
    pub level: i32,
    pub name: String,
    pub credit_score: i32,
    /// The latest changes of the score, newest first.
    pub credit_history: Vec<CreditChange>,
    pub progress: Progress,
    /// The benefits of the current level, in the user's language.
    pub benefits: Vec<String>,
    /// Every level, ascending.
    pub levels: Vec<LevelStep>,
    /// The rules of the score.
    pub credit_formula: CreditFormula,
}

/// A change of the credit score and its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CreditChange {
    pub at: Timestamp,
    pub change: i32,
    /// plan_settled, invalid_traffic, plan_rejected, startup_returned,
    /// chargeback or account_age.
    pub reason: Reason,
    /// The reason in the user's language.
    pub text: String,
    /// The resulting score.
    pub score: i32,
    /// The document behind it.
    #[serde(rename = "ref")]
    pub reference: FlowRef,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Progress {
    /// What the user's own money has paid in settled plans.
    pub spent: Money,
    /// The settled spend that reaches the next level; null at the highest.
    pub next_at: Option<Money>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LevelStep {
    pub level: i32,
    pub name: String,
    /// The settled spend that reaches it.
    pub from: Money,
    pub benefits: Vec<String>,
}

/// The score begins at `start`, stays between `lowest` and `highest`, and changes only by
/// these rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CreditFormula {
    pub start: i32,
    pub lowest: i32,
    pub highest: i32,
    pub rules: Vec<CreditRule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CreditRule {
    pub reason: Reason,
    pub change: i32,
    /// When it applies, in the user's language.
    pub text: String,
}

/// The number of changes shown with the level.
const LATEST: PageRequest = PageRequest { before: None, limit: PageRequest::DEFAULT_LIMIT };

pub async fn level(app: &App, user: UserId, lang: Lang) -> Result<LevelView, Error> {
    let read = app.db.snapshot(move |conn| {
        let found = users::find(conn, user)?.ok_or(Refusal::NotFound)?;
        Ok::<_, Error>((found, credit::page(conn, user, LATEST)?))
    });
    let (found, history) = read.await?;
    let present = level_of(found.settled_spend);
    let next = LEVELS.iter().find(|level| level.number == present.number + 1);
    Ok(LevelView {
        level: found.level,
        name: name(lang, found.level),
        credit_score: found.credit_score,
        credit_history: history.items.iter().map(|event| change(lang, event)).collect::<Result<_, _>>()?,
        progress: Progress { spent: found.settled_spend, next_at: next.map(|level| level.from) },
        benefits: benefits(lang, &present),
        levels: LEVELS.iter().map(|level| step(lang, level)).collect(),
        credit_formula: formula(lang),
    })
}

/// Every change of the score, newest first.
pub async fn credit_history(
    app: &App,
    user: UserId,
    lang: Lang,
    page: PageRequest,
) -> Result<Page<CreditChange>, Error> {
    let found = app.db.read(move |conn| credit::page(conn, user, page)).await?;
    let items = found.items.iter().map(|event| change(lang, event)).collect::<Result<_, _>>()?;
    Ok(Page { items, next: found.next })
}

pub fn name(lang: Lang, level: i32) -> String {
    i18n::text(lang, &format!("server.levels.names.{level}"), &[])
}

/// Only real benefits: the list may be empty.
fn benefits(lang: Lang, level: &Level) -> Vec<String> {
    let off = level.fee_percent_off;
    if off > 0 { vec![lower_fee(lang, off)] } else { Vec::new() }
}

fn step(lang: Lang, level: &Level) -> LevelStep {
    LevelStep { level: level.number, name: name(lang, level.number), from: level.from, benefits: benefits(lang, level) }
}

fn change(lang: Lang, event: &CreditEvent) -> Result<CreditChange, Error> {
    Ok(CreditChange {
        at: event.at,
        change: event.change,
        reason: event.reason,
        text: i18n::text(lang, &format!("server.credit.{}", event.reason.name()), &[]),
        score: event.score,
        reference: FlowRef::of(&event.ref_type, event.ref_id)?,
    })
}

fn formula(lang: Lang) -> CreditFormula {
    let (days, most) = (AGE_DAYS.to_string(), AGE_MOST.to_string());
    let (some, much) = (standing::SOME_FILTERED.to_string(), standing::MUCH_FILTERED.to_string());
    let least = standing::TRAFFIC_LEAST.to_string();
    let params = [
        ("days", days.as_str()),
        ("most", most.as_str()),
        ("some", some.as_str()),
        ("much", much.as_str()),
        ("least", least.as_str()),
    ];
    let rule = |reason: &Reason| CreditRule {
        reason: *reason,
        change: reason.points(),
        text: i18n::text(lang, &format!("server.credit.rules.{}", reason.name()), &params),
    };
    CreditFormula { start: START, lowest: LOWEST, highest: HIGHEST, rules: Reason::ALL.iter().map(rule).collect() }
}
