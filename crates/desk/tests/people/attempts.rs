use campaigns::AdServer;
use std::net::IpAddr;

use foundation::accounts::attempts::note_failure;
use foundation::people::login::{Login, log_in};
use foundation::people::register::{Register, register};
use futures_util::future::join_all;
use store::on_both;

use crate::support::{app, why};

const PASSWORD: &str = "seven green bottles";

async fn sign_in(app: &AdServer, username: &str, password: &str, address: &str) -> String {
    let login = Login {
        username: username.into(),
        password: password.into(),
        lang: None,
        device: "a test".into(),
        address: address.parse::<IpAddr>().ok(),
    };
    log_in(app, login).await.map_or_else(|error| why::<()>(Err(error)), |_| "signed in".into())
}

async fn guess(app: &AdServer, username: &str, address: &str) -> String {
    sign_in(app, username, "not the password", address).await
}

async fn ada(app: &AdServer, code: &str) {
    let registration = Register {
        username: "ada".into(),
        password: PASSWORD.into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: code.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: "198.51.100.1".parse().ok(),
    };
    register(app, registration).await.expect("registered");
}

on_both!(two_servers_count_together, |test| {
    let (first, second) = (app(&test), app(&test));
    for n in 0..25 {
        let server = if n % 2 == 0 { &first } else { &second };
        assert_eq!(guess(server, &format!("name{n}"), "192.0.2.1").await, "wrong_credentials");
    }
    // Nor does one that was started since know better.
    for server in [&first, &second, &app(&test)] {
        assert_eq!(guess(server, "other", "192.0.2.1").await, "too_many_requests");
        assert_eq!(guess(server, "other", "192.0.2.2").await, "wrong_credentials");
    }
    test.clock.advance_seconds(300);
    assert_eq!(guess(&second, "other", "192.0.2.1").await, "wrong_credentials");
});

// Whoever has an IPv6 /48 has 65,536 networks to fail from.
on_both!(the_networks_of_one_site_count_together, |test| {
    let app = app(&test);
    for n in 0..250 {
        let address = format!("2001:db8:1:{n:x}::1").parse().ok();
        note_failure(&app, address, None).await.expect("counted");
    }
    assert_eq!(guess(&app, "other", "2001:db8:1:ffff::1").await, "too_many_requests");
    assert_eq!(guess(&app, "other", "2001:db8:2::1").await, "wrong_credentials");
    test.clock.advance_seconds(300);
    assert_eq!(guess(&app, "other", "2001:db8:1:ffff::1").await, "wrong_credentials");
});

on_both!(a_clock_that_is_set_back_shortens_no_lock, |test| {
    let app = app(&test);
    for n in 0..25 {
        assert_eq!(guess(&app, &format!("name{n}"), "192.0.2.1").await, "wrong_credentials");
    }
    test.clock.advance_seconds(-3 * 86_400);
    assert_eq!(guess(&app, "other", "192.0.2.1").await, "too_many_requests");
    test.clock.advance_seconds(3 * 86_400 + 299);
    assert_eq!(guess(&app, "other", "192.0.2.1").await, "too_many_requests");
    test.clock.advance_seconds(1);
    assert_eq!(guess(&app, "other", "192.0.2.1").await, "wrong_credentials");
});

on_both!(at_once_no_more_are_evaluated_than_there_are_places, |test| {
    let (first, second) = (app(&test), app(&test));
    let guesses = (0..40).flat_map(|n| {
        let from = format!("192.0.2.{n}");
        [&first, &second].map(|server| {
            let from = from.clone();
            async move { guess(server, "ada", &from).await }
        })
    });
    let told = join_all(guesses).await;
    assert_eq!(told.iter().filter(|key| *key == "wrong_credentials").count(), 25, "{told:?}");
    assert_eq!(told.iter().filter(|key| *key == "too_many_requests").count(), 55, "{told:?}");
});

on_both!(a_right_password_is_not_counted, |test| {
    let app = app(&test);
    ada(&app, test.code("AAAA-BBBB-CCCC").await).await;
    for n in 0..30 {
        assert_eq!(sign_in(&app, "ada", PASSWORD, "192.0.2.1").await, "signed in", "{n}");
    }
    assert_eq!(rows(&app).await.iter().filter(|row| !row.is_empty()).count(), 0);
});

on_both!(a_name_counts_once_in_whatever_letters_it_is_typed, |test| {
    let app = app(&test);
    ada(&app, test.code("AAAA-BBBB-CCCC").await).await;
    for typed in ["ａｄａ", "𝓪𝓭𝓪", "𝔸𝔻𝔸"] {
        assert_eq!(sign_in(&app, typed, PASSWORD, "192.0.2.1").await, "signed in", "{typed}");
    }
    for (n, typed) in ["ada", "ａda", "aｄa", "𝓪da", "ad𝓪"].repeat(5).into_iter().enumerate() {
        assert_eq!(guess(&app, typed, &format!("192.0.2.{n}")).await, "wrong_credentials", "{typed}");
    }
    for typed in ["ada", "ａｄａ", "ⓐⓓⓐ"] {
        assert_eq!(guess(&app, typed, "192.0.2.99").await, "too_many_requests", "{typed}");
    }
});

on_both!(what_no_longer_counts_is_removed, |test| {
    let app = app(&test);
    for n in 0..3 {
        let _ = guess(&app, &format!("name{n}"), &format!("192.0.2.{n}")).await;
    }
    assert_eq!(rows(&app).await.len(), 6, "three names and three networks");
    test.clock.advance_seconds(3_601);
    let _ = guess(&app, "name", "192.0.2.9").await;
    assert_eq!(rows(&app).await.len(), 2);
});

/// What is counted of each name and network.
async fn rows(app: &AdServer) -> Vec<String> {
    use diesel::prelude::*;
    let read = |conn: &mut store::Conn| {
        diesel::table! { attempts (key) { key -> Binary, failures -> Text, } }
        Ok::<_, store::Error>(attempts::table.select(attempts::failures).load(conn)?)
    };
    app.db.read(read).await.expect("rows")
}
