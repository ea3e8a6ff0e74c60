//! The demonstration's acceptors.

use foundation::staff::requests::RequestKind;
use foundation::{App, Error};
use money::wallet::acceptor_admin::{AcceptorFile, add_acceptor, list_acceptors};
use serde::{Deserialize, Serialize};

use super::people::{Pair, approve_named};
use crate::Failure;

const ACCEPTORS: &str = include_str!("../../content/acceptors.toml");

/// The data that a user needs to exchange with an acceptor.
#[derive(Debug, Serialize)]
pub struct DemoAcceptor {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub code: String,
}

#[derive(Debug, Deserialize)]
struct Entries {
    acceptor: Vec<AcceptorFile>,
}

pub async fn plant(app: &App, staff: &Pair) -> Result<Vec<DemoAcceptor>, Failure> {
    let entries: Entries =
        toml::from_str(ACCEPTORS).map_err(|e| Error::Internal(format!("the demonstration's acceptors: {e}")))?;
    let known = list_acceptors(app).await?;
    let mut planted = Vec::with_capacity(entries.acceptor.len());
    for mut file in entries.acceptor {
        // A currency is not exchanged for itself.
        file.rates.remove(&app.settings.currency.code);
        let agreed = known.iter().find(|acceptor| acceptor.name == file.name).map(|acceptor| !acceptor.draft);
        if agreed.is_none() {
            add_acceptor(app, &staff.first, &file).await?;
        }
        if agreed != Some(true) {
            approve_named(app, staff, RequestKind::AcceptorTerms, &file.name).await?;
        }
        planted.push(DemoAcceptor { name: file.name, kind: file.kind, code: file.code.unwrap_or_default() });
    }
    Ok(planted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sound_acceptor_of_each_type() {
        let entries: Entries = toml::from_str(ACCEPTORS).expect("acceptors");
        let kinds: Vec<&str> = entries.acceptor.iter().map(|file| file.kind.as_str()).collect();
        assert_eq!(kinds, ["personal", "enterprise"]);
        for file in &entries.acceptor {
            assert!(file.check("USD").is_ok() && file.code.is_some(), "{}: {:?}", file.name, file.check("USD"));
        }
    }
}
