//! A member of staff alone, with a user of their own, and what is watched of another user.

use payee::testing::tron_address;
use usecases::people::pay_password::Proof;
use usecases::staff::accounts::find_account;
use usecases::wallet::bank_card::CardView;
use usecases::wallet::withdraw::{Withdraw, withdraw};

use crate::support::{Key, Placard, text};

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
    ("withdrawal approve", "2 --reason r"),
    ("withdrawal pay", "2 --reference PUPPET-OUT --reason r"),
];

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
    usecases::people::entry::issue_ticket(&app, None, "puppet").await.expect("a ticket");
    let asked = placard.change(ann, &["recharge", "request", "puppet", "100.00", "--reference", "PUPPET-1"]).done();
    placard.change(ben, &["request", "approve", &text(&asked["id"])]).done();
    let user = find_account(&app, "puppet").await.expect("puppet");
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("puppet") };
    crate::support::bound(&app, user, address).await;
    withdraw(&app, Proof::assumed(user), Withdraw { amount: "60.00".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
}
