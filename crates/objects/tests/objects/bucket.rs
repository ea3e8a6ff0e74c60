use std::net::TcpListener;
use std::time::{Duration, Instant};

use bytes::Bytes;
use objects::testing::FakeS3;
use objects::{ObjectLocation, Objects, Upload};
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Instrument;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::layer::SubscriberExt;

use crate::read;

fn open(url: &str, endpoint: &str, http: &str) -> Result<Objects, String> {
    let environment = [
        ("AWS_ENDPOINT_URL", endpoint),
        ("AWS_ALLOW_HTTP", http),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_ACCESS_KEY_ID", "the-key"),
        ("AWS_SECRET_ACCESS_KEY", "hidden"),
        ("HOME", "/root"),
    ];
    Objects::open(&ObjectLocation::parse(url, environment)?)
}

#[tokio::test]
async fn objects_go_below_the_prefix_and_come_back() {
    let fake = FakeS3::start();
    let objects = open("s3://placard/pictures/of-users", &format!("http://{}", fake.address), "true").expect("opens");
    let large: Vec<u8> = (0..1_000_000u32).map(|n| n.to_le_bytes()[0]).collect();
    objects.put("one", large.clone()).await.expect("put");
    assert_eq!(read(&objects, "one").await, Some((1_000_000, large.clone())));
    assert_eq!(read(&objects, "two").await, None);
    let seen = fake.seen();
    assert_eq!(seen.objects.get("/placard/pictures/of-users/one"), Some(&large));
    let signed = "authorization: aws4-hmac-sha256 credential=the-key/";
    assert!(seen.heads.iter().all(|head| head.to_lowercase().contains(signed) && !head.contains("hidden")));
}

/// Something that is not the same everywhere.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n % 251).to_le_bytes()[0]).collect()
}

#[tokio::test]
async fn an_object_is_copied_to_another_storage_in_parts() {
    let (fake, folder) = (FakeS3::start(), tempfile::tempdir().expect("a folder"));
    let bucket = open("s3://placard/copies", &format!("http://{}", fake.address), "true").expect("opens");
    let files = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    for length in [1, Upload::PART, 2 * Upload::PART + 1_000] {
        files.put("events/a", bytes(length)).await.expect("put");
        assert_eq!(files.copy_to(&bucket, "events/a").await, Ok(true));
        assert_eq!(read(&bucket, "events/a").await, Some((length as u64, bytes(length))));
    }
    assert_eq!(bucket.copy_to(&files, "events/none").await, Ok(false));
    assert!(fake.seen().uploads.is_empty(), "nothing is left lying about");
}

#[tokio::test]
async fn what_is_stored_in_parts_is_there_once_it_is_finished() {
    let fake = FakeS3::start();
    let objects = open("s3://placard/files", &format!("http://{}", fake.address), "true").expect("opens");
    let whole = bytes(2 * Upload::PART + 1_000);
    let mut upload = objects.upload("events/a").await.expect("begun");
    for part in whole.chunks(Upload::PART) {
        upload.part(Bytes::copy_from_slice(part)).await.expect("taken");
    }
    assert_eq!(objects.size("events/a").await, Ok(None));
    upload.finish().await.expect("finished");
    assert_eq!(objects.size("events/a").await, Ok(Some(whole.len() as u64)));
    let (from, to) = (Upload::PART - 5, Upload::PART + 5);
    let range = objects.range("events/a", from as u64..to as u64).await.expect("read");
    assert_eq!(range.as_deref(), Some(&whole[from..to]));
    assert_eq!(objects.whole("events/a").await, Ok(Some(whole)));
    assert_eq!(fake.seen().uploads.len(), 0);
}

#[tokio::test]
async fn what_is_given_up_leaves_no_parts() {
    let fake = FakeS3::start();
    let objects = open("s3://placard", &format!("http://{}", fake.address), "true").expect("opens");
    let mut upload = objects.upload("events/a").await.expect("begun");
    upload.part(Bytes::from(bytes(Upload::PART))).await.expect("taken");
    assert_eq!(fake.seen().uploads.len(), 1);
    upload.abort().await.expect("aborted");
    let seen = fake.seen();
    assert_eq!((seen.uploads.len(), seen.objects.len()), (0, 0));
}

#[tokio::test]
async fn what_is_in_a_bucket_is_listed_and_removed() {
    let fake = FakeS3::start();
    let objects = open("s3://placard/below", &format!("http://{}", fake.address), "true").expect("opens");
    for name in ["a/one", "a/two", "b/c/three", "four"] {
        objects.put(name, vec![1]).await.expect("put");
    }
    let mut folders = objects.folders().await.expect("listed");
    folders.sort();
    assert_eq!(folders, ["a", "b"]);
    let mut names = objects.names("a").await.expect("listed");
    names.sort();
    assert_eq!(names, ["one", "two"]);
    objects.delete("a/one").await.expect("removed");
    objects.delete("a/one").await.expect("removed already");
    assert_eq!(objects.names("a").await, Ok(vec!["two".to_owned()]));
    assert_eq!(objects.delete_some("b", 5).await, Ok(1));
    let left: Vec<String> = fake.seen().objects.keys().cloned().collect();
    assert_eq!(left, ["/placard/below/a/two", "/placard/below/four"]);
}

#[tokio::test]
async fn a_bucket_is_told_of_the_trace_that_it_is_part_of() {
    let fake = FakeS3::start();
    let objects = open("s3://placard", &format!("http://{}", fake.address), "true").expect("opens");
    let tracer = SdkTracerProvider::builder().build().tracer("test");
    let subscriber = tracing_subscriber::registry().with(tracing_opentelemetry::layer().with_tracer(tracer));
    let _for_this_thread = tracing::subscriber::set_default(subscriber);
    objects.put("without", vec![1]).await.expect("put");
    let span = tracing::info_span!("request");
    let trace = span.context().span().span_context().trace_id();
    objects.put("with", vec![1]).instrument(span).await.expect("put");
    let seen = fake.seen();
    let told = |head: &String| head.to_lowercase().contains(&format!("traceparent: 00-{trace}-"));
    assert_eq!(seen.heads.iter().map(told).collect::<Vec<_>>(), [false, true], "{:?}", seen.heads);
    assert!(!seen.heads[0].to_lowercase().contains("traceparent"));
}

#[tokio::test]
async fn a_bucket_that_does_not_answer_is_told_soon() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let objects = open("s3://placard", &format!("http://{closed}"), "true").expect("opens all the same");
    let begun = Instant::now();
    assert!(objects.get("one").await.is_err());
    let problem = objects.put("one", vec![1]).await.expect_err("refused").to_string();
    assert!(problem.starts_with("the storage of files: ") && problem.lines().count() == 1, "{problem}");
    assert!(begun.elapsed() < Duration::from_secs(16), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_bucket_that_accepts_and_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("an address");
    let objects = open("s3://placard", &format!("http://{address}"), "true").expect("opens");
    let problem = objects.get("one").await.err().expect("refused").to_string();
    assert_eq!(problem, "the storage of files: no answer for 8 s");
}

#[tokio::test]
async fn what_is_not_encrypted_must_be_allowed() {
    let fake = FakeS3::start();
    let objects = open("s3://placard", &format!("http://{}", fake.address), "false").expect("opens");
    assert!(objects.put("one", vec![1]).await.is_err());
    assert!(fake.seen().heads.is_empty());
}

#[tokio::test]
async fn an_encrypted_bucket_is_asked_over_tls() {
    let fake = FakeS3::start();
    let objects = open("s3://placard", &format!("https://{}", fake.address), "false").expect("opens");
    let problem = objects.put("one", vec![1]).await.expect_err("speaks no TLS").to_string();
    assert!(problem.starts_with("the storage of files: "), "{problem}");
    assert!(fake.seen().objects.is_empty());
}

#[test]
fn settings_that_mean_nothing_are_told() {
    assert!(open("s3://placard", "http://127.0.0.1:1", "perhaps").is_err());
    assert!(open("s3://placard", "https://s3.example.org", "").is_err_and(|problem| problem.lines().count() == 1));
}
