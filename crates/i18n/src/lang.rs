//! The twelve languages, by the app's own codes and by BCP 47.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lang {
    Cht,
    De,
    #[default]
    En,
    Fr,
    Jp,
    Kor,
    Pt,
    Ru,
    Spa,
    Th,
    Vi,
    Zh,
}

impl Lang {
    pub const ALL: [Self; 12] = [
        Self::Cht,
        Self::De,
        Self::En,
        Self::Fr,
        Self::Jp,
        Self::Kor,
        Self::Pt,
        Self::Ru,
        Self::Spa,
        Self::Th,
        Self::Vi,
        Self::Zh,
    ];

    /// The app's code, which also names the file of texts.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Cht => "cht",
            Self::De => "de",
            Self::En => "en",
            Self::Fr => "fr",
            Self::Jp => "jp",
            Self::Kor => "kor",
            Self::Pt => "pt",
            Self::Ru => "ru",
            Self::Spa => "spa",
            Self::Th => "th",
            Self::Vi => "vi",
            Self::Zh => "zh",
        }
    }

    pub const fn bcp47(self) -> &'static str {
        match self {
            Self::Cht => "zh-Hant",
            Self::De => "de",
            Self::En => "en",
            Self::Fr => "fr",
            Self::Jp => "ja",
            Self::Kor => "ko",
            Self::Pt => "pt-BR",
            Self::Ru => "ru",
            Self::Spa => "es-419",
            Self::Th => "th",
            Self::Vi => "vi",
            Self::Zh => "zh-Hans",
        }
    }

    /// The language's own name, so that those who cannot read the page find it.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Cht => "繁體中文",
            Self::De => "Deutsch",
            Self::En => "English",
            Self::Fr => "Français",
            Self::Jp => "日本語",
            Self::Kor => "한국어",
            Self::Pt => "Português",
            Self::Ru => "Русский",
            Self::Spa => "Español",
            Self::Th => "ไทย",
            Self::Vi => "Tiếng Việt",
            Self::Zh => "简体中文",
        }
    }

    /// Reads one of the app's own codes.
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_read_back_and_english_is_the_default() {
        for lang in Lang::ALL {
            assert_eq!(Lang::parse(lang.code()), Some(lang));
        }
        assert_eq!(Lang::parse("xx"), None);
        assert_eq!(Lang::default(), Lang::En);
    }

    #[test]
    fn every_language_has_a_name_of_its_own() {
        let names: BTreeSet<_> = Lang::ALL.map(Lang::description).into();
        assert!(names.len() == Lang::ALL.len() && !names.contains(""));
    }
}
