//! What an exchange or a page shows of a native ad or a video. A banner is the HTML that slots show.

use delivery::Progress;
use foundation::Error;
use openrtb::request::Imp;
use openrtb::{MediaFile, NativeLinks, NativeMarkup, OfferedAd, PlayEvent, Vast};

use crate::delivery::market::ExchangeAd;
use crate::delivery::serve::SlotAnswer;

/// Names the ads to players.
const SYSTEM: &str = "Placard";

/// `ad` says what it is, and `shown` where its parts are and what is called.
pub(super) fn native(ad: &ExchangeAd<'_>, shown: &SlotAnswer, imp: &Imp) -> Result<String, Error> {
    let asked = imp.native.as_ref().map(|native| &native.markup);
    let asked = asked.ok_or_else(|| Error::Internal("a native ad nobody asked for".to_owned()))?;
    let links = NativeLinks {
        click: &shown.click_url,
        click_tracker: None,
        impression: &shown.impression_url,
        viewable: Some(&shown.viewable_url),
    };
    let markup = NativeMarkup::new(asked, &ad.native(&shown.creative), &links);
    let markup = markup.map_err(|e| Error::Internal(e.to_string()))?;
    serde_json::to_string(&markup).map_err(|e| Error::Internal(e.to_string()))
}

/// VAST, in the version that was asked for. `serving_id` follows the ad through everything it calls.
pub(super) fn video(
    ad: &ExchangeAd<'_>,
    shown: &SlotAnswer,
    serving_id: &str,
    base: &str,
    offered: &OfferedAd<'_>,
) -> Result<String, Error> {
    let missing = || Error::Internal("a video of which nothing is known".to_owned());
    let file = ad.product.terms.video.as_ref().ok_or_else(missing)?;
    let url = shown.creative.video.as_deref().ok_or_else(missing)?;
    let playing = offered.playing.ok_or_else(missing)?;
    let reports: Vec<(PlayEvent, String)> = Progress::ALL
        .iter()
        .filter_map(|progress| Some((PlayEvent::from_name(progress.name())?, shown.report_url(*progress))))
        .collect();
    let events: Vec<(PlayEvent, &str)> = reports.iter().map(|(event, url)| (*event, url.as_str())).collect();
    let vast = Vast {
        version: playing.version,
        id: ad.creative_id(),
        serving_id,
        creative: ad.creative_id(),
        registry: base.split_once("://").map_or(base, |(_, host)| host),
        system: SYSTEM,
        title: &shown.creative.title,
        advertiser: Some(&ad.product.name),
        seconds: file.seconds,
        skip_after: playing.skip_after,
        media: MediaFile { url, mime: &file.mime, w: file.width, h: file.height, bitrate: ad.product.video_bitrate },
        impression: &shown.impression_url,
        viewable: Some(&shown.viewable_url),
        error: None,
        events: &events,
        click: &shown.click_url,
        click_tracker: None,
        expires: Some(offered.expires),
    };
    Ok(vast.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_know_all_that_is_counted() {
        for progress in Progress::ALL {
            assert!(PlayEvent::from_name(progress.name()).is_some(), "{progress}");
        }
    }
}
