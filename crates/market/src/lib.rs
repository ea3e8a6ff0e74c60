//! The market: which plan is shown in a slot or offered in an auction, and what of its budget may
//! be promised.
//!
//! This crate decides:
//! - whose turn it is: among the plans that fit, the one that was served longest ago, in
//!   slots ([`Index::pick`]) and in the auctions of exchanges and pages ([`Index::pick_bid`]);
//! - whether its price is promised: only from a lease on its budget that this server holds.
//!   Without one, the answer is to request it or to wait ([`PickOutcome`]), and
//!   [`Index::take_answer`] takes what came of the request;
//! - what an exchange is offered of a product, and in which form: [`ExchangeAd`];
//! - what is free again, because it was seen, booked or lost, and which leases are given back:
//!   [`Index::take_spare`];
//! - how often networks were counted today, also where nobody may be recognized: [`PassingNetworks`].
//!
//! All of it is in memory, and nothing blocks. This crate knows no database, clock or random
//! source: time is an argument, and seeds and salts come from functions of its caller. Rows and
//! locks are those of `campaigns::delivery`; docs/DELIVERY.md tells the whole story.
//!
//! A slot is answered once there is a lease:
//!
//! ```
//! # use std::sync::Arc;
//! # use base::{PlanId, ProductId, PublisherId, SlotId, Timestamp};
//! # use delivery::{Audience, LEASE_SECONDS, Lease};
//! # use plans::{ContentType, Pricing, Schedule, Status};
//! # use supply::Share;
//! use market::*;
//!
//! let (now, content) = (Timestamp::from_seconds(1_800_000_000), ContentType::LandingPage);
//! # let everybody = Audience::default();
//! let slot = SlotTerms {
//!     id: SlotId(1),
//!     key: "blog".into(),
//!     content: vec![content],
//!     # publisher: PublisherId(1), share: Share::default(), audience: everybody.clone(),
//!     // …
//! };
//! let creative = Creative { title: "Tea".into(), text: "By post".into(), image: "/tea.svg".into(), video: None };
//! let product = ServedProduct::new(Product {
//!     id: ProductId(1),
//!     content: Content { landing_page: Some(creative), ..Content::default() },
//!     # name: "Tea".into(), targeting: everybody, landing_url: None, terms: OpenRtbTerms::default(),
//!     // …
//! }, |_| None);
//! let terms = PlanTerms {
//!     product: ProductId(1),
//!     status: Status::Putting,
//!     content,
//!     unit_milli: 10,
//!     # paused: false, pricing: Pricing::Cpm, due_at: None, ai_delivery: false, daily_cap: None, excluded: None,
//!     # schedule: Schedule::default(),
//!     // …
//! };
//!
//! let mut index = Index::new(|| None);
//! index.load_catalogue(vec![Arc::new(slot)], vec![Arc::new(product)], vec![]);
//! index.load_plans(&[PlanChange { id: PlanId(7), changed_at: now, terms: Some(terms) }]);
//!
//! // Nothing is promised without a lease.
//! let asked = AskedSlot { key: "blog", media: SlotMedia::Any };
//! let PickOutcome::Ask(plan) = index.pick(asked, None, now)? else { panic!("a lease is requested") };
//! let lease = Lease { id: 1, plan, left_milli: 1_000, ends_at: now.plus_seconds(LEASE_SECONDS) };
//! index.take_answer(plan, Ok(GrantedLease { lease, exchanges_milli: None, more: false, ends_at: None, paced: None }), now);
//! let PickOutcome::Served(served, _) = index.pick(asked, None, now)? else { panic!("it is shown") };
//! assert_eq!((served.plan, served.lease), (PlanId(7), 1));
//! # Ok::<(), UnknownSlot>(())
//! ```

mod ai;
mod content;
mod index;
mod openrtb_terms;
mod passers;
mod plan_terms;
mod product;

pub use ai::LeasePacing;
pub use content::{Content, Creative, Translation, Words};
pub use index::bids::{AskedImp, BidOffer, BidOutcome, Seller};
pub use index::decisions::KeptOffer;
pub use index::leases::{GrantedLease, LeaseAnswer};
pub use index::requests::SlotRequests;
pub use index::slots::{AskedSlot, SlotMedia, SlotTerms};
pub use index::ssps::Ssp;
pub use index::{Index, PickOutcome, ServedOffer, UnknownSlot};
pub use openrtb_terms::{OpenRtbTerms, PictureFile, VideoFile};
pub use passers::{CountedEvent, Identity, PassingNetworks};
pub use plan_terms::{ExcludedPlaces, PlanChange, PlanTerms};
pub use product::{AdForm, ExchangeAd, Product, ServedProduct};
