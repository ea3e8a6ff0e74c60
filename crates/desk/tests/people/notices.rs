use campaigns::AdServer;
use std::collections::BTreeMap;

use auth::Role;
use desk::requests::{approve, reject, show};
use foundation::notices::written::{Text, TextsByLanguage};
use foundation::notices::{Notice, NoticeKind, notify};
use foundation::notifications::{
    Announce, Announced, Audience, Category, Filter, NotificationList, NotificationQuery, ReadSelection, announce,
    list_notifications, read, unread,
};
use foundation::people::entry::issue_ticket;
use foundation::people::staff_accounts::find_account;
use foundation::staff::Staff;
use i18n::Lang;
use store::on_both;
use store::staff::operators::Operator;

use base::{Money, UserId};

use crate::support::{app, deeds, staff, why};

fn text(title: &str) -> Text {
    Text { title: title.into(), body: "There is some.".into() }
}

fn given(title: &str) -> TextsByLanguage {
    TextsByLanguage::new(Some(text(title)), BTreeMap::new())
}

/// What is for everybody is approved by a second person, if there is one.
async fn tell(
    app: &AdServer,
    by: &Staff,
    words: TextsByLanguage,
    to: Audience,
) -> Result<Announced, foundation::Error> {
    let command = Announce { category: Category::SystemAnnouncement, words, to };
    let told = announce(app, by.clone(), command).await?;
    agreed(app, &told).await;
    Ok(told)
}

async fn second(app: &AdServer) -> Option<Operator> {
    let all = app.db.read(store::staff::operators::all).await.expect("read");
    all.into_iter().find(|operator| operator.name == "ben")
}

async fn agreed(app: &AdServer, told: &Announced) {
    if let (Announced::Requested(asked), Some(ben)) = (told, second(app).await) {
        let ben = Staff::new(ben, "a test").expect("a reason");
        approve(app, &ben, asked.id.into()).await.expect("approved");
    }
}

async fn list(app: &AdServer, user: UserId, lang: Lang, wanted: NotificationQuery) -> NotificationList {
    list_notifications(app, user, lang, wanted).await.expect("listed")
}

fn titles(listed: &NotificationList) -> Vec<&str> {
    listed.items.iter().map(|item| item.title.as_str()).collect()
}

async fn own(app: &AdServer, user: UserId, topic: &'static str) {
    let kind = NoticeKind::FeedbackAnswered { topic: topic.to_owned(), reply: "Thank you".to_owned() };
    app.db.write(move |tx| notify(tx, user, &kind)).await.expect("told");
}

on_both!(rows_of_before_there_were_kinds_read_as_they_did, |test| {
    let app = app(&test);
    let ada = test.user("ada").await;
    let kept = r#"{"amount":"1250.00","reason":"","balance":"3.00"}"#;
    let before = Notice {
        user: ada,
        category: Category::Activity,
        template: "withdrawal_paid".to_owned(),
        params: kept.to_owned(),
        pushed: None,
    };
    let now = NoticeKind::WithdrawalPaid { amount: Money::from_minor(125_000) };
    let told = app.db.write(move |tx| {
        store::notifications::insert(tx, std::slice::from_ref(&before))?;
        notify(tx, ada, &now)
    });
    told.await.expect("told");
    let listed = list(&app, ada, Lang::De, NotificationQuery::default()).await;
    let texts: Vec<_> = listed.items.iter().map(|item| (&item.title, &item.body, item.category)).collect();
    assert!(texts.len() == 2 && texts[0] == texts[1], "{texts:?}");
    assert!(texts[0].1.contains("1.250,00"), "{texts:?}");
});

on_both!(staff_write_to_one_or_to_everybody, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    staff(&test, "ben", Role::Finance).await;
    let (ada, bob) = (test.user("ada").await, test.user("bob").await);
    tell(&app, &ann, given(" News "), Audience::Everybody(None)).await.expect("told");
    tell(&app, &ann, given("新闻"), Audience::Everybody(Some(Lang::Zh))).await.expect("told");
    let one = tell(&app, &ann, given("Hello"), Audience::User("Ada".into())).await.expect("told");
    assert!(matches!(&one, Announced::Told(told) if told.user == "ada"), "{one:?}");
    assert_eq!(why(tell(&app, &ann, given("x"), Audience::User("nobody".into())).await), "not_found");
    assert_eq!((unread(&app, ada).await.expect("ada"), unread(&app, bob).await.expect("bob")), (2, 1));
    let listed = list(&app, bob, Lang::Zh, NotificationQuery::default()).await;
    assert_eq!((listed.items[0].title.as_str(), listed.items[0].body.as_str()), ("News", "There is some."));
    let fin = staff(&test, "fin", Role::Finance).await;
    assert_eq!(why(tell(&app, &fin, given("News"), Audience::Everybody(None)).await), "not_permitted");
    assert_eq!(why(tell(&app, &ann, given(" "), Audience::Everybody(None)).await), "title=required");
    let expected = [
        "ann notify notifications",
        "ben announcement.approve announcement:2",
        "ann announcement.request announcement:2",
        "ben announcement.approve announcement:1",
        "ann announcement.request announcement:1",
    ];
    assert_eq!(deeds(&app).await, expected);
});

// What an attack did: a notice to all with a link, by one of support.
on_both!(what_all_see_takes_two_who_see_where_it_leads, |test| {
    let app = app(&test);
    let (ann, ben) = (staff(&test, "ann", Role::Support).await, staff(&test, "bea", Role::Finance).await);
    let ada = test.user("ada").await;
    let linking = Text { title: "Verify".into(), body: "At https://evil.example/login".into() };
    let words = TextsByLanguage::new(Some(linking), BTreeMap::from([("de".to_owned(), text("Verify your account"))]));
    let to_all = |words: &TextsByLanguage| tell(&app, &ann, words.clone(), Audience::Everybody(None));
    let Announced::Requested(asked) = to_all(&words).await.expect("requested") else { panic!("it was sent") };
    assert_eq!((asked.kind.name(), asked.status.name()), ("announcement", "requested"));
    assert_eq!(asked.name.as_deref(), Some("Verify"));
    let seen = asked.proposal.clone().expect("what users will see");
    assert_eq!(seen["links"]["to"], serde_json::json!(["https://evil.example/login"]));
    assert_eq!(seen["title"]["to"], serde_json::json!({ "": "Verify", "de": "Verify your account" }));
    assert_eq!(seen["body"]["to"]["de"], "There is some.");
    let which = asked.id.into();
    assert_eq!(why(approve(&app, &ann, which).await), "not_permitted");
    assert_eq!(unread(&app, ada).await.expect("a count"), 0);
    // Typed twice, it is asked for once.
    let Announced::Requested(again) = to_all(&words).await.expect("requested") else { panic!("it was sent") };
    assert_eq!(again.id, asked.id);
    reject(&app, &ben, which).await.expect("rejected");
    assert_eq!(unread(&app, ada).await.expect("a count"), 0);
    let Announced::Requested(other) = to_all(&words).await.expect("requested") else { panic!("it was sent") };
    approve(&app, &ben, other.id.into()).await.expect("approved");
    assert_eq!(titles(&list(&app, ada, Lang::De, NotificationQuery::default()).await), ["Verify your account"]);
    assert_eq!(show(&app, which).await.expect("shown").status.name(), "rejected");
    // To one user, one person sends no link at all.
    let one = tell(&app, &ann, words, Audience::User("ada".into())).await;
    assert_eq!(why(one), "body=link");
    assert_eq!(unread(&app, ada).await.expect("a count"), 1);
});

on_both!(each_reads_it_in_their_language, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    staff(&test, "ben", Role::Finance).await;
    let ada = test.user("ada").await;
    let by_lang = BTreeMap::from([("de".to_owned(), text("Neues")), ("en".to_owned(), text("News"))]);
    for to in [Audience::Everybody(None), Audience::User("ada".into())] {
        tell(&app, &ann, TextsByLanguage::new(None, by_lang.clone()), to).await.expect("told");
    }
    assert_eq!(titles(&list(&app, ada, Lang::De, NotificationQuery::default()).await), ["Neues", "Neues"]);
    assert_eq!(titles(&list(&app, ada, Lang::Th, NotificationQuery::default()).await), ["News", "News"]);
});

on_both!(who_comes_later_is_not_told_what_was_before, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    staff(&test, "ben", Role::Finance).await;
    tell(&app, &ann, given("Old news"), Audience::Everybody(None)).await.expect("told");
    test.clock.advance_seconds(1);
    issue_ticket(&app, None, "ada").await.expect("a ticket for a new user");
    let ada = find_account(&app, "ada").await.expect("the user");
    tell(&app, &ann, given("News"), Audience::Everybody(None)).await.expect("told");
    assert_eq!(titles(&list(&app, ada, Lang::En, NotificationQuery::default()).await), ["News"]);
    assert_eq!(unread(&app, ada).await.expect("a count"), 1);
});

on_both!(both_kinds_are_one_list_that_pages_go_through, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    staff(&test, "ben", Role::Finance).await;
    let ada = test.user("ada").await;
    for n in 0..7 {
        // Some with the same time, of either kind.
        if n % 3 == 0 {
            test.clock.advance_seconds(1);
        }
        own(&app, ada, "A").await;
        tell(&app, &ann, given(&format!("N{n}")), Audience::Everybody(None)).await.expect("told");
    }
    let whole = list(&app, ada, Lang::En, NotificationQuery { limit: Some(100), ..NotificationQuery::default() }).await;
    assert_eq!((whole.items.len(), whole.next_cursor.as_deref()), (14, None));
    for limit in [1, 3, 5, 13] {
        let (mut ids, mut cursor) = (Vec::new(), None);
        loop {
            let page = list(
                &app,
                ada,
                Lang::En,
                NotificationQuery { limit: Some(limit), cursor, ..NotificationQuery::default() },
            )
            .await;
            ids.extend(page.items.into_iter().map(|item| item.id));
            // Later items are above and shift nothing.
            test.clock.advance_seconds(1);
            own(&app, ada, "meanwhile").await;
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let expected: Vec<String> = whole.items.iter().map(|item| item.id.clone()).collect();
        assert!(ids.ends_with(&expected), "{limit}: {ids:?} {expected:?}");
    }
    let odd = |cursor: &str| NotificationQuery { cursor: Some(cursor.into()), ..NotificationQuery::default() };
    for cursor in ["7", "x.1", "1.x", "1.-1"] {
        assert_eq!(why(list_notifications(&app, ada, Lang::En, odd(cursor)).await), "cursor=invalid", "{cursor}");
    }
    assert_eq!(
        why(list_notifications(
            &app,
            ada,
            Lang::En,
            NotificationQuery { limit: Some(101), ..NotificationQuery::default() }
        )
        .await),
        "limit=invalid"
    );
});

on_both!(reading_one_or_all_counts_down_and_never_below_nothing, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    staff(&test, "ben", Role::Finance).await;
    let (ada, bob) = (test.user("ada").await, test.user("bob").await);
    own(&app, ada, "A").await;
    tell(&app, &ann, given("News"), Audience::Everybody(None)).await.expect("told");
    let maintenance = Announce {
        category: Category::SystemMaintenance,
        words: given("Closed tonight"),
        to: Audience::Everybody(None),
    };
    agreed(&app, &announce(&app, ann.clone(), maintenance).await.expect("told")).await;
    let listed = list(&app, ada, Lang::En, NotificationQuery::default()).await;
    let ids: Vec<_> = listed.items.iter().map(|item| item.id.parse().expect("an id")).collect();
    let mark = async |which| read(&app, ada, which).await;
    for expected in [2, 2] {
        assert_eq!(mark(ReadSelection::One(ids[0])).await.expect("read"), expected);
    }
    assert_eq!(mark(ReadSelection::All(Some(Category::SystemAnnouncement))).await.expect("read"), 1);
    let filter = |read, category| NotificationQuery {
        filter: Filter { read: Some(read), category },
        ..NotificationQuery::default()
    };
    assert_eq!(list(&app, ada, Lang::En, filter(false, None)).await.items.len(), 1);
    assert_eq!(list(&app, ada, Lang::En, filter(true, None)).await.items.len(), 2);
    assert_eq!(list(&app, ada, Lang::En, filter(true, Some(Category::SystemMaintenance))).await.items.len(), 1);
    for _ in 0..2 {
        assert_eq!(mark(ReadSelection::All(None)).await.expect("read"), 0);
    }
    assert_eq!(unread(&app, bob).await.expect("bob"), 2, "others have read nothing");
    let (foreign, unknown) = (listed.items[2].id.parse().expect("an id"), "a99".parse().expect("an id"));
    assert_eq!(why(read(&app, bob, ReadSelection::One(foreign)).await), "not_found");
    assert_eq!(why(read(&app, bob, ReadSelection::One(unknown)).await), "not_found");
    test.clock.advance_seconds(1);
    tell(&app, &ann, given("More news"), Audience::Everybody(None)).await.expect("told");
    assert_eq!(unread(&app, ada).await.expect("a count"), 1, "what comes after is unread");
});
