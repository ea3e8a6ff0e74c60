//! The table of routes.

use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, PathConfig, PayloadConfig, QueryConfig};
use utoipa_actix_web::scope;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::edge::edge;
use crate::failure::Failure;
use crate::fallback::fallback;
use crate::vary::vary_once;
use crate::{
    Shell, ads, assets, assistance, auth_api, cards, catalog, coupons_api, exchange_api, feedback_api, files_api,
    health, leaving, levels_api, money, notifications_api, openapi, overview, plans_api, user_api,
};

/// The largest body a call may have; uploads have a limit of their own.
const BODY_LIMIT: usize = 64 * 1024;

/// Every call of the contract.
pub fn api(config: &mut ServiceConfig<'_>) {
    config
        .service(
            // A scope does not ask the one around it what to do with the rest.
            scope::scope("/api")
                .default_service(web::to(fallback))
                .service(openapi::openapi)
                .service(auth_api::register_v2)
                .service(auth_api::register_v1)
                .service(auth_api::login_v2)
                .service(auth_api::login_v1)
                .service(auth_api::supported_languages)
                .service(auth_api::logout)
                .service(auth_api::enter)
                .service(auth_api::issue_ticket)
                .service(auth_api::change_password)
                .service(user_api::info)
                .service(user_api::edit)
                .service(user_api::open_store)
                .service(user_api::set_password)
                .service(user_api::check_password)
                .service(user_api::config)
                .service(user_api::sessions)
                .service(user_api::end)
                .service(leaving::export)
                .service(leaving::close)
                .service(feedback_api::send)
                .service(assistance::list)
                .service(assistance::follow)
                .service(notifications_api::list)
                .service(notifications_api::mark_read)
                .service(notifications_api::unread_count)
                .service(catalog::products)
                .service(catalog::product)
                .service(plans_api::list)
                .service(plans_api::detail)
                .service(plans_api::quote)
                .service(plans_api::put)
                .service(plans_api::pause)
                .service(plans_api::resume)
                .service(plans_api::stop)
                .service(plans_api::count_waiting)
                .service(overview::overview)
                .service(money::property)
                .service(money::statement)
                .service(money::export)
                .service(money::return_startup)
                .service(money::withdraw)
                .service(money::withdrawals)
                .service(money::pay_deposit)
                .service(money::return_deposit)
                .service(exchange_api::list)
                .service(exchange_api::detail)
                .service(exchange_api::put)
                .service(exchange_api::cancel)
                .service(exchange_api::orders)
                .service(cards::detail)
                .service(cards::edit)
                .service(coupons_api::list)
                .service(coupons_api::receive)
                .service(coupons_api::open)
                .service(levels_api::level)
                .service(levels_api::credit)
                .service(levels_api::subscribe)
                .service(files_api::upload),
        )
        .service(files_api::show)
        .service(ads::slot)
        .service(ads::impression)
        .service(ads::click)
        .service(ads::landing)
        .service(ads::conversion);
}

/// Everything the server answers, for [`actix_web::App::configure`].
pub fn configure(shell: Shell) -> impl FnOnce(&mut web::ServiceConfig) + Clone {
    move |config| {
        // A query that cannot be read at all, such as one that names a field twice.
        let query = QueryConfig::default().error_handler(|_, _| Failure::field("query", "invalid").into());
        // A name in an address that is no text is nobody's.
        let names = PathConfig::default().error_handler(|_, _| Failure::unknown_path().into());
        let payload = PayloadConfig::new(BODY_LIMIT);
        config.app_data(web::Data::new(shell)).app_data(payload).app_data(query).app_data(names).service(
            web::scope("")
                .wrap(from_fn(edge))
                .wrap(Compress::default())
                .wrap(from_fn(vary_once))
                .configure(|config| api(&mut ServiceConfig::new(config)))
                .service(ads::impression_head)
                .service(health::healthz)
                .service(health::readyz)
                .service(assets::index)
                .service(assets::asset)
                .default_service(web::to(fallback)),
        );
    }
}
