//! A connection to another server that can be cut or blocked, like a network.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Forwards everything to `address`; ends when dropped.
pub struct Relay {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    target: SocketAddr,
    cut: AtomicBool,
    still: Arc<AtomicBool>,
    /// The answer to the next message with this word is lost, and its connection with it.
    lost: Arc<Mutex<Option<&'static str>>>,
    ended: AtomicBool,
    streams: Mutex<Vec<TcpStream>>,
}

impl Relay {
    pub fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (cut, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        let inner = Arc::new(Inner {
            target,
            cut,
            still: Arc::default(),
            lost: Arc::default(),
            ended,
            streams: Mutex::default(),
        });
        let listening = inner.clone();
        thread::spawn(move || {
            let coming = listener.incoming().take_while(|_| !listening.ended.load(Ordering::SeqCst));
            coming.flatten().for_each(|from| listening.hand_on(from));
        });
        Self { address, inner }
    }

    /// Ends every connection, and every new one at once.
    pub fn cut(&self) {
        self.inner.cut.store(true, Ordering::SeqCst);
        self.inner.end_all();
    }

    /// Forwards the next message with this word, and ends its connection before the answer.
    pub fn lose_the_answer_to(&self, word: &'static str) {
        *self.inner.lost.lock().expect("whole") = Some(word);
    }

    /// Forwards nothing any more, and ends nothing.
    pub fn stand_still(&self) {
        self.inner.still.store(true, Ordering::SeqCst);
    }

    pub fn mend(&self) {
        self.inner.cut.store(false, Ordering::SeqCst);
        self.inner.still.store(false, Ordering::SeqCst);
        *self.inner.lost.lock().expect("whole") = None;
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.inner.ended.store(true, Ordering::SeqCst);
        self.mend();
        self.inner.end_all();
        // Wakes the listener, which sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

impl Inner {
    fn hand_on(&self, from: TcpStream) {
        let mut streams = self.streams.lock().expect("whole");
        if self.cut.load(Ordering::SeqCst) {
            return;
        }
        let Ok(to) = TcpStream::connect(self.target) else { return };
        let silent = Arc::new(AtomicBool::new(false));
        for (reading, writing, asks) in [(&from, &to, true), (&to, &from, false)] {
            let (reading, writing, silent) = (again(reading), again(writing), silent.clone());
            let (still, lost) = (self.still.clone(), self.lost.clone());
            thread::spawn(move || {
                copy(reading, writing, |some| {
                    while still.load(Ordering::SeqCst) {
                        thread::sleep(Duration::from_millis(20));
                    }
                    let mut lost = lost.lock().expect("whole");
                    if asks && lost.is_some_and(|word| contains(some, word)) {
                        *lost = None;
                        silent.store(true, Ordering::SeqCst);
                    }
                    asks || !silent.load(Ordering::SeqCst)
                });
            });
        }
        streams.extend([from, to]);
    }

    fn end_all(&self) {
        for stream in self.streams.lock().expect("whole").drain(..) {
            // It may have ended already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn again(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a handle")
}

fn contains(some: &[u8], word: &str) -> bool {
    some.windows(word.len()).any(|part| part == word.as_bytes())
}

/// Copies what `may` lets pass, and ends both when it does not.
fn copy(mut from: TcpStream, mut to: TcpStream, may: impl Fn(&[u8]) -> bool) {
    let mut some = [0; 8192];
    while let Ok(read @ 1..) = from.read(&mut some) {
        if !may(&some[..read]) || to.write_all(&some[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
