//! The markup of a native ad for an exchange or a page. A banner is the HTML that slots show, and a video is VAST
//! (`serve::vast`).

use foundation::Error;
use openrtb::request::Imp;
use openrtb::{NativeLinks, NativeMarkup};

use crate::delivery::market::ExchangeAd;
use crate::delivery::serve::SlotAnswer;

/// The markup of a native ad. `ad` has its content, and `shown` the addresses of its parts and of what to call.
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
    markup.adm().map_err(|e| Error::Internal(e.to_string()))
}
