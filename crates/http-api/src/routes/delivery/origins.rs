//! Which calls answer pages of other origins.

use actix_cors::Cors;

const A_DAY: usize = 86_400;

/// Any page may ask, by this method. Prebid.js and players send their calls with credentials, of which there are none
/// here: no answer depends on a cookie.
pub fn any_page(method: &str) -> Cors {
    Cors::default()
        .allow_any_origin()
        .allow_any_header()
        .allowed_methods([method])
        .supports_credentials()
        .max_age(A_DAY)
}
