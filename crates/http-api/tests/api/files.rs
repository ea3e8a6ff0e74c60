//! Pictures, as browsers upload and show them.

use std::io::Cursor;

use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use http_api::{Shell, TrustedProxies};
use image::{DynamicImage, ImageFormat, RgbImage};
use objects::{ObjectLocation, Objects};
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;
use tempfile::TempDir;

use crate::support::{Client, answered, data, guest, server, sign_in, why};

const UPLOAD: &str = "/api/files/upload";
const BOUNDARY: &str = "----placard";

/// A signed-in user of a server with file storage, in a temporary folder.
async fn client(test: &TestDb) -> (Client, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let app = server(test).app.with_objects(objects);
    let shell = Shell::new(app, TrustedProxies::default());
    (sign_in(&shell, test.user("demo").await).await, folder)
}

fn picture() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::new(40, 30)).write_to(&mut bytes, ImageFormat::Jpeg).expect("written");
    bytes.into_inner()
}

/// A form with one file, with a name and type chosen by a stranger.
fn form(field: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"../../evil.html\"\r\n\
         Content-Type: text/html\r\n\r\n"
    );
    [head.as_bytes(), bytes, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

async fn ask(
    client: &Client,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> (StatusCode, HeaderMap, Vec<u8>) {
    let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("X-CT", client.token()));
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(&client.shell, request.set_payload(body)).await;
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, test::read_body(response).await.to_vec())
}

async fn send(client: &Client, body: Vec<u8>) -> (StatusCode, Value) {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let (status, _, body) = ask(client, Method::POST, UPLOAD, &[("Content-Type", &kind)], body).await;
    (status, serde_json::from_slice(&body).expect("an envelope"))
}

on_both!(a_picture_is_uploaded_and_becomes_the_avatar, |test| {
    let (client, _folder) = client(&test).await;
    let file = data(send(&client, form("file", &picture())).await.1);
    assert_eq!((&file["mime"], &file["width"], &file["height"]), (&json!("image/jpeg"), &json!(40), &json!(30)));
    let id = file["id"].as_str().expect("an id");
    assert_eq!(file["url"], format!("/files/{id}"));
    let edited = data(client.post("/api/user/info/edit", json!({ "avatar": id })).await);
    assert_eq!(edited["avatar"], file["url"]);
    assert_eq!(data(client.get("/api/user/info").await)["avatar"], file["url"]);
    let foreign = sign_in(&client.shell, test.user("other").await).await;
    let refused = foreign.post("/api/user/info/edit", json!({ "avatar": id })).await;
    assert_eq!(why(&refused), "400 params avatar=invalid");
});

on_both!(what_is_shown_can_do_nothing, |test| {
    let (client, _folder) = client(&test).await;
    let file = data(send(&client, form("file", &picture())).await.1);
    let url = file["url"].as_str().expect("an address");
    // Everybody with the address may see it.
    let anybody = guest(&client.shell);
    let (status, headers, bytes) = ask(&anybody, Method::GET, url, &[("Accept-Encoding", "gzip")], Vec::new()).await;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!(
        (status, header("content-type"), header("content-disposition")),
        (StatusCode::OK, "image/jpeg", "inline")
    );
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    assert_eq!(header("cache-control"), "private, max-age=31536000, immutable");
    assert!(!headers.contains_key("content-encoding"));
    assert_eq!(json!(bytes.len()), file["size"]);
    assert!(bytes.starts_with(&[0xFF, 0xD8]));
    let tag = header("etag").to_owned();
    for known in [tag.as_str(), "*", &format!("\"other\", W/{tag}")] {
        let (status, _, bytes) = ask(&anybody, Method::GET, url, &[("If-None-Match", known)], Vec::new()).await;
        assert_eq!((status, bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
    }
    let (status, _, _) = ask(&anybody, Method::GET, url, &[("If-None-Match", "\"other\"")], Vec::new()).await;
    assert_eq!(status, StatusCode::OK);
    let (status, head, _) = ask(&anybody, Method::HEAD, url, &[], Vec::new()).await;
    assert_eq!(
        (status, head.get("etag"), head.get("content-type")),
        (StatusCode::OK, headers.get("etag"), headers.get("content-type"))
    );
    for path in ["/files/ffffffffffffffffffffffffffffffff", "/files/x", "/files/..%2fplacard.db", "/files/"] {
        let (status, headers, body) = ask(&anybody, Method::GET, path, &[("If-None-Match", "*")], Vec::new()).await;
        let body: Value = serde_json::from_slice(&body).expect("an envelope");
        assert_eq!((status, &body["code"]), (StatusCode::NOT_FOUND, &json!(404)), "{path}");
        assert_eq!(headers.get("cache-control").and_then(|value| value.to_str().ok()), Some("no-store"));
    }
});

on_both!(what_cannot_be_taken_is_refused_in_an_envelope, |test| {
    let (client, folder) = client(&test).await;
    let refused = async |body: Vec<u8>| why(&send(&client, body).await.1);
    assert_eq!(refused(form("other", &picture())).await, "400 params file=required");
    assert_eq!(refused(form("file", b"")).await, "400 params file=required");
    assert_eq!(refused(form("file", b"<svg onload='alert(1)'/>")).await, "405 not_an_image");
    let (_, heic) = send(&client, form("file", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")).await;
    assert_eq!((why(&heic).as_str(), &heic["data"]["kind"]), ("405 image_kind_not_taken", &json!("HEIC")));
    assert_eq!(heic["msg"], "HEIC images are not accepted. Please choose a JPEG, PNG, WebP or GIF.");
    let arithmetic = b"\xFF\xD8\xFF\xC9\0\x0B\x08\0\x08\0\x08\x01\x01\x11\0";
    let (_, arithmetic) = send(&client, form("file", arithmetic)).await;
    assert_eq!(arithmetic["data"]["coding"], "arithmetic-coded JPEG");
    let advice = "Please save it as an ordinary JPEG or PNG and choose that.";
    assert!(arithmetic["msg"].as_str().is_some_and(|text| text.ends_with(advice)), "{arithmetic}");
    assert_eq!(refused(form("file", &picture()[..picture().len() / 2])).await, "405 image_damaged");
    let six = [picture(), vec![0; 6 * 1024 * 1024]].concat();
    assert_eq!(refused(form("file", &six)).await, "405 image_too_large");
    let cut = form("file", &picture())[..200].to_vec();
    assert_eq!(refused(cut).await, "400 params body=invalid");
    let (status, absurd) = send(&client, form("file", &vec![0; 33 * 1024 * 1024])).await;
    assert_eq!((status, absurd["data"]["error"].as_str()), (StatusCode::PAYLOAD_TOO_LARGE, Some("body_too_large")));
    assert_eq!(why(&client.post(UPLOAD, json!({ "file": "x" })).await), "400 params file=required");
    assert_eq!(why(&guest(&client.shell).post(UPLOAD, json!({})).await), "401 no_auth");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
});

on_both!(a_storage_that_fails_is_a_fault_of_the_server, |test| {
    let (client, folder) = client(&test).await;
    let file = data(send(&client, form("file", &picture())).await.1);
    folder.close().expect("removed");
    let lost = client.get(file["url"].as_str().expect("an address")).await;
    assert_eq!(why(&lost), "500 server_error");
});
