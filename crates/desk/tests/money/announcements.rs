//! Where users pay in to, and what they announce.

use ::content::Source;
use base::RechargeAnnouncementId;
use desk::export;
use desk::installation::content;
use desk::requests::{MoneyRequestDraft, approve, request, requests};
use foundation::idempotent::Key;
use foundation::staff::requests::{RequestFilter, RequestView};
use foundation::{Error, PageRequest as Paged};
use futures_util::TryStreamExt;
use i18n::Lang;
use money::wallet::recharges::announcements::{
    Announce, AnnouncementView, WaitsFor, announce, announcements, recharge_form, withdraw_announcement,
};
use store::{PageRequest, on_both};

use crate::bank::imported;
use crate::support::{World, money, why, world};

const BANK: &str = "[[pay_in]]\nid = \"bank\"\nlabel = { en = \"Bank\", de = \"Überweisung\" }\nbeneficiary = \"North Ltd\"\n\
     account = \"de02 1203 0000 0000 2020 51\"\nnote = \"Only yours\"\n";
const WHOLE: PageRequest = Paged { before: None, limit: Paged::MAX_LIMIT };

/// The request for what a file says, which Bob asks for.
async fn asked(w: &World, text: &str) -> Option<RequestView> {
    let source = Source { name: "a.toml".into(), text: text.into(), json: false };
    let report = content::apply(&w.app, &w.bob, &[source]).await.expect("applied");
    let id = report.changes.into_iter().find_map(|change| change.request)?;
    let all = requests(&w.app, RequestFilter::default(), WHOLE).await.expect("a list").items;
    all.into_iter().find(|request| request.id.to_string() == id)
}

async fn with_bank(w: &World) {
    let request = asked(w, BANK).await.expect("requested");
    approve(&w.app, &w.ann, request.id.into()).await.expect("approved");
}

async fn tell(w: &World, amount: &str, key: Option<&str>) -> Result<AnnouncementView, Error> {
    let key = key.map(|key| Key::parse(key).expect("a key"));
    announce(&w.app, w.user, Lang::En, Announce::read(amount, "bank".into(), key)?).await
}

/// The open ones as `amount waits for`.
async fn waiting(w: &World) -> Vec<String> {
    let form = recharge_form(&w.app, w.user, Lang::En).await.expect("a form");
    let row = |one: AnnouncementView| format!("{} {}", one.amount, one.waits_for.map_or("", WaitsFor::name));
    form.announcements.into_iter().map(row).collect()
}

fn id(made: &AnnouncementView) -> RechargeAnnouncementId {
    made.id
}

on_both!(two_people_say_where_users_pay, |test| {
    let w = world(test).await;
    let shown = async || recharge_form(&w.app, w.user, Lang::De).await.expect("a form").accounts;
    let request = asked(&w, BANK).await.expect("requested");
    assert_eq!((request.kind.name(), request.name.as_deref()), ("pay_in", Some("bank")));
    let proposal = serde_json::to_value(&request).expect("JSON")["proposal"].clone();
    assert_eq!(proposal["account"]["to"], "DE02120300000000202051");
    assert_eq!(proposal["label"]["to"]["de"], "Überweisung");
    assert_eq!(shown().await, [], "one person alone shows nothing");
    let which = request.id.into();
    assert_eq!(why(approve(&w.app, &w.bob, which).await), "second_person_needed");
    assert_eq!(why(tell(&w, "1", None).await), "account=invalid");
    approve(&w.app, &w.ann, which).await.expect("approved");
    let accounts = shown().await;
    assert_eq!(accounts.len(), 1);
    let (label, number, note) = (&accounts[0].label, &accounts[0].account, accounts[0].note.as_deref());
    assert_eq!((label.as_str(), number.as_str(), note), ("Überweisung", "DE02120300000000202051", Some("Only yours")));
    assert!(asked(&w, BANK).await.is_none(), "the same is no change");

    // Another number waits; taking one away does not.
    let other = BANK.replace("de02 1203 0000 0000 2020 51", "DE89370400440532013000");
    asked(&w, &other).await.expect("requested");
    assert_eq!(shown().await[0].account, "DE02120300000000202051");
    assert!(asked(&w, &format!("{BANK}active = false\n")).await.is_none(), "retired at once");
    assert_eq!(shown().await, []);
    assert_eq!(why(tell(&w, "1", None).await), "account=invalid");
    asked(&w, &format!("{BANK}active = true\n")).await.expect("bringing it back takes two");
    assert_eq!(shown().await, []);
});

on_both!(an_announcement_waits_until_exactly_its_amount_is_credited, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    let first = tell(&w, "250", None).await.expect("announced");
    tell(&w, "250.00", None).await.expect("announced");
    tell(&w, "30", None).await.expect("announced");
    assert_eq!((first.label.as_str(), first.waits_for), ("Bank", Some(WaitsFor::Bank)));
    assert_eq!(waiting(&w).await, ["30.00 bank", "250.00 bank", "250.00 bank"]);
    assert_eq!(w.property().await.available, money("0"), "it moves nothing");

    // The bank reports one with the user's reference, and one with another's.
    let reference = recharge_form(&w.app, w.user, Lang::En).await.expect("a form").reference;
    let other = bank::creditor::reference(w.user.0 + 1_000);
    let lines = format!("2026-01-01,30.00,USD,Payment {reference},a\n2026-01-01,250.00,USD,{other},b\n");
    imported(&w, &lines).await;
    assert_eq!(waiting(&w).await, ["30.00 customer_service", "250.00 bank", "250.00 bank"]);

    let ask = MoneyRequestDraft::recharge(w.user, "250", "B-1");
    let asked = request(&w.app, &w.ann, ask).await.expect("requested");
    assert_eq!(waiting(&w).await, ["30.00 customer_service", "250.00 approval", "250.00 approval"]);
    approve(&w.app, &w.bob, asked.id.into()).await.expect("approved");
    // The older of the two is done.
    assert_eq!(waiting(&w).await, ["30.00 customer_service", "250.00 bank"]);
    assert_eq!(why(withdraw_announcement(&w.app, w.user, Lang::En, id(&first)).await), "already_decided");
    w.recharge("30.01", "B-2").await;
    assert_eq!(waiting(&w).await.len(), 2, "another amount is another payment");
    w.recharge("250", "B-3").await;
    w.recharge("250", "B-4").await;
    assert_eq!(waiting(&w).await, ["30.00 customer_service"]);
});

on_both!(five_are_open_at_most, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    let first = tell(&w, "1", Some("one")).await.expect("announced");
    assert_eq!(tell(&w, "1", Some("one")).await.expect("the same"), first);
    assert_eq!(why(tell(&w, "2", Some("one")).await), "idempotency_key_reused");
    for amount in ["2", "3", "4", "5"] {
        tell(&w, amount, None).await.expect("announced");
    }
    assert_eq!(why(tell(&w, "6", None).await), "announcements_open");
    let other = w.test.user("other").await;
    assert_eq!(why(withdraw_announcement(&w.app, other, Lang::En, id(&first)).await), "not_found");
    let withdrawn = withdraw_announcement(&w.app, w.user, Lang::En, id(&first)).await.expect("withdrawn");
    assert_eq!((withdrawn.status.name(), withdrawn.waits_for), ("withdrawn", None));
    assert_eq!(why(withdraw_announcement(&w.app, w.user, Lang::En, id(&first)).await), "already_decided");
    tell(&w, "6", None).await.expect("one was withdrawn");
    assert_eq!(why(tell(&w, "7", None).await), "announcements_open");
    assert_eq!(why(tell(&w, "x", None).await), "amount=invalid_amount");
    assert_eq!(why(tell(&w, "0", None).await), "amount_out_of_range");

    // After thirty days they lapse, and nothing credits them.
    w.test.clock.advance_seconds(30 * 86_400 - 1);
    assert_eq!(waiting(&w).await.len(), 5);
    w.test.clock.advance_seconds(1);
    assert_eq!(waiting(&w).await, Vec::<String>::new());
    w.recharge("2", "late").await;
    let (_, file) = export::export(&w.app, w.user, Lang::En).await.expect("a file");
    let file: serde_json::Value =
        serde_json::from_str(&file.try_collect::<String>().await.expect("all")).expect("JSON");
    let statuses = file["recharge_announcements"].as_array().expect("a list").iter().map(|one| one["status"].clone());
    let expected = ["lapsed", "lapsed", "lapsed", "lapsed", "lapsed", "withdrawn"];
    assert_eq!(statuses.collect::<Vec<_>>(), expected);
});

on_both!(nobody_announces_without_end, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    for _ in 0..20 {
        let made = tell(&w, "1", None).await.expect("announced");
        withdraw_announcement(&w.app, w.user, Lang::En, id(&made)).await.expect("withdrawn");
        w.test.clock.advance_seconds(60);
    }
    let wait = match tell(&w, "1", None).await {
        Err(Error::TooManyRequests { retry_after }) => retry_after,
        other => panic!("{other:?}"),
    };
    assert_eq!(wait, 86_400 - 20 * 60);
    w.test.clock.advance_seconds(wait);
    tell(&w, "1", None).await.expect("announced");
});

on_both!(sixteen_at_once_leave_five, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    let tasks: Vec<_> = (1..=16)
        .map(|n| {
            let (app, user) = (w.app.clone(), w.user);
            let command = Announce::read(&n.to_string(), "bank".into(), None).expect("a payment");
            tokio::spawn(async move { announce(&app, user, Lang::En, command).await.is_ok() })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += usize::from(task.await.expect("no panic"));
    }
    assert_eq!((made, waiting(&w).await.len()), (5, 5));
});

on_both!(staff_see_what_is_open, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    let made = tell(&w, "1", None).await.expect("announced");
    tell(&w, "2", None).await.expect("announced");
    let other = w.test.user("other").await;
    let command = Announce::read("3", "bank".into(), None).expect("a payment");
    announce(&w.app, other, Lang::En, command).await.expect("announced");
    withdraw_announcement(&w.app, w.user, Lang::En, id(&made)).await.expect("withdrawn");
    let of = async |user| {
        let found = announcements(&w.app, user, WHOLE).await.expect("a list").items;
        found.into_iter().map(|one| format!("{} {} {}", one.username, one.amount, one.account)).collect::<Vec<_>>()
    };
    assert_eq!(of(None).await, ["other 3.00 bank", "demo 2.00 bank"]);
    assert_eq!(of(Some(w.user)).await, ["demo 2.00 bank"]);
});

on_both!(a_repeat_shows_the_announcement_as_it_is_now, |test| {
    let w = world(test).await;
    with_bank(&w).await;
    let first = tell(&w, "1", Some("one")).await.expect("announced");
    assert_eq!(w.kept().await, format!(r#"{{"id":"{}"}}"#, first.id));
    request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "1", "B-1")).await.expect("requested");
    let waits = tell(&w, "1", Some("one")).await.expect("answered again");
    assert_eq!((first.waits_for, waits.waits_for), (Some(WaitsFor::Bank), Some(WaitsFor::Approval)));
    let withdrawn = withdraw_announcement(&w.app, w.user, Lang::En, id(&first)).await.expect("withdrawn");
    assert_eq!(tell(&w, "1", Some("one")).await.expect("answered again"), withdrawn);
    w.keep(&format!(r#"{{"id":"{}","amount":"1.00","account":"bank","label":"Bank","status":"open"}}"#, first.id))
        .await;
    assert_eq!(tell(&w, "1", Some("one")).await.expect("kept by the version before"), withdrawn);
});
