//! The TC string of IAB Europe's Transparency and Consent Framework, version 2: what a
//! reader in the European Union has agreed to.

/// Storing and reading information on the reader's device.
const PURPOSE_STORAGE: usize = 1;

const VERSION: u64 = 2;
/// The position of the first field that is read, in bits.
const PURPOSES_AT: usize = 152;
const MOST_VENDOR_AT: usize = 213;
const RANGES_AT: usize = MOST_VENDOR_AT + 16;
const VENDORS_AT: usize = RANGES_AT + 1;

/// Whether a TC string says that this vendor may recognize the reader. A text that is not
/// one says nothing.
pub fn allows(consent: &str, vendor: u16) -> bool {
    // Segments other than the first do not narrow it.
    let core = consent.split('.').next().unwrap_or_default();
    let bits = Bits(core.as_bytes());
    let purpose = bits.number(PURPOSES_AT + PURPOSE_STORAGE - 1, 1) == Some(1);
    let version = bits.number(0, 6) == Some(VERSION);
    version && purpose && vendor > 0 && bits.vendor(vendor.into()).unwrap_or(false)
}

/// Each character is six bits (RFC 4648, section 5).
struct Bits<'a>(&'a [u8]);

impl Bits<'_> {
    /// The number in `width` bits from `at` on; `None` beyond the end.
    fn number(&self, at: usize, width: usize) -> Option<u64> {
        (at..at.checked_add(width)?).try_fold(0, |number, bit| {
            let six = six_bits(*self.0.get(bit / 6)?)?;
            Some(number << 1 | u64::from(six >> (5 - bit % 6) & 1))
        })
    }

    /// Either a bit for each vendor, or ranges of those who have consent.
    fn vendor(&self, vendor: u64) -> Option<bool> {
        if vendor > self.number(MOST_VENDOR_AT, 16)? {
            return Some(false);
        }
        if self.number(RANGES_AT, 1)? == 0 {
            let place = usize::try_from(vendor).ok()?.checked_sub(1)?;
            return Some(self.number(VENDORS_AT + place, 1)? == 1);
        }
        let mut at = VENDORS_AT + 12;
        for _ in 0..self.number(VENDORS_AT, 12)? {
            let is_range = self.number(at, 1)? == 1;
            let first = self.number(at + 1, 16)?;
            let last = if is_range { self.number(at + 17, 16)? } else { first };
            if (first..=last).contains(&vendor) {
                return Some(true);
            }
            at += if is_range { 33 } else { 17 };
        }
        Some(false)
    }
}

const fn six_bits(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Vendors, consent};

    #[test]
    fn purpose_and_vendor_are_both_needed() {
        let bits = Vendors::Bits(vec![false, true, false, true]);
        for (vendor, allowed) in
            [(1, false), (2, true), (3, false), (4, true), (5, false), (u16::MAX, false), (0, false)]
        {
            assert_eq!(allows(&consent(2, true, &bits), vendor), allowed, "{vendor}");
        }
        assert!(!allows(&consent(2, false, &bits), 2), "purpose 1 is missing");
        assert!(!allows(&consent(1, true, &bits), 2), "version 1 is not read");
    }

    #[test]
    fn vendors_may_be_listed_as_ranges() {
        let ranges = Vendors::Ranges(vec![(2, 2), (10, 20), (700, 700)]);
        let text = consent(2, true, &ranges);
        for (vendor, allowed) in [(1, false), (2, true), (3, false), (10, true), (20, true), (21, false), (700, true)] {
            assert_eq!(allows(&text, vendor), allowed, "{vendor}");
        }
        // The other segments, of publishers, come after a dot.
        assert!(allows(&format!("{text}.YAAAAAAAAAAA"), 2));
    }

    #[test]
    fn what_is_no_consent_allows_nothing() {
        let whole = consent(2, true, &Vendors::Bits(vec![true]));
        assert!(allows(&whole, 1));
        for cut in 0..whole.len() {
            let text = &whole[..cut];
            assert!(!allows(text, 1) || cut * 6 > VENDORS_AT, "{text}");
        }
        for text in ["", ".", "C", "consent", "C!XxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA", "ÄÖÜ"] {
            assert!(!allows(text, 1), "{text}");
        }
    }
}
