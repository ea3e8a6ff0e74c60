//! Which puts are allowed, and that a refusal changes nothing.

use base::{Money, PlanId, ProductId};
use calendar::Zone;
use campaigns::plans::plan_control::offer;
use campaigns::plans::plan_views::{count_waiting, list};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::plans::quote::{QuoteQuery, quote};
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use foundation::{Error, Refusal};
use plans::ContentType;
use store::testing::execute;
use store::{PageRequest, on_both};

use crate::money::why;
use crate::support::market;

on_both!(wrong_amounts_change_nothing, |test| {
    let market = market(test).await;
    for amount in ["NaN", "1e9", "0.001", "", "１０", &"4".repeat(40)] {
        assert_eq!(why(market.try_put(amount).await), "amount=invalid_amount", "{amount}");
    }
    for amount in ["-1", "0", "9.99", "500.01"] {
        assert_eq!(why(market.try_put(amount).await), "amount_out_of_range", "{amount}");
    }
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    let plans = list(&market.world.app, market.world.user, None, PageRequest::default()).await.expect("a list");
    assert_eq!(plans.items.len(), 0);
    market.check().await;
});

on_both!(more_than_is_available_is_refused, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    market.put("495.00").await;
    assert_eq!(why(market.try_put("10.00").await), "insufficient_balance");
    assert_eq!(market.world.property().await.available.to_string(), "5.00");
    market.check().await;
});

on_both!(what_is_not_there_is_refused, |test| {
    let market = market(test).await;
    let on = |on, content| Put::new(on, Money::from_minor(1_000), content);
    let (app, user) = (&market.world.app, market.world.user);
    let other = market.world.test.user("other").await;
    let theirs: PlanId = offer(app, &market.world.bob, other, market.product).await.expect("offered").id;
    assert_eq!(
        why(put(app, Proof::assumed(user), on(PutTarget::Product(ProductId(999)), ContentType::LandingPage)).await),
        "not_found"
    );
    assert_eq!(
        why(put(app, Proof::assumed(user), on(PutTarget::Offered(theirs), ContentType::LandingPage)).await),
        "not_found"
    );
    assert_eq!(
        why(put(app, Proof::assumed(user), on(PutTarget::Product(market.product), ContentType::Video)).await),
        "content=invalid"
    );
    market.check().await;
});

on_both!(an_offer_is_put_once, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let offered = offer(app, &market.world.bob, user, market.product).await.expect("offered");
    assert_eq!((offered.status.name(), offered.official), ("waiting_to_put", true));
    assert_eq!(count_waiting(app, user).await.expect("a count"), 1);
    let id: PlanId = offered.id;
    let command = Put::new(PutTarget::Offered(id), Money::from_minor(5_000), ContentType::LandingPage);
    let plan = put(app, Proof::assumed(user), command.clone()).await.expect("put");
    assert_eq!((plan.id, plan.status.name()), (offered.id, "matching"));
    assert_eq!(why(put(app, Proof::assumed(user), command).await), "plan_not_puttable");
    assert_eq!(count_waiting(app, user).await.expect("a count"), 0);
    assert_eq!(market.world.property().await.available.to_string(), "950.00");
});

on_both!(an_offer_is_not_put_while_its_product_is_closed, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let id: PlanId = offer(app, &market.world.bob, user, market.product).await.expect("offered").id;
    let amount = Money::from_minor(5_000);
    let command = || Put::new(PutTarget::Offered(id), amount, ContentType::LandingPage);
    let ask = || QuoteQuery { target: PutTarget::Offered(id), amount, zone: Zone::UTC };
    let active =
        |is: bool| execute(&market.world.test.url, &format!("UPDATE products SET active = {is}")).expect("set");
    active(false);
    let refused = put(app, Proof::assumed(user), command()).await;
    assert!(matches!(refused, Err(Error::Refused(Refusal::ProductClosed))), "{refused:?}");
    assert_eq!(why(quote(app, user, ask()).await), "plan_not_puttable");
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    active(true);
    assert!(quote(app, user, ask()).await.is_ok());
    assert_eq!(put(app, Proof::assumed(user), command()).await.expect("put").status.name(), "matching");
});

on_both!(one_key_puts_once, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let with = |amount: &str| Put {
        key: Some(Key::parse("k-1").expect("a key")),
        ..Put::new(PutTarget::Product(market.product), amount.parse().expect("an amount"), ContentType::LandingPage)
    };
    let puts: Vec<_> = (0..16)
        .map(|_| {
            tokio::spawn({
                let (app, put_it) = (app.clone(), with("100.00"));
                async move { put(&app, Proof::assumed(user), put_it).await }
            })
        })
        .collect();
    let mut numbers = std::collections::BTreeSet::new();
    for each in puts {
        numbers.insert(each.await.expect("joined").expect("put").plan_no);
    }
    assert_eq!(numbers.len(), 1);
    assert_eq!(why(put(app, Proof::assumed(user), with("200.00")).await), "idempotency_key_reused");
    assert_eq!(market.world.property().await.available.to_string(), "900.00");
    market.check().await;
});

// A plan's figures are selected in the order of their columns by one query, and by their names by the other.
on_both!(a_plan_is_read_the_same_by_every_query, |test| {
    let market = market(test).await;
    let id: PlanId = market.put("20.00").await.id;
    // The database wants a budget that is larger than what was booked, and that more was booked than billed.
    let mut different = vec!["put_amount = 1000".to_owned(), "booked_milli = 900000".to_owned()];
    let others = [
        "paid_amount",
        "added_amount",
        "reserved_milli",
        "rolled_milli",
        "rolled_event_id",
        "rolled_conversion_id",
        "rolled_at",
        "impressions",
        "clicks",
        "viewable",
        "filtered",
        "conversions",
        "billed",
        "returned",
        "revenue",
        "fee",
    ];
    different.extend(others.iter().zip(1..).map(|(name, n)| format!("{name} = {n}")));
    let set = format!("UPDATE plans SET {} WHERE id = {}", different.join(", "), id.0);
    execute(&market.world.test.url, &set).expect("set");
    let user = market.world.user;
    let read = market.world.test.db.write(move |tx| {
        let found = store::plans::plan::find(tx, user, id)?.map(|(plan, _)| plan);
        Ok::<_, store::Error>((found, store::plans::plan::lock_own(tx, [(id, user)])?.pop()))
    });
    let (selected, named) = read.await.expect("read");
    assert!(selected.is_some());
    assert_eq!(selected, named);
});
