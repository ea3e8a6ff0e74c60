//! Seals for data that others could change: HMAC-SHA256 under a key derived from
//! the installation's secrets. The key is never stored.

use base::keyed_hash;
use subtle::ConstantTimeEq;

#[derive(Clone)]
pub struct Sealer([u8; 32]);

impl Sealer {
    pub(crate) fn derive(secret: &[u8; 32]) -> Self {
        Self(mac(secret, "seal", &[]))
    }

    /// `purpose` separates kinds of data, so that a seal of one kind never fits another.
    pub fn seal(&self, purpose: &str, thing: &[u8]) -> [u8; 32] {
        mac(&self.0, purpose, thing)
    }

    /// Compares in constant time.
    pub fn fits(&self, purpose: &str, thing: &[u8], seal: &[u8]) -> bool {
        self.seal(purpose, thing).ct_eq(seal).into()
    }
}

print_nothing_of!(Sealer);

fn mac(key: &[u8; 32], purpose: &str, thing: &[u8]) -> [u8; 32] {
    keyed_hash(key, &[purpose.as_bytes(), &[0], thing])
}

#[cfg(test)]
mod tests {
    use crate::Secrets;

    #[test]
    fn it_fits_one_thing_of_one_purpose_under_one_set_of_secrets() {
        let sealer = Secrets::new([1; 32], [2; 32], [3; 32]).sealer();
        let seal = sealer.seal("head", b"seven");
        assert!(sealer.fits("head", b"seven", &seal));
        for (purpose, thing) in [("head", &b"eight"[..]), ("heads", b"seven"), ("hea", b"d\0seven")] {
            assert!(!sealer.fits(purpose, thing, &seal), "{purpose}");
        }
        assert!(!sealer.fits("head", b"seven", &[]) && !sealer.fits("head", b"seven", &seal[..31]));
        assert!(!Secrets::new([1; 32], [2; 32], [4; 32]).sealer().fits("head", b"seven", &seal));
        assert_eq!(format!("{sealer:?}"), "Sealer(…)");
    }
}
