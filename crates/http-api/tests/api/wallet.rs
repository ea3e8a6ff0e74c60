//! Figures, statement, start-up funds and payout accounts.

mod public_log;

use actix_web::http::Method;
use auth::{PayPassword, Role};
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::staff::Staff;
use payee::testing::{masked, tron_address};
use serde_json::{Value, json};
use store::on_both;

use crate::market::open_market;
use crate::support::{PASSWORD, client, data, funded, server, sign_in, why};

on_both!(property_adds_up, |test| {
    let c = funded(&test, "1000.00").await;
    open_market(&test, &c.shell).await;
    let plan = json!({ "product_id": "1", "amount": "100", "content": "landing_page", "password": PASSWORD });
    data(c.post("/api/plan/order/put", plan).await);
    data(c.post("/api/user/deposit/pay", json!({ "amount": "40", "password": PASSWORD })).await);
    data(c.post("/api/user/withdraw", json!({ "amount": "30", "password": PASSWORD })).await);
    let figures = data(c.get("/api/user/property").await);
    let expected = json!({
        "total_assets": "1000.00", "available": "830.00", "to_be_consumed": "100.00", "unbilled": "0.00",
        "to_be_settled": "0.00", "settlement_fees": "0.00",
        "withdrawing": "30.00", "deposit": "40.00", "promotional": "0.00", "exchanging": "0.00",
        "startup_outstanding": "0.00", "pay_password_set": true, "bank_card_bound": true,
    });
    assert_eq!(figures, expected);
});

on_both!(the_statement_tells_lines_and_months, |test| {
    let c = funded(&test, "100.00").await;
    data(c.post("/api/user/withdraw", json!({ "amount": "30", "password": PASSWORD })).await);
    let page = data(c.get("/api/transaction_flow/list?limit=1").await);
    let line = &page["items"][0];
    assert_eq!((&line["kind"], &line["amount"]), (&json!("manual_withdrawal"), &json!("-30.00")));
    assert_eq!((&line["balance"], &line["account"]), (&json!("70.00"), &json!("available")));
    assert_eq!(line["ref"], json!({ "type": "withdrawal", "id": "1" }));
    assert_eq!(
        page["months"],
        json!([{
            "month": "2026-01", "income": "100.00", "expense": "30.00", "refunds": "0.00",
            "net_income": "100.00", "net_expense": "30.00",
        }])
    );

    let cursor = page["next_cursor"].as_str().expect("another page");
    let rest = data(c.get(&format!("/api/transaction_flow/list?limit=1&cursor={cursor}")).await);
    assert_eq!((&rest["items"][0]["kind"], &rest["next_cursor"]), (&json!("system_top_up"), &Value::Null));
    let only = data(c.get("/api/transaction_flow/list?kind=system_top_up&month=2026-01").await);
    assert_eq!(only["items"].as_array().map(Vec::len), Some(1));
});

on_both!(a_stretch_and_a_plan_narrow_the_lines_and_tell_their_sum, |test| {
    let c = funded(&test, "100.00").await;
    data(c.post("/api/user/withdraw", json!({ "amount": "30", "password": PASSWORD })).await);
    let list = async |query: &str| c.get(&format!("/api/transaction_flow/list?{query}")).await;
    assert_eq!(data(list("limit=1").await)["sum"], Value::Null);
    let day = "from=2026-01-05T00:00:00Z&until=2026-01-06T00:00:00Z&limit=1";
    let page = data(list(day).await);
    let sum = json!({
        "available": "70.00", "held": "0.00", "held_by_platform": "0.00", "promotional": "0.00", "lines": 2,
    });
    assert_eq!((&page["sum"], &page["months"][0]["month"]), (&sum, &json!("2026-01")));
    let next = page["next_cursor"].as_str().expect("another page").to_owned();
    let rest = data(list(&format!("{day}&cursor={next}")).await);
    assert_eq!((&rest["sum"], &rest["items"][0]["kind"]), (&Value::Null, &json!("system_top_up")));
    let after = data(list("from=2026-01-06T00:00:00Z&until=2026-01-07T00:00:00Z&plan_id=").await);
    assert_eq!((&after["sum"]["lines"], &after["items"]), (&json!(0), &json!([])));
    for plan in ["1", "none", "-1"] {
        assert_eq!(why(&list(&format!("plan_id={plan}")).await), "405 not_found", "{plan}");
    }
});

on_both!(the_statement_by_day_tells_rows_months_and_choices, |test| {
    let c = funded(&test, "100.00").await;
    data(c.post("/api/user/withdraw", json!({ "amount": "30", "password": PASSWORD })).await);
    let list = async |query: &str| c.get(&format!("/api/transaction_flow/by_day?{query}")).await;
    let page = data(list("limit=1").await);
    let row = &page["items"][0];
    assert_eq!((&row["line"]["amount"], &row["billing"], &row["plan"]), (&json!("-30.00"), &Value::Null, &Value::Null));
    assert_eq!(row["id"], row["line"]["id"]);
    assert_eq!(page["choices"]["first_month"], "2026-01");
    assert_eq!(page["choices"]["kinds"], json!(["system_top_up", "manual_withdrawal"]));
    assert_eq!(page["choices"]["latest_months"], page["months"]);
    let cursor = page["next_cursor"].as_str().expect("another page");
    let rest = data(list(&format!("limit=1&cursor={cursor}")).await);
    assert_eq!((&rest["items"][0]["line"]["kind"], &rest["next_cursor"]), (&json!("system_top_up"), &Value::Null));
    assert_eq!(rest["choices"], Value::Null);
    let kinds = async |query: &str| {
        let items = data(list(query).await)["items"].clone();
        let rows = items.as_array().expect("rows").iter();
        rows.map(|row| row["line"]["kind"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("direction=in").await, ["system_top_up"]);
    assert_eq!(kinds("direction=out&month=2026-01").await, ["manual_withdrawal"]);
    assert_eq!(kinds("search=30,00").await, ["manual_withdrawal"]);
    assert_eq!(kinds("search=&direction=&cursor=").await.len(), 2);
    for (query, told) in [
        ("direction=up", "400 params direction=invalid"),
        ("limit=0", "400 params limit=invalid"),
        ("cursor=7", "400 params cursor=invalid"),
        ("kind=refund&direction=in", "400 params direction=invalid"),
        ("plan_id=1", "405 not_found"),
    ] {
        assert_eq!(why(&list(query).await), told, "{query}");
    }
    let other = sign_in(&c.shell, test.user("other").await).await;
    assert_eq!(data(other.get("/api/transaction_flow/by_day?search=30").await)["items"], json!([]));
});

on_both!(the_month_is_cut_in_the_zone_of_the_header, |test| {
    // The clock starts on 2026-01-05 at noon UTC.
    test.clock.advance_seconds(26 * 86_400 + 5 * 3_600);
    let c = funded(&test, "1").await;
    let path = "/api/transaction_flow/list";
    let months = |page: Value| data(page)["months"][0]["month"].clone();
    assert_eq!(months(c.get(path).await), "2026-01");
    for (zone, month) in
        [("Asia/Shanghai GMT+08:00", "2026-02"), ("GMT+8", "2026-02"), ("nonsense", "2026-01"), ("", "2026-01")]
    {
        assert_eq!(months(c.call(Method::GET, path, &[("X-TZ", zone)], None).await), month, "{zone}");
    }
});

on_both!(wrong_queries_are_told_by_field, |test| {
    let c = client(&test).await;
    for (query, field) in [
        ("month=2026-1", "month"),
        ("kind=gift", "kind"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=9223372036854775808", "cursor"),
        ("from=today&until=2026-01-06T00:00:00Z", "from"),
        ("from=2026-01-06T00:00:00Z&until=2026-01-06", "until"),
        ("from=2026-01-06T00:00:00Z&until=2026-01-06T00:00:00Z", "until"),
        ("month=2026-01&from=2026-01-05T00:00:00Z&until=2026-01-06T00:00:00Z", "month"),
    ] {
        let told = why(&c.get(&format!("/api/transaction_flow/list?{query}")).await);
        assert_eq!(told, format!("400 params {field}=invalid"), "{query}");
    }
});

on_both!(cards_are_bound_and_masked, |test| {
    let c = client(&test).await;
    assert_eq!(data(c.get("/api/bank_card/detail").await), Value::Null);
    let card = json!({
        "method": "bank_card", "card_name": "Main", "user_name": "Ann Lee", "mobile": "+49 170 1234567",
        "bank_name": "Bank", "bank_account": "1234567890", "branch_name": "Mitte", "status": "verified", "password": PASSWORD,
    });
    let shown = data(c.post("/api/bank_card/edit", card).await);
    assert_eq!((&shown["method"], &shown["bank_account"]), (&json!("bank_card"), &json!("****7890")));
    assert_eq!(data(c.get("/api/bank_card/detail").await), shown);

    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"), "password": PASSWORD });
    let shown = data(c.post("/api/bank_card/edit", address).await);
    assert_eq!(
        shown,
        json!({ "method": "wallet_address", "network": "TRC20", "address": masked(&tron_address("user")) })
    );
    let other = sign_in(&c.shell, test.user("other").await).await;
    assert_eq!(data(other.get("/api/bank_card/detail").await), Value::Null);
});

on_both!(another_card_needs_the_transaction_password_once_one_is_set, |test| {
    let c = client(&test).await;
    let with = async |password: Value| {
        let body = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"), "password": password });
        c.post("/api/bank_card/edit", body).await
    };
    for missing in [Value::Null, json!("")] {
        assert_eq!(why(&with(missing).await), "400 params password=required");
    }
    assert_eq!(why(&with(json!("274916")).await), "400 params password=invalid_md5");
    let wrong = with(json!("0".repeat(32))).await;
    assert_eq!((why(&wrong).as_str(), &wrong["data"]["attempts_left"]), ("405 wrong_pay_password", &json!(4)));
    assert_eq!(data(c.get("/api/bank_card/detail").await), Value::Null);
    data(with(json!(PASSWORD)).await);

    // A user who has set none has none to give.
    let other = sign_in(&c.shell, test.user("other").await).await;
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user") });
    data(other.post("/api/bank_card/edit", address).await);
});

on_both!(common_digits_are_no_transaction_password, |test| {
    let c = sign_in(&server(&test), test.user("demo").await).await;
    for digits in ["123456", "000000", "200000"] {
        let common = PayPassword::from_digits(digits).on_wire().to_owned();
        let body = json!({ "password": common, "confirm_password": common });
        assert_eq!(why(&c.post("/api/set/password", body).await), "400 params password=too_common", "{digits}");
    }
    assert_eq!(data(c.get("/api/user/property").await)["pay_password_set"], false);
});

on_both!(payouts_on_hold_are_told_with_when_they_go_on, |test| {
    let test = test.turned_live();
    let c = funded(&test, "100").await;
    let answer = c.post("/api/user/withdraw", json!({ "amount": "1", "password": PASSWORD })).await;
    assert_eq!(why(&answer), "405 payout_on_hold");
    let data_of = &answer["data"];
    let until = json!("2026-01-06T12:00:00.000Z");
    assert_eq!((&data_of["retry_after"], &data_of["until"]), (&json!(86_400), &until));
    assert!(answer["msg"].as_str().is_some_and(|msg| msg.contains("Jan 6, 2026, 12:00 (UTC)")), "{answer}");
    assert_eq!(data(c.get("/api/user/property").await)["payouts_held_until"], until);
    test.clock.advance_seconds(86_400);
    let c = sign_in(&c.shell, c.user).await;
    data(c.post("/api/user/withdraw", json!({ "amount": "1", "password": PASSWORD })).await);
});

on_both!(wrong_cards_are_told_by_field, |test| {
    let c = client(&test).await;
    for (body, told) in [
        (json!({}), "method=required"),
        (json!({ "method": "cash" }), "method=invalid"),
        (json!({ "method": "wallet_address", "address": "***" }), "network=required"),
        (json!({ "method": "bank_card", "mobile": 5 }), "mobile=invalid_type"),
    ] {
        assert_eq!(why(&c.post("/api/bank_card/edit", body).await), format!("400 params {told}"));
    }
    let empty = why(&c.post("/api/bank_card/edit", json!({ "method": "bank_card" })).await);
    assert!(empty.contains("bank_account=required") && empty.contains("card_name=required"), "{empty}");
    let card = |number: &str| {
        json!({ "method": "bank_card", "card_name": "Main", "user_name": "Ann Lee", "mobile": "+49 170 1234567",
            "bank_name": "Bank", "bank_account": number, "branch_name": "Mitte", "password": PASSWORD })
    };
    for (number, problem) in [("DE02120300000000202052", "iban_check"), (&"x".repeat(40), "invalid_account")] {
        let told = why(&c.post("/api/bank_card/edit", card(number)).await);
        assert_eq!(told, format!("400 params bank_account={problem}"));
    }
    for (number, shown) in [("DE02 1203 0000 0000 2020 51", "****2051"), ("１２３４５６７８", "****5678")] {
        assert_eq!(data(c.post("/api/bank_card/edit", card(number)).await)["bank_account"], shown);
    }
});

on_both!(start_up_funds_are_returned, |test| {
    let c = funded(&test, "1").await;
    let staff = Staff::new(test.operator("eve", Role::Finance).await, "a start").expect("a reason");
    let second = Staff::new(test.operator("dan", Role::Finance).await, "a start").expect("a reason");
    let asked = request(&c.shell.app, &staff, MoneyRequestDraft::startup_loan(c.user, "30")).await.expect("requested");
    approve(&c.shell.app, &second, asked.id.into()).await.expect("approved");
    let path = "/api/user/startup/return";
    let answer = c.post("/api/user/withdraw", json!({ "amount": "1", "password": PASSWORD })).await;
    assert_eq!(
        (why(&answer).as_str(), &answer["data"]["outstanding"]),
        ("405 startup_funds_outstanding", &json!("30.00"))
    );
    assert!(answer["msg"].as_str().is_some_and(|msg| msg.contains("$30.00")), "{}", answer["msg"]);

    let part = data(c.post(path, json!({ "amount": "10", "password": PASSWORD })).await);
    assert_eq!(part, json!({ "outstanding": "20.00" }));
    let all = data(c.post(path, json!({ "password": PASSWORD })).await);
    assert_eq!(all, json!({ "outstanding": "0.00" }));
    let told = why(&c.post(path, json!({ "amount": null, "password": PASSWORD })).await);
    assert_eq!(told, "405 amount_out_of_range");
    let told = why(&c.post(path, json!({ "amount": 5, "password": PASSWORD })).await);
    assert_eq!(told, "400 params amount=invalid_amount");
});
