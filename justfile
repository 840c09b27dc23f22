# `just` lists what can be done here.
_default:
    @just --list --unsorted

# Does it build?
check:
    cargo check --workspace --all-targets

# All tests.
test *args:
    cargo test --workspace {{args}}

# The tests that chance decides, with many times the games; it takes hours.
deep *args:
    OVERBOARD_TESTS=deep cargo test --release --workspace {{args}}

# The pages of games in a browser; needs what `.ci/browser` installs.
view *args:
    . .ci/browser && cargo test --package overboard --test tests view:: -- --ignored {{args}}

# The same with fifty random games of each kind.
view-deep:
    . .ci/browser && OVERBOARD_TESTS=deep cargo test --release --package overboard --test tests view:: -- --ignored

# Programs of other people play with ours, and matches under our referee; needs what `.ci/engines` installs.
engines *args:
    . .ci/engines && cargo test --package overboard --test tests serve:: -- --ignored {{args}}
    . .ci/engines && cargo test --package overboard --test matches real:: -- --ignored {{args}}

# A thousand games of each fault that an engine may have, 32 at a time; it takes an hour or two, and prints what came of each.
soak:
    cargo test --release --package overboard --test matches soak -- --ignored --nocapture

# Formatting and clippy, without mercy.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# The pages of the libraries.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Make the pictures of the documentation anew, as docs/gallery.md says.
pictures:
    UPDATE_DOCS=1 cargo test --package overboard --test tests pictures::pictures_of_the_documentation

# How fast is it?
bench *args:
    cargo bench -p overboard {{args}}

# Does each crate build from its own archive? Builds all of them again.
package:
    cargo package --workspace --locked --allow-dirty

# Feed one fuzz target for some seconds (needs a nightly toolchain and cargo-fuzz).
fuzz target seconds="60":
    cargo +nightly fuzz run --fuzz-dir tests/fuzz {{target}} -- -max_total_time={{seconds}}

# Does this program print what the one of the old house printed?
compare *args:
    cargo run --quiet --package overboard-guard -- {{args}}

# Do tables open in DuckDB, polars and pandas, as Parquet too?
tables:
    cargo build --package overboard --features parquet
    tests/tables/run target/debug/overboard jsonl csv parquet

# What has to pass before a change goes in.
ci:
    .ci/run
