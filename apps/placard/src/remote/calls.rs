//! How a call is addressed and signed.

pub const METHOD: &str = "POST";
pub const PATH: &str = "/staff/v1/run";

/// The names of the headers that are signed.
pub struct Headers {
    /// The operator's name, in hex because it may contain any characters.
    pub operator: &'static str,
    pub timestamp: &'static str,
    pub nonce: &'static str,
    pub digest: &'static str,
    pub signature: &'static str,
    /// In every refusal: the server's clock, in seconds since 1970.
    pub clock: &'static str,
}

pub const HEADERS: Headers = Headers {
    operator: "x-placard-operator",
    timestamp: "x-placard-timestamp",
    nonce: "x-placard-nonce",
    digest: "x-placard-digest",
    signature: "x-placard-signature",
    clock: "x-placard-clock",
};
