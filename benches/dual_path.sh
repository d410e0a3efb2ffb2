#!/bin/sh
# What running both sides of a branch does to each kernel, as the Markdown tables of docs/results.md. Needs jq.
#   benches/dual_path.sh ["KERNELS" ["MECHANISMS" [options of `warploom run`]]], "" for the default
set -eu
cd "$(dirname "$0")/.."
. benches/each_run.sh

echo "| kernel | mechanism | cycles | of spe | idle cycles | of spe | SIMD utilisation | Avg_path | interleavable / divergent branches | stack depth | L1 misses |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
each_run "lud qsort stencil bfs gcd bitonic bitonic_shared backprop mandelbrot reduction transpose matmul vecadd" \
    "spe dpe dpe:constrained dpe:optimistic" '
    def round($n): . * $n | round / $n | tostring;
    def of($name): .[$name] / $base[$name] * 100 | round(10) + " %";
    "| \(.kernel) | \(.mechanism) | \(.cycles) | \(of("cycles")) | \(.idle_cycles) | \(of("idle_cycles")) | \(.simd_utilization * 100 | round(10)) % | \(.average_paths | round(1000)) | \(.interleavable_branches) / \(.divergent_branches) | \(.stack_max_depth) | \(.l1.misses) |"' "$@"
