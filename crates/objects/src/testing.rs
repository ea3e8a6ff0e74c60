//! A bucket for tests: the part of S3's protocol that [`crate::Objects`] uses, over plain HTTP.
//!
//! Requests, parameters, conditions and documents are those of the Amazon S3 API reference. Signatures are not checked.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::{ObjectLocation, Objects};

/// The objects that were stored, and the requests so far.
#[derive(Default)]
pub struct Seen {
    /// By their path, such as `/bucket/prefix/name`.
    pub objects: BTreeMap<String, Vec<u8>>,
    /// The heads of all requests.
    pub heads: Vec<String>,
    /// The parts of uploads that were neither completed nor aborted, by the upload's id.
    pub uploads: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    begun: usize,
}

/// Answers until the test's process ends.
pub struct FakeS3 {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Seen>,
    /// The next request with this in its first line is carried out and not answered.
    unanswered: Mutex<Option<&'static str>>,
    /// The next request with this in its first line waits until the other end is gone.
    held: Mutex<Option<(&'static str, Receiver<()>)>>,
}

impl FakeS3 {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::<Shared>::default();
        let answering = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&answering);
                thread::spawn(move || serve(stream.expect("a client"), &shared));
            }
        });
        Self { address, shared }
    }

    /// While it is held, nothing is answered.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        locked(&self.shared.seen)
    }

    /// The variables of the environment with which a program finds this bucket.
    pub fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "eu-central-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "the-key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "hidden".to_owned()),
        ]
    }

    /// This bucket, opened at an address such as `s3://placard/files`.
    pub fn open(&self, url: &str) -> Objects {
        let environment = self.environment();
        let environment = environment.iter().map(|(name, value)| (*name, value.as_str()));
        Objects::open(&ObjectLocation::parse(url, environment).expect("an address")).expect("opens")
    }

    /// The next request whose first line contains `part` is carried out and not answered.
    pub fn leave_unanswered(&self, part: &'static str) {
        *locked(&self.shared.unanswered) = Some(part);
    }

    /// The next request whose first line contains `part` is carried out once what this returns is dropped.
    pub fn hold(&self, part: &'static str) -> Sender<()> {
        let (open, held) = channel();
        *locked(&self.shared.held) = Some((part, held));
        open
    }

    /// Whether that request has come.
    pub fn is_held(&self) -> bool {
        locked(&self.shared.held).is_none()
    }

    /// Whether the request that is left unanswered is still to come.
    pub fn is_waiting(&self) -> bool {
        locked(&self.shared.unanswered).is_some()
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One request, without its host and its signature.
struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    range: Option<(usize, usize)>,
    /// `If-Match`, and whether there is `If-None-Match`.
    matching: Option<String>,
    is_new: bool,
    body: Vec<u8>,
}

struct Answer {
    status: &'static str,
    head: String,
    body: Vec<u8>,
}

/// Tells objects apart, as S3 does: by what is in them.
fn tag(object: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    object.hash(&mut hasher);
    format!("\"{:x}\"", hasher.finish())
}

impl Answer {
    fn new(status: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, head: String::new(), body: body.into() }
    }

    fn missing(code: &str) -> Self {
        Self::new("404 Not Found", format!("<Error><Code>{code}</Code></Error>"))
    }
}

fn serve(stream: TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        // The end, or something that is not HTTP.
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let Some(request) = read(&head, &mut reader) else { return };
    let is_head = request.method == "HEAD";
    let first_line = head.lines().next().unwrap_or_default().to_owned();
    let held = locked(&shared.held).take_if(|(part, _)| first_line.contains(*part));
    if let Some((_, held)) = held {
        // An error says that the other end is gone.
        let _ = held.recv();
    }
    let (answer, tag) = {
        let mut seen = locked(&shared.seen);
        seen.heads.push(head);
        let path = request.path.clone();
        let answer = answer(request, &mut seen);
        (answer, tag(seen.objects.get(&path).map_or(&[][..], Vec::as_slice)))
    };
    let left = locked(&shared.unanswered).take_if(|part| first_line.contains(*part));
    if left.is_some() {
        // Silent until the client closes the connection.
        drop(reader.read_to_end(&mut Vec::new()));
        return;
    }
    let mut text = format!("HTTP/1.1 {}\r\n{}ETag: {tag}\r\n", answer.status, answer.head);
    text += "Last-Modified: Mon, 05 Jan 2026 12:00:00 GMT\r\nConnection: close\r\n";
    write!(text, "Content-Length: {}\r\n\r\n", answer.body.len()).expect("text");
    let body = if is_head { &[][..] } else { &answer.body };
    // The client may have disconnected.
    drop(reader.get_mut().write_all(&[text.as_bytes(), body].concat()));
}

fn read(head: &str, reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let header = |name: &str| {
        head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let mut words = head.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut body = vec![0; header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let query = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let range = header("range").and_then(|range| {
        let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    });
    Some(Request {
        method,
        path: path.to_owned(),
        query: query.map(|(name, value)| (name.to_owned(), value.replace("%2F", "/"))).collect(),
        range,
        matching: header("if-match"),
        is_new: header("if-none-match").is_some(),
        body,
    })
}

fn answer(request: Request, seen: &mut Seen) -> Answer {
    let parameter = |name: &str| request.query.get(name).cloned();
    match (request.method.as_str(), parameter("uploadId")) {
        ("POST", None) if request.query.contains_key("uploads") => begin_upload(seen),
        ("PUT", Some(upload)) => {
            let number = parameter("partNumber").and_then(|number| number.parse().ok());
            put_part(seen, &upload, number, request.body)
        }
        ("POST", Some(upload)) => complete_upload(seen, &upload, request.path),
        ("DELETE", Some(upload)) => match seen.uploads.remove(&upload) {
            Some(_) => Answer::new("204 No Content", ""),
            None => Answer::missing("NoSuchUpload"),
        },
        ("POST", None) if request.query.contains_key("delete") => delete_several(seen, &request),
        ("PUT", None) => put(seen, request),
        ("GET", None) if request.query.contains_key("list-type") => list(seen, &request),
        ("GET" | "HEAD", None) => get(seen, &request),
        _ => Answer::new("501 Not Implemented", "<Error><Code>NotImplemented</Code></Error>"),
    }
}

fn put(seen: &mut Seen, request: Request) -> Answer {
    let there = seen.objects.get(&request.path).map(|object| tag(object));
    let unlike = request.matching.is_some() && request.matching != there;
    if unlike || (request.is_new && there.is_some()) {
        return Answer::new("412 Precondition Failed", "<Error><Code>PreconditionFailed</Code></Error>");
    }
    seen.objects.insert(request.path, request.body);
    Answer::new("200 OK", "")
}

fn get(seen: &Seen, request: &Request) -> Answer {
    let Some(object) = seen.objects.get(&request.path) else { return Answer::missing("NoSuchKey") };
    let Some((first, last)) = request.range else { return Answer::new("200 OK", object.clone()) };
    let last = last.min(object.len().saturating_sub(1));
    match object.get(first..=last) {
        Some(part) => Answer {
            status: "206 Partial Content",
            head: format!("Content-Range: bytes {first}-{last}/{}\r\n", object.len()),
            body: part.to_vec(),
        },
        None => Answer::new("416 Range Not Satisfiable", "<Error><Code>InvalidRange</Code></Error>"),
    }
}

fn begin_upload(seen: &mut Seen) -> Answer {
    seen.begun += 1;
    let id = format!("upload{}", seen.begun);
    let text = format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>");
    seen.uploads.insert(id, BTreeMap::new());
    Answer::new("200 OK", text)
}

fn put_part(seen: &mut Seen, upload: &str, number: Option<u32>, body: Vec<u8>) -> Answer {
    match (seen.uploads.get_mut(upload), number) {
        (Some(parts), Some(number)) => {
            parts.insert(number, body);
            Answer::new("200 OK", "")
        }
        _ => Answer::missing("NoSuchUpload"),
    }
}

fn complete_upload(seen: &mut Seen, upload: &str, path: String) -> Answer {
    /// S3 takes no smaller part, but for the last.
    const LEAST: usize = 5 * 1024 * 1024;
    let Some(parts) = seen.uploads.get(upload) else { return Answer::missing("NoSuchUpload") };
    if parts.values().rev().skip(1).any(|part| part.len() < LEAST) {
        return Answer::new("400 Bad Request", "<Error><Code>EntityTooSmall</Code></Error>");
    }
    let object = parts.values().flatten().copied().collect();
    seen.objects.insert(path, object);
    seen.uploads.remove(upload);
    Answer::new("200 OK", "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>")
}

fn delete_several(seen: &mut Seen, request: &Request) -> Answer {
    let body = String::from_utf8_lossy(&request.body);
    let keys = body.split("<Key>").skip(1).filter_map(|rest| rest.split_once("</Key>")).map(|(key, _)| key);
    let mut text = String::from("<DeleteResult>");
    for key in keys {
        seen.objects.remove(&format!("{}/{key}", request.path.trim_end_matches('/')));
        write!(text, "<Deleted><Key>{key}</Key></Deleted>").expect("text");
    }
    Answer::new("200 OK", text + "</DeleteResult>")
}

/// All of them on one page.
fn list(seen: &Seen, request: &Request) -> Answer {
    let prefix = request.query.get("prefix").cloned().unwrap_or_default();
    let bucket = format!("{}/", request.path.trim_end_matches('/'));
    let mut folders = BTreeSet::new();
    let mut text = String::from("<ListBucketResult><IsTruncated>false</IsTruncated>");
    for (path, object) in &seen.objects {
        let Some(key) = path.strip_prefix(&bucket) else { continue };
        let Some(rest) = key.strip_prefix(&prefix) else { continue };
        match rest.split_once('/').filter(|_| request.query.contains_key("delimiter")) {
            Some((folder, _)) => drop(folders.insert(format!("{prefix}{folder}/"))),
            None => write!(
                text,
                "<Contents><Key>{key}</Key><LastModified>2026-01-05T12:00:00.000Z</LastModified>\
                 <ETag>e</ETag><Size>{}</Size></Contents>",
                object.len()
            )
            .expect("text"),
        }
    }
    for folder in folders {
        write!(text, "<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>").expect("text");
    }
    Answer::new("200 OK", text + "</ListBucketResult>")
}
