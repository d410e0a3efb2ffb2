#!/bin/sh
# More than ten million cycles of the tiny core, without a waveform and then with 50 signals in a VCD and in an FST file:
# cycles per second, CPU time, sizes, and resident memory every two seconds. benches/waves.sh [PIXELS] (130000; 80 cycles each)
set -eu
cd "$(dirname "$0")/.."
pixels=${1:-130000}
cargo build --quiet --release
warploom=${CARGO_TARGET_DIR:-target}/release/warploom
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
signals="--signals core.issue.issue_* --signals core.issue.operand_* --signals core.issue.slot_* \
    --signals core.divergence.resolve* --signals core.divergence.fetch_*"
ticks=$(getconf CLK_TCK)
set -f

# measure FILE ARGUMENT...: one run, which may write FILE.
measure() {
    file=$1
    shift
    # Compiles the simulator, once.
    "$warploom" run mandelbrot --preset tiny --size smoke "$@" >"$directory/report" 2>/dev/null
    "$warploom" run mandelbrot --preset tiny --size "$pixels" --json "$@" >"$directory/report" &
    memory=""
    while sleep 2 && stat=$(cat /proc/$!/stat 2>/dev/null) && kb=$(awk '/VmRSS/ { print $2 }' /proc/$!/status) && [ "$kb" ]; do
        cpu=$(echo "$stat" | awk -v ticks="$ticks" '{ printf "%.1f", ($14 + $15) / ticks }')
        memory="$memory $((kb / 1024))"
    done
    wait $!
    cycles=$(awk -F '[:,]' '/"cycles":/ { print $2; exit }' "$directory/report")
    speed=$(awk -F '[:,]' '/"cycles_per_second":/ { printf "%.0f", $2 }' "$directory/report")
    size=0
    [ -e "$file" ] && size=$(($(wc -c <"$file") / 1000000))
    echo "$* : $cycles cycles, $speed cycles/s, ${cpu:-?} s of CPU, $size MB; resident, MB:$memory"
    rm -f "$file"
}

measure "$directory/none"
measure "$directory/a.vcd" --vcd "$directory/a.vcd" $signals
measure "$directory/a.fst" --fst "$directory/a.fst" $signals
