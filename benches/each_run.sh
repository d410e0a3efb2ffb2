# Sourced by the scripts beside it, from the top of the repository.

# each_run KERNELS MECHANISMS ROW ["KERNELS" ["MECHANISMS" [options of `warploom run`]]]: a line for every kernel under every
# mechanism, what the jq expression ROW makes of the run's report; $base is the report under the first mechanism. Stops at a run that does not pass.
each_run() {
    kernels=${4:-$1}
    mechanisms=${5:-$2}
    row=$3
    [ $# -ge 5 ] && shift 5 || shift $#
    warploom=${WARPLOOM:-target/release/warploom}
    [ -x "$warploom" ] || cargo build --release --locked
    for kernel in $kernels; do
        base=
        for mechanism in $mechanisms; do
            report=$("$warploom" run "$kernel" -m "$mechanism" --json "$@")
            [ -n "$base" ] || base=$report
            echo "$report" | jq -r --argjson base "$base" "
                if .result != \"pass\" then error(.kernel + \" \" + .result) else . end | $row"
        done
    done
}
