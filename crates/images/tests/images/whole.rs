//! Photos of which a part is missing. The decoder would fill it with grey.

use images::{Refused, clean};

use crate::made::{halves, jpeg, with_segment};

/// 48 × 32, in ten scans.
const PROGRESSIVE: &[u8] = include_bytes!("progressive.jpg");
/// 48 × 32, with a restart after each block.
const RESTARTS: &[u8] = include_bytes!("restarts.jpg");
const END: [u8; 2] = [0xFF, 0xD9];

/// Where image data begins: after the head of each scan.
fn data(photo: &[u8]) -> impl Iterator<Item = usize> {
    let heads = photo.windows(2).enumerate().filter(|(_, two)| *two == [0xFF, 0xDA]).map(|(at, _)| at);
    heads.map(|at| at + 2 + usize::from(u16::from_be_bytes([photo[at + 2], photo[at + 3]])))
}

fn photos() -> [(&'static str, Vec<u8>); 4] {
    [
        ("baseline", jpeg(&halves(64, 48))),
        ("grey", jpeg(&halves(64, 48).into_luma8().into())),
        ("progressive", PROGRESSIVE.to_vec()),
        ("restarts", RESTARTS.to_vec()),
    ]
}

#[test]
fn only_the_end_mark_may_be_missing() {
    for (name, photo) in photos() {
        assert!(photo.ends_with(&END) && clean(&photo).is_ok(), "{name}");
        let unmarked = &photo[..photo.len() - 2];
        assert!(clean(unmarked).is_ok(), "{name} without its end mark");
        assert!(clean(&photo[..photo.len() - 1]).is_ok(), "{name} with half of it");
        assert!(clean(&[unmarked, b"\0\0 and more"].concat()).is_ok(), "{name} with something else there");
    }
}

#[test]
fn image_data_that_is_cut_is_damaged() {
    for (name, photo) in photos() {
        let from = data(&photo).next().expect("a scan");
        for end in from..photo.len() - 3 {
            assert_eq!(clean(&photo[..end]), Err(Refused::Damaged), "{name} cut at {end} of {}", photo.len());
        }
    }
}

#[test]
fn an_end_mark_makes_nothing_whole() {
    for (name, photo) in photos() {
        let from = data(&photo).last().expect("a scan");
        // Somewhere in the last scan: what comes before it is a whole picture, if a rough one.
        for end in (from..photo.len() - 4).filter(|end| photo[end - 1] != 0xFF) {
            let cut = [&photo[..end], &END].concat();
            assert_eq!(clean(&cut), Err(Refused::Damaged), "{name} cut at {end} of {}", photo.len());
        }
    }
}

#[test]
fn a_rough_picture_with_an_end_mark_is_one() {
    let second = data(PROGRESSIVE).nth(1).expect("a second scan");
    let head = PROGRESSIVE[..second].windows(2).rposition(|two| two == [0xFF, 0xDA]).expect("its head");
    // Tables may come before the head.
    let first = &PROGRESSIVE[..head];
    assert!(clean(&[first, &END].concat()).is_ok());
    assert_eq!(clean(first), Err(Refused::Damaged));
}

#[test]
fn a_photo_inside_the_head_is_another() {
    let small = jpeg(&halves(8, 8));
    let photo = with_segment(&jpeg(&halves(64, 48)), 0xE1, &[b"Exif\0\0", small.as_slice()].concat());
    assert!(clean(&photo).is_ok());
    assert!(clean(&photo[..photo.len() - 40]).is_err());
}
