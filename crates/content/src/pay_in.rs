//! Where users pay in to.

use serde::Serialize;

/// An account that users pay in to, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct PayInAccount {
    pub id: String,
    pub label: String,
    pub beneficiary: String,
    /// An IBAN or a bank's own number without blanks, or the address of a wallet.
    pub account: String,
    /// The network of a wallet's address, such as `TRC20`.
    pub network: Option<String>,
    pub bank: Option<String>,
    pub bic: Option<String>,
    pub note: Option<String>,
}
