//! Where money goes out to: IBANs, banks' own numbers, and addresses of wallets. Each is
//! read as people paste it and checked by its own check digits, since a payment to a wrong
//! one cannot be undone.
//!
//! The app's form has the same rule (`frontend/src/features/wallet/card/payee.ts`), but that it
//! leaves to the server where an IBAN has letters and where digits; both are held to
//! `tests/payees.json`.

mod account;
mod address;
mod network;
#[cfg(feature = "testing")]
pub mod testing;

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use unicode_normalization::UnicodeNormalization;

pub use account::BankAccount;
pub use network::{Network, Networks, UnknownNetwork};

/// The problem of a number or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayeeProblem {
    #[error("neither an IBAN nor a bank's own number of 6 to 34 digits")]
    NoAccount,
    #[error("no country has IBANs that begin like this")]
    IbanCountry,
    #[error("its country has IBANs of another length or form")]
    IbanForm,
    #[error("the IBAN's check digits do not match")]
    IbanCheck,
    #[error("not an address of this network")]
    NoAddress,
    #[error("an address of another network")]
    OtherNetwork,
    #[error("the address's checksum does not match")]
    AddressCheck,
}

impl PayeeProblem {
    /// The key by which clients know it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::NoAccount => "invalid_account",
            Self::IbanCountry => "iban_country",
            Self::IbanForm => "iban_form",
            Self::IbanCheck => "iban_check",
            Self::NoAddress => "invalid_address",
            Self::OtherNetwork => "other_network",
            Self::AddressCheck => "address_check",
        }
    }
}

/// A pasted text without blanks and what is not shown, in compatibility forms: digits of every
/// keyboard are digits.
fn pasted(text: &str) -> String {
    let kept = |c: &char| !c.is_whitespace() && !c.is_control() && !is_default_ignorable(*c);
    text.nfkc().filter(kept).map(plain_digit).collect()
}
