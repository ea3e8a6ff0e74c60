//! The operator's side: asks a server to run the command, and prints its output.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anstream::ColorChoice;
use auth::operator_key::Call;
use auth::signature::WINDOW_SECONDS;
use auth::{SigningKey, hex};
use base::Clock;
use clap::ArgMatches;
use desk::installation::settings::{InvalidSetting, Values};
use foundation::{Error, Refusal, random};
use reqwest::Certificate;
use reqwest::blocking::{Client, Response};
use reqwest::redirect::Policy;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use super::wire::next;
use super::{HEADERS, METHOD, MOST_ASKED, PATH, RemoteCommand, cause};
use crate::cli::{Command, ParsedCommand};
use crate::commands::{self, RunsWhere};
use crate::failure::Failure;
use crate::files::{self, OutputFiles};
use crate::terminal::{self, OutputItem};

const CONNECT: Duration = Duration::from_secs(10);
/// The server lets a call wait half a minute for its turn, and two minutes for its files, before the answer begins;
/// then it shows every ten seconds that it is there.
const SILENCE: Duration = Duration::from_secs(160);
const MIB: usize = 1024 * 1024;
/// Arguments that name output files; all others name input files.
const WRITES: [(&str, &str); 5] = [
    ("ledger export", "file"),
    ("ledger heads", "file"),
    ("content export", "folder"),
    ("withdrawal export", "file"),
    ("publisher payout export", "file"),
];
/// Commands whose output file must be writable before the server is asked, because making the file again is impossible
/// or slow.
const ONCE: [&str; 3] = ["ledger export", "withdrawal export", "publisher payout export"];

/// Mostly the users' address.
const NOT_STAFFS: &str = "staff are not answered there, but at the address of the server's PLACARD_STAFF_BIND";

/// The server that runs commands, and the operator.
pub struct Server {
    url: String,
    client: Client,
    credentials: Option<(String, String)>,
}

/// The server configured in the environment, if this command can run on one.
///
/// # Errors
/// A variable with an invalid value; a command that no server runs.
pub fn server(command: &Command) -> Result<Option<Server>, Failure> {
    let place = commands::place(command);
    if place == RunsWhere::Here {
        return Ok(None);
    }
    let values = Values::load()?;
    let Some(url) = values.get("PLACARD_SERVER") else { return Ok(None) };
    let server = Server::new(url, &values)?;
    // If a database is configured as well, commands that need the installation run here, and so do those of the first
    // operator.
    let has_database = values.get("PLACARD_DATABASE_URL").is_some();
    match place {
        RunsWhere::Anywhere if server.credentials.is_some() || !has_database => Ok(Some(server)),
        _ if has_database => Ok(None),
        _ => Err(Failure::Usage(
            "PLACARD_SERVER: no server runs this command; it needs the installation's own machine".to_owned(),
        )),
    }
}

impl Server {
    fn new(url: &str, values: &Values) -> Result<Self, InvalidSetting> {
        let (scheme, authority) = server_address("PLACARD_SERVER", url)?;
        // If it fails, the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .http1_only()
            .no_proxy()
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .timeout(SILENCE);
        let client = match (scheme, trusted(values)?) {
            (_, Some(trusted)) => client.tls_certs_only([trusted]),
            // Nothing is encrypted, so the system's certificate authorities are not loaded.
            ("http", None) => client.tls_certs_only([]),
            _ => client,
        };
        let wrong = |error| InvalidSetting::new("PLACARD_SERVER", format!("{url}: {}", cause(&error)));
        let client = client.build().map_err(wrong)?;
        let get = |name| values.get(name).map(str::to_owned);
        let credentials = get("PLACARD_OPERATOR").zip(get("PLACARD_OPERATOR_KEY"));
        Ok(Self { url: format!("{scheme}://{authority}"), client, credentials })
    }

    fn call(&self, body: Vec<u8>) -> Result<Response, Failure> {
        let (name, key) = self.credentials.as_ref().ok_or(Error::NotSignedIn)?;
        let key = SigningKey::from_shown(key.trim()).ok_or(Refusal::WrongCredentials)?;
        let timestamp = Clock::system().now().seconds().to_string();
        let (nonce, digest) = (hex::encode(&random::<16>()?), hex::encode(&Sha256::digest(&body)));
        let call =
            Call { method: METHOD, path: PATH, operator: name, timestamp: &timestamp, nonce: &nonce, digest: &digest };
        let request = self
            .client
            .post(format!("{}{PATH}", self.url))
            .header(HEADERS.operator, hex::encode(name.as_bytes()))
            .header(HEADERS.signature, key.sign(&call))
            .header(HEADERS.timestamp, &timestamp)
            .header(HEADERS.nonce, &nonce)
            .header(HEADERS.digest, &digest)
            .body(body);
        request.send().map_err(|error| Failure::Usage(format!("PLACARD_SERVER: {}: {}", self.url, cause(&error))))
    }
}

/// A scheme, and a host with or without a port, as they were given by this name.
pub fn server_address<'a>(name: &'static str, url: &'a str) -> Result<(&'a str, &'a str), InvalidSetting> {
    let wrong = |problem: &str| InvalidSetting::new(name, format!("{url}: {problem}"));
    let form = "it must be such as https://ads.example.com:9443";
    let (scheme, rest) = url.trim_end_matches('/').split_once("://").ok_or_else(|| wrong(form))?;
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    if rest.is_empty() || !rest.chars().all(plain) || !["http", "https"].contains(&scheme) {
        return Err(wrong(form));
    }
    if scheme == "http" && !is_this_machine(rest) {
        return Err(wrong("http is for this machine alone, since answers hold keys; use https"));
    }
    Ok((scheme, rest))
}

fn is_this_machine(authority: &str) -> bool {
    let host = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The certificate authority that is trusted instead of the system's, if one is configured.
fn trusted(values: &Values) -> Result<Option<Certificate>, InvalidSetting> {
    let Some(path) = values.get("PLACARD_SERVER_CA") else { return Ok(None) };
    let wrong = |problem: String| InvalidSetting::new("PLACARD_SERVER_CA", format!("{path}: {problem}"));
    let pem = files::own(Path::new(path), MIB).map_err(wrong)?;
    let der = CertificateDer::from_pem_slice(&pem).map_err(|e| wrong(format!("no certificate: {e}")))?;
    Certificate::from_der(&der).map(Some).map_err(|e| wrong(e.to_string()))
}

/// Has the server run the command; the exit code is the command's.
pub fn ask(server: &Server, typed: &ParsedCommand) -> Result<ExitCode, Failure> {
    let named = named(&typed.matches);
    named.once.iter().try_for_each(|path| files::is_new(path))?;
    let asked = read_command(&named)?;
    let body = asked.bytes().map_err(|e| Error::Internal(e.to_string()))?;
    let mut response = server.call(body)?;
    match response.status().as_u16() {
        200 => {}
        401 => return Err(unknown(&response)),
        404 => return Err(Failure::Usage(format!("PLACARD_SERVER: {}: {NOT_STAFFS}", server.url))),
        429 => {
            let told = response.headers().get("Retry-After").and_then(|value| value.to_str().ok());
            let retry_after = told.and_then(|seconds| seconds.parse().ok()).unwrap_or(60);
            return Err(Error::TooManyRequests { retry_after }.into());
        }
        503 => return Err(Error::from(store::Error::Overloaded).into()),
        other => return Err(Failure::Server(format!("{} answered {other}", server.url))),
    }
    let color = if typed.cli.json { ColorChoice::Never } else { typed.cli.color.into() };
    loop {
        let printed = next(&mut response)
            .map_err(|_| Failure::Server("the answer broke off; `audit list` shows whether it was done".to_owned()))?;
        match printed {
            OutputItem::Text(text) => terminal::print(text, color)?,
            OutputItem::Bytes(bytes) => {
                if !terminal::write_bytes(&bytes)? {
                    return Ok(ExitCode::SUCCESS);
                }
            }
            OutputItem::Error(text) => drop(write!(std::io::stderr(), "{text}")),
            OutputItem::Files(files) => write(&named, &files)?,
            OutputItem::Code(code) => return Ok(ExitCode::from(code)),
        }
    }
}

/// The reason is not revealed, but the clocks can be compared.
fn unknown(response: &Response) -> Failure {
    let told = response.headers().get(HEADERS.clock).and_then(|value| value.to_str().ok());
    let clock: Option<i64> = told.and_then(|seconds| seconds.parse().ok());
    let off = clock.map_or(0, |clock| clock.abs_diff(Clock::system().now().seconds()));
    if off > WINDOW_SECONDS.unsigned_abs() {
        terminal::complain(&format!("placard: this machine's clock is {off} s off the server's"));
    }
    Refusal::WrongCredentials.into()
}

/// The files named in arguments.
#[derive(Debug, Default)]
struct NamedFiles {
    read: Vec<PathBuf>,
    written: Vec<PathBuf>,
    /// The files that must be writable before the server is asked.
    once: Vec<PathBuf>,
}

fn named(matches: &ArgMatches) -> NamedFiles {
    let (mut all, mut at, mut words) = (NamedFiles::default(), matches, String::new());
    loop {
        for id in at.ids() {
            let Ok(Some(paths)) = at.try_get_many::<PathBuf>(id.as_str()) else { continue };
            let is_written = WRITES.contains(&(words.as_str(), id.as_str()));
            let of_kind = if is_written { &mut all.written } else { &mut all.read };
            of_kind.extend(paths.clone().cloned());
            if is_written && ONCE.contains(&words.as_str()) {
                all.once.extend(paths.cloned());
            }
        }
        let Some((name, below)) = at.subcommand() else { return all };
        words = format!("{words} {name}").trim_start().to_owned();
        at = below;
    }
}

fn read_command(named: &NamedFiles) -> Result<RemoteCommand, Failure> {
    let text = |argument: std::ffi::OsString| {
        argument.into_string().map_err(|odd| Failure::Usage(format!("{} is not UTF-8", odd.display())))
    };
    let arguments = std::env::args_os().skip(1).map(text).collect::<Result<Vec<_>, _>>()?;
    let most = MOST_ASKED.saturating_sub(MIB);
    let files: BTreeMap<_, _> = named.read.iter().map(|path| (path.clone(), files::own(path, most))).collect();
    if files.values().flatten().map(Vec::len).sum::<usize>() > most + 1 {
        return Err(Failure::Usage(format!("a server takes files of {} MiB together at most", most / MIB)));
    }
    Ok(RemoteCommand { arguments, width: terminal::room(), files })
}

/// Writes only files that the operator named, whatever a server sends.
fn write(named: &NamedFiles, files: &OutputFiles) -> Result<(), Failure> {
    let is_named = |path: &Path| {
        let is = |named: &PathBuf| path == named || (files.folder.is_some() && path.parent() == Some(named));
        named.written.iter().any(is)
    };
    let paths = files.files.iter().map(|(path, _)| path).chain(&files.folder);
    match paths.into_iter().find(|path| !is_named(path)) {
        Some(path) => Err(Failure::Server(format!("it would write {}, which nobody named", path.display()))),
        None => files.write(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn an_address_has_a_host_and_is_safe() {
        for good in ["https://ads.example.com", "http://127.0.0.1:9443/", "http://localhost:1", "http://[::1]:9443"] {
            assert!(server_address("PLACARD_SERVER", good).is_ok(), "{good}");
        }
        for bad in
            ["ads.example.com", "ftp://host", "https://", "https://host/path", "https://me:key@host", "http://10.0.0.1"]
        {
            assert_eq!(server_address("PLACARD_SERVER", bad).expect_err(bad).variable, "PLACARD_SERVER");
        }
    }

    fn of(line: &str) -> NamedFiles {
        named(&cli::command().try_get_matches_from(line.split(' ')).expect("understood"))
    }

    #[test]
    fn the_files_that_are_named_are_told_apart() {
        assert_eq!(of("placard product add /etc/passwd --reason r").read, [Path::new("/etc/passwd")]);
        assert_eq!(of("placard content apply a.toml b.toml --reason r").read.len(), 2);
        assert_eq!(of("placard ledger verify --heads h.txt").read, [Path::new("h.txt")]);
        let (heads, export) = (of("placard ledger heads h.txt"), of("placard content export f"));
        assert_eq!((heads.read.len(), heads.written), (0, vec![PathBuf::from("h.txt")]));
        assert_eq!((export.read.len(), export.written), (0, vec![PathBuf::from("f")]));
        let books = of("placard ledger export --format hledger b.journal");
        assert_eq!((books.read.len(), books.written, books.once.len()), (0, vec![PathBuf::from("b.journal")], 1));
        assert!(of("placard account show mia").read.is_empty());
    }

    #[test]
    fn a_server_writes_only_what_was_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let named = NamedFiles { written: vec![folder.path().join("heads")], ..NamedFiles::default() };
        let one = |folder: Option<PathBuf>, path: PathBuf| OutputFiles {
            folder,
            absent: Vec::new(),
            new: true,
            private: false,
            files: vec![(path, b"x".to_vec())],
        };
        for odd in ["other", "heads/../other", "../other", "heads/below/deep"] {
            assert!(write(&named, &one(None, folder.path().join(odd))).is_err(), "{odd}");
        }
        let below = Some(folder.path().to_owned());
        assert!(write(&named, &one(below, folder.path().join("heads/a"))).is_err());
        write(&named, &one(None, folder.path().join("heads"))).expect("written");
    }
}
