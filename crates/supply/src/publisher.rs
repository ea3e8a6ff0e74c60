//! Publishers: their data, who may be added, and how their status changes.

use base::{Field, PublisherId, Timestamp, coded};

use crate::domain::Domain;
use crate::refused::Refused;
use crate::share::Share;

coded!(
    PublisherStatus {
        /// Its slots show ads.
        Active = 1 "active",
        /// Its slots show nothing for now.
        Paused = 2 "paused",
        /// It shows no more ads. What it has earned is still paid out.
        Closed = 3 "closed",
    }
);

impl PublisherStatus {
    /// Whether its slots show ads.
    pub const fn serves(self) -> bool {
        matches!(self, Self::Active)
    }

    /// Changes to another status. A closed publisher stays closed: one that returns must be added again.
    pub fn change(self, to: Self) -> Result<Self, Refused> {
        match (self, to) {
            (Self::Active, Self::Paused | Self::Closed) | (Self::Paused, Self::Active | Self::Closed) => Ok(to),
            (from, to) => Err(Refused::StatusNotPossible { from, to }),
        }
    }
}

coded!(
    PublisherKind {
        /// Owns slots on pages of its own.
        Direct = 0 "direct",
        /// A supply-side platform: an ad exchange, which sells places of others in
        /// auctions. It has one slot, in which all that it delivers is counted.
        Ssp = 1 "ssp",
    }
);

/// A publisher, as kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publisher {
    pub id: PublisherId,
    pub kind: PublisherKind,
    pub name: String,
    /// `None` for those from before there were publishers, who were only a name.
    pub domain: Option<Domain>,
    /// The address that statements are sent to.
    pub contact: Option<String>,
    pub status: PublisherStatus,
    /// Its part of what its slots are billed from now on.
    pub share: Share,
    /// When two people agreed on where it is paid; `None` if they have not yet.
    pub paid_to_since: Option<Timestamp>,
}

/// The data of a publisher, as staff typed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub name: String,
    pub domain: String,
    pub contact: String,
}

/// The wrong field, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    pub field: Field,
    pub problem: &'static str,
}

const LONGEST_NAME: usize = 80;
/// RFC 5321, section 4.5.3.1.3, without the angle brackets.
const LONGEST_CONTACT: usize = 254;

impl Profile {
    /// Everything that is wrong with the data.
    pub fn problems(&self) -> Vec<Problem> {
        let wrong = [
            (Field::Name, "required", self.name.trim().is_empty()),
            (Field::Name, "invalid", !self.name.trim().is_empty() && !is_name(&self.name)),
            (Field::Domain, "required", self.domain.is_empty()),
            (Field::Domain, "invalid", !self.domain.is_empty() && self.domain.parse::<Domain>().is_err()),
            (Field::Contact, "required", self.contact.is_empty()),
            (Field::Contact, "invalid", !self.contact.is_empty() && !is_mailbox(&self.contact)),
        ];
        let found = wrong.into_iter().filter(|(_, _, is_wrong)| *is_wrong);
        found.map(|(field, problem, _)| Problem { field, problem }).collect()
    }

    /// The field in which it clashes with an existing publisher.
    pub fn clash(&self, other: &Publisher) -> Option<Problem> {
        if name_key(&self.name) == name_key(&other.name) {
            return Some(Problem { field: Field::Name, problem: "taken" });
        }
        let domain = self.domain.parse().ok();
        let same = domain.is_some() && domain == other.domain;
        same.then_some(Problem { field: Field::Domain, problem: "taken" })
    }
}

/// Whether a publisher may be named so.
pub fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.trim().chars().count()) && !name.chars().any(char::is_control)
}

/// Names with the same key look the same: blanks and case make no difference. The slots
/// of old databases name their publisher, and this says which of them are one.
pub fn name_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// An address of the plain form; whether it exists shows when something is sent to it.
fn is_mailbox(text: &str) -> bool {
    let plain = |local: &str| {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b);
        !local.is_empty() && local.bytes().all(letter) && !local.starts_with('.') && !local.ends_with('.')
    };
    let parts = text.rsplit_once('@');
    text.len() <= LONGEST_CONTACT && parts.is_some_and(|(local, host)| plain(local) && host.parse::<Domain>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{profile, publisher};

    fn wrong(profile: &Profile) -> Vec<String> {
        profile.problems().iter().map(|p| format!("{}={}", p.field, p.problem)).collect()
    }

    #[test]
    fn a_sound_one_has_no_problems() {
        assert!(profile().problems().is_empty());
        let longest = Profile { name: "ü".repeat(80), ..profile() };
        assert!(longest.problems().is_empty());
    }

    #[test]
    fn every_problem_is_named() {
        let nothing = Profile { name: " ".into(), domain: String::new(), contact: String::new() };
        let expected = ["name=required", "domain=required", "contact=required"];
        assert_eq!(wrong(&nothing), expected);
        let odd = Profile { name: "x".repeat(81), domain: "https://news.example".into(), contact: "anna".into() };
        let expected = ["name=invalid", "domain=invalid", "contact=invalid"];
        assert_eq!(wrong(&odd), expected);
    }

    #[test]
    fn a_contact_is_an_address_of_the_plain_form() {
        for good in ["anna@news.example", "a.b+ads@mail.news.example", "ads_1@xn--mnchen-3ya.example"] {
            assert!(is_mailbox(good), "{good}");
        }
        let long = format!("{}@news.example", "a".repeat(242));
        for bad in [
            "",
            "anna",
            "@news.example",
            "anna@",
            "anna@localhost",
            "an na@news.example",
            ".anna@news.example",
            "anna.@news.example",
            "anna@news@example",
            "Anna <anna@news.example>",
            "anna@news.example\n",
            long.as_str(),
        ] {
            assert!(!is_mailbox(bad), "{bad:?}");
        }
    }

    #[test]
    fn nobody_is_there_twice() {
        let there = publisher(1);
        let clash = |name: &str, domain: &str| {
            let new = Profile { name: name.into(), domain: domain.into(), ..profile() };
            new.clash(&there).map(|problem| problem.field.name())
        };
        assert_eq!(
            (there.name.as_str(), there.domain.as_ref().map(Domain::as_str)),
            ("Publisher 1", Some("p1.example"))
        );
        assert_eq!(clash("Another", "p2.example"), None);
        assert_eq!(clash(" publisher  1", "p2.example"), Some("name"));
        assert_eq!(clash("Another", "P1.Example."), Some("domain"));
        assert_eq!(clash("Another", "blog.p1.example"), None, "who may have another publisher's host");
        let nameless = Publisher { domain: None, ..publisher(1) };
        let new = Profile { domain: String::new(), ..profile() };
        assert_eq!(new.clash(&nameless), None, "no domain is nobody's");
    }

    #[test]
    fn what_is_closed_stays_so() {
        use PublisherStatus::*;
        for from in [Active, Paused, Closed] {
            for to in [Active, Paused, Closed] {
                let possible = from != Closed && from != to;
                let expected = if possible { Ok(to) } else { Err(Refused::StatusNotPossible { from, to }) };
                assert_eq!(from.change(to), expected);
            }
        }
        assert_eq!([Active, Paused, Closed].map(PublisherStatus::serves), [true, false, false]);
    }

    #[test]
    fn codes_and_names_lead_back() {
        for status in PublisherStatus::ALL {
            assert_eq!(PublisherStatus::try_from(status.code()), Ok(*status));
            assert_eq!(PublisherStatus::from_name(status.name()), Some(*status));
        }
    }
}
