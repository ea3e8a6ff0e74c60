use auth::{Role, StoredOperatorKey};
use campaigns::AdServer;
use desk::installation::upgrade::bring_up_to_date;
use desk::requests::{MoneyRequestDraft, approve, request};
use diesel::connection::SimpleConnection;
use foundation::staff::Staff;
use foundation::staff::founders::{approvals_until, declare_founders};
use foundation::staff::limits::{limits, set_limit};
use foundation::staff::operator_keys::{confirm_operator, revoke_operator, rotate_operator};
use foundation::staff::operators::{OperatorView, add_operator, list_operators, sign_in};
use store::on_both;
use store::staff::audit::{self, Action, Actor};

use crate::support::{app, deeds, staff, why};

on_both!(the_first_needs_nobody_and_the_next_an_admin, |test| {
    let app = app(&test);
    let (first, key) = add_operator(&app, None, "ann", Role::Admin).await.expect("the first");
    assert_eq!((first.name.as_str(), first.role.name(), first.revoked), ("ann", "admin", false));
    assert_eq!(why(add_operator(&app, None, "bob", Role::Finance).await), "no_auth");

    let ann = Staff::new(sign_in(&app, "ann", key.text()).await.expect("signed in"), "more hands").expect("a reason");
    let (_, key) = add_operator(&app, Some(ann.clone()), "bob", Role::Finance).await.expect("the second");
    assert_eq!(why(add_operator(&app, Some(ann), "bob", Role::Support).await), "name_taken");
    let bob = Staff::new(sign_in(&app, "bob", key.text()).await.expect("signed in"), "a friend").expect("a reason");
    assert_eq!(why(add_operator(&app, Some(bob), "eve", Role::Admin).await), "not_permitted");
    assert_eq!(list_operators(&app).await.expect("listed").len(), 2);
    assert_eq!(deeds(&app).await, ["ann operator.add operator:2", "installation operator.add operator:1"]);
});

on_both!(without_an_admin_anybody_of_the_staff_adds_one, |test| {
    let app = app(&test);
    let fay = staff(&test, "fay", Role::Finance).await;
    assert!(add_operator(&app, Some(fay.clone()), "ann", Role::Admin).await.is_ok());
    assert_eq!(why(add_operator(&app, Some(fay), "eve", Role::Admin).await), "not_permitted");
});

on_both!(only_the_name_with_its_key_signs_in, |test| {
    let app = app(&test);
    let (_, ann) = add_operator(&app, None, "ann", Role::Admin).await.expect("ann");
    for (name, key) in [("bob", ann.text()), ("ann", ""), ("ann", &"0".repeat(64)), ("ANN", ann.text())] {
        assert_eq!(why(sign_in(&app, name, key).await), "wrong_credentials", "{name}");
    }
    for name in ["", "  ", "a\nb", &"x".repeat(65)] {
        assert_eq!(why(add_operator(&app, None, name, Role::Admin).await), "name=invalid");
    }
});

/// Adds one and signs in with the key.
async fn added(app: &AdServer, by: Option<&Staff>, name: &str, role: Role) -> Staff {
    let (_, key) = add_operator(app, by.cloned(), name, role).await.expect("added");
    Staff::new(sign_in(app, name, key.text()).await.expect("signed in"), "a test").expect("a reason")
}

async fn listed(app: &AdServer, name: &str) -> OperatorView {
    let all = list_operators(app).await.expect("listed");
    all.into_iter().find(|one| one.name == name).expect("there")
}

async fn person(app: &AdServer, name: &str) -> String {
    listed(app, name).await.person
}

on_both!(whoever_issues_a_key_is_the_same_person_until_another_confirms, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    let bob = added(&app, Some(&ann), "bob", Role::Admin).await;
    assert_eq!((person(&app, "ann").await, person(&app, "bob").await), ("ann".into(), "ann".into()), "one so far");
    declare_founders(&app, None, ["ann", "bob"]).await.expect("declared");
    assert_eq!((person(&app, "ann").await, person(&app, "bob").await), ("ann".into(), "bob".into()), "the first two");
    let carl = added(&app, Some(&ann), "carl", Role::Admin).await;
    let dora = added(&app, Some(&carl), "dora", Role::Finance).await;
    assert_eq!((person(&app, "carl").await, person(&app, "dora").await), ("ann".into(), "ann".into()));
    for by in [&ann, &carl, &dora] {
        assert_eq!(why(confirm_operator(&app, by, "carl").await), "second_person_needed");
    }
    assert_eq!(why(confirm_operator(&app, &bob, "ann").await), "cannot_change");
    assert_eq!(why(confirm_operator(&app, &bob, "nobody").await), "not_found");
    assert_eq!(why(confirm_operator(&app, &bob, "carl").await), "key_not_rotated");
    rotate_operator(&app, &carl, "carl").await.expect("his own");
    let confirmed = confirm_operator(&app, &bob, "carl").await.expect("confirmed");
    assert_eq!((confirmed.person.as_str(), confirmed.confirmed_by.as_deref()), ("carl", Some("bob")));
    assert_eq!(confirmed.key_from.as_deref(), Some("ann"));
    assert_eq!(person(&app, "dora").await, "ann", "her key went through other hands");
    rotate_operator(&app, &dora, "dora").await.expect("her own");
    // Whoever added her never says that she is another, not even once Bob has had the key.
    assert_eq!(why(confirm_operator(&app, &carl, "dora").await), "second_person_needed");
    rotate_operator(&app, &bob, "dora").await.expect("rotated");
    rotate_operator(&app, &dora, "dora").await.expect("her own");
    assert_eq!(why(confirm_operator(&app, &carl, "dora").await), "second_person_needed");
    assert!(confirm_operator(&app, &ann, "dora").await.is_ok());
    let eve = added(&app, Some(&bob), "eve", Role::Support).await;
    assert_eq!(why(confirm_operator(&app, &eve, "dora").await), "not_permitted");
});

on_both!(an_installation_of_before_goes_on_for_thirty_days_and_no_longer, |test| {
    let app = app(&test);
    let made = app.db.write(|tx| {
        for (n, name) in [(1, "ann"), (2, "bob")] {
            let key = StoredOperatorKey { digest: [n; 32], public: [n; 32] };
            store::staff::operators::insert(tx, name, Role::Admin, &key, (None, None))?;
        }
        let nobody = Actor { id: None, name: "installation".to_owned() };
        let subject = "operator:1".to_owned();
        let (details, reason) = ("{}".to_owned(), "before founders".to_owned());
        audit::append(tx, &nobody, &Action { action: "operator.add", subject, details, reason })?;
        store::staff::operators::all(tx)
    });
    let made = made.await.expect("added");
    let [ann, bob]: [Staff; 2] = made
        .into_iter()
        .map(|one| Staff::new(one, "a test").expect("a reason"))
        .collect::<Vec<_>>()
        .try_into()
        .expect("two");
    let user = test.user("mia").await;
    let asked = async || {
        let asked = request(&app, &ann, MoneyRequestDraft::startup_loan(user, "5")).await.expect("requested");
        asked.id.into()
    };
    let id = asked().await;
    assert_eq!(why(approve(&app, &bob, id).await), "founders_missing", "nobody has opened it yet");
    bring_up_to_date(&app).await.expect("opened");
    approve(&app, &bob, id).await.expect("approved");
    let until = approvals_until(&app).await.expect("asked");
    assert_eq!(until, Some(app.now().plus_days(30)));
    test.clock.advance_seconds(30 * 86_400 - 1);
    bring_up_to_date(&app).await.expect("opened again");
    approve(&app, &bob, asked().await).await.expect("approved");
    let late = asked().await;
    test.clock.advance_seconds(1);
    bring_up_to_date(&app).await.expect("opened again");
    assert_eq!(why(approve(&app, &bob, late).await), "founders_missing");
    assert_eq!(approvals_until(&app).await.expect("asked"), None);
    // Nor when somebody puts in a record before the first.
    let put_in = format!(
        "INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, prev_hash, hash, \
         version) SELECT -id, {}, operator_id, operator_name, action, subject, details, reason, prev_hash, hash, \
         version FROM audit WHERE action = 'founders.due'",
        app.now().millis()
    );
    let done = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&put_in)?)).await;
    done.expect("written past the program");
    assert_eq!(why(approve(&app, &bob, late).await), "founders_missing");
    declare_founders(&app, None, ["ann", "bob"]).await.expect("declared");
    for founder in [&ann, &bob] {
        assert_eq!(why(approve(&app, &bob, late).await), "founders_missing");
        rotate_operator(&app, founder, founder.name()).await.expect("rotated");
    }
    approve(&app, &bob, late).await.expect("approved");
});

on_both!(founders_are_two_who_can_approve, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    added(&app, Some(&ann), "sue", Role::Support).await;
    let carl = added(&app, Some(&ann), "carl", Role::Finance).await;
    assert_eq!(why(declare_founders(&app, None, ["ann", "sue"]).await), "not_permitted");
    assert_eq!(why(declare_founders(&app, None, ["ann", "ann"]).await), "name=looks_like_another");
    assert_eq!(why(declare_founders(&app, None, ["ann", "саrl"]).await), "name=looks_like_another");
    assert_eq!(why(declare_founders(&app, Some(carl), ["ann", "bob"]).await), "not_permitted");
    let declared = declare_founders(&app, Some(ann), ["bob", "ann"]).await.expect("declared");
    assert!(declared[0].key.is_some() && declared[1].key.is_none(), "{declared:?}");
    assert_eq!(deeds(&app).await[0], "ann operator.founders installation");
});

on_both!(a_rotated_key_is_in_the_hands_of_who_rotated_it, |test| {
    let app = app(&test);
    let (_, first) = add_operator(&app, None, "ann", Role::Admin).await.expect("added");
    let ann = Staff::new(sign_in(&app, "ann", first.text()).await.expect("in"), "a test").expect("a reason");
    let bob = added(&app, Some(&ann), "bob", Role::Finance).await;
    declare_founders(&app, None, ["ann", "bob"]).await.expect("declared");
    let (own, key) = rotate_operator(&app, &ann, "ann").await.expect("her own");
    assert_eq!((own.person.as_str(), own.key_from), ("ann", None));
    assert_eq!(why(sign_in(&app, "ann", first.text()).await), "wrong_credentials");
    assert!(sign_in(&app, "ann", key.text()).await.is_ok());
    assert_eq!(why(rotate_operator(&app, &bob, "ann").await), "not_permitted");
    assert_eq!(rotate_operator(&app, &bob, "bob").await.expect("his own").0.person, "bob");

    let (taken, _) = rotate_operator(&app, &ann, "bob").await.expect("rotated");
    assert_eq!((taken.person.as_str(), taken.key_from.as_deref()), ("ann", Some("ann")));
    // His own again, but she has seen it.
    assert_eq!(rotate_operator(&app, &bob, "bob").await.expect("his own").0.person, "ann");
    assert_eq!(why(rotate_operator(&app, &ann, "nobody").await), "not_found");
    assert_eq!(deeds(&app).await[0], "bob operator.rotate operator:2");
});

on_both!(the_last_admin_stays, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    let bob = added(&app, Some(&ann), "bob", Role::Finance).await;
    assert_eq!(why(revoke_operator(&app, &ann, "ann").await), "last_admin");
    assert_eq!(why(revoke_operator(&app, &bob, "ann").await), "not_permitted");
    let carl = added(&app, Some(&ann), "carl", Role::Admin).await;
    assert!(revoke_operator(&app, &ann, "ann").await.expect("revoked").revoked);
    assert_eq!(why(revoke_operator(&app, &carl, "ann").await), "cannot_change");
    assert_eq!(why(rotate_operator(&app, &carl, "ann").await), "cannot_change");
    assert_eq!(why(revoke_operator(&app, &ann, "bob").await), "not_permitted", "she has gone");
    assert_eq!(why(add_operator(&app, Some(ann.clone()), "eve", Role::Admin).await), "not_permitted");
    assert!(revoke_operator(&app, &bob, "bob").await.expect("his own").revoked);
    assert_eq!(person(&app, "carl").await, "ann", "a key that was issued stays where it was");
});

on_both!(admins_who_revoke_each_other_leave_one, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    let mut admins = vec![("ann", ann.clone())];
    for name in ["bob", "carl", "dora"] {
        admins.push((name, added(&app, Some(&ann), name, Role::Admin).await));
    }
    let tasks: Vec<_> = (0..12)
        .map(|n| {
            let (app, by, of) = (app.clone(), admins[n % 4].1.clone(), admins[(n + 1 + n / 4) % 4].0);
            tokio::spawn(async move { revoke_operator(&app, &by, of).await })
        })
        .collect();
    let mut revoked = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => revoked += 1,
            refused => assert!(["cannot_change", "not_permitted", "last_admin"].contains(&why(refused).as_str())),
        }
    }
    let left = list_operators(&app).await.expect("listed").into_iter().filter(|one| !one.revoked).count();
    assert_eq!((left >= 1, left + revoked), (true, 4));
});

// Each changes only its own row; only a lock on all of them shows who is the last.
on_both!(admins_who_all_give_up_their_keys_at_once_leave_one, |test| {
    let app = app(&test);
    let mut last = ("ann".to_owned(), added(&app, None, "ann", Role::Admin).await);
    for round in 0..4 {
        let mut admins = vec![last.clone()];
        for n in 0..5 {
            let name = format!("admin-{round}-{n}");
            let made = added(&app, Some(&last.1), &name, Role::Admin).await;
            admins.push((name, made));
        }
        let tasks: Vec<_> = admins
            .iter()
            .cloned()
            .map(|(name, own)| {
                let app = app.clone();
                tokio::spawn(async move { revoke_operator(&app, &own, &name).await })
            })
            .collect();
        let mut stayed = Vec::new();
        for (admin, task) in admins.into_iter().zip(tasks) {
            if let Err(refused) = task.await.expect("no panic") {
                assert_eq!(refused.key(), "last_admin");
                stayed.push(admin);
            }
        }
        assert_eq!(stayed.len(), 1, "{:?}", stayed.iter().map(|(name, _)| name).collect::<Vec<_>>());
        let left = list_operators(&app).await.expect("listed").into_iter().filter(|one| !one.revoked);
        assert_eq!(left.map(|one| one.name).collect::<Vec<_>>(), [stayed[0].0.clone()]);
        last = stayed.remove(0);
    }
});

on_both!(nobody_of_those_added_at_once_is_a_second_person, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    let tasks: Vec<_> = (0..6)
        .map(|n| {
            let (app, ann) = (app.clone(), ann.clone());
            tokio::spawn(async move { add_operator(&app, Some(ann), &format!("op{n}"), Role::Finance).await.is_ok() })
        })
        .collect();
    for task in tasks {
        assert!(task.await.expect("no panic"));
    }
    let all = list_operators(&app).await.expect("listed");
    assert_eq!((all.len(), all.iter().filter(|one| one.person != "ann").count()), (7, 0));
});

on_both!(the_use_of_a_key_is_known_to_the_hour, |test| {
    let app = app(&test);
    let (_, key) = add_operator(&app, None, "ann", Role::Admin).await.expect("added");
    assert_eq!(listed(&app, "ann").await.last_used_at, None);
    sign_in(&app, "ann", key.text()).await.expect("in");
    let first = listed(&app, "ann").await.last_used_at;
    assert!(first.is_some());
    test.clock.advance_seconds(3_599);
    sign_in(&app, "ann", key.text()).await.expect("in");
    assert_eq!(listed(&app, "ann").await.last_used_at, first);
    test.clock.advance_seconds(1);
    sign_in(&app, "ann", key.text()).await.expect("in");
    assert_ne!(listed(&app, "ann").await.last_used_at, first);
});

on_both!(an_admin_sets_limits, |test| {
    let app = app(&test);
    let ann = added(&app, None, "ann", Role::Admin).await;
    let bob = added(&app, Some(&ann), "bob", Role::Finance).await;
    let shown = async || {
        let all = limits(&app).await.expect("limits");
        all.into_iter().map(|one| format!("{} {} {}", one.role, one.each, one.daily)).collect::<Vec<_>>()
    };
    let before = ["support 10000.00 50000.00", "finance 50000.00 200000.00", "admin 1000000.00 5000000.00"];
    assert_eq!(shown().await, before);
    assert_eq!(why(set_limit(&app, &bob, Role::Finance, "1", "2").await), "not_permitted");
    assert_eq!(why(set_limit(&app, &ann, Role::Finance, "2", "1").await), "daily=invalid");
    assert_eq!(why(set_limit(&app, &ann, Role::Finance, "-1", "1").await), "daily=invalid");
    assert_eq!(why(set_limit(&app, &ann, Role::Finance, "all", "1").await), "each=invalid_amount");
    assert_eq!(shown().await, before);
    set_limit(&app, &ann, Role::Finance, "10", "25.50").await.expect("set");
    assert_eq!(shown().await[1], "finance 10.00 25.50");
    let page = store::PageRequest::default();
    let told = foundation::staff::audit_log::audit_lines(&app, Default::default(), page)
        .await
        .expect("the audit")
        .items
        .remove(0);
    assert_eq!((told.action.as_str(), told.subject.as_str()), ("operator.limit", "role:finance"));
    assert_eq!(told.details["each"], serde_json::json!({ "from": "50000.00", "to": "10.00" }));
});
