//! Lists of conversions: each of them is answered as if it had come alone.

use std::collections::BTreeMap;

use campaigns::delivery::postback::{ListedAnswer, MOST, Postback, PostbackAnswer, WrongFields};
use store::on_both;

use crate::support::{self, market_with};

type Listed = Result<Postback, WrongFields>;

fn conversion(event: &str, click: &str) -> Listed {
    Ok(support::conversion(event, click))
}

fn reversal(event: &str) -> Listed {
    Ok(support::reversal(event))
}

/// An answer in a word.
fn word(answer: &ListedAnswer) -> String {
    let ListedAnswer { answer: PostbackAnswer { accepted, duplicate, reason }, fields } = answer;
    let fields = fields.iter().map(|(field, problem)| format!("{field}={problem}"));
    let reason = reason.map(|reason| reason.name().to_owned());
    let words = [accepted.then(|| "accepted".to_owned()), duplicate.then(|| "again".to_owned()), reason];
    words.into_iter().flatten().chain(fields).collect::<Vec<_>>().join(" ")
}

fn words(answers: &[ListedAnswer]) -> Vec<String> {
    answers.iter().map(word).collect()
}

on_both!(each_of_a_list_is_answered_in_order_and_as_if_alone, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 3).await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    market.convert("before", &click).await;
    let unread = BTreeMap::from([("event_id".to_owned(), "invalid_type".to_owned())]);
    let at =
        |event: &str, at: &str| Ok(Postback { occurred_at: Some(at.into()), ..support::conversion(event, &click) });
    let list = || {
        vec![
            conversion("before", &click),
            conversion("a", &click),
            Err(unread.clone()),
            conversion("a", &click),
            conversion("b", "unknown"),
            conversion("", &click),
            at("c", "yesterday"),
            at("d", "2020-01-01T00:00:00Z"),
            reversal("a"),
            reversal("a"),
            reversal("nothing"),
            conversion("a", &click),
            conversion("e", &click),
            conversion("f", &click),
            conversion("g", &click),
        ]
    };
    let answered = words(&market.send(list()).await);
    let expected = [
        "accepted again",
        "accepted",
        "event_id=invalid_type",
        "accepted again",
        "unknown_click",
        "event_id=invalid",
        "occurred_at=invalid",
        "implausible_time",
        "accepted",
        "accepted again",
        "unknown_event",
        "again reversed",
        "accepted",
        "accepted",
        "click_used_up",
    ];
    assert_eq!(answered, expected);
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "37.50");
    let repeated = words(&market.send(list()).await);
    assert_eq!(repeated[1..4], ["again reversed", "event_id=invalid_type", "again reversed"]);
    assert_eq!(repeated[12..], ["accepted again", "accepted again", "again click_used_up"]);
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "37.50", "nothing is paid twice");
    assert!(market.send(Vec::new()).await.is_empty());
    market.work().await;
    market.check().await;
});

on_both!(reversals_of_a_list_are_taken_from_what_was_counted, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 10).await;
    let plan = market.put("10.00").await;
    let click = market.visit().await.click_id;
    market.send((0..6).map(|n| conversion(&format!("e{n}"), &click)).collect()).await;
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.revenue.to_string(), "75.00");
    // Some were counted and one was not.
    market.send(vec![conversion("late", &click)]).await;
    let taken = market.send(["e0", "late", "e1", "e0"].map(reversal).into()).await;
    assert_eq!(words(&taken), ["accepted", "accepted", "accepted", "accepted again"]);
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.revenue.to_string(), "50.00");
    market.check().await;
    market.visit().await;
    market.work().await;
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(words(&market.send(vec![reversal("e2"), reversal("e0")]).await), ["settled", "accepted again"]);
    market.check().await;
});

on_both!(a_thousand_are_booked_once_however_often_they_come, |test| {
    let market = market_with(test, |product| {
        product.conversions_per_click = 1_000;
        product.payout = "0.50".into();
    })
    .await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let list = || (0..MOST).map(|n| conversion(&format!("order-{n}"), &click)).collect::<Vec<_>>();
    let (one, two, single) =
        tokio::join!(market.send(list()), market.send(list()), market.convert("order-500", &click));
    assert!(single.accepted && one.len() == MOST && two.len() == MOST);
    let new = |answers: &[ListedAnswer]| answers.iter().filter(|of| of.answer.accepted && !of.answer.duplicate).count();
    assert_eq!(new(&one) + new(&two) + usize::from(!single.duplicate), MOST);
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "500.00");
    market.work().await;
    market.check().await;
});

on_both!(a_list_reaches_no_further_than_the_funds, |test| {
    let market = market_with(test, |product| {
        product.conversions_per_click = 1_000;
        product.payout = "300.00".into();
    })
    .await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let list = ["a", "b", "c", "d"].map(|event| conversion(event, &click));
    let used_up = "advertiser_funds_exhausted";
    assert_eq!(words(&market.send(list.into()).await), ["accepted", "accepted", "accepted", used_up]);
    let more = vec![reversal("b"), conversion("e", &click), conversion("f", &click)];
    assert_eq!(words(&market.send(more).await), ["accepted", "accepted", used_up]);
    market.work().await;
    market.check().await;
});
