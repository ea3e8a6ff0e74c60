#!/usr/bin/env python3
"""What an installation of a given number of users asks of its databases, and
which limit it meets first.

Prints the tables that docs/CAPACITY.md quotes. Change an assumption or a
measurement below and run it again; `--check docs/CAPACITY.md` fails where the
page quotes other figures, `--write docs/CAPACITY.md` quotes these.
"""
import math
import random
import sys

# What is assumed. Nobody has measured a hundred million users.
ACTIVE = 0.10  # of all users, on one day
PLANS = 0.5  # running plans for each active user
EVENTS_A_PLAN = 24  # impressions of a plan on one day
BUDGET_EVENTS = 1_000  # that a plan's budget pays for, or those of so many days where that is more:
BUDGET_DAYS = 10
CLICKS = 0.02  # of impressions
CONVERSIONS = 0.05  # of clicks
MOVEMENTS = 0.25  # puts, withdrawals and settlements for each active user and day
ENTRIES_A_MOVEMENT = 2.4
ENTRIES_A_BILL = 3
PASSWORDS = 0.6  # for each active user and day: signing in, the transaction password
PEAK = 4  # the busiest second, over the mean of the day
YEARS = 1  # that events and ledger stay on the database itself

# What was measured; docs/CAPACITY.md says how and on what.
# The rule of crates/plans/src/billing.rs: a twentieth of the budget, a hundred events, or the day's last quarter hour.
COUNT_EVERY_SECONDS = 15  # a running plan's counts, and so its bills, are at least as far apart
MATERIAL_PART = 20
MATERIAL_EVENTS = 100
CLOSING = 86_400 - 900
EVENTS_A_SECOND = 14_071  # events_pg, PostgreSQL, 64 callers, 2 shared cores
MOVEMENTS_A_SECOND = 4_624  # withdrawals_pg_c64, PostgreSQL, 64 callers, 2 shared cores
# Not measured by themselves: taken to be movements, since both are batches under the same locks.
COUNTS_A_SECOND = MOVEMENTS_A_SECOND
BILLS_A_SECOND = MOVEMENTS_A_SECOND
PASSWORD_SECONDS = 0.034  # of one core
# With indexes, on a filled database.
ROW_BYTES = {"events": 373, "transactions": 265, "entries": 295, "plan_stats": 430, "plans": 4444, "users": 593}
LOG_BYTES_AN_EVENT = 3799  # a creative served, seen, counted, and its part of a bill as there were when each count was billed
LOG_BYTES_A_MOVEMENT = 2400

# One machine of the kind that is rented: what a database or server is taken to be.
CORES = 32
SCALE = CORES / 2 / 2  # the measurements are of 2 cores; half of what more cores promise is believed
DISK_BYTES = 8e12
LOG_BYTES_A_SECOND = 100e6  # what a disk and a replica's network keep up with
PASSWORD_CORES = 64  # of all servers together

DAY = 86_400
USERS = [10**5, 10**6, 10**7, 10**8]


def counts_a_plan(events):
    """A plan is counted at an event, or an interval after the count before where
    that comes later: events at random share a count only when they crowd."""
    rate = events / DAY
    return DAY / (COUNT_EVERY_SECONDS + math.exp(-rate * COUNT_EVERY_SECONDS) / rate)


def material(events):
    """So many events are billed at once."""
    return min(MATERIAL_EVENTS, max(BUDGET_EVENTS, events * BUDGET_DAYS) / MATERIAL_PART)


def bills_a_plan(events):
    """A bill at the first count that finds so many events, and one of what is left at
    the end of the day."""
    crowd = events / counts_a_plan(events)
    on_bill = material(events) + (crowd - 1) / 2 if crowd < material(events) else crowd
    return events // on_bill + 1


def simulated_bills(events, plans):
    """The same by trying it out."""
    chance, bills = random.Random(1), 0
    for _ in range(plans):
        count_at, counted_at, unbilled, closed = None, -COUNT_EVERY_SECONDS, 0, False
        for at in [*sorted(chance.uniform(0, DAY) for _ in range(events)), math.inf]:
            if count_at is not None and at > count_at:  # else that count covers it
                counted_at, count_at = count_at, None
                if unbilled >= material(events):
                    bills, unbilled = bills + 1, 0
            if at >= CLOSING and not closed:
                bills, unbilled, closed = bills + (unbilled > 0), 0, True
            unbilled += 1
            if count_at is None:
                count_at = max(at, counted_at + COUNT_EVERY_SECONDS)
    return bills / plans


def load(users):
    """What `users` ask for: a day's rows, and the busiest second's rates."""
    active = users * ACTIVE
    plans = active * PLANS
    events = plans * EVENTS_A_PLAN * (1 + CLICKS * (1 + CONVERSIONS))
    counts = plans * counts_a_plan(EVENTS_A_PLAN)
    bills = plans * bills_a_plan(EVENTS_A_PLAN)
    movements = active * MOVEMENTS
    entries = movements * ENTRIES_A_MOVEMENT + bills * ENTRIES_A_BILL
    quarters = plans * 96 * (1 - math.exp(-EVENTS_A_PLAN / 96))
    day_bytes = (
        events * ROW_BYTES["events"]
        + (movements + bills) * ROW_BYTES["transactions"]
        + entries * ROW_BYTES["entries"]
        + quarters * ROW_BYTES["plan_stats"]
    )
    log = plans * EVENTS_A_PLAN * LOG_BYTES_AN_EVENT + movements * LOG_BYTES_A_MOVEMENT
    return {
        "events": events * PEAK / DAY,
        "movements": movements * PEAK / DAY,
        "counts": counts * PEAK / DAY,
        # Those of quiet plans all come in the last quarter hour of the day.
        "bills": bills / (DAY - CLOSING),
        "passwords": active * PASSWORDS * PASSWORD_SECONDS * PEAK / DAY,
        "log": log * PEAK / DAY,
        "log_day": log,
        "disk": day_bytes * 365 * YEARS + users * (ROW_BYTES["users"] + 2 * ROW_BYTES["plans"]),
    }


def share(asks):
    """Of the measured machine, what the writes take: they share its cores. The
    end of the day is not the busiest time for events, so either comes first."""
    day = asks["events"] / EVENTS_A_SECOND + asks["counts"] / COUNTS_A_SECOND + asks["movements"] / MOVEMENTS_A_SECOND
    return max(day, day / PEAK + asks["bills"] / BILLS_A_SECOND)


def limits():
    """How many users meet each limit, the nearest first."""
    one = {name: value / 10**8 for name, value in load(10**8).items()}
    return sorted(
        [
            ("writes of one database, 2 cores as measured", 1 / share(one)),
            (f"writes of one database, {CORES} cores, assumed", SCALE / share(one)),
            (f"{YEARS} year of rows on {DISK_BYTES / 1e12:.0f} TB", DISK_BYTES / one["disk"]),
            (f"log and replication, {LOG_BYTES_A_SECOND / 1e6:.0f} MB/s", LOG_BYTES_A_SECOND / one["log"]),
            (f"passwords, {PASSWORD_CORES} cores of servers", PASSWORD_CORES / one["passwords"]),
        ],
        key=lambda limit: limit[1],
    )


def short(number):
    for size, unit in [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")]:
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return f"{number:.1f}"


def table():
    lines = ["users      events/s   counts/s  movements/s   bills/s  cores for      log   archive  rows kept  databases"]
    lines += ["                                              at 23:45  passwords      B/s     B/day          B     needed"]
    for users in USERS:
        asks = load(users)
        needed = max(share(asks) / SCALE, asks["disk"] / DISK_BYTES, asks["log"] / LOG_BYTES_A_SECOND)
        lines.append(
            f"{users:<11,}{short(asks['events']):>8} {short(asks['counts']):>10} {short(asks['movements']):>12} {short(asks['bills']):>9}"
            f" {asks['passwords']:>10.1f} {short(asks['log']):>8}{short(asks['log_day']):>10}"
            f"{short(asks['disk']):>11}{math.ceil(needed):>11}"
        )
    lines += ["", "limit of one installation with one database        met at users"]
    lines += [f"{name:<50}{short(users):>13}" for name, users in limits()]
    lines += ["", "bills a plan and day, by its events             formula   simulated"]
    for events, plans in [(EVENTS_A_PLAN, 100), (1_000, 40), (20_000, 10), (1_000_000, 1)]:
        lines.append(f"{events:<47,}{bills_a_plan(events):>8.0f}{simulated_bills(events, plans):>12.0f}")
    return "\n".join(lines)


def main():
    text = table()
    if len(sys.argv) < 3:
        print(text)
        return
    how, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as page:
        was = page.read()
    begin, end = "<!-- docs/capacity.py -->\n```\n", "\n```\n<!-- end -->"
    head, rest = was.split(begin)
    quoted, tail = rest.split(end)
    if how == "--write":
        with open(path, "w", encoding="utf-8") as page:
            page.write(head + begin + text + end + tail)
    elif quoted != text:
        sys.exit(f"{path} quotes other figures: run python3 docs/capacity.py --write {path}")


if __name__ == "__main__":
    main()
