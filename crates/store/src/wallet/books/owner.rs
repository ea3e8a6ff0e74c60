//! Who owns a book, by its number, and whose rows postings change.

use std::collections::BTreeSet;

use base::{AdvertiserId, PlanId, PublisherId, UserId};
use wallet::{Account, Postings};

/// The owner of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    User(UserId),
    Advertiser(AdvertiserId),
    Publisher(PublisherId),
}

/// Publishers' books are below all advertisers'.
const PUBLISHERS: i64 = -(1 << 40);

impl Owner {
    /// The number of the book: a user's id, or an advertiser's negated. A publisher's is
    /// its id subtracted from -2^40.
    pub const fn book(self) -> i64 {
        match self {
            Self::User(id) => id.0,
            Self::Advertiser(id) => -id.0,
            Self::Publisher(id) => PUBLISHERS - id.0,
        }
    }

    pub const fn of_book(book: i64) -> Self {
        if book <= PUBLISHERS {
            Self::Publisher(PublisherId(PUBLISHERS.saturating_sub(book)))
        } else if book < 0 {
            Self::Advertiser(AdvertiserId(-book))
        } else {
            Self::User(UserId(book))
        }
    }

    /// Its id among the owners of its kind.
    pub const fn id(self) -> i64 {
        match self {
            Self::User(id) => id.0,
            Self::Advertiser(id) => id.0,
            Self::Publisher(id) => id.0,
        }
    }

    pub const fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::Advertiser(_) | Self::Publisher(_) => None,
        }
    }

    /// The owner of the book that a transaction belongs to: its user, or else its advertiser, or else its publisher.
    pub(super) fn of(postings: &Postings) -> Option<Self> {
        let owners = postings.entries().iter().filter_map(|entry| match entry.account {
            Account::User(user, _) | Account::Hold { user, .. } => Some(Self::User(user)),
            Account::Advertiser(id) => Some(Self::Advertiser(id)),
            Account::Publisher(id) => Some(Self::Publisher(id)),
            Account::Platform(_) => None,
        });
        owners.min()
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::User(id) => write!(f, "user:{id}"),
            Self::Advertiser(id) => write!(f, "advertiser:{id}"),
            Self::Publisher(id) => write!(f, "publisher:{id}"),
        }
    }
}

/// The owners of the rows that postings changed.
#[derive(Default)]
pub(super) struct ChangedRows {
    pub users: BTreeSet<UserId>,
    pub advertisers: BTreeSet<AdvertiserId>,
    pub publishers: BTreeSet<PublisherId>,
    pub plans: BTreeSet<PlanId>,
}

impl ChangedRows {
    /// Notes that the end of a book's chain has moved.
    pub fn note_book(&mut self, book: i64) {
        match Owner::of_book(book) {
            Owner::User(id) => drop(self.users.insert(id)),
            Owner::Advertiser(id) => drop(self.advertisers.insert(id)),
            Owner::Publisher(id) => drop(self.publishers.insert(id)),
        }
    }

    pub fn note(&mut self, account: Account) {
        match account {
            Account::User(user, _) => {
                self.users.insert(user);
            }
            Account::Hold { user, plan, .. } => {
                self.users.insert(user);
                self.plans.insert(plan);
            }
            Account::Advertiser(id) => {
                self.advertisers.insert(id);
            }
            // They have no balance row.
            Account::Platform(_) | Account::Publisher(_) => {}
        }
    }
}
