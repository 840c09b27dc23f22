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

# Formatting and clippy, without mercy.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# The pages of the libraries.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# How fast is it?
bench *args:
    cargo bench -p overboard {{args}}

# Does each crate build from its own archive? Builds all of them again.
package:
    cargo package --workspace --locked --allow-dirty

# Feed one fuzz target for some seconds (needs a nightly toolchain and cargo-fuzz).
fuzz target seconds="60":
    cargo +nightly fuzz run --fuzz-dir tests/fuzz {{target}} -- -max_total_time={{seconds}}

# Feed all fuzz targets, one after the other, for so many seconds each.
fuzz-all seconds="60":
    for target in $(cargo +nightly fuzz list --fuzz-dir tests/fuzz); do cargo +nightly fuzz run --fuzz-dir tests/fuzz "$target" -- -max_total_time={{seconds}} -timeout=1 -rss_limit_mb=256 || exit 1; done

# Does this program print what the one of the old house printed?
compare *args:
    cargo run --quiet --package overboard-guard -- {{args}}

# What has to pass before a change goes in.
ci:
    .ci/run
