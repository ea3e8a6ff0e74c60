//! The part of a file that a request asks for (RFC 9110, section 14). If it asks for several parts, the whole file is
//! sent, because players ask for one.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{EntityTag, Header, IF_RANGE, IfRange, Range};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// The first and the last byte, both of which there are.
    Part(u64, u64),
    /// The file does not have these bytes.
    Beyond,
}

impl Wanted {
    /// The wanted part of a file with this many bytes. The tag must be strong, or a client could not continue a partial
    /// download.
    pub fn of(request: &HttpRequest, tag: &EntityTag, length: u64) -> Self {
        if request.method() != Method::GET || !continues(request, tag) {
            return Self::All;
        }
        // A header that cannot be parsed is ignored.
        let Ok(Range::Bytes(ranges)) = Range::parse(request) else { return Self::All };
        match ranges.as_slice() {
            [only] => only.to_satisfiable_range(length).map_or(Self::Beyond, |(first, last)| Self::Part(first, last)),
            _ => Self::All,
        }
    }
}

/// Whether what the client has is of this file, if it asks for a part on that condition. It has no date
/// of ours, so a date is of another file.
fn continues(request: &HttpRequest, tag: &EntityTag) -> bool {
    let known = || matches!(IfRange::parse(request), Ok(IfRange::EntityTag(known)) if known.strong_eq(tag));
    !request.headers().contains_key(IF_RANGE) || known()
}
