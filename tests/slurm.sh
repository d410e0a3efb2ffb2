#!/usr/bin/env bash
# A comparison on a cluster of one machine: a real slurmctld and slurmd on loopback run the shards that `compare --emit slurm` writes,
# and the merged results must be those of a run without a cluster. Skipped with a message where Slurm is not installed; needs root.
#   tests/slurm.sh [WARPLOOM]
set -euo pipefail
cd "$(dirname "$0")/.."
warploom=$(realpath "${1:-target/release/warploom}")

for tool in munged slurmctld slurmd sbatch; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: no $tool (apt install slurmctld slurmd slurm-client munge)"
        [ -z "${WARPLOOM_REQUIRE_TOOLS:-}" ] || exit 1
        exit 0
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo "skipped: daemons need root"
    exit 0
fi

work=$(mktemp -d)
chmod 755 "$work"
daemons=()
finish() {
    status=$?
    [ "$status" = 0 ] || tail -n 20 "$work"/*.log "$work"/shards/*.log 2>/dev/null || true
    kill "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

# munge, by which Slurm's parts know each other, with a key and a socket of its own.
mkdir -m 755 "$work/munge"
dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 status=none
chmod 400 "$work/munge.key"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge/socket" --pid-file="$work/munged.pid" \
    --seed-file="$work/munged.seed" --log-file="$work/munged.log" >/dev/null 2>&1 &
daemons+=($!)

node=$(hostname -s)
export SLURM_CONF="$work/slurm.conf"
cat >"$SLURM_CONF" <<EOF
ClusterName=loopback
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
mkdir "$work/state" "$work/spool"
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D >/dev/null 2>&1 &
daemons+=($!)
for _ in $(seq 60); do
    sinfo -h -t idle 2>/dev/null | grep -q idle && break
    sleep 1
done
sinfo

comparison=(vecadd gcd --mechanisms spe,tbc --preset tiny --size smoke)
export WARPLOOM_CACHE="$work/cache"
"$warploom" compare "${comparison[@]}" --emit slurm --shards 3 --into "$work/the shards" --csv "$work/merged.csv"
sh "$work/the shards/submit.sh"
for _ in $(seq 300); do
    [ -n "$(squeue -h)" ] || break
    sleep 1
done
cat "$work/the shards/merge.log"
# What ran elsewhere is what runs here, but for how fast it ran.
"$warploom" compare "${comparison[@]}" --fresh --csv "$work/here.csv" >/dev/null
without_times() { cut -d, -f"$(head -1 "$1" | tr , '\n' | grep -n -v '^sim\.' | cut -d: -f1 | paste -sd,)" "$1"; }
diff <(without_times "$work/merged.csv") <(without_times "$work/here.csv")
echo "the cluster's results are those of this machine"
