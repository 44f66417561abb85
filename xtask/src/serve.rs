//! Builds the page and serves it on this machine. One page, one address: any other path is "not found".

use std::process::Command;

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Response, Server, StatusCode};

use crate::page;
use crate::project::Project;
use crate::run::{find, step};

/// What `cargo xtask serve` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Builds, listens, and answers until it is stopped.
pub fn serve(project: &Project, options: &Arguments) -> Result<()> {
    let built = page::build(project)?;
    let html = std::fs::read(&built).with_context(|| format!("{} cannot be read", built.display()))?;

    step("Serve the page");
    let server = Server::http(("127.0.0.1", options.port)).map_err(|error| {
        anyhow!("port {} cannot be used ({error}); another one can: cargo xtask serve --port 0", options.port)
    })?;
    let port = server.server_addr().to_ip().map_or(options.port, |address| address.port());
    let address = format!("http://127.0.0.1:{port}/");
    println!("    from here:  {address}");
    println!("    from disk:  {}", built.display());
    println!("    Ctrl+C ends it.");
    if !options.no_open {
        open(&address);
    }
    for request in server.incoming_requests() {
        let found = matches!(request.url().split(['?', '#']).next(), Some("/" | "/index.html"));
        // A browser that closed the connection early is its own business.
        let _ = if found { request.respond(page_response(&html)?) } else { request.respond(not_found()) };
    }
    Ok(())
}

fn page_response(html: &[u8]) -> Result<Response<std::io::Cursor<Vec<u8>>>> {
    Ok(Response::from_data(html)
        .with_header(header("Content-Type", "text/html; charset=utf-8")?)
        .with_header(header("Cache-Control", "no-store")?))
}

fn not_found() -> Response<std::io::Cursor<Vec<u8>>> {
    Response::from_string("Only / is served here.\n").with_status_code(StatusCode(404))
}

fn header(name: &str, value: &str) -> Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow!("{name}: {value} is no HTTP header"))
}

/// Opens the address in the person's browser where there is a way; the address has been printed in any case.
fn open(address: &str) {
    let Some(opener) = find(&["xdg-open", "open", "explorer"]) else { return };
    if let Err(error) = Command::new(opener).arg(address).spawn() {
        println!("    (no browser could be opened: {error})");
    }
}
