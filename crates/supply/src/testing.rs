//! Publishers that tests share, here and in other crates.

use base::{PublisherId, Timestamp};

use crate::publisher::{Profile, Publisher, PublisherKind, PublisherStatus};
use crate::share::Share;

pub const PAID_TO_SINCE: Timestamp = Timestamp::from_seconds(1_000_000);

/// An active publisher with everything it needs, of the domain `p1.example`.
pub fn publisher(id: i64) -> Publisher {
    Publisher {
        id: PublisherId(id),
        kind: PublisherKind::Direct,
        name: format!("Publisher {id}"),
        domain: format!("p{id}.example").parse().ok(),
        contact: Some(format!("ads@p{id}.example")),
        status: PublisherStatus::Active,
        share: Share::default(),
        paid_to_since: Some(PAID_TO_SINCE),
    }
}

/// A profile without problems.
pub fn profile() -> Profile {
    Profile { name: "The Daily Example".into(), domain: "daily.example".into(), contact: "ads@daily.example".into() }
}
