#!/usr/bin/env bash
# Whether docs/results.md is what runs on a machine give, for every N-th kernel from the I-th on: tests/papers.sh WARPLOOM I/N MACHINE
# The page of them is looked at in a browser, too. The tables have a row for each kernel; figures and means are of all of them, and drawn anew with `compare --papers` alone.
set -euo pipefail
warploom=$1 part=${2%/*} parts=${2#*/} machine=$3
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

names() { sed -n "/^## Every run on \`$machine\`/,/^## /s/^| \`\([^\`]*\)\`.*/\1/p" docs/results.md; }
mapfile -t kernels < <(names | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts')
"$warploom" compare "--papers=$machine" "${kernels[@]}" --svg "$directory" --markdown "$directory/results.md" --html "$directory/results.html" >/dev/null

# What a kernel is like is measured on capri, whose runs come first.
first='^## Every run on'
[ "$machine" != capri ] || first='^## The kernels'
rows() { sed -n "/$first/,\$ { /^| \`/p }" "$1"; }
rows "$directory/results.md" >"$directory/rows"
[ -s "$directory/rows" ] || { echo "no kernel has been compared"; exit 1; }
if rows docs/results.md | grep -vxFf - "$directory/rows"; then
    echo "these rows are not in docs/results.md: warploom compare --papers --svg docs/results --markdown docs/results.md"
    exit 1
fi
echo "$(wc -l <"$directory/rows") rows of docs/results.md on $machine: ${kernels[*]}"

tests/page.sh "$warploom" "$directory/results.html"
