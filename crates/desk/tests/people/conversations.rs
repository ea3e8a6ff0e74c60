//! Conversations between users and customer service.

use campaigns::AdServer;
use std::io::Cursor;

use auth::{AccountStatus, Role};
use base::UserId;
use desk::export;
use foundation::Error;
use foundation::idempotent::Key;
use foundation::notifications::conversation::{ConversationView, MessageView, Write, conversation, mark_read, write};
use foundation::notifications::conversation_staff::{self, Filter, answer, close, picture, show};
use foundation::notifications::{NotificationQuery, list_notifications, unread};
use foundation::people::files::{Visibility, begin_upload, find_file, find_private};
use foundation::people::staff_accounts::change_status;
use foundation::staff::audit_log::{AuditFilter, audit_lines};
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use image::{ImageFormat, RgbImage};
use objects::{ObjectLocation, Objects};
use store::testing::TestDb;
use store::{PageRequest, on_both};

use crate::support::{app, deeds, staff, why};

const FIRST: PageRequest = PageRequest { before: None, limit: 20 };

async fn say(app: &AdServer, user: UserId, text: &str) -> Result<MessageView, Error> {
    write(app, user, Write { text: text.to_owned(), pictures: Vec::new(), key: None }).await
}

async fn read(app: &AdServer, user: UserId) -> ConversationView {
    conversation(app, user, FIRST).await.expect("read")
}

async fn waiting(app: &AdServer) -> Vec<String> {
    let filter = Filter { waiting: true, ..Filter::default() };
    let found = conversation_staff::list(app, filter, FIRST).await.expect("listed");
    found.items.into_iter().map(|line| line.username).collect()
}

/// An installation that stores files, and a private picture of the user.
async fn with_picture(test: &TestDb, user: UserId, shown: Visibility) -> (AdServer, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let app = app(test).with_objects(objects);
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::new(40, 30).write_to(&mut bytes, ImageFormat::Png).expect("written");
    let mut upload = begin_upload(&app, user, shown).await.expect("a place");
    upload.add(&bytes.into_inner());
    let id = upload.finish().await.expect("kept").id;
    (app, id, folder)
}

on_both!(a_question_is_read_and_answered_and_the_answer_is_read, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let ann = staff(&test, "ann", Role::Support).await;
    assert_eq!((read(&app, user).await.status, read(&app, user).await.unread), (None, 0));
    let asked = say(&app, user, " Where is it?\r\nIt is late. ").await.expect("written");
    assert_eq!((asked.text.as_str(), asked.read), ("Where is it?\nIt is late.", false));
    assert_eq!(waiting(&app).await, ["demo"]);

    let shown = show(&app, ann.clone(), "demo", 20).await.expect("shown");
    assert_eq!((shown.messages[0].by.as_str(), shown.messages[0].text.as_str()), ("demo", asked.text.as_str()));
    assert!(read(&app, user).await.items[0].read, "the user sees that it was read");
    assert_eq!(waiting(&app).await, ["demo"], "it is still to be answered");

    let answered = answer(&app, ann.clone(), "demo", "On its way.").await.expect("answered");
    assert_eq!((answered.by.as_str(), answered.read), ("ann", false));
    assert!(waiting(&app).await.is_empty());
    let now = read(&app, user).await;
    assert_eq!((now.unread, now.items[0].text.as_str(), now.items[0].read), (1, "On its way.", false));
    assert_eq!(unread(&app, user).await.expect("a count"), 1);

    let until = now.items[0].id;
    assert_eq!(mark_read(&app, user, until).await.expect("read").unread, 0);
    assert_eq!(mark_read(&app, user, asked.id).await.expect("read").unread, 0, "never back");
    assert_eq!(unread(&app, user).await.expect("a count"), 0, "the notice was read with it");
    assert!(show(&app, ann, "demo", 20).await.expect("shown").messages[1].read);
    assert_eq!(
        deeds(&app).await,
        [
            "ann conversation.read conversation:1",
            "ann conversation.answer conversation:1",
            "ann conversation.read conversation:1",
        ]
    );
});

on_both!(several_unread_answers_are_announced_once_and_each_leads_here, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let ann = staff(&test, "ann", Role::Finance).await;
    for text in ["One.", "Two.", "Three."] {
        answer(&app, ann.clone(), "demo", text).await.expect("answered");
    }
    let told = list_notifications(&app, user, i18n::Lang::De, NotificationQuery::default()).await.expect("listed");
    let kinds: Vec<_> = told.items.iter().map(|notice| notice.kind.as_deref()).collect();
    assert_eq!(kinds, [Some("service_answered")]);
    assert_eq!(told.items[0].title, "Der Kundenservice hat geantwortet");
    let last = read(&app, user).await.items[0].id;
    mark_read(&app, user, last).await.expect("read");
    answer(&app, ann, "demo", "Four.").await.expect("answered");
    assert_eq!(unread(&app, user).await.expect("a count"), 1);
});

on_both!(a_message_sent_again_is_kept_once, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let key = || Some(Key::parse("again").expect("a key"));
    let again = |text: &str| Write { text: text.to_owned(), pictures: Vec::new(), key: key() };
    let sent = join_all((0..6).map(|_| write(&app, user, again("Hello")))).await;
    let ids: Vec<_> = sent.into_iter().map(|sent| sent.expect("sent").id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(read(&app, user).await.items.len(), 1);
    assert_eq!(why(write(&app, user, again("Something else")).await), "idempotency_key_reused");
    let other = test.user("other").await;
    assert!(write(&app, other, again("Hello")).await.is_ok(), "another user's key is another one");
});

on_both!(what_cannot_be_kept_is_refused_at_its_field, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    assert_eq!(why(say(&app, user, " \n ").await), "text=required");
    assert_eq!(why(say(&app, user, &"x".repeat(2_001)).await), "text=too_long");
    assert_eq!(why(say(&app, user, "a\u{1b}[2Jb").await), "text=invalid");
    let with = |pictures: Vec<String>| write(&app, user, Write { text: "x".into(), pictures, key: None });
    assert_eq!(why(with(vec!["0".repeat(32)]).await), "pictures=invalid");
    assert_eq!(why(with((0..5).map(|n| format!("{n:032x}")).collect()).await), "pictures=too_many");
    assert!(read(&app, user).await.items.is_empty());
});

on_both!(sixty_messages_an_hour_are_enough, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    for _ in 0..60 {
        say(&app, user, "Hello").await.expect("written");
    }
    let refused = say(&app, user, "Hello").await.expect_err("refused");
    assert!(matches!(refused, Error::TooManyRequests { retry_after: 3_600 }), "{refused:?}");
    assert!(say(&app, test.user("other").await, "Hello").await.is_ok());
    test.clock.advance_seconds(3_600);
    say(&app, user, "Hello").await.expect("written");
    // Pages neither lose nor repeat anything while more is written.
    let first = conversation(&app, user, PageRequest { before: None, limit: 25 }).await.expect("read");
    say(&app, user, "One more").await.expect("written");
    let (mut seen, mut next) = (first.items, first.next_cursor);
    while let Some(cursor) = next {
        let page = PageRequest { before: cursor.parse().ok(), limit: 25 };
        let more = conversation(&app, user, page).await.expect("read");
        (next, _) = (more.next_cursor, seen.extend(more.items));
    }
    let ids: std::collections::BTreeSet<_> = seen.iter().map(|message| message.id).collect();
    assert_eq!((seen.len(), ids.len()), (61, 61));
});

on_both!(a_picture_is_shown_to_its_user_and_to_staff_alone, |test| {
    let user = test.user("demo").await;
    let other = test.user("other").await;
    let (app, id, _folder) = with_picture(&test, user, Visibility::Private).await;
    let with =
        |user, id: &str| write(&app, user, Write { text: String::new(), pictures: vec![id.to_owned()], key: None });
    assert_eq!(why(with(other, &id).await), "pictures=invalid", "somebody else's");
    let sent = with(user, &id).await.expect("sent without a text");
    assert_eq!(sent.pictures, std::slice::from_ref(&id));
    assert!(find_private(&app, Some(user), &id).await.expect("read").is_some());
    assert!(find_private(&app, Some(other), &id).await.expect("read").is_none());
    assert!(find_file(&app, &id).await.expect("read").is_none(), "having its address is not enough");
    assert_eq!(picture(&app, &id).await.expect("opened").0.name(), "image/png");
    assert_eq!(why(picture(&app, &"0".repeat(32)).await), "not_found");

    let (app, public, _folder) = with_picture(&test, user, Visibility::Public).await;
    let sent = write(&app, user, Write { text: String::new(), pictures: vec![public.clone()], key: None }).await;
    assert_eq!(why(sent), "pictures=invalid", "everybody could see it");
    assert_eq!(why(picture(&app, &public).await), "not_found");
    assert!(find_private(&app, Some(user), &public).await.expect("read").is_none());
});

on_both!(closing_is_for_staff_and_over_with_the_next_message, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let ann = staff(&test, "ann", Role::Support).await;
    assert_eq!(why(close(&app, ann.clone(), "demo").await), "not_found");
    say(&app, user, "Hello").await.expect("written");
    show(&app, ann.clone(), "demo", 1).await.expect("shown");
    close(&app, ann.clone(), "demo").await.expect("closed");
    assert_eq!(why(close(&app, ann.clone(), "demo").await), "already_decided");
    assert!(waiting(&app).await.is_empty());
    let of = async |status| {
        let filter = Filter { status: Some(status), ..Filter::default() };
        conversation_staff::list(&app, filter, FIRST).await.expect("listed").items.len()
    };
    assert_eq!((of(conversation_staff::Status::Closed).await, of(conversation_staff::Status::Open).await), (1, 0));
    say(&app, user, "One more thing").await.expect("written");
    assert_eq!(waiting(&app).await, ["demo"]);
    assert_eq!(why(answer(&app, ann.clone(), "demo", " ").await), "text=required");
    assert_eq!(why(show(&app, ann.clone(), "nobody", 1).await), "not_found");
    change_status(&app, ann.clone(), "demo", AccountStatus::Disabled).await.expect("disabled");
    answer(&app, ann, "demo", "Your account is disabled.").await.expect("answered");
});

on_both!(the_export_has_the_messages_and_the_audit_log_has_no_texts, |test| {
    let (app, user) = (app(&test), test.user("demo").await);
    let ann = staff(&test, "ann", Role::Support).await;
    say(&app, user, "a question of mine").await.expect("written");
    show(&app, ann.clone(), "demo", 1).await.expect("shown");
    answer(&app, ann, "demo", "an answer of theirs").await.expect("answered");
    let (_, file) = export::export(&app, user, i18n::Lang::En).await.expect("a file");
    let text = file.try_collect::<String>().await.expect("all of it");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let texts: Vec<_> = file["messages"].as_array().expect("a list").iter().map(|m| m["text"].clone()).collect();
    assert_eq!(texts, ["an answer of theirs", "a question of mine"]);
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    assert!(words.all(|word| word != "ann"), "no operator is named");
    let records = format!("{:?}", audit_lines(&app, AuditFilter::default(), FIRST).await.expect("the audit"));
    assert!(records.contains("conversation.answer") && !records.contains("of theirs"), "{records}");
});
