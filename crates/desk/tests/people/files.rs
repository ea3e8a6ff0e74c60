use campaigns::AdServer;
use std::fs;
use std::io::Cursor;

use auth::Entry;
use base::UserId;
use foundation::Error;
use foundation::notifications::{conversation, feedback};
use foundation::people::close_account::{CloseAccount, close_account};
use foundation::people::files::{FileView, Visibility, begin_upload, find_file, find_private, open_file};
use foundation::people::register::{Register, register};
use foundation::people::user_info::{EditUser, UserView, edit_user};
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use image::{ImageFormat, RgbImage, RgbaImage};
use objects::{ObjectLocation, Objects};
use store::on_both;
use store::testing::TestDb;
use tempfile::TempDir;

use crate::support::{app, why};

/// An installation that stores files in a temporary folder.
fn installation(test: &TestDb) -> (AdServer, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    (app(test).with_objects(objects), folder)
}

fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::new(40, 30).write_to(&mut bytes, ImageFormat::Png).expect("written");
    bytes.into_inner()
}

async fn upload(app: &AdServer, user: UserId, bytes: &[u8]) -> Result<FileView, Error> {
    upload_shown(app, user, Visibility::Public, bytes).await
}

async fn upload_shown(app: &AdServer, user: UserId, shown: Visibility, bytes: &[u8]) -> Result<FileView, Error> {
    let mut upload = begin_upload(app, user, shown).await?;
    bytes.chunks(1_000).for_each(|chunk| upload.add(chunk));
    upload.finish().await
}

async fn set_avatar(app: &AdServer, user: UserId, id: &str) -> Result<UserView, Error> {
    let edit = EditUser { avatar: Some(id.to_owned()), ..EditUser::default() };
    edit_user(app, user, Entry::Register, edit).await
}

fn kept(folder: &TempDir) -> usize {
    fs::read_dir(folder.path()).expect("a folder").count()
}

on_both!(a_picture_is_kept_and_shown, |test| {
    let (app, folder) = installation(&test);
    let user = test.user("demo").await;
    let file = upload(&app, user, &picture()).await.expect("kept");
    assert_eq!((file.mime.name(), file.width, file.height), ("image/png", 40, 30));
    assert_eq!((file.id.len(), &file.url), (32, &format!("/files/{}", file.id)));
    assert_eq!(find_file(&app, &file.id).await.expect("read"), Some(file.clone()));
    let object = open_file(&app, &file.id).await.expect("opens");
    let bytes = object.bytes.map_ok(|chunk| chunk.to_vec()).try_concat().await.expect("the bytes");
    assert_eq!((object.size, bytes.len() as i64), (bytes.len() as u64, file.size));
    assert_eq!(fs::read(folder.path().join(&file.id)).expect("there"), bytes);
    for id in ["", "../secret", "a\0b", "ffffffffffffffffffffffffffffffff", &file.id.to_uppercase()[..31]] {
        assert_eq!(find_file(&app, id).await.expect("read"), None, "{id}");
    }
});

on_both!(what_is_no_picture_leaves_nothing, |test| {
    let (app, folder) = installation(&test);
    let user = test.user("demo").await;
    assert_eq!(why(upload(&app, user, b"").await), "file=required");
    assert_eq!(why(upload(&app, user, b"<svg onload='alert(1)'/>").await), "not_an_image");
    let large = [picture(), vec![0; images::LARGEST]].concat();
    assert_eq!(why(upload(&app, user, &large).await), "image_too_large");
    let mut wide = Cursor::new(Vec::new());
    RgbImage::new(20_001, 1).write_to(&mut wide, ImageFormat::Png).expect("written");
    assert_eq!(why(upload(&app, user, wide.get_ref()).await), "image_too_complex");
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    assert_eq!(why(upload(&app, user, heic).await), "image_kind_not_taken");
    let arithmetic = b"\xFF\xD8\xFF\xC9\0\x0B\x08\0\x08\0\x08\x01\x01\x11\0";
    assert_eq!(why(upload(&app, user, arithmetic).await), "image_coding_not_taken");
    let cut = &picture()[..picture().len() / 2];
    assert_eq!(why(upload(&app, user, cut).await), "image_damaged");
    assert_eq!(kept(&folder), 0);
});

on_both!(an_avatar_is_a_picture_of_ones_own, |test| {
    let (app, _folder) = installation(&test);
    let (user, other) = (test.user("demo").await, test.user("other").await);
    let file = upload(&app, user, &picture()).await.expect("kept");
    for id in ["x", "\0", "ffffffffffffffffffffffffffffffff", &file.url] {
        assert_eq!(why(set_avatar(&app, user, id).await), "avatar=invalid", "{id}");
    }
    assert_eq!(why(set_avatar(&app, other, &file.id).await), "avatar=invalid");
    let edit = EditUser { avatar: Some("x".into()), email: Some("x".into()), ..EditUser::default() };
    assert_eq!(why(edit_user(&app, user, Entry::Register, edit).await), "avatar=invalid email=invalid_email");
    assert_eq!(set_avatar(&app, user, &file.id).await.expect("set").avatar, Some(file.url.clone()));
    let unchanged = edit_user(&app, user, Entry::Register, EditUser::default()).await.expect("nothing to change");
    assert_eq!(unchanged.avatar, Some(file.url));
    assert_eq!(set_avatar(&app, user, "").await.expect("taken away").avatar, None);
});

on_both!(nothing_is_known_of_what_the_storage_did_not_take, |test| {
    let (app, folder) = installation(&test);
    let user = test.user("demo").await;
    let path = folder.path().to_owned();
    folder.close().expect("removed");
    fs::write(&path, "no folder").expect("written");
    let failed = upload(&app, user, &picture()).await.expect_err("failed");
    assert_eq!(failed.key(), "server_error");
    assert!(failed.to_string().contains("the storage of files"), "{failed}");
    let known =
        app.db.read(move |conn| store::people::files::uploads_since(conn, user, base::Timestamp::from_millis(0)));
    assert_eq!(known.await.map_err(|error: store::Error| error.to_string()), Ok(Vec::new()));
    fs::remove_file(&path).expect("removed");
    // Without any storage, nothing is accepted.
    assert_eq!(why(upload(&crate::support::app(&test), user, &picture()).await), "server_error");
});

on_both!(sixty_in_an_hour_are_enough, |test| {
    let (app, folder) = installation(&test);
    let user = test.user("demo").await;
    let picture = picture();
    let all = join_all((0..64).map(|_| upload(&app, user, &picture))).await;
    assert_eq!(all.iter().filter(|kept| kept.is_ok()).count(), 60);
    test.clock.advance_seconds(3_000);
    let refused = upload(&app, user, &picture).await.expect_err("refused");
    assert!(matches!(refused, Error::TooManyRequests { retry_after: 600 }), "{refused}");
    assert!(upload(&app, test.user("other").await, &picture).await.is_ok());
    test.clock.advance_seconds(600);
    assert!(upload(&app, user, &picture).await.is_ok());
    assert_eq!(kept(&folder), 62);
});

on_both!(a_long_screenshot_waits_for_both_places_and_is_kept, |test| {
    let (app, folder) = installation(&test);
    let mut long = Cursor::new(Vec::new());
    RgbaImage::new(1_290, 12_000).write_to(&mut long, ImageFormat::Png).expect("written");
    let (long, short) = (long.into_inner(), picture());
    let mut users = Vec::new();
    for name in ["ada", "bob", "cleo", "demo"] {
        users.push(test.user(name).await);
    }
    let all = users.iter().zip([&long, &short].into_iter().cycle()).map(|(user, bytes)| upload(&app, *user, bytes));
    let heights: Vec<i32> = join_all(all).await.into_iter().map(|file| file.expect("kept").height).collect();
    assert_eq!(heights, [2_048, 30, 2_048, 30]);
    assert_eq!(kept(&folder), 4);
});

on_both!(so_many_are_received_at_once, |test| {
    let (app, _folder) = installation(&test);
    let mut under_way = Vec::new();
    for n in 1..=32 {
        under_way.push(begin_upload(&app, UserId(n), Visibility::Public).await.expect("a place"));
    }
    let late = UserId(33);
    assert_eq!(why(begin_upload(&app, late, Visibility::Public).await.map(|_| ())), "overloaded");
    under_way.pop();
    assert!(begin_upload(&app, late, Visibility::Public).await.is_ok());
});

on_both!(a_closed_account_leaves_neither_a_picture_nor_what_was_said, |test| {
    let (app, folder) = installation(&test);
    let ada = Register {
        username: "ada".into(),
        password: "seven green bottles".into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: test.code("AAAA-BBBB-CCCC").await.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: None,
    };
    let user = register(&app, ada).await.expect("registered").user.id;
    let avatar = upload(&app, user, &picture()).await.expect("kept");
    set_avatar(&app, user, &avatar.id).await.expect("saved");
    let shown = upload(&app, user, &picture()).await.expect("kept");
    let said = feedback::Send { topic: "My flat".into(), content: "See.".into(), images: vec![shown.id.clone()] };
    let sent = feedback::send(&app, user, said).await.expect("sent");
    let private = upload_shown(&app, user, Visibility::Private, &picture()).await.expect("kept");
    let others = upload(&app, test.user("demo").await, &picture()).await.expect("kept");
    assert_eq!(kept(&folder), 4);
    let mut sending = begin_upload(&app, user, Visibility::Public).await.expect("a place");
    sending.add(&picture());
    let command = CloseAccount { password: "seven green bottles".to_owned(), address: None };
    close_account(&app, user, "ada", command).await.expect("closed");
    // What was on its way comes too late.
    assert_eq!(why(sending.finish().await), "account_cancelled");
    let late = feedback::Send { topic: "x".into(), content: "x".into(), images: Vec::new() };
    assert_eq!(why(feedback::send(&app, user, late).await), "account_cancelled");
    let late = conversation::Write { text: "x".into(), pictures: Vec::new(), key: None };
    assert_eq!(why(conversation::write(&app, user, late).await), "account_cancelled");
    for gone in [&avatar, &shown] {
        assert_eq!(find_file(&app, &gone.id).await.expect("read"), None);
    }
    assert_eq!(find_private(&app, None, &private.id).await.expect("read"), None);
    assert_eq!(find_file(&app, &others.id).await.expect("read"), Some(others));
    assert_eq!(kept(&folder), 1, "only the other user's");
    let left = feedback::show(&app, sent.id).await.expect("shown");
    assert_eq!((left.topic.as_str(), left.content.as_str(), left.images.len()), ("", "", 0));
    assert_eq!(left.status, feedback::Status::Closed, "it waits for nobody");
});
