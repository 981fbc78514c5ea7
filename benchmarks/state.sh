#!/usr/bin/env bash
# Measures, as whole processes:
#   how the time of `migrator plan` grows with the number of state partitions (200, 400 and 1,000, 20 versions each), for
#   relocate and rewind; and how much a replay of a two-day window reads again of a Delta table with 1,000 and 4,000 hourly
#   commits, against the records of files that reach the oldest needed event: without and with an early outlier.
#
#   benchmarks/state.sh [ROUNDS [DIRECTORY]]     (default 3 rounds in /dev/shm)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-3}"
scratch="$(mktemp -d "${2:-/dev/shm}/state.XXXXXX")"
trap 'rm -rf "$scratch"' EXIT
[ -z "${JAVA_HOME:-}" ] || PATH="$JAVA_HOME/bin:$PATH"

TIMEFORMAT=%R
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
plan() { "$home/migrator" plan "$1" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; }

for partitions in 200 400 1000; do
  java "$home/benchmarks/CheckpointMaker.java" "$scratch/$partitions/v1" "$partitions" 20 512
  for strategy in relocate rewind; do
    batch=""
    [ "$strategy" = relocate ] || batch="batch: 15,"
    cat >"$scratch/$partitions/$strategy.yaml" <<YAML
version: 1
name: $strategy
streams:
  - {name: s, strategy: $strategy, $batch sink: {kafka: clicks}, accept: [SINK_ROWS_REPEATED], checkpoint: {from: v1, to: v2}}
YAML
  done
done
plan "$scratch/200/relocate.yaml" # warms the launcher
for ((i = 1; i <= rounds; i++)); do
  for partitions in 200 400 1000; do
    for strategy in relocate rewind; do
      { time plan "$scratch/$partitions/$strategy.yaml"; } 2>>"$scratch/$strategy.$partitions"
    done
  done
done
for strategy in relocate rewind; do
  for partitions in 200 400 1000; do
    echo "plan, $strategy, $partitions partitions, $(find "$scratch/$partitions/v1" -type f | wc -l) files: $(median "$scratch/$strategy.$partitions") s"
  done
done

replayed() { # what, directory
  { time "$home/migrator" plan "$2/plan.yaml" -o json >"$scratch/out"; } 2>"$scratch/time"
  number() { tr -d ' \n' <"$scratch/out" | grep -o "\"$1\":[0-9]*" | head -1 | cut -d: -f2; }
  awk -v what="$1" -v read="$(number records)" -v needed="$(number neededRecords)" -v time="$(cat "$scratch/time")" \
    'BEGIN {printf "replay, %s: %d records read again, %d in files that are needed: %.3f times; %s s\n", what, read, needed, read / needed, time}'
}
for commits in 1000 4000; do
  java "$home/benchmarks/ReplayLake.java" "$scratch/lake$commits" "$commits"
  replayed "$commits commits" "$scratch/lake$commits"
  java "$home/benchmarks/ReplayLake.java" "$scratch/outlier$commits" "$commits" 500
  replayed "$commits commits, an outlier in commit 500" "$scratch/outlier$commits"
  "$home/migrator" plan "$scratch/outlier$commits/plan.yaml" | grep -i -A2 'event times' || true
done
