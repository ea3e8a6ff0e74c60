//! The account that a command is about, however the caller describes it.

use crate::support::{Placard, text};

#[test]
fn every_way_to_name_an_account_leads_to_it() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let shown = placard.run_as(&ann, &["account", "show", "demo"]).done();
    let id = text(&shown["user"]["id"]);
    let plan_no = text(&shown["plans"][0]["plan_no"]);
    for name in [id.as_str(), &text(&shown["user"]["email"]), &text(&shown["user"]["phone"]), &plan_no.to_lowercase()] {
        let found = placard.run_as(&ann, &["account", "show", name]).done();
        assert_eq!(found["user"]["username"], "demo", "{name}");
    }
    let noticed = ["notify", "--category", "activity", "--title", "t", "--body", "b", "--user", &plan_no];
    assert_eq!(placard.change(&ann, &noticed).done()["user"], "demo");
    assert_eq!(placard.change(&ann, &["account", "disable", &id]).done()["username"], "demo");
}

#[test]
fn near_misses_are_suggested_and_nothing_is_done() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let ran = placard.change(&ann, &["account", "disable", "dmeo"]);
    assert!(ran.err.contains("did you mean: demo?"), "{ran:?}");
    ran.refused("not_found");
    assert_eq!(placard.run_as(&ann, &["account", "show", "demo"]).done()["user"]["status"], "active");

    let plan_no = text(&placard.run_as(&ann, &["account", "show", "demo"]).done()["plans"][0]["plan_no"]);
    let short = &plan_no[..plan_no.len() - 1];
    let ran = placard.run_as(&ann, &["plan", "show", short]);
    assert!(ran.err.contains(&plan_no), "{ran:?}");
    ran.refused("not_found");
    assert_eq!(placard.run_as(&ann, &["plan", "show", &plan_no.to_lowercase()]).done()["plan_no"], plan_no.as_str());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_of_several_accounts_is_ambiguous() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let app = placard.app();
    for name in ["mia", "max"] {
        placard.account(name).await;
        let user = foundation::people::staff_accounts::find_account(&app, name).await.expect("there");
        let edit = store::people::users::Edit { email: Some("both@example.com".into()), ..Default::default() };
        app.db.write(move |tx| store::people::users::edit(tx, user, &edit)).await.expect("edited");
    }
    let ran = placard.run_as(&ann, &["account", "show", "both@example.com"]);
    assert!(ran.err.contains("mia, max"), "{ran:?}");
    ran.refused("ambiguous");
}
