//! The unreadable parts of a request, and their consequences.

use std::fmt;

use base::coded;

use crate::no_bid::NoBid;

coded!(
    /// An unreadable part. If it is a form of an impression, the impression does not have that form; anything else but
    /// `Consent` means no bid, for the impression or for the whole request.
    Unread {
        /// The reader's identity and consent: `regs`, `user` or `device` is no object.
        Privacy = 1101 "unread_privacy",
        Test = 1102 "unread_test",
        /// The restrictions on what is shown: blocked categories and domains, allowed languages.
        Blocks = 1103 "unread_blocks",
        /// Who may bid, and in which currency.
        Terms = 1104 "unread_terms",
        /// The impression itself: no object, without an id, or with one that another has as well.
        Imp = 1105 "unread_imp",
        /// The floor, or the deals.
        Floor = 1106 "unread_floor",
        Banner = 1107 "unread_banner",
        Video = 1108 "unread_video",
        Native = 1109 "unread_native",
        /// A value within `regs`, `user` or `device`: it counts as if it allows nothing, and there are bids.
        Consent = 1110 "unread_consent",
    }
);

impl Unread {
    /// The kind of what is at a path of the request, unless it is optional to read.
    pub(crate) fn of_request(path: &str) -> Self {
        match first(path) {
            "regs" | "user" | "device" if path.contains('.') => Self::Consent,
            "regs" | "user" | "device" => Self::Privacy,
            "test" => Self::Test,
            "cur" | "wseat" | "bseat" => Self::Terms,
            _ => Self::Blocks,
        }
    }

    pub(crate) fn of_imp(path: &str) -> Self {
        match first(path) {
            "bidfloor" | "bidfloorcur" | "pmp" => Self::Floor,
            "banner" => Self::Banner,
            "video" => Self::Video,
            "native" => Self::Native,
            _ => Self::Imp,
        }
    }

    /// A form of an impression: it has others.
    pub const fn is_form(self) -> bool {
        matches!(self, Self::Banner | Self::Video | Self::Native)
    }

    /// Why there is no bid then.
    pub const fn no_bid(self) -> NoBid {
        match self {
            Self::Test => NoBid::Test,
            _ => NoBid::InvalidRequest,
        }
    }
}

/// The name of the field at the beginning of a path.
fn first(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

/// Something that could not be read, with its path: `imp[0].bidfloor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadPart {
    pub what: Unread,
    pub path: String,
    pub problem: String,
}

impl UnreadPart {
    pub(crate) fn new(what: Unread, path: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self { what, path: path.into(), problem: problem.to_string() }
    }
}

impl fmt::Display for UnreadPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}
