//! Optional texts of queries and bodies. An empty one is none.

use base::Field;

use crate::failure::Failure;

pub fn given<V: AsRef<str>>(text: Option<V>) -> Option<V> {
    text.filter(|text| !text.as_ref().is_empty())
}

/// # Errors
/// The field is `required`.
pub fn required<V: AsRef<str>>(text: Option<V>, field: Field) -> Result<V, Failure> {
    given(text).ok_or_else(|| Failure::field(field, "required"))
}

/// The value that a text names, parsed by `named`; `None` without a text.
///
/// # Errors
/// The field is `invalid`.
pub fn choice<V: AsRef<str>, T>(
    text: Option<V>,
    field: Field,
    named: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Failure> {
    given(text).map(|text| named(text.as_ref()).ok_or_else(|| Failure::field(field, "invalid"))).transpose()
}

/// # Errors
/// The field is `required` or `invalid`.
pub fn required_choice<V: AsRef<str>, T>(
    text: Option<V>,
    field: Field,
    named: impl Fn(&str) -> Option<T>,
) -> Result<T, Failure> {
    choice(text, field, named)?.ok_or_else(|| Failure::field(field, "required"))
}
