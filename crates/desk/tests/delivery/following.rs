//! The products of operated accounts are offered to their followers.

use auth::Role;
use campaigns::AdServer;
use campaigns::plans::follow::follow;
use campaigns::plans::operated;
use campaigns::plans::plan_views::{self, PlanView};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work::round;
use desk::requests::approve;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use i18n::Lang;
use plans::ContentType;
use store::plans::plan::PlanRow;
use store::plans::product::ProductRow;
use store::{PageRequest, on_both};

use base::{Money, UserId};

use crate::money::why;
use crate::support::market;

async fn plans(app: &AdServer, user: UserId) -> Vec<PlanView> {
    plan_views::list(app, user, None, PageRequest::default()).await.expect("plans").items
}

on_both!(followers_are_offered_what_is_put_once_and_spend_nothing, |test| {
    let market = market(test).await;
    let (app, test) = (&market.world.app, &market.world.test);
    let ann = Staff::new(test.operator("annika", Role::Support).await, "a test").expect("a reason");
    let asked = operated::add(app, ann.clone(), "demo", "OP-1001", "Demo").await.expect("requested");
    let ada = test.user("ada").await;
    assert_eq!(why(follow(app, ada, "OP-1001").await), "follow_id_invalid", "one person alone lets nobody be followed");
    approve(app, &market.world.ann, asked.id.into()).await.expect("approved");
    let (bob, late) = (test.user("bob").await, test.user("late").await);
    let closed = test.user_with_store("closed", false).await;
    for user in [ada, bob, closed] {
        follow(app, user, "OP-1001").await.expect("followed");
    }
    market.put("50.00").await;
    test.clock.advance_seconds(1);
    follow(app, late, "OP-1001").await.expect("followed");
    for _ in 0..4 {
        round(app).await.expect("works");
    }
    for user in [ada, bob] {
        let offered = plans(app, user).await;
        assert_eq!(offered.len(), 1);
        assert_eq!((offered[0].status.name(), &*offered[0].put_amount.to_string()), ("waiting_to_put", "0.00"));
        assert_eq!((offered[0].origin.name(), offered[0].followed_id.as_deref()), ("followed", Some("OP-1001")));
        let told = list_notifications(app, user, Lang::En, NotificationQuery::default()).await.expect("told").items;
        assert_eq!(told.len(), 1);
        assert!(told[0].body.contains(&offered[0].plan_no) && told[0].title.starts_with("Demo"), "{told:?}");
        assert_eq!(told[0].plan_id.as_ref(), Some(&offered[0].id), "the way to the reader's own plan");
    }
    assert!(plans(app, late).await.is_empty(), "who follows later was not there");
    assert!(plans(app, closed).await.is_empty(), "without an ad account there is nothing to put");

    // While an offer is open, there is no second one for the product.
    market.put("50.00").await;
    for _ in 0..3 {
        round(app).await.expect("works");
    }
    assert_eq!((plans(app, ada).await.len(), plans(app, late).await.len()), (1, 1));

    let asked = operated::remove(app, ann, "OP-1001").await.expect("requested");
    assert_eq!(asked.proposal.as_ref().expect("a proposal")["operated_id"]["from"], "OP-1001");
    approve(app, &market.world.ann, asked.id.into()).await.expect("approved");
    market.put("50.00").await;
    round(app).await.expect("works");
    assert_eq!(plans(app, late).await.len(), 1, "nobody follows any more");
});

on_both!(a_follower_may_put_what_was_offered, |test| {
    let market = market(test).await;
    let (app, test) = (&market.world.app, &market.world.test);
    let ann = Staff::new(test.operator("annika", Role::Support).await, "a test").expect("a reason");
    test.user("lina").await;
    let asked = operated::add(app, ann, "lina", "OP-7", "Lina").await.expect("requested");
    approve(app, &market.world.ann, asked.id.into()).await.expect("approved");
    follow(app, market.world.user, "OP-7").await.expect("followed");
    let (product, plan) = (market.product, market.put("20.00").await);
    // As if it were lina's.
    let lina = foundation::people::staff_accounts::find_account(app, "lina").await.expect("lina");
    let id = plan.id;
    test.db.write(move |tx| store::plans::follows::queue_all(tx, &[(id, lina, product)])).await.expect("queued");
    for _ in 0..2 {
        round(app).await.expect("works");
    }
    let waiting =
        plans(app, market.world.user).await.into_iter().find(|p| p.origin.name() == "followed").expect("an offer");
    let offered = waiting.id;
    let rows = test.db.read(move |conn| {
        [id, offered].map(|id| store::plans::plan::find(conn, market.world.user, id)).into_iter().collect()
    });
    let rows: Vec<_> = rows.await.map(|rows: Vec<Option<_>>| rows.into_iter().flatten().collect()).expect("plans");
    let agreed =
        |(plan, _): &(PlanRow, ProductRow)| (plan.terms(), plan.landing_url.clone(), plan.conversions_per_click);
    assert_eq!(agreed(&rows[0]), agreed(&rows[1]), "the product's terms, whoever offers it");
    let command = Put::new(PutTarget::Offered(offered), Money::from_minor(3_000), ContentType::LandingPage);
    let begun = put(app, Proof::assumed(market.world.user), command).await.expect("put");
    assert_eq!((begun.status.name(), begun.origin.name(), begun.official), ("matching", "followed", false));
});

on_both!(every_step_of_a_plan_is_told_once, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let plan = market.put("100.00").await;
    let visit = market.visit().await;
    market.convert("order-1", &visit.click_id).await;
    market.work().await;
    let id = plan.id;
    campaigns::plans::plan_control::control(app, user, id, campaigns::plans::plan_control::PlanCommand::Stop)
        .await
        .expect("stopped");
    market.wait(600);
    market.work().await;
    market.wait(4 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    market.work().await;
    let told = list_notifications(app, user, Lang::En, NotificationQuery::default()).await.expect("told").items;
    let titles: Vec<&str> =
        told.iter().map(|item| item.title.as_str()).filter(|title| title.starts_with("Your plan")).collect();
    let expected = [
        "Your plan is settled",
        "Your plan is waiting for settlement",
        "Your plan has finished",
        "Your plan is running",
    ];
    assert_eq!(titles, expected);
    let settled = told.iter().find(|item| item.title == "Your plan is settled").expect("told");
    assert_eq!((settled.kind.as_deref(), settled.plan_id.as_ref()), (Some("plan_settled"), Some(&plan.id)));
    assert!(settled.body.contains("$12.50") && settled.body.contains("$1.25"), "{}", settled.body);
    let german = list_notifications(app, user, Lang::De, NotificationQuery::default()).await.expect("told").items;
    assert!(german.iter().any(|item| item.body.contains("12,50\u{a0}$")), "{german:?}");
});
