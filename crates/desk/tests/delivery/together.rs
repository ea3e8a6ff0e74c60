//! Puts decided together: each has its own answer, and those after it include its
//! effects.

use campaigns::AdServer;
use std::collections::{BTreeMap, BTreeSet};

use base::{Money, PlanId, ProductId, UserId};
use campaigns::plans::follow::follow;
use campaigns::plans::operated;
use campaigns::plans::overview::Span;
use campaigns::plans::plan_control::offer;
use campaigns::plans::plan_views::{PlanDetail, PlanView, detail, list};
use campaigns::plans::put::{Put, PutTarget, put};
use desk::requests::{MoneyRequestDraft, approve};
use foundation::Error;
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use futures_util::future::join_all;
use money::wallet::property::property;
use plans::ContentType;
use store::{PageRequest, on_both};

use crate::money::{money, why};
use crate::support::{BASE, Market, market, second};

/// A user with this much money.
async fn somebody(market: &Market, name: &'static str, amount: &str) -> UserId {
    let user = market.world.test.user(name).await;
    market.world.book(MoneyRequestDraft::recharge(user, amount, name)).await;
    user
}

/// All at the same moment, each as a separate request.
async fn at_once(apps: &[&AdServer], puts: Vec<(UserId, Put)>) -> Vec<Result<PlanView, Error>> {
    let apps = apps.iter().cycle();
    let tasks = puts.into_iter().zip(apps).map(|((user, command), app)| {
        let app = (*app).clone();
        tokio::spawn(async move { put(&app, Proof::assumed(user), command).await })
    });
    join_all(tasks.collect::<Vec<_>>()).await.into_iter().map(|done| done.expect("no panic")).collect()
}

fn on_product(market: &Market, amount: &str) -> Put {
    Put::new(PutTarget::Product(market.product), amount.parse().expect("an amount"), ContentType::LandingPage)
}

/// It is stored as it was answered.
async fn kept(app: &AdServer, user: UserId, plan: &PlanView) -> PlanDetail {
    let id: PlanId = plan.id;
    let kept = detail(app, user, id, BASE).await.expect("a plan");
    assert_eq!(kept.plan, *plan);
    kept
}

async fn plans_of(app: &AdServer, user: UserId) -> Vec<PlanView> {
    let all = PageRequest { before: None, limit: 100 };
    list(app, user, None, all).await.expect("a list").items
}

on_both!(many_puts_of_several_users_have_each_their_own_answer, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let users = [
        (somebody(&market, "ada", "55.00").await, "55.00"),
        (somebody(&market, "ben", "30.00").await, "30.00"),
        (somebody(&market, "cleo", "9.00").await, "9.00"),
        (market.world.user, "1000.00"),
    ];
    let mut puts = Vec::new();
    for (user, _) in users {
        for amount in ["10.00", "9.99", "20.00", "500.01", "11.00"] {
            puts.push((user, on_product(&market, amount)));
        }
        let unknown = PutTarget::Product(ProductId(999));
        puts.push((user, Put { target: unknown, ..on_product(&market, "10.00") }));
        puts.push((user, Put { content: ContentType::Video, ..on_product(&market, "10.00") }));
    }
    let asked = puts.clone();
    let mut refused = BTreeMap::<(i64, String), Vec<String>>::new();
    let mut spent = BTreeMap::<i64, i64>::new();
    let mut numbers = BTreeSet::new();
    for ((user, command), answer) in asked.into_iter().zip(at_once(&[app], puts).await) {
        match answer {
            Ok(plan) => {
                assert_eq!((plan.put_amount, plan.paid_amount), (command.amount, command.amount));
                assert_eq!((plan.status.name(), plan.reason.name()), ("matching", "put"));
                assert!(numbers.insert(plan.plan_no.clone()));
                kept(app, user, &plan).await;
                *spent.entry(user.0).or_default() += plan.paid_amount.minor();
            }
            refusal => refused.entry((user.0, why(refusal))).or_default().push(command.amount.to_string()),
        }
    }
    for (user, had) in users {
        let why_not = |why: &str| refused.get(&(user.0, why.to_owned())).cloned().unwrap_or_default();
        assert_eq!(why_not("amount_out_of_range"), ["9.99", "500.01"]);
        assert_eq!((why_not("not_found"), why_not("content=invalid")), (vec!["10.00".into()], vec!["10.00".into()]));
        let (short, spent) = (why_not("insufficient_balance"), spent.get(&user.0).copied().unwrap_or(0));
        let left = money(had).minor() - spent;
        let figures = property(app, user).await.expect("figures");
        assert_eq!(figures.available.minor(), left, "{figures:?}");
        assert_eq!(figures.to_be_consumed.minor(), spent);
        assert_eq!(plans_of(app, user).await.len(), 3 - short.len());
        // A user with enough for all was refused nothing, and nobody could have had more.
        assert!(short.iter().all(|amount| money(amount).minor() > left), "{short:?} of {left}");
        assert_eq!(short.is_empty(), had == "55.00" || had == "1000.00");
    }
    market.check().await;
});

on_both!(sixteen_puts_of_one_offer_begin_it_once, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let other = somebody(&market, "ada", "500.00").await;
    let offered = offer(app, &market.world.bob, user, market.product).await.expect("offered");
    let id: PlanId = offered.id;
    let command = Put::new(PutTarget::Offered(id), Money::from_minor(2_000), ContentType::LandingPage);
    let theirs = (other, command.clone());
    let puts = (0..16).map(|_| (user, command.clone())).chain([theirs]).collect();
    let mut answers = at_once(&[app, &second(&market)], puts).await;
    assert_eq!(why(answers.pop().expect("an answer")), "not_found");
    let begun: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).cloned().collect();
    assert_eq!(begun.len(), 1);
    assert_eq!((begun[0].id, &begun[0].plan_no), (offered.id, &offered.plan_no));
    for refused in answers.into_iter().filter(Result::is_err) {
        assert_eq!(why(refused), "plan_not_puttable");
    }
    let timeline: Vec<_> = market.detail(&begun[0]).await.timeline.into_iter().map(|step| step.status.name()).collect();
    assert_eq!(timeline, ["waiting_to_put", "matching"]);
    assert_eq!(market.world.property().await.available.to_string(), "980.00");
    assert_eq!(property(app, other).await.expect("figures").available.to_string(), "500.00");
    market.check().await;
});

on_both!(sixteen_puts_with_one_key_are_one_plan, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let other = somebody(&market, "ada", "500.00").await;
    let key = |name: &str| Some(Key::parse(name).expect("a key"));
    let with = |name: &str, amount: &str| Put { key: key(name), ..on_product(&market, amount) };
    let mut puts: Vec<_> = (0..16).map(|_| (user, with("k-1", "100.00"))).collect();
    // Besides: the same key of another user, another key, and an amount that is too
    // large.
    puts.extend([(other, with("k-1", "100.00")), (user, with("k-2", "30.00")), (user, with("k-3", "501.00"))]);
    let mut answers = at_once(&[app, &second(&market)], puts).await;
    assert_eq!(why(answers.pop().expect("an answer")), "amount_out_of_range");
    let plans: Vec<PlanView> = answers.into_iter().map(|answer| answer.expect("put")).collect();
    assert!(plans[..16].iter().all(|plan| *plan == plans[0]), "{plans:?}");
    assert_eq!(plans.iter().map(|plan| &plan.id).collect::<BTreeSet<_>>().len(), 3);
    // A refused put left its key unused, so it can be used again; the others cannot.
    let later = [("k-3", "10.00"), ("k-1", "10.00")].map(|(name, amount)| (user, with(name, amount)));
    let [unused, used] = at_once(&[app], later.into()).await.try_into().expect("two answers");
    assert_eq!((&*unused.expect("put").put_amount.to_string(), &*why(used)), ("10.00", "idempotency_key_reused"));
    assert_eq!((plans_of(app, user).await.len(), plans_of(app, other).await.len()), (3, 1));
    assert_eq!(market.world.property().await.available.to_string(), "860.00");
    market.check().await;
});

on_both!(a_put_that_learns_among_plain_ones_has_its_arms, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let ada = somebody(&market, "ada", "500.00").await;
    let learning = |learns: bool| Put { ai_delivery: learns, ..on_product(&market, "20.00") };
    let puts: Vec<_> = (0..12).map(|n| (if n % 3 == 0 { ada } else { user }, learning(n % 4 == 1))).collect();
    let asked = puts.clone();
    let answers = at_once(&[app], puts).await;
    for ((user, command), plan) in asked.into_iter().zip(answers) {
        let plan = plan.expect("put");
        assert_eq!(plan.ai_delivery, command.ai_delivery);
        let learns = kept(app, user, &plan).await.ai;
        let arms: Option<Vec<_>> =
            learns.map(|ai| ai.arms.iter().map(|arm| format!("{} {}", arm.creative.name(), arm.audience)).collect());
        assert_eq!(
            arms,
            command.ai_delivery.then(|| ["landing_page rest", "game_description rest"].map(str::to_owned).to_vec())
        );
    }
    market.check().await;
});

on_both!(the_figures_of_puts_at_once_are_all_counted, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let ada = somebody(&market, "ada", "500.00").await;
    let puts = (0..20).map(|n| (if n % 2 == 0 { ada } else { market.world.user }, on_product(&market, "15.00")));
    for answer in at_once(&[app], puts.collect()).await {
        answer.expect("put");
    }
    let figures = market.overview(Span::Today).await;
    assert_eq!((figures.orders, &*figures.invested.to_string()), (10, "150.00"), "{figures:?}");
    market.check().await;
});

on_both!(what_operated_accounts_put_among_others_is_queued, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let (ada, ben) = (somebody(&market, "ada", "100.00").await, somebody(&market, "ben", "100.00").await);
    for (name, id) in [("ada", "OP-1"), ("ben", "OP-2")] {
        let asked = operated::add(app, bob.clone(), name, id, name).await.expect("requested");
        approve(app, &market.world.ann, asked.id.into()).await.expect("approved");
    }
    // Nobody follows ben, and the third cannot be followed.
    follow(app, market.world.user, "OP-1").await.expect("followed");
    let users = [ada, ben, market.world.user];
    let puts: Vec<_> = (0..9).map(|n| (users[n % 3], on_product(&market, "10.00"))).collect();
    let asked = puts.clone();
    let answers = at_once(&[app], puts).await;
    let put = asked.iter().zip(answers).map(|((user, _), plan)| (user.0, plan.expect("put").id));
    let mut adas: Vec<PlanId> = put.filter(|(user, _)| *user == ada.0).map(|(_, id)| id).collect();
    adas.sort();
    let queued = market.world.test.db.read(|conn| store::plans::follows::find_queued(conn, 100)).await.expect("read");
    assert_eq!((queued.len(), queued), (3, adas));
    market.check().await;
});
