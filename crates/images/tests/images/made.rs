//! Pictures for the tests, and what is put into them.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// Left half red, right half blue.
pub fn halves(width: u32, height: u32) -> DynamicImage {
    let colour = |x| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) };
    RgbImage::from_fn(width, height, |x, _| colour(x)).into()
}

/// The same, transparent in its upper left corner.
pub fn with_a_hole(width: u32, height: u32) -> DynamicImage {
    let mut picture = halves(width, height).into_rgba8();
    picture.put_pixel(0, 0, Rgba([1, 2, 3, 0]));
    RgbaImage::into(picture)
}

pub fn written(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("written");
    bytes.into_inner()
}

pub fn jpeg(picture: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 90)).expect("written");
    bytes
}

/// A grey progressive JPEG with one rough scan; its first component is sampled so often across and down.
pub fn progressive(width: u16, height: u16, across: u8, down: u8) -> Vec<u8> {
    let [wide, high] = [width, height].map(u16::to_be_bytes);
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
    bytes.extend([1; 64]);
    bytes.extend([0xFF, 0xC2, 0, 17, 8, high[0], high[1], wide[0], wide[1], 3]);
    bytes.extend([1, (across << 4) | down, 0, 2, 0x11, 0, 3, 0x11, 0]);
    // The only code has one bit: no difference to the block before.
    bytes.extend([0xFF, 0xC4, 0, 20, 0, 1]);
    bytes.extend([0; 16]);
    bytes.extend([0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0]);
    let side = |pixels: u16, blocks: u8| usize::from(pixels).div_ceil(8 * usize::from(blocks));
    let blocks = usize::from(across * down + 2) * side(width, across) * side(height, down);
    bytes.resize(bytes.len() + blocks.div_ceil(8), 0);
    [bytes.as_slice(), &[0xFF, 0xD9]].concat()
}

/// Inserts a segment after a JPEG's first two bytes.
pub fn with_segment(jpeg: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).expect("short").to_be_bytes();
    [&jpeg[..2], &[0xFF, marker], &length, body, &jpeg[2..]].concat()
}

/// EXIF with the camera's orientation and location.
pub fn exif(orientation: u8) -> Vec<u8> {
    let mut body = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    body.extend([orientation, 0, 0, 0, 0, 0, 0]);
    body.extend(b"52.5200N 13.4050E");
    body
}

/// A PNG that declares this size, with hardly any pixels.
pub fn declared(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = written(&halves(2, 2), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&sum);
    bytes
}

/// Inserts a chunk into a PNG before its last one.
pub fn with_chunk(png: &[u8], name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("short").to_be_bytes();
    let named = [name, body].concat();
    let (head, end) = png.split_at(png.len() - 12);
    [head, &length, &named, &crc(&named).to_be_bytes(), end].concat()
}

/// Inserts a chunk into a PNG before its pixels.
pub fn with_early_chunk(png: &[u8], name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let (head, rest) = png.split_at(33);
    let chunk = with_chunk(&rest[rest.len() - 12..], name, body);
    [head, &chunk[..chunk.len() - 12], rest].concat()
}

/// A PNG with one bit for each pixel: its left half black, its right half white.
pub fn one_bit(width: u32, height: u32) -> Vec<u8> {
    // A grey picture with eight of them in each byte has the same rows.
    let bytes =
        image::GrayImage::from_fn(width / 8, height, |x, _| image::Luma([if x < width / 16 { 0 } else { 255 }]));
    let mut png = written(&bytes.into(), ImageFormat::Png);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[24] = 1;
    let sum = crc(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&sum);
    png
}

/// Makes a lossless WebP the only frame of a moving one.
pub fn moving(still: &[u8], width: u32, height: u32) -> Vec<u8> {
    let size = webp_size(width, height);
    let frame = [&[0; 6], size.as_slice(), &[100, 0, 0, 0], &still[12..]].concat();
    let head = [&[0x12, 0, 0, 0], size.as_slice()].concat();
    webp(&[webp_chunk(b"VP8X", &head), webp_chunk(b"ANIM", &[0; 6]), webp_chunk(b"ANMF", &frame)])
}

/// A lossless WebP with EXIF behind its pixels.
pub fn webp_with_exif(still: &[u8], width: u32, height: u32, exif: &[u8]) -> Vec<u8> {
    let head = [&[0x08, 0, 0, 0], webp_size(width, height).as_slice()].concat();
    webp(&[webp_chunk(b"VP8X", &head), still[12..].to_vec(), webp_chunk(b"EXIF", exif)])
}

/// A lossless WebP of one pixel with so many groups of codes, each with five tables of four kilobytes.
pub fn with_tables(groups: u32) -> Vec<u8> {
    let mut bits = Vec::new();
    let mut add = |fields: &[(u32, u32)]| {
        for (number, count) in fields {
            bits.extend((0..*count).map(|place| (number >> place) & 1 == 1));
        }
    };
    // The signature, both sides less one, no transparency; no transforms, no recent colours.
    add(&[(0x2f, 8), (0, 14), (0, 14), (0, 1), (0, 3), (0, 1), (0, 1)]);
    // The picture of groups has one pixel, whose green and red name the last group.
    add(&[(1, 1), (0, 3), (0, 1)]);
    add(&[(0b101, 3), ((groups - 1) & 0xFF, 8), (0b101, 3), ((groups - 1) >> 8, 8)]);
    add(&[(0b0001, 4); 3]);
    for _ in 0..groups * 5 {
        // The lengths 1 to 6 have codes of three bits, and 7 to 10 of four.
        add(&[(0, 1), (14 - 4, 4)]);
        add(&[0, 0, 0, 3, 3, 3, 3, 3, 0, 3, 4, 4, 4, 4].map(|length| (length, 3)));
        // Eleven symbols have codes: of one bit, of two and so on, and two of ten bits.
        add(&[(1, 1), (1, 3), (11 - 2, 4)]);
        add(&[0u32, 1, 2, 3, 4, 5].map(|code| (code.reverse_bits() >> 29, 3)));
        add(&[12u32, 13, 14, 15, 15].map(|code| (code.reverse_bits() >> 28, 4)));
    }
    add(&[(0, 32); 2]);
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| (byte << 1) | u8::from(*bit));
    webp(&[webp_chunk(b"VP8L", &bits.chunks(8).map(byte).collect::<Vec<u8>>())])
}

fn webp_size(width: u32, height: u32) -> Vec<u8> {
    [width, height].iter().flat_map(|side| (side - 1).to_le_bytes()[..3].to_vec()).collect()
}

fn webp_chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("short").to_le_bytes();
    [name.as_slice(), &length, body, if body.len().is_multiple_of(2) { &[] } else { &[0] }].concat()
}

fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    let length = u32::try_from(chunks.len() + 4).expect("short").to_le_bytes();
    [b"RIFF".as_slice(), &length, b"WEBP", &chunks].concat()
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1)))
    })
}

pub fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}
