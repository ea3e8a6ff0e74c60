//! A connection to another server that can be cut, as a network is.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Hands on what comes to `address`; ends with this value.
pub struct Relay {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

struct Inner {
    target: SocketAddr,
    cut: AtomicBool,
    ended: AtomicBool,
    streams: Mutex<Vec<TcpStream>>,
}

impl Relay {
    pub fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (cut, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        let inner = Arc::new(Inner { target, cut, ended, streams: Mutex::default() });
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

    pub fn mend(&self) {
        self.inner.cut.store(false, Ordering::SeqCst);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.inner.ended.store(true, Ordering::SeqCst);
        self.inner.end_all();
        // The listener looks up once more, and sees that it is over.
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
        for (reading, writing) in [(&from, &to), (&to, &from)] {
            let (reading, writing) = (again(reading), again(writing));
            thread::spawn(move || copy(reading, writing));
        }
        streams.extend([from, to]);
    }

    fn end_all(&self) {
        for stream in self.streams.lock().expect("whole").drain(..) {
            // One that has ended already is as it should be.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn again(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a handle")
}

fn copy(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
}
