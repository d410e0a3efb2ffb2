#!/usr/bin/env bash
# Runs every example here, and says which are skipped since a tool is missing (with WARPLOOM_REQUIRE_TOOLS=1: fails).
#   examples/run.sh [WARPLOOM]: with this program; by default the one that `cargo build` makes
set -euo pipefail
here=$(realpath "$(dirname "$0")")
target=$(realpath -m "${CARGO_TARGET_DIR:-$here/../target}")
WARPLOOM=$(realpath -m "${1:-$target/debug/warploom}")
[ -x "$WARPLOOM" ] || { echo "no $WARPLOOM: build it with cargo build, or name it"; exit 2; }
cd "$here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

needs() {
    local tool missing=()
    for tool in "$@"; do type -P "$tool" >/dev/null || missing+=("$tool"); done
    [ ${#missing[@]} = 0 ] && return
    echo "skipped: no ${missing[*]} (warploom doctor says how to install it)"
    [ -z "${WARPLOOM_REQUIRE_TOOLS:-}" ] || exit 1
    exit 0
}

# With the profile of the workspace, what it has compiled of other crates is not compiled once more.
own_module() {
    needs cargo rustc
    sed -n '/^\[profile/,$p' ../Cargo.toml >"$work/profile.toml"
    local options=(--config "$work/profile.toml")
    for crate in hdl sim; do
        options+=(--config "profile.dev.package.warploom-$crate.opt-level=0")
        options+=(--config "profile.dev.package.warploom-$crate.codegen-units=16")
    done
    CARGO_TARGET_DIR=$target cargo run --quiet --locked --manifest-path own-module/Cargo.toml "${options[@]}" -- "$work/own-module"
    grep -q 'enddefinitions' "$work/own-module/min_pc.vcd"
}

verilator() {
    needs verilator g++ make
    make --silent -C verilator WARPLOOM="$WARPLOOM" BUILD="$work/verilator"
}

icarus() {
    needs iverilog vvp make
    make --silent -C icarus WARPLOOM="$WARPLOOM" BUILD="$work/icarus"
}

# The system's Python has the packages of apt, if there is another one before it.
notebook() {
    needs python3
    local python=python3
    "$python" -c 'import pandas, matplotlib' 2>/dev/null || [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
    mkdir "$work/notebook"
    "$WARPLOOM" compare gcd histogram --preset tiny --size smoke --mechanisms spe,tbc --json >"$work/notebook/runs.json"
    "$python" notebook/compare.py "$work/notebook/runs.json"
}

run() {
    set +e
    (set -e; "$1") >"$work/$1.log" 2>&1
    echo "$?" >"$work/$1.status"
    set -e
}

# One on a processor, the others on another.
examples=(own_module verilator icarus notebook)
run own_module &
for example in "${examples[@]:1}"; do run "$example"; done
wait

status=0
for example in "${examples[@]}"; do
    echo "-- ${example/_/-}"
    cat "$work/$example.log"
    [ "$(cat "$work/$example.status")" = 0 ] || { echo "FAILED"; status=1; }
done
exit "$status"
