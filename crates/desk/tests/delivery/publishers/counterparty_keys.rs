//! Nobody on the staff ever has a counterparty's key: it is claimed or brought, and counts
//! once a second person has heard its fingerprint from its holder.

use auth::KeyPair;
use auth::signature::{SignedRequest, sign};
use base::{AdvertiserId, Money};
use campaigns::AdServer;
use campaigns::catalogue::advertiser_keys::rotate_key;
use campaigns::catalogue::advertisers::{self, Advertiser, FIRST_DAILY_CAP};
use campaigns::catalogue::counterparty_keys::{ClaimKind, ClaimState, ClaimedKey, KeyOffer, LOCAL, claim, look};
use campaigns::delivery::postback::{BadSignature, NotAuthentic, PostbackSignature, SignedCall, authenticate};
use desk::installation::simulated::{shared_key, take_key};
use desk::requests::{approve, approve_key, reject, show};
use diesel::prelude::*;
use diesel::sql_types::Text;
use foundation::staff::requests::RequestRef;
use serde_json::Value;
use store::{Conn, Error, on_both};

use crate::intruder::keep;
use crate::money::why;
use crate::proof::named;
use crate::support::{Market, market};

const PATH: &str = "/t/postback";
const BODY: &[u8] = br#"{"event_id":"e","click_id":"c"}"#;
const WRONG: Result<(), NotAuthentic> = Err(NotAuthentic::Bad(BadSignature::Wrong));
const WAITS: Result<(), NotAuthentic> = Err(NotAuthentic::KeyWaits);

fn signed(timestamp: &str) -> SignedRequest<'_> {
    SignedRequest { timestamp, method: "POST", path: PATH, body: BODY }
}

/// How a postback is answered that is signed with this shared key.
async fn by_key(app: &AdServer, id: &str, key: &str) -> Result<(), NotAuthentic> {
    let now = app.now().seconds().to_string();
    let signature = sign(key, &signed(&now));
    send(app, id, &now, PostbackSignature::Hmac(&signature)).await
}

/// The same with a pair.
async fn by_pair(app: &AdServer, id: &str, pair: &KeyPair) -> Result<(), NotAuthentic> {
    let now = app.now().seconds().to_string();
    let signature = pair.sign(&signed(&now));
    send(app, id, &now, PostbackSignature::Ed25519(&signature)).await
}

async fn send(app: &AdServer, id: &str, now: &str, signature: PostbackSignature<'_>) -> Result<(), NotAuthentic> {
    let call = SignedCall { advertiser: id, timestamp: now, signature, path: PATH, body: BODY };
    authenticate(app, &call).await.expect("answered").map(drop)
}

fn token(url: Option<&str>) -> String {
    url.and_then(|url| url.rsplit_once('=')).expect("a link").1.to_owned()
}

/// Bob adds an advertiser, which has no key yet; its request and its link.
async fn added(market: &Market, offer: KeyOffer) -> (Advertiser, RequestRef, Option<String>) {
    let added = advertisers::add(&market.world.app, &market.world.bob, "Lumen", offer).await.expect("added");
    let asked = added.asked.clone().expect("a request");
    assert_eq!((asked.status.name(), added.key_origin.name()), ("requested", "awaited"));
    (added, asked.request_id.into(), asked.claim_url)
}

async fn claimed(app: &AdServer, url: Option<&str>) -> ClaimedKey {
    claim(app, &token(url), "203.0.113.5".parse().ok()).await.expect("claimed")
}

/// Everything that staff can read: the answers they got, requests, and the audit log.
async fn all_that_staff_see(app: &AdServer, which: RequestRef) -> String {
    let shown = serde_json::to_string(&show(app, which).await.expect("shown")).expect("JSON");
    let read = |conn: &mut Conn| {
        Ok::<_, Error>(
            diesel::sql_query("SELECT action || ' ' || details AS details FROM audit").load::<Details>(conn)?,
        )
    };
    let rows = app.db.read(read).await.expect("read");
    rows.into_iter().fold(shown, |seen, row| seen + &row.details)
}

#[derive(QueryableByName)]
struct Details {
    #[diesel(sql_type = Text)]
    details: String,
}

on_both!(a_claimed_key_counts_when_its_holder_has_read_its_fingerprint, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    let (advertiser, which, url) = added(&market, KeyOffer::link("https://ads.example/")).await;
    let url = url.as_deref();
    assert!(url.is_some_and(|url| url.starts_with("https://ads.example/#/claim?link=")), "{url:?}");
    assert_eq!(why(approve_key(app, ann, which, Some("00")).await), "key_not_claimed");
    // Looking at a link, as a preview does, does not use it up.
    for _ in 0..2 {
        let seen = look(app, &token(url), None).await.expect("seen");
        assert_eq!((seen.name.as_str(), seen.kind, seen.state), ("Lumen", ClaimKind::AdvertiserKey, ClaimState::Open));
    }
    let key = claimed(app, url).await;
    assert_eq!((key.advertiser_id, key.key.len()), (Some(advertiser.id), 64));
    assert_eq!(key.fingerprint.len(), 24);
    assert_eq!(why(claim(app, &token(url), None).await), "claim_used", "it works once");
    assert_eq!(look(app, &token(url), None).await.expect("seen").state, ClaimState::Used);
    assert_eq!(by_key(app, &advertiser.id.to_string(), &key.key).await, WAITS);
    assert_eq!(by_key(app, &advertiser.id.to_string(), "another").await, WRONG, "who has no key learns nothing");

    assert_eq!(why(approve_key(app, bob, which, Some(&key.fingerprint)).await), "second_person_needed");
    assert_eq!(why(approve(app, ann, which).await), "fingerprint=required");
    assert_eq!(why(approve_key(app, ann, which, Some("0000 0000 0000 0000 0000")).await), "fingerprint=wrong");
    let seen = all_that_staff_see(app, which).await;
    assert!(!seen.contains(&key.key) && !seen.contains(&key.fingerprint), "the approver must ask for it: {seen}");
    assert!(seen.contains("203.0.113.5") && seen.contains("key.claim"), "from where it was opened");
    let heard = key.fingerprint.to_uppercase().replace(' ', "-");
    approve_key(app, ann, which, Some(&heard)).await.expect("approved");
    assert_eq!(by_key(app, &advertiser.id.to_string(), &key.key).await, Ok(()));
    let seen = all_that_staff_see(app, which).await;
    assert!(!seen.contains(&key.key) && seen.contains(&key.fingerprint));
    assert_eq!(why(approve_key(app, ann, which, Some(&key.fingerprint)).await), "already_decided");
    assert_eq!(look(app, &token(url), None).await.expect("seen").state, ClaimState::Used);
    let row = app.db.read(store::plans::advertiser::all).await.expect("rows").remove(0);
    assert!(auth::vault::is_sealed(row.postback_key.as_deref().expect("a key")), "sealed in the database");
    market.check().await;
});

on_both!(a_signature_is_of_its_advertiser_time_and_body, |test| {
    let market = market(test).await;
    let (app, ann) = (&market.world.app, &market.world.ann);
    let (advertiser, ..) = added(&market, KeyOffer::default()).await;
    let asked = advertiser.asked.expect("a request");
    let key = take_key(app, ann, asked.request_id, asked.claim_url.as_deref()).await.expect("taken");
    let (now, old) = (app.now().seconds().to_string(), (app.now().seconds() - 301).to_string());
    let (good, stale) = (sign(&key, &signed(&now)), sign(&key, &signed(&old)));
    let signature = PostbackSignature::Hmac(&good);
    let call =
        SignedCall { advertiser: &advertiser.id.to_string(), timestamp: &now, signature, path: PATH, body: BODY };
    assert!(authenticate(app, &call).await.expect("answered").is_ok());
    let others = market.advertiser.to_string();
    for call in [
        SignedCall { advertiser: "999", ..call },
        SignedCall { advertiser: "x", ..call },
        SignedCall { advertiser: &others, ..call },
        SignedCall { body: b"{}", ..call },
        SignedCall { signature: PostbackSignature::Hmac(""), ..call },
        SignedCall { signature: PostbackSignature::Ed25519(&good), ..call },
        SignedCall { timestamp: &old, signature: PostbackSignature::Hmac(&stale), ..call },
    ] {
        assert!(authenticate(app, &call).await.expect("answered").is_err(), "{call:?}");
    }
});

on_both!(who_opens_the_link_himself_cannot_give_the_holders_fingerprint, |test| {
    let market = market(test).await;
    let (app, ann) = (&market.world.app, &market.world.ann);
    let (advertiser, which, url) = added(&market, KeyOffer::default()).await;
    let insiders = claimed(app, url.as_deref()).await;
    // The advertiser finds the link used, and has nothing to read to Ann.
    assert_eq!(why(claim(app, &token(url.as_deref()), None).await), "claim_used");
    reject(app, ann, which).await.expect("rejected");
    assert_eq!(why(approve_key(app, ann, which, Some(&insiders.fingerprint)).await), "already_decided");
    assert_eq!(by_key(app, &advertiser.id.to_string(), &insiders.key).await, WRONG);
    assert_eq!(why(look(app, &token(url.as_deref()), None).await), "not_found");
});

on_both!(a_key_that_is_brought_counts_when_it_is_the_holders, |test| {
    let market = market(test).await;
    let (app, ann) = (&market.world.app, &market.world.ann);
    let pair = KeyPair::from_seed([7; 32]).expect("a pair");
    let offer = KeyOffer::read(Some(&pair.public_pem()), LOCAL).expect("a public key");
    let (advertiser, which, url) = added(&market, offer).await;
    let print = advertiser.asked.as_ref().and_then(|asked| asked.fingerprint.clone()).expect("shown");
    assert_eq!(url, None);
    assert_eq!(by_pair(app, &advertiser.id.to_string(), &pair).await, WAITS);
    // An insider's own key has another one.
    let others = auth::Fingerprint::of_public(KeyPair::from_seed([8; 32]).expect("a pair").public()).to_string();
    assert_eq!(why(approve_key(app, ann, which, Some(&others)).await), "fingerprint=wrong");
    approve_key(app, ann, which, Some(&print)).await.expect("approved");
    assert_eq!(by_pair(app, &advertiser.id.to_string(), &pair).await, Ok(()));
    // Nobody who reads the database can sign with the public key, in either way.
    assert_eq!(by_key(app, &advertiser.id.to_string(), &auth::hex::encode(pair.public())).await, WRONG);
    assert_eq!(by_key(app, &advertiser.id.to_string(), "").await, WRONG);
    let id: AdvertiserId = advertiser.id;
    assert_eq!(shared_key(app, id).await.expect("read"), None);
    for (text, problem) in [("", "invalid"), (&*pair.private_pem(), "private_key"), (&"00".repeat(32), "weak")] {
        let refused = KeyOffer::read(Some(text), LOCAL).map(drop);
        assert_eq!(why(refused), format!("public_key={problem}"));
    }
    market.check().await;
});

on_both!(the_key_before_counts_until_the_new_one_is_confirmed, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    let (advertiser, first, url) = added(&market, KeyOffer::default()).await;
    let before = claimed(app, url.as_deref()).await;
    approve_key(app, ann, first, Some(&before.fingerprint)).await.expect("approved");
    let id: AdvertiserId = advertiser.id;
    let one = rotate_key(app, bob, id, KeyOffer::default()).await.expect("asked");
    let other = rotate_key(app, bob, id, KeyOffer::default()).await.expect("asked");
    let (newer, newest) =
        (claimed(app, one.claim_url.as_deref()).await, claimed(app, other.claim_url.as_deref()).await);
    for (key, answer) in [(&before, Ok(())), (&newer, WAITS), (&newest, WAITS)] {
        assert_eq!(by_key(app, &advertiser.id.to_string(), &key.key).await, answer);
    }
    let other: RequestRef = other.id.into();
    approve_key(app, ann, other, Some(&newest.fingerprint)).await.expect("approved");
    // It replaced the key that the first request meant to replace.
    let one: RequestRef = one.id.into();
    assert_eq!(why(approve_key(app, ann, one, Some(&newer.fingerprint)).await), "proposal_stale");
    // The old one may be accepted for seconds, but not by a process that reads it now.
    let fresh = crate::support::second(&market);
    for (key, answer) in [(&before, WRONG), (&newer, WAITS), (&newest, Ok(()))] {
        assert_eq!(by_key(&fresh, &advertiser.id.to_string(), &key.key).await, answer);
    }
    market.check().await;
});

on_both!(a_link_lapses_with_its_request, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let (_, which, url) = added(&market, KeyOffer::default()).await;
    market.wait(7 * 86_400);
    for _ in 0..2 {
        assert_eq!(why(look(app, &token(url.as_deref()), None).await), "not_found");
        assert_eq!(why(claim(app, &token(url.as_deref()), None).await), "not_found");
        desk::requests::expire_due(app).await.expect("expired");
    }
    assert_eq!(why(approve_key(app, &market.world.ann, which, Some("x")).await), "request_expired");
    for odd in ["", "x", &"a".repeat(64)] {
        assert_eq!(why(claim(app, odd, None).await), "not_found");
    }
    let (from, mut refused) = ("203.0.113.9".parse().ok(), "");
    for n in 0..200 {
        refused = claim(app, &format!("{n:064x}"), from).await.expect_err("no link").key();
        if refused == "too_many_requests" {
            break;
        }
    }
    assert_eq!(refused, "too_many_requests", "guessing is slowed down");
});

on_both!(one_of_many_who_open_a_link_at_once_gets_the_key, |test| {
    let market = market(test).await;
    let (_, _, url) = added(&market, KeyOffer::default()).await;
    let calls: Vec<_> = (0..16)
        .map(|_| {
            let (app, link) = (market.world.app.clone(), token(url.as_deref()));
            tokio::spawn(async move { claim(&app, &link, None).await })
        })
        .collect();
    let mut got = Vec::new();
    for call in calls {
        match call.await.expect("joined") {
            Ok(claimed) => got.push(claimed),
            refused => assert_eq!(why(refused), "claim_used"),
        }
    }
    assert_eq!(got.len(), 1);
    market.check().await;
});

on_both!(keys_that_were_printed_stay_valid_and_requests_for_such_offer_none, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    // As the version before left an advertiser whose key was derived, and one who asked for another.
    let asked = rotate_key(app, bob, market.advertiser, KeyOffer::default()).await.expect("asked");
    keep(app, &["UPDATE advertisers SET key_origin = 0, postback_key = NULL", "DELETE FROM offered_keys"]).await;
    let printed = market.world.app.secrets.advertiser_key(market.advertiser.0, 1);
    assert_eq!(by_key(app, &market.advertiser.to_string(), &printed).await, Ok(()));
    let which: RequestRef = asked.id.into();
    assert_eq!(why(approve_key(app, ann, which, Some("x")).await), "proposal_stale");
    let shown = serde_json::to_value(show(app, which).await.expect("shown")).expect("JSON");
    assert_eq!((&shown["status"], &shown["key"]), (&Value::from("requested"), &Value::Null));
});

on_both!(a_key_that_somebody_put_into_the_database_is_found, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let asked = rotate_key(app, bob, market.advertiser, KeyOffer::default()).await.expect("asked");
    claimed(app, asked.claim_url.as_deref()).await;
    for edit in [
        "UPDATE offered_keys SET material = 'ab' WHERE material IS NOT NULL",
        "UPDATE offered_keys SET fingerprint = 'ab' WHERE fingerprint IS NOT NULL",
        "UPDATE offered_keys SET request_id = 1 WHERE id = 2",
    ] {
        keep(app, &[edit]).await;
        let faults = app.db.read(crate::decided::faults).await.expect("compared");
        assert!(named(&faults, "offered key", 2), "{edit}: {faults:?}");
    }
});

on_both!(a_new_advertiser_has_a_daily_cap, |test| {
    let market = market(test).await;
    let (added, ..) = added(&market, KeyOffer::default()).await;
    assert_eq!((FIRST_DAILY_CAP, added.daily_cap), (Money::from_minor(100_000), Some(Money::from_minor(100_000))));
});

on_both!(a_simulated_counterparty_takes_its_key, |test| {
    let market = market(test).await;
    let (app, ann) = (&market.world.app, &market.world.ann);
    let (advertiser, ..) = added(&market, KeyOffer::default()).await;
    let asked = advertiser.asked.expect("a request");
    let key = take_key(app, ann, asked.request_id, asked.claim_url.as_deref()).await.expect("taken");
    let id: AdvertiserId = advertiser.id;
    assert_eq!(shared_key(app, id).await.expect("read").as_deref(), Some(key.as_str()));
});
