//! Promotional credit needs two operators and can only be spent on plans.

use base::RequestId;
use desk::requests::{MoneyRequestDraft, approve, reject, request, requests};
use foundation::people::pay_password::Proof;
use foundation::staff::requests::{RequestFilter, RequestRef};
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use store::on_both;
use wallet::RequestDocument;

use crate::money::{World, funded, why};
use crate::shop::PAGE;
use crate::support::market;

const PROMOTIONS: RequestFilter =
    RequestFilter { document: Some(RequestDocument::Promotion), status: None, user: None, made_by: None };

impl World {
    /// Two operators give the user promotional credit.
    pub async fn promote(&self, amount: &str) {
        self.book(MoneyRequestDraft::grant(self.user, amount)).await;
    }

    async fn asked(&self, ask: MoneyRequestDraft) -> RequestRef {
        let asked = request(&self.app, &self.ann, ask).await.expect("requested");
        RequestRef::of(RequestDocument::Promotion, asked.id)
    }
}

on_both!(a_second_person_grants_it_once, |test| {
    let w = funded(test, "10").await;
    let id = w.asked(MoneyRequestDraft::grant(w.user, "25.00")).await;
    assert_eq!(w.property().await.promotional.to_string(), "0.00");
    assert_eq!(why(approve(&w.app, &w.carl, id).await), "not_permitted");
    assert_eq!(why(approve(&w.app, &w.ann, id).await), "second_person_needed");
    approve(&w.app, &w.bob, id).await.expect("approved");
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "already_decided");
    let property = w.property().await;
    assert_eq!((&*property.promotional.to_string(), &*property.total_assets.to_string()), ("25.00", "10.00"));
    assert_eq!(w.lines().await[0], "coupon 25.00 10.00");
    assert_eq!(
        why(withdraw(
            &w.app,
            Proof::assumed(w.user),
            Withdraw { amount: "10.01".parse().expect("an amount"), key: None }
        )
        .await),
        "insufficient_balance"
    );
    let listed = requests(&w.app, PROMOTIONS, PAGE).await.expect("a list").items;
    assert_eq!((listed.len(), listed[0].username.as_deref(), listed[0].status.name()), (1, Some("demo"), "approved"));
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(only_what_is_left_is_taken_back, |test| {
    let market = market(test).await;
    let w = &market.world;
    w.promote("25.00").await;
    let id = w.asked(MoneyRequestDraft::revoke(w.user, "20.00")).await;
    let too_much = request(&w.app, &w.ann, MoneyRequestDraft::revoke(w.user, "25.01")).await;
    assert_eq!(why(too_much), "insufficient_balance");
    market.put("20.00").await;
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "insufficient_balance");
    assert_eq!(w.property().await.promotional.to_string(), "5.00");
    let id = w.asked(MoneyRequestDraft::revoke(w.user, "5.00")).await;
    approve(&w.app, &w.bob, id).await.expect("approved");
    assert_eq!(w.property().await.promotional.to_string(), "0.00");
    assert_eq!(w.lines().await[0], "virtual_recharge_deduction -5.00 1000.00");
    assert_eq!((market.told("Promotional credit").await, market.told("Promotional credit taken back").await), (1, 1));
    market.check().await;
});

on_both!(a_mistake_is_dropped_by_whoever_sees_it, |test| {
    let w = funded(test, "10").await;
    let id = w.asked(MoneyRequestDraft::grant(w.user, "25.00")).await;
    assert_eq!(why(reject(&w.app, &w.carl, id).await), "not_permitted");
    assert_eq!(reject(&w.app, &w.ann, id).await.expect("rejected").status.name(), "rejected");
    assert_eq!(why(reject(&w.app, &w.bob, id).await), "already_decided");
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "already_decided");
    assert_eq!(w.property().await.promotional.to_string(), "0.00");
    assert_eq!(why(reject(&w.app, &w.bob, RequestRef::any(RequestId(99))).await), "not_found");
});

on_both!(wrong_requests_are_told, |test| {
    let w = funded(test, "10").await;
    let ask = async |by, amount| why(request(&w.app, by, MoneyRequestDraft::grant(w.user, amount)).await);
    assert_eq!(ask(&w.carl, "1.00").await, "not_permitted");
    assert_eq!(ask(&w.ann, "ten").await, "amount=invalid_amount");
    assert_eq!(ask(&w.ann, "0").await, "amount_out_of_range");
    assert_eq!(why(approve(&w.app, &w.bob, RequestRef::any(RequestId(99))).await), "not_found");
    assert!(requests(&w.app, PROMOTIONS, PAGE).await.expect("a list").items.is_empty());
});

on_both!(sixteen_approvals_at_once_grant_once, |test| {
    let w = funded(test, "10").await;
    let id = w.asked(MoneyRequestDraft::grant(w.user, "5.00")).await;
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (app, bob) = (w.app.clone(), w.bob.clone());
            tokio::spawn(async move { approve(&app, &bob, id).await.is_ok() })
        })
        .collect();
    let mut approved = 0;
    for task in tasks {
        approved += usize::from(task.await.expect("no panic"));
    }
    assert_eq!((approved, &*w.property().await.promotional.to_string()), (1, "5.00"));
});
