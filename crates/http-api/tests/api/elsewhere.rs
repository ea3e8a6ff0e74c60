//! Two servers on one database: what one of them ended, the other refuses.

use payee::testing::tron_address;
use serde_json::{Value, json};
use store::on_both;

use crate::support::{PASSWORD, client, data, server, sign_in, why};

const EXPIRED: &str = "503 token_expired";

fn changes() -> Vec<(&'static str, Value)> {
    let old = json!({ "old_password": "x", "new_password": "a-new-password", "confirm_password": "a-new-password" });
    let put = json!({ "product_id": "1", "amount": "1", "content": "video", "password": PASSWORD });
    vec![
        ("/api/user/withdraw", json!({ "amount": "1", "password": PASSWORD })),
        ("/api/user/startup/return", json!({ "password": PASSWORD })),
        ("/api/plan/order/put", put),
        ("/api/plan/order/add_budget", json!({ "id": "1", "amount": "1", "password": PASSWORD })),
        ("/api/plan/order/pause", json!({ "id": "1" })),
        ("/api/plan/order/resume", json!({ "id": "1" })),
        ("/api/plan/order/limits", json!({ "id": "1", "daily_cap": "10.00" })),
        ("/api/plan/order/schedule", json!({ "id": "1", "schedule": {} })),
        ("/api/plan/order/stop", json!({ "id": "1" })),
        ("/api/check/password", json!({ "password": PASSWORD })),
        ("/api/set/password", json!({ "password": PASSWORD, "confirm_password": PASSWORD, "old_password": PASSWORD })),
        ("/api/update/password", old),
        (
            "/api/bank_card/edit",
            json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user") }),
        ),
        ("/api/user/info/edit", json!({ "nickname": "Ada" })),
        ("/api/opening_store", json!({ "authorization_code": "AAAA" })),
        ("/api/user/sessions/end", json!({ "all": true })),
        ("/api/user/notifications/read", json!({ "all": true })),
    ]
}

on_both!(nothing_changes_on_a_session_that_ended_elsewhere, |test| {
    let here = client(&test).await;
    let other_server = server(&test);
    for (path, body) in changes() {
        let here = sign_in(&here.shell, here.user).await;
        let there = here.at(&other_server);
        data(there.get("/api/user/property").await);
        data(here.post("/api/auth/logout", json!({})).await);
        assert_eq!(why(&there.post(path, body).await), EXPIRED, "{path}");
        // From then on, reads are refused too.
        assert_eq!(why(&there.get("/api/user/property").await), EXPIRED, "{path}");
    }
});

on_both!(signed_out_here_is_signed_out_here, |test| {
    let here = client(&test).await;
    data(here.get("/api/user/property").await);
    data(here.post("/api/auth/logout", json!({})).await);
    assert_eq!(why(&here.get("/api/user/property").await), EXPIRED);
});
