//! Products, plans and the overview.

mod bounds;

use actix_web::http::Method;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{Client, PASSWORD, client, data, download, funded, sign_in, why};

async fn market(test: &TestDb) -> Client {
    let client = funded(test, "1000.00").await;
    open_market(test, &client.shell).await;
    client
}

fn put_body(amount: &str) -> Value {
    json!({ "product_id": "1", "amount": amount, "content": "landing_page", "password": PASSWORD })
}

on_both!(products_are_listed_and_shown, |test| {
    let c = market(&test).await;
    let listed = data(c.get("/api/products").await);
    assert_eq!(listed["items"].as_array().expect("a list").len(), 1);
    assert_eq!(listed["next_cursor"], Value::Null);
    let shown = data(c.post("/api/plan/order/app/detail", json!({ "product_id": "1" })).await);
    assert_eq!(shown, listed["items"][0]);
    assert_eq!(shown["put_rule"], json!({ "pricing": "cpm", "price": "5000.00", "days": 7 }));
    assert_eq!(shown["payout"], json!({ "per": "conversion", "amount": "12.50" }));
    assert_eq!(why(&c.post("/api/plan/order/app/detail", json!({ "product_id": "99" })).await), "405 not_found");
    assert_eq!(why(&c.post("/api/plan/order/app/detail", json!({})).await), "400 params product_id=required");
    assert_eq!(why(&c.get("/api/products?limit=101").await), "400 params limit=invalid");
    assert_eq!(why(&c.get("/api/products?cursor=x").await), "400 params cursor=invalid");
});

on_both!(a_plan_is_put_listed_and_steered, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    assert_eq!((plan["status"].as_str(), plan["put_amount"].as_str()), (Some("matching"), Some("100.00")));
    let mut listed = plan.clone();
    listed["trend"] = json!(["0.00"]);
    listed["conversions"] = json!(0);
    let page = data(c.get("/api/plan/order/list").await);
    assert_eq!((&page["items"], &page["next_cursor"]), (&json!([listed]), &Value::Null));
    assert_eq!(page["choices"]["products"], json!([{ "id": "1", "name": plan["product"]["name"] }]));
    assert_eq!(data(c.get("/api/plan/order/list?status=settled").await)["items"], json!([]));
    assert_eq!(why(&c.get("/api/plan/order/list?status=lost").await), "400 params status=invalid");
    let id = json!({ "id": plan["id"] });
    let detail = data(c.post("/api/plan/order/detail", id.clone()).await);
    assert_eq!(detail["timeline"][0]["status"], "matching");
    assert!(detail["tracking"]["click_url"].as_str().expect("a link").contains("/t/c/"));
    assert_eq!(data(c.post("/api/plan/order/pause", id.clone()).await)["paused"], true);
    assert_eq!(data(c.post("/api/plan/order/resume", id.clone()).await)["paused"], false);
    let stop = async |key: &str| {
        c.call(Method::POST, "/api/plan/order/stop", &[("Idempotency-Key", key)], Some(id.to_string())).await
    };
    assert_eq!(data(stop("one").await)["status"], "put_finished");
    assert_eq!(data(stop("one").await)["status"], "put_finished", "its answer was lost");
    assert_eq!(why(&stop("two").await), "405 plan_not_puttable");
    let again = c.post("/api/plan/order/stop", id).await;
    assert_eq!(why(&again), "405 plan_not_puttable");
    assert_eq!(again["msg"], "The plan’s current status does not allow this", "nothing was put");
    assert_eq!(data(c.post("/api/plan/order/await/put/count", json!({})).await), json!({ "count": 0 }));
});

on_both!(plans_are_searched_filtered_and_sorted_by_what_the_query_says, |test| {
    let c = market(&test).await;
    let small = data(c.post("/api/plan/order/put", put_body("20.00")).await);
    let large = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let name = small["product"]["name"].as_str().expect("a name")[..4].to_lowercase();
    let found = async |query: &str| {
        let page = data(c.get(&format!("/api/plan/order/list?{query}")).await);
        let items = page["items"].as_array().expect("a list").clone();
        let ids: Vec<Value> = items.iter().map(|plan| plan["id"].clone()).collect();
        (ids, page["next_cursor"].clone())
    };
    let (both, turned) =
        (vec![large["id"].clone(), small["id"].clone()], vec![small["id"].clone(), large["id"].clone()]);
    assert_eq!(found("sort=newest").await, (both.clone(), Value::Null));
    assert_eq!(found("sort=&order=asc").await.0, turned);
    assert_eq!(found(&format!("search={name}&product_id=1")).await.0, both);
    assert_eq!(found("search=nothing").await.0, Vec::<Value>::new());
    let today = &small["put_at"].as_str().expect("put")[..10];
    assert_eq!(found(&format!("from={today}&to={today}&sort=profit&order=asc")).await.0, turned);
    let (first, next) = found("sort=roi&limit=1").await;
    assert_eq!(first, both[..1]);
    let next = next.as_str().expect("another page").to_owned();
    assert_eq!(found(&format!("sort=roi&limit=1&cursor={next}")).await, (both[1..].to_vec(), Value::Null));
    for (query, told) in [
        ("sort=luck", "sort=invalid"),
        ("order=up", "order=invalid"),
        ("from=soon", "from=invalid"),
        ("from=2026-02-02&to=2026-02-01", "to=invalid"),
        ("product_id=x", "product_id=invalid"),
        ("cursor=x", "cursor=invalid"),
    ] {
        let answer = c.get(&format!("/api/plan/order/list?{query}")).await;
        assert_eq!(why(&answer), format!("400 params {told}"));
    }
});

on_both!(a_plan_with_ai_delivery_tells_what_it_measures, |test| {
    let c = market(&test).await;
    let plain = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    assert_eq!(plain["ai_delivery"], false);
    assert_eq!(data(c.post("/api/plan/order/detail", json!({ "id": plain["id"] })).await)["ai"], Value::Null);
    let mut body = put_body("100.00");
    body["ai_delivery"] = "yes".into();
    assert_eq!(why(&c.post("/api/plan/order/put", body.clone()).await), "400 params ai_delivery=invalid_type");
    body["ai_delivery"] = true.into();
    let plan = data(c.post("/api/plan/order/put", body).await);
    assert_eq!(plan["ai_delivery"], true);
    let ai = data(c.post("/api/plan/order/detail", json!({ "id": plan["id"] })).await)["ai"].clone();
    let arm = &ai["arms"][0];
    assert_eq!((&arm["audience"], &arm["impressions"]), (&"rest".into(), &0.into()));
    assert_eq!((&arm["share"], &ai["uplift"]), (&"0.0000".into(), &Value::Null));
    assert_eq!(ai["holdout"], json!({ "impressions": 0, "clicks": 0, "conversions": 0 }));
    assert_eq!(ai["pace"], json!({ "spent_share": "0.0000", "time_share": "0.0000" }));
});

on_both!(wrong_puts_are_refused_and_change_nothing, |test| {
    let c = market(&test).await;
    let raw = |amount: &str| put_body("X").to_string().replace("\"X\"", amount);
    let forty = format!("\"{}\"", "4".repeat(40));
    for (amount, told) in [
        ("\"NaN\"", "400 params amount=invalid_amount"),
        ("\"1e9\"", "400 params amount=invalid_amount"),
        ("\"0.001\"", "400 params amount=invalid_amount"),
        (forty.as_str(), "400 params amount=invalid_amount"),
        ("100", "400 params amount=invalid_type"),
        ("NaN", "400 params body=invalid"),
        ("\"-1\"", "405 amount_out_of_range"),
        ("\"0\"", "405 amount_out_of_range"),
        ("\"9.99\"", "405 amount_out_of_range"),
        ("\"500.01\"", "405 amount_out_of_range"),
    ] {
        let answer = c.call(Method::POST, "/api/plan/order/put", &[], Some(raw(amount))).await;
        assert_eq!(why(&answer), told, "{amount}");
        if told.starts_with("405") {
            assert_eq!(answer["msg"], "Investment amount out of range");
        }
    }
    let all = why(&c.post("/api/plan/order/put", json!({})).await);
    assert_eq!(all, "400 params amount=required content=required password=required");
    let changed = |name: &str, value: &str| {
        let mut body = put_body("100.00");
        body[name] = value.into();
        body
    };
    for (body, told) in [
        (changed("content", "poster"), "400 params content=invalid"),
        (changed("content", "video"), "400 params content=invalid"),
        (changed("password", "123456"), "400 params password=invalid_md5"),
        (changed("password", &"0".repeat(32)), "405 wrong_pay_password"),
        (changed("product_id", "99"), "405 not_found"),
        (changed("id", "1"), "400 params product_id=invalid"),
    ] {
        assert_eq!(why(&c.post("/api/plan/order/put", body.clone()).await), told, "{body}");
    }
    let property = data(c.get("/api/user/property").await);
    assert_eq!(property["available"], "1000.00");
    assert_eq!(data(c.get("/api/plan/order/list").await)["items"], json!([]));
});

on_both!(what_a_put_needs_is_asked_for, |test| {
    let c = client(&test).await;
    open_market(&test, &c.shell).await;
    assert_eq!(why(&c.post("/api/plan/order/put", put_body("100.00")).await), "405 insufficient_balance");
    let without_password = sign_in(&c.shell, test.user("new").await).await;
    assert_eq!(
        why(&without_password.post("/api/plan/order/put", put_body("100.00")).await),
        "405 pay_password_not_set"
    );
    let without_store = sign_in(&c.shell, test.user_with_store("guest", false).await).await;
    assert_eq!(why(&without_store.post("/api/plan/order/put", put_body("100.00")).await), "405 store_not_opened");
});

on_both!(one_key_puts_once, |test| {
    let c = market(&test).await;
    let put = async |amount: &str| {
        let body = Some(put_body(amount).to_string());
        c.call(Method::POST, "/api/plan/order/put", &[("Idempotency-Key", "put-1")], body).await
    };
    let first = data(put("100.00").await);
    assert_eq!(data(put("100.00").await), first);
    assert_eq!(why(&put("200.00").await), "405 idempotency_key_reused");
    assert_eq!(data(c.get("/api/user/property").await)["to_be_consumed"], "100.00");
    let bad = c
        .call(Method::POST, "/api/plan/order/put", &[("Idempotency-Key", "a b")], Some(put_body("10.00").to_string()))
        .await;
    assert_eq!(why(&bad), "400 params idempotency_key=invalid");
});

fn added_to(plan: &Value, amount: &str) -> Value {
    json!({ "id": plan["id"], "amount": amount, "password": PASSWORD })
}

on_both!(a_budget_is_added_to, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    assert_eq!(plan["added_amount"], "0.00");
    let id = json!({ "id": plan["id"] });
    let detail = data(c.post("/api/plan/order/detail", id.clone()).await);
    assert_eq!(detail["addable"], json!({ "min": "10.00", "max": "400.00" }));
    assert_eq!(detail["payout"], json!({ "per": "conversion", "amount": "12.50" }));
    let add = async |amount: &str| {
        let body = Some(added_to(&plan, amount).to_string());
        c.call(Method::POST, "/api/plan/order/add_budget", &[("Idempotency-Key", "add-1")], body).await
    };
    let larger = data(add("50.00").await);
    assert_eq!((&larger["put_amount"], &larger["paid_amount"]), (&"150.00".into(), &"150.00".into()));
    assert_eq!((&larger["added_amount"], &larger["status"]), (&"50.00".into(), &"matching".into()));
    assert_eq!(data(add("50.00").await), larger);
    assert_eq!(why(&add("60.00").await), "405 idempotency_key_reused");
    let property = data(c.get("/api/user/property").await);
    assert_eq!((&property["available"], &property["to_be_consumed"]), (&"850.00".into(), &"150.00".into()));
    let lines = data(c.get("/api/transaction_flow/list").await)["items"].clone();
    let of = |n: usize| (&lines[n]["kind"], &lines[n]["amount"], &lines[n]["added"], &lines[n]["ref"]["id"]);
    assert_eq!(of(0), (&"ad_serving".into(), &"-50.00".into(), &true.into(), &plan["id"]));
    assert_eq!(of(1), (&"ad_serving".into(), &"-100.00".into(), &false.into(), &plan["id"]));
    data(c.post("/api/plan/order/stop", id.clone()).await);
    assert_eq!(why(&c.post("/api/plan/order/add_budget", added_to(&plan, "50.00")).await), "405 plan_not_running");
    assert_eq!(data(c.post("/api/plan/order/detail", id).await)["addable"], Value::Null);
});

on_both!(wrong_additions_are_refused_and_change_nothing, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let add = async |body: Value| why(&c.post("/api/plan/order/add_budget", body).await);
    for (amount, told) in [
        ("NaN", "400 params amount=invalid_amount"),
        ("0.001", "400 params amount=invalid_amount"),
        ("0", "405 amount_out_of_range"),
        ("-1", "405 amount_out_of_range"),
        ("9.99", "405 amount_out_of_range"),
        ("400.01", "405 amount_out_of_range"),
    ] {
        assert_eq!(add(added_to(&plan, amount)).await, told, "{amount}");
    }
    assert_eq!(add(json!({})).await, "400 params amount=required id=required password=required");
    let changed = |name: &str, value: &str| {
        let mut body = added_to(&plan, "50.00");
        body[name] = value.into();
        body
    };
    assert_eq!(add(changed("id", "99")).await, "405 not_found");
    assert_eq!(add(changed("id", "x")).await, "405 not_found");
    assert_eq!(add(changed("password", "123456")).await, "400 params password=invalid_md5");
    assert_eq!(add(changed("password", &"0".repeat(32))).await, "405 wrong_pay_password");
    let stranger = sign_in(&c.shell, test.user("stranger").await).await;
    let answer = stranger.post("/api/plan/order/add_budget", added_to(&plan, "50.00")).await;
    assert_eq!(why(&answer), "405 pay_password_not_set");
    let without_store = sign_in(&c.shell, test.user_with_store("guest", false).await).await;
    let answer = without_store.post("/api/plan/order/add_budget", added_to(&plan, "50.00")).await;
    assert_eq!(why(&answer), "405 store_not_opened");
    let mut listed = plan.clone();
    listed["trend"] = json!(["0.00"]);
    listed["conversions"] = json!(0);
    let page = data(c.get("/api/plan/order/list").await);
    assert_eq!((&page["items"], &page["next_cursor"]), (&json!([listed]), &Value::Null));
    assert_eq!(page["choices"]["products"], json!([{ "id": "1", "name": plan["product"]["name"] }]));
    assert_eq!(data(c.get("/api/user/property").await)["available"], "900.00");
    data(c.post("/api/plan/order/add_budget", added_to(&plan, "400.00")).await);
    let full = c.post("/api/plan/order/add_budget", added_to(&plan, "10.00")).await;
    assert_eq!((why(&full), &full["data"]["limit"]), ("405 plan_budget_full".to_owned(), &"500.00".into()));
    assert_eq!(full["msg"], "The budget of this plan is as large as the product allows: $500.00");
});

on_both!(plans_are_their_owners_alone, |test| {
    let c = market(&test).await;
    let plan = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let stranger = sign_in(&c.shell, test.user("stranger").await).await;
    for call in ["detail", "pause", "resume", "stop"] {
        let answer = stranger.post(&format!("/api/plan/order/{call}"), json!({ "id": plan["id"] })).await;
        assert_eq!(why(&answer), "405 not_found", "{call}");
    }
    assert_eq!(data(stranger.get("/api/plan/order/list").await)["items"], json!([]));
});

on_both!(the_overview_is_cut_in_the_users_zone, |test| {
    let c = market(&test).await;
    c.post("/api/plan/order/put", put_body("100.00")).await;
    let today = data(c.get("/api/ad/order/data_statistics/list").await);
    assert_eq!((today["invested"].as_str(), today["orders"].as_i64()), (Some("100.00"), Some(1)));
    assert_eq!((today["to_be_consumed"].as_str(), today["data_source"].as_str()), (Some("100.00"), Some("simulated")));
    assert_eq!(today["series"].as_array().expect("points").len(), 13, "noon in UTC");
    let path = "/api/ad/order/data_statistics/list?type=1&user_time_zone=Asia/Tokyo";
    assert_eq!(data(c.get(path).await)["series"].as_array().expect("points").len(), 22, "nine in the evening");
    for number in ["2", "3", "4"] {
        let answer = data(c.get(&format!("/api/ad/order/data_statistics/list?type={number}")).await);
        assert_eq!(answer["invested"], "100.00");
    }
    for bad in ["0", "5", "x"] {
        let answer = c.get(&format!("/api/ad/order/data_statistics/list?type={bad}")).await;
        assert_eq!(why(&answer), "400 params type=invalid");
    }
});

on_both!(plans_and_products_are_compared_by_what_the_query_says, |test| {
    let c = market(&test).await;
    let one = data(c.post("/api/plan/order/put", put_body("20.00")).await);
    let two = data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let id = |plan: &Value| plan["id"].as_str().expect("an id").to_owned();
    let both = format!("{},{}", id(&two), id(&one));
    let found = data(c.get(&format!("/api/plan/compare?ids={both}")).await);
    let items = found["items"].as_array().expect("items");
    assert_eq!(items.iter().map(|of| &of["plan"]["id"]).collect::<Vec<_>>(), [&two["id"], &one["id"]]);
    assert_eq!((&items[0]["plan"]["status"], &items[0]["plan"]["plan_no"]), (&"matching".into(), &two["plan_no"]));
    assert_eq!((&items[0]["ratios"]["profit"], &items[0]["delivery"]["impressions"]), (&"0.00".into(), &0.into()));
    assert_eq!(items[0]["trend"], json!(["0.00"]));
    let told = async |query: &str| why(&c.get(&format!("/api/plan/compare?{query}")).await);
    for (query, refused) in [
        ("", "400 params ids=required"),
        ("ids=1", "400 params ids=too_few"),
        ("ids=1,2,3,4,5", "400 params ids=too_many"),
        ("products=1", "400 params products=too_few"),
        ("ids=1,2&products=1,2", "400 params products=not_with_ids"),
        ("ids=1,x", "405 not_found"),
        ("ids=1,99", "405 not_found"),
        ("products=1,99", "405 not_found"),
    ] {
        assert_eq!(told(query).await, refused, "{query}");
    }
    let results = data(c.get("/api/plan/product/results?product_id=1").await);
    assert_eq!((&results["plans"], &results["plan"], &results["trend"]), (&2.into(), &Value::Null, &json!([])));
    assert_eq!(results["product"], json!({ "id": "1", "name": one["product"]["name"] }));
    for (query, refused) in [("", "400 params product_id=required"), ("product_id=99", "405 not_found")] {
        assert_eq!(why(&c.get(&format!("/api/plan/product/results?{query}")).await), refused);
    }
    let stranger = sign_in(&c.shell, test.user("stranger").await).await;
    assert_eq!(why(&stranger.get(&format!("/api/plan/compare?ids={both}")).await), "405 not_found");
    assert_eq!(data(stranger.get("/api/plan/product/results?product_id=1").await)["plans"], 0);
});

on_both!(a_report_is_shown_and_saved, |test| {
    let c = market(&test).await;
    data(c.post("/api/plan/order/put", put_body("100.00")).await);
    let asked = "/api/report?from=2026-01-01&to=2026-01-31";
    let by_day = data(c.get(asked).await);
    assert_eq!((&by_day["by"], by_day["rows"].as_array().expect("rows").len()), (&json!("day"), 31));
    assert_eq!((&by_day["before_from"], &by_day["before_to"]), (&json!("2025-12-01"), &json!("2025-12-31")));
    assert_eq!((&by_day["totals"]["consumed"], &by_day["rows"][0]["before"]["clicks"]), (&json!("0.00"), &json!(0)));
    for by in ["plan", "product", "placement", "form", "device", "region"] {
        assert_eq!(data(c.get(&format!("{asked}&by={by}")).await)["rows"], json!([]), "{by}");
    }
    for (format, kind, beginning) in
        [("csv", "text/csv; charset=utf-8", "\u{feff}Plan,"), ("pdf", "application/pdf", "%PDF")]
    {
        let (found, name, bytes) = download(&c, &format!("{asked}&by=plan&format={format}")).await;
        assert_eq!(found, kind);
        assert!(name.contains(&format!("placard-plan-2026-01-01-2026-01-31-simulated.{format}")), "{name}");
        assert!(bytes.starts_with(beginning.as_bytes()), "{format}");
    }
    for (query, refused) in [
        ("?to=2026-01-31", "400 params from=required"),
        ("?from=2026-01-31", "400 params to=required"),
        ("?from=2026-01-31&to=2026-01-01", "400 params to=invalid"),
        ("?from=2026-01-01&to=2026-01-31&by=moon", "400 params by=invalid"),
        ("?from=2026-01-01&to=2026-01-31&format=doc", "400 params format=invalid"),
    ] {
        assert_eq!(why(&c.get(&format!("/api/report{query}")).await), refused, "{query}");
    }
});
