use auth::Role;
use i18n::Lang;
use store::{PageRequest, on_both};
use usecases::notifications::{Audience, Category, Filter, announce, list_notifications, unread};

use crate::support::{app, deeds, staff, why};

on_both!(staff_write_to_one_or_to_everybody, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let (ada, bob) = (test.user("ada").await, test.user("bob").await);
    let tell = async |to| announce(&app, ann.clone(), Category::Activity, " News ", "There is some.", to).await;
    assert_eq!(tell(Audience::Everybody(None)).await.expect("told"), 2);
    assert_eq!(tell(Audience::Everybody(Some(Lang::Zh))).await.expect("told"), 0);
    assert_eq!(tell(Audience::User("Ada".into())).await.expect("told"), 1);
    assert_eq!(why(tell(Audience::User("nobody".into())).await), "not_found");
    assert_eq!((unread(&app, ada).await.expect("ada"), unread(&app, bob).await.expect("bob")), (2, 1));
    let listed =
        list_notifications(&app, bob, Lang::Zh, Filter::default(), PageRequest::default()).await.expect("listed");
    assert_eq!((listed.items[0].title.as_str(), listed.items[0].body.as_str()), ("News", "There is some."));
    let empty = announce(&app, ann.clone(), Category::Activity, "News", " ", Audience::Everybody(None)).await;
    assert_eq!(why(empty), "body=required");
    assert_eq!(deeds(&app).await, vec!["ann notify notifications"; 3]);
});
