use auth::Role;
use store::on_both;
use usecases::operators::{add_operator, list_operators, sign_in};
use usecases::staff::Staff;

use crate::support::{app, deeds, staff, why};

on_both!(the_first_needs_nobody_and_the_next_an_admin, |test| {
    let app = app(&test);
    let (first, key) = add_operator(&app, None, "ann", Role::Admin).await.expect("the first");
    assert_eq!((first.name.as_str(), first.role.as_str(), first.revoked), ("ann", "admin", false));
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
