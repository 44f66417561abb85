//! A small server for one page on this machine, as an intranet would have it: no special headers.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Response, Server, StatusCode};

/// Serves until it is dropped.
pub struct PageServer {
    server: Arc<Server>,
    port: u16,
    asked: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl PageServer {
    /// Serves this HTML at `/`, on a free port; everything else is "not found".
    pub fn start(html: Vec<u8>) -> Result<Self> {
        let server = Server::http("127.0.0.1:0").map_err(|error| anyhow!("no port for the page's server: {error}"))?;
        let server = Arc::new(server);
        let port = server.server_addr().to_ip().context("the page's server has no port")?.port();
        let asked = Arc::new(AtomicUsize::new(0));
        let thread = std::thread::spawn({
            let (server, asked) = (Arc::clone(&server), Arc::clone(&asked));
            move || {
                for request in server.incoming_requests() {
                    asked.fetch_add(1, Ordering::SeqCst);
                    let page = request.url().split(['?', '#']).next() == Some("/");
                    // A browser that has gone away needs no answer.
                    let _ = request.respond(if page { page_of(&html) } else { not_found() });
                }
            }
        });
        Ok(PageServer { server, port, asked, thread: Some(thread) })
    }

    /// The page's address under this host name.
    pub fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.port)
    }

    /// How many requests have come in.
    pub fn requests(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn page_of(html: &[u8]) -> Response<Cursor<Vec<u8>>> {
    let response = Response::from_data(html);
    match Header::from_bytes("Content-Type", "text/html; charset=utf-8") {
        Ok(header) => response.with_header(header),
        Err(()) => response,
    }
}

fn not_found() -> Response<Cursor<Vec<u8>>> {
    Response::from_string("not here\n").with_status_code(StatusCode(404))
}
