#!/bin/sh
# The generated simulator beside Verilator on the same core and the same kernels: benches/verilator.sh --help
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --quiet --bench verilator -- "$@"
