//! `?cursor=&limit=` of lists.

use base::Field;
use foundation::PageRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::failure::Failure;

#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct Paging {
    /// `next_cursor` of the previous page.
    pub cursor: Option<String>,
    /// 1 to 100; 20 by default.
    pub limit: Option<String>,
}

impl Paging {
    pub fn request(&self) -> Result<PageRequest, Failure> {
        Ok(PageRequest { before: self.before()?, limit: self.limit()? })
    }

    fn before(&self) -> Result<Option<i64>, Failure> {
        match self.cursor.as_deref().filter(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| Failure::field(Field::Cursor, "invalid")),
        }
    }

    /// The cursor as it is, for lists that are not paged by an id.
    pub fn text(&self) -> Option<String> {
        self.cursor.clone().filter(|text| !text.is_empty())
    }

    pub fn limit(&self) -> Result<i64, Failure> {
        let Some(text) = self.limit.as_deref().filter(|text| !text.is_empty()) else {
            return Ok(PageRequest::DEFAULT_LIMIT);
        };
        match text.parse() {
            Ok(limit @ 1..=PageRequest::MAX_LIMIT) => Ok(limit),
            _ => Err(Failure::field(Field::Limit, "invalid")),
        }
    }
}
