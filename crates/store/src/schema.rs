// The schema of both databases; a test compares it with the result of the migrations.

diesel::table! {
    installation (id) {
        id -> SmallInt,
        realm -> SmallInt,
        created_at -> BigInt,
        secrets -> Nullable<Text>,
        sealed_at -> Nullable<BigInt>,
        unsound -> Nullable<Text>,
        currency -> Nullable<Text>,
    }
}

diesel::table! {
    high_water (id) {
        id -> SmallInt,
        commits -> BigInt,
        probed_at -> BigInt,
        verified_at -> BigInt,
    }
}

diesel::table! {
    users (id) {
        id -> BigInt,
        username -> Text,
        username_key -> Text,
        password_hash -> Nullable<Text>,
        nickname -> Text,
        email -> Text,
        phone -> Text,
        avatar -> Nullable<Text>,
        lang -> Text,
        entry -> SmallInt,
        status -> SmallInt,
        status_reason -> Text,
        store_opened -> Bool,
        operated_id -> Nullable<Text>,
        credit_score -> Integer,
        level -> Integer,
        vip_until -> Nullable<BigInt>,
        pay_password_hash -> Nullable<Text>,
        pay_streak -> Integer,
        pay_locked_until -> Nullable<BigInt>,
        pay_disabled -> Bool,
        created_at -> BigInt,
        settled_spend -> BigInt,
        payouts_held_until -> Nullable<BigInt>,
        pay_setup_held_until -> Nullable<BigInt>,
    }
}

diesel::table! {
    pay_password_failures (id) {
        id -> BigInt,
        user_id -> BigInt,
        at -> BigInt,
    }
}

diesel::table! {
    authorization_codes (id) {
        id -> BigInt,
        code_hash -> Text,
        issued_by -> Nullable<BigInt>,
        issued_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        used_by -> Nullable<BigInt>,
        used_at -> Nullable<BigInt>,
        ending -> Text,
        sealed -> Nullable<Text>,
        activation -> SmallInt,
    }
}

diesel::table! {
    sessions (id) {
        id -> BigInt,
        user_id -> BigInt,
        token_hash -> Binary,
        entry -> SmallInt,
        device -> Text,
        created_at -> BigInt,
        last_seen_at -> BigInt,
        ended_at -> Nullable<BigInt>,
        operator_id -> Nullable<BigInt>,
        reason -> Text,
        seal -> Nullable<Binary>,
    }
}

diesel::table! {
    contact_changes (id) {
        id -> BigInt,
        user_id -> BigInt,
        kind -> SmallInt,
        before -> Text,
        after -> Text,
        changed_at -> BigInt,
    }
}

diesel::table! {
    refused_movements (id) {
        id -> BigInt,
        user_id -> BigInt,
        refused_at -> BigInt,
        endpoint -> Text,
        reason -> Text,
        details -> Text,
        lang -> Text,
        message -> Text,
        request_id -> Text,
    }
}

diesel::table! {
    login_resets (id) {
        id -> BigInt,
        user_id -> BigInt,
        request_id -> BigInt,
        asker_half -> Nullable<Binary>,
        approver_half -> Nullable<Binary>,
        good_until -> BigInt,
        wrong_tries -> SmallInt,
        status -> SmallInt,
    }
}

diesel::table! {
    tickets (id) {
        id -> BigInt,
        ticket_hash -> Binary,
        user_id -> BigInt,
        expires_at -> BigInt,
        used_at -> Nullable<BigInt>,
        call_hash -> Nullable<Binary>,
        operator_id -> Nullable<BigInt>,
        reason -> Text,
        seal -> Nullable<Binary>,
    }
}

diesel::table! {
    operators (id) {
        id -> BigInt,
        name -> Text,
        role -> SmallInt,
        key_hash -> Binary,
        created_at -> BigInt,
        revoked_at -> Nullable<BigInt>,
        key_from -> Nullable<BigInt>,
        person -> Nullable<BigInt>,
        confirmed_by -> Nullable<BigInt>,
        confirmed_at -> Nullable<BigInt>,
        last_used_at -> Nullable<BigInt>,
        public_key -> Nullable<Binary>,
        rotated_at -> Nullable<BigInt>,
        founder_since -> Nullable<BigInt>,
        founder_rotated_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    payment_references (kind, compared) {
        kind -> SmallInt,
        compared -> Text,
        holder -> Nullable<BigInt>,
    }
}

diesel::table! {
    user_looks (user_id) {
        user_id -> BigInt,
        name_look -> Text,
        shown_look -> Text,
    }
}

diesel::table! {
    attempts (key) {
        key -> Binary,
        failures -> Text,
        lapses_at -> BigInt,
    }
}

diesel::table! {
    staff_nonces (nonce) {
        nonce -> Binary,
        good_until -> BigInt,
    }
}

diesel::table! {
    operator_days (operator_id, day) {
        operator_id -> BigInt,
        day -> BigInt,
        moved -> BigInt,
    }
}

diesel::table! {
    role_limits (role) {
        role -> SmallInt,
        at_once -> BigInt,
        daily -> BigInt,
    }
}

diesel::table! {
    money_requests (id) {
        id -> BigInt,
        kind -> SmallInt,
        old_number -> Nullable<BigInt>,
        user_id -> Nullable<BigInt>,
        advertiser_id -> Nullable<BigInt>,
        amount -> BigInt,
        reference -> Nullable<Text>,
        status -> SmallInt,
        reason -> Text,
        requested_by -> BigInt,
        requested_at -> BigInt,
        expires_at -> BigInt,
        decided_by -> Nullable<BigInt>,
        decided_at -> Nullable<BigInt>,
        written_off -> BigInt,
        cleared_at -> Nullable<BigInt>,
        product_id -> Nullable<BigInt>,
        coupon_definition_id -> Nullable<BigInt>,
        acceptor_id -> Nullable<BigInt>,
        proposal -> Nullable<Text>,
        requested_person -> BigInt,
        decided_person -> Nullable<BigInt>,
        shown_at -> Nullable<BigInt>,
        publisher_id -> Nullable<BigInt>,
        paid_by -> Nullable<BigInt>,
        paid_person -> Nullable<BigInt>,
        paid_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    audit (id) {
        id -> BigInt,
        at -> BigInt,
        operator_id -> Nullable<BigInt>,
        operator_name -> Text,
        action -> Text,
        subject -> Text,
        details -> Text,
        reason -> Text,
        prev_hash -> Binary,
        hash -> Binary,
        version -> SmallInt,
    }
}

diesel::table! {
    audit_head (id) {
        id -> SmallInt,
        records -> BigInt,
        last_id -> BigInt,
        last_at -> BigInt,
        hash -> Binary,
        seal -> Binary,
    }
}

diesel::table! {
    notifications (id) {
        id -> BigInt,
        user_id -> BigInt,
        category -> SmallInt,
        template -> Text,
        params -> Text,
        created_at -> BigInt,
        read_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    push_subscriptions (id) {
        id -> BigInt,
        user_id -> BigInt,
        session_id -> BigInt,
        endpoint -> Text,
        p256dh -> Binary,
        auth -> Binary,
        app_url -> Text,
        money -> Bool,
        sign_in -> Bool,
        service -> Bool,
        created_at -> BigInt,
        rules -> Bool,
    }
}

diesel::table! {
    push_outbox (id) {
        id -> BigInt,
        subscription_id -> BigInt,
        notice_id -> BigInt,
        created_at -> BigInt,
        due_at -> BigInt,
        tries -> SmallInt,
    }
}

diesel::table! {
    wallets (user_id) {
        user_id -> BigInt,
        available -> BigInt,
        pending -> BigInt,
        withdrawing -> BigInt,
        exchanging -> BigInt,
        deposit -> BigInt,
        promotional -> BigInt,
        advance -> BigInt,
        income -> BigInt,
        book_seq -> BigInt,
        book_head -> Binary,
    }
}

diesel::table! {
    holds (plan_id) {
        plan_id -> BigInt,
        user_id -> BigInt,
        available -> BigInt,
        promotional -> BigInt,
        coupon -> BigInt,
    }
}

diesel::table! {
    advertisers (id) {
        id -> BigInt,
        name -> Text,
        key_version -> Integer,
        claims -> BigInt,
        book_seq -> BigInt,
        book_head -> Binary,
        created_at -> BigInt,
        postback_key -> Nullable<Text>,
        daily_cap -> Nullable<BigInt>,
        claimed_day -> BigInt,
        claimed_that_day -> BigInt,
        key_origin -> SmallInt,
    }
}

diesel::table! {
    offered_keys (id) {
        id -> BigInt,
        request_id -> BigInt,
        advertiser_id -> Nullable<BigInt>,
        publisher_id -> Nullable<BigInt>,
        origin -> SmallInt,
        link_digest -> Nullable<Binary>,
        material -> Nullable<Text>,
        fingerprint -> Nullable<Text>,
        offered_at -> BigInt,
        claimed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    transactions (id) {
        id -> BigInt,
        book -> BigInt,
        book_seq -> BigInt,
        kind -> SmallInt,
        ref_type -> Text,
        ref_id -> BigInt,
        event_time -> BigInt,
        recorded_at -> BigInt,
        idempotency_key -> Nullable<Text>,
        actor -> Text,
        reason -> Text,
        prev_hash -> Binary,
        hash -> Binary,
        document -> Nullable<Binary>,
    }
}

diesel::table! {
    entries (id) {
        id -> BigInt,
        transaction_id -> BigInt,
        position -> SmallInt,
        account_kind -> SmallInt,
        owner_id -> BigInt,
        plan_id -> Nullable<BigInt>,
        amount -> BigInt,
        balance_after -> Nullable<BigInt>,
        flow -> Nullable<SmallInt>,
        available_after -> Nullable<BigInt>,
        income_after -> Nullable<BigInt>,
        ref_type -> Text,
        ref_id -> BigInt,
        remark -> Text,
        recorded_at -> BigInt,
    }
}

diesel::table! {
    idempotency_keys (user_id, key) {
        user_id -> BigInt,
        key -> Text,
        request_hash -> Binary,
        answer -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    withdrawals (id) {
        id -> BigInt,
        user_id -> BigInt,
        amount -> BigInt,
        fee -> BigInt,
        status -> SmallInt,
        destination -> Text,
        requested_at -> BigInt,
        approved_by -> Nullable<BigInt>,
        approved_at -> Nullable<BigInt>,
        paid_by -> Nullable<BigInt>,
        decided_at -> Nullable<BigInt>,
        reference -> Nullable<Text>,
        reason -> Text,
        cleared_at -> Nullable<BigInt>,
        approved_person -> Nullable<BigInt>,
    }
}

diesel::table! {
    bank_cards (user_id) {
        user_id -> BigInt,
        updated_at -> BigInt,
        destination -> Text,
    }
}

diesel::table! {
    products (id) {
        id -> BigInt,
        advertiser_id -> BigInt,
        name -> Text,
        summary -> Text,
        image -> Text,
        min_put -> BigInt,
        max_put -> BigInt,
        pricing -> SmallInt,
        price -> BigInt,
        days -> Integer,
        payout -> BigInt,
        attribution_days -> Integer,
        fee_rate -> Text,
        content -> Text,
        targeting -> Text,
        landing_url -> Nullable<Text>,
        active -> Bool,
        created_at -> BigInt,
        draft -> Bool,
        conversions_per_click -> Integer,
        openrtb -> Nullable<Text>,
    }
}

diesel::table! {
    slots (id) {
        id -> BigInt,
        key -> Text,
        content_types -> Text,
        audience -> Text,
        active -> Bool,
        created_at -> BigInt,
        publisher_id -> BigInt,
    }
}

diesel::table! {
    publishers (id) {
        id -> BigInt,
        name -> Text,
        name_key -> Text,
        domain -> Nullable<Text>,
        contact -> Nullable<Text>,
        status -> SmallInt,
        created_at -> BigInt,
        share_parts -> BigInt,
        destination -> Nullable<Text>,
        destination_since -> Nullable<BigInt>,
        book_seq -> BigInt,
        book_head -> Binary,
        key_digest -> Nullable<Text>,
        key_since -> Nullable<BigInt>,
        kind -> SmallInt,
        key_origin -> SmallInt,
    }
}

diesel::table! {
    server_processes (holder) {
        holder -> Text,
        seen_at -> BigInt,
    }
}

diesel::table! {
    slot_requests (slot_id, day, holder) {
        slot_id -> BigInt,
        day -> BigInt,
        holder -> Text,
        requests -> BigInt,
        filled -> BigInt,
    }
}

diesel::table! {
    ssps (publisher_id) {
        publisher_id -> BigInt,
        slot_id -> BigInt,
        key_hash -> Nullable<Binary>,
        seat -> Nullable<Text>,
        silent -> Bool,
        unconfirmed -> Nullable<Text>,
        key_origin -> SmallInt,
    }
}

diesel::table! {
    ssp_views (slot_id, day) {
        slot_id -> BigInt,
        day -> BigInt,
        by_picture -> BigInt,
        by_notice -> BigInt,
        confirmed -> BigInt,
    }
}

diesel::table! {
    ssp_days (publisher_id, day, outcome) {
        publisher_id -> BigInt,
        day -> BigInt,
        outcome -> SmallInt,
        number -> BigInt,
    }
}

diesel::table! {
    plan_bids (plan_id, slot_id) {
        plan_id -> BigInt,
        slot_id -> BigInt,
        bids -> BigInt,
    }
}

diesel::table! {
    plan_sources (plan_id, slot_id, source) {
        plan_id -> BigInt,
        slot_id -> BigInt,
        source -> Text,
        impressions -> BigInt,
        clicks -> BigInt,
        viewable -> BigInt,
        cost_milli -> BigInt,
    }
}

diesel::table! {
    plan_slots (plan_id, slot_id) {
        plan_id -> BigInt,
        slot_id -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        filtered -> BigInt,
        cost_milli -> BigInt,
        billed -> BigInt,
        earned -> BigInt,
        earned_carry -> BigInt,
        viewable -> BigInt,
        owed_milli -> BigInt,
    }
}

diesel::table! {
    undivided_plans (plan_id) {
        plan_id -> BigInt,
        up_to_event -> BigInt,
        slot_id -> BigInt,
        carried_milli -> BigInt,
    }
}

diesel::table! {
    slot_days (plan_id, slot_id, day, publisher_id) {
        plan_id -> BigInt,
        slot_id -> BigInt,
        day -> BigInt,
        publisher_id -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        billed -> BigInt,
        earned -> BigInt,
        viewable -> BigInt,
        by_picture -> BigInt,
        by_notice -> BigInt,
        confirmed -> BigInt,
    }
}

diesel::table! {
    slot_day_filtered (plan_id, slot_id, day, publisher_id, reason) {
        plan_id -> BigInt,
        slot_id -> BigInt,
        day -> BigInt,
        publisher_id -> BigInt,
        reason -> SmallInt,
        number -> BigInt,
    }
}

diesel::table! {
    bill_parts (plan_id, transaction_id, slot_id) {
        plan_id -> BigInt,
        transaction_id -> BigInt,
        slot_id -> BigInt,
        publisher_id -> BigInt,
        share_parts -> BigInt,
        billed -> BigInt,
        earned -> BigInt,
    }
}

diesel::table! {
    plans (id) {
        id -> BigInt,
        plan_no -> Text,
        user_id -> BigInt,
        product_id -> BigInt,
        advertiser_id -> BigInt,
        status -> SmallInt,
        reason -> Text,
        official -> Bool,
        paused -> Bool,
        content_type -> Nullable<SmallInt>,
        unit_milli -> BigInt,
        pricing -> SmallInt,
        price -> BigInt,
        days -> Integer,
        payout -> BigInt,
        attribution_days -> Integer,
        fee_rate -> Text,
        created_at -> BigInt,
        put_at -> Nullable<BigInt>,
        started_at -> Nullable<BigInt>,
        due_at -> Nullable<BigInt>,
        finished_at -> Nullable<BigInt>,
        settles_at -> Nullable<BigInt>,
        settled_at -> Nullable<BigInt>,
        next_at -> Nullable<BigInt>,
        changed_at -> BigInt,
        coupon_id -> Nullable<BigInt>,
        ai_delivery -> Bool,
        followed_id -> Nullable<Text>,
        conversions_per_click -> Integer,
        landing_url -> Nullable<Text>,
        daily_cap -> Nullable<BigInt>,
    }
}

// More columns of `plans`. With tables of more than 32 columns, Diesel's traits would take a minute to compile.
diesel::table! {
    #[sql_name = "plans"]
    plan_figures (id) {
        id -> BigInt,
        put_amount -> BigInt,
        paid_amount -> BigInt,
        added_amount -> BigInt,
        reserved_milli -> BigInt,
        booked_milli -> BigInt,
        rolled_milli -> BigInt,
        rolled_event_id -> BigInt,
        rolled_conversion_id -> BigInt,
        rolled_at -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        viewable -> BigInt,
        filtered -> BigInt,
        conversions -> BigInt,
        billed -> BigInt,
        returned -> BigInt,
        revenue -> BigInt,
        fee -> BigInt,
        reckoned_milli -> BigInt,
        reckoned_revenue -> BigInt,
        reckoned_settled -> Bool,
        refunded -> BigInt,
        refunded_given -> BigInt,
        daily_cap -> Nullable<BigInt>,
        zone -> Text,
        day_begins_at -> BigInt,
        day_ends_at -> BigInt,
        day_used_milli -> BigInt,
        lowered -> Text,
    }
}

diesel::table! {
    #[sql_name = "plans"]
    plan_schedules (id) {
        id -> BigInt,
        begins_at -> Nullable<BigInt>,
        ends_at -> Nullable<BigInt>,
        hours -> Nullable<Text>,
        hours_zone -> Nullable<Text>,
    }
}

diesel::table! {
    plan_transitions (id) {
        id -> BigInt,
        plan_id -> BigInt,
        status -> SmallInt,
        reason -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    won_offers (nonce) {
        nonce -> Binary,
        lease_id -> BigInt,
        until -> BigInt,
    }
}

diesel::table! {
    leases (id) {
        id -> BigInt,
        plan_id -> BigInt,
        holder -> Text,
        left_milli -> BigInt,
        ends_at -> BigInt,
        exchanges_milli -> BigInt,
    }
}

diesel::table! {
    events (id) {
        id -> BigInt,
        plan_id -> BigInt,
        kind -> SmallInt,
        nonce -> Binary,
        slot_id -> Nullable<BigInt>,
        realm -> SmallInt,
        at -> BigInt,
        filed_at -> BigInt,
        valid -> Bool,
        reason -> SmallInt,
        filter_version -> SmallInt,
        price_milli -> BigInt,
        visitor -> Nullable<Binary>,
        device -> Nullable<SmallInt>,
        arm -> Nullable<SmallInt>,
        among -> Nullable<SmallInt>,
        propensity -> Nullable<Integer>,
        learned -> Nullable<BigInt>,
        cleared_milli -> Nullable<BigInt>,
        source -> Nullable<Text>,
    }
}

diesel::table! {
    event_archives (month) {
        month -> BigInt,
        begins_at -> BigInt,
        ends_at -> BigInt,
        events -> BigInt,
        first_id -> BigInt,
        last_id -> BigInt,
        file -> Text,
        bytes -> BigInt,
        sha256 -> Text,
        footer_at -> BigInt,
        footer_sha256 -> Text,
        rows_sha256 -> Text,
        archived_at -> BigInt,
        archived_by -> BigInt,
    }
}

diesel::table! {
    archived_plans (plan_id, month) {
        plan_id -> BigInt,
        month -> BigInt,
        events -> BigInt,
        first_id -> BigInt,
        last_id -> BigInt,
    }
}

diesel::table! {
    bills (plan_id, up_to_event) {
        plan_id -> BigInt,
        up_to_event -> BigInt,
        cost_milli -> BigInt,
        transaction_id -> Nullable<BigInt>,
    }
}

diesel::table! {
    corrected_events (request_id, plan_id, event_id) {
        request_id -> BigInt,
        plan_id -> BigInt,
        event_id -> BigInt,
        kind -> SmallInt,
        at -> BigInt,
        slot_id -> BigInt,
        nonce -> Binary,
        price_milli -> BigInt,
        milli -> BigInt,
        owed_milli -> BigInt,
    }
}

diesel::table! {
    delivery_refunds (id) {
        id -> BigInt,
        request_id -> BigInt,
        plan_id -> BigInt,
        user_id -> BigInt,
        publisher_id -> BigInt,
        amount -> BigInt,
        own -> BigInt,
        promotional -> BigInt,
        coupon -> BigInt,
        taken -> BigInt,
        refunded_at -> BigInt,
    }
}

diesel::table! {
    conversions (id) {
        id -> BigInt,
        advertiser_id -> BigInt,
        event_key -> Text,
        click_id -> Text,
        plan_id -> Nullable<BigInt>,
        occurred_at -> BigInt,
        received_at -> BigInt,
        realm -> SmallInt,
        accepted -> Bool,
        reason -> SmallInt,
        payout -> BigInt,
        reversed_at -> Nullable<BigInt>,
        arm -> Nullable<SmallInt>,
        slot_id -> Nullable<BigInt>,
        source -> Nullable<Text>,
        device -> Nullable<SmallInt>,
    }
}

diesel::table! {
    plan_arms (plan_id, arm) {
        plan_id -> BigInt,
        arm -> SmallInt,
        content_type -> SmallInt,
        audience -> Text,
        prior -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        conversions -> BigInt,
        held_impressions -> BigInt,
        held_clicks -> BigInt,
        held_conversions -> BigInt,
    }
}

diesel::table! {
    plan_stats (plan_id, quarter) {
        plan_id -> BigInt,
        quarter -> BigInt,
        user_id -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        filtered -> BigInt,
        conversions -> BigInt,
        consumed -> BigInt,
        revenue -> BigInt,
        platform_paid -> BigInt,
        used_milli -> BigInt,
        used -> BigInt,
        platform_used -> BigInt,
        fee -> BigInt,
        corrected -> BigInt,
    }
}

diesel::table! {
    plan_videos (plan_id) {
        plan_id -> BigInt,
        started -> BigInt,
        first_quartile -> BigInt,
        midpoint -> BigInt,
        third_quartile -> BigInt,
        completed -> BigInt,
        skipped -> BigInt,
    }
}

diesel::table! {
    played_views (nonce) {
        nonce -> Binary,
        plan_id -> BigInt,
        reported -> SmallInt,
        counted -> SmallInt,
        issued_at -> BigInt,
    }
}

diesel::table! {
    plan_results (plan_id) {
        plan_id -> BigInt,
        user_id -> BigInt,
        profit -> BigInt,
        return_millionths -> BigInt,
        consumed -> BigInt,
        conversions -> BigInt,
    }
}

diesel::table! {
    plan_exclusions (user_id, plan_id, slot_id, source) {
        user_id -> BigInt,
        plan_id -> BigInt,
        slot_id -> BigInt,
        source -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    plan_rules (plan_id, kind) {
        plan_id -> BigInt,
        kind -> SmallInt,
        action -> SmallInt,
        amount -> Nullable<BigInt>,
        since -> BigInt,
        crossed_at -> Nullable<BigInt>,
        told_at -> Nullable<BigInt>,
        due_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    user_parts (user_id, dimension, part, quarter) {
        user_id -> BigInt,
        dimension -> SmallInt,
        part -> Text,
        quarter -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        conversions -> BigInt,
        revenue -> BigInt,
        used_milli -> BigInt,
    }
}

diesel::table! {
    user_profits (user_id, quarter) {
        user_id -> BigInt,
        quarter -> BigInt,
        used -> BigInt,
        platform_used -> BigInt,
        fee -> BigInt,
        settled_profit -> BigInt,
        corrected -> BigInt,
    }
}

diesel::table! {
    user_stats (user_id, quarter) {
        user_id -> BigInt,
        quarter -> BigInt,
        impressions -> BigInt,
        clicks -> BigInt,
        consumed -> BigInt,
        revenue -> BigInt,
        orders -> BigInt,
        invested -> BigInt,
        settled -> BigInt,
        platform_paid -> BigInt,
    }
}

diesel::table! {
    unbilled_plans (plan_id) {
        plan_id -> BigInt,
        user_id -> BigInt,
        bill_at -> BigInt,
    }
}

diesel::table! {
    unrolled_plans (plan_id) {
        plan_id -> BigInt,
        rolled_at -> BigInt,
    }
}

diesel::table! {
    files (id) {
        id -> Text,
        user_id -> Nullable<BigInt>,
        mime -> Text,
        width -> Integer,
        height -> Integer,
        size -> BigInt,
        created_at -> BigInt,
        private -> Bool,
    }
}

diesel::table! {
    coupon_definitions (id) {
        id -> BigInt,
        name -> Text,
        kind -> SmallInt,
        effect -> SmallInt,
        rate -> Nullable<Text>,
        amount -> Nullable<BigInt>,
        max_value -> Nullable<BigInt>,
        min_amount -> BigInt,
        days -> Nullable<Integer>,
        ends_at -> Nullable<BigInt>,
        operated_id -> Nullable<Text>,
        activity -> Nullable<Text>,
        created_at -> BigInt,
        draft -> Bool,
        quantity -> BigInt,
        given -> BigInt,
    }
}

diesel::table! {
    coupons (id) {
        id -> BigInt,
        user_id -> BigInt,
        definition_id -> BigInt,
        activity -> Nullable<Text>,
        received_at -> BigInt,
        expires_at -> BigInt,
        used_at -> Nullable<BigInt>,
        plan_id -> Nullable<BigInt>,
        used_day_ends_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    credit_events (id) {
        id -> BigInt,
        user_id -> BigInt,
        at -> BigInt,
        reason -> SmallInt,
        change -> Integer,
        score -> Integer,
        ref_type -> Text,
        ref_id -> BigInt,
    }
}

diesel::table! {
    acceptors (id) {
        id -> BigInt,
        name -> Text,
        kind -> SmallInt,
        code_hash -> Binary,
        order_limit -> BigInt,
        daily_limit -> Nullable<BigInt>,
        quote_seconds -> Integer,
        active -> Bool,
        created_at -> BigInt,
        draft -> Bool,
    }
}

diesel::table! {
    acceptor_rates (acceptor_id, currency) {
        acceptor_id -> BigInt,
        currency -> Text,
        rate -> Text,
        changed_at -> BigInt,
        rate_before -> Nullable<Text>,
    }
}

diesel::table! {
    exchange_quotes (id) {
        id -> BigInt,
        user_id -> BigInt,
        acceptor_id -> BigInt,
        currency -> Text,
        rate -> Text,
        expires_at -> BigInt,
    }
}

diesel::table! {
    exchange_orders (id) {
        id -> BigInt,
        user_id -> BigInt,
        acceptor_id -> BigInt,
        amount -> BigInt,
        currency -> Text,
        rate -> Text,
        receives -> Text,
        status -> SmallInt,
        created_at -> BigInt,
        approved_by -> Nullable<BigInt>,
        approved_at -> Nullable<BigInt>,
        completed_by -> Nullable<BigInt>,
        decided_at -> Nullable<BigInt>,
        reason -> Text,
        approved_person -> Nullable<BigInt>,
        terms_id -> Nullable<BigInt>,
        day_ends_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    acceptance_tries (user_id) {
        user_id -> BigInt,
        wrong -> Integer,
        locked_until -> Nullable<BigInt>,
    }
}

diesel::table! {
    announcements (id) {
        id -> BigInt,
        category -> SmallInt,
        texts -> Text,
        lang -> Nullable<Text>,
        starts_at -> BigInt,
        created_at -> BigInt,
    }
}

diesel::table! {
    announcement_reads (user_id, announcement_id) {
        user_id -> BigInt,
        announcement_id -> BigInt,
        read_at -> BigInt,
    }
}

diesel::table! {
    announcement_marks (user_id, category) {
        user_id -> BigInt,
        category -> SmallInt,
        read_through -> BigInt,
    }
}

diesel::table! {
    feedback (id) {
        id -> BigInt,
        user_id -> BigInt,
        topic -> Text,
        content -> Text,
        images -> Text,
        status -> SmallInt,
        reply -> Text,
        created_at -> BigInt,
        closed_by -> Nullable<BigInt>,
        closed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    conversations (user_id) {
        user_id -> BigInt,
        status -> SmallInt,
        waits -> Bool,
        last_message -> BigInt,
        last_by_user -> BigInt,
        last_by_staff -> BigInt,
        read_by_user -> BigInt,
        read_by_staff -> BigInt,
        changed_at -> BigInt,
    }
}

diesel::table! {
    messages (id) {
        id -> BigInt,
        user_id -> BigInt,
        author -> SmallInt,
        operator_id -> Nullable<BigInt>,
        text -> Text,
        pictures -> Text,
        client_key -> Nullable<Text>,
        created_at -> BigInt,
    }
}

diesel::table! {
    bank_statements (id) {
        id -> BigInt,
        account -> Text,
        currency -> Text,
        number -> Text,
        from_on -> BigInt,
        to_on -> BigInt,
        opening -> Nullable<BigInt>,
        closing -> Nullable<BigInt>,
        left_out -> BigInt,
        digest -> Binary,
        imported_by -> BigInt,
        imported_at -> BigInt,
    }
}

diesel::table! {
    bank_lines (id) {
        id -> BigInt,
        statement_id -> BigInt,
        account -> Text,
        line_key -> Text,
        booked_on -> BigInt,
        amount -> BigInt,
        reference_texts -> Text,
        counterparty -> Text,
        description -> Text,
        reversal -> Bool,
        status -> SmallInt,
        span_id -> Nullable<BigInt>,
    }
}

diesel::table! {
    bank_spans (id) {
        id -> BigInt,
        account -> Text,
        statement_id -> BigInt,
        from_on -> BigInt,
        to_on -> BigInt,
        opening -> Nullable<BigInt>,
        closing -> Nullable<BigInt>,
        part_of -> Nullable<BigInt>,
    }
}

diesel::table! {
    bank_matches (id) {
        id -> BigInt,
        line_id -> BigInt,
        request_id -> Nullable<BigInt>,
        withdrawal_id -> Nullable<BigInt>,
        status -> SmallInt,
        reason -> Text,
        proposed_by -> BigInt,
        proposed_at -> BigInt,
        confirmed_by -> Nullable<BigInt>,
        confirmed_at -> Nullable<BigInt>,
        doubted_by -> Nullable<BigInt>,
        doubted_at -> Nullable<BigInt>,
        undone_by -> Nullable<BigInt>,
        undone_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    staff_notes (id) {
        id -> BigInt,
        user_id -> BigInt,
        text -> Text,
        written_by -> BigInt,
        written_at -> BigInt,
        withdrawn_by -> Nullable<BigInt>,
        withdrawn_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    operated_accounts (id) {
        id -> BigInt,
        operated_id -> Text,
        user_id -> BigInt,
        name -> Text,
        added_at -> BigInt,
        removed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    follows (id) {
        id -> BigInt,
        user_id -> BigInt,
        operated_account -> BigInt,
        followed_at -> BigInt,
        ended_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    followed_puts (plan_id) {
        plan_id -> BigInt,
        operated_account -> BigInt,
        product_id -> BigInt,
        put_at -> BigInt,
        offered_to -> BigInt,
    }
}

diesel::table! {
    content_version (id) {
        id -> SmallInt,
        version -> BigInt,
    }
}

diesel::table! {
    contacts (id) {
        id -> BigInt,
        name -> Text,
        list -> SmallInt,
        kind -> BigInt,
        url -> Text,
        label -> Text,
        place -> Integer,
        active -> Bool,
        created_at -> BigInt,
    }
}

diesel::table! {
    questions (id) {
        id -> BigInt,
        name -> Text,
        question -> Text,
        answer -> Text,
        place -> Nullable<Integer>,
        active -> Bool,
        created_at -> BigInt,
    }
}

diesel::table! {
    activities (id) {
        id -> BigInt,
        name -> Text,
        definition_id -> BigInt,
        title -> Text,
        rules -> Text,
        starts_at -> Nullable<BigInt>,
        ends_at -> Nullable<BigInt>,
        active -> Bool,
        created_at -> BigInt,
    }
}

diesel::table! {
    sent_notices (id) {
        id -> BigInt,
        name -> Text,
        form -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    payment_files (id) {
        id -> BigInt,
        kind -> SmallInt,
        message -> Text,
        made_by -> BigInt,
        made_person -> BigInt,
        made_at -> BigInt,
        execute_on -> BigInt,
        payments -> BigInt,
        total -> BigInt,
        sha256 -> Binary,
    }
}

diesel::table! {
    exported_payments (id) {
        id -> BigInt,
        file_id -> BigInt,
        withdrawal_id -> Nullable<BigInt>,
        request_id -> Nullable<BigInt>,
        amount -> BigInt,
        end_to_end -> Text,
        doubted_by -> Nullable<BigInt>,
        doubted_person -> Nullable<BigInt>,
        doubted_at -> Nullable<BigInt>,
        freed_by -> Nullable<BigInt>,
        freed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    pay_in_accounts (id) {
        id -> BigInt,
        name -> Text,
        label -> Text,
        beneficiary -> Text,
        account -> Text,
        network -> Nullable<Text>,
        bank -> Nullable<Text>,
        bic -> Nullable<Text>,
        note -> Text,
        place -> Integer,
        active -> Bool,
        created_at -> BigInt,
    }
}

diesel::table! {
    recharge_announcements (id) {
        id -> BigInt,
        user_id -> BigInt,
        pay_in_account_id -> BigInt,
        amount -> BigInt,
        announced_at -> BigInt,
        closed_at -> Nullable<BigInt>,
        outcome -> Nullable<SmallInt>,
    }
}

diesel::joinable!(recharge_announcements -> pay_in_accounts (pay_in_account_id));
diesel::joinable!(recharge_announcements -> users (user_id));
diesel::joinable!(activities -> coupon_definitions (definition_id));
diesel::joinable!(feedback -> users (user_id));
diesel::joinable!(conversations -> users (user_id));
diesel::joinable!(conversations -> messages (last_message));
diesel::joinable!(messages -> operators (operator_id));
diesel::joinable!(operated_accounts -> users (user_id));
diesel::joinable!(follows -> operated_accounts (operated_account));
diesel::joinable!(coupons -> coupon_definitions (definition_id));
diesel::joinable!(bank_lines -> bank_statements (statement_id));
diesel::joinable!(plans -> products (product_id));
diesel::joinable!(plan_results -> plans (plan_id));
diesel::joinable!(plans -> users (user_id));
diesel::joinable!(staff_notes -> users (user_id));
diesel::joinable!(staff_notes -> operators (written_by));
diesel::joinable!(products -> advertisers (advertiser_id));
diesel::joinable!(entries -> transactions (transaction_id));
diesel::joinable!(offered_keys -> money_requests (request_id));
diesel::joinable!(sessions -> users (user_id));
diesel::joinable!(push_subscriptions -> sessions (session_id));
diesel::joinable!(withdrawals -> users (user_id));
diesel::joinable!(exchange_orders -> users (user_id));
diesel::joinable!(exported_payments -> payment_files (file_id));
diesel::joinable!(exchange_orders -> acceptors (acceptor_id));
diesel::table! {
    log_head (id) {
        id -> SmallInt,
        origin -> Text,
        checkpoint -> Text,
        reached_id -> BigInt,
        number -> SmallInt,
        signed_at -> BigInt,
    }
}

diesel::table! {
    log_keys (log, number) {
        log -> SmallInt,
        number -> SmallInt,
        key -> Text,
        since -> BigInt,
    }
}

diesel::table! {
    log_books (book) {
        book -> BigInt,
        sealed -> BigInt,
        last_leaf -> BigInt,
        month -> BigInt,
    }
}

diesel::table! {
    log_months (book, month) {
        book -> BigInt,
        month -> BigInt,
        sequence -> BigInt,
        leaf -> BigInt,
    }
}

diesel::table! {
    balance_days (origin, day) {
        origin -> Text,
        day -> BigInt,
        tree -> BigInt,
        begun_at -> BigInt,
        secret -> Binary,
        read_at -> Nullable<BigInt>,
        record -> Nullable<Text>,
        claims -> Nullable<BigInt>,
        owed -> Nullable<BigInt>,
        leaf -> Nullable<BigInt>,
    }
}

diesel::table! {
    balance_tiles (tree, first_key) {
        tree -> BigInt,
        first_key -> BigInt,
        number -> BigInt,
        leaves -> Binary,
        above -> Binary,
    }
}

diesel::table! {
    log_tiles (level, number) {
        level -> SmallInt,
        number -> BigInt,
        hashes -> Binary,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    bank_lines,
    bank_statements,
    money_requests,
    offered_keys,
    plans,
    plan_results,
    plan_exclusions,
    products,
    entries,
    transactions,
    users,
    pay_password_failures,
    wallets,
    sessions,
    holds,
    advertisers,
    withdrawals,
    operators,
    events,
    plan_stats,
    conversions,
    activities,
    coupon_definitions,
    coupons,
    acceptors,
    exchange_orders,
    feedback,
    conversations,
    messages,
    operated_accounts,
    follows,
    staff_notes,
    slots,
    publishers,
    plan_slots,
    plan_sources,
    bill_parts,
    corrected_events,
    delivery_refunds,
    ssps,
    ssp_days,
    slot_requests,
    event_archives,
    archived_plans,
    payment_files,
    exported_payments,
    pay_in_accounts,
    recharge_announcements,
    notifications,
    push_subscriptions,
    push_outbox
);
