//! Where a creative fits, and how it is shown there.

use serde_json::{Value, json};

use super::{imp, offered, owned};
use crate::candidate::{Candidate, Creative, Sizes, VideoFile};
use crate::consider::{Circumstances, consider};
use crate::no_bid::NoBid;
use crate::testing::{CANDIDATE, PARTS, VIDEO, request_with};

#[test]
fn a_banner_has_one_of_the_sizes() {
    let sized = |banner: Value, sizes: Sizes<'_>| {
        let request = request_with(imp(json!({ "banner": banner })));
        let candidate = Candidate { creative: Creative::Banner { sizes, btype: 4 }, ..CANDIDATE };
        consider(&request, &candidate, &Circumstances::default()).map(|offer| offer.size)
    };
    let formats = json!({ "w": 970, "h": 250, "format": [
        { "wratio": 16, "hratio": 9 }, { "w": 1, "h": 1 }, { "w": 728, "h": 90 }, { "w": 300, "h": 250 }, { "w": 250, "h": 300 },
    ] });
    assert_eq!(sized(formats.clone(), Sizes::Any), Ok(Some((300, 250))), "the largest, and the first of those");
    assert_eq!(sized(formats.clone(), Sizes::These(&[(728, 90), (970, 250)])), Ok(Some((728, 90))));
    assert_eq!(sized(formats, Sizes::These(&[(90, 728)])), Err(NoBid::Size));
    let ratios = json!({ "w": 320, "h": 50, "format": [{ "wratio": 16, "hratio": 9 }, { "w": -1, "h": -1 }] });
    assert_eq!(sized(ratios, Sizes::Any), Ok(Some((320, 50))));
    for none in [
        json!({}),
        json!({ "w": 300 }),
        json!({ "w": 0, "h": 250 }),
        json!({ "w": 1, "h": 1 }),
        json!({ "w": 300, "h": 49 }),
        json!({ "w": 5_000, "h": 50 }),
        json!({ "format": null }),
    ] {
        assert_eq!(sized(none.clone(), Sizes::Any), Err(NoBid::Size), "{none}");
    }
    assert_eq!(sized(json!({ "w": 50, "h": 50, "btype": [1, 4] }), Sizes::Any), Err(NoBid::BannerType));
    assert_eq!(sized(json!({ "w": 50, "h": 50, "btype": [1, 3] }), Sizes::Any), Ok(Some((50, 50))));
}

#[test]
fn no_banner_is_larger_than_the_screen() {
    let on = |device: Value| {
        let banner = json!({ "format": [{ "w": 320, "h": 50 }, { "w": 970, "h": 250 }, { "w": 300, "h": 600 }] });
        let request = request_with(json!({ "imp": [{ "id": "1", "banner": banner }], "device": device }));
        consider(&request, &CANDIDATE, &Circumstances::default()).map(|offer| offer.size)
    };
    for (device, size) in [
        (json!({ "w": 1_920, "h": 1_080 }), (970, 250)),
        (json!({ "w": 390, "h": 844 }), (300, 600)),
        (json!({ "w": 640, "h": 360 }), (300, 600)),
        (json!({ "w": 360, "h": 500 }), (320, 50)),
        (json!({ "w": -1, "h": 844 }), (970, 250)),
        (json!({ "w": 1, "h": 1 }), (970, 250)),
        (json!({}), (970, 250)),
    ] {
        assert_eq!(on(device.clone()), Ok(Some(size)), "{device}");
    }
    assert_eq!(on(json!({ "w": 100, "h": 100 })), Err(NoBid::Size));
}

#[test]
fn a_video_plays_as_the_player_says() {
    let shown = Candidate { creative: Creative::Video(VIDEO), ..CANDIDATE };
    for (video, expected) in [
        (json!({ "mimes": ["video/mp4"] }), Ok(100)),
        (json!({ "mimes": ["video/webm", "VIDEO/MP4"], "protocols": [7, 13], "linearity": 1 }), Ok(100)),
        (json!({ "mimes": ["video/webm"] }), Err(NoBid::Mime)),
        (json!({ "mimes": ["video/mp4"], "minduration": 15, "maxduration": 15 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "minduration": 16 }), Err(NoBid::Duration)),
        (json!({ "mimes": ["video/mp4"], "maxduration": 14 }), Err(NoBid::Duration)),
        (json!({ "mimes": ["video/mp4"], "rqddurs": [10, 15] }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "rqddurs": [10, 20] }), Err(NoBid::Duration)),
        (json!({ "mimes": ["video/mp4"], "poddur": 15 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "poddur": 0, "maxduration": 0 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "poddur": 14, "rqddurs": [15] }), Err(NoBid::Duration)),
        (json!({ "mimes": ["video/mp4"], "minbitrate": 800, "maxbitrate": 800 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "minbitrate": 0, "maxbitrate": 0 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "minbitrate": -1, "maxbitrate": -1 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "minbitrate": 801 }), Err(NoBid::Bitrate)),
        (json!({ "mimes": ["video/mp4"], "maxbitrate": 799 }), Err(NoBid::Bitrate)),
        (json!({ "mimes": ["video/mp4"], "protocols": [5, 6, 8, 12, 14] }), Err(NoBid::Protocol)),
        (json!({ "mimes": ["video/mp4"], "protocols": [1, 9, 10] }), Err(NoBid::Protocol)),
        (json!({ "mimes": ["video/mp4"], "protocols": [], "protocol": 5 }), Err(NoBid::Protocol)),
        (json!({ "mimes": ["video/mp4"], "protocols": [], "protocol": 0 }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "delivery": [1, 2] }), Ok(100)),
        (json!({ "mimes": ["video/mp4"], "delivery": [1] }), Err(NoBid::Protocol)),
        (json!({ "mimes": ["video/mp4"], "linearity": 2 }), Err(NoBid::Protocol)),
    ] {
        assert_eq!(offered(imp(json!({ "video": video.clone() })), &shown), expected, "{video}");
    }
    let floors = |floors: Value| {
        let video = json!({ "mimes": ["video/mp4"], "durfloors": floors });
        offered(imp(json!({ "bidfloor": 0.5, "video": video })), &shown)
    };
    assert_eq!(floors(json!([{ "maxdur": 15, "bidfloor": 1.01 }])), Err(NoBid::BelowFloor));
    assert_eq!(floors(json!([{ "mindur": 15, "maxdur": 0, "bidfloor": 1.01 }])), Err(NoBid::BelowFloor), "without end");
    assert_eq!(floors(json!([{ "mindur": 16, "bidfloor": 9 }, { "maxdur": 14, "bidfloor": 9 }])), Ok(100));
    assert_eq!(
        floors(json!([{ "mindur": 15, "bidfloor": 0.9 }, { "maxdur": 20, "bidfloor": 1.1 }])),
        Err(NoBid::BelowFloor)
    );
    assert_eq!(floors(json!([{ "mindur": 1, "bidfloor": 0.2 }])), Ok(100), "it replaces the floor of the impression");
}

#[test]
fn a_video_pays_for_its_seconds() {
    // It lasts fifteen, for 1.00.
    let deals = owned(&["d1"]);
    let shown = Candidate { creative: Creative::Video(VIDEO), deals: &deals, ..CANDIDATE };
    let with = |video: Value, deal: Value| {
        let mut fields = json!({ "bidfloor": 0.5, "video": { "mimes": ["video/mp4"] } });
        fields["video"].as_object_mut().expect("an object").extend(video.as_object().expect("an object").clone());
        fields["pmp"] = json!({ "private_auction": deal.is_object(), "deals": [deal] });
        offered(imp(fields), &shown)
    };
    let open = |video: Value| with(video, json!(null));
    assert_eq!(open(json!({ "mincpmpersec": 0.06 })), Ok(100), "0.90");
    assert_eq!(open(json!({ "mincpmpersec": "0.067" })), Err(NoBid::BelowFloor), "1.005");
    assert_eq!(open(json!({ "mincpmpersec": 1e25 })), Err(NoBid::BelowFloor));
    assert_eq!(open(json!({ "mincpmpersec": 0.06, "durfloors": [{ "bidfloor": 1.01 }] })), Err(NoBid::BelowFloor));
    assert_eq!(open(json!({ "mincpmpersec": -1 })), Err(NoBid::Media));
    let dealt = |deal: Value| with(json!({ "mincpmpersec": 9 }), deal);
    assert_eq!(dealt(json!({ "id": "d1" })), Ok(100), "a deal's floors replace those of the impression");
    assert_eq!(dealt(json!({ "id": "d1", "mincpmpersec": 0.07 })), Err(NoBid::BelowFloor));
    assert_eq!(dealt(json!({ "id": "d1", "durfloors": [{ "mindur": 10, "bidfloor": 2 }] })), Err(NoBid::BelowFloor));
    assert_eq!(dealt(json!({ "id": "d1", "bidfloor": 2, "durfloors": [{ "maxdur": 15, "bidfloor": 0.8 }] })), Ok(100));
    assert_eq!(dealt(json!({ "id": "d1", "at": 3, "bidfloor": 0.7, "mincpmpersec": 0.05 })), Ok(75), "the higher one");
    let banner = Candidate { deals: &deals, ..CANDIDATE };
    let fields = json!({ "banner": { "w": 300, "h": 250 }, "video": { "mimes": ["video/mp4"], "mincpmpersec": 9 },
        "pmp": { "deals": [{ "id": "d1", "mincpmpersec": 9, "durfloors": [{ "bidfloor": 9 }] }] } });
    assert_eq!(offered(imp(fields), &banner), Ok(100), "a banner has no seconds");
}

#[test]
fn a_video_of_unknown_bitrate_fits_where_none_is_asked_for() {
    let shown = Candidate { creative: Creative::Video(VideoFile { bitrate: None, ..VIDEO }), ..CANDIDATE };
    let with =
        |name: &str, limit: u32| offered(imp(json!({ "video": { "mimes": ["video/mp4"], name: limit } })), &shown);
    assert_eq!([with("minbitrate", 0), with("maxbitrate", 0)], [Ok(100), Ok(100)]);
    assert_eq!([with("minbitrate", 1), with("maxbitrate", 9_000)], [Err(NoBid::Bitrate), Err(NoBid::Bitrate)]);
}

#[test]
fn a_bitrate_is_bits_per_second() {
    assert_eq!(VideoFile::bitrate_of(1_500_000, 15), Some(800));
    assert_eq!(VideoFile::bitrate_of(1_500_001, 1), Some(12_001), "what has begun counts");
    assert_eq!([VideoFile::bitrate_of(1, 0), VideoFile::bitrate_of(u64::MAX, 1)], [None, None]);
    assert_eq!(VideoFile::bitrate_of(0, 15), Some(0));
}

#[test]
fn a_video_has_the_newest_version_that_the_player_takes() {
    let version = |video: Value| {
        let mut video = video;
        video["mimes"] = json!(["video/mp4"]);
        let request = request_with(imp(json!({ "video": video })));
        let candidate = Candidate { creative: Creative::Video(VIDEO), ..CANDIDATE };
        let offer = consider(&request, &candidate, &Circumstances::default()).expect("offered");
        offer.bid("b".into(), &candidate).protocol
    };
    for (video, expected) in [
        (json!({ "protocols": [2, 3, 5, 6] }), 3),
        (json!({ "protocols": [2, 5] }), 2),
        (json!({ "protocols": [7, 3, 8] }), 7),
        (json!({ "protocols": [11, 12, 3] }), 11),
        (json!({ "protocols": [2, 3, 5, 6, 7, 8, 11, 12, 13, 14] }), 13),
        (json!({ "protocol": 2 }), 2),
        (json!({ "protocol": 2, "protocols": [3] }), 3),
        // In the content, between parts of an article, and alone: all are linear.
        (json!({ "plcmt": 1, "placement": 1 }), 13),
        (json!({ "plcmt": 4, "placement": 3, "protocols": [3] }), 3),
    ] {
        assert_eq!(version(video.clone()), Some(expected), "{video}");
    }
}

#[test]
fn a_video_can_be_skipped_where_the_player_allows_it() {
    let skipped = |video: Value| {
        let mut video = video;
        video["mimes"] = json!(["video/mp4"]);
        let request = request_with(imp(json!({ "video": video })));
        let candidate = Candidate { creative: Creative::Video(VIDEO), attributes: &[6, 16], ..CANDIDATE };
        let plain = Candidate { attributes: &[6], ..candidate };
        let offer = consider(&request, &plain, &Circumstances::default()).expect("offered");
        (offer.playing.and_then(|playing| playing.skip_after), offer.bid("b".into(), &candidate).attr)
    };
    for (video, after) in [
        (json!({ "skip": 1 }), Some(5)),
        (json!({ "skip": true, "skipmin": 14, "skipafter": 8 }), Some(8)),
        (json!({ "skip": 1, "skipmin": 15 }), None),
        (json!({ "skip": 1, "skipafter": 15 }), None),
        (json!({ "skip": 1, "protocols": [2] }), None),
        (json!({ "skip": 1, "battr": [16] }), None),
        (json!({ "skip": 0, "skipafter": 5 }), None),
        (json!({}), None),
    ] {
        let attributes = if after.is_some() { vec![6, 16] } else { vec![6] };
        assert_eq!(skipped(video.clone()), (after, attributes), "{video}");
    }
}

#[test]
fn a_native_ad_has_what_is_required() {
    let native = |assets: Value| {
        let request = json!({ "assets": assets }).to_string();
        let candidate = Candidate { creative: Creative::Native(PARTS), ..CANDIDATE };
        offered(imp(json!({ "native": { "request": request } })), &candidate)
    };
    assert_eq!(native(json!([{ "id": 1, "required": 1, "title": { "len": 25 } }])), Ok(100));
    assert_eq!(native(json!([{ "id": 1, "required": 1, "title": { "len": 5 } }])), Err(NoBid::NativeAsset));
    assert_eq!(native(json!([{ "id": 1, "title": { "len": 25 } }, { "img": {} }])), Ok(100), "without a number");
    assert_eq!(
        native(json!([{ "id": 1, "title": { "len": 25 } }, { "required": 1, "img": {} }])),
        Err(NoBid::NativeAsset)
    );
    for nothing in [json!([]), json!([{ "title": { "len": 25 } }]), json!([{ "id": 1, "title": { "len": 5 } }])] {
        assert_eq!(native(nothing.clone()), Err(NoBid::NativeAsset), "{nothing}");
    }
}
