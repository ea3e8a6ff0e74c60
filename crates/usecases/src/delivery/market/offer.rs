//! A product as slots show it, kept in memory.

use delivery::Audience;
use plans::ContentType;
use store::plans::product::ProductRow;

use crate::Error;
use crate::plans::catalog::{Content, Creative, content_of, targeting_of};

#[derive(Debug)]
pub struct Offer {
    pub row: ProductRow,
    content: Content,
    targeting: Audience,
}

impl Offer {
    pub fn read(row: ProductRow) -> Result<Self, Error> {
        Ok(Self { content: content_of(&row)?, targeting: targeting_of(&row.targeting)?.into(), row })
    }

    pub fn fits(&self, audience: &Audience) -> bool {
        delivery::fits(&self.targeting, audience)
    }

    pub fn has(&self, kind: ContentType) -> bool {
        self.content.of(kind).is_some()
    }

    /// Its creative of this content type; another one if that is gone.
    pub fn creative(&self, kind: ContentType) -> Result<&Creative, Error> {
        let content = &self.content;
        let creative = content.of(kind).or(content.landing_page.as_ref()).or(content.video.as_ref());
        let creative = creative.or(content.game_description.as_ref());
        creative.ok_or_else(|| Error::Internal(format!("product {} has no content", self.row.id)))
    }
}
