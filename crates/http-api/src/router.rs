//! All routes.

use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, PathConfig, PayloadConfig, QueryConfig};
use base::Field;
use utoipa_actix_web::scope;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::acceptable::in_some_form;
use crate::edge::edge;
use crate::failure::Failure;
use crate::fallback::fallback;
use crate::routes::delivery::{claims, openrtb, postbacks, prebid, publisher};
use crate::routes::notifications::{conversation, feedback, push};
use crate::routes::offers::levels;
use crate::routes::people::{files, leaving, sign_in};
use crate::routes::plans::{catalog, compare, events, exclusions, limits, operated, overview, report, rules, schedule};
use crate::routes::wallet::{announcements, cards, exchange, public_log};
use crate::routes::{delivery, installation, notifications, offers, people, plans, wallet};
use crate::vary::vary_once;
use crate::{Shell, assets, openapi};

/// The largest body of a call; uploads have their own limit.
const BODY_LIMIT: usize = 64 * 1024;

/// Every call of the API.
pub fn api(config: &mut ServiceConfig<'_>) {
    config
        .service(
            // A scope does not inherit the default service of the one around it.
            scope::scope("/api")
                .default_service(web::to(fallback))
                .service(openapi::openapi)
                .service(sign_in::register_v2)
                .service(sign_in::register_v1)
                .service(sign_in::login_v2)
                .service(sign_in::login_v1)
                .service(sign_in::list_languages)
                .service(sign_in::logout)
                .service(sign_in::enter)
                .service(sign_in::show_ticket_account)
                .service(sign_in::issue_ticket)
                .service(sign_in::change_password)
                .service(sign_in::reset_password)
                .service(people::show)
                .service(people::edit)
                .service(people::open_store)
                .service(people::set_pay_password)
                .service(people::check_pay_password)
                .service(installation::show_config)
                .service(people::list_sessions)
                .service(people::end_sessions)
                .service(leaving::export_data)
                .service(leaving::close_account)
                .service(feedback::send)
                .service(conversation::show)
                .service(conversation::send)
                .service(conversation::list_messages)
                .service(conversation::send_message)
                .service(conversation::mark_read)
                .service(conversation::upload)
                .service(conversation::show_picture)
                .service(operated::list)
                .service(operated::show)
                .service(operated::follow)
                .service(notifications::list)
                .service(notifications::mark_read)
                .service(notifications::count_unread)
                .service(push::list)
                .service(push::subscribe)
                .service(push::unsubscribe)
                .service(catalog::list)
                .service(catalog::show)
                .service(plans::list)
                .service(plans::show)
                .service(plans::quote)
                .service(plans::put)
                .service(plans::add_budget)
                .service(plans::pause)
                .service(plans::resume)
                .service(limits::limit)
                .service(exclusions::exclude)
                .service(exclusions::include)
                .service(schedule::set)
                .service(rules::set)
                .service(plans::stop)
                .service(plans::count_waiting)
                .service(compare::list)
                .service(compare::show_product)
                .service(events::list)
                .service(events::show)
                .service(events::show_series)
                .service(overview::show)
                .service(report::show)
                .service(wallet::show_property)
                .service(wallet::list_statement)
                .service(wallet::list_days)
                .service(wallet::export_statement)
                .service(wallet::show_proof)
                .service(wallet::return_startup)
                .service(wallet::withdraw)
                .service(wallet::list_withdrawals)
                .service(wallet::show_pace)
                .service(wallet::cancel_withdrawal)
                .service(wallet::list_recharges)
                .service(announcements::list)
                .service(announcements::make)
                .service(announcements::cancel)
                .service(wallet::pay_deposit)
                .service(wallet::return_deposit)
                .service(exchange::list_acceptors)
                .service(exchange::show_acceptor)
                .service(exchange::put)
                .service(exchange::cancel)
                .service(exchange::list)
                .service(cards::show)
                .service(cards::edit)
                .service(offers::list_coupons)
                .service(offers::receive_coupon)
                .service(offers::list_activities)
                .service(levels::show)
                .service(levels::list_credit)
                .service(levels::subscribe)
                .service(publisher::show)
                .service(publisher::list_slots)
                .service(publisher::show_figures)
                .service(publisher::list_months)
                .service(publisher::show_statement)
                .service(publisher::export_statement)
                .service(claims::look)
                .service(claims::open)
                .service(files::upload),
        )
        .service(files::show)
        .service(delivery::serve_slot)
        .service(delivery::serve_frame)
        .service(delivery::serve_video)
        .service(delivery::show_sellers)
        .service(delivery::record_impression)
        .service(delivery::record_viewable)
        .service(delivery::record_played)
        .service(delivery::record_click)
        .service(delivery::show_landing_page)
        .service(postbacks::record_conversion)
        .service(postbacks::record_conversions)
        .service(openrtb::answer_bid)
        .service(openrtb::record_billing)
        .service(openrtb::record_win)
        .service(openrtb::record_loss)
        .service(prebid::answer_auction)
        .service(prebid::sync_cookies)
        .service(prebid::show_status)
        .service(public_log::show_log)
        .service(public_log::show_description)
        .service(public_log::show_checkpoint)
        .service(public_log::show_keys)
        .service(public_log::show_previous)
        .service(public_log::show_state)
        .service(public_log::show_tile)
        .service(public_log::show_checkpoint_of)
        .service(public_log::show_tile_of);
}

/// All routes, for [`actix_web::App::configure`].
pub fn configure(shell: Shell) -> impl FnOnce(&mut web::ServiceConfig) + Clone {
    move |config| {
        // A query that cannot be parsed at all, for example with a repeated field.
        let query = QueryConfig::default().error_handler(|_, _| Failure::field(Field::Query, "invalid").into());
        // A path segment that cannot be parsed is an unknown path.
        let names = PathConfig::default().error_handler(|_, _| Failure::unknown_path().into());
        let payload = PayloadConfig::new(BODY_LIMIT);
        config.app_data(web::Data::new(shell)).app_data(payload).app_data(query).app_data(names).service(
            web::scope("")
                .wrap(from_fn(edge))
                .wrap(Compress::default())
                .wrap(from_fn(vary_once))
                .wrap(from_fn(in_some_form))
                .configure(|config| api(&mut ServiceConfig::new(config)))
                .service(delivery::record_impression_behind)
                .service(delivery::record_viewable_behind)
                .service(delivery::record_played_behind)
                .service(delivery::record_click_behind)
                .service(openrtb::record_notice_behind)
                .service(openrtb::record_notice_sent)
                .service(installation::show_health)
                .service(installation::show_readiness)
                .service(assets::index)
                .service(assets::page)
                .service(assets::asset)
                .default_service(web::to(fallback)),
        );
    }
}
