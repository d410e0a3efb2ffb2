#!/bin/sh
# What each pass of the simulator generator is worth, as the Markdown table of docs/speed.md: benches/passes.sh --help
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --quiet --bench passes -- "$@"
