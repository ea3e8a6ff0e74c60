//! The supply side: publishers, whose slots show ads, and what they earn.
//!
//! This crate decides:
//! - who may be a publisher: [`Profile::problems`] and [`Profile::clash`], and what
//!   becomes of one: [`PublisherStatus`];
//! - who earns what of a plan's bill: [`divide`], by the [`Share`] that was agreed, or by the
//!   prices at which an exchange's auctions were won. The parts add up to the bill, and what is below a minor unit is carried to the next one;
//! - what a publisher's month was: [`Statement`], checked against the ledger;
//! - how much may be paid out, when, and how much of it may be corrected: [`Account`] and
//!   [`PayoutRules`];
//! - what buyers get back for events that should not have counted, and who pays for that:
//!   [`give_back`];
//! - what publishers and the platform declare about each other: [`AdsTxt`] for ads.txt and
//!   app-ads.txt, [`SellersFile`] for sellers.json.
//!
//! Each decision is a pure function, which returns what to save or the reason for
//! refusing. This crate knows no database, clock or random source.
//!
//! A plan is billed 1.00. Its ads were shown in two slots, where its events cost 0.8005
//! and 0.2, and whose publishers get 70 and 60 per cent:
//!
//! ```
//! use base::{Money, PublisherId, Rate, SlotId};
//! use supply::{Carry, Delivered, Share, Terms, divide};
//!
//! let delivered = |id, percent, fresh_milli| Delivered {
//!     slot: SlotId(id),
//!     publisher: PublisherId(id),
//!     terms: Terms::Share(Share::new(Rate::percent(percent)).expect("within bounds")),
//!     fresh_milli,
//!     carry: Carry::default(),
//!     kept: Money::ZERO,
//! };
//! let parts = divide(Money::from_minor(100), &[delivered(1, 70, 80_050), delivered(2, 60, 20_000)])?;
//!
//! let [first, second] = parts.as_slice() else { panic!("two parts") };
//! assert_eq!((first.cost, first.earns), (Money::from_minor(80), Money::from_minor(56)));
//! assert_eq!((second.cost, second.earns), (Money::from_minor(20), Money::from_minor(12)));
//! // A twentieth of a minor unit waits for the next bill.
//! assert_eq!(first.carry.cost_milli, 50);
//! # Ok::<(), supply::Refused>(())
//! ```
//!
//! Who may be a publisher, and what sellers.json says of one:
//!
//! ```
//! use base::{Field, PublisherId};
//! use supply::{Profile, Publisher, PublisherKind, PublisherStatus, SellersFile, Share};
//!
//! let profile = Profile {
//!     name: "Garden Weekly".into(),
//!     domain: "www.garden.example/".into(),
//!     contact: "ads@garden.example".into(),
//! };
//! let [problem] = profile.problems()[..] else { panic!("one problem") };
//! assert_eq!((problem.field, problem.problem), (Field::Domain, "invalid"));
//!
//! // What is paused may go on; what is closed may not.
//! assert!(PublisherStatus::Paused.change(PublisherStatus::Active).is_ok());
//! assert!(PublisherStatus::Closed.change(PublisherStatus::Active).is_err());
//!
//! let publisher = Publisher {
//!     id: PublisherId(17),
//!     kind: PublisherKind::Direct,
//!     name: profile.name,
//!     domain: Some("garden.example".parse()?),
//!     contact: Some(profile.contact),
//!     status: PublisherStatus::Active,
//!     share: Share::default(),
//!     paid_to_since: None,
//! };
//! let [seller] = &SellersFile::of([&publisher]).sellers[..] else { panic!("one seller") };
//! assert_eq!((seller.seller_id.as_str(), seller.domain.as_deref()), ("17", Some("garden.example")));
//! # Ok::<(), supply::NotADomain>(())
//! ```

mod account;
mod ads_txt;
mod correction;
mod divide;
mod domain;
mod publisher;
mod refused;
mod sellers;
mod share;
mod statement;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use account::{Account, PayoutRules};
pub use ads_txt::AdsTxt;
pub use correction::{Corrected, GivenBack, give_back, in_proportion};
pub use divide::{Carry, Delivered, Part, Terms, by_publisher, divide, late_by_publisher};
pub use domain::{Domain, NotADomain};
pub use publisher::{Problem, Profile, Publisher, PublisherKind, PublisherStatus, is_name, name_key};
pub use refused::Refused;
pub use sellers::{Seller, SellersFile};
pub use share::Share;
pub use statement::{Auctions, Correction, Discrepancy, Figures, Movements, Payment, SlotDay, Statement};
