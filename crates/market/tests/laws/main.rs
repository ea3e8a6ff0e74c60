//! What the market always keeps to, whatever is asked, told or granted, and in whatever order.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod asked;
mod notices;
mod passing;
mod promised;
#[path = "../tokens/mod.rs"]
mod tokens;
mod turns;

use std::sync::Arc;

use base::{PlanId, ProductId, PublisherId, SlotId, Timestamp};
use delivery::{Audience, LEASE_SECONDS, Lease};
use market::{
    AskedImp, BidOutcome, Content, Creative, GrantedLease, Index, OpenRtbTerms, PictureFile, PlanChange, PlanTerms,
    Product, Seller, ServedProduct, SlotTerms, Ssp, VideoFile,
};
use openrtb::request::Imp;
use openrtb::{Auction, BidRequest, Circumstances, NoBid};
use plans::{ContentType, Pricing, Schedule, Status};
use supply::Share;

const T: Timestamp = Timestamp::from_seconds(1_800_000_000);
const CURRENCY: &str = "USD";
/// The products, by their ids.
const TEA: i64 = 1;
const FILM: i64 = 2;
const GAME: i64 = 3;

fn creative(video: Option<&str>) -> Creative {
    let video = video.map(str::to_owned);
    Creative { title: "Tea".into(), text: "By post".into(), image: "/tea.svg".into(), video }
}

fn product(id: i64) -> Product {
    let (content, domain, category) = match id {
        FILM => (Content { video: Some(creative(Some("/tea.mp4"))), ..Content::default() }, "film.example", "IAB1-5"),
        GAME => (Content { game_description: Some(creative(None)), ..Content::default() }, "games.example", ""),
        _ => (Content { landing_page: Some(creative(None)), ..Content::default() }, "tea.example", "IAB8-18"),
    };
    let store = "https://play.google.com/store/apps/details?id=com.tea.app";
    Product {
        id: ProductId(id),
        name: "Meadow".into(),
        content,
        targeting: Audience::default(),
        landing_url: (id == GAME).then(|| store.to_owned()),
        terms: OpenRtbTerms {
            domain: Some(domain.into()),
            // Of the game nobody knows it.
            categories: Some(category.to_owned()).filter(|category| !category.is_empty()).into_iter().collect(),
            language: Some("en".into()),
            deals: vec!["d1".into()],
            picture: Some(PictureFile { mime: "image/jpeg".into(), width: 1_200, height: 628 }),
            video: Some(VideoFile { mime: "video/mp4".into(), seconds: 15, width: 640, height: 360 }),
        },
    }
}

fn served(product: Product) -> Arc<ServedProduct> {
    Arc::new(ServedProduct::new(product, |_| Some(1_500_000)))
}

/// A running plan that is paid by views.
fn plan(product: i64, unit_milli: i64) -> PlanTerms {
    PlanTerms {
        product: ProductId(product),
        status: Status::Putting,
        paused: false,
        content: match product {
            FILM => ContentType::Video,
            GAME => ContentType::GameDescription,
            _ => ContentType::LandingPage,
        },
        pricing: Pricing::Cpm,
        unit_milli,
        due_at: None,
        ai_delivery: false,
        daily_cap: None,
        excluded: None,
        schedule: Schedule::default(),
    }
}

fn share(parts: i64) -> Share {
    Share::from_parts(parts).expect("a share")
}

fn ssp(slot: i64, share: Share) -> Ssp {
    let key = [u8::try_from(slot).expect("small"); 32];
    Ssp { id: PublisherId(slot), slot: SlotId(slot), key, seat: Some("s1".into()), share, notifies: true }
}

fn slot(share: Share) -> SlotTerms {
    SlotTerms {
        id: SlotId(1),
        key: "k".into(),
        publisher: PublisherId(1),
        share,
        audience: Audience::default(),
        content: ContentType::ALL.to_vec(),
    }
}

/// The plans, numbered from 1, of all products.
fn index_of(slot: &SlotTerms, plans: impl IntoIterator<Item = PlanTerms>) -> Index {
    let mut index = Index::new(|| None);
    let products = [TEA, FILM, GAME].map(product).map(served);
    index.load_catalogue(vec![Arc::new(slot.clone())], products.to_vec(), Vec::new());
    let change = |(id, terms)| PlanChange { id: PlanId(id), changed_at: T, terms: Some(terms) };
    index.load_plans(&(1..).zip(plans).map(change).collect::<Vec<_>>());
    index
}

/// The database grants a plan so much, that much of it for exchanges.
fn grant(index: &mut Index, plan: i64, left_milli: i64, for_exchanges: i64, now: Timestamp) {
    index.leases_of(PlanId(plan), now);
    let lease = Lease { id: plan, plan: PlanId(plan), left_milli, ends_at: T.plus_seconds(LEASE_SECONDS) };
    let granted = GrantedLease { lease, exchanges_milli: Some(for_exchanges), more: false, ends_at: None, paced: None };
    index.take_answer(PlanId(plan), Ok(granted), now);
}

/// Asks for an ad for one impression of a request.
fn ask<'a>(
    index: &mut Index,
    (request, imp): (&'a BidRequest, &'a Imp),
    seller: Seller<'_>,
    now: Timestamp,
) -> Result<BidOutcome<'a>, NoBid> {
    let auction = Auction::open(request, &Circumstances::default())?;
    if imp.is_refused() {
        return Err(NoBid::InvalidRequest);
    }
    let offered_seconds = seller.offered_seconds(request.tmax, request.timeout());
    let asked = AskedImp { auction: &auction, imp, seller, offered_seconds, currency: CURRENCY, secure: true };
    Ok(index.pick_bid(&asked, now))
}
