use std::fs;

use objects::{ObjectLocation, Objects};

use crate::read;

#[tokio::test]
async fn what_is_put_is_there_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/files");
    let objects = Objects::open(&ObjectLocation::Folder(path.clone())).expect("opens");
    let large = vec![7; 3_000_000];
    objects.put("one", large.clone()).await.expect("put");
    objects.put("two", b"short".to_vec()).await.expect("put");
    assert_eq!(read(&objects, "one").await, Some((3_000_000, large)));
    assert_eq!(read(&objects, "two").await, Some((5, b"short".to_vec())));
    assert_eq!(read(&objects, "three").await, None);
    assert_eq!(fs::read_dir(&path).expect("a folder").count(), 2, "nothing is left lying about");
}

#[tokio::test]
async fn no_name_leads_out_of_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("secret"), "secret").expect("written");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().join("files"))).expect("opens");
    for name in ["../secret", "..", "%2e%2e/secret", "/etc/passwd", ""] {
        assert!(
            objects.get(name).await.is_ok_and(|found| found.is_none()) || objects.get(name).await.is_err(),
            "{name}"
        );
    }
    objects.put("../other", Vec::new()).await.expect("put somewhere");
    assert!(!folder.path().join("other").exists());
}

#[tokio::test]
async fn a_folder_that_is_gone_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("files");
    let objects = Objects::open(&ObjectLocation::Folder(path.clone())).expect("opens");
    fs::remove_dir(&path).expect("removed");
    fs::write(&path, "no folder").expect("written");
    let problem = objects.put("one", Vec::new()).await.expect_err("refused").to_string();
    assert!(problem.starts_with("the storage of files: ") && problem.lines().count() == 1, "{problem}");
    assert!(Objects::open(&ObjectLocation::Folder(path)).is_err());
}
