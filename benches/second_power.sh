#!/bin/sh
# Power of clocked blocks, ours beside a second calculation of the same gates at the same work (benches/second_power), as the table of
# docs/cost.md. Needs yosys, Icarus and the cells; a second library is taken where there is one. Half an hour of two free processors.
#   benches/second_power.sh [options of the second calculation: --by-kind, --opensta, ... (--help)]
set -eu
cd "$(dirname "$0")/.."
warploom=${WARPLOOM:-target/release/warploom}
second=$(dirname "$warploom")/warploom-second-power
{ [ -x "$warploom" ] && [ -x "$second" ]; } || cargo build --release --locked
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# Name, then options: the library and the block.
gates() {
    name=$1 && shift
    "$warploom" synth "$@" --kernel bfs --size smoke --depth 0 --gates "$directory/$name" >/dev/null
}
blocks() {
    cells=$1 && shift
    for gated in "" --gate-clocks; do
        of="$cells${gated:+, gated}"
        gates "capt, $of" capt -m capri+slp "$@" $gated
        gates "hazard_unit, $of" hazard_unit -m spe "$@" $gated
        gates "warp_compaction_unit, $of" warp_compaction_unit -m tbc "$@" $gated
    done
}
blocks OSU018
gates "reconvergence_unit, tiny, OSU018" reconvergence_unit --preset tiny -m spe --memory-bits 100000
[ ! -e "${WARPLOOM_CELLS:-}/nangate45_typ.lib" ] || blocks "Nangate 45" --liberty nangate45_typ --clock 0.769
"$second" "$@" "$directory"/*
