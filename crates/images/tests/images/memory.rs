//! The largest accepted pictures, and the memory they take: the resident memory of a
//! separate process, as reported by the system.

use std::process::Command;

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};
use images::{clean, places};

use crate::made::{jpeg, moving, progressive, with_tables, written};

/// Names the picture for the separate process.
const PICTURE: &str = "IMAGES_TEST_PICTURE";
const MEGABYTE: u64 = 1024 * 1024;

/// The peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
    let kilobytes: u64 = line.split_whitespace().nth(1).expect("a figure").parse().expect("a number");
    kilobytes * 1024
}

#[test]
fn one_picture_in_a_process_of_its_own() {
    let Some(path) = std::env::var_os(PICTURE) else { return };
    let bytes = std::fs::read(path).expect("read");
    let before = peak();
    let cleaned = clean(&bytes).map(|picture| (picture.width, picture.height));
    println!("taken={} grown={}", cleaned.is_ok(), peak() - before);
}

/// Whether it is accepted, and the memory that takes.
fn cleaned(name: &str, bytes: &[u8]) -> (bool, u64) {
    let path = std::env::temp_dir().join(format!("images-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).expect("written");
    let itself = std::env::current_exe().expect("this test");
    let mut command = Command::new(itself);
    let command = command.args(["--exact", "memory::one_picture_in_a_process_of_its_own", "--nocapture"]);
    let output = command.env(PICTURE, &path).output().expect("runs");
    std::fs::remove_file(&path).expect("removed");
    let said = String::from_utf8(output.stdout).expect("text");
    let line = said.lines().find_map(|line| line.split_once("taken=")).unwrap_or_else(|| panic!("{name}: {said}")).1;
    let (taken, grown) = line.split_once(" grown=").expect("both");
    (taken == "true", grown.parse().expect("a number"))
}

#[test]
fn the_largest_stay_below_sixty_four_megabytes() {
    let rgb = |width, height| DynamicImage::from(RgbImage::new(width, height));
    let rgba = |width, height| DynamicImage::from(RgbaImage::new(width, height));
    for (name, bytes) in [
        ("twelve-megapixels.jpeg", jpeg(&rgb(4_032, 3_024))),
        ("fifteen-megapixels.jpeg", jpeg(&rgb(4_608, 3_328))),
        ("ten-megapixels.png", written(&rgba(3_840, 2_700), ImageFormat::Png)),
        ("four-deep-megapixels.png", written(&rgba(2_400, 1_600).to_rgba16().into(), ImageFormat::Png)),
        ("seven-megapixels.gif", written(&rgba(3_000, 2_300), ImageFormat::Gif)),
        ("seven-megapixels.webp", written(&rgb(3_200, 2_200), ImageFormat::WebP)),
        ("five-megapixels-alpha.webp", written(&rgba(2_500, 2_000), ImageFormat::WebP)),
        ("tables.webp", with_tables(2_400)),
        ("moving.webp", moving(&written(&rgba(1_700, 1_600), ImageFormat::WebP), 1_700, 1_600)),
    ] {
        let (taken, grown) = cleaned(name, &bytes);
        println!("{name}: {} MB", grown / MEGABYTE);
        assert!(taken && places(&bytes) == 1, "{name}");
        assert!(grown < 64 * MEGABYTE, "{name} takes {grown} bytes");
    }
    for (name, bytes) in [
        ("forty-megapixels.jpeg", jpeg(&rgb(8_000, 5_000))),
        ("forty-megapixels.png", written(&rgb(8_000, 5_000), ImageFormat::Png)),
        ("twenty-megapixels.webp", written(&rgb(5_000, 4_000), ImageFormat::WebP)),
        ("tables.webp", with_tables(20_000)),
        ("five-moving.webp", moving(&written(&rgba(2_500, 2_000), ImageFormat::WebP), 2_500, 2_000)),
    ] {
        let (taken, grown) = cleaned(name, &bytes);
        assert!(!taken && grown < 8 * MEGABYTE, "{name} takes {grown} bytes");
    }
}

#[test]
fn those_of_two_places_stay_below_twice_as_much() {
    let rgb = |width, height| DynamicImage::from(RgbImage::new(width, height));
    for (name, bytes) in [
        ("twelve-megapixels-progressive.jpeg", progressive(4_032, 3_024, 2, 2)),
        ("twelve-megapixels-progressive-fine.jpeg", progressive(4_032, 3_024, 1, 1)),
        ("sixteen-megapixels-progressive.jpeg", progressive(4_608, 3_456, 2, 2)),
        ("twenty-four-megapixels.jpeg", jpeg(&rgb(5_712, 4_284))),
        ("long-screenshot.png", written(&RgbaImage::new(1_290, 12_000).into(), ImageFormat::Png)),
    ] {
        let (taken, grown) = cleaned(name, &bytes);
        println!("{name}: {} MB", grown / MEGABYTE);
        assert!(taken && places(&bytes) == 2, "{name}");
        assert!(grown < 128 * MEGABYTE, "{name} takes {grown} bytes");
    }
    for (name, bytes) in [
        ("small-progressive.jpeg", progressive(2_048, 1_536, 2, 2)),
        ("twenty-megapixels-progressive-fine.jpeg", progressive(5_184, 3_888, 1, 1)),
        ("no-picture.jpeg", b"\xFF\xD8".to_vec()),
    ] {
        assert_eq!(places(&bytes), 1, "{name}");
    }
}
