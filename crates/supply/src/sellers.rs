//! What the platform says about its publishers in sellers.json (IAB Tech Lab,
//! sellers.json 1.0).

use base::named;
use serde::{Serialize, Serializer};

use crate::domain::Domain;
use crate::publisher::{Publisher, PublisherStatus};

named!(
    SellerType {
        /// Sells what is its own.
        Publisher "PUBLISHER",
        /// Sells what others own.
        Intermediary "INTERMEDIARY",
        Both "BOTH",
    }
);

/// The whole file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SellersFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_address: Option<String>,
    pub version: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<Identifier>,
    pub sellers: Vec<Seller>,
}

/// The platform's number in another register, such as a tax register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identifier {
    pub name: String,
    pub value: String,
}

/// One publisher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seller {
    /// The same as in ads.txt.
    pub seller_id: String,
    /// Name and domain are left out of a confidential entry.
    #[serde(serialize_with = "flag", skip_serializing_if = "is_false")]
    pub is_confidential: bool,
    #[serde(serialize_with = "by_name")]
    pub seller_type: SellerType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

impl SellersFile {
    pub const VERSION: &'static str = "1.0";

    /// The file with everybody whose places may be sold.
    pub fn of<'a>(publishers: impl IntoIterator<Item = &'a Publisher>, contact_email: Option<String>) -> Self {
        let sellers = publishers.into_iter().filter_map(Seller::of).collect();
        Self { contact_email, contact_address: None, version: Self::VERSION, identifiers: Vec::new(), sellers }
    }
}

impl Seller {
    /// The entry of a publisher; `None` if it is closed. Without a domain, which an open
    /// entry must have, it is confidential.
    pub fn of(publisher: &Publisher) -> Option<Self> {
        if publisher.status == PublisherStatus::Closed {
            return None;
        }
        let open = publisher.domain.as_ref();
        Some(Self {
            seller_id: publisher.id.to_string(),
            is_confidential: open.is_none(),
            seller_type: SellerType::Publisher,
            name: open.map(|_| publisher.name.clone()),
            domain: open.map(Domain::to_string),
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn flag<S: Serializer>(set: &bool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u8(u8::from(*set))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn by_name<S: Serializer>(kind: &SellerType, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.name())
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
        let paused = Publisher { status: PublisherStatus::Paused, ..publisher(4) };
        let all = [publisher(1), nameless, closed, paused];
        let file = SellersFile::of(&all, Some("ads@placard.example".into()));
        let expected = serde_json::json!({
            "contact_email": "ads@placard.example",
            "version": "1.0",
            "sellers": [
                { "seller_id": "1", "seller_type": "PUBLISHER", "name": "Publisher 1", "domain": "p1.example" },
                { "seller_id": "2", "seller_type": "PUBLISHER", "is_confidential": 1 },
                { "seller_id": "4", "seller_type": "PUBLISHER", "name": "Publisher 4", "domain": "p4.example" },
            ],
        });
        assert_eq!(serde_json::to_value(&file).expect("JSON"), expected);
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let none = SellersFile::of([], None);
        let expected = serde_json::json!({ "version": "1.0", "sellers": [] });
        assert_eq!(serde_json::to_value(&none).expect("JSON"), expected);
        let known = SellersFile {
            contact_address: Some("1 Main Street".into()),
            identifiers: vec![Identifier { name: "TAG-ID".into(), value: "28cb65e5bbc0bd5f".into() }],
            ..none
        };
        let shown = serde_json::to_value(&known).expect("JSON");
        assert_eq!(shown["identifiers"], serde_json::json!([{ "name": "TAG-ID", "value": "28cb65e5bbc0bd5f" }]));
        assert_eq!(shown["contact_address"], "1 Main Street");
    }
}
