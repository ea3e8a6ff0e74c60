//! The platform's list of its publishers in sellers.json (IAB Tech Lab, sellers.json 1.0).

use serde::{Serialize, Serializer};

use crate::domain::Domain;
use crate::publisher::{Publisher, PublisherKind, PublisherStatus};

/// Sells what is its own; nobody here sells what others own.
const PUBLISHER: &str = "PUBLISHER";

/// The whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SellersFile {
    pub version: &'static str,
    pub sellers: Vec<Seller>,
}

/// One publisher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seller {
    /// The same id as in ads.txt.
    pub seller_id: String,
    /// Name and domain are left out of a confidential entry.
    #[serde(serialize_with = "write_flag", skip_serializing_if = "is_false")]
    pub is_confidential: bool,
    pub seller_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

impl SellersFile {
    pub const VERSION: &'static str = "1.0";

    /// The file with everybody whose places may be sold.
    pub fn of<'a>(publishers: impl IntoIterator<Item = &'a Publisher>) -> Self {
        Self { version: Self::VERSION, sellers: publishers.into_iter().filter_map(Seller::of).collect() }
    }
}

impl Seller {
    /// The entry of a publisher; `None` if it is closed, or an exchange: its places are not
    /// the platform's to sell. Without a domain, which an open
    /// entry must have, it is confidential.
    pub fn of(publisher: &Publisher) -> Option<Self> {
        if publisher.status == PublisherStatus::Closed || publisher.kind == PublisherKind::Ssp {
            return None;
        }
        let open = publisher.domain.as_ref();
        Some(Self {
            seller_id: publisher.id.to_string(),
            is_confidential: open.is_none(),
            seller_type: PUBLISHER,
            name: open.map(|_| publisher.name.clone()),
            domain: open.map(Domain::to_string),
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn write_flag<S: Serializer>(set: &bool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u8(u8::from(*set))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(set: &bool) -> bool {
    !*set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::publisher;

    #[test]
    fn open_and_confidential_entries_have_the_fields_of_the_standard() {
        let nameless = Publisher { domain: None, ..publisher(2) };
        let closed = Publisher { status: PublisherStatus::Closed, ..publisher(3) };
        let ssp = Publisher { kind: PublisherKind::Ssp, ..publisher(5) };
        let paused = Publisher { status: PublisherStatus::Paused, ..publisher(4) };
        let all = [publisher(1), nameless, closed, paused, ssp];
        let file = SellersFile::of(&all);
        let expected = serde_json::json!({
            "version": "1.0",
            "sellers": [
                { "seller_id": "1", "seller_type": "PUBLISHER", "name": "Publisher 1", "domain": "p1.example" },
                { "seller_id": "2", "seller_type": "PUBLISHER", "is_confidential": 1 },
                { "seller_id": "4", "seller_type": "PUBLISHER", "name": "Publisher 4", "domain": "p4.example" },
            ],
        });
        assert_eq!(serde_json::to_value(&file).expect("JSON"), expected);
    }
}
