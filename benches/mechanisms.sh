#!/bin/sh
# What each mechanism does to each kernel, as the Markdown table of docs/results.md. Needs jq.
#   benches/mechanisms.sh ["KERNELS" ["MECHANISMS" [options of `warploom run`]]], "" for the default
set -eu
cd "$(dirname "$0")/.."
. benches/each_run.sh

echo "| kernel | mechanism | cycles | of spe | SIMD utilisation | idle cycles | waiting to be compacted | P-paths compacted / ideal / all | D-paths |"
echo "|---|---|---|---|---|---|---|---|---|"
each_run "bitonic bitonic_shared backprop reduction lud qsort stencil bfs gcd mandelbrot vecadd matmul transpose" \
    "spe tbc tbc-plus capri tbc-plus+slp capri+slp" '
    def percent: . * 1000 | round / 10 | tostring + " %";
    def paths($class): if .compaction == null then "" else
        "\(.compaction[$class + "_paths_compacted"]) / \(.compaction[$class + "_paths_compactable"]) / \(.compaction[$class + "_paths"])"
        end;
    "| \(.kernel) | \(.mechanism) | \(.cycles) | \(.cycles / $base.cycles | percent) | \(.simd_utilization | percent) | \(.idle_cycles) | \(.issue_slots.compaction) | \(paths("p")) | \(paths("d")) |"' "$@"
