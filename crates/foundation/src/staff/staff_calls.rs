//! Staff's commands over the network: signed with the operator's key, each accepted
//! once.

use std::net::IpAddr;
use std::sync::OnceLock;

use auth::operator_key::Call;
use auth::{PublicKey, SigningKey, Token, hex};
use base::refuse_if;
use store::staff::operators::{self as rows, Operator, Signer};
use store::staff::staff_nonces;

use crate::accounts::{attempts, failures};
use crate::staff::operators::is_used_anew;
use crate::{App, Error, Refusal};

/// What a caller claims, as received.
#[derive(Clone, Copy, Debug)]
pub struct SignedStaffCall<'a> {
    pub call: Call<'a>,
    pub signature: &'a str,
}

/// Authenticates a caller. The body is not read yet: whoever reads it compares it with
/// the signed digest.
///
/// An unknown name, a wrong signature, an old call and a repeated one cannot be
/// distinguished: the answer is the same, and so is the work up to the signature.
///
/// # Errors
/// `wrong_credentials`; `too_many_requests` if an address or a name failed too often.
pub async fn admit(app: &App, signed: SignedStaffCall<'_>, address: Option<IpAddr>) -> Result<Operator, Error> {
    let name = signed.call.operator;
    let admitted = look_up_signer(app, signed).await;
    if matches!(admitted, Err(Error::Refused(_))) {
        attempts::note_failure(app, address, Some(name)).await?;
        failures::of_stranger(app, "staff call", Some(name), address);
    }
    admitted
}

async fn look_up_signer(app: &App, signed: SignedStaffCall<'_>) -> Result<Operator, Error> {
    let now = app.now();
    let name = signed.call.operator.to_owned();
    let found = app.db.read(move |conn| rows::signer(conn, &name)).await?;
    let key = found.as_ref().and_then(|signer| signer.public_key);
    let is_signed = signed.call.is_signed(&key.unwrap_or_else(nobodys), signed.signature);
    let signer = found.filter(|_| key.is_some() && is_signed).zip(signed.call.good_until(now));
    let (signer, good_until) = signer.ok_or(Refusal::WrongCredentials)?;
    let nonce: [u8; 16] = hex::decode(signed.call.nonce).ok_or(Refusal::WrongCredentials)?;
    let Signer { operator, .. } = &signer;
    let (id, used) = (operator.id, is_used_anew(&signer, now));
    let taken = app.db.write(move |tx| {
        let taken = staff_nonces::take(tx, &nonce, good_until)?;
        if taken && used {
            rows::note_used(tx, id)?;
        }
        Ok::<_, Error>(taken)
    });
    refuse_if(!taken.await?, Refusal::WrongCredentials)?;
    Ok(signer.operator)
}

/// A public key without a known private key: that was random and discarded.
fn nobodys() -> PublicKey {
    static KEY: OnceLock<PublicKey> = OnceLock::new();
    *KEY.get_or_init(|| {
        let drawn = crate::random().ok().and_then(|bytes| SigningKey::from_shown(Token::new(&bytes).text()));
        drawn.and_then(|key| key.public()).unwrap_or([0; 32])
    })
}
