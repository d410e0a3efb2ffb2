#!/bin/sh
# How long until the first cycle of an OpenCL application's first launch, beside `warploom run` of the same kernel on the same machine,
# and what each further launch takes beside its cycles. Both compile the kernel; the simulator is in the cache.
# benches/first_cycle.sh [PRESET] [MECHANISM] [RUNS] [PROFILE]    (capri capri+slp 9 release; PROFILE dev is what `cargo run` builds)
set -eu
cd "$(dirname "$0")/.."
preset=${1:-capri} mechanism=${2:-capri+slp} runs=${3:-9} profile=${4:-release}
cargo build --quiet --profile "$profile" -p warploom -p warploom-opencl
[ "$profile" = dev ] && profile=debug
target=$(realpath "${CARGO_TARGET_DIR:-target}")/$profile
warploom=$target/warploom
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cc -O1 -o "$directory/host" benches/first_cycle/host.c -lOpenCL
cp benches/first_cycle/first.cl "$directory"
cd "$directory"

# The kernel is over after a few hundred cycles, less than a millisecond, so that what a process takes is its time to the first cycle, with
# the end of the process on top.
run() { "$warploom" run first.cl --preset "$preset" -m "$mechanism" --global 64 --local 64 --buffer a=zero:i32:64 --arg n=3; }
host() { OCL_ICD_VENDORS=$target/libwarploom_opencl.so WARPLOOM_PRESET=$preset WARPLOOM_MECHANISM=$mechanism ./host "$1"; }
application() { host 0; }

# milliseconds WHAT: runs it, adds its time to WHAT.times, and what it prints is in WHAT.out.
milliseconds() {
    begin=$(date +%s%N)
    "$1" >"$1.out" 2>"$1.err" || { cat "$1.out" "$1.err" >&2; exit 1; }
    echo $((($(date +%s%N) - begin) / 1000000)) >>"$1.times"
}

median() { sort -n "$1" | awk '{ time[NR] = $1 } END { print time[int((NR + 1) / 2)] " (" time[1] " to " time[NR] ")" }'; }

# Compiles the simulator, once.
run >/dev/null 2>&1
application >/dev/null
for round in $(seq "$runs"); do
    milliseconds run
    milliseconds application
    host 100 >>launch.times
done
echo "$preset, $mechanism, $profile, $runs runs of each, in turn; medians, and the least and the most"
echo "to the first cycle, ms: warploom run $(median run.times); application $(median application.times)"
echo "a further launch with its cycles, us: $(median launch.times)"
