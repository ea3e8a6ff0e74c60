//! The part of S3 that storing and reading objects needs, over plain HTTP.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Objects by their path, and the heads of all requests.
#[derive(Default)]
pub struct Seen {
    pub objects: HashMap<String, Vec<u8>>,
    pub heads: Vec<String>,
}

pub struct FakeS3 {
    pub address: SocketAddr,
    pub seen: Arc<Mutex<Seen>>,
}

impl FakeS3 {
    /// Answers until the test's process ends.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let fake = Self { address: listener.local_addr().expect("an address"), seen: Arc::default() };
        let seen = Arc::clone(&fake.seen);
        thread::spawn(move || listener.incoming().for_each(|stream| answer(stream.expect("a client"), &seen)));
        fake
    }
}

fn answer(stream: TcpStream, seen: &Mutex<Seen>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        // The end, or something that is not HTTP.
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).expect("a body");
    let mut words = head.split(' ');
    let (method, path) = (words.next().expect("a method").to_owned(), words.next().expect("a path").to_owned());
    let mut seen = seen.lock().expect("not poisoned");
    seen.heads.push(head);
    let (status, sent) = match (method.as_str(), seen.objects.get(&path)) {
        ("PUT", _) => {
            seen.objects.insert(path, body);
            ("200 OK", Vec::new())
        }
        (_, Some(found)) => ("200 OK", found.clone()),
        (_, None) => ("404 Not Found", b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
    };
    let date = "Last-Modified: Mon, 05 Jan 2026 12:00:00 GMT";
    let head = format!("HTTP/1.1 {status}\r\nETag: \"e\"\r\n{date}\r\nContent-Length: {}\r\n", sent.len());
    let answer = [head.as_bytes(), b"Connection: close\r\n\r\n", &sent].concat();
    reader.get_mut().write_all(&answer).expect("answered");
}
