//! Validation of single fields. Each rule returns the parsed value or the key of
//! the problem.

use auth::{PayPassword, Username, account_password, look, username};
use base::Timestamp;
use calendar::{Month, Zone};
use i18n::Lang;

pub use crate::contact_fields::{email, phone};
pub use crate::nickname::{nickname, shown};

pub type Problem = &'static str;

pub fn username(text: &str) -> Result<Username, Problem> {
    Username::parse(text).map_err(|e| match e {
        username::BadUsername::TooShort => "too_short",
        username::BadUsername::TooLong => "too_long",
        username::BadUsername::Invalid => "invalid",
    })
}

/// The name of an account that people register themselves, in plain letters: it has a letter or a digit, and does not look
/// like a word for those who run the installation.
pub fn new_username(text: &str) -> Result<Username, Problem> {
    let name = username(&username::in_plain_letters(text))?;
    match name.is_spelled() {
        false => Err("invalid"),
        true if look::is_reserved(name.shown()) => Err("reserved"),
        true => Ok(name),
    }
}

pub fn account_password(text: &str, username: &str) -> Result<(), Problem> {
    account_password::check(text, username).map_err(|e| match e {
        account_password::WeakPassword::TooShort => "too_short",
        account_password::WeakPassword::TooLong => "too_long",
        account_password::WeakPassword::TooCommon => "too_common",
    })
}

pub fn pay_password(text: &str) -> Result<PayPassword, Problem> {
    PayPassword::from_wire(text).map_err(|_| "invalid_md5")
}

/// The month of a statement: it has begun in the zone.
pub fn begun_month(text: &str, zone: Zone, now: Timestamp) -> Result<Month, Problem> {
    let month: Month = text.parse().map_err(|_| "invalid")?;
    if month > zone.month(now) { Err("in_the_future") } else { Ok(month) }
}

/// One of the app's languages, by its own code or by a code that clients use for it.
pub fn lang(code: &str) -> Result<Lang, Problem> {
    i18n::from_client_code(code).ok_or("unknown_language")
}
