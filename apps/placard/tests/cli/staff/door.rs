//! The server for staff's commands, in this process.

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use actix_web::dev::ServerHandle;
use actix_web::rt::System;
use campaigns::AdServer;
use http_api::{Shell, TrustedProxies};
use placard_server::StaffPlace;
use placard_server::staff_door::{Figures, server};

/// Closed when dropped.
pub struct Door {
    port: u16,
    encrypted: bool,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// With a certificate and its key it uses TLS.
    pub fn open(app: AdServer, tls: Option<(PathBuf, PathBuf)>) -> Self {
        let probe = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let bind = probe.local_addr().expect("an address");
        drop(probe);
        let encrypted = tls.is_some();
        let place = StaffPlace { bind, tls };
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || {
            System::new().block_on(async {
                let shell = Shell::new(app.clone(), TrustedProxies::default());
                let server = server(app, shell, Figures::default(), &place).expect("it opens");
                sender.send(server.handle()).expect("somebody waits");
                server.await.expect("it answers");
            });
        });
        let handle = receiver.recv().expect("a server");
        Self { port: bind.port(), encrypted, handle, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("{}://localhost:{}", if self.encrypted { "https" } else { "http" }, self.port)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // The stop is requested at once; the future only tells when it is done.
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
