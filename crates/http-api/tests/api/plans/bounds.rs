//! What a user allows a plan: how much on a day, when, and where.

use actix_web::http::Method;
use serde_json::{Value, json};
use store::on_both;

use super::{market, put_body};
use crate::support::{data, why};

on_both!(a_plans_days_are_limited, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    assert_eq!((&plan["daily_cap"], &plan["consumed_today"]), (&Value::Null, &"0.00".into()));
    let limits = |cap: Value| json!({ "id": plan["id"], "daily_cap": cap });
    let limited = data(c.post("/api/plan/order/limits", limits("25.00".into())).await);
    assert_eq!((&limited["daily_cap"], &limited["consumed_today"]), (&"25.00".into(), &"0.00".into()));
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": plan["id"] })).await);
    assert_eq!(detail["daily_cap"], "25.00");
    for lifted in [limits(Value::Null), limits("".into()), json!({ "id": plan["id"] })] {
        data(c.post("/api/plan/order/limits", limits("25.00".into())).await);
        assert_eq!(data(c.post("/api/plan/order/limits", lifted).await)["daily_cap"], Value::Null);
    }
    for (body, told) in [
        (limits("1e3".into()), "400 params daily_cap=invalid_amount"),
        (limits(25.into()), "400 params daily_cap=invalid_type"),
        (limits("0".into()), "405 amount_out_of_range"),
        (limits("-5.00".into()), "405 amount_out_of_range"),
        (limits("4.99".into()), "405 amount_out_of_range"),
        (json!({ "id": "99", "daily_cap": "25.00" }), "405 not_found"),
        (json!({ "daily_cap": "25.00" }), "400 params id=required"),
    ] {
        assert_eq!(why(&c.post("/api/plan/order/limits", body.clone()).await), told, "{body}");
    }
});

on_both!(limits_bound_a_plan_in_time_and_leave_what_they_do_not_name, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let limit = async |mut limits: Value| {
        limits["id"] = plan["id"].clone();
        c.post("/api/plan/order/limits", limits).await
    };
    let told = async |limits: Value| {
        let plan = data(limit(limits).await);
        ["daily_cap", "begins_at", "ends_at", "hours", "hours_zone"].map(|name| plan[name].clone())
    };
    let (starts, ends) = (test.clock.now().plus_days(2).to_string(), test.clock.now().plus_days(3).to_string());
    let (none, cap, week) = (Value::Null, json!("25.00"), json!(vec!["000000001111111111000000"; 7]));
    let (starts, ends) = (json!(starts), json!(ends));
    told(json!({ "daily_cap": cap })).await;
    let bounded = told(json!({ "ends_at": ends })).await;
    assert_eq!(bounded, [cap.clone(), none.clone(), ends.clone(), none.clone(), none.clone()]);
    let bounded = told(json!({ "starts_at": starts, "hours": week })).await;
    assert_eq!(bounded, [cap.clone(), starts.clone(), ends.clone(), week.clone(), json!("UTC")]);
    let in_berlin = [("X-TZ", "Europe/Berlin GMT+01:00")];
    let body = json!({ "id": plan["id"], "hours": week, "daily_cap": "30.00" }).to_string();
    let moved = data(c.call(Method::POST, "/api/plan/order/limits", &in_berlin, Some(body)).await);
    assert_eq!((&moved["hours_zone"], &moved["daily_cap"]), (&json!("Europe/Berlin"), &json!("30.00")));
    assert_eq!(moved["ends_at"], ends);
    for (limits, why_not) in [
        (json!({ "starts_at": "soon" }), "400 params starts_at=invalid"),
        (json!({ "starts_at": test.clock.now().plus_days(400).to_string() }), "400 params starts_at=too_far_ahead"),
        (json!({ "starts_at": test.clock.now().plus_seconds(-1).to_string() }), "400 params starts_at=in_past"),
        (json!({ "ends_at": test.clock.now().to_string(), "daily_cap": "10.00" }), "400 params ends_at=too_early"),
        (json!({ "ends_at": 7 }), "400 params ends_at=invalid_type"),
        (json!({ "hours": ["1"] }), "400 params hours=invalid"),
        (json!({ "hours": "always" }), "400 params hours=invalid_type"),
    ] {
        assert_eq!(why(&limit(limits.clone()).await), why_not, "{limits}");
    }
    let lifted = told(json!({ "hours": none, "ends_at": "" })).await;
    assert_eq!((&lifted[0], &lifted[2], &lifted[3]), (&json!("30.00"), &none, &none), "and no more than that");
    let begins = told(json!({ "starts_at": none })).await[1].clone();
    assert_eq!(begins, test.clock.now().to_string(), "it begins now");
    data(c.post("/api/plan/order/stop", json!({ "id": plan["id"] })).await);
    assert_eq!(why(&limit(json!({ "ends_at": none })).await), "405 plan_not_running");
});

on_both!(places_are_excluded_and_included_again, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let detail = async || data(c.post("/api/plan/order/detail", json!({ "id": plan["id"] })).await);
    assert_eq!(detail().await["exclusions"], json!([]));
    let site = json!({ "id": plan["id"], "site": "News.example" });
    let told = data(c.post("/api/plan/placement/exclude", site.clone()).await);
    let [one] = told["exclusions"].as_array().expect("a list").as_slice() else { panic!("{told}") };
    assert_eq!((&one["site"], &one["slot"], &one["all_plans"]), (&json!("news.example"), &Value::Null, &json!(false)));
    let told = data(c.post("/api/plan/placement/exclude", json!({ "slot": "news-top" })).await);
    assert_eq!(told["exclusions"].as_array().map(Vec::len), Some(1), "those for all plans");
    let all = detail().await["exclusions"].as_array().expect("a list").clone();
    let slot = all.iter().find(|one| one["slot"] == "news-top").expect("the slot");
    assert_eq!((all.len(), &slot["all_plans"], &slot["site"]), (2, &json!(true), &Value::Null));
    data(c.post("/api/plan/placement/include", site).await);
    data(c.post("/api/plan/placement/include", json!({ "slot": "news-top" })).await);
    assert_eq!(detail().await["exclusions"], json!([]));
    for (body, told) in [
        (json!({ "id": plan["id"] }), "400 params site=required"),
        (json!({ "site": "a", "slot": "b" }), "400 params site=invalid"),
        (json!({ "site": "a", "exchange": "b" }), "400 params site=invalid"),
        (json!({ "exchange": "Nobody's" }), "405 not_found"),
        (json!({ "site": "x".repeat(256) }), "400 params site=too_long"),
        (json!({ "slot": "nobodys" }), "405 not_found"),
        (json!({ "id": "99", "site": "news.example" }), "405 not_found"),
    ] {
        assert_eq!(why(&c.post("/api/plan/placement/exclude", body.clone()).await), told, "{body}");
    }
});

on_both!(a_plan_is_shown_when_its_user_says, |test| {
    let c = market(&test).await;
    let week = vec!["000000001111111111000000"; 7];
    let begins = test.clock.now().plus_days(2).to_string();
    let schedule = json!({ "begins_at": begins, "hours": week, "hours_zone": "Europe/Berlin" });
    let mut body = put_body("100.00");
    body["schedule"] = schedule.clone();
    let plan = data(c.post("/api/plan/order/put", body.clone()).await);
    assert_eq!((&plan["begins_at"], &plan["ends_at"]), (&begins.clone().into(), &Value::Null));
    assert_eq!((&plan["hours"], &plan["hours_zone"]), (&json!(week), &"Europe/Berlin".into()));
    assert!(plan["opens_at"].as_str() >= Some(begins.as_str()), "{plan}");
    for (schedule, told) in [
        (json!({ "ends_at": "yesterday" }), "400 params ends_at=invalid"),
        (json!({ "hours": week, "hours_zone": "Europe/Belrin" }), "400 params hours_zone=invalid"),
    ] {
        body["schedule"] = schedule;
        assert_eq!(why(&c.post("/api/plan/order/put", body.clone()).await), told);
    }
    let set = |schedule: Value| json!({ "id": plan["id"], "schedule": schedule });
    let ends = test.clock.now().plus_days(3).to_string();
    let all = vec!["1".repeat(24); 7];
    let changed = data(
        c.post("/api/plan/order/schedule", set(json!({ "begins_at": begins, "ends_at": ends, "hours": all }))).await,
    );
    assert_eq!(
        (&changed["ends_at"], &changed["hours"], &changed["opens_at"]),
        (&ends.clone().into(), &Value::Null, &begins.clone().into())
    );
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": plan["id"] })).await);
    assert_eq!(detail["due_at"], ends);
    let past = test.clock.now().plus_seconds(-1).to_string();
    let far = test.clock.now().plus_days(400).to_string();
    for (schedule, told) in [
        (json!({ "begins_at": "soon" }), "400 params begins_at=invalid"),
        (json!({ "begins_at": past }), "400 params begins_at=in_past"),
        (json!({ "begins_at": far }), "400 params begins_at=too_far_ahead"),
        (json!({ "begins_at": ends, "ends_at": begins }), "400 params ends_at=too_early"),
        (json!({ "ends_at": past }), "400 params ends_at=too_early"),
        (json!({ "hours": ["1"] }), "400 params hours=invalid"),
        (json!({ "hours": vec!["0".repeat(24); 7] }), "400 params hours=invalid"),
        (json!({ "hours": "always" }), "400 params schedule=invalid_type"),
        (json!([begins, ends]), "400 params schedule=invalid_type"),
    ] {
        let body = set(schedule);
        assert_eq!(why(&c.post("/api/plan/order/schedule", body.clone()).await), told, "{body}");
    }
    assert_eq!(why(&c.post("/api/plan/order/schedule", json!({ "id": "99" })).await), "405 not_found");
    assert_eq!(why(&c.post("/api/plan/order/schedule", json!({})).await), "400 params id=required");
    data(c.post("/api/plan/order/stop", json!({ "id": plan["id"] })).await);
    assert_eq!(why(&c.post("/api/plan/order/schedule", set(json!({}))).await), "405 plan_not_running");
});

on_both!(a_plans_rules_are_set_all_at_once, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let set = |rules: Value| json!({ "id": plan["id"], "rules": rules });
    let rules =
        json!([{ "kind": "loss", "action": "pause", "amount": "5" }, { "kind": "not_shown", "action": "tell" }]);
    let told = data(c.post("/api/plan/order/rules", set(rules.clone())).await);
    let loss = json!({ "kind": "loss", "action": "pause", "amount": "5.00", "crossed_at": null });
    let unseen = json!({ "kind": "not_shown", "action": "tell", "amount": null, "crossed_at": null });
    assert_eq!(told, json!({ "rules": [loss, unseen] }));
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": plan["id"] })).await);
    assert_eq!(detail["rules"], told["rules"]);
    assert_eq!(data(c.post("/api/plan/order/rules", set(json!([]))).await), json!({ "rules": [] }));
    let one =
        |kind: &str, action: &str, amount: Value| set(json!([{ "kind": kind, "action": action, "amount": amount }]));
    for (body, told) in [
        (one("gain", "tell", Value::Null), "400 params kind=invalid"),
        (one("loss", "sell", "5".into()), "400 params action=invalid"),
        (one("loss", "tell", Value::Null), "400 params loss=required"),
        (one("loss", "tell", "1,5,".into()), "400 params loss=invalid_amount"),
        (one("no_conversion", "tell", "0".into()), "405 amount_out_of_range"),
        (json!({ "rules": [] }), "400 params id=required"),
        (json!({ "id": plan["id"] }), "400 params rules=required"),
        (set(json!([rules[0], rules[1], rules[0]])), "400 params kind=invalid"),
        (set(json!([["loss", "tell", "5.00"]])), "400 params rules=invalid_type"),
        (json!({ "id": "99", "rules": [] }), "405 not_found"),
    ] {
        assert_eq!(why(&c.post("/api/plan/order/rules", body.clone()).await), told, "{body}");
    }
});
