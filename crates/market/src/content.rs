//! The content of a product: what is shown of it.

use std::collections::BTreeMap;

use plans::ContentType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is shown of a product in one content type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Creative {
    pub title: String,
    pub text: String,
    /// The address of a picture.
    pub image: String,
    /// The address of a video, if there is one.
    #[serde(default)]
    pub video: Option<String>,
}

/// A creative's words in another language; its files are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    pub title: String,
    pub text: String,
}

/// The content in another language. Missing parts are shown in English.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Translation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video: Option<Words>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing_page: Option<Words>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_description: Option<Words>,
}

/// A product's creatives by content type.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Content {
    #[serde(default)]
    pub video: Option<Creative>,
    #[serde(default)]
    pub landing_page: Option<Creative>,
    #[serde(default)]
    pub game_description: Option<Creative>,
    /// By the language's code. Answers have one language, and leave this out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(ignore)]
    pub translations: BTreeMap<String, Translation>,
}

impl Content {
    /// Changes the words to those of one language, as far as there are any, drops the others, and returns the
    /// summary in it.
    pub fn tell_in(&mut self, language: &str) -> Option<String> {
        let told = std::mem::take(&mut self.translations).remove(language)?;
        let creatives = [
            (&mut self.video, told.video),
            (&mut self.landing_page, told.landing_page),
            (&mut self.game_description, told.game_description),
        ];
        for (creative, words) in creatives {
            if let (Some(creative), Some(Words { title, text })) = (creative, words) {
                creative.title = title;
                creative.text = text;
            }
        }
        told.summary
    }

    /// Whether there is every creative that has words in another language.
    pub fn has_what_is_translated(&self) -> bool {
        self.translations.values().all(|told| {
            [
                (&self.video, &told.video),
                (&self.landing_page, &told.landing_page),
                (&self.game_description, &told.game_description),
            ]
            .iter()
            .all(|(creative, words)| creative.is_some() || words.is_none())
        })
    }

    pub const fn of(&self, kind: ContentType) -> Option<&Creative> {
        match kind {
            ContentType::Video => self.video.as_ref(),
            ContentType::LandingPage => self.landing_page.as_ref(),
            ContentType::GameDescription => self.game_description.as_ref(),
        }
    }

    /// The creative of this content type; another one if that is gone.
    pub fn shown_as(&self, kind: ContentType) -> Option<&Creative> {
        let other = || self.landing_page.as_ref().or(self.video.as_ref()).or(self.game_description.as_ref());
        self.of(kind).or_else(other)
    }

    pub fn types(&self) -> Vec<ContentType> {
        ContentType::ALL.iter().copied().filter(|kind| self.of(*kind).is_some()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_creative_is_shown_for_one_that_is_gone() {
        let creative = |title: &str| {
            Some(Creative { title: title.into(), text: String::new(), image: "/a.svg".into(), video: None })
        };
        let shown = |content: &Content, kind| content.shown_as(kind).map(|creative| creative.title.clone());
        let mut content = Content {
            video: creative("V"),
            landing_page: creative("L"),
            game_description: creative("G"),
            ..Content::default()
        };
        assert_eq!(content.types(), ContentType::ALL);
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("G"));
        content.game_description = None;
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("L"));
        content.landing_page = None;
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("V"));
        assert_eq!(content.types(), [ContentType::Video]);
        assert_eq!(shown(&Content::default(), ContentType::Video), None);
    }

    #[test]
    fn words_are_told_in_one_language_or_as_they_are() {
        let creative = Creative { title: "T".into(), text: "t".into(), image: "/a.svg".into(), video: None };
        let german = Translation {
            summary: Some("S".into()),
            landing_page: Some(Words { title: "D".into(), text: "d".into() }),
            // There is no such creative, so there is none in German.
            video: Some(Words { title: "V".into(), text: "v".into() }),
            ..Translation::default()
        };
        let content = Content {
            landing_page: Some(creative.clone()),
            game_description: Some(creative.clone()),
            translations: BTreeMap::from([("de".to_owned(), german)]),
            ..Content::default()
        };
        let mut told = content.clone();
        assert_eq!(told.tell_in("de").as_deref(), Some("S"));
        assert_eq!(told.landing_page, Some(Creative { title: "D".into(), text: "d".into(), ..creative.clone() }));
        assert_eq!((told.game_description, told.video, told.translations.len()), (Some(creative.clone()), None, 0));
        let mut english = content;
        assert_eq!(english.tell_in("en"), None);
        assert_eq!((english.landing_page, english.translations.len()), (Some(creative), 0));
    }
}
