# Everything there is to do with Placard. Without `just` installed, any recipe
# runs as `npx -y rust-just RECIPE`.

set shell := ["bash", "-euo", "pipefail", "-c"]

release := "cargo build --locked --release"

default:
    @just --list 2>/dev/null || npx -y rust-just --list

# Build what is missing, seed the demonstration and start it at http://127.0.0.1:8080
run: frontend
    cargo build --quiet --bins
    scripts/run

# Check everything: format, lints, types, and every test, on the databases and in a browser
test:
    scripts/test

# The server is the one that `build` leaves. Only what makes the load has the tests' helpers; the server is named with it
# so that third parties are compiled once for both.

# Load the server on both databases, and print one table: docs/BENCHMARKS.md
bench: frontend
    {{release}} --quiet -p placard-server
    {{release}} --quiet -p placard-server -p placard-bench --bin placard-bench
    PLACARD_FSYNC=on scripts/with-postgres "${CARGO_TARGET_DIR:-target}/release/placard-bench" | tee "${CARGO_TARGET_DIR:-target}/bench.txt"

# The same, and write it into docs/BENCHMARKS.md
bench-document: bench
    python3 docs/benchmarks.py "${CARGO_TARGET_DIR:-target}/bench.txt" "$(git rev-parse --short HEAD)"

# Leave target/release/placard-server, with the frontend inside, target/release/placard and target/release/placard-verify
build: frontend
    {{release}} -p placard-server -p placard -p proof

# Leave a Debian package of the programs and lists of their parts in target/package, and try it
package: build
    scripts/package
    scripts/package-test

# Server and frontend with hot reload, at http://127.0.0.1:5173
dev: npm
    cargo build --quiet --bins
    PLACARD_DEV=1 scripts/run

# Show every component of the frontend in all its states, at http://127.0.0.1:5174
gallery: npm
    cd frontend && npm run --silent gallery

# Upgrade two servers at work, kill primaries under load, and restore a lost database: docs/OPERATIONS.md
drill: frontend
    scripts/drill

# Make up what strangers might write, a minute (or SECONDS) for each reader of it
fuzz SECONDS='60' *TARGETS='':
    scripts/fuzz {{SECONDS}} {{TARGETS}}

# Break the domain crates in small ways, and say which of it no test notices: docs/MUTANTS.md
mutants *CRATES='':
    scripts/mutants {{CRATES}}

# Bring all code into its form
fmt: npm
    cargo fmt --all
    cd frontend && npm run --silent format

# Find what the compiler lets pass
lint: npm
    cargo fmt --all --check
    cargo clippy --quiet --workspace --all-targets -- -D warnings
    cd frontend && npm run --silent lint && npm run --silent typecheck

# Write the API's description anew, and the frontend's types from it
api: npm
    UPDATE_OPENAPI=1 cargo test --quiet -p http-api --test openapi
    cd frontend && npm run --silent api:types

# Draw the README's pictures anew, from the demonstration
pictures: frontend
    cargo build --quiet --bins
    cd frontend && npx playwright test --config pictures readme

# Photograph and check every screen in these languages, or in all twelve: docs/LANGUAGES.md
screens *LANGS: npm
    cargo build --quiet --bins
    cd frontend && PLACARD_SCREENS='{{LANGS}}' npx playwright test --config pictures screens

# Run the story and every screen in WebKit and Gecko: docs/FRONTEND.md
engines: frontend
    scripts/setup engines
    cargo build --quiet --bins
    cd frontend && npm run --silent engines

# Install what the tests need beyond Rust and Node
setup:
    scripts/setup

[private]
npm:
    scripts/npm-install

[private]
frontend: npm
    cd frontend && npm run --silent build -- --logLevel warn
