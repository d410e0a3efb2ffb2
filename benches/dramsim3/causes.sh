#!/bin/sh
# What in DRAMsim3's order of commands makes a difference: the comparison with one of its rules after the other as in our controller, in a copy
# of its source (causes.patch). benches/dramsim3/causes.sh [options of the comparison]
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
# Cargo notes in it that the package comes from another place.
cp Cargo.lock "$scratch"
trap 'cp "$scratch/Cargo.lock" .; rm -rf "$scratch"' EXIT
platform=$(rustc -vV | sed -n 's/^host: //p')
manifest=$(cargo metadata --quiet --format-version 1 --locked --filter-platform "$platform" |
    jq -r '.packages[] | select(.name == "dramsim3") | .manifest_path')
cp -r "$(dirname "$manifest")" "$scratch/dramsim3"
patch -s -p1 -d "$scratch/dramsim3" <causes.patch
cargo build --quiet --config "patch.crates-io.dramsim3.path='$scratch/dramsim3'"
for rules in NO_LIMIT OLDEST_HIT COLUMNS_FIRST "NO_LIMIT OLDEST_HIT COLUMNS_FIRST"; do
    printf '# %s\n\n' "$rules"
    (for rule in $rules; do export "DRAMSIM3_$rule=1"; done && "${CARGO_TARGET_DIR:-target}/debug/warploom-dramsim3" "$@")
done
