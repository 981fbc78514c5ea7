#!/usr/bin/env bash
# Measures how long `./migrator inspect` and `--help` take as whole processes, as a multiple of a bare
# JVM that prints a line. The commands take turns, so that a busy machine slows all of them alike.
#
#   benchmarks/startup.sh [ROUNDS]     (default 11)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-11}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

if [ -n "${JAVA_HOME:-}" ]; then
  PATH="$JAVA_HOME/bin:$PATH"
fi
cat >"$scratch/Hello.java" <<'JAVA'
public class Hello {
  public static void main(String[] arguments) {
    System.out.println("hello");
  }
}
JAVA
javac -d "$scratch" "$scratch/Hello.java"

# A stateless Delta query with 100 retained batches, 0 to 99, all committed.
many="$scratch/hundred"
mkdir -p "$many/offsets" "$many/commits"
printf '{"id":"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11"}' >"$many/metadata"
batch=0
while [ "$batch" -lt 100 ]; do
  {
    printf 'v1\n{"batchWatermarkMs":0,"batchTimestampMs":%d,"conf":{"spark.sql.shuffle.partitions":"4"}}\n' \
      $((1774602000000 + batch * 10000))
    printf '{"sourceVersion":1,"reservoirId":"35fdce90-78ec-497d-8126-acd986f594fb","reservoirVersion":%d,"index":-1,"isStartingVersion":false}' \
      $((batch + 1))
  } >"$many/offsets/$batch"
  printf 'v1\n{"nextBatchWatermarkMs":0}' >"$many/commits/$batch"
  batch=$((batch + 1))
done
window="$home/src-test-fixtures/checkpoints/window-hdfs/checkpoint"

"$home/migrator" --version >/dev/null # builds, if nothing is built yet
TIMEFORMAT='%R'
seconds() {
  { time "$@" >/dev/null 2>&1; } 2>&1
}
round=0
while [ "$round" -le "$rounds" ]; do # round 0 warms the file cache and is not counted
  hello="$(seconds java -cp "$scratch" Hello)"
  stateful="$(seconds "$home/migrator" inspect "$window")"
  hundred="$(seconds "$home/migrator" inspect "$many")"
  help="$(seconds "$home/migrator" --help)"
  [ "$round" -eq 0 ] || echo "$hello $stateful $hundred $help"
  round=$((round + 1))
done >"$scratch/times"

median() {
  awk -v column="$1" '{ print $column }' "$scratch/times" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
hello="$(median 1)"
printf 'java, hello world                        %6.3f s\n' "$hello"
for line in "2:inspect, stateful checkpoint (fixture)" "3:inspect, 100 batches" "4:--help"; do
  time="$(median "${line%%:*}")"
  printf '%-40s %6.3f s   %4.1f times\n' "${line#*:}" "$time" "$(awk "BEGIN { print $time / $hello }")"
done
