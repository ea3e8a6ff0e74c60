//! `placard-server witness`: a witness of other installations' logs (C2SP tlog-witness), which anybody may run. It needs no
//! database and no configuration.

mod kept;
mod limits;
mod serving;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use http_api::TrustedProxies;
use proof::NoteKey;

use kept::{Kept, key};

/// Vouch for other installations' public logs: cosign a log that continues what was cosigned before.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the public key, which the logs' operators need; it is made if there is none
    Key(Place),
    /// Answer POST …/add-checkpoint until asked to stop
    Serve(Serve),
}

#[derive(Debug, Args)]
pub struct Place {
    /// The file that records what was cosigned; the key is stored beside it, in a file with `.key` at the end
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The name of the key when it is made, such as witness.example.com/placard
    #[arg(long)]
    name: Option<String>,
}

#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    place: Place,
    /// Where to answer; TLS is for a proxy before it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7380")]
    bind: SocketAddr,
    /// The path before /add-checkpoint, such as /w1
    #[arg(long, default_value = "", value_parser = prefix)]
    prefix: String,
    /// The proxies that are trusted to say where a request comes from, such as 127.0.0.1,10.0.0.0/8
    #[arg(long, value_name = "ADDRESSES", default_value = "127.0.0.1")]
    proxies: TrustedProxies,
    /// The public key of a log, as its /log/key says; several times for several logs
    #[arg(long = "log", value_name = "KEY", required = true, value_parser = log_key)]
    logs: Vec<NoteKey>,
}

fn log_key(text: &str) -> Result<NoteKey, String> {
    text.parse().map_err(|bad| format!("{bad}"))
}

fn prefix(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
    let whole = text.is_empty() || (text.starts_with('/') && !text.ends_with('/') && !text.contains("//"));
    if whole && text.chars().all(fits) {
        Ok(text.to_owned())
    } else {
        Err("it begins with / and ends without".to_owned())
    }
}

/// Runs it; the problem in one line if it cannot.
pub fn run(command: Command) -> Result<(), String> {
    match command {
        Command::Key(place) => {
            println!("{}", key(&place.state, place.name.as_deref())?.public());
            Ok(())
        }
        Command::Serve(serve) => {
            let cosigner = key(&serve.place.state, serve.place.name.as_deref())?;
            let public = cosigner.public();
            let kept = Kept::open(&serve.place.state, cosigner, serve.logs)?;
            tracing::info!(bind = %serve.bind, key = %public, "the witness answers");
            actix_web::rt::System::new().block_on(serving::serve(kept, serve.bind, &serve.prefix, serve.proxies))
        }
    }
}
