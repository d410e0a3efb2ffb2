#!/usr/bin/env bash
# Whether docs/results.md is what runs give.
#   tests/papers.sh WARPLOOM I/N     the I-th of N parts of the cores, with all kernels, against the cycles that are recorded
#   tests/papers.sh WARPLOOM write   runs all, draws all, records the cycles
set -euo pipefail
warploom=$1
recorded=docs/results/cycles.tsv
cycles() { jq -r "$1 | [.kernel, .preset, .mechanism, (.parameters | tojson), .cycles] | join(\"\t\")"; }

if [ "$2" = write ]; then
    "$warploom" compare --papers --svg docs/results --markdown docs/results.md >/dev/null
    "$warploom" compare --papers --json | cycles '.[]' | LC_ALL=C sort >$recorded
    exit
fi

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
"$warploom" compare --papers --shard "$2" --into "$directory"
cycles '.reports[]' <"$directory/shard-${2/\//-of-}.json" >"$directory/cycles"
[ -s "$directory/cycles" ] || { echo "nothing has been run"; exit 1; }
if grep -vxFf $recorded "$directory/cycles"; then
    echo "these cycles are not in $recorded, nor in docs/results.md: tests/papers.sh $warploom write"
    exit 1
fi
echo "$(wc -l <"$directory/cycles") of $(wc -l <$recorded) runs of docs/results.md: the same cycles"
