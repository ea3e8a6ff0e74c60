//! A push service of the test's own, which keeps what it got.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What it answers at a path; it takes everything unless told otherwise.
#[derive(Clone)]
pub enum Answer {
    Taken,
    Status(&'static str),
    Busy {
        seconds: u32,
    },
    Moved {
        to: String,
    },
    /// Taken, with a body that has no end.
    Endless,
}

#[derive(Clone)]
pub struct Sent {
    pub path: String,
    headers: HashMap<String, String>,
    pub body: Vec<u8>,
    pub at: Instant,
}

impl Sent {
    pub fn header(&self, name: &str) -> String {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.headers)).clone()
    }
}

#[derive(Default)]
struct Kept {
    got: Vec<Sent>,
    answers: HashMap<String, Answer>,
}

pub struct PushService {
    address: SocketAddr,
    kept: Arc<Mutex<Kept>>,
}

impl PushService {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let kept = Arc::<Mutex<Kept>>::default();
        let inner = Arc::clone(&kept);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&inner);
                // A server that was killed ends its connections in the middle.
                thread::spawn(move || while serve(&stream, &kept).is_some() {});
            }
        });
        Self { address, kept }
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn answer(&self, path: &str, answer: Answer) {
        self.kept.lock().expect("whole").answers.insert(path.to_owned(), answer);
    }

    pub fn got(&self) -> Vec<Sent> {
        self.kept.lock().expect("whole").got.clone()
    }
}

/// One request of a connection; `None` at its end.
fn serve(mut stream: &TcpStream, kept: &Mutex<Kept>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            text => lines.push(text.to_owned()),
        }
    }
    let path = lines.first()?.split(' ').nth(1)?.to_owned();
    let headers: HashMap<String, String> = lines
        .iter()
        .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())))
        .collect();
    let mut body = vec![0; headers.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let answer = {
        let mut kept = kept.lock().expect("whole");
        kept.got.push(Sent { path: path.clone(), headers, body, at: Instant::now() });
        kept.answers.get(&path).cloned().unwrap_or(Answer::Taken)
    };
    if path == "/slow" {
        // So that the server is killed between sending and learning that it was taken.
        thread::sleep(Duration::from_millis(60));
    }
    let head = match answer {
        Answer::Taken => "201 Created".to_owned(),
        Answer::Status(status) => status.to_owned(),
        Answer::Busy { seconds } => format!("429 Too Many Requests\r\nRetry-After: {seconds}"),
        Answer::Moved { to } => format!("307 Temporary Redirect\r\nLocation: {to}"),
        Answer::Endless => {
            stream.write_all(b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n").ok()?;
            loop {
                stream.write_all(b"4\r\nmore\r\n").ok()?;
                thread::sleep(Duration::from_millis(5));
            }
        }
    };
    stream.write_all(format!("HTTP/1.1 {head}\r\nContent-Length: 0\r\n\r\n").as_bytes()).ok()
}
