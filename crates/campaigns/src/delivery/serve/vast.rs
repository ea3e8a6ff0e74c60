//! VAST, the format in which players get a video: in a bid, or as the answer of a slot.

use std::net::IpAddr;

use delivery::Progress;
use foundation::Error;
use i18n::Lang;
use openrtb::{MediaFile, NoAd, PlayEvent, Playing, Vast, VastVersion};
use plans::ContentType;

use super::{SlotAnswer, promise};
use crate::AdServer;
use crate::delivery::market::{AskedSlot, ServedProduct, SlotMedia};

/// The name of the ad server in the documents.
const SYSTEM: &str = "Placard";
/// The version for a slot's address, because a player does not say which ones it can read.
const VERSION: VastVersion = VastVersion::V42;

/// The video that a slot shows in a player, chosen and promised as [`super::serve`] does; a document without an ad if
/// none fits.
///
/// # Errors
/// `not_found` for a key that belongs to no active slot.
pub async fn serve_video(
    app: &AdServer,
    key: &str,
    from: Option<IpAddr>,
    base: &str,
    lang: Lang,
) -> Result<String, Error> {
    let Some((served, token)) = promise(app, AskedSlot { key, media: SlotMedia::Video }, from).await? else {
        return Ok(NoAd(VERSION).to_string());
    };
    let signed = token.sign(app.secrets.signing());
    let ad = (&*served.product, served.content);
    let shown = SlotAnswer::of(app, ad, &signed, base, lang)?;
    let expires = u32::try_from(served.holds_seconds()).unwrap_or(0);
    document(ad, &shown, &token.nonce.text(), base, Playing { version: VERSION, skip_after: None }, expires)
}

/// The VAST document of an ad. `serving_id` identifies the ad in everything that it calls.
pub(crate) fn document(
    (product, content): (&ServedProduct, ContentType),
    shown: &SlotAnswer,
    serving_id: &str,
    base: &str,
    playing: Playing,
    expires: u32,
) -> Result<String, Error> {
    let missing = || Error::Internal("a video of which nothing is known".to_owned());
    let file = product.terms.video.as_ref().ok_or_else(missing)?;
    let url = shown.creative.video.as_deref().ok_or_else(missing)?;
    let creative = product.crid(content).ok_or_else(missing)?;
    let reports: Vec<(PlayEvent, String)> = Progress::ALL
        .iter()
        .filter_map(|progress| Some((PlayEvent::from_name(progress.name())?, shown.report_url(*progress))))
        .collect();
    let events: Vec<(PlayEvent, &str)> = reports.iter().map(|(event, url)| (*event, url.as_str())).collect();
    let vast = Vast {
        version: playing.version,
        id: content.name(),
        serving_id,
        creative: &creative,
        registry: base.split_once("://").map_or(base, |(_, host)| host),
        system: SYSTEM,
        title: &shown.creative.title,
        advertiser: Some(&product.name),
        seconds: file.seconds,
        skip_after: playing.skip_after,
        media: MediaFile { url, mime: &file.mime, w: file.width, h: file.height, bitrate: product.video_bitrate },
        impression: &shown.impression_url,
        viewable: Some(&shown.viewable_url),
        error: None,
        events: &events,
        click: &shown.click_url,
        click_tracker: None,
        expires: Some(expires),
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
