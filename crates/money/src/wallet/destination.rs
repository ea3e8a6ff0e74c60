//! The full payout account. Reading it needs the secrets, and clients are shown only
//! parts of it.

use auth::Vault;
use auth::vault::SealContext;
use foundation::{Error, random};
use payee::{BankAccount, Network};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub(crate) enum Destination {
    BankCard(BankCard),
    WalletAddress { network: String, address: String },
}

/// As typed by the user; the last two may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BankCard {
    pub card_name: String,
    pub user_name: String,
    pub mobile: String,
    pub bank_name: String,
    pub bank_account: String,
    pub branch_name: String,
    #[serde(default)]
    pub beneficiary_name: String,
    #[serde(default)]
    pub bank_address: String,
}

impl Destination {
    /// Sealed for one place in the database.
    pub fn seal(&self, vault: &Vault, place: SealContext) -> Result<String, Error> {
        let text = serde_json::to_string(self).map_err(|e| Error::Internal(e.to_string()))?;
        Ok(vault.seal(place, &text, &random()?)?)
    }

    /// # Errors
    /// `Internal` if it was altered, moved from another row, or sealed with other
    /// secrets.
    pub fn open(vault: &Vault, place: SealContext, sealed: &str) -> Result<Self, Error> {
        let text = vault.open(place, sealed)?;
        serde_json::from_str(&text).map_err(|e| Error::Internal(e.to_string()))
    }

    /// What is wrong with its number or address by the present rule, in English. Destinations that were bound before
    /// the rule stay as they are.
    pub fn doubt(&self) -> Option<String> {
        let problem = match self {
            Self::BankCard(card) => card.bank_account.parse::<BankAccount>().err()?,
            Self::WalletAddress { network, address } => match network.parse::<Network>() {
                Ok(network) => network.address(address).err()?,
                Err(unknown) => return Some(unknown.to_string()),
            },
        };
        Some(problem.to_string())
    }

    /// Whether both are the same account, whatever else was typed with it.
    pub fn is_same_account(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::BankCard(one), Self::BankCard(other)) => {
                let number = |card: &BankCard| card.bank_account.parse::<BankAccount>().ok();
                one.bank_account == other.bank_account || number(one).is_some_and(|one| Some(one) == number(other))
            }
            (one, other) => one == other,
        }
    }

    /// The account holder's name, if given.
    pub fn holder(&self) -> Option<&str> {
        let Self::BankCard(card) = self else { return None };
        [&card.beneficiary_name, &card.user_name].into_iter().map(String::as_str).find(|name| !name.is_empty())
    }
}
