//! The supply side: publishers, whose slots show ads.
//!
//! This crate decides:
//! - who may be a publisher: [`Profile::problems`] and [`Profile::clash`], and what
//!   becomes of one: [`PublisherStatus`];
//! - what the platform declares about its publishers: [`SellersFile`] for sellers.json.
//!
//! Each decision is a pure function, which returns what to save or the reason for
//! refusing. This crate knows no database, clock or random source.
//!
//! ```
//! use base::PublisherId;
//! use supply::{Profile, Publisher, PublisherStatus, SellersFile};
//!
//! let profile = Profile {
//!     name: "Garden Weekly".into(),
//!     domain: "www.garden.example/".into(),
//!     contact: "ads@garden.example".into(),
//! };
//! let [problem] = profile.problems()[..] else { panic!("one problem") };
//! assert_eq!((problem.field, problem.problem), ("domain", "invalid"));
//!
//! // What is paused may go on; what is closed may not.
//! assert!(PublisherStatus::Paused.change(PublisherStatus::Active).is_ok());
//! assert!(PublisherStatus::Closed.change(PublisherStatus::Active).is_err());
//!
//! let publisher = Publisher {
//!     id: PublisherId(17),
//!     name: profile.name,
//!     domain: Some("garden.example".parse()?),
//!     contact: Some(profile.contact),
//!     status: PublisherStatus::Active,
//! };
//! let [seller] = &SellersFile::of([&publisher]).sellers[..] else { panic!("one seller") };
//! assert_eq!((seller.seller_id.as_str(), seller.domain.as_deref()), ("17", Some("garden.example")));
//! # Ok::<(), supply::NotADomain>(())
//! ```

mod domain;
mod publisher;
mod refused;
mod sellers;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use domain::{Domain, NotADomain};
pub use publisher::{Problem, Profile, Publisher, PublisherStatus, is_name, name_key};
pub use refused::Refused;
pub use sellers::{Seller, SellersFile};
