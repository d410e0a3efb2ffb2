#!/bin/sh
# Power and energy of the blocks that make a mechanism while kernels run, as a Markdown table of docs/cost.md or as the
# reports of `warploom synth` in JSON. Needs jq, yosys and the cells (`warploom doctor`); minutes to hours.
#   benches/power.sh [--markdown|--json] ["KERNELS" ["MECHANISMS" [options of `warploom synth`]]], "" for the default
set -eu
cd "$(dirname "$0")/.."
format=--markdown
case ${1:-} in --markdown | --json) format=$1 && shift ;; esac
kernels=${1:-bfs bitonic_shared mandelbrot backprop}
mechanisms=${2:-spe tbc capri+slp dpe scs its}
[ $# -ge 2 ] && shift 2 || shift $#
warploom=${WARPLOOM:-target/release/warploom}
[ -x "$warploom" ] || cargo build --release --locked

# The blocks that a mechanism adds to or changes in the core. Where warps have stacks of their own the reconvergence unit is
# the stack; where CTAs have, or threads are regrouped, its largest parts are here one by one.
blocks() {
    case $1 in
    *+dpe*) printf cta_path_stack,hazard_unit ;;
    dwf*) printf parked_threads,warp_lut,warp_pool,hazard_unit ;;
    tbc* | capri*) printf event_table,cta_stack,warp_compaction_unit,adequacy_evaluator,hazard_unit ;;
    *) printf reconvergence_unit,hazard_unit ;;
    esac
    case $1 in capri*) printf ,capt ;; dwf-wb*) printf ,warp_barriers ;; esac
    case $1 in *+slp*) printf ,lane_permutation ;; esac
}

# Dual paths and what they are measured against run a kernel for which they were made besides.
kernels_of() {
    case $1 in spe | dpe*) [ "$kernels" = "bfs bitonic_shared mandelbrot backprop" ] && printf 'lud ' ;; esac
    printf %s "$kernels"
}

# Every block is mapped once for all kernels, and every kernel runs once for all blocks. Stops at a run that fails.
reports=$(for mechanism in $mechanisms; do
    "$warploom" synth "$(blocks "$mechanism")" -m "$mechanism" --kernel "$(kernels_of "$mechanism" | tr ' ' ,)" \
        --depth 0 --memory-bits 1024 --json "$@"
done)
reports=$(printf "%s\n" "$reports" | jq -s flatten)
[ $format = --markdown ] || { printf "%s\n" "$reports" && exit; }
printf "%s\n" "$reports" | jq -r '
    def round($n): . * $n | round / $n;
    (map(.work.kernel) | unique) as $kernels
    | "Mean power in mW and energy in uJ, leakage included, at \(.[0].clock_ns) ns; cells: \(.[0].liberty).", "",
      "| mechanism | block | kGE | flip-flops | path, ns | \($kernels | join(" | ")) |",
      "|---|---|---|---|---|\($kernels | map("---|") | add)",
      (group_by([.parameters.mechanism, .["module"]])[]
        | . as $runs
        | "| \(.[0].parameters.mechanism) | \(.[0]["module"]) | \(.[0].ge / 1000 | round(10)) | \(.[0].flip_flops) | \(.[0].critical_path_ns // 0 | round(100)) | \(
            $kernels | map(. as $kernel | $runs | map(select(.work.kernel == $kernel)) | .[0]
              | if . then "\((.dynamic_uw + .leakage_uw) / 1000 | round(100)) mW, \(.energy_nj / 1000 | round(10)) uJ" else "" end)
            | join(" | ")) |"),
      "",
      "Cycles: \(group_by([.parameters.mechanism, .work.kernel]) | map(.[0] | "\(.parameters.mechanism) \(.work.kernel) (\(.work.size)) \(.work.cycles)") | join(", "))."'
