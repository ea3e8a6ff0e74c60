//! Reads a bid request: lenient in how values are written, strict in what they mean. A value that cannot be read counts
//! as missing if nothing depends on it, and as the strictest if it restricts something. Any other one invalidates the
//! object that it belongs to, and is named by its path: `imp[0].banner.battr`. Only a body that is not a request at all
//! is refused as a whole.

/// Declares objects of a request. A field that names a reader, one of [`fields`], may be missing.
macro_rules! object {
    ($($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$about:meta])* pub $field:ident: $kind:ty $(= $reader:tt)?),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        pub struct $name {
            $($(#[$about])* $(#[serde(default, deserialize_with = $reader)])? pub $field: $kind),+
        }
    )+};
}
pub(crate) use object;

pub(crate) mod fields;
mod repair;
mod salvage;
mod sent;
#[cfg(test)]
mod tests;
mod visitors;

use std::collections::BTreeSet;
use std::fmt;

use crate::request::{BidRequest, Imp};
use crate::unread::{Unread, UnreadPart};

/// The most impressions in one request.
const MOST_IMPS: usize = 100;
/// The most commas in one request. A value may take a hundred times as much memory as its text, and
/// between two values there is a comma. Requests of thirty impressions have some two thousand.
const MOST_COMMAS: usize = 8_192;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The body is no bid request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct Malformed {
    /// `.` for the whole request.
    pub path: String,
    pub problem: String,
}

impl Malformed {
    fn new(path: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self { path: path.into(), problem: problem.to_string() }
    }

    /// The whole request is wrong.
    pub fn whole(problem: impl fmt::Display) -> Self {
        Self::new(".", problem)
    }
}

/// 0 or 1, as the standard writes no and yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flag(pub bool);

/// Reads a request. Unknown fields are skipped, as the standard asks. What cannot be read is listed with the rest
/// ([`BidRequest::unread`]).
///
/// # Errors
/// Not JSON, not an object, or without an id or impressions.
pub fn read(body: &[u8]) -> Result<BidRequest, Malformed> {
    // Some exchanges send a byte order mark, which is not part of the JSON.
    let body = body.strip_prefix(MARK).unwrap_or(body);
    if memchr::memchr_iter(b',', body).count() > MOST_COMMAS {
        return Err(Malformed::whole(format_args!("has more than {MOST_COMMAS} values")));
    }
    // Nearly all requests can be read as they are.
    let mut request = serde_json::from_slice(body).or_else(|_| salvage::request(body))?;
    check(&mut request)?;
    Ok(request)
}

/// Checks what the types do not ensure.
fn check(request: &mut BidRequest) -> Result<(), Malformed> {
    if request.id.is_empty() {
        return Err(Malformed::new("id", "is empty"));
    }
    if request.imp.is_empty() {
        return Err(Malformed::new("imp", "is empty"));
    }
    let shared = shared_ids(&request.imp);
    for (number, imp) in request.imp.iter_mut().enumerate() {
        let is_shared = shared.contains(&imp.id);
        check_imp(imp, number, is_shared);
    }
    Ok(())
}

/// The ids that more than one impression has; mostly none.
fn shared_ids(imps: &[Imp]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    imps.iter().filter(|imp| !seen.insert(imp.id.as_str())).map(|imp| imp.id.clone()).collect()
}

/// Checks an impression. A bid names its impression by the id, so where several have the same id, nobody knows which
/// one a bid is for.
fn check_imp(imp: &mut Imp, number: usize, is_shared: bool) {
    let mut lost = Vec::new();
    let mut refuse = |what, field: &str, problem: &str| {
        lost.push(UnreadPart::new(what, format!("imp[{number}].{field}"), problem));
    };
    if imp.id.is_empty() {
        refuse(Unread::Imp, "id", "is empty");
    } else if is_shared {
        refuse(Unread::Imp, "id", "is there twice");
    }
    if let Some(place) = imp.deals().iter().position(|deal| deal.id.is_empty()) {
        refuse(Unread::Floor, &format!("pmp.deals[{place}].id"), "is empty");
    }
    if imp.video.as_ref().is_some_and(|video| video.mimes.is_empty()) {
        refuse(Unread::Video, "video.mimes", "is empty");
    }
    lost.into_iter().for_each(|part| imp.lose(part));
}
