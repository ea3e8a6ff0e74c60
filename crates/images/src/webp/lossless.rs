//! The memory of the code tables of a lossless part, by reading what comes before its pixels
//! (RFC 9649, section 3): transforms, the picture that says which pixels have which group of
//! codes, and the groups.

/// The sides of a picture, in pixels.
type Size = (u32, u32);

/// The codes of green, red, blue, transparency and distances, which are a group: how many
/// symbols each has.
const SYMBOLS: [usize; 5] = [LITERALS + LENGTHS, LITERALS, LITERALS, LITERALS, 40];
const LITERALS: usize = 256;
const LENGTHS: usize = 24;
/// The lengths of codes have a code of their own, whose lengths come in this order.
const ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const LONGEST_CODE: usize = 15;

/// Longer codes are in a tree beside the table, with two nodes each.
const TABLE_BITS: usize = 10;
const TABLE_ENTRY: u64 = 4;
const TREE_NODE: u64 = 16;
/// The bytes that each code takes in addition, while the list of groups grows.
const EACH_CODE: u64 = 256;

/// The bytes that the decoder's code tables take, or at least `enough`. `None` for what the
/// decoder may read otherwise. A whole part says its size, that of transparency does not.
///
/// It takes a byte for every four pixels, so the size must have been checked.
pub fn tables(stream: &[u8], size: Size, says_size: bool, enough: u64) -> Option<u64> {
    let mut bits = Bits { bytes: stream, at: 0 };
    if says_size {
        let (signature, width, height) = (bits.number(8)?, bits.number(14)? + 1, bits.number(14)? + 1);
        let (_transparent, version) = (bits.flag()?, bits.number(3)?);
        if (signature, (width, height), version) != (0x2f, size, 0) {
            return None;
        }
    }
    let size = transforms(&mut bits, size)?;
    let colours = colours(&mut bits)?;
    let groups = if bits.flag()? { groups(&mut bits, size)? } else { 1 };
    let mut all = 0;
    for _ in 0..groups {
        for code in group(&mut bits, colours)? {
            all += code.memory();
        }
        if all >= enough {
            break;
        }
    }
    Some(all)
}

/// Passes over the transforms. Where several pixels become one, the picture is less wide.
fn transforms(bits: &mut Bits<'_>, (mut width, height): Size) -> Option<Size> {
    let mut known = [false; 4];
    while bits.flag()? {
        let kind = bits.number(2)?;
        let known = known.get_mut(usize::try_from(kind).ok()?)?;
        if std::mem::replace(known, true) {
            return None;
        }
        match kind {
            2 => {}
            3 => {
                let colours = bits.number(8)? + 1;
                pixels(bits, (colours, 1))?;
                width = parts(
                    width,
                    if colours <= 2 {
                        3
                    } else if colours <= 4 {
                        2
                    } else {
                        u32::from(colours <= 16)
                    },
                );
            }
            _ => {
                let side = bits.number(3)? + 2;
                pixels(bits, (parts(width, side), parts(height, side)))?;
            }
        }
    }
    Some((width, height))
}

/// How many groups of codes there are: one more than the last that a pixel names in its red
/// and green.
fn groups(bits: &mut Bits<'_>, (width, height): Size) -> Option<u32> {
    let side = bits.number(3)? + 2;
    let named = pixels(bits, (parts(width, side), parts(height, side)))?;
    named.iter().map(|pixel| ((pixel >> 8) & 0xFFFF) + 1).max()
}

/// How many squares with sides of so many bits cover a side.
const fn parts(side: u32, bits: u32) -> u32 {
    side.div_ceil(1 << bits)
}

/// A picture inside the part, each pixel as transparency, red, green and blue.
fn pixels(bits: &mut Bits<'_>, (width, height): Size) -> Option<Vec<u32>> {
    let colours = colours(bits)?;
    let mut recent = Recent { bits: colours, colours: vec![0; colours.map_or(0, |bits| 1 << bits)] };
    let [green, red, blue, alpha, distances] = group(bits, colours)?;
    let all = usize::try_from(u64::from(width) * u64::from(height)).ok()?;
    let mut pixels: Vec<u32> = Vec::with_capacity(all);
    while pixels.len() < all {
        let symbol = green.symbol(bits)?;
        if symbol < LITERALS {
            let [red, blue, alpha] = [red.symbol(bits)?, blue.symbol(bits)?, alpha.symbol(bits)?];
            let pixel = u32::try_from((alpha << 24) | (red << 16) | (symbol << 8) | blue).ok()?;
            recent.add(pixel)?;
            pixels.push(pixel);
        } else if symbol < LITERALS + LENGTHS {
            let length = bits.ranged(symbol - LITERALS)?;
            let symbol = distances.symbol(bits)?;
            let back = distance(bits.ranged(symbol)?, width)?;
            if length > all - pixels.len() {
                return None;
            }
            for _ in 0..length {
                let pixel = *pixels.get(pixels.len().checked_sub(back)?)?;
                recent.add(pixel)?;
                pixels.push(pixel);
            }
        } else {
            pixels.push(*recent.colours.get(symbol - LITERALS - LENGTHS)?);
        }
    }
    Some(pixels)
}

/// How many pixels back: the first numbers are of pixels nearby, in the rows above.
fn distance(number: usize, width: u32) -> Option<usize> {
    let Some((right, above)) = number.checked_sub(1).and_then(|at| NEAR.get(at)) else {
        return number.checked_sub(NEAR.len());
    };
    let back = i64::from(*right) + i64::from(*above) * i64::from(width);
    usize::try_from(back.max(1)).ok()
}

#[rustfmt::skip]
const NEAR: [(i8, i8); 120] = [
    (0, 1),  (1, 0),  (1, 1),  (-1, 1), (0, 2),  (2, 0),  (1, 2),  (-1, 2),
    (2, 1),  (-2, 1), (2, 2),  (-2, 2), (0, 3),  (3, 0),  (1, 3),  (-1, 3),
    (3, 1),  (-3, 1), (2, 3),  (-2, 3), (3, 2),  (-3, 2), (0, 4),  (4, 0),
    (1, 4),  (-1, 4), (4, 1),  (-4, 1), (3, 3),  (-3, 3), (2, 4),  (-2, 4),
    (4, 2),  (-4, 2), (0, 5),  (3, 4),  (-3, 4), (4, 3),  (-4, 3), (5, 0),
    (1, 5),  (-1, 5), (5, 1),  (-5, 1), (2, 5),  (-2, 5), (5, 2),  (-5, 2),
    (4, 4),  (-4, 4), (3, 5),  (-3, 5), (5, 3),  (-5, 3), (0, 6),  (6, 0),
    (1, 6),  (-1, 6), (6, 1),  (-6, 1), (2, 6),  (-2, 6), (6, 2),  (-6, 2),
    (4, 5),  (-4, 5), (5, 4),  (-5, 4), (3, 6),  (-3, 6), (6, 3),  (-6, 3),
    (0, 7),  (7, 0),  (1, 7),  (-1, 7), (5, 5),  (-5, 5), (7, 1),  (-7, 1),
    (4, 6),  (-4, 6), (6, 4),  (-6, 4), (2, 7),  (-2, 7), (7, 2),  (-7, 2),
    (3, 7),  (-3, 7), (7, 3),  (-7, 3), (5, 6),  (-5, 6), (6, 5),  (-6, 5),
    (8, 0),  (4, 7),  (-4, 7), (7, 4),  (-7, 4), (8, 1),  (8, 2),  (6, 6),
    (-6, 6), (8, 3),  (5, 7),  (-5, 7), (7, 5),  (-7, 5), (8, 4),  (6, 7),
    (-6, 7), (7, 6),  (-7, 6), (8, 5),  (7, 7),  (-7, 7), (8, 6),  (8, 7),
];

/// The bits by which recent colours are found, if any are kept.
fn colours(bits: &mut Bits<'_>) -> Option<Option<u32>> {
    if !bits.flag()? {
        return Some(None);
    }
    let size = bits.number(4)?;
    (1..=11).contains(&size).then_some(Some(size))
}

struct Recent {
    bits: Option<u32>,
    colours: Vec<u32>,
}

impl Recent {
    fn add(&mut self, pixel: u32) -> Option<()> {
        if let Some(bits) = self.bits {
            let at = 0x1e35_a7bd_u32.wrapping_mul(pixel) >> (32 - bits);
            *self.colours.get_mut(usize::try_from(at).ok()?)? = pixel;
        }
        Some(())
    }
}

fn group(bits: &mut Bits<'_>, colours: Option<u32>) -> Option<[Code; 5]> {
    let [green, red, blue, alpha, distances] = SYMBOLS;
    let green = green + colours.map_or(0, |bits| 1 << bits);
    Some([
        Code::read(bits, green)?,
        Code::read(bits, red)?,
        Code::read(bits, blue)?,
        Code::read(bits, alpha)?,
        Code::read(bits, distances)?,
    ])
}

/// Which symbol each code stands for.
#[derive(Debug, PartialEq, Eq)]
enum Code {
    /// A single symbol takes no bits.
    Single(usize),
    /// How many there are of each length, and the symbols in the order of their codes.
    Several { counts: [u32; LONGEST_CODE + 1], symbols: Vec<usize> },
}

impl Code {
    fn read(bits: &mut Bits<'_>, symbols: usize) -> Option<Self> {
        if !bits.flag()? {
            return Self::of_lengths(&lengths(bits, symbols)?);
        }
        let (are_two, is_wide) = (bits.flag()?, bits.flag()?);
        let first = bits.index(if is_wide { 8 } else { 1 }).filter(|symbol| *symbol < symbols)?;
        if !are_two {
            return Some(Self::Single(first));
        }
        let second = bits.index(8).filter(|symbol| *symbol < symbols)?;
        let mut counts = [0; LONGEST_CODE + 1];
        *counts.get_mut(1)? = 2;
        Some(Self::Several { counts, symbols: vec![first, second] })
    }

    /// `None` unless every row of bits begins with exactly one code.
    fn of_lengths(lengths: &[usize]) -> Option<Self> {
        let mut used: Vec<usize> = (0..lengths.len()).filter(|symbol| lengths.get(*symbol) != Some(&0)).collect();
        if let [only] = *used {
            return Some(Self::Single(only));
        }
        // Those of the same length stay in their order.
        used.sort_by_key(|symbol| lengths.get(*symbol));
        let mut counts = [0; LONGEST_CODE + 1];
        let mut covered = 0u64;
        for length in lengths.iter().filter(|length| **length > 0) {
            *counts.get_mut(*length)? += 1;
            covered += 1 << (LONGEST_CODE - length);
        }
        (covered == 1 << LONGEST_CODE).then_some(Self::Several { counts, symbols: used })
    }

    fn symbol(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (counts, symbols) = match self {
            Self::Single(only) => return Some(*only),
            Self::Several { counts, symbols } => (counts, symbols),
        };
        let (mut code, mut first, mut passed) = (0, 0, 0);
        for count in counts.iter().skip(1) {
            code = (code << 1) | bits.number(1)?;
            first <<= 1;
            if code < first + count {
                return symbols.get(usize::try_from(passed + code - first).ok()?).copied();
            }
            first += count;
            passed += count;
        }
        None
    }

    fn memory(&self) -> u64 {
        let Self::Several { counts, .. } = self else { return EACH_CODE };
        let longest = counts.iter().rposition(|count| *count > 0).unwrap_or(0);
        let in_tree: u64 = counts.iter().skip(TABLE_BITS + 1).map(|count| u64::from(*count)).sum();
        EACH_CODE + (TABLE_ENTRY << longest.min(TABLE_BITS)) + 2 * in_tree * TREE_NODE
    }
}

/// The length of each symbol's code, 0 if it has none.
fn lengths(bits: &mut Bits<'_>, symbols: usize) -> Option<Vec<usize>> {
    let mut own = [0; ORDER.len()];
    let given = 4 + bits.index(4)?;
    for symbol in ORDER.iter().take(given) {
        *own.get_mut(*symbol)? = bits.index(3)?;
    }
    let own = Code::of_lengths(&own)?;
    let most = if bits.flag()? {
        let size = 2 + 2 * bits.number(3)?;
        Some(2 + bits.index(size)?).filter(|most| *most <= symbols)?
    } else {
        symbols
    };
    let (mut lengths, mut last) = (Vec::with_capacity(symbols), 8);
    for _ in 0..most {
        if lengths.len() == symbols {
            break;
        }
        let (length, times) = match own.symbol(bits)? {
            16 => (last, 3 + bits.index(2)?),
            17 => (0, 3 + bits.index(3)?),
            18 => (0, 11 + bits.index(7)?),
            length => (length, 1),
        };
        if times > symbols - lengths.len() {
            return None;
        }
        lengths.resize(lengths.len() + times, length);
        if length > 0 {
            last = length;
        }
    }
    lengths.resize(symbols, 0);
    Some(lengths)
}

/// The lowest bit of each byte comes first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn flag(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let flag = (byte >> (self.at % 8)) & 1 == 1;
        self.at += 1;
        Some(flag)
    }

    fn number(&mut self, bits: u32) -> Option<u32> {
        let mut number = 0;
        for place in 0..bits {
            number |= u32::from(self.flag()?) << place;
        }
        Some(number)
    }

    fn index(&mut self, bits: u32) -> Option<usize> {
        usize::try_from(self.number(bits)?).ok()
    }

    /// A length or a distance: a symbol for a range of them, and which one of these.
    fn ranged(&mut self, symbol: usize) -> Option<usize> {
        if symbol < 4 {
            return Some(symbol + 1);
        }
        let more = (symbol - 2) >> 1;
        let first = (2 + (symbol & 1)) << more;
        Some(first + self.index(u32::try_from(more).ok()?)? + 1)
    }
}
