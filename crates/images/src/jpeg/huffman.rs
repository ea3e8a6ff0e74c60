//! The codes of a JPEG's image data, read without keeping their values.

use base::refuse_if;

/// Bytes that may stand between data and the marker after it.
const BETWEEN: usize = 8;

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The data ended before the last block.
    Short,
    /// Something that the format does not allow.
    Nonsense,
}

/// Which symbol each code stands for.
pub struct Table {
    /// For each length, the first sixteen-bit number that is not a code of this length or a shorter one.
    ends: [u32; 16],
    /// For each length, the index of its first symbol, less its first code.
    starts: [i32; 16],
    symbols: Vec<u8>,
}

impl Table {
    /// Sixteen counts, then the symbols; returns the rest as well.
    pub fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (counts, rest) = bytes.split_first_chunk::<16>()?;
        let all = counts.iter().map(|count| usize::from(*count)).sum();
        let (symbols, rest) = rest.split_at_checked(all)?;
        let (mut ends, mut starts) = ([0; 16], [0; 16]);
        let (mut code, mut known) = (0u32, 0i32);
        for (at, count) in counts.iter().enumerate() {
            *starts.get_mut(at)? = known.checked_sub_unsigned(code)?;
            code += u32::from(*count);
            known += i32::from(*count);
            *ends.get_mut(at)? = code << (15 - at);
            code <<= 1;
        }
        Some((Self { ends, starts, symbols: symbols.to_vec() }, rest))
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Result<u8, Stop> {
        let ahead = bits.ahead();
        let at = self.ends.iter().position(|end| ahead < *end);
        let Some(at) = at else {
            // The data ends, or contains something that is not a code.
            return Err(if bits.held < 16 { Stop::Short } else { Stop::Nonsense });
        };
        let code = i32::try_from(ahead >> (15 - at)).map_err(|_| Stop::Nonsense)?;
        let place = self.starts.get(at).and_then(|start| usize::try_from(start + code).ok());
        let symbol = place.and_then(|place| self.symbols.get(place)).ok_or(Stop::Nonsense)?;
        bits.skip(u8::try_from(at + 1).map_err(|_| Stop::Nonsense)?)?;
        Ok(*symbol)
    }

    /// Passes over a difference: its size, then that many bits.
    pub fn skip_value(&self, bits: &mut Bits<'_>) -> Result<(), Stop> {
        let size = self.symbol(bits)?;
        bits.skip(size)
    }

    /// A number of zeros, and the size of what follows them.
    pub fn run(&self, bits: &mut Bits<'_>) -> Result<(usize, u8), Stop> {
        let both = self.symbol(bits)?;
        Ok((usize::from(both >> 4), both & 15))
    }
}

/// The bits before the next marker.
pub struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    ready: u64,
    held: u8,
}

impl<'a> Bits<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, ready: 0, held: 0 }
    }

    /// What follows the bytes that were read.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn fill(&mut self) {
        while self.held <= 32 {
            let Some(byte) = self.byte() else { return };
            self.ready = (self.ready << 8) | u64::from(byte);
            self.held += 8;
        }
    }

    /// `FF 00` is one byte, and nothing passes over a marker.
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        if byte == 0xFF {
            if self.bytes.get(self.at + 1) != Some(&0) {
                return None;
            }
            self.at += 1;
        }
        self.at += 1;
        Some(byte)
    }

    /// The next sixteen bits; zeros beyond the end.
    fn ahead(&mut self) -> u32 {
        self.fill();
        let sixteen = if self.held < 16 { self.ready << (16 - self.held) } else { self.ready >> (self.held - 16) };
        (sixteen & 0xFFFF) as u32
    }

    pub fn skip(&mut self, count: u8) -> Result<(), Stop> {
        refuse_if(count > 16, Stop::Nonsense)?;
        self.fill();
        self.held = self.held.checked_sub(count).ok_or(Stop::Short)?;
        Ok(())
    }

    /// The next bits as a number; at most fourteen.
    pub fn take(&mut self, count: usize) -> Result<u32, Stop> {
        let ahead = self.ahead();
        self.skip(u8::try_from(count).map_err(|_| Stop::Nonsense)?)?;
        Ok(ahead >> (16 - count))
    }

    /// Skips a restart marker and the bits left before it. Without the marker, nothing after it can be decoded.
    pub fn restart(&mut self) -> Result<(), Stop> {
        (self.ready, self.held) = (0, 0);
        let rest = self.rest();
        let is_marker = |two: &[u8]| two.first() == Some(&0xFF) && !matches!(two.get(1), Some(0 | 0xFF) | None);
        let at = rest.windows(2).position(is_marker).unwrap_or(rest.len());
        match rest.get(at + 1) {
            Some(0xD0..=0xD7) => self.at += at + 2,
            _ if at > BETWEEN => return Err(Stop::Nonsense),
            _ => return Err(Stop::Short),
        }
        Ok(())
    }
}
