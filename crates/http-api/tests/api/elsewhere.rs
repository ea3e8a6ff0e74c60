//! Two servers on one database: what one of them ended, the other refuses.

use serde_json::{Value, json};
use store::on_both;

use crate::staff_session::{READS, needs_session};
use crate::support::{client, data, server, sign_in, why};

const EXPIRED: &str = "503 token_expired";
const OF_SERVICE: [&str; 2] = ["/api/conversation", "/api/customer/"];

/// Every call that changes something. The session comes before what is in the body.
fn changes() -> Vec<String> {
    let document: Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let posts = document["paths"].as_object().expect("paths").iter().filter(|(_, item)| item["post"].is_object());
    let paths = posts.map(|(path, _)| path.clone());
    paths
        .filter(|path| needs_session(&format!("POST {path}")) && !READS.contains(&format!("POST {path}").as_str()))
        .collect()
}

on_both!(nothing_changes_on_a_session_that_ended_elsewhere, |test| {
    let here = client(&test).await;
    let other_server = server(&test);
    let changes = changes();
    assert!(changes.len() > 35 && changes.iter().any(|path| path == "/api/files/upload"), "{changes:?}");
    for path in changes {
        let here = sign_in(&here.shell, here.user).await;
        let there = here.at(&other_server);
        data(there.get("/api/user/property").await);
        data(here.post("/api/auth/logout", json!({})).await);
        assert_eq!(why(&there.post(&path, json!({})).await), EXPIRED, "{path}");
        // From then on, reads are refused too. The conversation asks for a session in its own way, and keeps none.
        if !OF_SERVICE.iter().any(|service| path.starts_with(service)) {
            assert_eq!(why(&there.get("/api/user/property").await), EXPIRED, "{path}");
        }
    }
});

on_both!(signed_out_here_is_signed_out_here, |test| {
    let here = client(&test).await;
    data(here.get("/api/user/property").await);
    data(here.post("/api/auth/logout", json!({})).await);
    assert_eq!(why(&here.get("/api/user/property").await), EXPIRED);
});
