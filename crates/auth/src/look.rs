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

/// Words that a user's name must not look like: those for people who speak for the installation.
const RESERVED: [&str; 9] =
    ["admin", "administrator", "customerservice", "installation", "moderator", "placard", "staff", "support", "system"];
/// The same in the other languages of the app.
const ELSEWHERE: &str = "kundendienst, kundenservice, systeme, administrateur, moderateur, serviceclient, sistema, \
    administrador, moderador, soporte, suporte, atencionalcliente, atendimento, админ, администратор, модератор, \
    поддержка, службаподдержки, система, hotro, quantri, quantrivien, hethong, cskh, แอดมิน, ผู้ดูแลระบบ, ฝ่ายสนับสนุน, \
    ฝ่ายบริการลูกค้า, システム, 管理人, 運営, サポート, カスタマーサポート, 시스템, 관리자, 운영자, 고객센터, 고객지원, 管理员, \
    管理員, 系统, 系統, 官方";
/// What may stand beside such a word without making it a name: `support-team`, `PlacardOfficial`.
const BESIDE: [&str; 8] = ["center", "desk", "help", "official", "online", "service", "team", "the"];
/// Words that make a staff name of any name they are part of.
const ANYWHERE: [&str; 1] = ["客服"];

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

/// Whether a name looks like words that are reserved for those who run the installation, whatever separates its parts,
/// and whatever number follows.
pub fn is_reserved(name: &str) -> bool {
    let of_words = || is_made_of(name, &RESERVED.into_iter().chain(ELSEWHERE.split(", ")).collect::<Vec<_>>());
    ANYWHERE.iter().any(|word| name.contains(word)) || of_words()
}

/// Whether a name looks like a reserved word but is written with other letters, so that no member of staff could have
/// meant it.
pub fn imitates_reserved(name: &str) -> bool {
    !name.trim().is_ascii() && is_made_of(name, &RESERVED)
}

/// Whether a name is nothing but such words, or looks like it.
fn is_made_of(name: &str, words: &[&str]) -> bool {
    let joined: String = name.chars().filter(|c| !matches!(c, '.' | '_' | '-' | '+' | '@' | ' ')).collect();
    let without_number = joined.trim_end_matches(char::is_numeric);
    let [words, beside] = [words, &BESIDE].map(|words| words.iter().map(|word| Look::of(word)).collect::<Vec<_>>());
    let is_made = |name: &str, part: fn(&Look) -> &str| {
        let [words, beside] = [&words, &beside].map(|looks| looks.iter().map(part).collect::<Vec<_>>());
        parts_of(name, &words, &beside, false)
    };
    // What looks like a number may be a letter: `hotr0`.
    [joined.as_str(), without_number].into_iter().map(Look::of).any(|look| {
        is_made(&look.small, |look| look.small.as_str()) || is_made(&look.shown, |look| look.shown.as_str())
    })
}

/// Whether a text consists of words, at least one of which is not among those beside.
fn parts_of(text: &str, words: &[&str], beside: &[&str], has_word: bool) -> bool {
    let goes_on = |among: &[&str], is_word: bool| {
        let mut rests = among.iter().filter_map(|word| text.strip_prefix(word));
        rests.any(|rest| parts_of(rest, words, beside, has_word || is_word))
    };
    if text.is_empty() { has_word } else { goes_on(words, true) || goes_on(beside, false) }
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
            "Placard-Support",
            "support2",
            "the.official_support.team",
            "客服01",
            "在线客服",
            "管理员",
            "官方管理员",
            "관리자",
            "Поддержка",
            "Suporte",
            "Hỗ_trợ",
        ] {
            assert!(is_reserved(word), "{word}");
        }
        for name in
            ["supporter", "mia", "admina", "placards", "sys", "team", "help-desk", "support-mia", "李官方", "2026"]
        {
            assert!(!is_reserved(name), "{name}");
        }
        assert!(imitates_reserved("Ѕupport") && !imitates_reserved("support") && !imitates_reserved("fіn"));
        assert!(!imitates_reserved("管理员"), "it is written with its own letters");
    }
}
