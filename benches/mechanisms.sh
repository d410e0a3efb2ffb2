#!/bin/sh
# What each mechanism does to each kernel, as the Markdown table of docs/results.md. Needs jq.
#   benches/mechanisms.sh ["KERNELS" ["MECHANISMS" [options of `warploom run`]]]
set -eu
cd "$(dirname "$0")/.."
kernels=${1:-"bitonic bitonic_shared backprop reduction lud qsort stencil bfs gcd mandelbrot vecadd matmul transpose"}
mechanisms=${2:-"spe tbc tbc-plus capri tbc-plus+slp capri+slp"}
[ $# -ge 2 ] && shift 2 || shift $#
warploom=${WARPLOOM:-target/release/warploom}
[ -x "$warploom" ] || cargo build --release --locked

echo "| kernel | mechanism | cycles | of spe | SIMD utilisation | idle cycles | waiting to be compacted | P-paths compacted / ideal / all | D-paths |"
echo "|---|---|---|---|---|---|---|---|---|"
for kernel in $kernels; do
    base=
    for mechanism in $mechanisms; do
        report=$("$warploom" run "$kernel" -m "$mechanism" --json "$@")
        [ -n "$base" ] || base=$(echo "$report" | jq .cycles)
        echo "$report" | jq -r --argjson base "$base" '
            def percent: . * 1000 | round / 10 | tostring + " %";
            def paths($class): if .compaction == null then "" else
                "\(.compaction[$class + "_paths_compacted"]) / \(.compaction[$class + "_paths_compactable"]) / \(.compaction[$class + "_paths"])"
                end;
            if .result != "pass" then error(.kernel + " " + .result) else . end |
            "| \(.kernel) | \(.mechanism) | \(.cycles) | \(.cycles / $base | percent) | \(.simd_utilization | percent) | \(.idle_cycles) | \(.issue_slots.compaction) | \(paths("p")) | \(paths("d")) |"'
    done
done
