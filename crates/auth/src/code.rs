//! Authorization and acceptance codes. They are read out over the telephone and
//! typed on a phone.

pub mod reset;

use base::digits::plain_digit;
use base::invisible::is_default_ignorable;
use base::typed::{hyphen_in_number, plain_hyphen};
use base::{coded, keyed_hash};
use unicode_normalization::UnicodeNormalization;

use crate::secrets::Secrets;
use crate::session::Digest;
use crate::{Vault, hex};

coded!(
    /// The state of an account opened with this authorization code.
    Activation {
        /// It is active at once.
        Automatic = 1 "automatic",
        /// It waits until staff activate it.
        Manual = 2 "manual",
    }
);

/// Crockford's Base32: without I, L and O, which are misread, and without U, which helps to spell words.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUP: usize = 4;
const LETTERS: usize = 12;

/// Twelve characters in groups of four, from twelve random bytes: 60 bits.
pub fn from_random(random: &[u8; LETTERS]) -> String {
    in_groups(random)
}

/// Writes one letter for five random bits of each byte, in groups.
fn in_groups(random: &[u8]) -> String {
    let mut code = String::with_capacity(14);
    for (place, byte) in random.iter().enumerate() {
        if place > 0 && place % GROUP == 0 {
            code.push('-');
        }
        let letter = ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0');
        code.push(char::from(letter));
    }
    code
}

/// The typed code in the form it was issued in: without blanks and what is not shown, in capitals, with plain hyphens,
/// and narrow where it was typed on a keyboard of wide letters.
pub fn normalise(typed: &str) -> String {
    let seen = typed.nfkc().filter(|c| !c.is_whitespace() && !is_default_ignorable(*c));
    seen.map(plain_hyphen).collect::<String>().to_uppercase()
}

/// The typed code in the form in which we issue codes: grouped, whatever separated the groups, and with the digits of
/// any script as ASCII. Letters that our codes do not use are read as those that they look like.
pub fn as_issued(typed: &str) -> String {
    let letters = letters(typed);
    let ours = |c: &char| u8::try_from(*c).is_ok_and(|c| ALPHABET.contains(&c));
    if letters.len() != LETTERS || !letters.iter().all(ours) {
        return normalise(typed);
    }
    let groups: Vec<String> = letters.chunks(GROUP).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// The letters and digits of a code, as the user meant them.
fn letters(typed: &str) -> Vec<char> {
    let plain: String = typed.nfkc().map(hyphen_in_number).map(plain_digit).collect();
    plain.to_uppercase().chars().filter(|c| c.is_alphanumeric()).map(meant).collect()
}

/// Letters of a keyboard that was left in Cyrillic are read as the Latin ones that they look like.
const fn meant(letter: char) -> char {
    match letter {
        'O' | 'О' => '0',
        'I' | 'L' | 'І' => '1',
        'А' => 'A',
        'В' => 'B',
        'Е' => 'E',
        'К' => 'K',
        'М' => 'M',
        'Н' => 'H',
        'Р' => 'P',
        'С' => 'C',
        'Т' => 'T',
        'У' => 'Y',
        'Х' => 'X',
        other => other,
    }
}

/// How many letters of a code may be shown: the other eight are forty bits.
const SHOWN: usize = 4;

/// The keyed hash by which an authorization code is stored and found, in hex.
/// Reading the database is not enough to register with it.
pub fn hash(typed: &str, vault: &Vault) -> String {
    hex::encode(&vault.index("authorization code", &as_issued(typed)))
}

/// Whether the text is a result of [`hash`]. Codes never are: they are shorter, and in
/// capitals.
pub fn is_hash(text: &str) -> bool {
    hex::decode::<32>(text).is_some()
}

/// The last letters of a code, which identify it to staff.
pub fn ending(code: &str) -> String {
    let code = normalise(code);
    code.chars().skip(code.chars().count().saturating_sub(SHOWN)).collect()
}

/// The keyed hash by which an acceptance code is stored. Reading the database is not
/// enough to use it.
pub fn acceptance_digest(typed: &str, secrets: &Secrets) -> Digest {
    keyed_hash(secrets.pepper(), &[b"acceptance|", normalise(typed).as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_three_groups() {
        let code = from_random(&[0, 1, 2, 3, 31, 32, 33, 255, 10, 18, 20, 27]);
        assert_eq!(code, "0123-Z01Z-AJMV");
        assert_eq!(normalise(" 0123-z01z-ajmv\n"), code);
    }

    #[test]
    fn an_authorization_code_is_known_however_it_was_typed() {
        let vault = |pepper| Secrets::new([pepper; 32], [2; 32], [3; 32]).vault();
        let kept = hash("0123-Z01Z-AJMV", &vault(1));
        for typed in [
            " 0123-z01z-ajmv\n",
            "0123z01zajmv",
            "0123 Z01Z AJMV",
            "ol23 – zoiz – ajmv",
            "0 1 2 3.z01z_AJMV",
            "０１２３－ｚ０１ｚ－ａｊｍｖ",
            "\u{feff}0123-z01z-\u{200b}ajmv",
            "０１２３ーＺ０１ＺーＡＪＭＶ",
            "٠١٢٣-Z۰1Z-AJMV",
            "๐๑๒๓ z๐๑z ajmv",
            "О123-ZО1Z-аJмV",
        ] {
            assert_eq!(hash(typed, &vault(1)), kept, "{typed}");
        }
        assert_ne!(hash("0123-Z01Z-AJM", &vault(1)), kept);
        assert!(is_hash(&kept) && !is_hash("0123-Z01Z-AJMV"));
        assert_ne!(hash("0123-Z01Z-AJMW", &vault(1)), kept);
        assert_ne!(hash("0123-Z01Z-AJMV", &vault(9)), kept);
        assert_eq!((ending("0123-Z01Z-AJMV").as_str(), ending("AB").as_str()), ("AJMV", "AB"));
    }

    #[test]
    fn an_acceptance_code_is_known_however_it_was_typed() {
        let secrets = |pepper| Secrets::new([pepper; 32], [2; 32], [3; 32]);
        let kept = acceptance_digest("0123-Z01Z-AJMV", &secrets(1));
        for typed in [" 0123-z01z-ajmv ", "０１２３-Z01Z-AJMV", "0123-Z01Z-AJMV\u{200b}", "0123–Z01Z\u{2011}AJMV"]
        {
            assert_eq!(acceptance_digest(typed, &secrets(1)), kept, "{typed:?}");
        }
        for typed in ["0123z01zajmv", "ol23 zoiz ajmv"] {
            assert_eq!(acceptance_digest(&as_issued(typed), &secrets(1)), kept, "{typed}");
        }
        // A code that its acceptor chose keeps its own letters and groups.
        for typed in ["spring-lion", "spring – lion", "Spring\u{2011}Lion"] {
            assert_eq!(as_issued(typed), "SPRING-LION", "{typed}");
        }
        assert_ne!(acceptance_digest("0123-Z01Z-AJMW", &secrets(1)), kept);
        assert_ne!(acceptance_digest("0123-Z01Z-AJMV", &secrets(9)), kept);
    }
}
