//! The lines that a publisher writes into ads.txt (IAB Tech Lab, ads.txt 1.1) and, for its apps, into app-ads.txt: they
//! say that the platform may sell its ad space.

use std::fmt;

use base::PublisherId;

use crate::domain::Domain;

/// The lines for one publisher. Its `Display` ends every line with a line feed. Lines of
/// app-ads.txt are the same: that file is on the domain of the app's developer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdsTxt {
    /// The domain on which the platform's sellers.json is.
    pub system: Domain,
    /// Its number in sellers.json.
    pub seller: PublisherId,
    /// The owner of the pages: the publisher's own domain, if known.
    pub owner: Option<Domain>,
}

/// The seller is paid by the platform itself, not by somebody in between.
const DIRECT: &str = "DIRECT";

impl fmt::Display for AdsTxt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A file has one owner, whatever other systems are in it.
        if let Some(owner) = &self.owner {
            writeln!(f, "OWNERDOMAIN={owner}")?;
        }
        writeln!(f, "{}, {}, {DIRECT}", self.system, self.seller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_the_owner_and_the_seller() {
        let domain = |name: &str| name.parse().expect("a domain");
        let lines = AdsTxt {
            system: domain("ads.placard.example"),
            seller: PublisherId(17),
            owner: Some(domain("news.example")),
        };
        let text = "OWNERDOMAIN=news.example\nads.placard.example, 17, DIRECT\n";
        assert_eq!(lines.to_string(), text);
        let unknown = AdsTxt { owner: None, ..lines };
        assert_eq!(unknown.to_string(), "ads.placard.example, 17, DIRECT\n");
    }
}
