//! Whether a JPEG's image data ends too early. The decoder fills what is missing with
//! grey and says nothing, so the codes are counted here: every scan has as many blocks as
//! the header promises.

use base::refuse_if;

use super::huffman::{Bits, Stop, Table};
use super::segment;

/// Whether blocks are missing, or whole scans of a picture without an end mark. What breaks
/// the rules otherwise is the decoder's to judge.
///
/// It takes up to 8 bytes for each block of 64 pixels, so the size must have been checked.
pub fn is_cut(bytes: &[u8]) -> bool {
    let mut walk = Walk::default();
    matches!(walk.all(bytes), Err(Stop::Short))
}

#[derive(Default)]
struct Walk {
    frame: Frame,
    dc: [Option<Table>; 4],
    ac: [Option<Table>; 4],
    restart: u64,
    /// For each component and coefficient, the bits that are still to come.
    left: Vec<[u8; 64]>,
    /// For each component and block, the coefficients that are known not to be zero.
    filled: Vec<Vec<u64>>,
}

#[derive(Default)]
struct Frame {
    progressive: bool,
    size: (u64, u64),
    components: Vec<Component>,
}

#[derive(Clone, Copy)]
struct Component {
    id: u8,
    sampling: (u64, u64),
}

/// A part of a scan that belongs to one component.
#[derive(Clone, Copy)]
struct Part {
    component: usize,
    dc: usize,
    ac: usize,
}

/// The coefficients that a progressive scan adds to, and from which bit on.
#[derive(Clone, Copy)]
struct ScanRange {
    first: usize,
    last: usize,
    refines: bool,
}

impl Walk {
    fn all(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut rest = bytes.get(2..).ok_or(Stop::Nonsense)?;
        loop {
            rest = to_marker(rest);
            match rest.iter().find(|byte| **byte != 0xFF) {
                None => return self.unmarked_end(),
                Some(0xD9) => return self.every_component(),
                _ => {}
            }
            let Some((marker, body, after)) = segment(rest) else { return self.unmarked_end() };
            rest = after;
            match marker {
                0xC4 => self.tables(body)?,
                0xC0..=0xC2 => self.frame(marker == 0xC2, body)?,
                0xC3 | 0xC5..=0xCF => return Err(Stop::Nonsense),
                0xDD => self.restart = u64::from(two(body, 0)?),
                0xDA => rest = self.scan(body, rest)?,
                _ => {}
            }
        }
    }

    fn tables(&mut self, mut body: &[u8]) -> Result<(), Stop> {
        while let Some((kind, rest)) = body.split_first() {
            let (table, after) = Table::read(rest).ok_or(Stop::Nonsense)?;
            let places = if kind >> 4 == 0 { &mut self.dc } else { &mut self.ac };
            *places.get_mut(usize::from(kind & 15)).ok_or(Stop::Nonsense)? = Some(table);
            body = after;
        }
        Ok(())
    }

    fn frame(&mut self, progressive: bool, body: &[u8]) -> Result<(), Stop> {
        let size = (u64::from(two(body, 3)?), u64::from(two(body, 1)?));
        let of = |three: &[u8]| {
            let [id, sampling, _] = *three.first_chunk::<3>()?;
            let (across, down) = (u64::from(sampling >> 4), u64::from(sampling & 15));
            ((1..=4).contains(&across) && (1..=4).contains(&down)).then_some(Component { id, sampling: (across, down) })
        };
        let count = usize::from(*body.get(5).ok_or(Stop::Nonsense)?);
        let described = body.get(6..).unwrap_or_default().chunks_exact(3).take(count);
        let components: Vec<Component> = described.map(of).collect::<Option<_>>().ok_or(Stop::Nonsense)?;
        refuse_if(components.len() != count || size.0 == 0 || size.1 == 0 || !self.left.is_empty(), Stop::Nonsense)?;
        self.left = vec![[u8::MAX; 64]; count];
        self.filled = vec![Vec::new(); count];
        self.frame = Frame { progressive, size, components };
        Ok(())
    }

    /// Reads one scan's codes; returns what follows them.
    fn scan<'a>(&mut self, head: &[u8], data: &'a [u8]) -> Result<&'a [u8], Stop> {
        let count = usize::from(*head.first().ok_or(Stop::Nonsense)?);
        let parts = head.get(1..).unwrap_or_default().chunks_exact(2).take(count);
        let parts: Vec<Part> = parts.map(|two| self.part(two)).collect::<Option<_>>().ok_or(Stop::Nonsense)?;
        let [first, last, bits] = *head.get(1 + 2 * count..).and_then(<[u8]>::first_chunk).ok_or(Stop::Nonsense)?;
        let added = match self.frame.progressive {
            false => ScanRange { first: 0, last: 63, refines: false },
            true => ScanRange { first: first.into(), last: last.into(), refines: bits >> 4 > 0 },
        };
        let low = if self.frame.progressive { bits & 15 } else { 0 };
        if parts.len() != count || count == 0 || added.last > 63 || (added.first > 0 && count > 1) {
            return Err(Stop::Nonsense);
        }
        let mut bits = Bits::new(data);
        self.blocks(&parts, added, &mut bits)?;
        for part in &parts {
            let left = self.left.get_mut(part.component).and_then(|left| left.get_mut(added.first..=added.last));
            left.ok_or(Stop::Nonsense)?.fill(low);
        }
        Ok(bits.rest())
    }

    fn part(&self, two: &[u8]) -> Option<Part> {
        let [id, tables] = *two.first_chunk::<2>()?;
        let component = self.frame.components.iter().position(|component| component.id == id)?;
        Some(Part { component, dc: usize::from(tables >> 4), ac: usize::from(tables & 15) })
    }

    fn blocks(&mut self, parts: &[Part], added: ScanRange, bits: &mut Bits<'_>) -> Result<(), Stop> {
        let (count, unit) = self.units(parts)?;
        let mut skipped = 0;
        for number in 0..count {
            if self.restart > 0 && number > 0 && number % self.restart == 0 {
                bits.restart()?;
                skipped = 0;
            }
            for part in &unit {
                match (self.frame.progressive, added.first, added.refines) {
                    (false, ..) => self.whole(*part, bits)?,
                    (true, 0, false) => self.dc(part.dc)?.skip_value(bits)?,
                    (true, 0, true) => bits.skip(1)?,
                    (true, _, refines) => {
                        let at = usize::try_from(number).map_err(|_| Stop::Nonsense)?;
                        let filled = self.filled.get_mut(part.component).ok_or(Stop::Nonsense)?;
                        if filled.len() <= at {
                            filled.resize(usize::try_from(count).map_err(|_| Stop::Nonsense)?, 0);
                        }
                        let table = table(&self.ac, part.ac)?;
                        let block = filled.get_mut(at).ok_or(Stop::Nonsense)?;
                        let run = if refines { refine } else { begin };
                        skipped = run(table, bits, added, block, skipped)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// How many units a scan has, and the blocks of each: one, if the scan is of one
    /// component, else as many of each component as its sampling says.
    fn units(&self, parts: &[Part]) -> Result<(u64, Vec<Part>), Stop> {
        let sampling =
            |part: &Part| self.frame.components.get(part.component).map(|it| it.sampling).ok_or(Stop::Nonsense);
        let most = |side: fn(&Component) -> u64| self.frame.components.iter().map(side).max().unwrap_or(1);
        let (across, down) = (most(|it| it.sampling.0), most(|it| it.sampling.1));
        let (width, height) = self.frame.size;
        if let [only] = parts {
            let (own_across, own_down) = sampling(only)?;
            let columns = (width * own_across).div_ceil(across).div_ceil(8);
            let rows = (height * own_down).div_ceil(down).div_ceil(8);
            return Ok((columns * rows, vec![*only]));
        }
        let mut unit = Vec::new();
        for part in parts {
            let (own_across, own_down) = sampling(part)?;
            unit.extend((0..own_across * own_down).map(|_| *part));
        }
        Ok((width.div_ceil(8 * across) * height.div_ceil(8 * down), unit))
    }

    /// A block of a picture whose scans hold all coefficients.
    fn whole(&self, part: Part, bits: &mut Bits<'_>) -> Result<(), Stop> {
        self.dc(part.dc)?.skip_value(bits)?;
        let table = table(&self.ac, part.ac)?;
        let mut at = 1;
        while at < 64 {
            let (zeros, size) = table.run(bits)?;
            match size {
                0 if zeros < 15 => break,
                0 => at += 16,
                _ => {
                    bits.skip(size)?;
                    at += zeros + 1;
                }
            }
        }
        Ok(())
    }

    fn dc(&self, at: usize) -> Result<&Table, Stop> {
        table(&self.dc, at)
    }

    /// Without an end mark, a progressive picture may lack scans.
    fn unmarked_end(&self) -> Result<(), Stop> {
        let is_full = self.left.iter().flatten().all(|bits| *bits == 0);
        if is_full { Ok(()) } else { Err(Stop::Short) }
    }

    fn every_component(&self) -> Result<(), Stop> {
        let has_some = |left: &[u8; 64]| left.first().is_some_and(|bits| *bits < u8::MAX);
        if self.left.iter().all(has_some) { Ok(()) } else { Err(Stop::Short) }
    }
}

/// The first scan of these coefficients in a block. `skipped` blocks are still to be left
/// out; returns how many are after this one.
fn begin(table: &Table, bits: &mut Bits<'_>, added: ScanRange, block: &mut u64, skipped: u32) -> Result<u32, Stop> {
    if skipped > 0 {
        return Ok(skipped - 1);
    }
    let mut at = added.first;
    while at <= added.last {
        let (zeros, size) = table.run(bits)?;
        match size {
            0 if zeros < 15 => return Ok((1 << zeros) - 1 + bits.take(zeros)?),
            0 => at += 16,
            _ => {
                bits.skip(size)?;
                at += zeros;
                *block |= bit(at)?;
                at += 1;
            }
        }
    }
    Ok(0)
}

/// A later scan, with one more bit for each coefficient that is not zero.
fn refine(table: &Table, bits: &mut Bits<'_>, added: ScanRange, block: &mut u64, skipped: u32) -> Result<u32, Stop> {
    let (mut at, mut skipped) = (added.first, skipped);
    while skipped == 0 && at <= added.last {
        let (mut zeros, size) = table.run(bits)?;
        if size == 0 && zeros < 15 {
            skipped = (1 << zeros) + bits.take(zeros)?;
            break;
        }
        bits.skip(size.min(1))?;
        while at <= added.last {
            if *block & bit(at)? > 0 {
                bits.skip(1)?;
            } else if zeros == 0 {
                break;
            } else {
                zeros -= 1;
            }
            at += 1;
        }
        if size > 0 && at <= added.last {
            *block |= bit(at)?;
        }
        at += 1;
    }
    if skipped > 0 {
        let following = (*block >> at.min(63)) & !(u64::MAX << 1 << (added.last.saturating_sub(at)));
        if at <= added.last {
            (0..following.count_ones()).try_for_each(|_| bits.skip(1))?;
        }
    }
    Ok(skipped.saturating_sub(1))
}

fn bit(at: usize) -> Result<u64, Stop> {
    if at < 64 { Ok(1 << at) } else { Err(Stop::Nonsense) }
}

fn table(tables: &[Option<Table>; 4], at: usize) -> Result<&Table, Stop> {
    tables.get(at).and_then(Option::as_ref).ok_or(Stop::Nonsense)
}

fn two(body: &[u8], at: usize) -> Result<u16, Stop> {
    let two = body.get(at..).and_then(<[u8]>::first_chunk).ok_or(Stop::Nonsense)?;
    Ok(u16::from_be_bytes(*two))
}

/// The data from the next marker on. A stuffed byte or a restart is not a marker.
fn to_marker(bytes: &[u8]) -> &[u8] {
    let is_marker = |two: &[u8]| two.first() == Some(&0xFF) && !matches!(two.get(1), Some(0 | 0xD0..=0xD7) | None);
    let at = bytes.windows(2).position(is_marker).unwrap_or(bytes.len());
    bytes.get(at..).unwrap_or_default()
}
