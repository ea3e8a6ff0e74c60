//! What staff may define and give, and that it takes two of them.

use auth::{AccountStatus, Role};
use base::Timestamp;
use calendar::Zone;
use coupons::{Effect, Kind, State};
use desk::requests::{approve, reject};
use foundation::people::pay_password::{ResetOutcome, reset_pay_password};
use foundation::people::staff_accounts::change_status;
use foundation::staff::audit_log::{AuditFilter, audit_lines};
use foundation::staff::limits::set_limit;
use foundation::staff::requests::{RequestRef, RequestView};
use money::offers::activities::{activities, receive};
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::{CouponFile, DefinitionView, coupon_definitions, define_coupon};
use store::on_both;

use crate::money::why;
use crate::shop::{PAGE, custom, file};
use crate::support::{Market, market};

/// The messages are sentences of another crate, which knows neither list.
#[test]
fn a_wrong_kind_or_effect_is_told_all_that_there_are() {
    let told = |field: &str| content::explained(content::Kind::Coupon, field, "invalid");
    let (kinds, effects) = (told("kind"), told("effect"));
    for kind in Kind::ALL {
        assert!(kinds.contains(kind.name()), "{kind}: {kinds}");
    }
    for effect in Effect::ALL {
        assert!(effects.contains(effect.name()), "{effect}: {effects}");
    }
}

/// Users who want one at the same time.
const PEOPLE: [&str; 12] = ["ada", "ben", "cem", "dua", "eli", "fay", "gil", "hal", "ida", "jan", "kim", "leo"];

fn which(asked: &RequestView) -> RequestRef {
    asked.id.into()
}

async fn listed(market: &Market) -> Vec<DefinitionView> {
    coupon_definitions(&market.world.app, PAGE).await.expect("a list").items
}

async fn deeds(market: &Market) -> Vec<String> {
    let wanted = AuditFilter { by_staff: true, ..AuditFilter::default() };
    let lines = audit_lines(&market.world.app, wanted, PAGE).await.expect("audit").items;
    lines.into_iter().map(|line| line.action).collect()
}

on_both!(a_definition_is_a_draft_until_another_approves_it, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    let tenth = CouponFile { max_value: Some("30".into()), ..custom("Tenth", "discount", "0.1") };
    let defined = define_coupon(app, bob, &tenth).await.expect("asked for");
    let asked = &defined.request;
    assert_eq!((asked.kind.name(), asked.status.name()), ("coupon_terms", "requested"));
    // The most that one adds, twenty times.
    assert_eq!((&*asked.amount.to_string(), asked.name.as_deref()), ("600.00", Some("Tenth")));
    let proposal = asked.proposal.clone().expect("terms");
    assert_eq!((&proposal["value"]["to"], &proposal["quantity"]["to"]), (&"0.10".into(), &20.into()));
    assert_eq!(listed(&market).await, std::slice::from_ref(&defined.coupon));
    assert_eq!((defined.coupon.status, defined.coupon.given), ("draft", 0));
    assert_eq!(why(define_coupon(app, bob, &tenth).await), "name=taken");
    // Nobody hears on the telephone which of two is meant.
    for name in ["tenth", "TENTH", "Tеnth"] {
        let other = CouponFile { name: name.into(), ..tenth.clone() };
        assert_eq!(why(define_coupon(app, bob, &other).await), "name=looks_like_another");
    }
    assert_eq!(why(define_coupon(app, ann, &file("Other", "5")).await), "not_permitted");

    assert_eq!(why(grant_coupon(app, bob, "demo", "Tenth", None).await), "not_approved");
    assert_eq!(why(approve(app, bob, which(asked)).await), "second_person_needed");
    assert_eq!(listed(&market).await[0].status, "draft");
    assert_eq!(market.approve(asked).await.status.name(), "approved");
    assert_eq!(listed(&market).await[0].status, "offered");
    assert_eq!(why(approve(app, ann, which(asked)).await), "already_decided");
    assert_eq!(deeds(&market).await[..3], ["coupon_terms.approve", "coupon.define", "coupon_terms.request"]);
});

on_both!(a_wrong_file_is_told_field_by_field, |test| {
    let market = market(test).await;
    let told = async |file: CouponFile| why(define_coupon(&market.world.app, &market.world.bob, &file).await);
    let good = || file("Off", "5.00");
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(told(CouponFile { kind: "gift".into(), ..good() }).await, "kind=invalid");
    assert_eq!(told(CouponFile { effect: some("addition"), ..good() }).await, "effect=invalid");
    assert_eq!(told(CouponFile { effect: None, kind: "custom".into(), ..good() }).await, "effect=invalid");
    assert_eq!(told(CouponFile { value: "0".into(), ..good() }).await, "value=invalid_amount");
    assert_eq!(told(CouponFile { value: "much".into(), ..good() }).await, "value=invalid");
    assert_eq!(told(custom("Odd", "discount", "1.10")).await, "value=invalid");
    assert_eq!(told(custom("Odd", "discount", "0.125")).await, "value=invalid");
    assert_eq!(told(CouponFile { max_value: some("5"), ..good() }).await, "max_value=invalid");
    // A cost without a limit cannot be counted.
    assert_eq!(told(CouponFile { max_value: None, ..custom("Odd", "discount", "0.1") }).await, "max_value=required");
    assert_eq!(told(CouponFile { days: None, ..good() }).await, "days=required");
    assert_eq!(told(CouponFile { ends: some("2026-02-01T00:00:00Z"), ..good() }).await, "ends=invalid");
    assert_eq!(told(CouponFile { days: None, ends: some("2020-01-01T00:00:00Z"), ..good() }).await, "ends=invalid");
    assert_eq!(told(CouponFile { activity: some("not a key"), ..good() }).await, "activity=invalid");
    assert_eq!(told(CouponFile { operated_id: some("OP-1"), ..good() }).await, "operated_id=invalid");
    assert_eq!(told(CouponFile { operated_id: some("not one"), ..good() }).await, "operated_id=invalid");
    assert_eq!(told(CouponFile { quantity: -1, ..good() }).await, "quantity=invalid");
    assert_eq!(told(CouponFile { quantity: 1_000_001, ..good() }).await, "quantity=invalid");
    let team = CouponFile { kind: "team".into(), effect: some("deduction"), ..good() };
    assert_eq!(told(team).await, "operated_id=required");
    let many = CouponFile { name: " ".into(), min_amount: some("-1"), days: Some(0), ..good() };
    assert_eq!(told(many).await, "days=invalid min_amount=invalid_amount name=required");
    assert!(listed(&market).await.is_empty());
});

on_both!(what_a_definition_can_cost_counts_for_both, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    // A day without any requests yet.
    market.wait(86_400);
    set_limit(app, bob, Role::Admin, "1000.00", "1500.00").await.expect("set");
    set_limit(app, bob, Role::Finance, "900.00", "900.00").await.expect("set");
    let of = |name: &str, value: &str, quantity| CouponFile { quantity, ..custom(name, "addition", value) };
    assert_eq!(why(define_coupon(app, bob, &of("Rich", "1000000.00", 1)).await), "limit_exceeded");
    assert_eq!(why(define_coupon(app, bob, &of("Many", "1.00", 1_001)).await), "limit_exceeded");
    assert_eq!(why(define_coupon(app, bob, &of("Huge", "1000000000000.00", 1_000_000)).await), "amount_out_of_range");
    assert!(listed(&market).await.is_empty(), "what is refused leaves nothing behind");
    let first = define_coupon(app, bob, &of("First", "10.00", 100)).await.expect("within each");
    assert_eq!(why(define_coupon(app, bob, &of("Second", "501.00", 1)).await), "limit_exceeded");
    let second = define_coupon(app, bob, &of("Second", "5.00", 100)).await.expect("all of the day");
    assert_eq!(why(approve(app, ann, which(&first.request)).await), "limit_exceeded");
    market.approve(&second.request).await;
    // Bob has used up his day, Ann has 400.00 left.
    assert_eq!(why(grant_coupon(app, bob, "demo", "Second", None).await), "limit_exceeded");
    market.wait(86_400);
    let asked = grant_coupon(app, bob, "demo", "Second", None).await.expect("another day");
    assert_eq!(asked.amount.to_string(), "5.00");
    set_limit(app, bob, Role::Finance, "4.99", "900.00").await.expect("set");
    assert_eq!(why(approve(app, ann, which(&asked)).await), "limit_exceeded");
    assert!(market.held(State::Unused).await.is_empty());
});

on_both!(a_grant_is_given_once_another_has_approved_it, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    market.define(file("Off", "5.00")).await;
    let asked = grant_coupon(app, bob, "Demo", "1", None).await.expect("asked for by its id");
    assert_eq!((asked.kind.name(), asked.status.name()), ("coupon_grant", "requested"));
    assert_eq!((asked.username.as_deref(), &*asked.amount.to_string()), (Some("demo"), "5.00"));
    assert_eq!(asked.proposal.clone().expect("a coupon")["coupon"]["to"], "Off");
    let again = grant_coupon(app, bob, "demo", "Off", None).await.expect("the same");
    assert_eq!(again.id, asked.id, "typed twice, asked for once");
    assert_eq!(why(approve(app, bob, which(&asked)).await), "second_person_needed");
    assert!(market.held(State::Unused).await.is_empty());
    assert_eq!(market.told("A coupon for you").await, 0);
    market.approve(&asked).await;
    assert_eq!((market.held(State::Unused).await, listed(&market).await[0].given), (vec!["Off".to_owned()], 1));
    assert_eq!(market.told("A coupon for you").await, 1);
    assert_eq!(deeds(&market).await[..2], ["coupon_grant.approve", "coupon_grant.request"]);

    assert_eq!(why(grant_coupon(app, bob, "demo", "Off", None).await), "coupon_daily_limit");
    assert_eq!(why(grant_coupon(app, bob, "demo", "None", None).await), "not_found");
    assert_eq!(why(grant_coupon(app, bob, "nobody", "Off", None).await), "not_found");
    assert_eq!(why(grant_coupon(app, ann, "demo", "Off", None).await), "not_permitted");
    market.wait(86_400);
    let asked = grant_coupon(app, bob, "demo", "Off", None).await.expect("asked for");
    assert_eq!(reject(app, bob, which(&asked)).await.expect("rejected").status.name(), "rejected");
    // A demonstration may give an expired one; a live installation may not.
    let past = Some(Timestamp::from_seconds(1_000));
    let late = grant_coupon(app, bob, "demo", "Off", past).await.expect("asked for");
    market.approve(&late).await;
    assert_eq!((market.held(State::Unused).await.len(), market.held(State::Expired).await.len()), (1, 1));
    assert_eq!(market.told("A coupon for you").await, 2);
});

on_both!(a_reset_needs_two_people_where_a_coupon_is_unused, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    market.define(file("Off", "5.00")).await;
    market.world.test.user("other").await;
    let takes_two = async || match reset_pay_password(app, bob.clone(), "other").await.expect("asked for") {
        ResetOutcome::Done(_) => false,
        ResetOutcome::Requested(_) => true,
    };
    assert!(!takes_two().await, "there is nothing of value");
    let asked = grant_coupon(app, bob, "other", "Off", None).await.expect("asked for");
    assert!(takes_two().await, "a coupon is on its way");
    reject(app, bob, which(&asked)).await.expect("rejected");
    assert!(!takes_two().await, "it did not come");
    let asked = grant_coupon(app, bob, "other", "Off", None).await.expect("asked for");
    market.approve(&asked).await;
    assert!(takes_two().await, "a coupon can be put on a plan");
    market.wait(31 * 86_400);
    assert!(!takes_two().await, "it has expired");
});

on_both!(what_speaks_against_a_grant_by_then_refuses_it, |test| {
    let market = market(test).await;
    let (app, bob, ann) = (&market.world.app, &market.world.bob, &market.world.ann);
    let ask = async |name: &str, expires| grant_coupon(app, bob, "demo", name, expires).await.expect("asked for");
    let told = async |asked: &RequestView| why(approve(app, ann, which(asked)).await);
    market.define(CouponFile { quantity: 1, ..file("One", "5.00") }).await;
    let one = ask("One", None).await;
    market.world.test.user("other").await;
    let other = grant_coupon(app, bob, "other", "One", None).await.expect("asked for");
    market.approve(&other).await;
    assert_eq!(told(&one).await, "coupon_exhausted");
    assert_eq!(why(grant_coupon(app, bob, "demo", "One", None).await), "coupon_exhausted");
    assert_eq!(listed(&market).await[0].status, "exhausted");

    market.define(CouponFile { activity: Some("newcomer".into()), ..file("Off", "5.00") }).await;
    let off = ask("Off", None).await;
    receive(app, market.world.user, "newcomer", Zone::UTC).await.expect("received");
    assert_eq!(told(&off).await, "coupon_daily_limit");

    let ends = Some("2026-01-06T00:00:00Z".to_owned());
    market.define(CouponFile { days: None, ends, ..file("Ends", "5.00") }).await;
    market.define(file("Own", "5.00")).await;
    let (ends, own) = (ask("Ends", None).await, ask("Own", Some(app.now().plus_seconds(60))).await);
    market.wait(86_400);
    assert_eq!(told(&ends).await, "coupon_expired");
    assert_eq!(told(&own).await, "coupon_expired");

    let late = ask("Own", None).await;
    market.wait(7 * 86_400);
    assert_eq!(told(&late).await, "request_expired");
    let late = ask("Own", None).await;
    change_status(app, bob.clone(), "demo", AccountStatus::Disabled).await.expect("disabled");
    assert_eq!(told(&late).await, "account_not_active");
    assert_eq!(why(grant_coupon(app, bob, "demo", "Own", None).await), "account_not_active");
    assert_eq!(market.told("A coupon for you").await, 0);
});

on_both!(grants_at_once_give_no_more_than_there_are, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    market.define(CouponFile { quantity: 2, ..file("Two", "5.00") }).await;
    let mut asked = Vec::new();
    for name in &PEOPLE[..6] {
        market.world.test.user(name).await;
        asked.push(which(&grant_coupon(app, bob, name, "Two", None).await.expect("asked for")));
    }
    let tasks: Vec<_> = asked
        .into_iter()
        .map(|which| {
            let (app, ann) = (app.clone(), market.world.ann.clone());
            tokio::spawn(async move { approve(&app, &ann, which).await })
        })
        .collect();
    let mut given = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => given += 1,
            refused => assert_eq!(why(refused), "coupon_exhausted"),
        }
    }
    assert_eq!((given, listed(&market).await[0].given), (2, 2));
    market.check().await;
});

on_both!(claims_at_once_receive_no_more_than_there_are, |test| {
    let market = market(test).await;
    market.define(CouponFile { quantity: 3, activity: Some("newcomer".into()), ..file("Welcome", "5.00") }).await;
    let mut tasks = Vec::new();
    for name in PEOPLE {
        let (app, user) = (market.world.app.clone(), market.world.test.user(name).await);
        tasks.push(tokio::spawn(async move { receive(&app, user, "newcomer", Zone::UTC).await }));
    }
    let mut received = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => received += 1,
            refused => assert_eq!(why(refused), "not_found"),
        }
    }
    assert_eq!((received, listed(&market).await[0].given), (3, 3));
    let shown = activities(&market.world.app, market.world.user, i18n::Lang::En).await.expect("activities");
    assert!(shown.is_empty(), "there is none left");
    market.check().await;
});
