//! Validation of single fields, in the form that `#[validate(custom(…))]` takes. The rules
//! themselves are in [`foundation::fields`].

use foundation::fields::{self, Problem};
use validator::ValidationError;

type Checked = Result<(), ValidationError>;

fn wrong(problem: Problem) -> ValidationError {
    ValidationError::new(problem)
}

/// The rule of a required field.
fn needed<T>(text: &str, rule: impl FnOnce(&str) -> Result<T, Problem>) -> Checked {
    if text.trim().is_empty() {
        return Err(wrong("required"));
    }
    rule(text).map(|_| ()).map_err(wrong)
}

pub fn username(text: &str) -> Checked {
    needed(text, fields::username)
}

pub fn new_username(text: &str) -> Checked {
    needed(text, fields::new_username)
}

pub fn new_password(text: &str) -> Checked {
    needed(text, |text| fields::account_password(text, ""))
}

pub fn email(text: &str) -> Checked {
    needed(text, fields::email)
}

pub fn phone(text: &str) -> Checked {
    needed(text, fields::phone)
}

pub fn pay_password(text: &str) -> Checked {
    needed(text, fields::pay_password)
}

/// A digest that may be missing.
pub fn old_pay_password(text: &str) -> Checked {
    if text.is_empty() { Ok(()) } else { pay_password(text) }
}

pub fn lang(text: &str) -> Checked {
    if text.is_empty() { Ok(()) } else { fields::lang(text).map(|_| ()).map_err(wrong) }
}
