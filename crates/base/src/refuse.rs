//! A refusal under a condition.

/// The error if it is so, as in `refuse_if(amount > held, Refused::TooMuch)?`. For an error that must be made first,
/// an `if` is better.
///
/// # Errors
/// The given one.
pub fn refuse_if<E>(is_so: bool, error: E) -> Result<(), E> {
    if is_so { Err(error) } else { Ok(()) }
}
