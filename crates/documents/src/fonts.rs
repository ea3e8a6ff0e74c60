//! The embedded fonts, and which of them has a character.

use std::sync::LazyLock;

use krilla::text::Font;
use rustybuzz::Face;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// A font, for writing and measuring.
pub struct Typeface {
    pub font: Font,
    pub face: Face<'static>,
}

static REGULAR: &[&[u8]] = &[
    include_bytes!("../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../fonts/NotoSansThai-Regular.ttf"),
    HAN,
    HANGUL,
];
static BOLD: &[&[u8]] =
    &[include_bytes!("../fonts/NotoSans-Bold.ttf"), include_bytes!("../fonts/NotoSansThai-Bold.ttf"), HAN, HANGUL];
const HAN: &[u8] = include_bytes!("../fonts/DroidSansFallbackFull.ttf");
const HANGUL: &[u8] = include_bytes!("../fonts/NanumGothicCoding.ttf");

static FACES: LazyLock<[Vec<Typeface>; 2]> = LazyLock::new(|| [REGULAR, BOLD].map(read));

fn read(files: &[&'static [u8]]) -> Vec<Typeface> {
    let typeface =
        |file: &&'static [u8]| Some(Typeface { font: Font::new((*file).into(), 0)?, face: Face::from_slice(file, 0)? });
    files.iter().filter_map(typeface).collect()
}

impl Weight {
    /// The typefaces of this weight; the first is preferred.
    pub fn faces(self) -> &'static [Typeface] {
        let [regular, bold] = &*FACES;
        match self {
            Self::Regular => regular,
            Self::Bold => bold,
        }
    }
}

impl Typeface {
    pub fn has(&self, c: char) -> bool {
        self.face.glyph_index(c).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_can_be_read() {
        assert_eq!((Weight::Regular.faces().len(), Weight::Bold.faces().len()), (4, 4));
    }

    #[test]
    fn there_is_a_glyph_for_every_script_of_ours() {
        for c in "AzäßñçЖяếữกี่繁體简体日本語ひらカタ한국어€¥฿₫₩₽–—’“…«»（），。\u{a0}\u{202f}".chars()
        {
            assert!(Weight::Regular.faces().iter().any(|face| face.has(c)), "{c}");
            assert!(Weight::Bold.faces().iter().any(|face| face.has(c)), "{c}");
        }
    }
}
