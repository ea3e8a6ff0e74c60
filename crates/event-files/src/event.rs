//! An event as it is archived.

use base::{PlanId, SlotId, Timestamp, hex};
use delivery::{Device, EventKind, Reason};
use sha2::{Digest, Sha256};

/// Everything that is stored of an event. The realm belongs to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub plan: PlanId,
    pub id: i64,
    pub kind: EventKind,
    pub at: Timestamp,
    /// Which month it belongs to.
    pub filed_at: Timestamp,
    pub counted: bool,
    /// Why it does not count.
    pub reason: Option<Reason>,
    pub filter_version: i16,
    /// In thousandths of a minor unit.
    pub price_milli: i64,
    pub slot: Option<SlotId>,
    pub nonce: [u8; 16],
    pub visitor: Option<[u8; 16]>,
    pub device: Option<Device>,
    /// The choice of a plan with AI delivery.
    pub arm: Option<i16>,
    pub among: Option<i16>,
    pub propensity: Option<i32>,
    pub learned: Option<i64>,
    /// What an exchange is owed, in thousandths of a minor unit, and the site or app.
    pub cleared_milli: Option<i64>,
    pub source: Option<String>,
}

/// A digest of rows, which does not depend on how they are stored.
#[derive(Clone, Debug, Default)]
pub struct RowDigest {
    hasher: Sha256,
    rows: u64,
}

impl RowDigest {
    pub fn take(&mut self, event: &Event) {
        self.rows += 1;
        for number in [event.plan.0, event.id, event.at.millis(), event.filed_at.millis(), event.price_milli] {
            self.hasher.update(number.to_be_bytes());
        }
        self.hasher.update(event.kind.code().to_be_bytes());
        self.hasher.update([u8::from(event.counted)]);
        self.hasher.update(event.filter_version.to_be_bytes());
        self.hasher.update(event.nonce);
        let optional = [
            event.reason.map(|reason| i64::from(reason.code())),
            event.slot.map(|slot| slot.0),
            event.device.map(|device| i64::from(device.code())),
            event.arm.map(i64::from),
            event.among.map(i64::from),
            event.propensity.map(i64::from),
            event.learned,
            event.cleared_milli,
        ];
        for number in optional {
            self.hasher.update([u8::from(number.is_some())]);
            self.hasher.update(number.unwrap_or_default().to_be_bytes());
        }
        self.bytes(event.visitor.as_ref().map(<[u8; 16]>::as_slice));
        self.bytes(event.source.as_ref().map(String::as_bytes));
    }

    fn bytes(&mut self, bytes: Option<&[u8]>) {
        let length = bytes.map_or(u64::MAX, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.hasher.update(length.to_be_bytes());
        self.hasher.update(bytes.unwrap_or_default());
    }

    /// The number of rows, and the digest in hexadecimal.
    pub fn finish(self) -> (u64, String) {
        (self.rows, hex::encode(&self.hasher.finalize()))
    }
}
