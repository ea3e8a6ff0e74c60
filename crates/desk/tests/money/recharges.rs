//! Incoming money.

use base::RequestId;
use desk::requests::{MoneyRequestDraft, approve, request, requests};
use foundation::staff::requests::{RequestFilter, RequestRef};
use store::{PageRequest, on_both};

use crate::support::{World, money, why, world};

fn of(w: &World, amount: &str, reference: &str) -> MoneyRequestDraft {
    MoneyRequestDraft::recharge(w.user, amount, reference)
}

on_both!(a_second_person_credits_it_once, |test| {
    let w = world(test).await;
    let requested = request(&w.app, &w.ann, of(&w, "250", " B-77 ")).await.expect("requested");
    let id: RequestRef = requested.id.into();
    assert_eq!((requested.reference.as_deref(), w.property().await.available), (Some("B-77"), money("0")));
    assert_eq!(why(approve(&w.app, &w.ann, id).await), "second_person_needed");
    assert_eq!(w.property().await.available, money("0"));

    approve(&w.app, &w.bob, id).await.expect("approved");
    assert_eq!(why(approve(&w.app, &w.bob, id).await), "already_decided");
    assert_eq!(w.lines().await, ["system_top_up 250.00 250.00"]);
    let line = w.statement().await.lines.items.remove(0);
    assert_eq!(
        (line.remark.as_str(), line.reference.kind.name(), line.reference.id.as_str()),
        ("B-77", "recharge", &*requested.id.to_string())
    );
});

on_both!(a_reference_is_credited_once, |test| {
    let w = world(test).await;
    request(&w.app, &w.ann, of(&w, "1", "B-77")).await.expect("requested");
    assert_eq!(why(request(&w.app, &w.bob, of(&w, "2", "B-77")).await), "reference_used");
    assert!(request(&w.app, &w.bob, of(&w, "2", "B-78")).await.is_ok());
});

on_both!(wrong_requests_are_told, |test| {
    let w = world(test).await;
    assert_eq!(why(request(&w.app, &w.ann, of(&w, "1", " ")).await), "reference=required");
    assert_eq!(why(request(&w.app, &w.ann, of(&w, "1", &"x".repeat(65))).await), "reference=too_long");
    assert_eq!(why(request(&w.app, &w.ann, of(&w, "ten", "B")).await), "amount=invalid_amount");
    assert_eq!(why(request(&w.app, &w.ann, of(&w, "-5", "B")).await), "amount_out_of_range");
    assert_eq!(why(approve(&w.app, &w.ann, RequestRef::any(RequestId(9))).await), "not_found");
    assert!(requests(&w.app, RequestFilter::default(), PageRequest::default()).await.expect("a list").items.is_empty());
});

on_both!(sixteen_approvals_at_once_credit_once, |test| {
    let w = world(test).await;
    let id: RequestRef = request(&w.app, &w.ann, of(&w, "5", "B")).await.expect("requested").id.into();
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (app, bob) = (w.app.clone(), w.bob.clone());
            tokio::spawn(async move { approve(&app, &bob, id).await.is_ok() })
        })
        .collect();
    let mut approved = 0;
    for task in tasks {
        approved += usize::from(task.await.expect("no panic"));
    }
    assert_eq!((approved, w.property().await.available), (1, money("5")));
});

on_both!(the_list_names_the_user, |test| {
    let w = world(test).await;
    w.recharge("1", "a").await;
    request(&w.app, &w.bob, of(&w, "2", "b")).await.expect("requested");
    let first =
        requests(&w.app, RequestFilter::default(), PageRequest { before: None, limit: 1 }).await.expect("a page");
    assert_eq!((first.items[0].reference.as_deref(), first.items[0].username.as_deref()), (Some("b"), Some("demo")));
    let second =
        requests(&w.app, RequestFilter::default(), PageRequest { before: first.next, limit: 1 }).await.expect("a page");
    assert_eq!((second.items[0].approved_by, second.next), (Some(w.bob.id()), None));
});
