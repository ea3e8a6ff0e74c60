//! Whoever may change how the database writes a row, by a trigger or a default, has the program itself vouch for what they
//! want. What the records say was done tells all the same.

use auth::Role;
use campaigns::AdServer;
use desk::requests::{MoneyRequestDraft, request};
use foundation::staff::Staff;
use foundation::staff::limits::set_limit;
use foundation::staff::operator_keys::rotate_operator;
use foundation::staff::operators::{add_operator, sign_in};
use store::on_both;

use super::{faults, sound};
use crate::intruder::keep;
use crate::support::market;

/// What a trigger adds to an `event` on a table: columns with their values, of rows for which `when` is true.
async fn plant(app: &AdServer, (event, table): (&str, &str), when: &str, sets: &[(&str, &str)]) {
    let listed = |each: &dyn Fn(&str, &str) -> String, between: &str| {
        sets.iter().map(|(column, value)| each(column, value)).collect::<Vec<_>>().join(between)
    };
    let planted = match app.db.sqlite_path() {
        Some(_) => format!(
            "CREATE TRIGGER planted_{table} AFTER {event} ON {table} WHEN {when} \
             BEGIN UPDATE {table} SET {} WHERE rowid = NEW.rowid; END;",
            listed(&|column, value| format!("{column} = {value}"), ", ")
        ),
        None => format!(
            "CREATE FUNCTION planted_{table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {}; RETURN NEW; END $$; \
             CREATE TRIGGER planted_{table} BEFORE {event} ON {table} FOR EACH ROW WHEN ({when}) \
             EXECUTE FUNCTION planted_{table}();",
            listed(&|column, value| format!("NEW.{column} := {value}"), "; ")
        ),
    };
    keep(app, &[&planted]).await;
}

/// The trigger is gone before anybody looks.
async fn pull_out(app: &AdServer, table: &str) {
    let pulled = match app.db.sqlite_path() {
        Some(_) => format!("DROP TRIGGER planted_{table};"),
        None => format!("DROP TRIGGER planted_{table} ON {table}; DROP FUNCTION planted_{table}();"),
    };
    keep(app, &[&pulled]).await;
}

async fn told(app: &AdServer) -> Vec<String> {
    app.db.snapshot(faults).await.expect("walked")
}

fn says(told: &[String], what: &str) -> bool {
    told.iter().any(|fault| fault.starts_with(what))
}

on_both!(who_becomes_another_person_by_a_trigger_is_found, |t| {
    let market = market(t).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let added = add_operator(app, Some(bob.clone()), "eve", Role::Support).await.expect("added").0;
    let (_, key) = rotate_operator(app, bob, "eve").await.expect("rotated");
    let eve = Staff::new(sign_in(app, "eve", key.text()).await.expect("signed in"), "a test").expect("a reason");
    sound(app).await;
    let own = [("person", "NULL"), ("confirmed_by", "1"), ("confirmed_at", "1"), ("role", "3")];
    // Only when the key is written: the row is also written to lock it, which would show.
    plant(app, ("UPDATE", "operators"), "NEW.key_hash <> OLD.key_hash", &own).await;
    rotate_operator(app, &eve, "eve").await.expect("her own");
    pull_out(app, "operators").await;
    let found = told(app).await;
    let id = added.id;
    assert!(!says(&found, &format!("operator {id} was edited")), "the program vouched for it: {found:#?}");
    assert!(
        says(&found, &format!("operator {id} counts as operator {id}: by the records, as operator ")),
        "{found:#?}"
    );
    assert!(says(&found, &format!("operator {id} has the role admin: by the records, support")), "{found:#?}");
});

on_both!(a_role_and_limits_that_a_trigger_raised_are_found, |t| {
    let market = market(t).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    plant(app, ("INSERT", "operators"), "NEW.name = 'eve'", &[("role", "3")]).await;
    let eve = add_operator(app, Some(bob.clone()), "eve", Role::Support).await.expect("added").0;
    pull_out(app, "operators").await;
    let raised = [("at_once", "900000000"), ("daily", "900000000")];
    plant(app, ("UPDATE", "role_limits"), "NEW.role = 2", &raised).await;
    set_limit(app, bob, Role::Finance, "49000.00", "199000.00").await.expect("lowered");
    pull_out(app, "role_limits").await;
    let found = told(app).await;
    assert!(!says(&found, "the limits of role 2 was edited"), "the program vouched for it: {found:#?}");
    assert!(says(&found, "the limits of role 2 are not what record "), "{found:#?}");
    assert!(says(&found, &format!("operator {} has the role admin: by the records, support", eve.id)), "{found:#?}");
});

on_both!(a_request_that_a_trigger_approved_is_found, |t| {
    let market = market(t).await;
    let world = &market.world;
    let (app, ann) = (&world.app, world.ann.id().to_string());
    let approved =
        [("status", "1"), ("decided_by", &*ann), ("decided_person", &*ann), ("decided_at", "NEW.requested_at")];
    plant(app, ("INSERT", "money_requests"), "NEW.amount = 100", &approved).await;
    let draft = MoneyRequestDraft::recharge(world.user, "1.00", "OWN-1");
    let asked = request(app, &world.bob, draft).await.expect("requested");
    pull_out(app, "money_requests").await;
    let found = told(app).await;
    assert!(says(&found, &format!("request {} is approved, and no record says by whom", asked.id)), "{found:#?}");
});
