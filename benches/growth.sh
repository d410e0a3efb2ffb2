#!/bin/sh
# What a cycle of the generated simulator costs, from the tiny core to the paper's: benches/growth.sh --markdown
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --quiet --bench verilator -- --growth "$@"
