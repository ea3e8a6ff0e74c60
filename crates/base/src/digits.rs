//! Digits of other scripts, which people type on the keyboards of their phones.

/// The digit zero, in full width, Arabic, Persian, Hindi, Bengali and Thai. The other digits follow it.
const ZEROS: [char; 6] = ['０', '٠', '۰', '०', '০', '๐'];

/// The character, in ASCII if it is a digit.
pub fn plain_digit(c: char) -> char {
    let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}
