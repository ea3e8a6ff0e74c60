//! What staff may define and give.

use base::Timestamp;
use coupons::State;
use store::on_both;
use usecases::audit_log::{Wanted, audit_lines};
use usecases::coupon_staff::{CouponFile, coupon_definitions, define_coupon, grant_coupon};

use crate::money::why;
use crate::shop::{PAGE, custom, file};
use crate::support::market;

on_both!(a_definition_is_kept_as_it_was_written, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let tenth = CouponFile { max_value: Some("30".into()), ..custom("Tenth", "discount", "0.1") };
    let defined = define_coupon(app, bob, &tenth).await.expect("defined");
    assert_eq!((defined.value.as_str(), defined.max_value.as_deref()), ("0.10", Some("30.00")));
    let ends = Some("2026-02-01T00:00:00Z".to_owned());
    let off = define_coupon(app, bob, &CouponFile { days: None, ends, ..file("Off", "5") }).await.expect("defined");
    assert_eq!((off.effect.as_str(), off.value.as_str(), off.days), ("deduction", "5.00", None));
    assert_eq!(coupon_definitions(app, PAGE).await.expect("a list").items, [off, defined]);
    assert_eq!(why(define_coupon(app, bob, &tenth).await), "name=taken");
    assert_eq!(why(define_coupon(app, &market.world.ann, &file("Other", "5")).await), "not_permitted");
    let deeds: Vec<_> = audit_lines(app, Wanted { by_staff: true, ..Wanted::default() }, PAGE)
        .await
        .expect("audit")
        .items
        .into_iter()
        .map(|l| l.action)
        .collect();
    assert_eq!(deeds[..2], ["coupon.define", "coupon.define"]);
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
    assert_eq!(told(CouponFile { days: None, ..good() }).await, "days=required");
    assert_eq!(told(CouponFile { ends: some("2026-02-01T00:00:00Z"), ..good() }).await, "ends=invalid");
    assert_eq!(told(CouponFile { days: None, ends: some("2020-01-01T00:00:00Z"), ..good() }).await, "ends=invalid");
    assert_eq!(told(CouponFile { activity: some("lottery"), ..good() }).await, "activity=invalid");
    assert_eq!(told(CouponFile { operated_id: some("OP-1"), ..good() }).await, "operated_id=invalid");
    assert_eq!(told(CouponFile { operated_id: some("not one"), ..good() }).await, "operated_id=invalid");
    let team = CouponFile { kind: "team".into(), effect: some("deduction"), ..good() };
    assert_eq!(told(team).await, "operated_id=required");
    let many = CouponFile { name: " ".into(), min_amount: some("-1"), days: Some(0), ..good() };
    assert_eq!(told(many).await, "days=invalid min_amount=invalid_amount name=required");
});

on_both!(a_coupon_is_given_once_a_day, |test| {
    let market = market(test).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    market.define(file("Off", "5.00")).await;
    let first = grant_coupon(app, bob, "Demo", "1", None).await.expect("granted by its id");
    assert_eq!((first.name.as_str(), first.status.as_str()), ("Off", "unused"));
    assert_eq!(why(grant_coupon(app, bob, "demo", "Off", None).await), "coupon_daily_limit");
    assert_eq!(why(grant_coupon(app, bob, "demo", "None", None).await), "not_found");
    assert_eq!(why(grant_coupon(app, bob, "nobody", "Off", None).await), "not_found");
    assert_eq!(why(grant_coupon(app, &market.world.ann, "demo", "Off", None).await), "not_permitted");
    market.wait(86_400);
    // A demonstration may give one that has expired; money's own installation may not.
    let past = Some(Timestamp::from_seconds(1_000));
    assert_eq!(grant_coupon(app, bob, "demo", "Off", past).await.expect("granted").status, "expired");
    assert_eq!((market.held(State::Unused).await.len(), market.held(State::Expired).await.len()), (1, 1));
    assert_eq!(market.told("A coupon for you").await, 2);
});
