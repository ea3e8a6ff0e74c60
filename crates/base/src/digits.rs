//! Digits of other scripts, which people type on the keyboards of their phones.

/// The digit zero of the scripts of today, from Arabic and Persian to Mongolian, and in full width. The other digits
/// follow it. The app has the same list (`frontend/src/ui/plain-digits.ts`).
const ZEROS: [char; 21] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{1090}', '\u{17e0}', '\u{1810}',
    '\u{ff10}',
];

/// The character, in ASCII if it is a digit.
pub fn plain_digit(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_keyboard_are_digits() {
        let plain = |text: &str| text.chars().map(plain_digit).collect::<String>();
        for text in ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "০১২৩৪৫৬৭৮৯", "௦௧௨௩௪௫௬௭௮௯", "౦౧౨౩౪౫౬౭౮౯"]
        {
            assert_eq!(plain(text), "0123456789", "{text}");
        }
        for text in ["๐๑๒๓๔๕๖๗๘๙", "໐໑໒໓໔໕໖໗໘໙", "၀၁၂၃၄၅၆၇၈၉", "០១២៣៤៥៦៧៨៩", "０１２３４５６７８９"]
        {
            assert_eq!(plain(text), "0123456789", "{text}");
        }
        assert_eq!(plain("7 a²½①〇௰"), "7 a²½①〇௰");
    }
}
