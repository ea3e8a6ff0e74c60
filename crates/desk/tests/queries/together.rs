//! Puts that wait at the same time are decided together, even if some are refused: with
//! one statement for all if the database accepts several rows, and never by failing and
//! trying each again.

use std::sync::mpsc;
use std::time::Duration;

use base::{Money, PlanId};
use calendar::Zone;
use campaigns::plans::plan_control;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use desk::requests;
use foundation::people::pay_password::Proof;
use money::offers::{activities, coupon_grants, coupon_staff, coupon_views};
use plans::ContentType;
use store::PageRequest;
use store::testing::{TestDb, postgres, sqlite};
use store::wallet::books::Books;

use crate::money::why;
use crate::recorder;
use crate::support::{Market, market};

/// Four of each: plain ones, too large ones, with AI delivery, on one offer, and with
/// either of two coupons with the same name. Each of PostgreSQL's two writers takes the
/// first one by itself.
async fn puts(market: &Market) -> Vec<Put> {
    let (app, bob, user) = (&market.world.app, &market.world.bob, market.world.user);
    let text = "name = 'Off'\nkind = 'deduction'\nvalue = '1.00'\ndays = 9\nactivity = 'newcomer'\nquantity = 9";
    let defined = coupon_staff::define_coupon(app, bob, &toml::from_str(text).expect("a coupon")).await.expect("asked");
    requests::approve(app, &market.world.ann, defined.request.id.into()).await.expect("approved");
    let coupon = activities::receive(app, user, "newcomer", Zone::UTC).await.expect("received").id;
    market.wait(86_400);
    let granted = coupon_grants::grant_coupon(app, bob, "demo", "Off", None).await.expect("asked for");
    requests::approve(app, &market.world.ann, granted.id.into()).await.expect("approved");
    let other =
        coupon_views::coupons(app, user, None, PageRequest::default()).await.expect("coupons").items[0].id.clone();
    assert_ne!(coupon, other);
    let offered: PlanId = plan_control::offer(app, bob, user, market.product).await.expect("offered").id;
    let plain = Put::new(PutTarget::Product(market.product), Money::from_minor(1_000), ContentType::LandingPage);
    let with = |coupon: &str| Put { coupon: Some(coupon.parse().expect("an id")), ..plain.clone() };
    let kinds = [
        plain.clone(),
        Put { amount: Money::from_minor(90_000), ..plain.clone() },
        Put { ai_delivery: true, ..plain.clone() },
        Put { target: PutTarget::Offered(offered), ..plain.clone() },
        with(&coupon),
        with(&other),
    ];
    kinds.iter().cycle().take(24).cloned().collect()
}

/// All of them while the user's wallet is locked, so that they wait together.
async fn while_locked(market: &Market, puts: Vec<Put>) -> Vec<Result<PlanView, foundation::Error>> {
    let (app, user) = (&market.world.app, market.world.user);
    let (locked, is_locked) = mpsc::channel();
    let (free, freed) = mpsc::channel::<()>();
    let db = app.db.clone();
    let holding = tokio::spawn(async move {
        let work = move |tx: &mut store::Tx<'_>| {
            Books::lock_user(tx, user)?;
            let _ = locked.send(());
            let _ = freed.recv_timeout(Duration::from_secs(20));
            Ok::<_, store::Error>(())
        };
        db.write(work).await
    });
    tokio::task::spawn_blocking(move || is_locked.recv()).await.expect("joined").expect("locked");
    let asked: Vec<_> = puts
        .into_iter()
        .map(|command| {
            let app = app.clone();
            tokio::spawn(async move { put(&app, Proof::assumed(user), command).await })
        })
        .collect();
    // However long a slow machine takes, until no more of them come.
    let waiting = || app.db.queues().iter().map(|queue| queue.depth).sum::<usize>();
    let mut before = None;
    while before != Some(waiting()) {
        before = Some(waiting());
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    free.send(()).expect("held");
    holding.await.expect("no panic").expect("freed");
    let mut answers = Vec::new();
    for answer in asked {
        answers.push(answer.await.expect("no panic"));
    }
    answers
}

async fn check(test: TestDb) {
    recorder::start();
    let market = market(test).await;
    let puts = puts(&market).await;
    // What the first put with AI delivery needs has been loaded by now.
    market.put_learning("10.00").await;
    let asked = puts.clone();
    recorder::start();
    let answers = while_locked(&market, puts).await;
    recorder::stop();
    let sent = recorder::sent();
    let mut done = 0;
    let mut refused = Vec::new();
    for (command, answer) in asked.iter().zip(answers) {
        match answer {
            Ok(plan) => {
                done += 1;
                assert_eq!(plan.ai_delivery, command.ai_delivery);
            }
            refusal => refused.push(why(refusal)),
        }
    }
    refused.sort();
    let mut expected = vec!["amount_out_of_range"; 4];
    expected.extend(["coupon_daily_limit"; 4]);
    expected.extend(["coupon_used"; 3]);
    expected.extend(["plan_not_puttable"; 3]);
    assert_eq!((done, refused), (10, expected.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    let times = |text: &str| sent.iter().filter(|sql| sql.starts_with(text)).count();
    assert_eq!(times("ROLLBACK"), 0, "{sent:#?}");
    // The closure, the first of each of two writers, and all the others.
    assert!((2..=4).contains(&times("BEGIN")), "{sent:#?}");
    if market.world.test.url.starts_with("postgres") {
        for table in ["INSERT INTO plans", "UPDATE plans", "INSERT INTO plan_arms", "INSERT INTO transactions"] {
            assert!((1..=3).contains(&times(table)), "{table}: {sent:#?}");
        }
    }
    market.check().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn puts_that_wait_are_decided_together() {
    let _turn = recorder::TURN.lock().await;
    check(sqlite()).await;
    check(postgres()).await;
}
