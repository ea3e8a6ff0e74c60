//! Pictures and videos of products. They are files of this server: those that come with the app, and pictures that
//! staff have added. The address of an added picture contains the digest of its bytes, so that whoever approves a
//! product's terms approves exactly these bytes.

use std::collections::BTreeSet;

use auth::{Permission, hex};
use base::Field;
use foundation::people::files::{FileView, Visibility, store_bytes, url, view};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error};
use sha2::{Digest, Sha256};
use store::Conn;
use store::people::files::{self, Owner};

use crate::catalogue::products::Content;

/// The most bytes of a picture's file.
pub const LARGEST: usize = images::LARGEST;
/// The folders of added pictures and of files that come with the app.
const ADDED: &str = "/files/";
const OF_THE_APP: &str = "/products/";

/// A picture or video in a product's file.
pub struct ShownFile<'a> {
    pub field: Field,
    pub address: &'a str,
}

/// Every picture and video of a product.
pub fn shown_files<'a>(image: &'a str, content: &'a Content) -> Vec<ShownFile<'a>> {
    let Content { video, landing_page, game_description, translations: _ } = content;
    let creatives = [
        (video, [Field::ContentVideoImage, Field::ContentVideoVideo]),
        (landing_page, [Field::ContentLandingPageImage, Field::ContentLandingPageVideo]),
        (game_description, [Field::ContentGameDescriptionImage, Field::ContentGameDescriptionVideo]),
    ];
    let mut all = vec![ShownFile { field: Field::Image, address: image }];
    for (creative, [image, video]) in creatives {
        let Some(creative) = creative else { continue };
        all.push(ShownFile { field: image, address: &creative.image });
        all.extend(creative.video.as_deref().map(|address| ShownFile { field: video, address }));
    }
    all
}

/// Whether an address is one of this server's files. The content security policy of pages allows no others: an address
/// elsewhere would be blocked in the app, and would tell a stranger who reads which page.
pub fn is_own(address: &str) -> bool {
    let name = [ADDED, OF_THE_APP].iter().find_map(|folder| address.strip_prefix(folder));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.is_some_and(|name| !name.is_empty() && !name.starts_with('.') && name.chars().all(plain))
}

/// Those of these addresses that are pictures added by staff.
pub fn find_added(conn: &mut Conn, shown: &[ShownFile<'_>]) -> Result<BTreeSet<String>, Error> {
    let ids: BTreeSet<String> =
        shown.iter().filter_map(|file| file.address.strip_prefix(ADDED)).map(str::to_owned).collect();
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let ids: Vec<String> = ids.into_iter().collect();
    Ok(files::installations_own(conn, &ids)?.iter().map(|id| url(id)).collect())
}

/// The fields with the address of a picture that nobody has added.
pub fn not_added(shown: &[ShownFile<'_>], added: &BTreeSet<String>) -> Vec<Field> {
    let missing = |file: &&ShownFile<'_>| file.address.starts_with(ADDED) && !added.contains(file.address);
    shown.iter().filter(missing).map(|file| file.field).collect()
}

/// Adds a picture for products. Adding the same picture again gives the same address.
///
/// # Errors
/// `image_too_large`, `image_too_complex`, `image_kind_not_taken`, `image_coding_not_taken`,
/// `image_damaged`, `not_an_image`; `not_permitted`.
pub async fn add_picture(app: &App, by: &Staff, bytes: Vec<u8>) -> Result<FileView, Error> {
    by.may(Permission::Catalogue)?;
    let picture = app.uploads.clean(bytes).await?;
    let id = hex::encode(&Sha256::digest(&picture.bytes));
    let file = store_bytes(app, id, picture).await?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let shown = view(file.clone(), Visibility::Public)?;
            if files::find(tx, &file.id)?.is_none() {
                files::insert(tx, Owner::Installation, &file, Visibility::Public)?;
                by.record(tx, "product.picture", format!("file:{}", file.id), &Changes::made(&shown).details())?;
            }
            Ok(shown)
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_videos_are_files_of_ours() {
        for own in ["/products/aurora-coffee.svg", "/files/0123456789abcdef0123456789abcdef", "/products/a.mp4"] {
            assert!(is_own(own), "{own}");
        }
        for foreign in [
            "",
            "/i.svg",
            "javascript:alert(1)",
            "https://cdn.example/a.png",
            "//cdn.example/a.png",
            "/products/",
            "/products/../api/user",
            "/products/%2e%2e/a",
            "/files/a?b",
            "data:image/png;base64,AA",
            "/\\cdn.example/products/a.png",
        ] {
            assert!(!is_own(foreign), "{foreign}");
        }
    }
}
