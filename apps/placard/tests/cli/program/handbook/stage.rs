//! What the demonstration's user does before staff are asked.

use campaigns::AdServer;
use std::collections::HashMap;

use base::{ProductId, UserId};
use calendar::Zone;
use campaigns::catalogue::counterparty_keys::claim;
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::notifications::conversation::{Write, write};
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use money::wallet::acceptors::acceptor_detail;
use money::wallet::bank_card::CardView;
use money::wallet::exchange::{PutExchange, put_exchange};
use money::wallet::withdraw::{Withdraw, withdraw};
use payee::testing::tron_address;

use crate::support::Placard;

/// What the page says is set up; what it names by words in `<>` is known afterwards.
pub async fn set(placard: &Placard, what: &str, known: &mut HashMap<String, String>) {
    let app = placard.app();
    if let Some(("claim", names)) = what.split_once(' ') {
        return claimed(&app, names, known).await;
    }
    let user: UserId = find_account(&app, "demo").await.expect("demo");
    match what.split_once(' ').unwrap_or((what, "")) {
        ("card", _) => card(&app, user).await,
        ("withdrawal", amount) => {
            let asked = Withdraw { amount: amount.parse().expect("an amount"), key: None };
            withdraw(&app, Proof::assumed(user), asked).await.expect("asked");
        }
        ("exchange", amount) => exchange(&app, user, amount).await,
        ("plan", amount) => {
            let landing_page = 2_i16.try_into().expect("a content type's code");
            let amount = amount.parse().expect("an amount");
            put(&app, Proof::assumed(user), Put::new(PutTarget::Product(ProductId(1)), amount, landing_page))
                .await
                .expect("put");
        }
        ("message", text) => {
            let message = Write { text: text.to_owned(), pictures: Vec::new(), key: None };
            write(&app, user, message).await.expect("written");
        }
        other => panic!("no such stage: {other:?}"),
    }
}

/// A counterparty opens the link, and reads the fingerprint of its key to whoever asks.
async fn claimed(app: &AdServer, names: &str, known: &mut HashMap<String, String>) {
    let (link, print) = names.split_once(' ').expect("the names of a link and a fingerprint");
    // An answer without it is reported with the others.
    let Some(link) = known.get(link) else { return };
    let claimed = claim(app, link, None).await.expect("claimed");
    known.insert(print.to_owned(), claimed.fingerprint.replace(' ', "-"));
}

async fn card(app: &AdServer, user: UserId) {
    let address = CardView::WalletAddress { network: "TRC20".into(), address: tron_address("user") };
    crate::support::bound(app, user, address).await;
}

async fn exchange(app: &AdServer, user: UserId, amount: &str) {
    let code = "DEMO-PERSONAL-1";
    let shown = acceptor_detail(app, user, "personal", code, Zone::UTC).await.expect("shown");
    let command = PutExchange {
        acceptor: shown.acceptor.id.to_string(),
        code: code.to_owned(),
        amount: amount.parse().expect("an amount"),
        currency: "EUR".to_owned(),
        quote: None,
        rate: None,
        zone: Zone::UTC,
        key: None,
    };
    put_exchange(app, Proof::assumed(user), command).await.expect("put");
}
