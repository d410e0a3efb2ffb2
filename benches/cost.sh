#!/bin/sh
# What every mechanism takes in standard cells, as a Markdown table of docs/results.md or as the reports of `warploom synth` in JSON.
# Needs jq, yosys, OpenSTA and the cells (`warploom doctor`); about half an hour.
#   benches/cost.sh [--markdown|--json] [options of `warploom synth`]
# Every block twice: as small as it gets (10 ns), and as fast (1 ns, which nothing of this size meets).
set -eu
cd "$(dirname "$0")/.."
format=--markdown
case ${1:-} in --markdown | --json) format=$1 && shift ;; esac
warploom=${WARPLOOM:-target/release/warploom}
[ -x "$warploom" ] || cargo build --release --locked

blocks() {
    mechanism=$1 list=$2
    shift 2
    for clock in 10 1; do
        "$warploom" synth "$list" -m "$mechanism" --clock $clock --depth 0 --memory-bits 1024 --json "$@"
    done
}

reports() {
    {
        blocks spe priority_encoder,spe_stack,scoreboard "$@"
        blocks capri+lcp+slp convergence_links,warp_compaction_unit,adequacy_evaluator,capt,lane_permutation,event_table,cta_stack "$@"
        blocks dpe dual_path_stack,dual_path_scoreboard,path_selection "$@"
        blocks dws:50 warp_split_table,thread_scoreboard "$@"
        for mechanism in spe tbc capri+slp dpe; do
            "$warploom" synth core -m $mechanism --no-flatten --memory-bits 1024 --json "$@"
        done
    } | jq -s 'flatten'
}

[ $format = --json ] && { reports "$@" && exit; }
reports "$@" | jq -r '
    def round($n): . * $n | round / $n;
    def apart: [.memories[] | .count * .rows * .width] | add // 0;
    (map(select(.["module"] == "core"))) as $cores
    | ($cores | map(select(.parameters.mechanism == "spe"))[0].ge) as $core
    | "Cells: \(.[0].liberty). Share: of the SPE core without its memories, \($core / 1000 | round(1)) kGE.", "",
      "| block | of | GE, small | flip-flops | bits apart | share | path, ns | GE, fast | path, ns |",
      "|---|---|---|---|---|---|---|---|---|",
      (map(select(.["module"] != "core")) | group_by([.parameters.mechanism, .["module"]])[]
        | (map(select(.clock_ns == 10))[0]) as $small | (map(select(.clock_ns == 1))[0]) as $fast
        | "| \($small["module"]) | \($small.parameters.mechanism) | \($small.ge | round(1)) | \($small.flip_flops) | \($small | apart) | \(100 * $small.ge / $core | round(100)) % | \($small.critical_path_ns // 0 | round(100)) | \($fast.ge | round(1)) | \($fast.critical_path_ns // 0 | round(100)) |"),
      "",
      "| core, without memories | GE | flip-flops | bits apart | over SPE |",
      "|---|---|---|---|---|",
      ($cores[] | "| \(.parameters.mechanism) | \(.ge | round(1)) | \(.flip_flops) | \(apart) | \(100 * (.ge / $core - 1) | round(10)) % |")'
