//! Two servers on one database serve from leases of the same budgets.

use campaigns::AdServer;
use campaigns::delivery::market::wait_for_leases;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::track::impression;
use campaigns::work;
use futures_util::future::join_all;
use store::on_both;

use crate::support::{BASE, Market, SLOT, market, reader, second, token};

async fn serve_on(app: &AdServer) -> Option<SlotAnswer> {
    serve(app, SLOT, None, BASE, i18n::Lang::En).await.expect("answered")
}

on_both!(two_servers_together_stay_within_a_budget, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let (one, two) = (market.world.app.clone(), second(&market));
    let asked = (0..64).map(|n| {
        let app = if n % 2 == 0 { one.clone() } else { two.clone() };
        tokio::spawn(async move { serve_on(&app).await })
    });
    let answers = join_all(asked).await.into_iter().filter_map(|answer| answer.expect("joined"));
    let mut tokens: Vec<String> = answers.map(|answer| token(&answer.click_url).to_owned()).collect();
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), 20, "100.00 is twenty impressions of 5.00");
    market.check().await;
});

/// Everything both can serve, now and after a refused lease is requested again, each with
/// its server.
async fn all_of<'a>(market: &Market, servers: [&'a AdServer; 2]) -> Vec<(SlotAnswer, &'a AdServer)> {
    let mut all = Vec::new();
    for _ in 0..3 {
        for server in servers {
            while let Some(answer) = serve_on(server).await {
                all.push((answer, server));
            }
        }
        // Leases are requested while serving.
        for server in servers {
            wait_for_leases(server).await;
        }
        market.wait(3);
    }
    all
}

async fn see_on(server: &AdServer, answer: &SlotAnswer) {
    let verdict = impression(server, token(&answer.impression_url), &reader()).await.expect("kept");
    verdict.expect("what was promised counts");
}

// Both promise in the same second. A view of the other's creatives, reported to one, must
// not affect its own promises.
on_both!(what_is_seen_on_the_other_server_is_not_taken_for_its_own, |test| {
    let market = market(test).await;
    market.put("250.00").await;
    let (one, two) = (market.world.app.clone(), second(&market));
    let (mut of_one, mut of_two) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        of_one.push(serve_on(&one).await.expect("a creative"));
        of_two.push(serve_on(&two).await.expect("a creative"));
    }
    for answer in &of_one {
        see_on(&two, answer).await;
    }
    let rest = all_of(&market, [&two, &one]).await;
    for answer in &of_two {
        see_on(&two, answer).await;
    }
    for (answer, server) in &rest {
        see_on(server, answer).await;
    }
    // Until its own promises lapse, the first does not know that they were seen.
    market.wait(31);
    let last = all_of(&market, [&one, &two]).await;
    assert_eq!(12 + rest.len() + last.len(), 50, "250.00 is fifty impressions of 5.00");
    for (answer, server) in &last {
        see_on(server, answer).await;
    }
    market.check().await;
});

on_both!(a_creative_may_be_seen_on_another_server_than_it_came_from, |test| {
    let market = market(test).await;
    let plan = market.put("20.00").await;
    let two = second(&market);
    for _ in 0..4 {
        let answer = serve_on(&two).await.expect("a creative");
        market.see(&answer).await.expect("counts");
        // Until its promise lapses, the server does not know that it was seen elsewhere.
        market.wait(31);
    }
    assert!(serve_on(&two).await.is_none(), "the budget is used");
    work::round(&two).await.expect("a round");
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "20.00");
    market.check().await;
});

on_both!(what_a_dead_server_held_comes_back, |test| {
    let market = market(test).await;
    let plan = market.put("20.00").await;
    let dead = second(&market);
    serve_on(&dead).await.expect("a creative");
    // It requests more for its lease by itself, and then dies.
    wait_for_leases(&dead).await;
    drop(dead);
    market.wait(201);
    market.work().await;
    for _ in 0..4 {
        let answer = market.serve().await.expect("what the dead one held");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "20.00");
    market.check().await;
});

on_both!(what_a_dead_server_held_while_the_clock_was_days_ahead_comes_back, |test| {
    let market = market(test).await;
    let plan = market.put("20.00").await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    market.wait(2 * 86_400);
    let dead = second(&market);
    serve_on(&dead).await.expect("a creative");
    wait_for_leases(&dead).await;
    drop(dead);
    market.wait(-2 * 86_400);
    market.work().await;
    for _ in 0..3 {
        let answer = market.serve().await.expect("what the dead one held");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "20.00");
    market.check().await;
});

on_both!(events_are_counted_though_the_last_count_was_by_a_clock_that_was_days_ahead, |test| {
    let market = market(test).await;
    let plan = market.put("20.00").await;
    market.visit().await;
    market.wait(2 * 86_400);
    market.work().await;
    market.wait(-2 * 86_400);
    market.visit().await;
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.impressions, 2);
    market.check().await;
});

on_both!(a_plan_that_another_server_stopped_is_not_served_for_long, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let two = second(&market);
    serve_on(&two).await.expect("a creative");
    let id = plan.id;
    let stop = campaigns::plans::plan_control::PlanCommand::Stop;
    campaigns::plans::plan_control::control(&market.world.app, market.world.user, id, stop).await.expect("stopped");
    work::round(&two).await.expect("a round");
    assert!(serve_on(&two).await.is_none());
});

on_both!(a_server_that_stops_gives_back_what_it_holds, |test| {
    let market = market(test).await;
    market.put("20.00").await;
    let two = second(&market);
    let seen = serve_on(&two).await.expect("a creative");
    market.see(&seen).await.expect("counts");
    // It learns of the impression elsewhere only when its promise lapses.
    market.wait(121);
    let (stop, stopped) = tokio::sync::watch::channel(true);
    work::run(two, stopped).await;
    drop(stop);
    for _ in 0..3 {
        let answer = market.serve().await.expect("what the other held");
        market.see(&answer).await.expect("counts");
    }
    market.check().await;
});
