//! Tiles: how a tree is stored and published (C2SP tlog-tiles).

use std::fmt;

use crate::Hash;

/// Hashes of a full tile.
pub const WIDTH: u64 = 256;
/// Levels of the tree between two levels of tiles.
pub(crate) const HEIGHT: u32 = 8;
/// Levels of tiles above which no tree of 2⁶⁴ leaves has any.
const LEVELS: u8 = 8;
/// The largest level that a path may name.
const HIGHEST: u8 = 63;
/// Groups of three digits that suffice for every index.
const GROUPS: usize = 7;

/// A row of up to 256 hashes of a tree: of leaves at level 0, of full tiles below at every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    level: u8,
    index: u64,
    /// From 1 to 256; fewer than 256 in a partial tile.
    width: u16,
}

/// The names of the path of a full tile.
fn number(index: u64) -> String {
    let mut groups = vec![format!("{:03}", index % 1000)];
    let mut rest = index / 1000;
    while rest > 0 {
        groups.push(format!("x{:03}", rest % 1000));
        rest /= 1000;
    }
    groups.reverse();
    groups.join("/")
}

impl Tile {
    /// `None` for a tile that cannot be.
    pub fn new(level: u8, index: u64, width: u16) -> Option<Self> {
        (level <= HIGHEST && width >= 1 && u64::from(width) <= WIDTH).then_some(Self { level, index, width })
    }

    /// The tile that contains a complete subtree of 2^`height` leaves, the `index`-th of its height, as it is in a tree
    /// of `size` leaves; and where in it the subtree's hashes begin, and how many they are.
    pub(crate) fn of_subtree(height: u32, index: u64, size: u64) -> Option<(Self, usize, usize)> {
        let (level, above) = (u8::try_from(height / HEIGHT).ok()?, height % HEIGHT);
        let first = index.checked_shl(above)?;
        let tile = Self::of_size(level, first / WIDTH, size)?;
        Some((tile, usize::try_from(first % WIDTH).ok()?, 1 << above))
    }

    /// A tile as it is in a tree of `size` leaves; `None` if it is not in it.
    pub fn of_size(level: u8, index: u64, size: u64) -> Option<Self> {
        let hashes = size.checked_shr(u32::from(level) * HEIGHT)?.checked_sub(index.checked_mul(WIDTH)?)?;
        Self::new(level, index, u16::try_from(hashes.min(WIDTH)).ok()?)
    }

    pub const fn level(&self) -> u8 {
        self.level
    }

    pub const fn index(&self) -> u64 {
        self.index
    }

    pub const fn width(&self) -> u16 {
        self.width
    }

    pub fn is_full(&self) -> bool {
        u64::from(self.width) == WIDTH
    }

    /// The tile's place below a log's address: `tile/0/x001/234.p/12`.
    pub fn path(&self) -> String {
        let full = format!("tile/{}/{}", self.level, number(self.index));
        if self.is_full() { full } else { format!("{full}.p/{}", self.width) }
    }

    /// The folder of the partial tiles that this full one replaces.
    pub fn partial_folder(&self) -> String {
        format!("tile/{}/{}.p", self.level, number(self.index))
    }

    /// Reads what [`Tile::path`] writes, and nothing else.
    pub fn parse(path: &str) -> Option<Self> {
        let rest = path.strip_prefix("tile/")?;
        let (full, width) = match rest.split_once(".p/") {
            Some((full, width)) => (full, width.parse().ok()?),
            None => (rest, 256),
        };
        let (level, groups) = full.split_once('/')?;
        let groups: Vec<&str> = groups.split('/').collect();
        if groups.len() > GROUPS {
            return None;
        }
        let digits: String = groups.iter().map(|group| group.strip_prefix('x').unwrap_or(group)).collect();
        let tile = Self::new(level.parse().ok()?, digits.parse().ok()?, width)?;
        // A tile has only one valid path.
        (tile.path() == path).then_some(tile)
    }

    /// The tiles of a tree of `new` leaves that are not in one of `old` leaves.
    pub fn between(old: u64, new: u64) -> impl Iterator<Item = Self> {
        (0..LEVELS).flat_map(move |level| {
            let hashes = |size: u64| size.checked_shr(u32::from(level) * HEIGHT).unwrap_or(0);
            let (from, to) = (hashes(old), hashes(new));
            let tiles = if from < to { from / WIDTH..to.div_ceil(WIDTH) } else { 0..0 };
            tiles.filter_map(move |index| Self::of_size(level, index, new))
        })
    }

    /// The partial tiles of a tree, from which it continues: one a level at most.
    pub fn last_of(size: u64) -> impl Iterator<Item = Self> {
        (0..LEVELS).filter_map(move |level| {
            let hashes = size.checked_shr(u32::from(level) * HEIGHT)?;
            Self::of_size(level, hashes / WIDTH, size)
        })
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path())
    }
}

/// The bytes of a tile.
pub fn tile_bytes(hashes: &[Hash]) -> Vec<u8> {
    hashes.concat()
}

/// The hashes of a tile; `None` if the bytes are not whole hashes, or too many.
pub fn tile_hashes(bytes: &[u8]) -> Option<Vec<Hash>> {
    let (hashes, rest) = bytes.as_chunks::<32>();
    (rest.is_empty() && u64::try_from(hashes.len()).is_ok_and(|n| n <= WIDTH)).then(|| hashes.to_vec())
}
