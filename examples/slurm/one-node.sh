#!/bin/bash
# Sets up a Slurm cluster of one node, proves that an array of tasks plays the same games as a single run, and removes it.
#
# It needs root, and Debian's packages slurmctld, slurmd, slurm-client and munge, but no systemd, database or network:
# the daemons listen on 127.0.0.1 only.
# Usage: one-node.sh [path of overboard]
set -euo pipefail

OVERBOARD=$(realpath "${1:-$(command -v overboard)}")
HERE=$(realpath "$(dirname "$0")")
D=$(mktemp -d /tmp/one-node.XXXXXX)
HOST=$(hostname -s)
CPUS=$(nproc)
export SLURM_CONF=$D/slurm.conf

clean() {
    scontrol shutdown >/dev/null 2>&1 || true
    sleep 2
    for pid in slurmd slurmctld munged; do
        if [ -s "$D/$pid.pid" ]; then kill "$(cat "$D/$pid.pid")" 2>/dev/null || true; fi
    done
    wait
    [ -n "${KEEP:-}" ] || rm -rf "$D"
}
trap clean EXIT

# Every daemon must be able to enter the folder, but only those that know its name can find it.
chmod 711 "$D"
mkdir -m 700 "$D/munge" && mkdir "$D/state" "$D/spool" "$D/work"
dd if=/dev/urandom of="$D/munge/key" bs=128 count=1 status=none
chmod 400 "$D/munge/key"
chown -R munge: "$D/munge"
# The folder of the socket must be open to all, unlike that of the key.
mkdir -m 755 "$D/socket" && chown munge: "$D/socket"
runuser -u munge -- munged --foreground --force --key-file="$D/munge/key" --socket="$D/socket/s" \
    --pid-file="$D/munge/pid" --log-file="$D/munge/log" --seed-file="$D/munge/seed" >"$D/munge/out" 2>&1 &
until [ -s "$D/munge/pid" ]; do sleep 0.2; done
cp "$D/munge/pid" "$D/munged.pid"

cat >"$SLURM_CONF" <<EOF
ClusterName=one
SlurmctldHost=$HOST(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$D/socket/s
CredType=cred/munge
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd.pid
SlurmctldLogFile=$D/slurmctld.log
SlurmdLogFile=$D/slurmd.log
SlurmctldPort=36817
SlurmdPort=36818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SchedulerParameters=batch_sched_delay=1,sched_interval=2
NodeName=$HOST NodeAddr=127.0.0.1 CPUs=$CPUS RealMemory=2000
PartitionName=all Nodes=$HOST Default=YES MaxTime=INFINITE State=UP
EOF
slurmctld
slurmd
for _ in $(seq 30); do
    sinfo -h -o %t 2>/dev/null | grep -q idle && break
    sleep 1
done
sinfo

cd "$D/work"
WHAT=(--variant olympic --player greedy --player random --pairs "${PAIRS:-20000}" --seed 7)
PATH=$(dirname "$OVERBOARD"):$PATH
export PATH
overboard plan "${WHAT[@]}" --shards 4 night.json
submit() {
    sbatch --parsable --array="$1" --cpus-per-task=1 "${@:2}" "$HERE/night.sbatch"
}
# Waits until all tasks of a job have ended.
wait_for() {
    while squeue -h -j "$1" 2>/dev/null | grep -q .; do sleep 1; done
}

echo "== four tasks; task 1 is requeued and task 2 killed during the run"
JOB=$(submit 0-3)
until [ -s night.1-of-4.jsonl ]; do sleep 0.2; done
scontrol requeue "${JOB}_1"
until [ -s night.2-of-4.jsonl ]; do sleep 0.2; done
scancel --signal=KILL --full "${JOB}_2" || scancel "${JOB}_2"
# A requeued task waits for two minutes unless its start time is set again.
sleep 2
scontrol update JobId="${JOB}_1" StartTime=now 2>/dev/null || true
wait_for "$JOB"

echo "== what is missing"
# Copied to standard error by hand: `tee /dev/stderr` would open it again, and so truncate a file that it is redirected to.
REPORT=$(overboard merge --json --out merged.jsonl night.*-of-4.jsonl) || true
echo "$REPORT" >&2
MISSING=$(sed -n 's/.*"array":"\([^"]*\)".*/\1/p' <<<"$REPORT")
if [ -n "$MISSING" ]; then
    echo "== played again: --array=$MISSING"
    wait_for "$(submit "$MISSING")"
    overboard merge --out merged.jsonl night.*-of-4.jsonl
fi

echo "== the single run"
overboard selfplay "${WHAT[@]}" --ledger single.jsonl
cmp single.jsonl merged.jsonl
echo "the merged ledger is the same as that of the single run, byte for byte"
