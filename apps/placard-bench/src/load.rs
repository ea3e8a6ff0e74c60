//! The load: each connection sends a request, waits for the answer, and sends the next.
//!
//! It shares the cores with the server it measures. So requests are prepared before the
//! clock starts, and one thread serves all connections.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::wire::{Answer, Connection};

/// All figures together should take at most ten minutes; for this long, each gets its
/// three runs.
const THOROUGH: Duration = Duration::from_secs(8 * 60);
static BEGAN: OnceLock<Instant> = OnceLock::new();

/// Requests as the bytes sent.
#[derive(Default)]
pub struct Requests {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Requests {
    pub fn push(&mut self, request: &[u8]) {
        self.bytes.extend_from_slice(request);
        self.ends.push(self.bytes.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The `n`-th request, starting again with the first after the last.
    fn get(&self, n: usize) -> &[u8] {
        let n = n % self.len();
        let begin = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.bytes[begin..self.ends[n]]
    }
}

impl<T: AsRef<[u8]>> FromIterator<T> for Requests {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut requests = Self::default();
        all.into_iter().for_each(|request| requests.push(request.as_ref()));
        requests
    }
}

/// What to send over how many connections, and when to end.
pub struct Load<'a> {
    pub connections: usize,
    pub requests: &'a Requests,
    /// The number of requests after which it ends, even if it is early.
    pub at_most: usize,
    pub lasting: Duration,
}

impl<'a> Load<'a> {
    /// Repeats the same requests.
    pub fn again(connections: usize, requests: &'a Requests, lasting: Duration) -> Self {
        Self { connections, requests, at_most: usize::MAX, lasting }
    }

    /// Sends each request at most once.
    pub fn once(connections: usize, requests: &'a Requests, lasting: Duration) -> Self {
        Self { connections, requests, at_most: requests.len(), lasting }
    }
}

/// The result of one run.
#[derive(Clone, Debug)]
pub struct Figure {
    pub right: usize,
    pub per_second: f64,
    pub p50: Duration,
    pub p99: Duration,
    /// Wrong answers, which are not counted anywhere else.
    pub wrong: usize,
}

struct Run<'a, F> {
    load: &'a Load<'a>,
    right: F,
    next: Cell<usize>,
    took: RefCell<Vec<Duration>>,
    wrong: Cell<usize>,
}

/// Runs a load once. `right` decides, with the request's number, whether an answer is
/// right.
pub async fn drive(server: SocketAddr, load: &Load<'_>, right: impl Fn(usize, &Answer<'_>) -> bool) -> Figure {
    let mut connections = Vec::new();
    for _ in 0..load.connections {
        connections.push(Connection::open(server).await.expect("the server takes connections"));
    }
    let took = RefCell::new(Vec::with_capacity(1 << 18));
    let run = Run { load, right, next: Cell::new(0), took, wrong: Cell::new(0) };
    let began = Instant::now();
    join_all(connections.iter_mut().map(|connection| run.keep_asking(connection, began))).await;
    let lasted = began.elapsed();
    figure(run.took.into_inner(), lasted, run.wrong.get())
}

impl<F: Fn(usize, &Answer<'_>) -> bool> Run<'_, F> {
    async fn keep_asking(&self, connection: &mut Connection, began: Instant) {
        loop {
            let (number, at) = (self.next.get(), Instant::now());
            if number >= self.load.at_most || at.duration_since(began) >= self.load.lasting {
                return;
            }
            self.next.set(number + 1);
            let answer = connection.ask(self.load.requests.get(number)).await.expect("the server answers");
            let took = at.elapsed();
            if (self.right)(number, &answer) {
                self.took.borrow_mut().push(took);
            } else {
                self.report(&answer);
            }
        }
    }

    /// Reports the first wrong answer.
    fn report(&self, answer: &Answer<'_>) {
        if self.wrong.replace(self.wrong.get() + 1) == 0 {
            let body = String::from_utf8_lossy(answer.body);
            eprintln!("wrong answer {}: {}", answer.status, body.chars().take(300).collect::<String>());
        }
    }
}

fn figure(mut took: Vec<Duration>, lasted: Duration, wrong: usize) -> Figure {
    assert!(!took.is_empty(), "nothing was answered as it should be");
    took.sort_unstable();
    let per_second = took.len() as f64 / lasted.as_secs_f64();
    Figure { right: took.len(), per_second, p50: took[took.len() / 2], p99: took[took.len() * 99 / 100], wrong }
}

/// Runs something this many times and returns the median run.
pub async fn median(runs: usize, mut run: impl AsyncFnMut() -> Figure) -> Figure {
    let [middle] = medians(runs, async || [run().await]).await;
    middle
}

/// Runs several things in turns and returns the median run of each: so other load on the machine
/// affects all of them. Once most of the time is used up, there is only one run.
pub async fn medians<const N: usize>(wanted: usize, mut run: impl AsyncFnMut() -> [Figure; N]) -> [Figure; N] {
    let mut runs = run().await.map(|figure| vec![figure]);
    let mut count = 1;
    while count < wanted && BEGAN.get_or_init(Instant::now).elapsed() < THOROUGH {
        runs.iter_mut().zip(run().await).for_each(|(runs, figure)| runs.push(figure));
        count += 1;
    }
    if count < wanted {
        eprintln!("time is short: what follows is of {count} instead of {wanted} runs");
    }
    runs.map(middle)
}

fn middle(mut runs: Vec<Figure>) -> Figure {
    runs.sort_by(|a, b| a.per_second.total_cmp(&b.per_second));
    runs.swap_remove(runs.len() / 2)
}
