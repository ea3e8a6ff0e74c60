//! The app's languages, by the app's own codes and by BCP 47.

/// Declares the languages: the app's code, that of BCP 47, and the language's own name.
macro_rules! langs {
    ($($(#[$attribute:ident])? $lang:ident $code:literal $bcp47:literal $description:literal,)+) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Lang { $($(#[$attribute])? $lang),+ }

        impl Lang {
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$lang),+];

            /// The app's code, which also names the file of texts.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$lang => $code),+ }
            }

            pub const fn bcp47(self) -> &'static str {
                match self { $(Self::$lang => $bcp47),+ }
            }

            /// The language's own name, so that those who cannot read the page find it.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$lang => $description),+ }
            }
        }
    };
}

langs! {
    Cht "cht" "zh-Hant" "繁體中文",
    De "de" "de" "Deutsch",
    #[default]
    En "en" "en" "English",
    Fr "fr" "fr" "Français",
    Jp "jp" "ja" "日本語",
    Kor "kor" "ko" "한국어",
    Pt "pt" "pt-BR" "Português",
    Ru "ru" "ru" "Русский",
    Spa "spa" "es-419" "Español",
    Th "th" "th" "ไทย",
    Vi "vi" "vi" "Tiếng Việt",
    Zh "zh" "zh-Hans" "简体中文",
}

impl Lang {
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
