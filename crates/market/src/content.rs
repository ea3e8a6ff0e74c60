//! What is shown of a product.

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

/// A product's creatives by content type.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct Content {
    #[serde(default)]
    pub video: Option<Creative>,
    #[serde(default)]
    pub landing_page: Option<Creative>,
    #[serde(default)]
    pub game_description: Option<Creative>,
}

impl Content {
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
        let mut content =
            Content { video: creative("V"), landing_page: creative("L"), game_description: creative("G") };
        assert_eq!(content.types(), ContentType::ALL);
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("G"));
        content.game_description = None;
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("L"));
        content.landing_page = None;
        assert_eq!(shown(&content, ContentType::GameDescription).as_deref(), Some("V"));
        assert_eq!(content.types(), [ContentType::Video]);
        assert_eq!(shown(&Content::default(), ContentType::Video), None);
    }
}
