//! How a name looks, by the confusable characters of Unicode TR39: names that look alike
//! have the same skeleton, though their letters differ. `fіn` with a Cyrillic letter looks
//! like `fin`.

use std::collections::HashMap;

use base::invisible::is_default_ignorable;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

/// A name's two skeletons. Names that share either one look alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look {
    /// The skeleton in lower case, because names are compared without regard to case.
    pub small: String,
    /// The skeleton as shown, because a capital `I` looks like a small `l`.
    pub shown: String,
}

/// Names that a user's name must not look like: those of people who speak for the installation.
const RESERVED: [&str; 9] = [
    "admin",
    "administrator",
    "customer-service",
    "installation",
    "moderator",
    "placard",
    "staff",
    "support",
    "system",
];

impl Look {
    pub fn of(name: &str) -> Self {
        Self::by(without_marks, name)
    }

    fn by(skeleton_of: fn(&str) -> String, name: &str) -> Self {
        let small: String = visible(name).flat_map(char::to_lowercase).collect();
        let shown: String = skeleton_of(&visible(name).collect::<String>());
        let shown: String = shown.chars().flat_map(char::to_lowercase).collect();
        Self { small: skeleton_of(&small), shown: skeleton_of(&shown) }
    }

    pub fn is_like(&self, other: &Self) -> bool {
        self.small == other.small || self.shown == other.shown
    }
}

/// Many names of companies, to be asked which of them a new one looks like. Marks above and below letters count here: in
/// Vietnamese, Thai, Hindi and Russian they make other letters, and so other names.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    by_small: HashMap<String, String>,
    by_shown: HashMap<String, String>,
}

impl Looks {
    pub fn add(&mut self, name: &str) {
        let Look { small, shown } = Look::by(with_marks, name);
        self.by_small.insert(small, name.to_owned());
        self.by_shown.insert(shown, name.to_owned());
    }

    /// One of the names that this one looks like.
    pub fn find(&self, name: &str) -> Option<&str> {
        let Look { small, shown } = Look::by(with_marks, name);
        self.by_small.get(&small).or_else(|| self.by_shown.get(&shown)).map(String::as_str)
    }
}

impl FromIterator<String> for Looks {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut looks = Self::default();
        names.into_iter().for_each(|name| looks.add(&name));
        looks
    }
}

/// Whether a name looks like a word that is reserved for those who run the installation,
/// whatever separates its parts.
pub fn is_reserved(name: &str) -> bool {
    let look = joined(name);
    RESERVED.iter().any(|word| joined(word).is_like(&look))
}

/// Whether a name looks like a reserved word but is written with other letters, so that no member of staff could have
/// meant it.
pub fn imitates_reserved(name: &str) -> bool {
    is_reserved(name) && !name.trim().is_ascii()
}

fn joined(name: &str) -> Look {
    Look::of(&name.chars().filter(|c| !matches!(c, '.' | '_' | '-' | '+' | '@' | ' ')).collect::<String>())
}

fn with_marks(text: &str) -> String {
    skeleton(text).nfd().collect()
}

/// Without the marks above and below letters.
fn without_marks(text: &str) -> String {
    skeleton(text).nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// Compatible characters count as the same, so wide letters are plain ones. Invisible characters are left out.
fn visible(name: &str) -> impl Iterator<Item = char> {
    name.trim().nfkc().filter(|c| !is_default_ignorable(*c) && !c.is_whitespace() && !c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(one: &str, other: &str) -> bool {
        Look::of(one).is_like(&Look::of(other))
    }

    #[test]
    fn what_looks_like_another_is_recognised() {
        for (one, other) in [
            ("fin", "fіn"),
            ("Ѕupport", "support"),
            ("Iris", "lris"),
            ("ІRIS", "iris"),
            ("ІRIS", "Iris"),
            ("anna", "аnnа"),
            ("anna", "ａｎｎａ"),
            ("anna", "an\u{3164}na"),
            ("user10", "userlO"),
            ("ann", "ANN"),
            ("ann", "ànn"),
        ] {
            assert!(alike(one, other) && alike(other, one), "{one} {other}");
        }
        for (one, other) in [("ann", "bob"), ("bill", "bili"), ("Kai", "kal"), ("user1", "user2"), ("李小龙", "李小鹏")]
        {
            assert!(!alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn many_names_are_asked_at_once() {
        let looks: Looks = ["ann", "Iris"].map(str::to_owned).into_iter().collect();
        for (name, like) in [("аnn", Some("ann")), ("lris", Some("Iris")), ("IRIS", Some("Iris")), ("bob", None)] {
            assert_eq!(looks.find(name), like, "{name}");
        }
    }

    #[test]
    fn a_mark_makes_another_name_of_a_company() {
        for (one, other) in [("Minh Tư", "Minh Tú"), ("Hoạ", "Hoà"), ("ดู", "ดี"), ("ГАЗ И", "ГАЗ Й"), ("कु", "क")]
        {
            let looks: Looks = std::iter::once(one.to_owned()).collect();
            assert_eq!((looks.find(other), looks.find(one)), (None, Some(one)), "{one} {other}");
        }
    }

    #[test]
    fn reserved_words_are_nobodys_name() {
        for word in [
            "support",
            "Support",
            "Ѕupport",
            "admіn",
            "PLACARD",
            "p1acard",
            "sup.port",
            "s-u-p-p-o-r-t",
            "customer_service",
        ] {
            assert!(is_reserved(word), "{word}");
        }
        for name in ["supporter", "mia", "admina", "placards", "sys"] {
            assert!(!is_reserved(name), "{name}");
        }
        assert!(imitates_reserved("Ѕupport") && !imitates_reserved("support") && !imitates_reserved("fіn"));
    }
}
