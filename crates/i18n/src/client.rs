//! From the language codes of browsers and phones to our languages.

use crate::Lang;

/// A row of the map the app is given: comma-separated client codes, and the
/// app's language for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLanguage {
    pub source: &'static str,
    pub target: Lang,
}

/// The longest source that fits wins, so that `zh-TW` is not caught by `zh`.
const MAP: &[ClientLanguage] = &[
    ClientLanguage { source: "cht,zh-Hant,zh-TW,zh-HK,zh-MO,yue", target: Lang::Cht },
    ClientLanguage { source: "de", target: Lang::De },
    ClientLanguage { source: "en", target: Lang::En },
    ClientLanguage { source: "fr", target: Lang::Fr },
    ClientLanguage { source: "jp,ja", target: Lang::Jp },
    ClientLanguage { source: "kor,ko", target: Lang::Kor },
    ClientLanguage { source: "pt", target: Lang::Pt },
    ClientLanguage { source: "ru", target: Lang::Ru },
    ClientLanguage { source: "spa,es", target: Lang::Spa },
    ClientLanguage { source: "th", target: Lang::Th },
    ClientLanguage { source: "vi", target: Lang::Vi },
    ClientLanguage { source: "zh,zh-Hans,zh-CN,zh-SG", target: Lang::Zh },
];

/// All rows of the map.
pub fn client_language_map() -> impl Iterator<Item = ClientLanguage> {
    MAP.iter().copied()
}

/// The best of our languages for an `Accept-Language` header.
pub fn from_accept_language(header: &str) -> Option<Lang> {
    let mut wishes: Vec<(u16, &str)> = header.split(',').take(20).filter_map(wish).collect();
    // The sort is stable: among equal weights, the first one wins.
    wishes.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    wishes.into_iter().find_map(|(_, tag)| from_client_code(tag))
}

/// Parses `de;q=0.8` into a weight in thousandths and a tag; weight 0 gives `None`.
fn wish(part: &str) -> Option<(u16, &str)> {
    let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
    let mut named = parameters.split(';').filter_map(|one| one.split_once('='));
    let weight = match named.find(|(name, _)| name.trim().eq_ignore_ascii_case("q")) {
        Some((_, q)) => thousandths(q.trim())?,
        None => 1000,
    };
    (weight > 0).then(|| (weight, tag.trim()))
}

fn thousandths(q: &str) -> Option<u16> {
    let (whole, fraction) = q.split_once('.').unwrap_or((q, ""));
    let whole: u16 = whole.parse().ok()?;
    let fraction: u16 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(whole.min(1) * 1000 + if whole == 0 { fraction } else { 0 })
}

/// Devices also write `zh_Hant_TW`, `de_DE.UTF-8` or `en-US@posix` in place of BCP 47.
/// A code that is no language of ours, such as `C`, gives `None`.
pub fn from_client_code(code: &str) -> Option<Lang> {
    let name = code.split(['.', '@', '#']).next().unwrap_or_default();
    let wanted = name.trim().to_lowercase().replace('_', "-");
    client_language_map()
        .flat_map(|row| row.source.split(',').map(move |source| (source, row.target)))
        .filter(|(source, _)| fits(&wanted, &source.to_lowercase()))
        .max_by_key(|(source, _)| source.len())
        .map(|(_, target)| target)
}

fn fits(wanted: &str, source: &str) -> bool {
    wanted.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_in_the_map_under_its_own_codes() {
        for lang in Lang::ALL {
            let row = MAP.iter().find(|row| row.target == lang).expect("a row");
            assert!(row.source.split(',').any(|source| source == lang.code()), "{lang:?}");
            let fits_bcp =
                row.source.split(',').any(|source| fits(&lang.bcp47().to_lowercase(), &source.to_lowercase()));
            assert!(fits_bcp, "{lang:?}");
        }
    }

    #[test]
    fn weights_and_regions_are_heeded() {
        assert_eq!(from_accept_language("zh-CN,zh;q=0.9,en;q=0.8"), Some(Lang::Zh));
        assert_eq!(from_accept_language("en;q=0.5, zh_CN;q=0.75"), Some(Lang::Zh));
        assert_eq!(from_accept_language("xx, en-GB;q=0.1"), Some(Lang::En));
        assert_eq!(from_accept_language("en;q=0.9,de;q=1,fr;q=0.999"), Some(Lang::De));
        assert_eq!(from_accept_language("en;Q=0.5, fr;level=1; q=0.7"), Some(Lang::Fr));
        assert_eq!(from_accept_language("en;q=0"), None);
        for odd in ["", ",", "*", ";q=1", "en;q=x", "\u{0}"] {
            assert_eq!(from_accept_language(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn codes_are_understood_as_devices_write_them() {
        for (code, lang) in [
            ("th_TH", Lang::Th),
            ("zh_Hant_TW", Lang::Cht),
            ("zh_Hans_CN_#Hans", Lang::Zh),
            ("en-US@posix", Lang::En),
            ("en@posix", Lang::En),
            ("de.UTF-8", Lang::De),
            ("pt_BR@euro", Lang::Pt),
            ("ja-JP-u-ca-japanese", Lang::Jp),
        ] {
            assert_eq!(from_client_code(code), Some(lang), "{code}");
            assert_eq!(from_accept_language(&format!("xx, {code};q=0.5")), Some(lang), "{code}");
        }
        for none in ["C", "C.UTF-8", "POSIX", "", " ", "_", "-", "@", "123", "toolongforit"] {
            assert_eq!(from_client_code(none), None, "{none:?}");
            assert_eq!(from_accept_language(none), None, "{none:?}");
        }
    }

    #[test]
    fn no_prefix_of_another_word_fits() {
        assert!(fits("th-th", "th"));
        assert!(!fits("the", "th"));
    }
}
