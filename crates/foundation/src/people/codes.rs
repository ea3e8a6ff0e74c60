//! Authorization codes: issued by staff, each for one ad account.

pub use auth::code::Activation;
use auth::{Permission, Vault, code};
use base::{Field, OperatorId, Timestamp, UserId};
use serde::Serialize;
use serde_json::json;
use store::people::codes::{self as rows, NewCode};
use store::{Page, PageRequest, Realm};

use crate::staff::{Changes, Staff};
use crate::{App, Error, random};

/// The most codes of one command.
pub const AT_ONCE: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeView {
    pub id: String,
    /// All but its last letters are hidden: a code is shown once, when it is issued.
    pub code: String,
    pub issued_by: Option<OperatorId>,
    pub issued_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub used_by: Option<UserId>,
    pub used_at: Option<Timestamp>,
    /// `automatic`, or `manual` if its account must be activated with `account activate`.
    pub activation: Activation,
}

impl From<rows::Code> for CodeView {
    fn from(row: rows::Code) -> Self {
        Self {
            id: row.id.to_string(),
            code: format!("****-****-{}", row.ending),
            issued_by: row.issued_by,
            issued_at: row.issued_at,
            expires_at: row.expires_at,
            used_by: row.used_by,
            used_at: row.used_at,
            activation: row.activation,
        }
    }
}

/// Issues up to a thousand codes.
///
/// # Errors
/// The fields `count` and `expires`; `not_permitted`.
pub async fn issue_codes(
    app: &App,
    by: Staff,
    count: usize,
    expires_at: Option<Timestamp>,
    activation: Activation,
) -> Result<Vec<String>, Error> {
    by.may(Permission::Accounts)?;
    Error::field_if(count == 0 || count > AT_ONCE, Field::Count, "invalid")?;
    Error::field_if(expires_at.is_some_and(|at| at <= app.now()), Field::Expires, "invalid")?;
    let codes = (0..count).map(|_| Ok(code::from_random(&random()?))).collect::<Result<Vec<_>, Error>>()?;
    let vault = app.secrets.vault();
    let issued =
        codes.iter().map(|code| kept(app.realm(), &vault, code, activation)).collect::<Result<Vec<_>, Error>>()?;
    app.db
        .write(move |tx| {
            for code in &issued {
                rows::insert(tx, code, Some(by.id()), expires_at)?;
            }
            let made = json!({
                "count": count,
                "expires_at": expires_at.as_ref().map(Timestamp::to_string),
                "activation": activation.name(),
            });
            by.record(tx, "code.issue", "codes".to_owned(), &Changes::made(&made).details())
        })
        .await?;
    Ok(codes)
}

/// The stored form of a code. Only the demonstration needs the code itself again.
fn kept(realm: Realm, vault: &Vault, code: &str, activation: Activation) -> Result<NewCode, Error> {
    let hash = code::hash(code, vault);
    let sealed = match realm {
        Realm::Live => None,
        Realm::Simulated => Some(vault.seal(rows::place(&hash), code, &random()?)?),
    };
    Ok(NewCode { code_hash: hash, ending: code::ending(code), sealed, activation })
}

pub async fn list_codes(app: &App, unused: bool, request: PageRequest) -> Result<Page<CodeView>, Error> {
    let page = app.db.read(move |conn| rows::page(conn, unused, request)).await?;
    Ok(page.map(CodeView::from))
}
