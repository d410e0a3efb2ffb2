#!/bin/sh
# What every mechanism takes in standard cells, as a Markdown table of docs/cost.md or as the reports of `warploom synth` in JSON.
# Needs jq, yosys, OpenSTA and the cells (`warploom doctor`); about half an hour.
#   benches/cost.sh [--markdown|--json] [options of `warploom synth`]
#   WARPLOOM_CELLS=DIRECTORY FAST=0.3 benches/cost.sh --liberty NAME    at another node
#   CORES= benches/cost.sh    without whole cores, which take longer than all blocks, and so without shares
# Every block as small as it gets (10 ns); those whose delay is in question as fast as they get besides ($FAST ns, by default 1, which none meets).
# Memories of at least 1024 bits are apart, those in the same rows counted as one; beside them, what they would take as latches (a model).
set -eu
cd "$(dirname "$0")/.."
format=--markdown
case ${1:-} in --markdown | --json) format=$1 && shift ;; esac
warploom=${WARPLOOM:-target/release/warploom}
[ -x "$warploom" ] || cargo build --release --locked

fast=${FAST:-1}
cores=${CORES-spe tbc capri+slp dpe tbc+dpe}

# The file of --liberty, by its checksum: anybody's cells have these names.
checksum() {
    previous=
    for option in "$@"; do
        if [ "$previous" = --liberty ]; then
            [ -e "$option" ] || option=$WARPLOOM_CELLS/$option.lib
            sha256sum "$option" | cut -c1-64
        fi
        previous=$option
    done
}

# blocks MECHANISM CLOCK LIST [options]
blocks() {
    mechanism=$1 clock=$2 list=$3
    shift 3
    "$warploom" synth "$list" -m "$mechanism" --clock "$clock" --depth 0 --memory-bits 1024 --join-memories --json "$@"
}

reports() {
    encoders=priority_encoder,round_robin_arbiter,capt,warp_compaction_unit,adequacy_evaluator
    {
        for clock in 10 $fast; do
            blocks spe $clock scoreboard "$@"
            blocks capri+lcp+slp $clock $encoders,lane_permutation "$@"
            blocks dpe $clock path_selection "$@"
        done
        blocks spe 10 spe_stack "$@"
        blocks dpe 10 dual_path_stack,dual_path_scoreboard "$@"
        blocks dws:50 10 warp_split_table,thread_scoreboard "$@"
        blocks dwf 10 parked_threads,warp_lut,warp_pool "$@"
        blocks dwf-wb 10 warp_barriers "$@"
        blocks scs 10 turn_scheduler,spe_stack "$@"
        blocks its 10 independent_threads "$@"
        blocks capri+lcp+slp 10 convergence_links,event_table,cta_stack "$@"
        blocks tbc+dpe 10 cta_path_stack,cta_path_scoreboard "$@"
        for mechanism in $cores; do
            "$warploom" synth core -m $mechanism --memory-bits 1024 --join-memories --json "$@"
        done
    } | jq -s 'flatten'
}

[ $format = --json ] && { reports "$@" && exit; }
reports "$@" | jq -r --argjson fast "$fast" --arg checksum "$(checksum "$@")" '
    def round($n): . * $n | round / $n;
    def apart: [.memories[] | .count * .rows * .width] | add // 0;
    def latches: [.memories[].latches_ge // 0] | add // 0;
    (map(select(.["module"] == "core"))) as $cores
    | ($cores | map(select(.parameters.mechanism == "spe"))[0].ge) as $core
    | "Cells: \(.[0].liberty)\(if $checksum == "" then "" else ", SHA-256 " + $checksum end).\(if $core then " Share: of the SPE core without its memories, \($core / 1000 | round(1)) kGE." else "" end)", "",
      "| block | of | GE, small | flip-flops | bits apart | as latches, GE | share | path, ns | GE, fast | path, ns |",
      "|---|---|---|---|---|---|---|---|---|---|",
      (map(select(.["module"] != "core")) | group_by([.parameters.mechanism, .["module"]])[]
        | (map(select(.clock_ns == 10))[0]) as $small | (map(select(.clock_ns == $fast))[0]) as $fast
        | "| \($small["module"]) | \($small.parameters.mechanism) | \($small.ge | round(1)) | \($small.flip_flops) | \($small | apart) | \($small | latches | round(1)) | \(if $core then "\(100 * $small.ge / $core | round(100)) %" else "" end) | \($small.critical_path_ns // 0 | round(100)) | \($fast.ge // "" | if . == "" then . else round(1) end) | \($fast.critical_path_ns // "" | if . == "" then . else round(100) end) |"),
      "",
      "| core, without memories | GE | flip-flops | bits apart | over SPE |",
      "|---|---|---|---|---|",
      ($cores[] | "| \(.parameters.mechanism) | \(.ge | round(1)) | \(.flip_flops) | \(apart) | \(100 * (.ge / $core - 1) | round(10)) % |")'
