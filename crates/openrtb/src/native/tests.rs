//! What is answered of what a page asks for.

use serde_json::json;

use super::*;
use crate::testing::{LINKS, PARTS, request_with};

fn asked(assets: serde_json::Value) -> NativeRequest {
    serde_json::from_value(json!({ "ver": "1.2", "assets": assets })).expect("a request")
}

#[test]
fn what_is_asked_for_is_filled_in_by_number() {
    let request = asked(json!([
        { "id": 7, "required": 1, "title": { "len": 14 } },
        { "id": 3, "img": { "type": 3, "wmin": 1200, "hmin": 627, "mimes": ["image/png", "image/JPEG"] } },
        { "id": 4, "img": { "type": 1, "wmin": 64 } },
        { "id": 5, "data": { "type": 1 } },
        { "id": 6, "data": { "type": 2, "len": 200 } },
        { "id": 8, "data": { "type": 12, "len": 8 } },
    ]));
    let assets = serde_json::to_value(PARTS.assets(&request).expect("assets")).expect("JSON");
    let expected = json!([
        { "id": 7, "title": { "text": "Shoes & \"more\"" } },
        { "id": 3, "img": { "type": 3, "url": "https://ads.example/i.jpg", "w": 1200, "h": 627 } },
        { "id": 4, "img": { "type": 1, "url": "https://ads.example/icon.png", "w": 80, "h": 80 } },
        { "id": 5, "data": { "type": 1, "value": "Shoes Ltd" } },
        { "id": 6, "data": { "type": 2, "value": "All shoes" } },
        { "id": 8, "data": { "type": 12, "value": "Buy now" } },
    ]);
    assert_eq!(assets, expected);
}

#[test]
fn what_is_missing_is_left_out_unless_it_is_required() {
    for (field, value) in [
        ("title", json!({ "len": 13 })),
        ("img", json!({ "type": 3, "wmin": 1201 })),
        ("img", json!({ "type": 3, "hmin": 628 })),
        ("img", json!({ "type": 3, "mimes": ["image/webp"] })),
        ("img", json!({ "type": 500 })),
        ("data", json!({ "type": 2, "len": 8 })),
        ("data", json!({ "type": 6 })),
        ("video", json!({ "mimes": ["video/mp4"] })),
    ] {
        let one = |required: i32| asked(json!([{ "id": 9, "required": required, field: value }]));
        assert_eq!(PARTS.assets(&one(0)), Ok(Vec::new()), "{field} {value}");
        assert_eq!(PARTS.assets(&one(1)), Err(MissingAsset { id: Some(9) }), "{field} {value}");
    }
    let bare = NativeParts { description: None, call_to_action: None, image: None, icon: None, ..PARTS };
    let all =
        asked(json!([{ "id": 1, "img": {} }, { "id": 2, "img": { "type": 1 } }, { "id": 3, "data": { "type": 12 } }]));
    assert_eq!(bare.assets(&all), Ok(Vec::new()));
}

#[test]
fn what_of_an_asset_cannot_be_read_costs_that_asset() {
    for (field, value) in [
        ("title", json!({ "len": "long" })),
        ("title", json!("Shoes")),
        ("img", json!({ "type": "main" })),
        ("img", json!({ "type": 3, "w": "wide" })),
        ("img", json!({ "type": 3, "hmin": {} })),
        ("img", json!({ "type": 3, "mimes": [1.5, {}] })),
        ("img", json!(3)),
        ("data", json!({ "type": "sponsored" })),
        ("data", json!({ "type": 2, "len": [90] })),
        ("data", json!([2])),
    ] {
        let with = |required: serde_json::Value| {
            let request =
                asked(json!([{ "id": 1, "title": {} }, "x", { "id": 9, "required": required, field: value }]));
            PARTS.assets(&request).map(|found| found.into_iter().map(|asset| asset.id).collect::<Vec<_>>())
        };
        assert_eq!(with(json!(0)), Ok(vec![1]), "{field} {value}");
        for required in [json!(1), json!(2), json!("yes")] {
            assert_eq!(with(required), Err(MissingAsset { id: Some(9) }), "{field} {value}");
        }
    }
}

#[test]
fn a_size_without_a_least_is_required_exactly() {
    let is_shown = |img: serde_json::Value| {
        let request = asked(json!([{ "id": 1, "required": 1, "img": img }]));
        PARTS.assets(&request).is_ok()
    };
    for (img, expected) in [
        (json!({ "type": 3, "w": 1200, "h": 627 }), true),
        (json!({ "type": 3, "w": "1200" }), true),
        (json!({ "type": 3, "w": 1200, "h": 628 }), false),
        (json!({ "type": 3, "w": 600 }), false),
        (json!({ "type": 1, "w": 80, "h": 80 }), true),
        (json!({ "type": 1, "w": 50, "h": 50 }), false),
        // Beside a least, it is only a wish.
        (json!({ "type": 3, "w": 600, "h": 314, "wmin": 300, "hmin": 157 }), true),
        (json!({ "type": 3, "w": 600, "wmin": 0 }), false),
        // Nobody knows it.
        (json!({ "type": 3, "w": 0, "h": -1 }), true),
    ] {
        assert_eq!(is_shown(img.clone()), expected, "{img}");
    }
}

#[test]
fn a_jpeg_is_one_by_either_name() {
    let shown = |image: Picture<'static>, mimes: serde_json::Value| {
        let parts = NativeParts { image: Some(image), ..PARTS };
        parts.assets(&asked(json!([{ "id": 1, "required": 1, "img": { "type": 3, "mimes": mimes } }]))).is_ok()
    };
    let jpeg = PARTS.image.expect("a picture");
    let named = Picture { mime: "image/jpg", ..jpeg };
    assert!(shown(jpeg, json!(["image/gif", "image/jpg"])) && shown(jpeg, json!("Image/JPG")));
    assert!(shown(named, json!(["image/jpeg"])) && !shown(named, json!(["image/png"])));
}

#[test]
fn events_are_counted_as_the_page_can() {
    let tracked = |trackers: serde_json::Value| {
        let request = serde_json::from_value(json!({ "eventtrackers": trackers })).expect("a request");
        serde_json::to_value(NativeMarkup::new(&request, &PARTS, &LINKS).expect("markup")).expect("JSON")
    };
    let older = tracked(json!([]));
    assert_eq!(older["imptrackers"], json!(["https://ads.example/t/i?a=1&b=2"]));
    assert_eq!((older.get("eventtrackers"), &older["ver"]), (None, &json!("1.2")));
    let scripts = tracked(json!([{ "event": 1, "methods": [2] }]));
    assert_eq!(scripts["imptrackers"], older["imptrackers"], "only pixels are offered");
    let both = tracked(json!([{ "event": 1, "methods": [1, 2] }, { "event": 2, "methods": [1] }]));
    let expected = json!([
        { "event": 1, "method": 1, "url": "https://ads.example/t/i?a=1&b=2" },
        { "event": 2, "method": 1, "url": "https://ads.example/t/v" },
    ]);
    assert_eq!((&both["eventtrackers"], both.get("imptrackers")), (&expected, None));
    let link = json!({ "url": "https://ads.example/t/c", "clicktrackers": ["https://ads.example/t/k"] });
    assert_eq!(both["link"], link);
}

#[test]
fn an_older_request_is_answered_in_its_own_shape() {
    let answer = |request: serde_json::Value| {
        let native = json!({ "id": "1", "native": { "request": request } });
        let request = request_with(json!({ "imp": [native] }));
        let asked = &request.imp[0].native.as_ref().expect("native").markup;
        let adm = NativeMarkup::new(asked, &PARTS, &LINKS).expect("markup").adm().expect("JSON");
        serde_json::from_str::<serde_json::Value>(&adm).expect("JSON")
    };
    let assets = json!([{ "id": 1, "title": {} }]);
    let wrapped = |ver: &str| answer(json!({ "native": { "ver": ver, "assets": assets } }));
    for (ver, said) in [("1.0", "1"), ("", "1")] {
        let native = &wrapped(ver)["native"];
        assert_eq!((&native["ver"], &native["assets"][0]["id"]), (&json!(said), &json!(1)), "{ver}");
        assert!(native["imptrackers"].is_array() && native["link"].is_object());
    }
    // From 1.1 on, the object itself is the answer; and who asks so can read it.
    assert_eq!(wrapped("1.1")["ver"], "1.1");
    assert_eq!(answer(json!({ "ver": 1, "assets": assets }))["ver"], "1");
    assert_eq!(answer(json!({ "assets": assets }))["ver"], "1.2");
}
