# List all recipes.
_default:
    @just --list --unsorted

# Check that everything builds.
check:
    cargo check --workspace --all-targets

# Run all tests.
test *args:
    cargo test --workspace --features overboard/schema {{args}}

# Run the randomised tests with many more games; takes hours.
deep *args:
    OVERBOARD_TESTS=deep cargo test --release --workspace {{args}}

# Test the pages of games in a browser; needs `.ci/browser`.
view *args:
    . .ci/browser && cargo test --package overboard --test tests view:: -- --ignored {{args}}

# Test the pages of fifty random games of each kind.
view-deep:
    . .ci/browser && OVERBOARD_TESTS=deep cargo test --release --package overboard --test tests view:: -- --ignored

# Test with other chess programs and engines; needs `.ci/engines`.
engines *args:
    . .ci/engines && cargo test --package overboard --test tests -- --ignored serve:: crazyhouse:: bughouse:: {{args}}
    . .ci/engines && cargo test --package overboard --test matches -- --ignored real:: crazyhouse:: {{args}}

# Play a thousand games with each kind of faulty engine, 32 at a time; takes minutes.
soak:
    cargo test --release --package overboard --test matches soak -- --ignored --nocapture

# Kill commands of events at each of their calls of the system; needs strace.
kills:
    cargo test --package overboard --test tests event_kills:: -- --include-ignored --nocapture

# Check formatting and clippy; warnings are errors.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --features overboard/schema,overboard-fuzz/targets -- -D warnings

# Build the API documentation.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Redraw the pictures of the documentation with the commands of docs/gallery.md.
pictures:
    UPDATE_DOCS=1 cargo test --package overboard --test tests pictures::pictures_of_the_documentation

# Take the screenshots of docs/view.md again; needs `.ci/browser`.
screens:
    . .ci/browser && UPDATE_DOCS=1 cargo test --package overboard --test tests view::screens -- --ignored

# Make the site in target/site: a front page with games to play through, and these pages with search.
site *program:
    packages/site {{program}}

# Make the JSON Schemas again from the types that are written.
schemas:
    UPDATE_DOCS=1 cargo test --package overboard --features schema --test tests schemas::schemas_of_the_program

# Write the cases of tests/cli again with what the commands print now.
cases *args:
    TRYCMD=overwrite cargo test --package overboard --test tests cli:: -- {{args}}

# Count in thousands of games how often each ruling matters, for docs/rulings.md; takes two hours.
rulings:
    cargo test --release --package overboard --test measure -- --ignored --nocapture
    UPDATE_DOCS=1 cargo test --package overboard --test tests rulings::

# Run the benchmarks.
bench *args:
    cargo bench -p overboard {{args}}

# Print the exponent by which the time of each command grows with its input; takes minutes.
growth *args:
    cargo bench -p overboard --bench growth {{args}}

# Print the memory of each command, for all records of the project and for generated ones; fails if it is too much.
memory:
    OVERBOARD_TESTS=deep cargo test --release --package overboard --test memory -- --nocapture

# Build each crate from its own archive.
package:
    cargo package --workspace --exclude overboard-fuzz --locked --allow-dirty

# Make the packages of a release and try each on a clean system; takes many minutes (docs/releasing.md).
packages *kinds:
    packages/make {{kinds}}
    packages/try {{kinds}}

# Check licences, sources and known faults of all dependencies; needs cargo-deny and a network.
audit:
    cargo deny --workspace --all-features --locked check

# Run one fuzz target for some seconds (needs a nightly toolchain and cargo-fuzz).
fuzz target seconds="60":
    cargo +nightly fuzz run --fuzz-dir tests/fuzz --features libfuzzer {{target}} -- -max_total_time={{seconds}}

# Run all fuzz targets, one after the other, for some seconds each, with any toolchain (tests/fuzz/README.md).
fuzz-all seconds="60":
    tests/fuzz/run {{seconds}}

# Test that tables open in DuckDB, polars and pandas, also as Parquet, and the commands of docs/questions.md; needs `.ci/tables`.
tables:
    cargo build --package overboard --features parquet
    . .ci/tables && tests/tables/run target/debug/overboard jsonl csv parquet

# Run lint, documentation and tests, as required for every change.
ci:
    .ci/run
