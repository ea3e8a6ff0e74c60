//! The plural form for a number, by the rules of CLDR.

use crate::{Lang, decimal, text};

/// The text of `key` in the plural form for `count`, with `{{count}}` and the other
/// parameters filled in.
pub fn counted(lang: Lang, key: &str, count: u64, params: &[(&str, &str)]) -> String {
    let shown = decimal(lang, &count.to_string());
    let params = [&[("count", shown.as_str())], params].concat();
    text(lang, &format!("{key}_{}", form(lang, count)), &params)
}

/// The suffix of the key, for whole numbers.
///
/// Why not icu_plurals: 2.4 follows CLDR 49, where Vietnamese has a form `one`
/// that the browsers (CLDR 48), and so the files of texts, do not have; a
/// document and the page about it would differ. It also adds 88 KB and a
/// microsecond a text (release build, 2 cores).
const fn form(lang: Lang, count: u64) -> &'static str {
    let millions = count != 0 && count.is_multiple_of(1_000_000);
    match (lang, count) {
        (Lang::Cht | Lang::Jp | Lang::Kor | Lang::Th | Lang::Vi | Lang::Zh, _) => "other",
        (Lang::De | Lang::En | Lang::Spa, 1) | (Lang::Fr | Lang::Pt, 0 | 1) => "one",
        (Lang::De | Lang::En, _) => "other",
        (Lang::Fr | Lang::Pt | Lang::Spa, _) => {
            if millions {
                "many"
            } else {
                "other"
            }
        }
        (Lang::Ru, _) => match (count % 10, count % 100) {
            (_, 11..=14) => "many",
            (1, _) => "one",
            (2..=4, _) => "few",
            _ => "many",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn forms_are_those_of_the_app() {
        let all: Value = serde_json::from_str(include_str!("../tests/formats.json")).expect("the examples");
        for lang in Lang::ALL {
            let known = all[lang.code()]["plural"].as_object().expect("examples of each language");
            assert!(known.len() > 10);
            for (count, wanted) in known {
                let count: u64 = count.parse().expect("a number");
                assert_eq!(form(lang, count), wanted.as_str().expect("a form"), "{count} in {}", lang.code());
            }
        }
    }

    #[test]
    fn the_number_is_written_and_its_form_chosen() {
        let bills = |lang, count| counted(lang, "server.statement.bills", count, &[]);
        assert_eq!(bills(Lang::En, 1), "1 charge");
        assert_eq!(bills(Lang::En, 1_200), "1,200 charges");
        assert_eq!(bills(Lang::De, 1), "1 Abbuchung");
        assert_eq!(bills(Lang::Ru, 22), "22 списания");
        assert_eq!(bills(Lang::Zh, 3), "3 笔扣费");
    }
}
