//! Staff notes: stored, withdrawn, and never visible to users.

use auth::Role;
use campaigns::AdServer;
use desk::export;
use diesel::connection::SimpleConnection;
use foundation::staff::Staff;
use foundation::staff::notes::{add_note, notes, withdraw_note};
use futures_util::TryStreamExt;
use store::{Error, PageRequest, on_both};

use crate::support::{app, deeds, staff, why};

async fn texts(app: &AdServer, all: bool) -> Vec<String> {
    let page = notes(app, "demo", all, PageRequest::default()).await.expect("listed");
    page.items.into_iter().map(|note| note.text).collect()
}

on_both!(a_note_is_kept_and_withdrawn_and_still_kept, |test| {
    let app = app(&test);
    let ann = test.operator("ann", Role::Support).await;
    test.user("demo").await;
    for text in ["called about a card", " waits for a bank "] {
        add_note(&app, ann.clone(), "demo", text, None).await.expect("kept");
    }
    assert_eq!(texts(&app, false).await, ["waits for a bank", "called about a card"]);
    let by = Staff::new(ann.clone(), "of another user").expect("a reason");
    let id = "1".parse().expect("an id");
    let withdrawn = withdraw_note(&app, by.clone(), id).await.expect("withdrawn");
    assert!(withdrawn.withdrawn_at.is_some() && withdrawn.written_by == "ann", "{withdrawn:?}");
    assert_eq!(why(withdraw_note(&app, by.clone(), id).await), "already_decided");
    assert_eq!(why(withdraw_note(&app, by, "9".parse().expect("an id")).await), "not_found");
    assert_eq!(texts(&app, false).await, ["waits for a bank"]);
    assert_eq!(texts(&app, true).await.len(), 2);
    assert_eq!(deeds(&app).await, ["ann note.withdraw note:1", "ann note.add note:2", "ann note.add note:1"]);
    for (text, problem) in [("", "text=required"), (&"x".repeat(501), "text=too_long")] {
        assert_eq!(why(add_note(&app, ann.clone(), "demo", text, None).await), problem);
    }
    assert_eq!(why(add_note(&app, ann, "nobody", "x", None).await), "not_found");
});

on_both!(no_call_of_the_users_shows_a_note, |test| {
    let app = app(&test);
    let ann = test.operator("ann", Role::Support).await;
    let user = test.user("demo").await;
    let note = add_note(&app, ann.clone(), "demo", "sounds unsure of the card", None).await.expect("kept");
    let by = Staff::new(ann, "wrong about that card").expect("a reason");
    withdraw_note(&app, by, note.id).await.expect("withdrawn");
    let (_, file) = export::export(&app, user, i18n::Lang::En).await.expect("a file");
    let text = file.try_collect::<String>().await.expect("all of it");
    assert!(text.contains("staff_actions") && !text.contains("unsure") && !text.contains("wrong about"), "{text}");
});

on_both!(the_database_itself_refuses_to_change_or_remove_a_note, |test| {
    let app = app(&test);
    let ann = test.operator("ann", Role::Support).await;
    let by = staff(&test, "bob", Role::Support).await;
    test.user("demo").await;
    add_note(&app, ann.clone(), "demo", "first", None).await.expect("kept");
    let note = add_note(&app, ann, "demo", "second", None).await.expect("kept");
    withdraw_note(&app, by, note.id).await.expect("withdrawn");
    for change in [
        "UPDATE staff_notes SET text = 'other' WHERE id = 1",
        "UPDATE staff_notes SET withdrawn_by = NULL, withdrawn_at = NULL WHERE id = 2",
        "UPDATE staff_notes SET withdrawn_at = 1 WHERE id = 1",
        "DELETE FROM staff_notes",
    ] {
        let refused = test.db.write(move |tx| {
            let conn: &mut store::Conn = tx;
            conn.batch_execute(change).map_err(Error::from)
        });
        assert!(refused.await.is_err(), "{change}");
    }
    assert_eq!(texts(&app, true).await, ["second", "first"]);
});
