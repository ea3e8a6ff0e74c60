//! A member of staff alone, with accomplices: a user, an advertiser and an exchange of their
//! own, and whoever opens the links that the person makes. And what is watched of another user.

use auth::signature::{SignedRequest, sign};
use campaigns::delivery::postback::{PostbackSignature, SignedCall, authenticate};
use campaigns::delivery::ssp::bid::caller;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::bank_card::CardView;
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;
use serde_json::Value;

use crate::support::{Key, Placard, open_link, take_key, text};

/// What the person alone does for a user of their own, who has money and nothing to hide.
pub const FOR_A_PUPPET: &[(&str, &str)] = &[
    ("recharge request", "puppet 70.00 --reference puppet-1 --reason r"),
    ("request approve", "{id} --reason r"),
    ("recharge request", "puppet 70.00 --reference PUPPET\u{2011}9 --reason r"),
    ("recharge approve", "{id} --reason r"),
    ("promotion grant", "puppet 70.00 --reason r"),
    ("request approve", "{id} --reason r"),
    ("startup advance", "puppet 70.00 --reason r"),
    ("request approve", "{id} --reason r"),
    ("coupon grant", "puppet 1 --reason r"),
    ("request approve", "{id} --reason r"),
    ("account reset-pay-password", "puppet --reason r"),
    ("request approve", "{id} --reason r"),
    ("operated add", "puppet --id OP-8 --name Eight --reason r"),
    ("plan offer", "puppet 1 --reason r"),
    ("withdrawal approve", "3 --reason r"),
    ("withdrawal pay", "3 --reference PUPPET-OUT --reason r"),
];

/// What the person alone does for an advertiser and an exchange of their own.
pub const FOR_ACCOMPLICES: &[(&str, &str)] = &[
    ("advertiser fund", "{advertiser} 70.00 --reference OWN-2 --reason r"),
    ("request approve", "{id} --reason r"),
    ("advertiser cap", "{advertiser} --none --reason r"),
    ("request approve", "{id} --reason r"),
    ("advertiser rotate-key", "{advertiser} --reason r"),
    ("request approve", "{id} --reason r"),
    ("ssp terms", "{exchange} --share 0.95 --destination {destination.toml} --reason r"),
    ("request approve", "{id} --reason r"),
    ("ssp correct", "{exchange} --amount 5.00 --reason r"),
    ("request approve", "{id} --reason r"),
    ("ssp payout", "{exchange} 50.00 --reason r"),
    ("ssp paid", "{id} --reference OWN-3 --reason r"),
    ("ssp unpaid", "{id} --reason r"),
    ("ssp key", "{exchange} --seat other --reason r"),
    ("request approve", "{id} --reason r"),
];

/// An advertiser and an exchange that do what the person wants, who knows their keys. Two
/// people have agreed to them and to a payment.
pub struct Accomplices {
    pub advertiser: String,
    pub exchange: String,
}

impl Accomplices {
    pub async fn new(placard: &Placard, (ann, ben): (&Key, &Key)) -> Self {
        let added = placard.change(ann, &["advertiser", "add", "Own"]).done();
        let (advertiser, request) = (text(&added["id"]), added["request_id"].clone());
        let key = take_key(placard, ben, &request, &added).await;
        assert!(is_taken_from(placard, &advertiser, &key).await, "the key of their own counts");
        let paid = placard.change(ann, &["advertiser", "fund", &advertiser, "50.00", "--reference", "OWN-1"]).done();
        placard.change(ben, &["request", "approve", &text(&paid["id"])]).done();
        let file =
            placard.file("own.toml", "name = \"Own\"\ndomain = \"own.example\"\ncontact = \"ads@own.example\"\n");
        let added = placard.change(ann, &["ssp", "add", &file]).done();
        let key = take_key(placard, ben, &added["id"], &added).await;
        assert!(caller(&placard.app(), &key).await.is_ok(), "the key of their own counts");
        Self { advertiser, exchange: text(&added["ssp"]["id"]) }
    }

    /// Whoever has a link opens it, and uses the key at once: it waits for a second person.
    pub async fn use_link(&self, placard: &Placard, printed: &Value) {
        if !printed["claim_url"].is_string() {
            return;
        }
        let key = open_link(placard, printed).await.key;
        for advertiser in ["1", &self.advertiser] {
            assert!(!is_taken_from(placard, advertiser, &key).await, "{printed}");
        }
        assert!(caller(&placard.app(), &key).await.is_err(), "{printed}");
    }
}

/// Whether this key signs conversions of the advertiser.
async fn is_taken_from(placard: &Placard, advertiser: &str, key: &str) -> bool {
    let app = placard.app();
    let (timestamp, path) = (app.now().seconds().to_string(), "/t/postback");
    let signature = sign(key, &SignedRequest { timestamp: &timestamp, method: "POST", path, body: b"{}" });
    let signature = PostbackSignature::Hmac(&signature);
    let call = SignedCall { advertiser, timestamp: &timestamp, signature, path, body: b"{}" };
    authenticate(&app, &call).await.expect("answered").is_ok()
}

/// The state of the demonstration's user, whom nobody harms unseen.
pub const VICTIM: &str = "SELECT 'account ' || status || ' ' || email || ' ' || phone || ' ' || COALESCE(password_hash, '') || ' ' || \
     COALESCE(pay_password_hash, '') || ' ' || COALESCE(payouts_held_until, 0) AS line FROM users WHERE username = 'demo' \
     UNION ALL SELECT 'card ' || c.destination FROM bank_cards c JOIN users u ON u.id = c.user_id WHERE u.username = 'demo' \
     UNION ALL SELECT 'plan ' || p.plan_no || ' ' || p.status FROM plans p JOIN users u ON u.id = p.user_id \
     WHERE u.username = 'demo' UNION ALL SELECT 'session ' || s.id || ' ' || COALESCE(s.ended_at, 0) FROM sessions s \
     JOIN users u ON u.id = s.user_id WHERE u.username = 'demo' ORDER BY line";
pub const DEEDS: &str = "SELECT CAST(id AS TEXT) AS line FROM audit WHERE operator_name = 'mal' ORDER BY id";

/// A member of staff, whom another person has confirmed: a person of their own, and alone.
pub fn member(placard: &Placard, (ann, ben): (&Key, &Key), role: &str) -> Key {
    let mal = placard.rotated(&placard.operator(Some(ann), "mal", role));
    placard.change(ben, &["operator", "confirm", "mal"]).done();
    mal
}

/// A user who does what that person wants, with money of their own on its way out.
pub async fn puppet(placard: &Placard, (ann, ben): (&Key, &Key)) {
    let app = placard.app();
    foundation::people::entry::issue_ticket(&app, None, "puppet").await.expect("a ticket");
    let asked = placard.change(ann, &["recharge", "request", "puppet", "100.00", "--reference", "PUPPET-1"]).done();
    placard.change(ben, &["request", "approve", &text(&asked["id"])]).done();
    let user = find_account(&app, "puppet").await.expect("puppet");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("puppet") };
    crate::support::bound(&app, user, address).await;
    withdraw(&app, Proof::assumed(user), Withdraw { amount: "60.00".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
}
