//! Pictures of products.

use foundation::people::files::{find_file, open_file};
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{PICTURE, Placard, text};

fn content(image: &str) -> Value {
    json!({
        "advertiser": [{ "name": "Aurora" }],
        "product": [{
            "advertiser": "Aurora", "name": "Tea", "summary": "Tea", "image": image, "min_put": "10.00",
            "max_put": "500.00", "put_rule": { "pricing": "cpm", "price": "60.00", "days": 7 }, "payout": "9.50",
            "attribution_days": 0, "fee_rate": "0.05",
            "content": { "landing_page": { "title": "Tea", "text": "Tea", "image": image } },
        }],
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_is_added_and_approved_by_its_digest() {
    let placard = Placard::afar(store::testing::sqlite());
    let (ann, bob) = placard.staff();
    let file = placard.file("tea.gif", PICTURE);
    let added = placard.change(&ann, &["product", "picture", &file]).done();
    let (id, url) = (text(&added["id"]), text(&added["url"]));
    assert_eq!(
        (url.as_str(), &added["mime"], &added["width"]),
        (format!("/files/{id}").as_str(), &json!("image/png"), &json!(1))
    );
    // The address is the digest of what is shown.
    let app = placard.app();
    find_file(&app, &id).await.expect("read").expect("is shown to everybody");
    let stored = open_file(&app, &id).await.expect("opens").bytes;
    let shown = stored.map_ok(|chunk| chunk.to_vec()).try_concat().await.expect("the bytes");
    assert_eq!(auth::hex::encode(&Sha256::digest(&shown)), id);
    // The same again is the same.
    assert_eq!(placard.change(&ann, &["product", "picture", &file]).done(), added);
    let apply = |image: &str| {
        let file = placard.file("tea.json", &content(image).to_string());
        placard.change(&ann, &["content", "apply", &file])
    };
    let report = apply(&url).done();
    let request = text(&report["changes"][1]["request"]);
    let asked = placard.run_as(&bob, &["request", "show", &request]).done().to_string();
    assert!(asked.contains(&url), "{asked}");
    placard.change(&bob, &["request", "approve", &request]).done();
    assert_eq!(apply(&url).done()["unchanged"], 2);
    let never = format!("/files/{}", "0".repeat(64));
    let refused = apply(&never);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.out.contains("content.landing_page.image") && refused.out.contains("product picture"),
        "{refused:?}"
    );
    let one = content(&never)["product"][0].to_string().replace("\"Aurora\"", "1").replace("Tea", "Other");
    let one = placard.file("one.json", &one);
    let refused = placard.change(&ann, &["product", "add", &one]);
    assert!(refused.code == Some(1) && refused.err.contains("product picture"), "{refused:?}");
}

#[test]
fn what_is_no_picture_is_refused() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let page = placard.file("page.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    placard.change(&ann, &["product", "picture", &page]).refused("not_an_image");
    let large = placard.file("large.gif", &[PICTURE, &vec![0; 5 * 1024 * 1024]].concat());
    placard.change(&ann, &["product", "picture", &large]).refused("image_too_large");
    let ivy = placard.operator(Some(&ann), "ivy", "finance");
    let file = placard.file("tea.gif", PICTURE);
    placard.change(&ivy, &["product", "picture", &file]).refused("not_permitted");
    placard.change(&ann, &["product", "picture", "missing.gif"]).misused("missing.gif");
}
