#!/usr/bin/env bash
# Measures how long `./migrator discover` takes as a whole process over 1,000 checkpoints with 50,000
# files, as a multiple of `find ROOT -type f -printf '%s %p\n'` on the same tree. The commands take
# turns, so that a busy machine slows both alike.
#
#   benchmarks/discover.sh [ROUNDS]     (default 11)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-11}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# Two trees of 1,000 checkpoints with 50 files each: stateless ones, whose files are all looked at,
# and stateful ones, half of whose files are state. Copies of one of each, which are quicker to make.
make_checkpoint() { # DIRECTORY BATCHES PARTITIONS
  mkdir -p "$1/offsets" "$1/commits"
  printf '{"id":"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11"}' >"$1/metadata"
  local batch=0 partition
  while [ "$batch" -lt "$2" ]; do
    {
      printf 'v1\n{"batchWatermarkMs":0,"batchTimestampMs":%d,"conf":{"spark.sql.shuffle.partitions":"%d"}}\n' \
        $((1774602000000 + batch * 10000)) "$3"
      printf '{"sourceVersion":1,"reservoirId":"35fdce90-78ec-497d-8126-acd986f594fb","reservoirVersion":%d,"index":-1,"isStartingVersion":false}' \
        $((batch + 1))
    } >"$1/offsets/$batch"
    printf 'v1\n{"nextBatchWatermarkMs":0}' >"$1/commits/$batch"
    for ((partition = 0; partition < $3; partition++)); do
      mkdir -p "$1/state/0/$partition"
      printf 'x' >"$1/state/0/$partition/$((batch + 1)).delta"
    done
    batch=$((batch + 1))
  done
}
make_tree() { # ROOT BATCHES PARTITIONS
  make_checkpoint "$scratch/one" "$2" "$3"
  local number
  for ((number = 0; number < 1000; number++)); do
    mkdir -p "$1/team$((number / 50))/query$number"
    cp -r "$scratch/one" "$1/team$((number / 50))/query$number/_checkpoint"
  done
  rm -r "$scratch/one"
}
make_tree "$scratch/stateless" 25 0
make_tree "$scratch/stateful" 12 2

"$home/migrator" --version >/dev/null # builds, if nothing is built yet
TIMEFORMAT='%R'
seconds() {
  { time "$@" >/dev/null 2>&1; } 2>&1
}
round=0
while [ "$round" -le "$rounds" ]; do # round 0 warms the file cache and is not counted
  row=
  for tree in stateless stateful; do
    found="$(seconds find "$scratch/$tree" -type f -printf '%s %p\n')"
    row="$row $found $(seconds "$home/migrator" discover "$scratch/$tree")"
  done
  [ "$round" -eq 0 ] || echo "$row"
  round=$((round + 1))
done >"$scratch/times"

median() {
  awk -v column="$1" '{ print $column }' "$scratch/times" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
column=1
for tree in "stateless checkpoints" "stateful checkpoints"; do
  find="$(median "$column")"
  discover="$(median $((column + 1)))"
  printf '%-22s find %6.3f s   discover %6.3f s   %4.1f times\n' "$tree" "$find" "$discover" \
    "$(awk "BEGIN { print $discover / $find }")"
  column=$((column + 2))
done
